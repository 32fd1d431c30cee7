public import CivilTime

/// A unit in which time is counted.
public enum TimeUnit: UInt8, Comparable, Hashable, Sendable {
    case second
    case minute
    case hour
    case day
    /// Monday to Friday.
    case workday
    case weekend
    case week
    case month
    case quarter
    case year

    public static func < (left: TimeUnit, right: TimeUnit) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A part of the day, with the time that it means when no clock time is said.
public enum DayPart: UInt8, Hashable, Sendable {
    case morning
    case noon
    case afternoon
    case evening
    case night

    /// Seconds after midnight: 9:00, 12:00, 15:00, 18:00, 20:00.
    public var second: Int {
        switch self {
        case .morning: 9 * 3600
        case .noon: 12 * 3600
        case .afternoon: 15 * 3600
        case .evening: 18 * 3600
        case .night: 20 * 3600
        }
    }
}

/// Which one of several: `this`, `next`, `last`, `coming`.
public enum Turn: UInt8, Hashable, Sendable {
    /// The present one, or the next if it is a weekday.
    case this
    /// The one of the next calendar week; for other units the following one.
    case next
    /// The one before now.
    case last
    /// The first one after now.
    case coming
}

/// What a word does in a phrase, beside its value.
public struct Roles: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// `on`: before a day.
    public static let on = Roles(rawValue: 1)
    /// `at`, `@`: before a time.
    public static let at = Roles(rawValue: 1 << 1)
    /// `in`: before an amount, a part of the day, a month.
    public static let `in` = Roles(rawValue: 1 << 2)
    /// `by`, `due`, `until`: the date after it is the due date.
    public static let due = Roles(rawValue: 1 << 3)
    /// `from`, `starting`: the date after it is the start.
    public static let from = Roles(rawValue: 1 << 4)
    public static let of = Roles(rawValue: 1 << 5)
    public static let before = Roles(rawValue: 1 << 6)
    public static let after = Roles(rawValue: 1 << 7)
    /// `past`, `to` between minutes and an hour.
    public static let past = Roles(rawValue: 1 << 8)
    public static let to = Roles(rawValue: 1 << 9)
    public static let `for` = Roles(rawValue: 1 << 10)
    public static let between = Roles(rawValue: 1 << 11)
    public static let and = Roles(rawValue: 1 << 12)
    /// `ago`, `back`: after an amount.
    public static let ago = Roles(rawValue: 1 << 13)
    /// `later`, `hence`: after an amount.
    public static let later = Roles(rawValue: 1 << 14)
    public static let now = Roles(rawValue: 1 << 15)
    public static let half = Roles(rawValue: 1 << 16)
    public static let quarter = Roles(rawValue: 1 << 17)
    public static let oclock = Roles(rawValue: 1 << 18)
    /// `around`, `about`: before or after a time, without a meaning of its own.
    public static let about = Roles(rawValue: 1 << 19)
    public static let article = Roles(rawValue: 1 << 20)
    public static let start = Roles(rawValue: 1 << 21)
    public static let middle = Roles(rawValue: 1 << 22)
    public static let end = Roles(rawValue: 1 << 23)
    public static let couple = Roles(rawValue: 1 << 24)
    public static let every = Roles(rawValue: 1 << 25)
    public static let other = Roles(rawValue: 1 << 26)
    public static let closest = Roles(rawValue: 1 << 27)
    public static let am = Roles(rawValue: 1 << 28)
    public static let pm = Roles(rawValue: 1 << 29)
    /// `early`, `late`: before a part of the day.
    public static let early = Roles(rawValue: 1 << 30)
    /// A verb of reading, watching or hearing: a title follows.
    public static let media = Roles(rawValue: 1 << 31)
    /// A noun that numbers follow or count: `issue`, `page`, `cup`, `percent`.
    public static let counted = Roles(rawValue: 1 << 32)
    /// A word that begins another part of a sentence: a preposition, a conjunction, a verb of help.
    public static let function = Roles(rawValue: 1 << 33)
    /// `my`, `our`, `your`: makes a noun of the word after it.
    public static let possessive = Roles(rawValue: 1 << 34)
    /// `except`: the day after it is not meant.
    public static let except = Roles(rawValue: 1 << 35)
    /// `move`, `postpone`: `from` and `to` behind it belong to what is moved.
    public static let moves = Roles(rawValue: 1 << 36)
    /// `ein`: a number, but no hour.
    public static let indefinite = Roles(rawValue: 1 << 37)
    /// `ish`, `sharp`: after a time, without a meaning of its own.
    public static let manner = Roles(rawValue: 1 << 38)
    public static let week = Roles(rawValue: 1 << 39)
    public static let hundred = Roles(rawValue: 1 << 40)
    public static let thousand = Roles(rawValue: 1 << 41)
    /// `oh`, `o`: a zero between an hour and minutes.
    public static let zero = Roles(rawValue: 1 << 42)
    /// `within`: before an amount only.
    public static let within = Roles(rawValue: 1 << 43)
    /// `since`: after an amount, before the date from which it counts.
    public static let since = Roles(rawValue: 1 << 44)
    /// `st`, `nd`, `rd`, `th` after digits.
    public static let ordinalEnding = Roles(rawValue: 1 << 45)
    /// `long`, `old`: makes a property of the amount before it.
    public static let measure = Roles(rawValue: 1 << 46)
    /// `time` in `two weeks' time`.
    public static let time = Roles(rawValue: 1 << 47)
    /// `year` as a name: `the year 2011`.
    public static let year = Roles(rawValue: 1 << 48)
    /// A word that is common without being a date: `may`, `sun`, `second`.
    public static let common = Roles(rawValue: 1 << 49)
    /// `from` and `after` in front of `now`: `3 days from now`.
    public static let fromNow = Roles(rawValue: 1 << 50)
    /// `it's`, `let's`: ends with `'s` without a possessor.
    public static let contraction = Roles(rawValue: 1 << 52)
    public static let midnight = Roles(rawValue: 1 << 53)
    /// `or`: between two times of which neither is meant alone.
    public static let or = Roles(rawValue: 1 << 54)
    /// `more`: after a number, without a meaning of its own.
    public static let more = Roles(rawValue: 1 << 55)
    /// `to`, `through`: between the two ends of a range.
    public static let through = Roles(rawValue: 1 << 59)
    /// `is`, `will`: the word before it is a subject.
    public static let verb = Roles(rawValue: 1 << 56)
    /// `bake`, `oven`: a number of three digits is a temperature.
    public static let heat = Roles(rawValue: 1 << 57)
    /// `PT`, `eastern time`: a zone whose distance from UTC depends on the season, which is not known.
    public static let openZone = Roles(rawValue: 1 << 58)
    /// `anderthalb`: its number counts halves.
    public static let halves = Roles(rawValue: 1 << 61)
    /// `dreiviertel`: before an hour, a quarter of an hour earlier.
    public static let threeQuarters = Roles(rawValue: 1 << 62)
    /// `expires`, `starts`: the date after it says when.
    public static let happens = Roles(rawValue: 1 << 63)
    /// A word with which an expression of several words begins.
    static let phraseStart = Roles(rawValue: 1 << 60)
    /// A plural: `fridays`.
    public static let plural = Roles(rawValue: 1 << 51)
}

/// What a word without a value does with what follows it.
public enum Use: UInt8, Hashable, Sendable {
    /// `est 2h`: it is how long it takes.
    case effort
    /// `happy new year`: it is a wish.
    case greeting
    /// `increase it by 5`: it is by how much.
    case change
    /// `remind me 1 week before`
    case reminder
    /// `earlier`, behind a length.
    case sooner
    /// `sell 10 at 150`: a number is a price.
    case trade
    /// `shows as Saturday`: a name follows.
    case naming
    /// `what tomorrow brings`: a clause follows.
    case clause
    /// `article on 9/11`: it is about that.
    case work
    /// `handle Feb 29`: at the beginning, a value follows.
    case handling
    /// `max 4 in 24 hours`: the number behind it is not to be exceeded.
    case limit
    /// `personal best 22:14`: a time is how long it took.
    case measured
    /// `fails on monday`: something goes wrong then.
    case fault
    /// `intro at 1:30`: a time is a place in it.
    case recording
    /// `14 June Avenue`: it is an address.
    case street
    /// `I`, `she`
    case subject
    /// `was`, `went`: it is over.
    case past
}

/// A number in two bytes, since every token has a sense and the grammar copies many.
@propertyWrapper
public struct SmallNumber: Hashable, Sendable {
    var stored: Int16?

    public init() {}

    public var wrappedValue: Int? {
        get { stored.map(Int.init) }
        set { stored = newValue.map(Int16.init) }
    }
}

/// The meanings of a word; a word may have several (`second`, `may`, `quarter`).
public struct Sense: Hashable, Sendable {
    public var roles: Roles = []
    public var weekday: Weekday?
    public var unit: TimeUnit?
    public var part: DayPart?
    public var turn: Turn?
    public var holiday: Holiday?
    /// `eod`, `eow`, `eom`, `eoq`, `eoy`: the unit whose end it is.
    public var endOf: TimeUnit?
    /// `daily`, `weekly`: the unit of a repetition.
    public var repeats: TimeUnit?
    /// The part of the day of which it makes one think, without being a time: `dinner`.
    public var leaning: DayPart?
    /// What it does with a time or a number behind it.
    public var use: Use?
    /// Whether it is the name of one unit: `hour`, not `hours`.
    public var isSingular = false
    private var scaleValue: Int16 = 1
    /// 1…12.
    @SmallNumber public var month: Int?
    @SmallNumber public var number: Int?
    @SmallNumber public var ordinal: Int?
    /// Days from today.
    @SmallNumber public var day: Int?
    /// How many times in a while: 2 for `twice`.
    @SmallNumber public var times: Int?
    /// Minutes east of UTC.
    @SmallNumber public var zone: Int?

    /// How many of the unit the word is: 2 for `fortnight`.
    public var scale: Int {
        get { Int(scaleValue) }
        set { scaleValue = Int16(newValue) }
    }

    public init() {}

    /// Whether the word says nothing about time.
    public var isEmpty: Bool {
        var meaning = self
        meaning.roles.remove(.phraseStart)
        meaning.leaning = nil
        meaning.use = nil
        return meaning == Sense()
    }

    /// Whether the word can be a part of a date.
    public var hasValue: Bool {
        weekday != nil || month != nil || unit != nil || number != nil || ordinal != nil
            || part != nil || day != nil || turn != nil || holiday != nil || endOf != nil
    }
}
