import TerminalUI

/// The panes of the main screen, from left to right.
package enum Pane: Int, Sendable, CaseIterable {
    case lists
    case items
    case detail
}

/// The places of the views on the screen.
///
/// | columns | panes |
/// |---|---|
/// | 110 and more | lists, items, detail; the items keep 60 |
/// | 64 to 109 | two: lists and items; items and detail while the detail has the focus |
/// | under 64 | the one with the focus, with a breadcrumb above |
///
/// The title line is there from 8 rows on, the footer from 6, frames from 4.
struct ScreenLayout: Hashable {
    var title: Rect?
    var crumbs: Rect?
    var panes: [Pane: Rect] = [:]
    var bar: Rect?
    var footer: Rect?

    static let threePanes = 110
    static let twoPanes = 64

    init(size: Size, focus: Pane, barRows: Int) {
        var area = Rect(size)
        func takeTop() -> Rect {
            let row = Rect(row: area.row, column: 0, rows: 1, columns: area.columns)
            area = area.inset(top: 1)
            return row
        }
        func takeBottom(_ rows: Int) -> Rect {
            let row = Rect(row: area.endRow - rows, column: 0, rows: rows, columns: area.columns)
            area = area.inset(bottom: rows)
            return row
        }
        if size.rows >= 8 { title = takeTop() }
        if size.rows >= 6 { footer = takeBottom(1) }
        if barRows > 0 { bar = takeBottom(min(barRows, max(1, area.rows - 1))) }
        if size.columns < ScreenLayout.twoPanes, size.rows >= 10 { crumbs = takeTop() }
        for (pane, share) in ScreenLayout.shares(columns: size.columns, focus: focus, in: area) {
            panes[pane] = share
        }
    }

    private static func shares(columns: Int, focus: Pane, in area: Rect) -> [(Pane, Rect)] {
        if columns >= threePanes {
            let rects = Layout.split(
                area,
                .columns,
                [
                    .weighted(1, minimum: 20, maximum: 32), .weighted(4, minimum: 60),
                    .weighted(2, minimum: 30, maximum: 64),
                ]
            )
            return Array(zip(Pane.allCases, rects))
        }
        if columns >= twoPanes {
            if focus == .detail {
                let rects = Layout.split(
                    area,
                    .columns,
                    [.weighted(1, minimum: 30), .weighted(1, minimum: 32)]
                )
                return Array(zip([.items, .detail], rects))
            }
            let rects = Layout.split(
                area,
                .columns,
                [.weighted(2, minimum: 20, maximum: 26), .weighted(5)]
            )
            return Array(zip([.lists, .items], rects))
        }
        return [(focus, area)]
    }
}
