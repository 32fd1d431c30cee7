import CivilTime
import DocketCore
import DocketFormats

/// Statistics as JSON: the numbers of each plot, with what it says in words.
enum StatisticsJSON {
    static func value(of statistics: TaskStatistics) -> JSONValue {
        let first = statistics.days.lowerBound
        let days = statistics.done.indices.map { index in
            object([
                ("date", day(first.adding(days: index))),
                ("done", number(statistics.done[index])),
                ("open", number(statistics.open[index])),
            ])
        }
        let ages = statistics.ages.map { age in
            object([("days", number(age.days)), ("open", number(age.count))])
        }
        let times = statistics.times.map { time in
            object([("list", text(time.list)), ("seconds", number(time.seconds))])
        }
        let hours = statistics.hours.enumerated().map { index, counts in
            object([
                ("weekday", .string(first.adding(days: index).weekday.shortName)),
                ("done", .array(counts.map(number))),
            ])
        }
        let words = TaskStatistics.Chart.allCases.map { chart in
            (chart.rawValue, JSONValue.string(statistics.words(for: chart)))
        }
        return object([
            ("list", text(statistics.list)), ("days", .array(days)),
            ("burndown", statistics.burndown.map { burndown($0, statistics) } ?? .null),
            ("ages", .array(ages)), ("times", .array(times)), ("hours", .array(hours)),
            ("words", object(words)),
        ])
    }

    private static func burndown(_ burndown: Burndown, _ statistics: TaskStatistics) -> JSONValue {
        let end = burndown.daysLeft.map { day(statistics.days.upperBound.adding(days: $0)) }
        return object([
            ("list", text(burndown.list)),
            ("remaining", .array(burndown.remaining.map(number))),
            ("gone", number(burndown.gone)), ("added", number(burndown.added)),
            ("end", end ?? .null), ("doubt", text(burndown.doubt?.rawValue)),
        ])
    }

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { JSONMember($0, $1) })
    }

    private static func number(_ number: Int) -> JSONValue { .number("\(number)") }
    private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    private static func day(_ day: Day) -> JSONValue { .string(ISODate.string(day)) }
}
