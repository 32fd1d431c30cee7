public import CivilTime
public import DocketCore
import DocketFormats
import TerminalUI

/// The user's settings: theme, characters, keys, the list at the start.
///
///     theme = "dark"            # one of Theme.all; left out: as the terminal is
///     ascii = false
///     start = "today"
///     mouse = true
///     language = "en"           # of dates and repetitions: en, de
///     date-order = "day-first"  # 03/04 is 3 April; or "month-first"; left out: by the language
///     day-hours = 6             # how much of a day is for tasks; the agenda warns of more
///
///     [keys]
///     "item.done" = ["x", "space"]
///     "go.inbox" = "g n"
///     "app.suspend" = []        # none
///
///     [colors]
///     tag = "green"             # a name, 0 to 255, or #rrggbb
///
///     [symbols]
///     done = "x"                # one character of one column
///
///     [history]                 # how much undo keeps; without it: everything
///     age = "1 year"            # days, weeks, months or years
///     steps = 5000
///     size = "50 MB"            # KB, MB or GB of old and new values
///
///     [backup]                  # how many backups Docket keeps by itself
///     count = 10
///     size = "1 GB"
///     daily = true
///
///     [vault]
///     lock-after = 300          # seconds without a key; 0 = never
///
///     [lists]
///     create = "ask"            # a list that a new item names and that does not exist: ask, yes, no
///     archive-after = 7         # days after which done tasks leave the lists; 0 = never
///     review-after = 2          # weeks after which an untouched task is in the list Review
///
///     [folders]                 # Markdown files, shown below the lists; they are only read
///     Recipes = "~/notes/recipes"
public struct Settings: Sendable {
    public var theme: String?
    public var isASCII = false
    public var usesMouse = true
    public var startList = SmartList.all
    /// The hours that a day has for tasks.
    public var dayHours: Int?
    /// How written dates are read.
    public var time = TimeSettings()
    /// How far undo must reach back; the interface deletes older history.
    public var history = HistoryPolicy()
    public var backup = BackupPolicy()
    /// After how many idle seconds the vault is locked; 0 for never.
    public var lockAfter = 300
    /// Whether items may name lists that do not exist.
    public var newLists = NewLists.yes
    /// The folders of Markdown files, in the order of the file.
    public var folders: [FolderSetting] = []
    /// Whether the user asked for no colours (`NO_COLOR`).
    public var noColor = false
    /// Whether the terminal's background is light, as far as its environment says.
    public var isLight: Bool?
    /// One sentence for each line of the file that could not be used, and one for those beyond a
    /// number.
    public var problems: [String] { listed(wrongLines) }

    private func listed(_ lines: [(line: Int, sentence: String, concernsDates: Bool)]) -> [String] {
        let sentences = lines.sorted { $0.line < $1.line }.map(\.sentence)
        if sentences.count <= Settings.mostProblems { return sentences }
        let rest = sentences.count - Settings.mostProblems
        return sentences.prefix(Settings.mostProblems)
            + ["\(fileName): \(rest) more line\(rest == 1 ? "" : "s") cannot be used."]
    }
    private static let mostProblems = 20
    private static let mostNumbers = 100
    /// The longest file that is read, in bytes.
    public static let longestFile = 1 << 20
    /// Those of lines that say, or may say, how dates are read.
    public var dateProblems: [String] { listed(wrongLines.filter(\.concernsDates)) }
    private var wrongLines: [(line: Int, sentence: String, concernsDates: Bool)] = []
    private var fileName = ""
    var keys: [(command: String, sequences: [String], place: String)] = []
    var colors: [Role: Color] = [:]
    var symbols: [SignName: String] = [:]

    public init() {}

    /// Reads the settings of a file; invalid lines are left out and listed in ``problems``.
    public mutating func read(_ text: String, name: String) {
        let file = ConfigFile(text, name: name)
        fileName = name
        // A line that cannot be read may be any.
        wrongLines += file.problems.map { ($0.line, $0.sentence, true) }
        for line in file.lines {
            let place = "\(name), line \(line.number)"
            if let problem = apply(line, place) {
                let concernsDates = line.key == "language" || line.key.hasPrefix("date")
                wrongLines.append((line.number, "\(place): \(problem)", concernsDates))
            }
        }
    }

    /// Notes that the file cannot be read; `why` is the end of the sentence.
    public mutating func refuse(_ name: String, _ why: String) {
        fileName = name
        wrongLines.append((0, "\(name) \(why)", true))
    }

    /// All wrong lines, first their numbers, then each with its problem; `nil` if there are none.
    public var warning: String? {
        let problems = problems
        guard problems.count > 1 else { return problems.first }
        let all = wrongLines.map(\.line).sorted().map(String.init)
        var numbers = Array(all.prefix(Settings.mostNumbers))
        if numbers.count < all.count { numbers.append("others") }
        let list = numbers.dropLast().joined(separator: ", ") + " and " + (numbers.last ?? "")
        let head = "\(fileName): \(all.count) lines cannot be used: \(list)."
        return ([head] + problems).joined(separator: "\n")
    }

    /// - Returns: the problem of the line.
    private mutating func apply(_ line: ConfigFile.Line, _ place: String) -> String? {
        switch (line.table, line.key, line.entry) {
        case ("", "theme", .string(let name)):
            guard Theme.named(name) != nil else {
                let names = Theme.all.map(\.name).joined(separator: ", ")
                return "\"\(name)\" is not a theme; the themes are \(names)."
            }
            theme = name
        case ("", "ascii", .boolean(let flag)): isASCII = flag
        case ("", "mouse", .boolean(let flag)): usesMouse = flag
        case ("", "start", .string(let name)):
            guard let list = SmartList.named(name) else {
                return "\"\(name)\" is not a list; the lists are \(SmartList.names)."
            }
            startList = list
        case ("", "language", .string(let name)):
            guard let language = Language(rawValue: name) else {
                return "\"\(name)\" is not a language of dates; the languages are "
                    + "\(Language.allCases.map(\.rawValue).joined(separator: " and "))."
            }
            time.language = language
        case ("", "date-order", .string(let name)):
            guard let order = TimeSettings.DateOrder(rawValue: name) else {
                return "\"\(name)\" is not an order of dates; write \"day-first\" or "
                    + "\"month-first\"."
            }
            time.chosenOrder = order
        case ("", "day-hours", .integer(let hours)) where (1...24).contains(hours):
            dayHours = hours
        case ("", "day-hours", _): return "day-hours must be a number from 1 to 24."
        case ("keys", let command, .string(let keys)):
            return bind(command, keys.isEmpty ? [] : [keys], place)
        case ("keys", let command, .strings(let keys)): return bind(command, keys, place)
        case ("colors", let role, .string(let name)): return setColor(of: role, to: name)
        case ("colors", let role, .integer(let index)): return setColor(of: role, to: "\(index)")
        case ("symbols", let name, .string(let sign)): return setSymbol(name, to: sign)
        case ("history", let key, let entry):
            return limitHistory(key, entry)
        case ("backup", let key, let entry): return limitBackups(key, entry)
        case ("vault", "lock-after", .integer(let seconds)) where seconds >= 0:
            lockAfter = min(seconds, 1 << 30)
        case ("vault", "lock-after", _): return "lock-after must be a number of seconds, from 0."
        case ("vault", _, _): return "the table [vault] has lock-after."
        case ("lists", "create", .string(let text)):
            guard let choice = NewLists(rawValue: text) else {
                return "\"\(text)\" is not a choice; write \"ask\", \"yes\" or \"no\"."
            }
            newLists = choice
        case ("lists", "archive-after", .integer(let days)) where (0...36_500).contains(days):
            time.archiveDays = days == 0 ? nil : days
        case ("lists", "archive-after", _): return "archive-after must be a number of days, from 0."
        case ("lists", "review-after", .integer(let weeks)) where (1...520).contains(weeks):
            time.reviewWeeks = weeks
        case ("lists", "review-after", _): return "review-after must be a number of weeks, from 1."
        case ("lists", _, _):
            return "the table [lists] has create, archive-after and review-after."
        case ("folders", let name, .string(let path)): return addFolder(name, path)
        case ("folders", let name, _): return "the folder \"\(name)\" must be a path in quotes."
        case ("", _, _), ("keys", _, _), ("colors", _, _), ("symbols", _, _):
            return "\"\(line.key)\" is not a setting, or has a value of the wrong kind."
        default:
            return "[\(line.table)] is not a table; the tables are keys, colors, symbols, history, "
                + "backup, vault, lists and folders."
        }
        return nil
    }

    private mutating func bind(_ id: String, _ keys: [String], _ place: String) -> String? {
        guard CommandTable.command(id) != nil else {
            return "\"\(id)\" is not a command; \(Settings.commands(near: id))"
        }
        for spelling in keys {
            do throws(KeySpellingError) {
                _ = try Key.sequence(spelling)
            } catch {
                return error.description
            }
        }
        self.keys.append((id, keys, place))
        return nil
    }

    private mutating func limitHistory(_ key: String, _ entry: ConfigFile.Entry) -> String? {
        switch (key, entry) {
        case ("steps", .integer(let steps)) where steps > 0: history.steps = steps
        case ("steps", _): return "steps must be a number from 1."
        case ("age", .string(let text)):
            guard let days = HistoryPolicy.days(text), days > 0 else {
                return "\"\(text)\" is not an age; write \"90 days\" or \"1 year\"."
            }
            history.days = days
        case ("size", .string(let text)):
            guard let bytes = HistoryPolicy.bytes(text), bytes > 0 else {
                return "\"\(text)\" is not a size; write \"20 MB\"."
            }
            history.bytes = bytes
        default: return "the table [history] has age, steps and size."
        }
        return nil
    }

    private mutating func limitBackups(_ key: String, _ entry: ConfigFile.Entry) -> String? {
        switch (key, entry) {
        case ("count", .integer(let count)) where count > 0: backup.count = count
        case ("count", _): return "count must be a number from 1."
        case ("size", .string(let text)):
            guard let bytes = HistoryPolicy.bytes(text), bytes > 0 else {
                return "\"\(text)\" is not a size; write \"1 GB\"."
            }
            backup.bytes = bytes
        case ("daily", .boolean(let flag)): backup.isDaily = flag
        default: return "the table [backup] has count, size and daily."
        }
        return nil
    }

    private mutating func addFolder(_ name: String, _ path: String) -> String? {
        let shown = DisplayWidth.singleLine(name)
        if name.isEmpty || shown != name || name.contains("/") {
            return "\"\(shown)\" is not a name for a folder; it has one line, without a slash."
        }
        let expanded = UserPath.expanded(path)
        guard expanded.hasPrefix("/"), !expanded.utf8.contains(0) else {
            return "\"\(DisplayWidth.singleLine(path))\" is not a path; begin it with / or ~/."
        }
        folders.append(FolderSetting(name: name, path: expanded))
        return nil
    }

    private mutating func setColor(of name: String, to text: String) -> String? {
        guard let role = Role.allCases.first(where: { "\($0)" == name }) else {
            let roles = Role.allCases.map { "\($0)" }.joined(separator: ", ")
            return "\"\(name)\" is not a role; the roles are \(roles)."
        }
        guard let color = ColorName.color(text) else {
            return "\"\(text)\" is not a colour; write a name, 0 to 255, or #rrggbb."
        }
        colors[role] = color
        return nil
    }

    private mutating func setSymbol(_ name: String, to text: String) -> String? {
        guard let sign = SignName(rawValue: name) else {
            let names = SignName.allCases.map(\.rawValue).joined(separator: ", ")
            return "\"\(name)\" is not a symbol; the symbols are \(names)."
        }
        guard text.count == 1, DisplayWidth.of(text) == 1, DisplayWidth.singleLine(text) == text
        else {
            let shown = DisplayWidth.singleLine(text)
            return "\"\(shown)\" is not a symbol; write one character of one column."
        }
        symbols[sign] = text
        return nil
    }

    /// The commands of the same kind as an unknown one, else the kinds.
    private static func commands(near id: String) -> String {
        func kind(_ id: String) -> String { id.split(separator: ".").first.map(String.init) ?? id }
        let ids = CommandTable.all.map(\.id)
        let same = ids.filter { kind($0) == kind(id) }
        if same.isEmpty {
            var kinds: [String] = []
            for id in ids where !kinds.contains(kind(id)) { kinds.append(kind(id)) }
            return "commands begin with \(kinds.joined(separator: ", ")), as in item.done."
        }
        return "those of \(kind(id)) are \(same.joined(separator: ", "))."
    }

    /// The default keys with the user's changes.
    func keyMap() throws -> KeyMap {
        var map = try KeyMap(commands: CommandTable.all)
        for change in keys {
            guard let command = CommandTable.command(change.command) else { continue }
            map.unbindAll(command.id)
            for spelling in change.sequences { try map.bind(spelling, to: command) }
        }
        return map
    }

    /// The look for a terminal with this number of colours.
    public func look(colors count: Int, isLight: Bool? = nil) -> Look {
        let suited = Theme.suited(
            colors: count,
            isLight: isLight ?? self.isLight,
            noColor: noColor
        )
        // A theme without colours stays without them.
        var base = suited
        if !noColor, count > 0, let theme, let named = Theme.named(theme) { base = named }
        if !noColor, count > 0 {
            var changes: [Role: Style] = [:]
            for (role, color) in colors {
                var style = base[role]
                style.foreground = color
                changes[role] = style
            }
            base = base.changing(changes)
        }
        return Look(theme: base, isASCII: isASCII, signs: symbols)
    }
}
