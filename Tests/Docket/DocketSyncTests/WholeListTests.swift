import DocketCore
import Foundation
import ObjectGraph
import ObjectSync
import Testing

@testable import DocketSync

/// Lists that are sent to the server as one calendar.
@Suite struct WholeListTests {
    private func replica(_ list: String, _ count: Int) throws -> Replica {
        let replica = try Replica()
        try replica.edit { library in
            for number in 1...count {
                _ = try library.addTask(try library.capture("\(list) \(number) +\(list)"))
                _ = try library.addTask(try library.capture("Inbox \(number)"))
            }
            _ = try library.addNote(try library.capture("Ideas +\(list)"))
            let first = try replica.task("\(list) 1", library)
            first.parent = try replica.task("\(list) 2", library)
            first.notes = "one\n\ntwo; three, \\four"
            let date = Date(timeIntervalSince1970: 1_790_000_000)
            first.due = date
            first.rule = "FREQ=WEEKLY"
            _ = try library.context.save()
        }
        return replica
    }

    private func methods(_ server: SimulatedCalDAV) -> [String: Int] {
        Dictionary(server.requests.map { ($0.method, 1) }, uniquingKeysWith: +)
    }

    @Test func aNewListIsOneRequestAndAListing() throws {
        let server = SimulatedCalDAV()
        server.quirks.wholeLists = .taken
        let one = try replica("Home", 30)
        try one.edit { library in
            try library.lists().first?.name = "Home, garden; \\x"
            _ = try library.context.save()
        }
        let report = try one.sync(server)
        #expect(LibrarySync.words(report) == "61 items and 1 list sent")
        #expect(methods(server)["PUT"] == 2)
        #expect(methods(server)["MKCALENDAR"] == nil)
        let names = server.collections.values.map { "\($0.name) \($0.resources.count)" }
        #expect(names.sorted() == ["Home, garden; \\x 31", "Inbox 30"])
        server.forgetRequests()
        #expect(try one.sync(server).isEmpty)
        // The listing after the upload has told where to go on.
        #expect(methods(server) == ["PROPFIND": 1])
        let two = try Replica()
        try two.sync(server)
        try expectEqual(one, two)
    }

    @Test(arguments: [SimulatedCalDAV.WholeLists.refused, .takenInItsOwnWay, .kept])
    func aServerWithOtherMannersGetsTheSame(manner: SimulatedCalDAV.WholeLists) throws {
        let server = SimulatedCalDAV()
        server.quirks.wholeLists = manner
        let one = try replica("Home", 12)
        try one.sync(server)
        #expect(server.allTexts.count == 25)
        #expect(!server.collections.values.contains { !$0.isCalendar })
        let two = try Replica()
        try two.sync(server)
        try expectEqual(one, two)
        try one.sync(server)
        #expect(try one.sync(server).isEmpty)
        try expectEqual(one, two)
    }

    @Test func aCollectionThatSomebodyHasMadeMeanwhileIsNotReplaced() throws {
        let server = SimulatedCalDAV()
        server.quirks.wholeLists = .taken
        let (one, two) = (try replica("Home", 12), try replica("Work", 12))
        // The other replica is faster: its inbox is there when ours arrives.
        var isFirst = true
        server.answers = { request in
            if request.method == "PUT", isFirst {
                isFirst = false
                _ = try? two.sync(server)
            }
            return nil
        }
        try one.sync(server)
        try two.sync(server)
        try one.sync(server)
        try expectEqual(one, two)
        #expect(try one.items().count == 50)
        #expect(server.allTexts.count == 50)
    }

    @Test func lossOfAnyRequestOrAnswerLosesAndDoublesNothing() throws {
        for isDone in [false, true] {
            for lost in 0..<9 {
                let server = SimulatedCalDAV()
                server.quirks.wholeLists = .taken
                let (one, two) = (try replica("Home", 10), try Replica())
                server.losses = [lost: isDone]
                for _ in 0..<2 {
                    for replica in [one, two] {
                        do { try replica.sync(server) } catch is SyncError {}
                    }
                }
                try expectEqual(one, two)
                #expect(try one.items().count == 21, "\(lost) \(isDone)")
                #expect(server.allTexts.count == 21, "\(lost) \(isDone)")
            }
        }
    }

    @Test func anEditBetweenUploadAndListingIsPulled() throws {
        let server = SimulatedCalDAV()
        server.quirks.wholeLists = .taken
        let one = try replica("Home", 10)
        server.changes = { [unowned server] request, answer in
            guard request.method == "PUT", answer.status == 201,
                let path = server.collections[WebAddress(request.url)?.path ?? ""]?.resources
                    .first(where: { $0.value.data.contains("SUMMARY:Inbox 3") })?.key
            else { return answer }
            let text = server.collections[WebAddress.folder(path)]?.resources[path]?.data ?? ""
            server.put(
                text.replacingOccurrences(of: "\r\n", with: "\n")
                    .replacingOccurrences(of: "SUMMARY:Inbox 3", with: "SUMMARY:Inbox three"),
                WebAddress(path, relativeTo: WebAddress("https://cal.example.org/"))?.name ?? "",
                in: WebAddress.folder(path)
            )
            return answer
        }
        try one.sync(server)
        server.changes = nil
        try one.sync(server)
        #expect(try one.titles().contains("Inbox three"))
        #expect(server.allTexts.contains { $0.contains("Inbox three") })
    }
}
