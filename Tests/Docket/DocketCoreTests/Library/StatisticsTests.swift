import CivilTime
import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketCore

/// Statistics, against a computation that looks at every task and every day.
@Suite struct StatisticsTests {
    private static let zones = [
        Fixed.berlin, Fixed.newYork, Fixed.zone("Australia/Lord_Howe", fallback: "<+1030>-10:30"),
        Fixed.zone("Asia/Kathmandu", fallback: "<+0545>-5:45"), .utc,
    ]

    private static func fill(
        _ library: Library,
        _ context: DateContext,
        _ random: inout SeededRandom
    ) throws {
        func moment() -> Date {
            context.now.addingTimeInterval(-Double(random.below(70 * 86_400)))
        }
        for number in 0..<120 {
            let list = random.pick(["", " +A", " +A/Inner", " +B"])
            let task = try library.addTask(capturing: "t\(number)\(list)")
            task.created = random.chance(8) ? context.now.addingTimeInterval(-5e7) : moment()
            if random.chance(2) { task.completed = moment() }
            if random.chance(6) { task.trashed = moment() }
            if random.chance(3) {
                let entry = library.context.insert(TimeEntry.self)
                (entry.task, entry.start) = (task, moment())
                if !random.chance(4) {
                    entry.end = entry.start.addingTimeInterval(Double(random.below(9000) - 100))
                }
            }
        }
        _ = try library.addNote(capturing: "a note")
        try library.context.save()
    }

    @Test(arguments: SeededRandom.seeds(8))
    func theyHaveWhatEveryTaskSays(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        // Within some weeks after a change of the clock, and elsewhere.
        let (month, day) = random.pick([(4, 10), (11, 12), (10, 20), (7, 1), (1, 3)])
        let context = Fixed.context(
            2026,
            month,
            day,
            random.below(24),
            zone: random.pick(Self.zones)
        )
        let folder = try LibraryFolder()
        let library = try Library(url: folder.store, author: "test") { context }
        defer { library.close() }
        try Self.fill(library, context, &random)
        for list in [nil, "A", "A/Inner"] {
            let statistics = try library.statistics(ofList: list)
            let naive = try Naive(library, list, context, statistics.days)
            #expect(statistics.done == naive.done, "\(list ?? "all") with seed \(seed)")
            #expect(statistics.open == naive.open, "\(list ?? "all") with seed \(seed)")
            #expect(statistics.hours == naive.hours, "\(list ?? "all") with seed \(seed)")
            #expect(statistics.ages.map(\.count) == naive.ages, "\(list ?? "all"), seed \(seed)")
            let times = Dictionary(
                uniqueKeysWithValues: statistics.times.map { ($0.list ?? "", $0.seconds) }
            )
            #expect(times == naive.times, "\(list ?? "all") with seed \(seed)")
            #expect(list == nil || statistics.burndown?.remaining == naive.open)
        }
        #expect(try library.statistics().burndown != nil)
    }

    /// The same from the tasks themselves.
    private struct Naive {
        var done: [Int]
        var open: [Int]
        var hours = Array(repeating: Array(repeating: 0, count: 24), count: 7)
        var ages = Array(repeating: 0, count: 6)
        var times: [String: Int] = [:]

        init(
            _ library: Library,
            _ list: String?,
            _ context: DateContext,
            _ days: ClosedRange<Day>
        ) throws {
            let zone = context.zone
            let tasks = try DocketCore.Task.all(in: library.context).filter { task in
                let path = task.list.map { ListPath.string($0.path) } ?? ""
                return list == nil || path == list || path.hasPrefix("\(list ?? "")/")
            }
            let all = (days.lowerBound.number...days.upperBound.number).map { Day(number: $0) }
            done = all.map { day in
                tasks.count { task in
                    task.trashed == nil && task.completed.map { zone.day(of: $0) } == day
                }
            }
            open = all.map { day in
                tasks.count { task in
                    let ends = [task.completed, task.trashed].compactMap { $0 }
                    let isThere = zone.day(of: task.created) <= day
                    // What ended before it was added was never open.
                    if let end = ends.min() {
                        return isThere && end >= task.created && zone.day(of: end) > day
                    }
                    return isThere
                }
            }
            for task in tasks where task.trashed == nil {
                if let completed = task.completed {
                    let (day, second) = zone.local(completed)
                    guard day >= days.lowerBound else { continue }
                    hours[days.lowerBound.weekday.days(until: day.weekday)][second / 3600] += 1
                } else {
                    let age = context.today.number - zone.day(of: task.created).number
                    let place = [0, 7, 28, 91, 182, 365].lastIndex { age >= $0 } ?? 0
                    ages[place] += 1
                }
            }
            let start = zone.moment(days.lowerBound)
            var sums: [String: Double] = [:]
            for task in tasks {
                for entry in task.timeEntries {
                    let (from, to) = (max(entry.start, start), entry.end ?? context.now)
                    if entry.end.map({ $0 <= entry.start }) == true || to <= start { continue }
                    let name = task.list.map { ListPath.string($0.path) } ?? ""
                    sums[name, default: 0] += to.timeIntervalSince(from)
                }
            }
            times = sums.mapValues { Int($0) }
        }
    }

    // MARK: The projection

    private func burndown(_ open: Int, gone: [Int], added: [Int] = []) -> Burndown {
        var flow = TaskFlow(
            added: Array(repeating: 0, count: 56),
            gone: Array(repeating: 0, count: 56),
            now: open
        )
        for (index, count) in gone.enumerated() { flow.gone[55 - index * 7] = count }
        for (index, count) in added.enumerated() { flow.added[55 - index * 7] = count }
        return Burndown("Work", flow)
    }

    @Test func aListEndsWhenThePaceOfFourWeeksHasEmptiedIt() {
        let found = burndown(20, gone: [5, 5, 3, 3], added: [2, 0, 0, 0])
        #expect(found.gone == 16 && found.added == 2)
        // 14 fewer in 28 days: 20 take 40 days.
        #expect(found.daysLeft == 40 && found.doubt == nil)
        #expect(found.outlook.count == 40 && found.outlook.last == 0)
    }

    @Test func aPaceThatSaysNothingGivesNoDay() {
        #expect(burndown(20, gone: [4]).doubt == .tooLittle)
        #expect(burndown(20, gone: [9]).doubt == .tooLittle)
        #expect(burndown(20, gone: [5, 5], added: [10]).doubt == .growing)
        #expect(burndown(9_000, gone: [5, 5]).doubt == .far)
        #expect(burndown(0, gone: [5, 5]).doubt == .finished)
        for gone in [[4], [9], []] { #expect(burndown(20, gone: gone).outlook.isEmpty) }
    }

    // MARK: Words

    @Test func numbersAreSaidInWords() throws {
        let folder = try LibraryFolder()
        let library = try Library(url: folder.store, author: "test") { Fixed.context }
        defer { library.close() }
        for (index, days) in [0, 1, 1, 8].enumerated() {
            let task = try library.addTask(capturing: "t\(index) +Work")
            task.created = Fixed.context.now.addingTimeInterval(-30 * 86_400)
            task.completed = Fixed.context.now.addingTimeInterval(-Double(days) * 86_400)
        }
        let open = try library.addTask(capturing: "open")
        open.created = Fixed.context.now.addingTimeInterval(-100 * 86_400)
        try library.context.save()
        let statistics = try library.statistics()
        #expect(statistics.words(for: .done) == "3 done this week, 2 more than last")
        #expect(statistics.words(for: .open) == "1 open, 4 fewer than 4 weeks ago")
        #expect(statistics.words(for: .ages) == "1 of 1 older than 3 months, the oldest 100 days")
        #expect(statistics.title(of: .burndown) == "Burndown of Work")
        #expect(statistics.words(for: .burndown) == "Nothing is left.")
        #expect(statistics.words(for: .times) == "No time was noted in these weeks.")
        #expect(
            statistics.words(for: .hours) == "Most was done on Fri from 14:00, 3 in 8 weeks"
        )
    }

    @Test func anEmptyLibraryHasNoNumbersAndSaysSo() throws {
        let folder = try LibraryFolder()
        let library = try Library(url: folder.store, author: "test") { Fixed.context }
        defer { library.close() }
        let statistics = try library.statistics()
        for chart in TaskStatistics.Chart.allCases {
            #expect(!statistics.hasNumbers(for: chart))
            #expect(!statistics.words(for: chart).isEmpty)
        }
        #expect(throws: (any Error).self) { try library.statistics(ofList: "Nowhere") }
    }
}
