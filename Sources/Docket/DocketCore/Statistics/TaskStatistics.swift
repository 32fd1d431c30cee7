public import CivilTime
public import FoundationEssentials

/// What was done and what is left, in numbers: of all tasks, or of a list and those below it.
///
/// Every number is about the eight weeks of ``days`` but for ``ages``, and what is in the trash
/// counts as gone. A done task counts on the day of its completion, in the zone of the settings.
public struct TaskStatistics: Sendable {
    /// Open tasks of some age.
    public struct Age: Hashable, Sendable {
        /// The least age, in days.
        public let days: Int
        public let count: Int
    }

    /// The time of the entries of a list's own tasks.
    public struct ListTime: Hashable, Sendable {
        /// The path of the list; `nil` for the inbox.
        public let list: String?
        public let seconds: Int
    }

    /// The weeks before this one, and this one up to today.
    public let days: ClosedRange<Day>
    /// The path of the list; `nil` for all tasks.
    public let list: String?
    /// How many tasks were done on each day and are not in the trash.
    public internal(set) var done: [Int]
    /// How many tasks were open at the end of each day; now for the last one.
    public internal(set) var open: [Int] = []
    /// The open tasks by their age, the youngest first.
    public internal(set) var ages: [Age] = []
    /// When the oldest open task was added.
    public internal(set) var oldest: Date?
    /// The time that was spent on each list, the most first; lists without any are left out.
    public internal(set) var times: [ListTime] = []
    /// How many tasks were done by the day of the week and the hour, from the first day of a week.
    public internal(set) var hours: [[Int]]
    /// What is left of a list; `nil` if nothing was done that could say when it ends.
    public internal(set) var burndown: Burndown?
    /// The first day of a week.
    public let weekStart: Weekday
    /// The day of ``oldest`` and the like.
    let context: DateContext

    /// How many weeks they are about.
    public static let weeks = 8
    /// The least age of each group of ``ages``, in days.
    static let ageLimits = [0, 7, 28, 91, 182, 365]

    init(of list: String?, _ context: DateContext) {
        let today = context.today
        let first = today.startOfWeek(context.weekStart).adding(days: -7 * (Self.weeks - 1))
        days = first...today
        self.list = list
        weekStart = context.weekStart
        self.context = context
        done = Array(repeating: 0, count: today.number - first.number + 1)
        hours = Array(repeating: Array(repeating: 0, count: 24), count: 7)
    }

    /// The sum of a week's days, so many weeks ago.
    func sum(_ counts: [Int], weeksAgo: Int) -> Int {
        let start = 7 * (Self.weeks - 1 - weeksAgo)
        return counts[start..<min(start + 7, counts.count)].reduce(0, +)
    }
}

/// What is left of a list day by day, and when nothing will be left.
public struct Burndown: Hashable, Sendable {
    /// Why no day can be said.
    public enum Doubt: String, Sendable {
        /// Nothing is left.
        case finished
        /// Fewer than five tasks were done, or all in one week.
        case tooLittle = "too-little"
        /// As much was added as was done, or more.
        case growing
        /// It would take more than two years.
        case far
    }

    /// The path of the list; `nil` for all tasks.
    public let list: String?
    /// How many of its tasks were open at the end of each day.
    public let remaining: [Int]
    /// How many tasks left it in the last four weeks: were done, or put in the trash.
    public let gone: Int
    /// How many tasks were added in the last four weeks.
    public let added: Int
    /// How many days from today it takes at this pace; `nil` with a ``doubt``.
    public let daysLeft: Int?
    public let doubt: Doubt?

    /// The days of the pace.
    static let paceDays = 28
    private static let leastGone = 5
    private static let mostDays = 730

    init(_ list: String?, _ flow: TaskFlow) {
        self.list = list
        remaining = flow.open
        let (gone, added) = (flow.gone.suffix(Self.paceDays), flow.added.suffix(Self.paceDays))
        self.gone = gone.reduce(0, +)
        self.added = added.reduce(0, +)
        let weeks = stride(from: gone.startIndex, to: gone.endIndex, by: 7).count { week in
            gone[week..<min(week + 7, gone.endIndex)].contains { $0 > 0 }
        }
        let left = remaining.last ?? 0
        let net = self.gone - self.added
        let days = net > 0 ? (left * Self.paceDays + net - 1) / net : 0
        let doubt: Doubt? =
            if left == 0 { .finished } else if self.gone < Self.leastGone || weeks < 2 {
                .tooLittle
            } else if net <= 0 { .growing } else if days > Self.mostDays { .far } else { nil }
        self.doubt = doubt
        daysLeft = doubt == nil ? days : nil
    }
}
