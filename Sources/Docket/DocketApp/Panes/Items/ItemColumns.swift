import TerminalUI

/// The widths that are the same for all rows of a frame, so that they can be read downwards.
///
/// ``ItemRowView`` computes for each row how many columns its title leaves for the rest.
struct ItemColumns: Hashable {
    /// The column of the fold sign, where some rows have one.
    var fold = 0
    /// The columns of the widest date in words.
    var due = 0
    /// What is shown beside the title, in the order of the settings.
    let parts: [ItemPart]

    init(rows: [ItemRow], width: Int, hasTree: Bool, parts: [ItemPart] = ItemPart.usual) {
        fold = hasTree ? 1 : 0
        self.parts = parts
        guard parts.contains(.due) else { return }
        for row in rows { due = max(due, DisplayWidth.of(row.due?.text ?? "")) }
    }

    /// The columns of the signs of a row: of its fold, and of what it is.
    func signs(depth: Int, width: Int) -> (fold: Int, state: Int) {
        let left = 1 + min(depth * 2, max(0, width / 3))
        return (left, left + fold)
    }
}
