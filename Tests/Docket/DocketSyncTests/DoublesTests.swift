import DocketCore
import Foundation
import ObjectSync
import Testing

@testable import DocketSync

/// One item in two collections of a server.
@Suite("An item that is twice on a server of calendars")
struct DoublesTests {
    let server = SimulatedCalDAV()

    private func replicas() throws -> [Replica] {
        let replicas = [try Replica(), try Replica()]
        try replicas[0].add("Buy milk +House", "Paint +House", "Read +Garden")
        for replica in replicas { try replica.sync(server) }
        return replicas
    }

    private func move(_ title: String, to list: String, in replica: Replica) throws {
        try replica.edit { library in
            let task = try replica.task(title, library)
            try library.perform(.list(.path([list])), on: [task])
        }
    }

    private func places(_ title: String) -> [(collection: String, path: String, text: String)] {
        server.collections.sorted { $0.key < $1.key }.flatMap { collection, content in
            content.resources.filter { $0.value.data.contains("SUMMARY:\(title)") }
                .map { (collection, $0.key, $0.value.data) }
        }
    }

    /// Somebody moves an item, and another client completes it where it was.
    private func putBack(_ title: String, to list: String, in replica: Replica) throws {
        let former = try #require(places(title).first)
        try move(title, to: list, in: replica)
        try replica.sync(server)
        let name = String(former.path.split(separator: "/").last ?? "")
        let done = former.text.replacing("\r\n", with: "\n")
            .replacing("STATUS:NEEDS-ACTION\n", with: "")
            .replacing("END:VTODO", with: "STATUS:COMPLETED\nEND:VTODO")
        server.put(done, name, in: former.collection)
        #expect(places(title).count == 2)
    }

    private func expectOnce(_ title: String, _ replicas: [Replica]) throws {
        for replica in replicas + replicas + replicas { try replica.sync(server) }
        #expect(places(title).count == 1)
        let fresh = try Replica()
        try fresh.sync(server)
        for replica in replicas {
            try expectEqual(replica, fresh)
            #expect(try replica.sync(server).isEmpty)
        }
        let isDone = try fresh.edit { try fresh.task(title, $0).isDone }
        #expect(isDone)
    }

    @Test(arguments: [[0, 1], [1, 0], [0], [1, 0, 2], [2, 1, 0]], [true, false])
    func whatAnotherClientPutsBackIsMergedAndThereOnce(order: [Int], moves: Bool) throws {
        server.quirks.moves = moves
        var replicas = try replicas()
        try putBack("Paint", to: "Garden", in: replicas[0])
        // One that has never seen it.
        replicas.append(try Replica())
        try expectOnce("Paint", order.map { replicas[$0] })
    }

    @Test(arguments: [true, false])
    func whatIsToBeDeletedIsDeletedAfterAFailure(isLost: Bool) throws {
        let replicas = try replicas()
        try putBack("Paint", to: "Garden", in: replicas[0])
        server.answers = { request in
            if request.method != "DELETE" { return nil }
            if isLost { throw SyncError(.offline, "The request was lost.") }
            return HTTPResponse(status: 503)
        }
        #expect(throws: SyncError.self) { try replicas[0].sync(server) }
        #expect(places("Paint").count == 2)
        server.answers = nil
        try expectOnce("Paint", replicas)
    }

    @Test func aResourceThatHasChangedMeanwhileIsNotDeletedUnread() throws {
        let replicas = try replicas()
        try putBack("Paint", to: "Garden", in: replicas[0])
        let other = try #require(places("Paint").first { !$0.text.contains("COMPLETED") })
        var isDone = false
        server.answers = { [server] request in
            if request.method != "DELETE" || isDone { return nil }
            isDone = true
            let text = other.text.replacing("\r\n", with: "\n")
                .replacing("END:VTODO", with: "DESCRIPTION:Twice\nEND:VTODO")
            let name = String(other.path.split(separator: "/").last ?? "")
            server.put(text, name, in: other.collection)
            return nil
        }
        try replicas[0].sync(server)
        server.answers = nil
        for replica in replicas + replicas + replicas { try replica.sync(server) }
        #expect(places("Paint").count == 1)
        try expectEqual(replicas[0], replicas[1])
        let notes = try replicas[0].edit { try replicas[0].task("Paint", $0).notes }
        #expect(notes == "Twice")
    }

    @Test func twoOfOneNameThatNobodyKnewAreLeftAlone() throws {
        let replica = try replicas()[0]
        let (home, garden) = (try #require(places("Buy").first), try #require(places("Read").first))
        for place in [home, garden] {
            let text = """
                BEGIN:VCALENDAR
                VERSION:2.0
                BEGIN:VTODO
                UID:shared
                SUMMARY:Shared
                END:VTODO
                END:VCALENDAR

                """
            server.put(text, "shared.ics", in: place.collection)
        }
        for _ in 0..<3 { try replica.sync(server) }
        try replica.sync(server) { $0.verifies = true }
        #expect(places("Shared").count == 2)
        #expect(try replica.items().count == 4)
        server.remove(try #require(places("Shared").first).path, in: places("Shared")[0].collection)
        for _ in 0..<2 { try replica.sync(server) }
        #expect(places("Shared").count == 1)
        #expect(try replica.items().count == 4)
    }

    /// A copied calendar.
    @Test func manyOfOneNameAreAskedForTogetherAndOnlyWhereSomethingHasChanged() throws {
        let replica = try replicas()[0]
        let home = try #require(places("Buy").first).collection
        let garden = try #require(places("Read").first).collection
        func put(_ uid: String, in collections: String...) {
            let lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:\(uid)"]
            let text = (lines + ["SUMMARY:Copied", "END:VTODO", "END:VCALENDAR", ""])
                .joined(separator: "\n")
            for collection in collections { server.put(text, "\(uid).ics", in: collection) }
        }
        for number in 0..<40 { put("copied-\(number)", in: home, garden) }
        for _ in 0..<2 { try replica.sync(server) }
        server.forgetRequests()
        #expect(try replica.sync(server).isEmpty)
        #expect(server.requests.count == 1)
        put("new", in: home)
        server.forgetRequests()
        try replica.sync(server)
        // What there is, what has changed, the new one, and the second places.
        #expect(server.requests.count <= 4)
        #expect(try replica.items().count == 44)
        #expect(places("Copied").count == 81)
    }
}
