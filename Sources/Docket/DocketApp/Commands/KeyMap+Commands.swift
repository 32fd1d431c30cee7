import TerminalUI

extension KeyMap {
    /// The default keys of commands.
    ///
    /// - Throws: `KeySpellingError` for a row with an invalid key.
    public init(commands: [Command]) throws {
        self.init()
        for command in commands {
            for spelling in command.keys { try bind(spelling, to: command) }
        }
    }

    /// Binds a sequence of keys in its written form.
    mutating func bind(_ spelling: String, to command: Command) throws {
        bind(try Key.sequence(spelling), to: command.id, in: command.context)
    }
}
