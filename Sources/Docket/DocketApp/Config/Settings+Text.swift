import CivilTime
import DocketFormats
import TerminalUI

extension Settings {
    /// Every setting with the value that counts, as a configuration file that means the same.
    ///
    /// Keys, colours, symbols and folders are there if the user has set them; a setting without a
    /// value of its own is a comment.
    public var text: String {
        var lines: [String] = []
        var last = ""
        for table in Setting.tables {
            let isFamily = Setting.families.contains(table)
            for setting in Setting.rows(of: table, self) where !isFamily || isSet(setting) {
                // Each server has a table of its own.
                if setting.table != last { lines += ["", "[\(setting.table)]"] }
                last = setting.table
                if let value = setting.value(self) {
                    lines.append("\(ConfigFile.left(setting.key)) = \(value.text)")
                } else {
                    lines.append("# \(setting.key): \(unset(setting))")
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What counts where a setting has no value, with what that is now.
    func unset(_ setting: Setting) -> String {
        guard setting.name == "date-order" else { return setting.unset }
        return "\(setting.unset), \(time.dateOrder.rawValue)"
    }

    /// The default keys with the user's changes.
    public func keyMap() throws -> KeyMap {
        var map = try KeyMap(commands: CommandTable.all)
        for change in keys {
            guard let command = CommandTable.command(change.command) else { continue }
            map.unbindAll(command.id)
            for spelling in change.sequences { try map.bind(spelling, to: command) }
        }
        return map
    }

    /// Whether a setting has another value than it has without the file.
    func isSet(_ setting: Setting) -> Bool { setting.value(self) != setting.value(Settings()) }

    /// The value that counts; of keys those that no other command has got.
    ///
    /// - Parameters:
    ///   - setting: a row of the table.
    ///   - keyMap: the keys of these settings.
    /// - Returns: `nil` if it has no value.
    public func value(of setting: Setting, _ keyMap: KeyMap) -> ConfigFile.Entry? {
        guard case .keys(let command) = setting.kind else { return setting.value(self) }
        return .strings(keyMap.spellings(of: command))
    }
}

extension KeyMap {
    /// The sequences of a command as settings write them.
    func spellings(of command: String) -> [String] {
        keys(of: command).map { $0.map(\.description).joined(separator: " ") }
    }
}

extension Setting {
    /// The tables whose rows are those of another table of the program, or named by the user.
    static let families: Set = ["keys", "colors", "symbols", "folders", "sync"]

    /// All settings with an example and what they mean, for the manual and for a new file.
    ///
    /// - Parameter isComment: whether the examples are comments, so that nothing is set.
    /// - Returns: lines of at most 80 columns.
    public static func sample(isComment: Bool) -> String {
        var lines: [String] = []
        let sign = isComment ? "# " : ""
        for table in tables {
            // A server that is an example must not be one.
            let header = table == "sync" ? "\(sign)[sync.home]" : "[\(table)]"
            if !table.isEmpty { lines += ["", header] }
            for (key, value, meaning) in samples(of: table) {
                var left = "\(sign)\(ConfigFile.left(key)) = \(value)"
                if left.count >= sampleColumn {
                    lines.append(left)
                    left = ""
                }
                for row in DisplayWidth.wrapped(meaning, columns: 78 - sampleColumn) {
                    let gap = String(repeating: " ", count: sampleColumn - left.count)
                    lines.append("\(left)\(gap)# \(row)")
                    left = ""
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let sampleColumn = 26

    /// The rows of a table in the sample, of a family one or two.
    private static func samples(
        of table: String
    ) -> [(key: String, value: String, meaning: String)] {
        switch table {
        case "keys":
            [
                ("item.done", "[\"x\", \"space\"]", "docket keys lists the keys"),
                ("app.suspend", "[]", "no key"),
            ]
        case "colors": [("tag", "\"green\"", "a name, 0 to 255, or #rrggbb")]
        case "symbols": [("done", "\"x\"", "one character of one column")]
        case "folders": [("Recipes", "\"~/notes/recipes\"", "Markdown files below the lists")]
        case "sync":
            [
                ("url", "\"https://cal.example.org/\"", "a server of calendars"),
                ("user", "\"ada\"", "docket help sync tells the rest"),
            ]
        default:
            plain.filter { $0.table == table }.map { setting in
                let help = setting.help.dropLast()
                let meaning =
                    switch setting.kind {
                    case .choice, .order: "\(help): \(setting.domain)"
                    case .flag, .number, .text, .color, .sign, .keys: String(help)
                    }
                let unset = setting.unset.isEmpty ? "" : "; without it \(setting.unset)"
                return (setting.key, setting.example.text, meaning + unset)
            }
        }
    }
}
