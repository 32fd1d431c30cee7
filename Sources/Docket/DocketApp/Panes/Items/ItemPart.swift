/// What a row of the items pane can show beside the title, by its name in the settings.
///
/// What does not fit leaves from the end of the order that the settings have; the date in words then
/// becomes its shortest form, and at last the title is cut.
enum ItemPart: String, CaseIterable, Hashable, Sendable {
    case due
    /// The count of done subtasks.
    case subtasks
    /// How many occurrences have passed.
    case missed
    case list
    case tags
    case estimate

    /// The order without settings; an estimate is in the detail.
    static let usual: [ItemPart] = [.due, .subtasks, .missed, .list, .tags]

    /// Whether it follows the title directly; the others stand before the date.
    var isBehindTitle: Bool { self == .subtasks || self == .missed }
}
