/// A list's selection and scrolling; the rows themselves belong to the owner.
///
/// Invariants, after every change: with rows, `selection` is one of them, and `first` leaves no
/// empty rows at the end that rows above could fill; without rows, `selection` is nil. Call
/// ``layout(rows:)`` before each frame, so that paging knows the height.
public struct ListView: Sendable {
    /// The number of rows.
    public private(set) var count = 0
    /// The selected row, or nil if there is none.
    public private(set) var selection: Int?
    /// The first row on the screen.
    public private(set) var first = 0
    /// The number of rows on the screen, according to the last layout; before the first one all
    /// fit.
    public private(set) var visibleRows = 1 << 16
    /// Rows between the selection and the edge of the list, where there is space.
    public var margin = 2
    /// The press that can become a double click.
    var clicks = DoubleClick()

    public init(count: Int = 0) {
        update(count: count, selection: count > 0 ? 0 : nil)
    }

    /// The rows on the screen.
    public var visible: Range<Int> { first..<min(count, first + visibleRows) }

    /// Takes over new contents.
    ///
    /// The selected row keeps its place on the screen, even if rows were inserted above it: give
    /// its new index. Without an index the old one stays if possible.
    public mutating func update(count: Int, selection: Int? = nil) {
        let old = self.selection
        self.count = max(0, count)
        let wanted = selection ?? old ?? 0
        self.selection = self.count == 0 ? nil : min(max(0, wanted), self.count - 1)
        if let old, let new = self.selection { first += new - old }
        settle()
    }

    /// Selects a row, or the nearest existing one.
    public mutating func select(_ row: Int) {
        guard count > 0 else { return }
        selection = min(max(0, row), count - 1)
        settle()
    }

    /// Moves the selection.
    public mutating func move(by rows: Int) {
        select((selection ?? 0) + rows)
    }

    /// Moves the selection off rows that cannot be selected, such as headings: to the next other row
    /// in a direction or, if there is none, in the other one.
    public mutating func skip(down: Bool, where isSkipped: (Int) -> Bool) {
        guard let start = selection, isSkipped(start) else { return }
        for step in down ? [1, -1] : [-1, 1] {
            var row = start
            while row >= 0, row < count, isSkipped(row) { row += step }
            guard row >= 0, row < count else { continue }
            select(row)
            // A heading above the first row should be visible with it.
            if row == 1, !down { scroll(to: 0) }
            return
        }
    }

    /// Scrolls without selecting; the selection follows only if it would leave the screen.
    public mutating func scroll(by rows: Int) {
        guard count > 0 else { return }
        first = min(max(0, first + rows), max(0, count - visibleRows))
        let edge = effectiveMargin
        let low = first == 0 ? 0 : first + edge
        let high = first + visibleRows >= count ? count - 1 : first + visibleRows - 1 - edge
        selection = min(max(selection ?? 0, low), max(low, high))
    }

    /// Scrolls to a first row, for the scrollbar.
    public mutating func scroll(to row: Int) {
        scroll(by: row - first)
    }

    /// Fits the list to a number of rows; the selection stays, at its place in the window if it
    /// fits.
    public mutating func layout(rows: Int) {
        let rows = max(1, rows)
        guard rows != visibleRows else { return }
        visibleRows = rows
        settle()
    }

    /// At most half of the window, so that a small window works too.
    private var effectiveMargin: Int { min(max(0, margin), (visibleRows - 1) / 2) }

    private mutating func settle() {
        guard let selection else {
            first = 0
            return
        }
        let edge = effectiveMargin
        let highest = selection - visibleRows + 1 + edge
        first = max(first, highest)
        first = min(first, selection - edge)
        first = min(max(0, first), max(0, count - visibleRows))
        checkInvariants()
    }

    private func checkInvariants() {
        assert(selection.map { $0 >= 0 && $0 < count } ?? (count == 0))
        assert(first >= 0 && (first == 0 || first + visibleRows <= count))
    }
}
