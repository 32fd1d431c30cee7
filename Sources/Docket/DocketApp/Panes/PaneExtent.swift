import ObjectGraph
import TerminalUI

/// The part of a pane's rows that is on the screen.
struct PaneExtent: Hashable {
    var total = 0
    var first = 0
    var visible = 0

    init() {}

    init(total: Int, first: Int, visible: Int) {
        self.total = total
        self.first = first
        self.visible = visible
    }

    init(_ list: ListView, rows: Int) {
        self.init(total: list.count, first: list.first, visible: rows)
    }
}
