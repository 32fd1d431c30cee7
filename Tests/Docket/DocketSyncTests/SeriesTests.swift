import DocketCore
import Foundation
import ObjectGraph
import ObjectSync
import Testing

@testable import DocketSync

/// Repeating tasks on two replicas.
@Suite struct SeriesTests {
    private let server = SimulatedCalDAV()

    private func replicas() throws -> (Replica, Replica) {
        let (one, two) = (try Replica(), try Replica())
        try one.add("Water plants due 2026-11-02 every week +Home", "Once")
        try one.edit { library in
            try one.task("Water plants", library).rule = "FREQ=WEEKLY"
            _ = try library.context.save()
        }
        try one.sync(server)
        try two.sync(server)
        return (one, two)
    }

    private func complete(_ title: String, in replica: Replica, days: Double = 0) throws {
        replica.clockOffset = days * 86_400
        defer { replica.clockOffset = 0 }
        try replica.edit { library in
            let open = try Task.all(in: library.context).filter {
                $0.title == title && $0.completed == nil
            }
            _ = try library.perform(.complete, on: open)
        }
    }

    private func synchronize(_ one: Replica, _ two: Replica) throws -> Int {
        var conflicts = 0
        for replica in [one, two, one, two] { conflicts += try replica.sync(server).conflicts }
        try expectEqual(one, two)
        return conflicts
    }

    private func states(_ replica: Replica) throws -> [String] {
        try replica.edit { library in
            try Task.all(in: library.context).map {
                "\($0.title) \($0.completed == nil ? "open" : "done")"
            }
            .sorted()
        }
    }

    @Test(arguments: [0.0, 9.0])
    func completedOnBothItHasOneNextOccurrence(days: Double) throws {
        let (one, two) = try replicas()
        try complete("Water plants", in: one)
        try complete("Water plants", in: two, days: days)
        let conflicts = try synchronize(one, two)
        #expect(
            try states(one) == ["Once open", "Water plants done", "Water plants open"]
        )
        // The dates of the next one differ only if it was completed on different days.
        if days == 0 { #expect(conflicts == 0) }
        try complete("Water plants", in: two)
        _ = try synchronize(one, two)
        #expect(
            try states(one) == [
                "Once open", "Water plants done", "Water plants done", "Water plants open",
            ]
        )
    }

    @Test func oneReplicaThatIsAheadKeepsOneOpenOccurrence() throws {
        let (one, two) = try replicas()
        try complete("Water plants", in: one)
        try complete("Water plants", in: one, days: 7)
        try complete("Water plants", in: two)
        _ = try synchronize(one, two)
        #expect(try states(one).filter { $0 == "Water plants open" }.count == 1)
        #expect(try states(one).count == 4)
    }

    @Test func theSameTaskCompletedTwiceIsNoConflict() throws {
        let (one, two) = try replicas()
        try complete("Once", in: one)
        try complete("Once", in: two, days: 1)
        #expect(try synchronize(one, two) == 0)
        #expect(try states(one).contains("Once done"))
    }

    @Test(arguments: [false, true])
    func anEditOfTheCompletedOneIsInTheNextOneToo(isEditFirst: Bool) throws {
        let (one, two) = try replicas()
        try complete("Water plants", in: one)
        try two.edit { library in
            let task = try two.task("Water plants", library)
            (task.title, task.notes) = ("Water all plants", "twice")
            _ = try library.context.save()
        }
        let first = isEditFirst ? two : one
        try first.sync(server)
        #expect(try synchronize(one, two) == 0)
        #expect(
            try states(two) == ["Once open", "Water all plants done", "Water all plants open"]
        )
    }

    @Test func whatIsCountedFromCompletionIsSoOnTheOtherReplicaAndStopsThere() throws {
        let (one, two) = (try Replica(), try Replica())
        try one.add("Water plants due 2026-11-02 every! week")
        try one.sync(server)
        try two.sync(server)
        #expect(server.allTexts.joined().contains("RRULE:FREQ=WEEKLY"))
        func isLate(_ replica: Replica) throws -> Bool {
            try replica.edit { library in
                let task = try replica.task("Water plants", library)
                return task.ruleInWords(in: library.clock())?.contains("every!") ?? false
            }
        }
        #expect(try isLate(two))
        for words in ["every week", "every! 2 weeks"] {
            try two.edit { library in
                let task = try two.task("Water plants", library)
                try library.perform(.repeats(words), on: [task])
            }
            for replica in [two, one, two] { #expect(try replica.sync(server).conflicts == 0) }
            #expect(try one.sync(server).isEmpty)
            #expect(try isLate(one) == words.contains("!"))
            #expect(try isLate(two) == words.contains("!"))
        }
    }
}
