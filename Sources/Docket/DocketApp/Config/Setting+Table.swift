import CivilTime
import DocketCore
import DocketFormats
import TerminalUI

extension Setting {
    /// The settings that have a name of their own.
    static let plain: [Setting] = [
        choice(
            "theme",
            .look,
            "Theme",
            "The colours.",
            Theme.all.map(\.name),
            "a theme",
            unset: "as the terminal is",
            { $0.theme },
            { $0.theme = $1 }
        ),
        flag("ascii", .look, "ASCII only", "No characters beyond ASCII.", \.isASCII, true),
        order(
            "columns",
            .look,
            "Columns",
            "What rows show beside the title; what does not fit leaves from the end.",
            ItemPart.allCases.map(\.rawValue),
            { $0.columns.map(\.rawValue) },
            { $0.columns = $1.compactMap(ItemPart.init(rawValue:)) }
        ),
        flag("mouse", .look, "Mouse", "Clicks, the wheel and dragging act.", \.usesMouse),
        choice(
            "start",
            .lists,
            "First view",
            "The list or view at the start.",
            SmartList.table.map(\.id) + views,
            "a list or view",
            { $0.startView ?? $0.startList.id },
            { settings, name in
                settings.startView = views.contains(name) ? name : nil
                settings.startList = SmartList.named(name) ?? .all
            },
            spelled: { SmartList.named($0)?.id }
        ),
        choice(
            "language",
            .dates,
            "Language",
            "The language of the interface, and of dates and repetitions.",
            Language.allCases.map(\.rawValue),
            "a language",
            { $0.time.language.rawValue },
            { $0.time.language = Language(rawValue: $1) ?? .english }
        ),
        choice(
            "date-order",
            .dates,
            "Date order",
            "What 03/04 means: 3 April, or 4 March.",
            TimeSettings.DateOrder.allCases.map(\.rawValue).sorted(),
            "an order of dates",
            unset: "that of the language",
            { $0.time.chosenOrder?.rawValue },
            { $0.time.chosenOrder = TimeSettings.DateOrder(rawValue: $1) }
        ),
        choice(
            "week-start",
            .dates,
            "Week starts on",
            "The first day of a week, in the month and in words like next week.",
            Weekday.allCases.map { "\($0)" },
            "a day of the week",
            { "\($0.weekStart)" },
            { $0.weekStart = Weekday(name: $1) ?? .monday }
        ),
        number(
            "day-hours",
            .dates,
            "Hours a day",
            "The hours that a day has for tasks; the agenda warns of more.",
            1...24,
            example: 6,
            unset: "a day has no limit",
            { $0.dayHours },
            { $0.dayHours = $1 }
        ),
        text(
            "history.age",
            "Keep undo for",
            "How far undo reaches back; older history may be deleted.",
            example: "1 year",
            "an age; write \"90 days\" or \"1 year\"",
            unset: "all of it",
            { $0.history.days.map { localized("\($0) days") } },
            { text, settings in
                guard let days = HistoryPolicy.days(text), days > 0 else { return false }
                settings.history.days = days
                return true
            }
        ),
        number(
            "history.steps",
            .data,
            "Keep undo steps",
            "How many steps undo keeps.",
            1...Int.max,
            step: 100,
            example: 5000,
            unset: "all of them",
            { $0.history.steps },
            { $0.history.steps = $1 }
        ),
        text(
            "history.size",
            "Keep undo up to",
            "How large the history of undo may be.",
            example: "50 MB",
            "a size; write \"20 MB\"",
            unset: "any size",
            { $0.history.bytes.map(size) },
            { text, settings in
                guard let bytes = HistoryPolicy.bytes(text), bytes > 0 else { return false }
                settings.history.bytes = bytes
                return true
            }
        ),
        number(
            "backup.count",
            .data,
            "Backups",
            "How many backups Docket keeps by itself.",
            1...Int.max,
            example: 10,
            { $0.backup.count },
            { $0.backup.count = $1 }
        ),
        text(
            "backup.size",
            "Backups up to",
            "How large they may be together.",
            example: "1 GB",
            "a size; write \"1 GB\"",
            { size($0.backup.bytes) },
            { text, settings in
                guard let bytes = HistoryPolicy.bytes(text), bytes > 0 else { return false }
                settings.backup.bytes = bytes
                return true
            }
        ),
        flag("backup.daily", .data, "Daily backup", "One on each day of use.", \.backup.isDaily),
        number(
            "vault.lock-after",
            .data,
            "Lock the vault after",
            "Seconds without a key after which the vault is locked; 0 for never.",
            0...Int.max,
            step: 60,
            example: 300,
            { $0.lockAfter },
            { $0.lockAfter = min($1, 1 << 30) }
        ),
        choice(
            "lists.create",
            .lists,
            "New lists",
            "What happens if a new item names a list that does not exist.",
            NewLists.allCases.map(\.rawValue),
            "a choice",
            { $0.newLists.rawValue },
            { $0.newLists = NewLists(rawValue: $1) ?? .yes }
        ),
        number(
            "lists.archive-after",
            .lists,
            "Archive after",
            "Days after which done tasks leave the lists; 0 for never.",
            0...36_500,
            example: 7,
            { $0.time.archiveDays ?? 0 },
            { $0.time.archiveDays = $1 == 0 ? nil : $1 }
        ),
        number(
            "lists.review-after",
            .lists,
            "Review after",
            "Weeks after which an untouched task is to be reviewed.",
            1...520,
            example: 2,
            { $0.time.reviewWeeks },
            { $0.time.reviewWeeks = $1 }
        ),
        flag(
            "reminders.bell",
            .reminders,
            "Bell",
            "Reminders ring the bell of the terminal.",
            \.ringsForReminders
        ),
        flag(
            "reminders.desktop",
            .reminders,
            "Desktop notifications",
            "The interface shows reminders on the desktop too.",
            \.notifiesDesktop
        ),
    ]

    /// The panes that a command shows which needs no item, and that have not the name of a list.
    private static let views: [String] = PaneTable.all.map(\.id.name).filter { name in
        let command = CommandTable.command("\(name).show")
        return command.map { $0.subject != .items } ?? false && SmartList.named(name) == nil
    }

    // MARK: Families

    static func keys(_ command: Command) -> Setting {
        Setting(
            table: "keys",
            key: command.id,
            section: .keys,
            group: command.category.title,
            titlePhrase: "\(command.title)",
            helpPhrase: "\(command.help)",
            kind: .keys(command.id),
            example: .strings(command.keys),
            unsetPhrase: "no key",
            value: { settings in
                let keys = settings.keys.last { $0.command == command.id }?.sequences
                return .strings(keys ?? command.keys)
            },
            read: { entry, settings in
                var keys: [String]
                switch entry {
                case .string(let text): keys = text.isEmpty ? [] : [text]
                case .strings(let texts): keys = texts
                case .integer(let number): keys = ["\(number)"]
                case .boolean:
                    return localized("\(command.id) must be a key in quotes, or several in [ ].")
                }
                for (place, spelling) in keys.enumerated() {
                    do throws(KeySpellingError) {
                        let sequence = try Key.sequence(spelling)
                        keys[place] = sequence.map(\.description).joined(separator: " ")
                    } catch { return Phrase.step(error.description) }
                }
                settings.keys.append((command.id, keys))
                return nil
            }
        )
    }

    static func color(_ role: Role) -> Setting {
        Setting(
            table: "colors",
            key: "\(role)",
            section: .look,
            group: localized("Colours"),
            titlePhrase: "Colour of \(role.words)",
            helpPhrase: "Another colour than that of the theme.",
            kind: .color,
            example: .string("green"),
            unsetPhrase: "that of the theme",
            value: { $0.colors[role].map { .string(ColorName.text($0)) } },
            read: { entry, settings in
                guard let text = entry.typed else {
                    return localized("\(role) must be a colour in quotes.")
                }
                guard let color = ColorName.color(text) else {
                    return localized(
                        "\"\(ConfigLine.shown(text[...]))\" is not a colour; write a name, "
                            + "0 to 255, or #rrggbb."
                    )
                }
                settings.colors[role] = color
                return nil
            }
        )
    }

    static func symbol(_ sign: SignName) -> Setting {
        Setting(
            table: "symbols",
            key: sign.rawValue,
            section: .look,
            group: localized("Signs"),
            titlePhrase: "Sign: \(sign.rawValue)",
            helpPhrase: "The sign that rows and texts have for it.",
            kind: .sign(sign.usual),
            example: .string("x"),
            unsetPhrase: "the usual sign",
            value: { $0.symbols[sign].map { .string($0) } },
            read: { entry, settings in
                guard let text = entry.typed else {
                    return localized("\(sign) must be a text in quotes.")
                }
                guard text.count == 1, DisplayWidth.of(text) == 1,
                    DisplayWidth.singleLine(text) == text
                else {
                    let shown = ConfigLine.shown(DisplayWidth.singleLine(text)[...])
                    return localized(
                        "\"\(shown)\" is not a symbol; write one character of one column."
                    )
                }
                settings.symbols[sign] = text
                return nil
            }
        )
    }

    static func folder(_ name: String) -> Setting {
        Setting(
            table: "folders",
            key: name,
            section: .lists,
            group: localized("Folders"),
            titlePhrase: "Folder \(DisplayWidth.singleLine(name))",
            helpPhrase: "A folder of Markdown files, shown below the lists from the next start.",
            kind: .text,
            example: .string("~/notes/recipes"),
            unsetPhrase: "no folder",
            value: { settings in
                settings.folders.last { $0.name == name }.map { .string($0.path) }
            },
            read: { entry, settings in
                guard case .string(let path) = entry else {
                    return localized("the folder \"\(name)\" must be a path in quotes.")
                }
                let shown = DisplayWidth.singleLine(name)
                if name.isEmpty || shown != name || name.contains("/") {
                    return localized(
                        "\"\(shown)\" is not a name for a folder; it has one line, without a "
                            + "slash."
                    )
                }
                let expanded = UserPath.expanded(path)
                guard expanded.hasPrefix("/"), !expanded.utf8.contains(0) else {
                    return localized(
                        "\"\(DisplayWidth.singleLine(path))\" is not a path; begin it with / or "
                            + "~/."
                    )
                }
                settings.folders.append(FolderSetting(name: name, path: expanded))
                return nil
            }
        )
    }

    // MARK: Rows by kind

    private static func row(
        _ name: String,
        _ section: Section,
        _ title: Phrase,
        _ help: Phrase,
        _ kind: Kind,
        _ example: Entry,
        _ unset: Phrase,
        _ value: @escaping @Sendable (Settings) -> Entry?,
        _ read: @escaping @Sendable (Entry, inout Settings) -> String?
    ) -> Setting {
        let parts = name.split(separator: ".").map(String.init)
        return Setting(
            table: parts.count > 1 ? parts[0] : "",
            key: parts[parts.count - 1],
            section: section,
            titlePhrase: title,
            helpPhrase: help,
            kind: kind,
            example: example,
            unsetPhrase: unset,
            value: value,
            read: read
        )
    }

    // In `choice`, `noun` is what a value is, with its article, and `spelled` the choice that another
    // spelling means.
    private static func choice(
        _ name: String,
        _ section: Section,
        _ title: Phrase,
        _ help: Phrase,
        _ choices: [String],
        _ noun: Phrase,
        unset: Phrase = "",
        _ value: @escaping @Sendable (Settings) -> String?,
        _ set: @escaping @Sendable (inout Settings, String) -> Void,
        spelled: @escaping @Sendable (String) -> String? = { _ in nil }
    ) -> Setting {
        row(
            name,
            section,
            title,
            help,
            .choice(choices),
            .string(choices[0]),
            unset,
            { value($0).map { .string($0) } },
            { entry, settings in
                guard case .string(let text) = entry else {
                    return localized(
                        "\(keyOf(name)) must be a text in quotes: \(choices.listed(localized("or")))."
                    )
                }
                guard let choice = spelled(text) ?? choices.first(where: { $0 == text }) else {
                    return localized(
                        "\"\(ConfigLine.shown(text[...]))\" is not \(noun); write "
                            + "\(choices.listed(localized("or")))."
                    )
                }
                set(&settings, choice)
                return nil
            }
        )
    }

    private static func order(
        _ name: String,
        _ section: Section,
        _ title: Phrase,
        _ help: Phrase,
        _ parts: [String],
        _ value: @escaping @Sendable (Settings) -> [String],
        _ set: @escaping @Sendable (inout Settings, [String]) -> Void
    ) -> Setting {
        row(
            name,
            section,
            title,
            help,
            .order(parts),
            .strings(value(Settings())),
            "",
            { .strings(value($0)) },
            { entry, settings in
                let texts: [String]
                switch entry {
                case .strings(let several): texts = several
                case .string(let one):
                    texts = one.split { $0 == "," || $0 == " " }.map(String.init)
                case .integer, .boolean:
                    return localized(
                        "\(keyOf(name)) must be texts in [ ]: \(parts.listed(localized("and")))."
                    )
                }
                if let wrong = texts.first(where: { !parts.contains($0) }) {
                    return localized(
                        "\"\(ConfigLine.shown(wrong[...]))\" is not one of the "
                            + "\(keyOf(name)); they are \(parts.listed(localized("and")))."
                    )
                }
                if let twice = texts.first(where: { text in texts.count { $0 == text } > 1 }) {
                    return localized("\"\(twice)\" is there twice.")
                }
                set(&settings, texts)
                return nil
            }
        )
    }

    private static func flag(
        _ name: String,
        _ section: Section,
        _ title: Phrase,
        _ help: Phrase,
        _ path: any WritableKeyPath<Settings, Bool> & Sendable,
        _ example: Bool? = nil
    ) -> Setting {
        row(
            name,
            section,
            title,
            help,
            .flag,
            .boolean(example ?? Settings()[keyPath: path]),
            "",
            { .boolean($0[keyPath: path]) },
            { entry, settings in
                guard case .boolean(let flag) = entry else {
                    return localized("\(keyOf(name)) must be true or false.")
                }
                settings[keyPath: path] = flag
                return nil
            }
        )
    }

    private static func number(
        _ name: String,
        _ section: Section,
        _ title: Phrase,
        _ help: Phrase,
        _ range: ClosedRange<Int>,
        step: Int = 1,
        example: Int,
        unset: Phrase = "",
        _ value: @escaping @Sendable (Settings) -> Int?,
        _ set: @escaping @Sendable (inout Settings, Int) -> Void
    ) -> Setting {
        row(
            name,
            section,
            title,
            help,
            .number(range, step: step),
            .integer(example),
            unset,
            { value($0).map { .integer($0) } },
            { entry, settings in
                guard case .integer(let number) = entry, range.contains(number) else {
                    let end = range.upperBound == .max ? "" : localized(" to \(range.upperBound)")
                    return localized(
                        "\(keyOf(name)) must be a number from \(range.lowerBound)\(end)."
                    )
                }
                set(&settings, number)
                return nil
            }
        )
    }

    // In `text`, `wanted` is what a value is, with examples; `set` takes a text over, and returns
    // whether it is a value.
    private static func text(
        _ name: String,
        _ title: Phrase,
        _ help: Phrase,
        example: String,
        _ wanted: Phrase,
        unset: Phrase = "",
        _ value: @escaping @Sendable (Settings) -> String?,
        _ set: @escaping @Sendable (String, inout Settings) -> Bool
    ) -> Setting {
        row(
            name,
            .data,
            title,
            help,
            .text,
            .string(example),
            unset,
            { value($0).map { .string($0) } },
            { entry, settings in
                guard case .string(let text) = entry, set(text, &settings) else {
                    return localized("\"\(ConfigLine.shown(entry.plain[...]))\" is not \(wanted).")
                }
                return nil
            }
        )
    }

    private static func keyOf(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }

    /// In the largest unit that is exact.
    private static func size(_ bytes: Int) -> String {
        for (name, unit) in [("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)]
        where bytes.isMultiple(of: unit) {
            return "\(bytes / unit) \(name)"
        }
        return "\(bytes) B"
    }
}

extension ConfigFile.Entry {
    /// The text of a value that may be without quotes.
    fileprivate var typed: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .boolean, .strings: nil
        }
    }
}

extension Role {
    /// The name as words: `priority high`.
    fileprivate var words: String {
        "\(self)".reduce(into: "") { words, letter in
            words += letter.isUppercase ? " \(letter.lowercased())" : String(letter)
        }
    }
}
