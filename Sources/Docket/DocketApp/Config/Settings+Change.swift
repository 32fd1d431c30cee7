public import DocketFormats

extension Setting {
    /// A value from what somebody has typed.
    ///
    /// - Parameter typed: as the file writes it; a text may be without quotes.
    /// - Returns: the value as the file gets it.
    /// - Throws: ``InputError`` with what the setting takes.
    public func entry(_ typed: String) throws(InputError) -> ConfigFile.Entry {
        var problem = ""
        for entry in ConfigFile.Entry.candidates(typed) {
            var settings = Settings()
            guard let found = read(entry, &settings) else {
                // As it is written: a path keeps its `~`, a choice has its own name.
                if case .text = kind { return entry }
                if case .color = kind { return entry }
                let value = value(settings) ?? entry
                if case .keys = kind, case .strings(let keys) = value, keys.count == 1 {
                    return .string(keys[0])
                }
                return value
            }
            problem = found
        }
        throw InputError(.malformed, "\(problem)")
    }
}

/// A value for a setting; `nil` takes it out of the file, so that the default counts.
public struct SettingChange: Sendable {
    public let setting: Setting
    public let entry: ConfigFile.Entry?

    public init(_ setting: Setting, _ entry: ConfigFile.Entry?) {
        self.setting = setting
        self.entry = entry
    }

    /// The change by a name and a typed value.
    ///
    /// - Throws: ``InputError`` for a name that no setting has, and for a value that it does not take.
    public init(_ name: String, typed: String) throws(InputError) {
        let setting = try Setting.require(name)
        do throws(InputError) {
            self.init(setting, try setting.entry(typed))
        } catch {
            throw InputError(.malformed, "\(error.message) Nothing was changed.")
        }
    }

    /// The line of the file.
    public var line: String {
        "\(ConfigFile.left(setting.key)) = \(entry?.text ?? "")"
    }
}

extension Setting {
    /// The row of a name.
    ///
    /// - Throws: ``InputError`` with the names that there are.
    public static func require(_ name: String) throws(InputError) -> Setting {
        if let setting = named(name) { return setting }
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let (table, key) = parts.count > 1 ? (String(parts[0]), parts[1]) : ("", parts.first ?? "")
        let rest = table.isEmpty ? " Those in tables are named like history.steps." : ""
        throw InputError(.malformed, "\(problem(of: String(key), in: table))\(rest)")
    }
}

extension ConfigFile {
    /// A file with some settings changed, and everything else as it is.
    ///
    /// - Throws: ``InputError`` for a file with a line that cannot be read, because nothing is known
    ///   of what follows.
    static func text(
        _ text: String,
        changing changes: [SettingChange],
        name: String
    ) throws(InputError) -> String {
        if let problem = ConfigFile(text).problems.first(where: \.isUnreadable) {
            throw InputError(
                .malformed,
                "\(name), line \(problem.line): \(problem.message) Nothing was changed; "
                    + "docket config edit opens the file."
            )
        }
        var text = text
        for change in changes {
            text = ConfigFile.text(
                text,
                setting: change.setting.key,
                in: change.setting.table,
                to: change.entry?.text
            )
        }
        return text
    }
}
