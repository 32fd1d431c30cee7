import CivilTime

/// The words of a language, as data.
///
/// A value is a list of names with spaces between; `_` stands for a space inside a name. Names are
/// in lower case, without apostrophes and full stops.
public struct WordTable: Sendable {
    /// Monday first.
    public var weekdays: [String] = []
    /// Monday first; for amounts and repetitions: `2 fridays from now`.
    public var weekdayPlurals: [String] = []
    /// Monday first; every such day: `montags`.
    public var weekdayAdverbs: [String] = []
    /// Abbreviations of weekdays and months that are also common words: `sun`, `may`.
    public var common = ""
    /// January first.
    public var months: [String] = []
    public var units: [(TimeUnit, Int, String)] = []
    /// Units that name one and have a plural: `hour`, but not `min`.
    public var singulars = ""
    public var numbers: [(Int, String)] = []
    public var ordinals: [(Int, String)] = []
    public var parts: [(DayPart, String)] = []
    /// Words of which one thinks of a part of the day: `dinner`.
    public var leanings: [(DayPart, String)] = []
    /// Days from today.
    public var days: [(Int, String)] = []
    /// A day and a part of it in one word: `tonight`.
    public var dayParts: [(Int, DayPart, String)] = []
    public var turns: [(Turn, String)] = []
    public var roles: [(Roles, String)] = []
    public var ends: [(TimeUnit, String)] = []
    public var repetitions: [(TimeUnit, Int, String)] = []
    /// How many times in a while: `once`, `twice`.
    public var frequencies: [(Int, String)] = []
    public var holidays: [(HolidayRule, String)] = []
    /// Minutes east of UTC.
    public var zones: [(Int, String)] = []
    /// Words that say what a time or a number beside them is.
    public var uses: [(Use, String)] = []
    /// Names that contain words of time and mean none: `black friday` is a holiday, `ash wednesday`
    /// too, but `man friday` is not.
    public var names = ""
    /// Whether `halb drei` is half an hour before three; else `half three` is half an hour after it.
    public var halfIsBefore = false
    /// Whether all nouns begin with a capital, so that a capital makes no name.
    public var hasCapitalNouns = false
    /// Whether the verb ends a sentence, so that a date before it is whole: `Anna morgen anrufen`.
    public var hasVerbLast = false
    /// Whether words are written together: `einundzwanzig`, `freitagabend`.
    public var joinsWords = false
    /// Whether `3.` is an ordinal number.
    public var ordinalPoint = false
    /// Whether a number of hours counts to 24 when nothing else is said.
    public var has24Hours = false

    public init() {}

    /// Every name with the change that its meaning makes to a sense.
    func visit(_ body: (String, (inout Sense) -> Void) -> Void) {
        for (weekday, names) in zip(Weekday.allCases, weekdays) {
            body(names) { $0.weekday = weekday }
        }
        for (weekday, names) in zip(Weekday.allCases, weekdayPlurals) {
            body(names) {
                $0.weekday = weekday
                $0.roles.formUnion(.plural)
            }
        }
        for (weekday, names) in zip(Weekday.allCases, weekdayAdverbs) {
            body(names) {
                $0.weekday = weekday
                $0.roles.formUnion([.plural, .every])
            }
        }
        for (index, names) in months.enumerated() { body(names) { $0.month = index + 1 } }
        for (unit, scale, names) in units {
            body(names) { ($0.unit, $0.scale) = (unit, scale) }
        }
        for (number, names) in numbers { body(names) { $0.number = number } }
        for (ordinal, names) in ordinals { body(names) { $0.ordinal = ordinal } }
        for (part, names) in parts { body(names) { $0.part = part } }
        for (part, names) in leanings { body(names) { $0.leaning = part } }
        for (day, names) in days { body(names) { $0.day = day } }
        for (day, part, names) in dayParts { body(names) { ($0.day, $0.part) = (day, part) } }
        for (turn, names) in turns { body(names) { $0.turn = turn } }
        for (role, names) in roles { body(names) { $0.roles.formUnion(role) } }
        for (unit, names) in ends { body(names) { $0.endOf = unit } }
        for (unit, scale, names) in repetitions {
            body(names) { ($0.repeats, $0.scale) = (unit, scale) }
        }
        for (number, names) in frequencies { body(names) { $0.times = number } }
        for (rule, names) in holidays { body(names) { $0.holiday = Holiday(rule) } }
        for (zone, names) in zones { body(names) { $0.zone = zone } }
        body(names) { _ in }
        for (use, names) in uses { body(names) { $0.use = use } }
        body(singulars) { $0.isSingular = true }
        body(common) { $0.roles.formUnion(.common) }
    }
}

extension WordTable {
    /// Abbreviations that are the same in every language.
    static let commonZones: [(Int, String)] = [
        (0, "utc gmt wet"), (60, "cet bst west mez"), (120, "cest eet mesz"), (180, "eest msk"),
        (330, "ist"), (480, "sgt hkt awst"), (540, "jst kst"), (570, "acst"), (600, "aest"),
        (660, "aedt"), (720, "nzst"), (780, "nzdt"), (-300, "est"), (-240, "edt"), (-360, "cst"),
        (-300, "cdt"), (-420, "mst"), (-360, "mdt"), (-480, "pst"), (-420, "pdt"), (-540, "akst"),
        (-480, "akdt"), (-600, "hst"), (-180, "brt"),
    ]
}
