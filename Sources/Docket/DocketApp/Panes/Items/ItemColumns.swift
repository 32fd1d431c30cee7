import TerminalUI

/// The widths that are the same for all rows of a frame, so that they can be read downwards.
///
/// ``ItemRowView`` computes for each row how many columns its title leaves for the rest.
struct ItemColumns: Hashable {
    /// The column of the fold sign, where some rows have one.
    var fold = 0
    /// The columns of the widest date in words.
    var due = 0

    init(rows: [ItemRow], width: Int, hasTree: Bool) {
        fold = hasTree ? 1 : 0
        for row in rows { due = max(due, DisplayWidth.of(row.due?.text ?? "")) }
    }

    /// The columns of the signs of a row: of its fold, and of what it is.
    func signs(depth: Int, width: Int) -> (fold: Int, state: Int) {
        let left = 1 + min(depth * 2, max(0, width / 3))
        return (left, left + fold)
    }
}
