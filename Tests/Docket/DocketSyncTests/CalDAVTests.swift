import DocketCore
import DocketFormats
import Foundation
import ObjectGraph
import ObjectSync
import Testing

@testable import DocketSync

@Suite struct CalDAVTests {
    private let server = SimulatedCalDAV()

    private func edit(_ title: String, in replica: Replica, _ change: (Task) -> Void) throws {
        try replica.edit { library in
            let task = try replica.task(title, library)
            change(task)
            _ = try library.context.save()
        }
    }

    @Test(arguments: SimulatedCalDAV.Quirks.all)
    func twoReplicasBecomeEqual(quirks: SimulatedCalDAV.Quirks) throws {
        server.quirks = quirks
        let (one, two) = (try Replica(), try Replica())
        try one.add("Buy milk #shop +Home !high", "Pay rent due 2026-12-01 +Home", "Call")
        try one.edit { library in
            let (milk, rent) = (
                try one.task("Buy milk", library), try one.task("Pay rent", library)
            )
            (milk.parent, milk.flagged, milk.notes) = (rent, true, "1.5 %\n\nor oat")
            (rent.rule, rent.remindTimes) = ("FREQ=MONTHLY", "-PT30M")
            rent.blockedBy = [try one.task("Call", library)]
            _ = try library.context.save()
            let note = try library.addNote(try library.capture("Ideas +Work")).note
            note.body = "# One\n\n- two"
            _ = try library.context.save()
        }
        try one.sync(server)
        try two.sync(server)
        try expectEqual(one, two)
        #expect(try two.items().count == 4)
        try edit("Buy milk", in: two) { ($0.title, $0.completed) = ("Buy oat milk", Date()) }
        try edit("Call", in: one) { $0.notes = "in the morning" }
        try edit("Pay rent", in: two) { $0.trashed = Date() }
        for _ in 0..<2 {
            try two.sync(server)
            try one.sync(server)
        }
        try expectEqual(one, two)
        let titles = try one.titles()
        #expect(titles.contains("Buy oat milk") && titles.contains("Call"), "\(titles)")
        #expect(try one.sync(server).isEmpty)
        #expect(try two.sync(server).isEmpty)
    }

    @Test func withoutChangesThereIsOneRequest() throws {
        let replica = try Replica()
        try replica.add("One +A", "Two +B", "Three")
        try replica.sync(server)
        try replica.sync(server)
        server.forgetRequests()
        try replica.sync(server)
        #expect(server.requests.map(\.method) == ["PROPFIND"])
        try edit("One", in: replica) { $0.priority = 2 }
        server.forgetRequests()
        try replica.sync(server)
        #expect(server.requests.map(\.method) == ["PROPFIND", "PUT"])
    }

    /// The tag of the collection is again the one that was known before the own edit.
    @Test func anEditThatOthersHaveTakenBackIsNotMissed() throws {
        server.quirks = .contentTags
        let replica = try Replica()
        try replica.add("Call +Home")
        for _ in 0..<3 { try replica.sync(server) }
        let (path, former) = try #require(server.collections.first { !$1.resources.isEmpty })
        let (file, resource) = try #require(former.resources.first)
        try edit("Call", in: replica) { $0.title = "Call Ada" }
        try replica.sync(server)
        #expect(server.allTexts.joined().contains("Call Ada"))
        server.put(resource.data, String(file.split(separator: "/").last ?? ""), in: path)
        try replica.sync(server)
        #expect(try replica.titles() == ["Call"])
        server.forgetRequests()
        for _ in 0..<2 { try replica.sync(server) }
        #expect(server.requests.map(\.method) == ["PROPFIND", "PROPFIND"])
    }

    private let foreign = """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//Other//Program//EN
        X-HEAD:kept
        BEGIN:VTODO
        UID:not a uuid@example.org
        DTSTAMP:20261101T080000Z
        X-FUTURE;A="b;c":one\\, two
        SUMMARY;LANGUAGE=en:Water plants
        PERCENT-COMPLETE:30
        ATTACH:https://example.org/a
        END:VTODO
        END:VCALENDAR

        """

    @Test func whatIsUnknownStaysAsItWas() throws {
        let home = SimulatedCalDAV.home + "plants/"
        server.collections[home] = .init(name: "Plants")
        server.put(foreign, "x y.ics", in: home)
        let replica = try Replica()
        try replica.sync(server)
        #expect(try replica.items().first?.hasPrefix("Water plants|Plants|") ?? false)
        let former = try #require(server.texts(in: home).first)
        #expect(try replica.sync(server).sent == 0)
        #expect(server.texts(in: home) == [former])
        try edit("Water plants", in: replica) { $0.priority = 3 }
        try replica.sync(server)
        let lines = try #require(server.texts(in: home).first).components(separatedBy: "\r\n")
        for line in former.components(separatedBy: "\r\n") where !line.hasPrefix("DTSTAMP") {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(lines.contains("PRIORITY:1"))
    }

    @Test func aListOfTheSameNameIsNotDoubled() throws {
        let home = SimulatedCalDAV.home + "plants/"
        server.collections[home] = .init(name: "Plants")
        server.put(foreign, "x.ics", in: home)
        let replica = try Replica()
        try replica.add("Sow +Plants")
        try replica.sync(server)
        #expect(try replica.edit { try $0.lists().map(\.name) } == ["Plants"])
        #expect(server.texts(in: home).count == 2)
    }

    @Test func aListingThatWasCutDeletesNothing() throws {
        server.quirks.hasSyncTokens = false
        let replica = try Replica()
        try replica.add("One", "Two", "Three", "Four")
        try replica.sync(server)
        server.cutsListings = true
        server.put(foreign, "x.ics", in: SimulatedCalDAV.home + "docket-inbox/")
        try replica.sync(server)
        #expect(try replica.titles().count >= 4)
        #expect(server.allTexts.count == 5)
    }

    @Test func anEmptyServerDeletesNothingUntilSomebodyAgrees() throws {
        let replica = try Replica()
        try replica.edit { library in
            for number in 0..<30 { _ = try library.addTask(try library.capture("Task \(number)")) }
        }
        try replica.sync(server)
        let inbox = SimulatedCalDAV.home + "docket-inbox/"
        for path in (server.collections[inbox]?.resources ?? [:]).keys {
            server.remove(path, in: inbox)
        }
        #expect {
            try replica.sync(server)
        } throws: {
            ($0 as? SyncError)?.code == .manyDeletions
        }
        #expect(try replica.titles().count == 30)
        try replica.sync(server) { $0.acceptsDeletions = true }
        #expect(try replica.titles().isEmpty)
    }

    @Test func aChangeOnBothSidesIsMergedAndKept() throws {
        let (one, two) = (try Replica(), try Replica())
        try one.add("Report")
        try one.sync(server)
        try two.sync(server)
        try edit("Report", in: one) { ($0.notes, $0.priority) = ("from one", 1) }
        try edit("Report", in: two) { $0.title = "Yearly report" }
        try one.sync(server)
        try two.sync(server)
        try one.sync(server)
        #expect(try one.items() == two.items())
        #expect(try one.items().first?.hasPrefix("Yearly report|-||from one|1|") ?? false)
    }

    @Test(arguments: [true, false])
    func aMovedItemIsInItsNewListAlone(_ moves: Bool) throws {
        server.quirks.moves = moves
        let replica = try Replica()
        try replica.add("Paint +House", "Other +Garden")
        try replica.sync(server)
        try replica.edit { library in
            let list = try library.existingList(path: ["Garden"])
            try replica.task("Paint", library).list = list
            _ = try library.context.save()
        }
        try replica.sync(server)
        let counts = server.collections.values.map { "\($0.name) \($0.resources.count)" }
        #expect(counts.sorted().suffix(2) == ["Garden 2", "House 0"])
        #expect(server.requests.contains { $0.method == "DELETE" } == !moves)
    }

    @Test func aMovedItemOfTheSameVersionIsInItsNewListOnEveryReplica() throws {
        server.quirks.versionsAreContents = true
        let (one, two) = (try Replica(), try Replica())
        try one.add("Paint +House", "Other +Garden")
        for replica in [one, two, one] { try replica.sync(server) }
        for name in ["Garden", "House", "Garden"] {
            try one.edit { library in
                let task = try one.task("Paint", library)
                task.list = try library.existingList(path: [name])
                _ = try library.context.save()
            }
            for replica in [one, two, one] { try replica.sync(server) }
            try expectEqual(one, two)
            #expect(try two.items().last == "Paint|\(name)|||0|||||||0")
        }
    }

    @Test func lossOfAnyRequestOrAnswerLosesAndDoublesNothing() throws {
        for isDone in [false, true] {
            for lost in 0..<12 {
                let server = SimulatedCalDAV()
                let (one, two) = (try Replica(), try Replica())
                try one.add("One +A", "Two", "Three +A")
                try two.add("Four +A", "Five")
                server.losses = [lost: isDone]
                for _ in 0..<3 {
                    for replica in [one, two] {
                        do { try replica.sync(server) } catch is SyncError {}
                    }
                }
                let titles = try one.titles()
                #expect(titles == ["Five", "Four", "One", "Three", "Two"], "\(lost) \(isDone)")
                try expectEqual(one, two)
                #expect(server.allTexts.count == 5, "\(lost) \(isDone)")
            }
        }
    }

    @Test func aWebPageIsNotTakenForCalendars() throws {
        let replica = try Replica()
        try replica.add("One")
        server.answers = { _ in
            HTTPResponse(
                status: 207,
                headers: ["content-type": "text/html"],
                body: Data("<!DOCTYPE html><html><body>Welcome<br></body></html>".utf8)
            )
        }
        #expect {
            try replica.sync(server)
        } throws: {
            "\($0)".contains("web page")
        }
        #expect(try replica.titles() == ["One"])
    }

    @Test func anUndonePullIsSentAsAChange() throws {
        let (one, two) = (try Replica(), try Replica())
        try one.add("Report")
        try one.sync(server)
        try two.sync(server)
        try edit("Report", in: one) { $0.title = "Yearly report" }
        try one.sync(server)
        try two.sync(server)
        try two.edit { library in
            let step = try #require(try library.undoSteps(limit: 1).first)
            #expect(step.name == "Synchronized with test")
            _ = try library.undo()
        }
        try two.sync(server)
        try one.sync(server)
        #expect(try one.titles() == ["Report"])
    }

    @Test(arguments: 1...3) func aLibraryOfAFormerModelIsSentWhole(version: Int) throws {
        let (one, two) = (try Replica(), try Replica())
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        try FileManager.default.copyItem(
            at: tests.appending(path: "OldLibraries/version-\(version).sqlite"),
            to: one.store
        )
        let report = try one.sync(server)
        #expect(report.counts["Item"]?.sent == 9)
        #expect(try one.items().count == 9)
        try two.sync(server)
        #expect(try two.titles() == one.titles())
        let depths = try [one, two].map { replica in
            try replica.edit { library in
                try Task.all(in: library.context).filter { $0.parent != nil }.map(\.title)
            }
        }
        #expect(depths == [["Morning dose"], ["Morning dose"]])
        #expect(try one.sync(server).isEmpty)
        #expect(try two.sync(server).isEmpty)
    }
}
