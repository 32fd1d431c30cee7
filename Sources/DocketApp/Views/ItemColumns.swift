import TerminalUI

/// The widths of the columns at the right; the same for all rows of a frame.
///
/// Dates end in one column and priorities are in one, so that they can be read downwards.
/// ``ItemRowView`` computes for each row how many columns its title leaves for the rest.
struct ItemColumns: Hashable {
    var fold = 0
    /// The columns of the widest date in words.
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

    /// With fewer columns than this, only sign, title and date are shown.
    private static let narrow = 20
}
