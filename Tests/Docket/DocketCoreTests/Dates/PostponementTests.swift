import CivilTime
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketCore

/// Moving start and due date of tasks together.
@Suite struct PostponementTests {
    private let folder: LibraryFolder
    private let library: Library
    private let context = Fixed.context

    init() throws {
        folder = try LibraryFolder()
        library = try Library(url: folder.store, author: "test") { Fixed.context }
    }

    private func date(_ text: String) throws -> DueDate? {
        text.isEmpty ? nil : try DateParser(context: context).parse(text)
    }

    private func task(_ start: String, _ due: String) throws -> DocketCore.Task {
        let task = try library.addTask(capturing: "Pay")
        task.setStart(try date(start))
        task.setDue(try date(due))
        try library.context.save()
        return task
    }

    // Today is Saturday, 21 November 2026.
    @Test(arguments: [
        ("", "2026-11-22", "+1d", "", "2026-11-23"),
        ("", "2026-11-22T09:00", "-1w", "", "2026-11-15T09:00"),
        ("2026-11-20", "2026-11-22T09:00", "+3d", "2026-11-23", "2026-11-25T09:00"),
        ("2026-11-20", "", "+1d", "2026-11-21", ""),
        ("", "", "+1d", "", "2026-11-22"),
        ("", "2026-11-01T09:00", "2026-11-22", "", "2026-11-22T09:00"),
        ("2026-12-01", "2026-12-03", "2026-11-22", "2026-11-20", "2026-11-22"),
        ("", "", "2026-11-22", "", "2026-11-22"),
        ("", "2026-12-01", "2026-11-21T18:00", "", "2026-11-21T18:00"),
        (
            "2026-12-01T12:30", "2026-12-01T13:30", "2026-11-21T18:00", "2026-11-21T18:00",
            "2026-11-21T19:00"
        ),
        (
            "2026-12-01T20:00", "2026-12-01", "2026-11-21T18:00", "2026-11-21T20:00",
            "2026-11-21T18:00"
        ),
        ("2026-11-20", "2026-11-22", "someday", "", ""),
    ])
    func datesMoveTogetherFromWhereTheyAre(
        start: String,
        due: String,
        to move: String,
        newStart: String,
        newDue: String
    ) throws {
        let task = try task(start, due)
        let step = try library.edit(task, [FieldChange("postpone=\(move)")])
        #expect(step != nil)
        #expect(task.dueDate == (try date(newDue)))
        let isLater = newStart == "2026-11-21T20:00"
        #expect(task.startDate == (try date(isLater ? newDue : newStart)))
    }

    @Test func nothingMovesWithoutADateToMoveEarlierOrWhenDone() throws {
        let undated = try task("", "")
        #expect(try library.edit(undated, [FieldChange("postpone=-1d")]) == nil)
        let done = try task("", "2026-11-22")
        try library.complete([done])
        #expect(try library.edit(done, [FieldChange("postpone=+1d")]) == nil)
        let note = try library.addNote(capturing: "Soil")
        #expect(throws: (any Error).self) {
            try library.edit(note, [FieldChange("postpone=+1d")])
        }
    }

    @Test func aWrongDateChangesNothingAndIsNamed() throws {
        let task = try task("", "2026-11-22")
        #expect(throws: (any Error).self) {
            try library.edit(task, [FieldChange("postpone=soonish")])
        }
        #expect(task.dueDate == (try date("2026-11-22")))
    }

    @Test func theOccurrenceMovesAndTheSeriesStays() throws {
        let task = try library.addTask(capturing: "Rent 2026-11-23 every month on the 23rd")
        let rule = task.rule
        try library.perform(.postpone(.by(DateShift(2, .day)), context), on: [task])
        #expect(task.rule == rule)
        #expect(task.dueDate == (try date("2026-11-25")))
        try library.complete([task])
        let next = try library.items(matching: .task { $0.completed == nil }).first
        #expect((next as? DocketCore.Task)?.dueDate == (try date("2026-12-23")))
    }

    @Test func movingForthAndBackRestoresAndAllAtOnceIsEachAlone() throws {
        var random = SeededRandom()
        var tasks: [DocketCore.Task] = []
        for number in 0..<60 {
            let task = try library.addTask(capturing: "t\(number)")
            // Not in the night, in which clocks change.
            func date() -> DueDate {
                let day = context.today.adding(days: random.below(400) - 200)
                if random.chance(2) { return DueDate(day: day) }
                let second = (6 + random.below(17)) * 3600
                return DueDate(moment: context.zone.moment(day, second: second))
            }
            if !random.chance(5) { task.setDue(date()) }
            if random.chance(3) { task.setStart(date()) }
            tasks.append(task)
        }
        try library.context.save()
        func all() -> [[DueDate?]] { tasks.map { [$0.startDate, $0.dueDate] } }
        let before = all()
        for amount in [1, 3, 7, 100] {
            let shift = DateShift(amount, .day)
            for task in tasks { try library.perform(.postpone(.by(shift), context), on: [task]) }
            let alone = all()
            for _ in tasks { _ = try library.undo() }
            #expect(all() == before)
            let step = try library.perform(.postpone(.by(shift), context), on: tasks)
            #expect(step != nil && all() == alone)
            let dated = tasks.filter { $0.repeatedDate != nil }
            try library.perform(.postpone(.by(DateShift(-amount, .day)), context), on: dated)
            for (task, old) in zip(tasks, before) where old != [nil, nil] {
                #expect([task.startDate, task.dueDate] == old)
            }
            for task in tasks { (task.due, task.start) = (nil, nil) }
            for (task, old) in zip(tasks, before) {
                task.setStart(old[0])
                task.setDue(old[1])
            }
            try library.context.save()
        }
    }
}
