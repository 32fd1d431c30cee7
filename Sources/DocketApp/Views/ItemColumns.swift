import TerminalUI

/// How wide the columns at the right are; the same for all rows of a frame.
///
/// Dates and priorities stand in columns, so that they are read downward. Progress, tags and list
/// stand before them, packed by row: a row without them has all the room for its title. Where a
/// title would have less than ``titleMinimum``, list, tags and progress go, one after the other.
struct ItemColumns: Hashable {
    static let titleMinimum = 24

    var fold = 0
    var due = 0
    var priority = 0

    init(rows: [ItemRow], width: Int, hasTree: Bool) {
        fold = hasTree ? 2 : 0
        for row in rows {
            due = max(due, DisplayWidth.of(row.due?.text ?? ""))
            priority = max(priority, row.priority + (row.isFlagged ? 1 : 0))
        }
        let room = width - 3 - fold - ItemColumns.titleMinimum
        if total > room, due > 10 { due = max(10, due - (total - room)) }
        if total > room + 8 { due = 0 }
        if total > room + 12 { priority = 0 }
    }

    /// The columns at the right, with a blank before each.
    var total: Int { [due, priority].reduce(0) { $0 + ($1 > 0 ? $1 + 1 : 0) } }
}
