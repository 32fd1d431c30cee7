import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import SeededRandom
import Testing

/// What every store promises.
@Suite struct StoreContractTests {
    @Test(arguments: StoreKind.allCases)
    func everyTypeComesBackAfterReopening(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let uuid = UUID()
        let values: [String: GraphValue] = [
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
        var random = SeededRandom()
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

    @Test(arguments: StoreKind.allCases)
    func aSecondHolderOfAUniqueValueIsRefusedAndNothingIsSaved(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let first = session.insert("Tag", ["name": "red"])
        let other = session.insert("Tag", ["name": "blue"])
        session.insert("Tag")
        session.insert("Tag")
        try session.save()
        let second = session.insert("Tag", ["name": "red"])
        session.insert("Task", ["title": "beside it"])
        let error = #expect(throws: ObjectGraphError.self) { try session.save() }
        #expect(error?.code == .constraintConflict)
        #expect(error?.objectIDs == [second.id, first.id])
        #expect(error?.key == "name")
        #expect(error?.message.contains("red") == false)
        #expect(try bench.ids("Tag").count == 4)
        #expect(try bench.ids("Task").isEmpty)
        session.rollback()
        // A value that one gives up in the same save is free for another, also crosswise.
        session.update(first, ["name": "blue"])
        session.update(other, ["name": "red"])
        try session.save()
        session.delete(first)
        session.insert("Tag", ["name": "blue"])
        try session.save()
        #expect(try bench.ids("Tag").count == 4)
    }

    @Test(arguments: StoreKind.allCases)
    func oneOfManyNewObjectsThatIsNotUniqueIsNamedAndTheOthersKeepTheirValues(
        _ kind: StoreKind
    ) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let first = session.insert("Tag", ["name": "77"])
        let list = session.insert("List")
        try session.save()
        let tags = (0..<300).map { session.insert("Tag", ["name": .string("\($0)")]) }
        let error = #expect(throws: ObjectGraphError.self) { try session.save() }
        #expect(error?.code == .constraintConflict)
        #expect(error?.objectIDs == [tags[77].id, first.id])
        #expect(try bench.ids("Tag") == [first.id])
        session.rollback()
        for number in 0..<300 {
            let title: GraphValue = number % 3 == 0 ? .null : .string("the title of \(number)")
            session.insert(
                "Task",
                [
                    "title": title, "rank": .int(Int64(number)), "done": .bool(number % 2 == 0),
                    "list": number % 5 == 0 ? .null : list.reference,
                ]
            )
        }
        try session.save()
        try bench.reopen()
        let ids = try bench.ids("Task")
        #expect(ids.count == 300)
        for id in ids {
            let task = try bench.session.object(id)
            let number = try #require(task["rank"].integerValue)
            #expect(task["done"] == .bool(number % 2 == 0))
            #expect(task["title"].isNull == (number % 3 == 0), "\(number)")
            #expect(number % 3 == 0 || task["title"] == .string("the title of \(number)"))
            #expect(task["list"] == (number % 5 == 0 ? .null : list.reference))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func deletingWhatSomebodyDeletedIsNoConflict(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let task = session.insert("Task", ["title": "x"])
        try session.save()
        let copy = try session.object(task.id)
        session.delete(task)
        try session.save()
        session.delete(copy)
        try session.save()
        session.update(copy, ["title": "y"])
        let conflict = #expect(throws: StoreConflict.self) { try session.save() }
        #expect(conflict?.rows.first?.newVersion == 0)
        session.rollback()
        session.update(copy, ["title": "y"])
        try session.save(ignoresVersions: true)
        #expect(try session.value(task.id, "title") == "y")
    }

    @Test(arguments: StoreKind.allCases)
    func aDeletedObjectComesBackUnderItsOldID(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let task = session.insert("Task", ["title": "x", "size": 7])
        let tag = session.insert("Tag", ["name": "t"])
        session.link(task, "tags", add: [tag])
        try session.save()
        let id = task.id
        session.delete(task)
        try session.save()
        session.restore(task)
        session.link(task, "tags", add: [tag])
        try session.save()
        try bench.reopen()
        #expect(try bench.session.value(id, "size") == 7)
        #expect(try bench.session.members(tag.id, "items") == [id])
        let next = bench.session.insert("Note")
        try bench.session.save()
        // Keys are counted by hierarchy, or by store.
        #expect(next.id.key > id.key && next.id.key <= id.key + 2)
    }

    @Test(arguments: StoreKind.allCases)
    func membersThatArriveThroughTheInverseStandAtTheEnd(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let (one, two) = (session.insert("Task"), session.insert("Task"))
        let steps = (0..<4).map { _ in session.insert("Task", ["parent": one.reference]) }
        session.link(one, "steps", add: steps, order: steps.reversed())
        try session.save()
        let late = session.insert("Task", ["parent": one.reference])
        session.update(steps[3], ["parent": two.reference])
        try session.save()
        try bench.reopen()
        #expect(
            try bench.session.members(one.id, "steps")
                == [steps[2].id, steps[1].id, steps[0].id, late.id]
        )
        #expect(try bench.session.members(two.id, "steps") == [steps[3].id])
    }

    @Test(arguments: StoreKind.allCases)
    func aMemberOfAOneWayRelationshipHasOneOwner(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let (one, two) = (session.insert("List"), session.insert("List"))
        let items = (0..<3).map { _ in session.insert("Task") }
        session.link(one, "pinned", add: items, order: items)
        try session.save()
        session.link(two, "pinned", add: [items[1]], order: [items[1]])
        try session.save()
        #expect(try session.members(one.id, "pinned") == [items[0].id, items[2].id])
        #expect(try session.members(two.id, "pinned") == [items[1].id])
        session.delete(items[0])
        try session.save()
        #expect(try session.members(one.id, "pinned") == [items[2].id])
    }

    @Test(arguments: StoreKind.allCases)
    func referencesToUnsavedOrForeignObjectsAreRefused(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let unsaved = session.insert("List")
        session.rollback()
        session.insert("Task", ["list": unsaved.reference])
        let first = #expect(throws: ObjectGraphError.self) { try session.save() }
        #expect(first?.code == .referentialIntegrity)
        session.rollback()
        let other = try TestBench(kind, model: bench.model)
        let foreign = other.session.insert("List")
        try other.session.save()
        session.insert("Task", ["list": foreign.reference])
        let second = #expect(throws: ObjectGraphError.self) { try session.save() }
        #expect(second?.code == .externalRelationship)
        #expect(try bench.ids("Item").isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func keysGivenAheadAreNotGivenAgain(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let ahead = try session.store.allocateIDs(3, for: session.entity("Task"))
        #expect(ahead.map(\.key) == [1, 2, 3])
        let task = session.insert("Task")
        try session.save()
        #expect(task.id.key == 4)
    }

    /// Another program may have given a member the last number.
    @Test func anOrderAtTheEndOfTheNumbersGoesOn() throws {
        let bench = try TestBench(.sqlite)
        let list = bench.session.insert("List", ["name": "list"])
        let items = (0..<3).map { bench.session.insert("Task", ["title": .string("\($0)")]) }
        bench.session.link(list, "pinned", add: items, order: items)
        try bench.session.save()
        bench.session.store.close()
        let raw = try bench.raw()
        let columns = "SELECT name FROM pragma_table_info('ZITEM') WHERE name LIKE 'Z_FOK_%PINNED'"
        let column = try #require(try raw.rows(columns).first)
        _ = try raw.rows(
            "UPDATE ZITEM SET \(column) = 9223372036854775807"
                + " WHERE \(column) = (SELECT MAX(\(column)) FROM ZITEM)"
        )
        try bench.reopen()
        let added = bench.session.insert("Task", ["title": "new"])
        let known = try items.map { try bench.session.object($0.id) }
        let owner = try bench.session.object(list.id)
        bench.session.link(owner, "pinned", add: [added], order: known + [added], oldOrder: known)
        try bench.session.save()
        #expect(try bench.session.members(list.id, "pinned") == (known + [added]).map(\.id))
    }

    /// Rows and members of many objects are read together, by ranges of keys or key by key.
    @Test(arguments: StoreKind.allCases)
    func manyObjectsAreReadAsEachAlone(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        var random = SeededRandom()
        let tags = (0..<5).map { session.insert("Tag", ["name": .string("tag\($0)")]) }
        let lists = (0..<3).map { session.insert("List", ["name": .string("list\($0)")]) }
        let items = (0..<200).map { index in
            let item = session.insert("Task", ["title": .string("item \(index)")])
            for tag in tags where random.chance(3) { session.link(item, "tags", add: [tag]) }
            if random.chance(2) { item["list"] = random.pick(lists).reference }
            return item
        }
        try session.save()
        for item in items where random.chance(4) { session.delete(item) }
        try session.save()
        for step in [1, 3, 40] {
            var wanted = stride(from: 0, to: items.count, by: step).map { items[$0].id }
            wanted += wanted.prefix(2)
            wanted.shuffle(using: &random)
            let rows = RowCache()
            try session.store.read(wanted, only: ["title"], into: rows)
            for id in wanted {
                guard let blob = rows.blob(id) else {
                    #expect(try session.row(id) == nil)
                    continue
                }
                let layout = session.store.layout(session.entity("Task"))
                let slot = try #require(layout.entity.slotByName["title"])
                let title = RowReader(blob, layout).value(layout.columnBySlot[slot])
                #expect(try title == session.value(id, "title"))
            }
            for name in ["tags", "links"] {
                let together = try session.store.destinations(
                    of: session.relationship(name, of: "Item"),
                    owners: wanted
                )
                let alone = try wanted.map { try session.members($0, name) }
                #expect(together == alone, "step \(step), \(name)")
            }
        }
        let together = try session.store.destinations(
            of: session.relationship("items", of: "List"),
            owners: lists.reversed().map(\.id)
        )
        #expect(try together == lists.reversed().map { try session.members($0.id, "items") })
    }
}
