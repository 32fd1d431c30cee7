import TerminalUI

/// How wide the columns right of the title are; the same for all rows of a frame.
///
/// Columns get what the rows on the screen need; where the title would have less than
/// ``titleMinimum``, they go one after the other: list, tags, progress, at last the date.
struct ItemColumns: Hashable {
    static let titleMinimum = 18

    var fold = 0
    var progress = 0
    var due = 0
    var priority = 0
    var tags = 0
    var list = 0

    init(rows: [ItemRow], width: Int, hasTree: Bool) {
        fold = hasTree ? 2 : 0
        for row in rows {
            progress = max(progress, DisplayWidth.of(row.progress))
            due = max(due, DisplayWidth.of(row.due?.text ?? ""))
            priority = max(priority, row.priority)
            if row.isFlagged { priority = max(priority, row.priority + 1) }
            tags = max(tags, DisplayWidth.of(row.tags))
            list = max(list, DisplayWidth.of(row.list))
        }
        tags = min(tags, max(6, width / 5))
        list = min(list, max(6, width / 6))
        let room = width - 3 - fold - ItemColumns.titleMinimum
        if total > room { list = 0 }
        if total > room { tags = 0 }
        if total > room { progress = 0 }
        if total > room { due = 0 }
        if total > room { priority = 0 }
    }

    /// The columns right of the title, with a blank before each.
    var total: Int {
        [progress, due, priority, tags, list].reduce(0) { $0 + ($1 > 0 ? $1 + 1 : 0) }
    }
}
