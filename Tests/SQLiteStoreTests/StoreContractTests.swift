import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import Testing

/// What every store promises.
@Suite struct StoreContractTests {
    @Test(arguments: StoreKind.allCases)
    func everyTypeComesBackAfterReopening(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let uuid = UUID()
        let values: [String: Value] = [
            "short": .int(-32768),
            "medium": .int(2_147_483_647),
            "long": .int(.min),
            "decimal": .decimal(Decimal(string: "12345678901234567890.123456789") ?? 0),
            "double": .double(0.1),
            "float": .double(1.5),
            "string": .string("Grüße 🐈\u{0}\n'\""),
            "flag": .bool(true),
            "date": .date(Date(timeIntervalSinceReferenceDate: 123456.789)),
            "data": .data(Data([0, 1, 255])),
            "uuid": .uuid(uuid),
            "uri": .url(try #require(URL(string: "https://example.org/a?b=c"))),
            "object": .array([.int(1), .string("x"), .dictionary(["k": .bool(true)])]),
        ]
        let object = bench.session.insert("Values", values)
        let empty = bench.session.insert("Values")
        try bench.session.save()
        for pass in 0..<2 {
            for (name, value) in values {
                #expect(try bench.session.value(object.id, name) == value, "\(name), pass \(pass)")
                #expect(try bench.session.value(empty.id, name) == .null, "\(name), pass \(pass)")
            }
            try bench.reopen()
        }
    }

    @Test(
        arguments: StoreKind.allCases,
        [
            "0", "-0.1", "1e-20", "123456789012345",
            "1234567890123456", "99999999999999999999999999999999999999", "0.1000000000000000055",
        ]
    )
    func decimalsKeepEveryDigit(_ kind: StoreKind, _ text: String) throws {
        let bench = try TestBench(kind)
        let number = try #require(Decimal(string: text))
        let object = bench.session.insert("Values", ["decimal": .decimal(number)])
        try bench.session.save()
        try bench.reopen()
        #expect(try bench.session.value(object.id, "decimal") == .decimal(number))
    }

    @Test(arguments: StoreKind.allCases)
    func relationshipsComeBackAfterReopening(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        var session = bench.session
        let list = session.insert("List", ["name": "Home"])
        let one = session.insert("Task", ["title": "one", "list": list.reference])
        let two = session.insert("Note", ["title": "two", "list": list.reference])
        let three = session.insert("Task", ["title": "three"])
        let red = session.insert("Tag", ["name": "red"])
        let blue = session.insert("Tag", ["name": "blue"])
        session.link(one, "tags", add: [red, blue])
        session.link(two, "tags", add: [red])
        session.link(one, "backlinks", add: [two])
        session.link(red, "friends", add: [blue])
        session.link(list, "pinned", add: [three, one, two], order: [three, one, two])
        list["cover"] = two.reference
        try session.save()
        try bench.reopen()
        session = bench.session
        #expect(try session.value(one.id, "list") == list.reference)
        #expect(try session.value(list.id, "cover") == two.reference)
        #expect(try session.members(list.id, "items").sorted() == [one.id, two.id].sorted())
        #expect(try session.members(one.id, "tags").sorted() == [red.id, blue.id])
        #expect(try session.members(red.id, "items").sorted() == [one.id, two.id].sorted())
        #expect(try session.members(one.id, "backlinks") == [two.id])
        #expect(try session.members(two.id, "links") == [one.id])
        #expect(try session.members(red.id, "friends") == [blue.id])
        #expect(try session.members(blue.id, "friends") == [red.id])
        #expect(try session.members(list.id, "pinned") == [three.id, one.id, two.id])
        #expect(try session.members(three.id, "tags") == [])
    }

    @Test(arguments: StoreKind.allCases)
    func deletedObjectsLeaveRowsAndLinks(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let task = session.insert("Task", ["title": "one"])
        let red = session.insert("Tag", ["name": "red"])
        session.link(task, "tags", add: [red])
        try session.save()
        session.delete(red)
        try session.save()
        #expect(try session.row(red.id) == nil)
        #expect(try session.members(task.id, "tags") == [])
        try bench.reopen()
        #expect(try bench.session.row(red.id) == nil)
        #expect(try bench.session.members(task.id, "tags") == [])
    }

    @Test(arguments: StoreKind.allCases)
    func aRowChangedByAnotherIsAConflictAndNothingIsSaved(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let task = session.insert("Task", ["title": "one"])
        let other = session.insert("Task", ["title": "other"])
        try session.save()
        let stale = try session.object(task.id)
        session.update(task, ["title": "two"])
        try session.save()
        session.update(stale, ["title": "three"])
        session.update(other, ["title": "changed"])
        let conflict = #expect(throws: StoreConflict.self) { try session.save() }
        #expect(conflict?.rows.map(\.id) == [task.id])
        #expect(conflict?.rows.first?.oldVersion == 1)
        #expect(conflict?.rows.first?.newVersion == 2)
        #expect(try session.value(task.id, "title") == "two")
        #expect(try session.value(other.id, "title") == "other")
        session.rollback()
        session.update(stale, ["title": "three"])
        try session.save(ignoresVersions: true)
        #expect(try session.value(task.id, "title") == "three")
    }

    @Test(arguments: StoreKind.allCases)
    func destinationsOfManyOwnersComeInTheirOrder(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let lists = (0..<20).map { session.insert("List", ["name": .string("\($0)")]) }
        var items: [[TestObject]] = lists.map { _ in [] }
        for index in 0..<100 {
            let owner = index * 7 % 20
            items[owner].append(session.insert("Task", ["list": lists[owner].reference]))
        }
        try session.save()
        try bench.reopen()
        let owners = lists.reversed().map(\.id)
        let found = try bench.session.store.destinations(
            of: session.relationship("items", of: "List"),
            owners: owners
        )
        #expect(found.map { $0.sorted() } == items.reversed().map { $0.map(\.id).sorted() })
    }

    @Test(arguments: StoreKind.allCases)
    func orderedMembersKeepTheirOrderThroughMoves(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let parent = session.insert("Task", ["title": "parent"])
        var steps = (0..<10).map {
            session.insert("Task", ["title": .string("\($0)"), "parent": parent.reference])
        }
        session.link(parent, "steps", add: steps, order: steps)
        try session.save()
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let old = steps
            let moved = steps.remove(at: Int.random(in: 0..<steps.count, using: &random))
            steps.insert(moved, at: Int.random(in: 0...steps.count, using: &random))
            session.link(parent, "steps", order: steps, oldOrder: old)
            try session.save()
            #expect(try session.members(parent.id, "steps") == steps.map(\.id))
        }
        try bench.reopen()
        #expect(try bench.session.members(parent.id, "steps") == steps.map(\.id))
    }
}
