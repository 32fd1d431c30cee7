import TerminalUI

extension KeyMap {
    /// The default keys of commands.
    ///
    /// - Throws: `KeySpellingError` for a row that spells no key.
    package init(commands: [Command]) throws {
        self.init()
        for command in commands {
            for spelling in command.keys { try bind(spelling, to: command) }
        }
    }

    /// Binds a sequence of keys as a person writes it.
    mutating func bind(_ spelling: String, to command: Command) throws {
        bind(try Key.sequence(spelling), to: command.id, in: command.context)
    }
}
