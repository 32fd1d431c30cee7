import DocketCore
import DocketFormats
import Foundation
import Testing

@testable import DocketSync

@Suite("Lists on a server of calendars")
struct ListTests {
    let server = SimulatedCalDAV()

    private func replicas() throws -> (Replica, Replica) {
        let (one, two) = (try Replica(), try Replica())
        try one.add("Buy milk +House", "Paint +House", "Read")
        for replica in [one, two] { try replica.sync(server) }
        return (one, two)
    }

    private func settle(_ replicas: Replica...) throws {
        for replica in replicas + replicas + replicas { try replica.sync(server) }
        let first = try replicas[0].items()
        for replica in replicas { #expect(try replica.items() == first) }
    }

    private func file(_ title: String, _ path: [String], in replica: Replica) throws {
        try replica.edit { library in
            let task = try replica.task(title, library)
            try library.perform(.list(.path(path)), on: [task])
        }
    }

    private func lists(_ replica: Replica) throws -> [String] {
        try replica.edit { library in
            try library.lists().map { list in
                "\(list.name): \(list.items.map(\.title).sorted().joined(separator: ", "))"
            }
        }
    }

    /// The list has no identity yet when the item is looked at.
    @Test func aListThatIsMadeDuringAnExchangeIsSentWithItsItemByTheNextOne() throws {
        let (one, two) = try replicas()
        var isDone = false
        server.answers = { request in
            if isDone { return nil }
            isDone = true
            try file("Read", ["Garden"], in: one)
            return nil
        }
        try one.sync(server)
        try settle(one, two)
        #expect(try lists(two).sorted() == ["Garden: Read", "House: Buy milk, Paint"])
    }

    @Test func aListThatIsMadeDuringAPullIsNotLost() throws {
        let (one, two) = try replicas()
        try file("Read", ["Elsewhere"], in: two)
        try two.sync(server)
        var isDone = false
        server.changes = { request, answer in
            if isDone || request.method == "PROPFIND" { return answer }
            isDone = true
            try file("Read", ["Garden"], in: one)
            return answer
        }
        try one.sync(server)
        try settle(one, two)
        #expect(try lists(two).contains("Garden: Read"))
    }

    @Test(arguments: [true, false])
    func aListThatIsDeletedIsGoneEverywhere(_ moves: Bool) throws {
        server.quirks.moves = moves
        let (one, two) = try replicas()
        try one.edit { library in
            let list = try #require(try library.existingList(path: ["House"]))
            try library.delete(list)
        }
        try settle(one, two)
        #expect(try lists(one) == [])
        #expect(try lists(two) == [])
        #expect(try two.titles() == ["Buy milk", "Paint", "Read"])
        #expect(server.collections.count == 1)
    }

    @Test func aListWithSomethingOfAnotherProgramComesBack() throws {
        let (one, two) = try replicas()
        let path = try #require(server.collections.first { $0.value.name == "House" }?.key)
        try one.edit { library in
            let list = try #require(try library.existingList(path: ["House"]))
            try library.delete(list)
        }
        let event = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nEND:VCALENDAR\n"
        server.put(event, "1.ics", in: path)
        try settle(one, two)
        #expect(try lists(two) == ["House: "])
    }

    @Test func aListInWhichSomebodyPutsSomethingWhileItIsDeletedStays() throws {
        server.quirks.wholeLists = .taken
        let (one, two) = try replicas()
        try one.edit { library in
            let list = try #require(try library.existingList(path: ["House"]))
            try library.delete(list)
        }
        var isDone = false
        server.answers = { request in
            guard request.method == "DELETE", !isDone else { return nil }
            isDone = true
            try two.add("Sweep +House")
            try two.sync(server)
            return nil
        }
        try one.sync(server)
        try settle(one, two)
        #expect(try lists(two) == ["House: Sweep"])
    }

    @Test func aListThatIsDeletedHereAndRenamedThereComesBackWithItsItems() throws {
        let (one, two) = try replicas()
        try one.edit { library in
            let list = try #require(try library.existingList(path: ["House"]))
            try library.delete(list)
        }
        try two.edit { library in
            let list = try #require(try library.existingList(path: ["House"]))
            try library.rename(list, to: "Home")
        }
        try two.sync(server)
        try settle(one, two)
        #expect(try lists(one) == ["Home: Buy milk, Paint"])
    }

    /// Both make a list of the same name; one takes its making back after it has met the other's.
    @Test func aListOfTheSameNameThatIsTakenBackLeavesBothEqual() throws {
        let (one, two) = (try Replica(), try Replica())
        try one.add("Buy milk +House")
        try two.add("Paint +House")
        for replica in [one, two] { try replica.sync(server) }
        try two.edit { library in _ = try library.undo() }
        try two.edit { library in _ = try library.undo() }
        try settle(one, two)
    }

    @Test func aNameOfAListThatWasNotTakenIsSwappedInOneStep() throws {
        let (one, two) = try replicas()
        for (replica, name) in [(one, "Mine"), (two, "Theirs")] {
            try replica.edit { library in
                let list = try #require(try library.existingList(path: ["House"]))
                try library.rename(list, to: name)
            }
        }
        for replica in [two, one] { try replica.sync(server) }
        func name() throws -> String { try one.edit { try $0.lists().map(\.name).joined() } }
        let former = try name()
        try one.edit { library in
            let found = try library.conflictedObjects()
            #expect(found.map(\.name) == [former])
            let conflict = try #require(found.first?.conflicts.first)
            #expect(conflict.field == "name")
            let step = try library.settle(found, by: .swap)
            #expect(step?.name.hasPrefix("Swapped name of the list ") ?? false)
        }
        #expect(try name() == (former == "Mine" ? "Theirs" : "Mine"))
        try one.edit { library in _ = try library.undo() }
        #expect(try name() == former)
        try one.edit { library in
            try library.settle(try library.conflictedObjects(), by: .dismiss)
            #expect(try library.conflictedObjects().isEmpty)
        }
    }

    @Test func aNameOfAListThatAnotherListHasIsNotTaken() throws {
        let (one, two) = try replicas()
        for (replica, name) in [(one, "Mine"), (two, "Theirs")] {
            try replica.edit { library in
                let list = try #require(try library.existingList(path: ["House"]))
                try library.rename(list, to: name)
            }
        }
        for replica in [two, one] { try replica.sync(server) }
        try one.add("Other +Mine", "Another +Theirs")
        try one.edit { library in
            #expect(throws: InputError.self) {
                try library.settle(try library.conflictedObjects(), by: .swap)
            }
        }
    }
}
