public import CivilTime
public import DocketCore
import DocketFormats
import TerminalUI

/// The values of the user's settings; ``Setting`` has what each of them is.
public struct Settings: Sendable {
    public var theme: String?
    public var isASCII = false
    public var usesMouse = true
    public var startList = SmartList.all
    /// The name of the pane to begin with, in place of a list; `nil` for the list.
    var startView: String?
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
    /// The servers to synchronize with, in the order of the file.
    public var syncs: [SyncSetting] = []
    /// The day with which a week begins.
    public var weekStart = Weekday.monday
    /// What rows show beside the title; the last one leaves first where not all fit.
    var columns = ItemPart.usual
    /// Whether reminders ring the bell.
    var ringsForReminders = true
    /// Whether the interface shows reminders as notifications of the desktop too.
    var notifiesDesktop = true
    /// Whether the user asked for no colours (`NO_COLOR`).
    public var noColor = false
    /// Whether the terminal shows ASCII only, whatever the file says.
    public var isASCIIForced = false
    /// Whether the terminal's background is light, as far as its environment says.
    public var isLight: Bool?
    /// One sentence for each line of the file that could not be used, and one for those beyond a
    /// number.
    public var problems: [String] { listed(wrongLines) }

    private func listed(_ lines: [Problem]) -> [String] {
        let sentences = lines.map { problem in
            problem.line == 0
                ? "\(fileName) \(problem.message)"
                : localized("\(fileName), line \(problem.line): \(problem.message)")
        }
        if sentences.count <= Settings.mostProblems { return sentences }
        let rest = sentences.count - Settings.mostProblems
        return sentences.prefix(Settings.mostProblems)
            + [localized("\(fileName): \(Phrase(rest, "more line")) cannot be used.")]
    }

    private typealias Problem = (line: Int, column: Int, message: String, concernsDates: Bool)

    /// The lines of the file that cannot be used, with the place of what is wrong, from 1; line 0 for
    /// a file that cannot be read.
    public var wrongPlaces: [(line: Int, column: Int, message: String)] {
        wrongLines.map { ($0.line, $0.column, $0.message) }
    }

    private static let mostProblems = 20
    private static let mostNumbers = 100
    /// The longest file that is read, in bytes.
    public static let longestFile = 1 << 20
    /// Those of lines that say, or may say, how dates are read.
    public var dateProblems: [String] { listed(wrongLines.filter(\.concernsDates)) }
    private var wrongLines: [Problem] = []
    private var fileName = ""
    var keys: [(command: String, sequences: [String])] = []
    var colors: [Role: Color] = [:]
    var symbols: [SignName: String] = [:]

    public init() {}

    /// Reads the settings of a file; invalid lines are left out and listed in ``problems``.
    public mutating func read(_ text: String, name: String) {
        let file = ConfigFile(text)
        fileName = name
        // A line that cannot be read may be any.
        wrongLines += file.problems.map { ($0.line, $0.column, $0.message, true) }
        for line in file.lines {
            guard let setting = Setting.row(of: line.key, in: line.table) else {
                let problem = Setting.problem(of: line.key, in: line.table)
                wrongLines.append((line.number, line.columns.key, problem, false))
                continue
            }
            if let problem = setting.read(line.entry, &self) {
                let concernsDates = line.table.isEmpty && setting.section == .dates
                wrongLines.append((line.number, line.columns.value, problem, concernsDates))
            }
        }
        wrongLines.sort { $0.line < $1.line }
    }

    /// The same terminal with the settings of another text of the file.
    func rereading(_ text: String, name: String) -> Settings {
        var settings = Settings()
        (settings.noColor, settings.isLight) = (noColor, isLight)
        settings.isASCIIForced = isASCIIForced
        settings.read(text, name: name)
        return settings
    }

    /// Notes that the file cannot be read; `why` is the end of the sentence.
    public mutating func refuse(_ name: String, _ why: String) {
        fileName = name
        wrongLines.append((0, 0, why, true))
    }

    /// All wrong lines, first their numbers, then each with its problem; `nil` if there are none.
    public var warning: String? {
        let problems = problems
        guard problems.count > 1 else { return problems.first }
        let all = wrongLines.map(\.line).sorted().map(String.init)
        var numbers = Array(all.prefix(Settings.mostNumbers))
        if numbers.count < all.count { numbers.append(localized("others")) }
        let list =
            numbers.dropLast().joined(separator: ", ") + localized(" and ") + (numbers.last ?? "")
        let head = localized("\(fileName): \(all.count) lines cannot be used: \(list).")
        return ([head] + problems).joined(separator: "\n")
    }

    /// The look for a terminal with this number of colours.
    public func look(colors count: Int) -> Look {
        let suited = Theme.suited(colors: count, isLight: isLight, noColor: noColor)
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
        return Look(theme: base, isASCII: isASCII || isASCIIForced, signs: symbols)
    }
}
