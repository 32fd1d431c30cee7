import TerminalUI

/// Where the parts are on the screen: side by side, or on a narrow screen the one with the focus.
struct BrowserLayout {
    /// Below this width there is one part.
    static let narrow = 60

    let head: Rect
    let entities: Rect?
    let divider: Rect?
    let content: Rect?
    let foot: Rect

    init(_ size: Size, _ focus: StoreBrowser.Focus) {
        head = Rect(row: 0, column: 0, rows: min(1, size.rows), columns: size.columns)
        let footRow = max(1, size.rows - 1)
        foot = Rect(row: footRow, column: 0, rows: size.rows > 1 ? 1 : 0, columns: size.columns)
        let body = Rect(row: 1, column: 0, rows: max(0, footRow - 1), columns: size.columns)
        guard size.columns >= BrowserLayout.narrow else {
            entities = focus == .entities ? body : nil
            content = focus == .content ? body : nil
            divider = nil
            return
        }
        let left = min(34, max(20, size.columns / 4))
        entities = Rect(row: 1, column: 0, rows: body.rows, columns: left)
        divider = Rect(row: 1, column: left, rows: body.rows, columns: 1)
        content = Rect(
            row: 1,
            column: left + 1,
            rows: body.rows,
            columns: size.columns - left - 1
        )
    }

    /// The part of an area below its header.
    func listArea(of area: Rect, header: Int) -> Rect {
        Rect(
            row: area.row + header,
            column: area.column,
            rows: area.rows - header,
            columns: area.columns
        )
    }
}
