/// The text of one cell: a spacing scalar with at most four marks.
///
/// Rules, for display only (the text itself keeps everything):
/// 1. Each spacing scalar has one cell or, if wide, two cells; the two letters of a flag have two
///    each.
/// 2. Marks join the cell before them; a mark without a base is drawn on ◌ (U+25CC).
/// 3. Variation selectors 15 and 16, format characters, a skin tone on an emoji, and an emoji
///    joined to an emoji by ZWJ are not shown, because terminals disagree about their width.
/// 4. A tab or a line end shows as a blank. Every other control character, an unassigned scalar and
///    an invalid UTF-8 byte show as U+FFFD, so that none reaches the terminal.
public struct CellText: Hashable, Sendable {
    var base: UInt32
    var mark1: UInt32 = 0
    var mark2: UInt32 = 0
    var mark3: UInt32 = 0
    var mark4: UInt32 = 0
    /// Columns: 1 or 2, and 0 in the right half of a wide cell.
    var width: UInt8

    static let blank = CellText(base: 0x20, width: 1)
    static let rightHalf = CellText(base: 0, width: 0)
    static let replacement = CellText(base: 0xFFFD, width: 1)

    init(base: UInt32, width: UInt8) {
        self.base = base
        self.width = width
    }

    /// Adds a mark; the fifth and later ones are dropped.
    mutating func add(mark: UInt32) {
        if mark1 == 0 {
            mark1 = mark
        } else if mark2 == 0 {
            mark2 = mark
        } else if mark3 == 0 {
            mark3 = mark
        } else if mark4 == 0 {
            mark4 = mark
        }
    }
}
