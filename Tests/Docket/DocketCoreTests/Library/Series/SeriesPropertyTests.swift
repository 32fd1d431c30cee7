import CivilTime
import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketCore

/// Random histories of repeating tasks against a list of what should be there.
@Suite struct SeriesPropertyTests {
    /// A task as the model has it; its place in the list is its age.
    private struct Occurrence: Hashable {
        var series: Int
        var due: Int
        var isDone = false
        var isTrashed = false
        /// How many occurrences are left, itself included; `nil` if it does not repeat.
        var left: Int?
        var isOfSeries = false
        /// Whether nobody has changed it since it was made as a next one.
        var isAsMade = false
    }

    /// Days from the first day, and how many of them a series counts.
    private struct Model {
        var tasks: [Occurrence] = []
        var today = 0
        static let intervals = [3, 7, 5]
        /// The last one is counted from completion.
        static func isFromCompletion(_ series: Int) -> Bool { series == 2 }

        private func next(_ task: Occurrence) -> (due: Int, left: Int)? {
            guard let left = task.left, left > 1 else { return nil }
            let days = Model.intervals[task.series]
            if Model.isFromCompletion(task.series) { return (today + days, left - 1) }
            let steps = max(1, (today - task.due + days - 1) / days)
            return left - steps < 1 ? nil : (task.due + steps * days, left - steps)
        }

        mutating func complete(_ index: Int) {
            guard !tasks[index].isDone else { return }
            tasks[index].isDone = true
            tasks[index].isAsMade = false
            addNext(index)
        }

        private mutating func addNext(_ index: Int) {
            guard let next = next(tasks[index]) else { return }
            tasks[index].isOfSeries = true
            tasks.append(
                Occurrence(
                    series: tasks[index].series,
                    due: next.due,
                    left: next.left,
                    isOfSeries: true,
                    isAsMade: true
                )
            )
        }

        mutating func reopen(_ index: Int) {
            guard tasks[index].isDone else { return }
            tasks[index].isDone = false
            guard tasks[index].isOfSeries, tasks[index].left != nil else { return }
            let later = tasks.indices.filter {
                $0 > index && tasks[$0].series == tasks[index].series && tasks[$0].isOfSeries
            }
            if later.count == 1, tasks[later[0]].isAsMade {
                tasks.remove(at: later[0])
            } else if !later.isEmpty {
                tasks[index].left = nil
            }
        }

        mutating func skip(_ index: Int) -> Bool {
            guard !tasks[index].isDone, tasks[index].left != nil else { return true }
            guard let next = next(tasks[index]) else { return false }
            (tasks[index].due, tasks[index].left) = (next.due, next.left)
            tasks[index].isAsMade = false
            return true
        }

        mutating func separate(_ index: Int) {
            guard !tasks[index].isDone, tasks[index].left != nil else { return }
            addNext(index)
            end(index)
        }

        mutating func end(_ index: Int) {
            if tasks[index].left == nil { return }
            tasks[index].left = nil
            tasks[index].isAsMade = false
        }

        mutating func setDue(_ index: Int, _ due: Int) {
            if tasks[index].due == due { return }
            tasks[index].due = due
            tasks[index].isAsMade = false
        }

        mutating func trash(_ index: Int, _ isTrashed: Bool) {
            if tasks[index].isTrashed == isTrashed { return }
            tasks[index].isTrashed = isTrashed
            tasks[index].isAsMade = false
        }

        var lines: [String] {
            tasks.map { task in
                "\(task.series) \(task.due)\(task.isDone ? " done" : "")"
                    + (task.isTrashed ? " trashed" : "") + (task.left.map { " \($0)" } ?? "")
            }
        }
    }

    /// The day that the library takes for today.
    private final class Calendar {
        static let first = 20_000
        var today = 0
        var context: DateContext {
            let day = Day(number: Calendar.first + today)
            return DateContext(now: Fixed.berlin.moment(day, second: 43_200), zone: Fixed.berlin)
        }
    }

    private func lines(_ library: Library) throws -> [String] {
        try Task.all(in: library.context, sortedBy: \.shortID).map { task in
            let due = (task.dueDate?.day(in: Fixed.berlin).number ?? 0) - Calendar.first
            let left = task.rule.map { " \($0.split(separator: " ").dropLast().last ?? "")" }
            return "\(task.title) \(due)\(task.isDone ? " done" : "")"
                + (task.trashed == nil ? "" : " trashed") + (left ?? "")
        }
    }

    @Test(arguments: SeededRandom.seeds(12))
    func anyHistoryKeepsTheSeriesRight(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = try LibraryFolder()
        let calendar = Calendar()
        let library = try Library(url: folder.store, author: "test") { calendar.context }
        var model = Model()
        for (series, days) in Model.intervals.enumerated() {
            var item = try library.capture("\(series)")
            item.due = DueDate(day: Day(number: Calendar.first))
            let every = Model.isFromCompletion(series) ? "every!" : "every"
            item.recurrence = "\(every) \(days) days for 40 times"
            _ = try library.addTask(item)
            model.tasks.append(Occurrence(series: series, due: 0, left: 40))
        }
        var past: [Model] = []
        var future: [Model] = []
        for step in 0..<80 {
            if random.chance(3) { calendar.today += random.below(9) }
            if random.chance(6), let former = past.popLast() {
                try #require(try library.undo()?.isDone == true, "step \(step)")
                future.append(model)
                model = former
            } else if random.chance(6), let later = future.popLast() {
                try #require(try library.redo()?.isDone == true, "step \(step)")
                past.append(model)
                model = later
            } else {
                let before = model
                model.today = calendar.today
                try change(library, &model, &random)
                if model.tasks != before.tasks {
                    past.append(before)
                    future = []
                }
            }
            let found = try lines(library)
            try #require(found == model.lines, "step \(step)")
        }
    }

    private func change(
        _ library: Library,
        _ model: inout Model,
        _ random: inout SeededRandom
    ) throws {
        let tasks = try Task.all(in: library.context, sortedBy: \.shortID)
        // Mostly the last ones, which go on.
        let back = random.below(random.chance(3) ? tasks.count : min(tasks.count, 4))
        let index = tasks.count - 1 - back
        let task = tasks[index]
        let kind = random.below(9)
        // What is in the trash is restored, and not changed there.
        if task.trashed != nil, kind != 6 { return }
        switch kind {
        case 0...2:
            model.complete(index)
            try library.complete([task])
        case 3:
            model.reopen(index)
            try library.reopen([task])
        case 4:
            if model.skip(index) {
                try library.skip([task])
            } else {
                #expect(throws: InputError.self) { try library.skip([task]) }
            }
        case 5:
            let due = model.today + random.below(10) - 4
            model.setDue(index, due)
            try library.perform(
                .due(DueDate(day: Day(number: Calendar.first + due))),
                on: [task]
            )
        case 6:
            let isTrashed = random.chance(2)
            model.trash(index, isTrashed)
            try library.perform(isTrashed ? .trash : .restore, on: [task])
        case 7:
            model.separate(index)
            try library.separate(task)
        default:
            guard random.chance(3) else { return }
            model.end(index)
            try library.endSeries(of: [task])
        }
    }
}
