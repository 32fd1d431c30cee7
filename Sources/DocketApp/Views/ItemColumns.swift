import TerminalUI

/// How wide the columns at the right are; the same for all rows of a frame.
///
/// Dates end in one column and priorities stand in one, so that they are read downward. How much of
/// a row its own title leaves to the rest, ``ItemRowView`` finds out row by row.
struct ItemColumns: Hashable {
    var fold = 0
    /// What the widest date in words takes.
    var due = 0
    var priority = 0

    init(rows: [ItemRow], width: Int, hasTree: Bool) {
        fold = hasTree ? 2 : 0
        for row in rows {
            due = max(due, DisplayWidth.of(row.due?.text ?? ""))
            priority = max(priority, row.priority + (row.isFlagged ? 1 : 0))
        }
        if width < ItemColumns.narrow { priority = 0 }
    }

    /// Under so many columns nothing but sign, title and date has room.
    private static let narrow = 20
}
