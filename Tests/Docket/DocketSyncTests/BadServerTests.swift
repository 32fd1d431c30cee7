import DocketCore
import Foundation
import ObjectGraph
import ObjectSync
import SeededRandom
import Testing

@testable import DocketSync

/// What servers do that fail: nothing is lost or doubled, the error is one sentence, and the next run
/// goes on.
@Suite struct BadServerTests {
    private let server = SimulatedCalDAV()

    private func replica(_ name: String, _ count: Int = 6) throws -> Replica {
        let replica = try Replica()
        try replica.edit { library in
            for number in 1...count {
                let list = number % 2 == 0 ? " +Home" : ""
                _ = try library.addTask(try library.capture("\(name) \(number)\(list)"))
            }
        }
        return replica
    }

    /// Synchronizes until nothing changes any more, and expects all items on both sides, once.
    private func expectAll(_ count: Int, _ one: Replica, _ two: Replica) throws {
        for replica in [one, two, one, two] { try replica.sync(server) }
        #expect(try one.sync(server).isEmpty)
        #expect(try two.sync(server).isEmpty)
        try expectEqual(one, two)
        #expect(try Set(one.titles()).count == count)
        #expect(server.allTexts.count == count)
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        var answer: HTTPResponse
        var words: String
        var testDescription: String { "\(answer.status)" }
    }

    private static let page = Data("<html><body>Welcome, please log in</body></html>".utf8)
    static let failures = [
        Failure(answer: HTTPResponse(status: 401), words: "does not accept the user"),
        Failure(
            answer: HTTPResponse(status: 429, headers: ["retry-after": "120"]),
            words: "asks to wait for 120 s"
        ),
        Failure(
            answer: HTTPResponse(
                status: 503,
                headers: ["retry-after": "Sat, 05 Dec 2026 10:00:00 GMT"]
            ),
            words: "asks to wait until Sat, 05 Dec 2026 10:00:00 GMT"
        ),
        Failure(answer: HTTPResponse(status: 507), words: "no room left"),
        Failure(answer: HTTPResponse(status: 500), words: "failed with status 500"),
        Failure(
            answer: HTTPResponse(status: 200, headers: ["content-type": "text/html"], body: page),
            words: ""
        ),
    ]

    @Test(arguments: failures)
    func aServerThatFailsFromARequestOnLosesNothing(failure: Failure) throws {
        let (one, two) = (try replica("One"), try replica("Two"))
        for isWhole in [false, true] {
            server.quirks.wholeLists = isWhole ? .taken : .refused
            for start in 0..<9 {
                try one.add("New \(start) \(isWhole) +Home")
                try two.edit { library in
                    try two.task("Two 2", library).notes = "\(start) \(isWhole)"
                    _ = try library.context.save()
                }
                var count = 0
                server.answers = { _ in
                    count += 1
                    return count > start ? failure.answer : nil
                }
                for replica in [one, two] {
                    do {
                        try replica.sync(server)
                    } catch let error as SyncError {
                        let words = failure.words
                        #expect(words.isEmpty || error.description.contains(words), "\(error)")
                        #expect(error.description.hasSuffix("."))
                    }
                }
                server.answers = nil
            }
        }
        try expectAll(30, one, two)
    }

    @Test func anAnswerThatIsCutAnywhereLosesNothing() throws {
        let (one, two) = (try replica("One", 12), try replica("Two", 12))
        try one.sync(server)
        var cut = 0
        while true {
            try one.edit { library in
                try one.task("One 1", library).notes = "\(cut)"
                _ = try library.context.save()
            }
            var isCut = false
            server.changes = { _, answer in
                if isCut || answer.body.count <= cut { return answer }
                isCut = true
                var answer = answer
                answer.body = answer.body.prefix(cut)
                return answer
            }
            for replica in [one, two] { do { try replica.sync(server) } catch is SyncError {} }
            server.changes = nil
            if !isCut { break }
            cut += 1000
        }
        #expect(cut > 2000)
        try expectAll(24, one, two)
    }

    @Test func aServerThatChangesAllTokensChangesNothing() throws {
        let (one, two) = (try replica("One"), try replica("Two"))
        var number = 0
        server.changes = { _, answer in
            number += 1
            var answer = answer
            answer.body = Data(
                String(decoding: answer.body, as: UTF8.self)
                    .replacing(/urn:[0-9]+/) { _ in "urn:9\(number)" }
                    .replacing(/getctag>[0-9]+/) { _ in "getctag>9\(number)" }.utf8
            )
            return answer
        }
        try expectAll(12, one, two)
    }

    /// A ctag that is made of the content is the former one after an item has come and gone.
    @Test func whatIsGoneAgainIsNoticedThoughTheCtagIsTheFormerOne() throws {
        server.changes = { _, answer in
            var answer = answer
            answer.body = Data(
                String(decoding: answer.body, as: UTF8.self)
                    .replacing(/getctag>[0-9]+/, with: "getctag>1").utf8
            )
            return answer
        }
        let (one, two) = (try replica("One"), try replica("Two"))
        for replica in [one, two, one, two] { try replica.sync(server) }
        try one.add("Once")
        try one.sync(server)
        let isOnce = { (resource: SimulatedCalDAV.Resource) in resource.data.contains("Once") }
        for (path, collection) in server.collections {
            for gone in collection.resources where isOnce(gone.value) {
                server.remove(gone.key, in: path)
            }
        }
        try expectAll(12, one, two)
    }

    @Test(arguments: [-86_400.0, 86_400.0])
    func aClockThatIsADayWrongLosesNothing(offset: Double) throws {
        let home = SimulatedCalDAV.home + "phone/"
        server.collections[home] = .init(name: "Phone")
        func text(_ title: String, at date: Date) -> String {
            let stamp = date.formatted(
                .verbatim(
                    """
                    \(year: .padded(4))\(month: .twoDigits)\(day: .twoDigits)T\
                    \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))\
                    \(minute: .twoDigits)\(second: .twoDigits)Z
                    """,
                    timeZone: .gmt,
                    calendar: Calendar(identifier: .gregorian)
                )
            )
            return """
                BEGIN:VCALENDAR
                VERSION:2.0
                PRODID:-//Other//Program//EN
                BEGIN:VTODO
                UID:ab6f4a1e-5d0c-4c57-9e61-0f3f8f4f7a11
                DTSTAMP:\(stamp)
                LAST-MODIFIED:\(stamp)
                SUMMARY:\(title)
                END:VTODO
                END:VCALENDAR

                """
        }
        server.put(text("Old", at: Date() + offset), "a.ics", in: home)
        let replica = try Replica()
        try replica.sync(server)
        // Only the phone has changed it: its value counts, whatever its clock says.
        server.put(text("Phone", at: Date() + offset + 5), "a.ics", in: home)
        try replica.sync(server)
        #expect(try replica.titles() == ["Phone"])
        try replica.edit { library in
            try replica.task("Phone", library).title = "Here"
            _ = try library.context.save()
        }
        server.put(text("There", at: Date() + offset + 10), "a.ics", in: home)
        let report = try replica.sync(server)
        #expect(report.conflicts == 1)
        let values = try replica.edit { library in
            let engine = try SyncEngine(library.coordinator, SyncEntities.all)
            return try engine.conflicts(in: library.context).map(\.value)
        }
        let all = try replica.titles().map { SyncValue.string($0) } + values
        #expect(Set(all) == [.string("Here"), .string("There")])
        #expect(try replica.sync(server).isEmpty)
    }
}
