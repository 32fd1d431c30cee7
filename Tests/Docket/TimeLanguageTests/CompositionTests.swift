import CivilTime
import FoundationEssentials
import SeededRandom
import Testing
import TimeLanguage

/// Days, times and ranges, composed at random and put into sentences: what was said is what is
/// understood, and nothing of it stays in the title.
@Suite struct CompositionTests {
    private static let today = Day(year: 2026, month: 11, day: 24) ?? .first
    private static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    /// Without `march` and `may`, which are words too.
    private static let months = [
        (1, "january"), (2, "february"), (4, "april"), (6, "june"), (7, "july"), (8, "august"),
        (9, "september"), (10, "october"), (11, "november"), (12, "december"),
    ]
    private static let frames = [
        "#", "I'll be back #", "Meeting with Ann #", "# call Bob", "Pay the rent #",
        "Are you available #?", "Dentist (#)", "Remind me # to buy milk", "Team sync # with Ann",
    ]

    /// Words, and the day that they mean.
    private struct SaidDay {
        var words: String
        var day: Day
        /// Whether `on` may stand before it.
        var takesOn = true
    }

    /// Words, and minutes after midnight.
    private struct SaidTime {
        var words: String
        var minute: Int
    }

    private func month(_ random: inout SeededRandom) -> (number: Int, name: String) {
        let (number, name) = random.pick(Self.months)
        switch random.below(4) {
        case 0: return (number, String(name.prefix(3)))
        case 1: return (number, name.capitalized)
        default: return (number, name)
        }
    }

    private func ordinal(_ number: Int) -> String {
        let endings = [1: "st", 2: "nd", 3: "rd"]
        return "\(number)\((10...20).contains(number % 100) ? "th" : endings[number % 10] ?? "th")"
    }

    /// The first day in a month from today on.
    private func coming(_ month: Int, _ day: Int) -> Day {
        let days = [2026, 2027].compactMap { Day(year: $0, month: month, day: day) }
        return days.first { $0 >= Self.today } ?? Self.today
    }

    private func date(_ random: inout SeededRandom) -> SaidDay {
        let (month, name) = month(&random)
        let day = 1 + random.below(28)
        let year = 2027 + random.below(3)
        let dated = Day(year: year, month: month, day: day) ?? Self.today
        switch random.below(6) {
        case 0: return SaidDay(words: "\(name) \(day)", day: coming(month, day))
        case 1: return SaidDay(words: "\(day) \(name)", day: coming(month, day))
        case 2: return SaidDay(words: "the \(ordinal(day)) of \(name)", day: coming(month, day))
        case 3: return SaidDay(words: "\(name) \(ordinal(day)), \(year)", day: dated)
        case 4: return SaidDay(words: iso(dated), day: dated)
        default:
            let day = coming(month, day)
            let weekday = Self.weekdays[day.weekday.rawValue - 1]
            return SaidDay(words: "\(weekday), \(name) \(day.day)", day: day)
        }
    }

    private func day(_ random: inout SeededRandom) -> SaidDay {
        let count = 2 + random.below(8)
        switch random.below(8) {
        case 0:
            let near = [("today", 0), ("tomorrow", 1), ("the day after tomorrow", 2)]
            let (words, days) = random.pick(near)
            return SaidDay(words: words, day: Self.today.adding(days: days), takesOn: false)
        case 1:
            let weekday = random.below(7)
            let days = 8 + weekday - Self.today.weekday.rawValue
            return SaidDay(
                words: "next \(Self.weekdays[weekday])",
                day: Self.today.adding(days: days),
                takesOn: false
            )
        case 2:
            return SaidDay(
                words: "in \(count) weeks",
                day: Self.today.adding(days: 7 * count),
                takesOn: false
            )
        case 3:
            let anchor = date(&random)
            let isBefore = anchor.day > Self.today.adding(days: 7 * count) && random.below(2) == 0
            let days = isBefore ? -7 * count : 7 * count
            return SaidDay(
                words: "\(count) weeks \(isBefore ? "before" : "after") \(anchor.words)",
                day: anchor.day.adding(days: days),
                takesOn: false
            )
        case 4:
            let (month, name) = month(&random)
            let (nth, weekday) = (random.below(4), random.below(7))
            let first = Day(year: 2027, month: month, day: 1) ?? Self.today
            let ahead = (weekday + 8 - first.weekday.rawValue) % 7
            let words = ["first", "2nd", "third", "4th"][nth]
            return SaidDay(
                words: "the \(words) \(Self.weekdays[weekday]) of \(name) 2027",
                day: first.adding(days: ahead + 7 * nth)
            )
        default: return date(&random)
        }
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private func iso(_ day: Day) -> String { "\(day.year)-\(two(day.month))-\(two(day.day))" }

    private func time(_ random: inout SeededRandom) -> SaidTime {
        let hour = 1 + random.below(11)
        let minute = random.pick([5, 10, 15, 30, 45])
        let isLate = random.below(2) == 0
        let half = random.pick(isLate ? ["pm", "p.m.", " PM"] : ["am", "a.m.", " AM"])
        let noon = isLate ? 720 : 0
        switch random.below(6) {
        case 0: return SaidTime(words: "\(hour)\(half)", minute: hour * 60 + noon)
        case 1:
            let words = "\(hour):\(two(minute))\(half)"
            return SaidTime(words: words, minute: hour * 60 + minute + noon)
        case 2: return SaidTime(words: "half past \(hour) \(half)", minute: hour * 60 + 30 + noon)
        case 3: return SaidTime(words: "noon", minute: 720)
        case 4:
            let hour = 6 + random.below(4)
            return SaidTime(words: "\(hour) in the evening", minute: hour * 60 + 720)
        default:
            let words = "\(hour + 12):\(two(minute))"
            return SaidTime(words: words, minute: (hour + 12) * 60 + minute)
        }
    }

    private func moment(_ day: Day, _ minute: Int) -> String {
        "\(iso(day))T\(two(minute / 60)):\(two(minute % 60))"
    }

    private func sentence(_ words: String, _ random: inout SeededRandom) -> String {
        random.pick(Self.frames).replacing("#", with: words)
    }

    @Test(arguments: SeededRandom.seeds(1))
    func aDayWithATimeIsBoth(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<600 {
            let (day, time) = (day(&random), time(&random))
            let on = day.takesOn ? "on " : ""
            let words =
                switch random.below(4) {
                case 0: "\(day.words) \(time.words)"
                case 1: "\(day.words) at \(time.words)"
                case 2: "at \(time.words) \(on)\(day.words)"
                default: "\(on)\(day.words) around \(time.words)"
                }
            let text = sentence(words, &random)
            let read = Reading()
            #expect(read.due(text) == moment(day.day, time.minute), "\(text)")
            #expect(!read.rest(text).contains(time.words), "\(text)")
        }
    }

    @Test(arguments: SeededRandom.seeds(1))
    func aDayWithTwoTimesIsARange(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let day = day(&random)
            let open = 7 * 60 + 15 * random.below(40)
            let close = open + 15 * (1 + random.below(16))
            let times = [open, close].map { "\($0 / 60):\(two($0 % 60))" }
            let range = random.pick([
                "\(times[0])-\(times[1])", "from \(times[0]) to \(times[1])",
                "\(times[0]) – \(times[1])", "between \(times[0]) and \(times[1])",
            ])
            let text = sentence("\(day.words) \(range)", &random)
            let read = Reading().title(text)
            #expect(Reading().plain(read.start) == moment(day.day, open), "\(text)")
            #expect(Reading().plain(read.due) == moment(day.day, close), "\(text)")
        }
    }

    @Test(arguments: SeededRandom.seeds(1))
    func aRangeOfDatesEndsAfterItsBegin(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let (first, last) = (date(&random), date(&random))
            let words = random.pick([
                "from \(first.words) to \(last.words)", "\(first.words) - \(last.words)",
                "from \(first.words) until \(last.words)",
            ])
            let read = Reading().title(sentence(words, &random))
            guard let start = read.start, let due = read.due else { continue }
            #expect(start.date <= due.date, "\(words)")
        }
    }
}
