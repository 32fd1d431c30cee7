/// All commands, in the order in which help and palette show them.
///
/// A new command is a row in one of the groups below, and nothing else: keys, footer, palette, help
/// and manual follow.
package enum CommandTable {
    package static let all: [Command] =
        movement + items + changes + arrangement + lists + finding + history + program + form

    private static let places = Dictionary(
        uniqueKeysWithValues: all.enumerated().map { ($1.id, $0) }
    )

    /// The command of a name.
    package static func command(_ id: String) -> Command? { places[id].map { all[$0] } }
}
