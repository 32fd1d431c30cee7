import CivilTime
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketCore

/// Timers: time entries that run.
@Suite struct TimerTests {
    private final class Clock { var context = Fixed.context }

    private let clock = Clock()
    private let folder: LibraryFolder
    private let library: Library

    init() throws {
        let (folder, clock) = (try LibraryFolder(), clock)
        self.folder = folder
        library = try Library(url: folder.store, author: "test") { clock.context }
    }

    private func wait(minutes: Double) { clock.context.now += minutes * 60 }

    @Test func aTimerStartsStopsAndIsTakenBack() throws {
        let task = try library.addTask(capturing: "Write")
        let started = try library.startTimer(of: task)
        #expect(started?.name == "Started the timer of \"Write\"")
        #expect(try library.startTimer(of: task) == nil)
        wait(minutes: 25)
        let stopped = try library.stopTimer()
        #expect(stopped?.name == "Stopped the timer of \"Write\", 25 min")
        #expect(try library.runningTimer() == nil && library.timeSpent(on: task) == 1500)
        #expect(try library.stopTimer() == nil)
        _ = try library.undo()
        #expect(try library.runningTimer()?.title == "Write")
        _ = try library.undo()
        #expect(task.timeEntries.isEmpty)
        _ = try library.redo()
        _ = try library.redo()
        #expect(try library.timeSpent(on: task) == 1500)
    }

    @Test func lessThanAMinuteIsNotOne() throws {
        let task = try library.addTask(capturing: "Write")
        try library.startTimer(of: task)
        #expect(try library.stopTimer()?.name == "Stopped the timer of \"Write\", under a minute")
    }

    @Test func startingAnotherTimerStopsTheFirstInTheSameStep() throws {
        let (one, two) = (
            try library.addTask(capturing: "One"), try library.addTask(capturing: "Two")
        )
        try library.startTimer(of: one)
        wait(minutes: 5)
        let step = try library.startTimer(of: two)
        #expect(step?.name == "Started the timer of \"Two\", stopped that of \"One\"")
        #expect(try library.runningTimer()?.title == "Two" && library.timeSpent(on: one) == 300)
        _ = try library.undo()
        #expect(try library.runningTimer()?.title == "One")
    }

    @Test(arguments: [ItemChange.complete, .trash])
    func aTaskThatEndsStopsItsTimer(change: ItemChange) throws {
        let task = try library.addTask(capturing: "Write")
        try library.startTimer(of: task)
        wait(minutes: 10)
        _ = try library.perform(change, on: [task])
        #expect(try library.runningTimer() == nil && library.timeSpent(on: task) == 600)
        _ = try library.undo()
        #expect(try library.runningTimer()?.title == "Write")
    }

    @Test func aForgottenTimerEndsEarlierOrIsRemoved() throws {
        let task = try library.addTask(capturing: "Write")
        try library.startTimer(of: task)
        let start = clock.context.now
        wait(minutes: 900)
        try library.stopTimer(at: start + 60)
        #expect(try library.timeSpent(on: task) == 60)
        // An end before the start is the start, one after now is now.
        _ = try library.undo()
        try library.stopTimer(at: start - 60)
        #expect(try library.timeSpent(on: task) == 0)
        _ = try library.undo()
        try library.stopTimer(at: clock.context.now + 60)
        #expect(try library.timeSpent(on: task) == 54_000)
        _ = try library.undo()
        let step = try library.discardTimer()
        #expect(step?.name == "Removed the running time of \"Write\"")
        #expect(task.timeEntries.isEmpty)
    }

    @Test func anotherProgramSeesTheTimerAndStopsIt() throws {
        let task = try library.addTask(capturing: "Write")
        try library.startTimer(of: task)
        let clock = clock
        let other = try Library(url: folder.store, author: "other") { clock.context }
        defer { other.close() }
        #expect(try other.runningTimer()?.title == "Write")
        wait(minutes: 3)
        try other.stopTimer()
        try library.refresh()
        #expect(try library.runningTimer() == nil && library.timeSpent(on: task) == 180)
    }

    @Test(
        arguments: [
            (0, nil, "under a minute, no estimate"),
            (1500, 3600, "25 min of 1 h estimated, 35 min left"),
            (4200, 3600, "1 h 10 min, 10 min over the estimate of 1 h"),
            (3600, 3600, "1 h of 1 h estimated, under a minute left"),
        ] as [(Double, Int32?, String)]
    )
    func spentTimeIsComparedInWords(spent: Double, estimate: Int32?, words: String) {
        #expect(Estimate.words(spent: spent, of: estimate) == words)
    }

    @Test(arguments: SeededRandom.seeds(6))
    func aReportDividesTimeAtMidnights(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        // The clock is changed on 25 October.
        clock.context = Fixed.context(2026, 10, 28, random.below(24))
        let (context, zone) = (clock.context, clock.context.zone)
        var entries: [(start: Date, end: Date)] = []
        let task = try library.addTask(capturing: "Write")
        for _ in 0..<20 {
            let start = context.now.addingTimeInterval(-Double(random.below(10 * 86_400)))
            let end = min(context.now, start.addingTimeInterval(Double(random.below(100_000))))
            let entry = library.context.insert(TimeEntry.self)
            (entry.task, entry.start, entry.end) = (task, start, end)
            entries.append((start, end))
        }
        try library.context.save()
        let report = try library.timeReport(days: 7)
        for number in report.days.lowerBound.number...report.days.upperBound.number {
            let day = Day(number: number)
            let (from, to) = (zone.moment(day), zone.moment(day.adding(days: 1)))
            let expected = entries.reduce(0.0) {
                $0 + max(0, min($1.end, to).timeIntervalSince(max($1.start, from)))
            }
            let found = report.lines.filter { $0.day == day }.reduce(0) { $0 + $1.seconds }
            #expect(abs(found - expected) < 0.001, "\(ISODate.string(day)) with seed \(seed)")
        }
    }
}
