import CivilTime
import DocketCore
import DocketFormats
import Foundation
import ObjectGraph
import Testing

@testable import DocketSync

@Suite("Values that consist of several properties")
struct WholeValueTests {
    private let server = SimulatedCalDAV()
    private let (one, two): (Replica, Replica)

    init() throws {
        (one, two) = (try Replica(), try Replica())
        try one.add("Pay rent", "Call")
        for replica in [one, two] { try replica.sync(server) }
    }

    private func change(_ replica: Replica, _ title: String, _ change: ItemChange) throws {
        try replica.edit { try $0.perform(change, on: [replica.task(title, $0)]) }
    }

    private func settle() throws {
        for replica in [one, two, one, two] { try replica.sync(server) }
    }

    private func due(_ replica: Replica) throws -> DueDate? {
        try replica.edit { try replica.task("Pay rent", $0).dueDate }
    }

    @Test(arguments: [0.0, 3_600]) func aDayAndAMomentAreNotMixed(offset: TimeInterval) throws {
        let moment = DueDate(date: Date(timeIntervalSince1970: 1_796_050_800), isDateOnly: false)
        let day = DueDate(date: Date(timeIntervalSince1970: 1_796_083_200), isDateOnly: true)
        two.clockOffset = offset
        try change(one, "Pay rent", .due(day))
        try change(two, "Pay rent", .due(moment))
        try settle()
        let taken = try #require(try due(one))
        #expect([moment, day].contains(taken))
        // The other one is kept as one value, and is taken as one.
        let holder = try one.edit { try $0.conflictedObjects().isEmpty } ? two : one
        try holder.edit { library in
            let found = try library.conflictedObjects()
            #expect(found.flatMap(\.conflicts).map(\.field) == ["due"])
            try library.settle(found, by: .swap)
        }
        #expect(try due(holder) == (taken == day ? moment : day))
        try settle()
        #expect(try due(one) == (taken == day ? moment : day))
    }

    @Test func aRuleAndWhatItIsCountedFromAreNotMixed() throws {
        try change(one, "Pay rent", .due(DueDate(date: Date(), isDateOnly: true)))
        try change(one, "Pay rent", .repeats("every week"))
        try settle()
        try change(one, "Pay rent", .repeats("every! 3 days"))
        try change(two, "Pay rent", .repeats("every month"))
        try settle()
        let found = try [one, two].map { replica in
            try replica.edit { library in
                let task = try replica.task("Pay rent", library)
                let rule = (task.rule ?? "").contains("DAILY") || (task.rule ?? "").contains("day")
                #expect((task.anchor == 1) == rule, "\(task.rule ?? "")")
                let format = DateFormat(context: library.clock())
                let conflicts = try library.conflictedObjects()
                return conflicts.flatMap { one in
                    one.conflicts.map { "\($0.field): \(one.other($0, format))" }
                }
            }
        }.flatMap(\.self)
        #expect(["repeats: every! 3 days", "repeats: every month"].contains(found.joined()))
    }

    @Test func tasksThatWaitForEachOtherLoseTheLaterWait() throws {
        func wait(_ replica: Replica, _ title: String, for other: String) throws {
            try replica.edit { library in
                let number = try replica.task(other, library).shortID
                try library.perform(.waits([number]), on: [replica.task(title, library)])
            }
        }
        two.clockOffset = 3_600
        try wait(one, "Pay rent", for: "Call")
        try wait(two, "Call", for: "Pay rent")
        try settle()
        for replica in [one, two] {
            try replica.edit { library in
                let rent = try replica.task("Pay rent", library)
                let call = try replica.task("Call", library)
                #expect(rent.blockedBy == [call] && call.blockedBy.isEmpty)
            }
        }
        let holder = try one.edit { try $0.conflictedObjects().isEmpty } ? two : one
        try holder.edit { library in
            let found = try library.conflictedObjects()
            let conflict = try #require(found.first?.conflicts.first)
            let format = DateFormat(context: library.clock())
            #expect(conflict.field == "waits for" && found[0].other(conflict, format) == "Pay rent")
            #expect(throws: InputError.self) { try library.settle(found, by: .swap) }
        }
    }
}
