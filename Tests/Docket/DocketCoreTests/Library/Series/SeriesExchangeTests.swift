import CivilTime
import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import ObjectGraph
import RandomRules
import Recurrence
import SeededRandom
import Testing
import TimeLanguage

@testable import DocketCore

/// Repeating tasks through files and back.
@Suite struct SeriesExchangeTests {
    private func library(_ now: Date = Fixed.context.now) throws -> (LibraryFolder, Library) {
        let folder = try LibraryFolder()
        let library = try Library(url: folder.store, author: "test") {
            DateContext(now: now, zone: Fixed.berlin)
        }
        return (folder, library)
    }

    private func text(_ library: Library, _ format: ExchangeFormat = .json) throws -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try library.export(format) { bytes += $0 }
        return bytes
    }

    /// Everything about all tasks but UUIDs and times of change.
    private func tasks(_ library: Library) throws -> [String] {
        let all = try Task.all(in: library.context, sortedBy: \.shortID)
        let series = all.compactMap(\.series)
        return all.map { task in
            let place = task.series.flatMap { series.firstIndex(of: $0) }
            return "\(task.title) \(task.dueDate.map(Fixed.plain) ?? "-") \(task.rule ?? "-") "
                + "\(task.anchor) \(place.map(String.init) ?? "-") \(task.remindTimes ?? "-") "
                + "\(task.isDone) \(task.startDate.map(Fixed.plain) ?? "-")"
        }
    }

    @Test(arguments: SeededRandom.seeds(8))
    func aSeriesGoesOnAfterExportAndImportAsIfNothingHadHappened(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (folder, one) = try library()
        for number in 0..<12 {
            let rule = RandomRule.next(&random)
            if rule.rule.parts.frequency == .secondly { continue }
            var item = try one.capture("Task \(number)")
            item.due = DueDate(
                day: Fixed.context.today.adding(days: random.below(30) - 20)
            )
            switch random.below(3) {
            case 0: item.recurrence = Repetition(rule.rule).words()
            case 1: item.recurrence = rule.rule.description
            default:
                let day = Fixed.context.today.adding(days: -random.below(9))
                let out = day.adding(days: random.below(40))
                let digits = { (day: Day) in ISODate.string(day).replacing("-", with: "") }
                item.recurrence =
                    "DTSTART;VALUE=DATE:\(digits(day))\nRRULE:FREQ=DAILY;INTERVAL=\(1 + random.below(9))\n"
                    + "RDATE;VALUE=DATE:\(digits(out.adding(days: 1)))\n"
                    + "EXDATE;VALUE=DATE:\(digits(out))"
            }
            let task = try one.addTask(item).task
            if random.chance(3) { task.anchor = 1 }
            if random.chance(2) { task.remindTimes = "-PT30M 20261119T070000Z" }
            if random.chance(2) { task.setStart(DueDate(day: Fixed.context.today)) }
        }
        try one.context.save(as: "Edited")
        // Some are not the first of their series any more.
        try one.complete(
            try Task.all(in: one.context, sortedBy: \.shortID).filter { _ in random.chance(2) }
        )
        let (other, two) = try library()
        defer { withExtendedLifetime((folder, other)) {} }
        let bytes = try text(one)
        let outcome = try two.importItems(.json, from: bytes)
        #expect(outcome.report.isComplete, "\(outcome.report.details())")
        try #require(try tasks(two) == tasks(one))
        #expect(try text(two) == bytes)
        for library in [one, two] {
            try library.complete(
                try Task.all(
                    in: library.context,
                    where: \.completed == nil,
                    sortedBy: \.shortID
                )
            )
        }
        #expect(try tasks(two) == tasks(one))
        for library in [one, two] {
            try library.reopen(try Task.all(in: library.context, sortedBy: \.shortID))
        }
        #expect(try tasks(two) == tasks(one))
    }

    @Test func anOlderFileWithoutSeriesTakesNoSeriesAway() throws {
        let (folder, library) = try library()
        defer { withExtendedLifetime(folder) {} }
        try library.addTask(capturing: "Water plants every week")
        try library.complete(try Task.all(in: library.context))
        let old = String(decoding: try text(library), as: UTF8.self)
            .replacing(/,"series":"[^"]*"/, with: "")
        #expect(!old.contains("series"))
        let outcome = try library.importItems(.json, from: Array(old.utf8))
        #expect(outcome.updated == 0)
        #expect(try Task.all(in: library.context).allSatisfy { $0.series != nil })
    }
}
