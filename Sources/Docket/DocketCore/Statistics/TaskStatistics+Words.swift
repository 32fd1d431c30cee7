import CivilTime

extension TaskStatistics {
    /// A part of the statistics: what one plot shows.
    public enum Chart: String, CaseIterable, Sendable {
        case done
        case open
        case burndown
        case ages
        case times
        case hours

        public var title: String {
            switch self {
            case .done: localized("Done a day")
            case .open: localized("Open", in: "statistics")
            case .burndown: localized("Burndown")
            case .ages: localized("Age of open tasks")
            case .times: localized("Time by list")
            case .hours: localized("Done by hour")
            }
        }
    }

    /// The title of a chart, with the name of the list that it is about.
    public func title(of chart: Chart) -> String {
        guard chart == .burndown, list == nil, let name = burndown?.list else { return chart.title }
        return localized("\(chart.title) of \(name)")
    }

    /// What a chart says, in words: `31 done this week, 4 more than last`.
    public func words(for chart: Chart) -> String {
        switch chart {
        case .done: doneWords
        case .open: openWords
        case .burndown:
            burndown.map(words) ?? localized("Nothing was done in a list in these weeks.")
        case .ages: ageWords
        case .times: timeWords
        case .hours: hourWords
        }
    }

    private var doneWords: String {
        let (now, before) = (sum(done, weeksAgo: 0), sum(done, weeksAgo: 1))
        return localized("\(now) done this week, \(Self.compared(now, before)) last")
    }

    private var openWords: String {
        guard let now = open.last else { return "" }
        let before = open[max(0, open.count - 1 - 28)]
        return localized("\(now) open, \(Self.compared(now, before)) 4 weeks ago")
    }

    /// `4 more than`, `as many as`.
    private static func compared(_ now: Int, _ before: Int) -> String {
        now == before
            ? localized("as many as")
            : localized(
                "\(abs(now - before)) \(now > before ? localized("more") : localized("fewer")) than"
            )
    }

    private func words(_ burndown: Burndown) -> String {
        let left = burndown.remaining.last ?? 0
        let pace = localized(
            "\(burndown.gone) gone and \(burndown.added) added in the last 4 weeks"
        )
        switch burndown.doubt {
        case .finished: return localized("Nothing is left.")
        case .tooLittle: return localized("\(left) left; too little was done to say when it ends")
        case .growing: return localized("\(left) left; it does not end at this pace: \(pace)")
        case .far:
            return localized("\(left) left; it takes more than two years at this pace: \(pace)")
        case nil: break
        }
        let day = days.upperBound.adding(days: burndown.daysLeft ?? 0)
        let words = DateFormat(context: context).absolute(DueDate(day: day))
        return localized("\(left) left, none on \(words) if the pace stays: \(pace)")
    }

    private var ageWords: String {
        guard let oldest, let all = open.last, all > 0 else { return localized("Nothing is open.") }
        let old = ages.filter { $0.days >= 91 }.reduce(0) { $0 + $1.count }
        let days = max(0, context.today.number - context.zone.day(of: oldest).number)
        return localized(
            "\(old) of \(all) older than 3 months, the oldest \(Phrase(days, "day"))"
        )
    }

    private var timeWords: String {
        let all = times.reduce(0) { $0 + $1.seconds }
        guard let most = times.first else { return localized("No time was noted in these weeks.") }
        let sum = localized("\(Estimate.text(spent: all)) in \(Self.weeks) weeks")
        if times.count == 1 { return localized("\(sum), for \(Self.name(of: most))") }
        return localized(
            "\(sum), \(Estimate.text(spent: most.seconds)) of it for \(Self.name(of: most))"
        )
    }

    private var hourWords: String {
        var best = (weekday: 0, hour: 0, count: 0)
        for (weekday, counts) in hours.enumerated() {
            for (hour, count) in counts.enumerated() where count > best.count {
                best = (weekday, hour, count)
            }
        }
        guard best.count > 0 else { return localized("Nothing was done in these weeks.") }
        let day = days.lowerBound.adding(days: best.weekday).weekday.shortName
        let hour = DateFormat.clock(best.hour * 3600)
        return localized(
            "Most was done on \(day) from \(hour), \(best.count) in \(Self.weeks) weeks"
        )
    }

    /// The name of a list of ``times``.
    public static func name(of time: ListTime) -> String { time.list ?? localized("Inbox") }

    /// The name of a group of ``ages``: `under a week`, `1 to 4 weeks`.
    public static func name(of age: Age) -> String {
        switch age.days {
        case 0: localized("under a week")
        case 7: localized("1 to 4 weeks")
        case 28: localized("1 to 3 months")
        case 91: localized("3 to 6 months")
        case 182: localized("6 to 12 months")
        default: localized("over a year")
        }
    }
}

extension TaskStatistics {
    /// Whether a chart has something to plot.
    public func hasNumbers(for chart: Chart) -> Bool {
        switch chart {
        case .done, .hours: done.contains { $0 > 0 }
        case .open: open.contains { $0 > 0 }
        case .burndown: burndown?.remaining.contains { $0 > 0 } ?? false
        case .ages: ages.contains { $0.count > 0 }
        case .times: !times.isEmpty
        }
    }
}

extension Burndown {
    /// How many tasks will be left on the next days, if the pace stays: of at most eight weeks.
    public var outlook: [Int] {
        guard let days = daysLeft, days > 0, let left = remaining.last else { return [] }
        return (1...min(days, 7 * TaskStatistics.weeks)).map { left - left * $0 / days }
    }
}
