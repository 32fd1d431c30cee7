import CivilTime
import DocketCore
import DocketFormats
import Encryption
import Foundation
import ObjectGraph
import ObjectSync
import Testing

@testable import DocketSync
@testable import TaskChampion

/// Libraries that are synchronized over a server of Taskwarrior 3.
@Suite(.enabled(if: ServerAtHand.isThere))
struct TaskChampionSyncTests {
    /// A library on one machine, which is opened for each step as by the program.
    private final class Replica {
        private let folder: URL
        private let server: TaskChampionServer
        /// Whether the tasks of the server are kept.
        var keepsCache = true

        init(_ hand: ServerAtHand, _ client: UUID) throws {
            folder = FileManager.default.temporaryDirectory
                .appending(path: "taskchampion-sync-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let counter = Counter()
            self.counter = counter
            server = try TaskChampionServer(
                url: hand.url,
                clientID: client,
                secret: SecretBytes("secret"),
                send: { request in
                    counter.count += 1
                    return try hand.send(request)
                }
            )
        }

        final class Counter { var count = 0 }
        let counter: Counter

        deinit { try? FileManager.default.removeItem(at: folder) }

        @discardableResult
        func edit<Result>(_ body: (Library) throws -> Result) throws -> Result {
            let library = try Library(
                url: folder.appending(path: "docket.sqlite"),
                author: "test"
            ) { DateContext(now: Date(), zone: .utc) }
            defer { library.close() }
            return try body(library)
        }

        @discardableResult
        func sync(_ change: (TaskChampionRemote) -> Void = { _ in }) throws -> SyncReport {
            counter.count = 0
            return try edit { library in
                let remote = TaskChampionRemote(
                    name: "tasks",
                    server: server,
                    settings: ExchangeSettings(dates: library.clock()),
                    file: keepsCache ? folder.appending(path: "cache.json").path : nil
                )
                change(remote)
                return try LibrarySync.run(library, with: remote)
            }
        }

        func add(_ texts: String...) throws {
            try edit { library in
                for text in texts { _ = try library.addTask(try library.capture(text)) }
            }
        }

        func change(_ title: String, _ changes: FieldChange...) throws {
            try edit { library in
                let items = try Item.all(in: library.context, where: \.title == title)
                try library.edit(try #require(items.first), changes)
            }
        }

        /// All that the items say, but for their numbers, places and times of change.
        func items() throws -> [UUID: ItemRecord] {
            try edit { library in
                var result: [UUID: ItemRecord] = [:]
                try library.forEachRecord(of: library.itemIDs(matching: nil)) { records in
                    for var record in records {
                        (record.shortID, record.order) = (nil, nil)
                        // Taskwarrior has whole seconds.
                        let seconds = record.created.timeIntervalSince1970.rounded(.down)
                        record.created = Date(timeIntervalSince1970: seconds)
                        record.modified = record.created
                        record.extra = ForeignFields()
                        result[record.uuid] = record
                    }
                }
                return result
            }
        }

        func titles() throws -> [String] { try items().values.map(\.title).sorted() }
    }

    private let hand: ServerAtHand
    private let client = UUID()
    private let one: Replica
    private let two: Replica

    init() throws {
        hand = try ServerAtHand()
        (one, two) = (try Replica(hand, client), try Replica(hand, client))
    }

    @Test func librariesBecomeEqual() throws {
        try one.add("Milk +Home #shop 2030-01-02 !2", "Dig +Home/Garden", "Inbox")
        try one.edit { library in
            var note = try library.capture("A note")
            note.notes = "# Text\n\n- [ ] a"
            _ = try library.addNote(note)
            _ = try library.addTask(try library.capture("Sub"))
        }
        try one.change("Sub", FieldChange("parent=1"), FieldChange("location=Shop"))
        try one.change("Inbox", FieldChange("waits=+1"), FieldChange("repeats=every 2 weeks"))
        try one.change("Dig", FieldChange("list=v1.2"))
        #expect(try one.sync().sent > 0)
        #expect(try two.sync().inserted == 5)
        let (ours, theirs) = (try one.items(), try two.items())
        for (uuid, item) in ours {
            let other = try #require(theirs[uuid])
            #expect(item.fields(unlike: other) == [], "\(item.title)")
        }
        #expect(try one.sync().isEmpty && two.sync().isEmpty)
        #expect(one.counter.count == 1 && two.counter.count == 1)
        // Undo of a pull is a change like any other.
        _ = try two.edit { try $0.undo() }
        #expect(try two.titles() == [])
        try two.sync()
        try one.sync()
        #expect(try one.titles() == [])
    }

    @Test func whatBothHaveChangedIsMerged() throws {
        try one.add("Milk")
        try one.sync()
        try two.sync()
        try one.change("Milk", FieldChange("notes=one"), FieldChange("priority=3"))
        try two.change("Milk", FieldChange("title=Oat milk"), FieldChange("flagged=yes"))
        try one.sync()
        let report = try two.sync()
        #expect(report.conflicts == 0 && report.updated == 1)
        try one.sync()
        let item = try #require(try one.items().values.first)
        #expect(try two.items().values.map { item.fields(unlike: $0) } == [[]])
        #expect(item.title == "Oat milk" && item.notes == "one" && item.flagged)
        // Of one value the later counts, and the other one is kept.
        try one.change("Oat milk", FieldChange("title=Rice milk"))
        try two.change("Oat milk", FieldChange("title=Soy milk"))
        try one.sync()
        #expect(try two.sync().conflicts == 1)
        try one.sync()
        #expect(try one.titles() == ["Soy milk"] && two.titles() == ["Soy milk"])
    }

    @Test(arguments: [true, false])
    func nothingIsLostWhereTheServerHasDroppedItsVersions(keepsCache: Bool) throws {
        two.keepsCache = keepsCache
        try one.add("a", "b")
        try one.sync()
        try two.sync()
        try two.add("mine")
        try two.change("b", FieldChange("notes=here"))
        try one.change("a", FieldChange("title=a2"))
        // The server asks for a snapshot with every fifth version.
        for number in 0..<5 {
            try one.add("more \(number)")
            try one.sync()
        }
        try hand.tell("forget")
        try two.sync()
        try one.sync()
        let all = ["a2", "b", "mine"] + (0..<5).map { "more \($0)" }
        #expect(try one.titles() == all && two.titles() == all)
        #expect(try one.items().values.first { $0.title == "b" }?.notes == "here")
    }

    @Test func aServerThatFailsLosesNothing() throws {
        try one.add("a", "b")
        for number in 1...4 {
            try hand.tell("fail?n=\(number)")
            for _ in 0..<(number + 1) {
                do { try one.sync() } catch let error as SyncError {
                    #expect(error.description.contains("500"))
                }
            }
            try one.add("c\(number)")
        }
        try one.sync()
        try two.sync()
        #expect(try two.titles() == ["a", "b", "c1", "c2", "c3", "c4"])
        #expect(try one.titles() == two.titles())
    }

    @Test func manyDeletionsAreConfirmed() throws {
        for number in 0..<30 { try one.add("t\(number)") }
        try one.sync()
        try two.sync()
        try one.edit { library in
            _ = try library.perform(.trash, on: library.items(matching: nil))
        }
        try one.sync()
        try two.sync()
        // The trash is on the other side too.
        #expect(try two.items().values.allSatisfy(\.trashed))
    }

    @Test(.enabled(if: ServerAtHand.hasClient))
    func taskwarriorAndDocketWorkOnTheSameTasks() throws {
        let sync = ["sync": [hand.url, client.uuidString.lowercased(), "secret"]]
        try one.add("Milk +Home #shop")
        try one.sync()
        let uuid = try #require(try one.items().keys.first).uuidString.lowercased()
        let names = ["all": ["description", "project", "tag_shop", "status", "end", "tag_next"]]
        let seen = try hand.client("theirs", [sync, names])[1][uuid] as? [String: String]
        #expect(
            seen == ["description": "Milk", "project": "Home", "tag_shop": "", "status": "pending"]
        )
        let done = ["status": "completed", "end": "1790000000", "tag_next": "", "size": "3"]
        let new = ["description": "Call", "status": "pending", "entry": "1790000000"]
        let template = ["description": "Weekly", "status": "recurring", "recur": "weekly"]
        let (other, series) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
        _ = try hand.client(
            "theirs",
            [["set": [uuid: done, other: new, series: template]], sync]
        )
        try one.sync()
        #expect(try one.titles() == ["Call", "Milk"])
        let milk = try #require(try one.items().values.first { $0.title == "Milk" })
        #expect(milk.completed?.timeIntervalSince1970 == 1_790_000_000)
        #expect(milk.tags == ["next", "shop"])
        try one.change("Milk", FieldChange("title=Oat milk"))
        try one.edit { library in
            let items = try Item.all(in: library.context, where: \.title == "Call")
            _ = try library.perform(.trash, on: items)
        }
        try one.sync()
        let all = try hand.client("theirs", [sync, ["all": ["description", "status", "size"]]])[1]
        #expect(
            all[uuid] as? [String: String]
                == ["description": "Oat milk", "status": "completed", "size": "3"]
        )
        #expect((all[other] as? [String: String])?["status"] == "deleted")
        #expect((all[series] as? [String: String])?["status"] == "recurring")
    }
}
