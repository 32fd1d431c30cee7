import TerminalUI

/// The places of the views on the screen.
///
/// | columns | panes |
/// |---|---|
/// | 110 and more | lists, items, detail; the items keep 60 |
/// | 60 to 109 | two: lists and items; items and detail while the detail has the focus |
/// | under 60 | the one with the focus, with a breadcrumb in the title line |
///
/// A pane that covers the screen is alone at any width. The title line is there from 8 rows on, the
/// footer from 6, heads of panes from 4.
struct ScreenLayout: Hashable {
    /// The place of a pane.
    struct Place: Hashable {
        var head: Rect?
        var body: Rect
        var area: Rect
    }

    var title: Rect?
    var panes: [PaneID: Place] = [:]
    /// The lines between panes.
    var dividers: [Rect] = []
    /// The pane whose width each of them decides.
    private var divided: [PaneID] = []
    /// The most columns of a pane at a side.
    private var most = 0
    var bar: Rect?
    var footer: Rect?
    /// The instruction of a tour, above the footer.
    var tour: Rect?
    /// Whether only one of several panes is shown.
    var isNarrow = false

    static let threePanes = 110
    static let twoPanes = 60

    init(
        size: Size,
        focus: PaneID,
        columns: [PaneID],
        panes kind: (PaneID) -> PaneKind,
        barRows: Int,
        tourRows: Int = 0,
        widths: [String: Int] = [:]
    ) {
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
        if tourRows > 0, size.rows >= 12 { tour = takeBottom(tourRows) }
        if barRows > 0 { bar = takeBottom(min(barRows, max(1, area.rows - 1))) }
        if kind(focus).place == .whole || size.columns < ScreenLayout.twoPanes {
            isNarrow = kind(focus).place != .whole
            panes[focus] = Place(head: nil, body: area, area: area)
            return
        }
        let shown = ScreenLayout.shown(columns: size.columns, isRight: kind(focus).place == .right)
            .compactMap { share in
                columns.first { kind($0).place == share.place }
                    .map { (id: $0, share: kind($0).share ?? share.share) }
            }
        let places = shown.map { kind($0.id).place }
        // A width of the user's counts as far as the pane in the middle keeps its own.
        let others = places.count { $0 != .middle }
        most = (area.columns - ScreenLayout.leastMiddle) / max(1, others)
        let isChosen = shown.contains { widths[kind($0.id).width] != nil }
        let shares = zip(places, shown).map { place, pane in
            widths[kind(pane.id).width].map { .fixed(limited($0)) } ?? kind(pane.id).share
                ?? (place == .middle && isChosen ? .weighted(4) : pane.share)
        }
        let rects = Layout.split(area, .columns, shares, gap: 1)
        for ((id, _), rect) in zip(shown, rects) {
            let hasHead = kind(id).hasHead && area.rows >= 4
            panes[id] = Place(
                head: hasHead
                    ? Rect(row: rect.row, column: rect.column, rows: 1, columns: rect.columns)
                    : nil,
                body: hasHead ? rect.inset(top: 1) : rect,
                area: rect
            )
        }
        dividers = rects.dropLast().map {
            Rect(row: $0.row, column: $0.endColumn, rows: $0.rows, columns: 1)
        }
        divided = places.dropLast().enumerated().map { index, place in
            shown[place == .middle ? index + 1 : index].id
        }
    }

    // MARK: Widths of the user

    /// The least columns of a pane at a side, and of the one in the middle, whose divider is
    /// dragged.
    private static let leastSide = 10
    private static let leastMiddle = 30

    /// The pane whose width the line at a position decides; `nil` for a position beside the lines.
    func divided(at position: Position) -> PaneID? {
        dividers.firstIndex { $0.contains(position) }.map { divided[$0] }
    }

    /// The width of a pane whose line is moved to a column, as far as the screen has it.
    func width(of pane: PaneID, endingAt column: Int) -> Int {
        let last = panes.values.map(\.area.endColumn).max() ?? 0
        return limited(panes[pane]?.area.column == 0 ? column : last - column - 1)
    }

    /// A width of a pane at a side, limited to what the screen has for it.
    private func limited(_ width: Int) -> Int {
        max(min(width, most), min(ScreenLayout.leastSide, most))
    }

    private static func shown(
        columns: Int,
        isRight: Bool
    ) -> [(place: PanePlace, share: Share)] {
        if columns >= threePanes {
            return [
                (.left, .weighted(1, minimum: 18, maximum: 28)),
                (.middle, .weighted(4, minimum: 60)),
                (.right, .weighted(2, minimum: 28, maximum: 64)),
            ]
        }
        if isRight {
            return [
                (.middle, .weighted(1, minimum: 28)), (.right, .weighted(1, minimum: 30)),
            ]
        }
        return [(.left, .weighted(2, minimum: 18, maximum: 24)), (.middle, .weighted(5))]
    }
}
