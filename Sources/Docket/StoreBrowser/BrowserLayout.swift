import TerminalUI

/// Where the parts are on the screen: side by side, or on a narrow screen the one with the focus.
struct BrowserLayout {
    /// Below this width there is one part.
    static let narrow = 60

    let entities: Rect?
    let divider: Rect?
    let content: Rect?

    init(_ size: Size, _ focus: StoreBrowser.Focus) {
        let body = Rect(size)
        guard size.columns >= BrowserLayout.narrow else {
            entities = focus == .entities ? body : nil
            content = focus == .content ? body : nil
            divider = nil
            return
        }
        let left = min(34, max(20, size.columns / 4))
        entities = Rect(row: 0, column: 0, rows: body.rows, columns: left)
        divider = Rect(row: 0, column: left, rows: body.rows, columns: 1)
        content = body.inset(left: left + 1)
    }
}
