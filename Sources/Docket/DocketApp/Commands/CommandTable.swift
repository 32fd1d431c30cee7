/// All commands, in the order in which help and palette show them.
///
/// To add a command, add a row in one of the groups below: keys, footer, palette, help and manual
/// use it.
public enum CommandTable {
    public static let all: [Command] =
        movement + items + changes + postponing + arrangement + lists + finding + history
        + PaneTable.all.flatMap(\.commands) + synchronizing + program + form

    private static let places = Dictionary(
        uniqueKeysWithValues: all.enumerated().map { ($1.id, $0) }
    )

    /// The command with a name.
    public static func command(_ id: String) -> Command? { places[id].map { all[$0] } }
}
