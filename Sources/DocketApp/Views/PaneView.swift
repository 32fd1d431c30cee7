import TerminalUI

/// A frame around a pane, with its title; small panes have none.
struct PaneView {
    let title: String
    let isFocused: Bool
    let look: Look

    static func hasFrame(_ size: Size) -> Bool { size.rows >= 4 && size.columns >= 6 }

    /// The inside of a pane's area.
    static func inside(_ area: Rect) -> Rect {
        hasFrame(area.size) ? area.inset(1) : area
    }

    func render(into canvas: inout Canvas, area: Rect) {
        guard PaneView.hasFrame(area.size) else { return }
        canvas.frame(
            area,
            style: look[isFocused ? .borderFocused : .border],
            title: title,
            titleStyle: look[isFocused ? .title : .dim]
        )
    }
}
