import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore
import Testing

private final class Person: ManagedObject {
    @Managed var name: String?
    @Managed var age: Int16
    @Managed var hired: Date?

    override class var entityName: String { "Employee" }

    /// Computed, so not a property of the model.
    var initial: String { String(name?.prefix(1) ?? "") }
}

/// Keeps the size of its staff while it is awake.
private final class Shop: ManagedObject {
    @Managed var title: String
    @Managed var staff: Set<Person>

    override class var entityName: String { "Department" }
    private(set) var staffCount: ChildCount?

    override func awakeFromInsert() {
        super.awakeFromInsert()
        staffCount = try? ChildCount(of: self, \.staff)
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        staffCount = try? ChildCount(of: self, \.staff)
    }

    override func didTurnIntoFault() {
        staffCount = nil
        super.didTurnIntoFault()
    }
}

@Suite struct FindingTests {
    private let context: ManagedObjectContext
    private let store: CountingStore

    init() throws {
        let coordinator = try PersistentStoreCoordinator(
            model: TestGraph.model(),
            classes: ["Employee": Person.self, "Department": Shop.self]
        )
        store = try CountingStore(model: coordinator.model)
        coordinator.add(store)
        context = ManagedObjectContext(coordinator: coordinator)
        for (name, age) in [("Ana", 30), ("Bea", 20), ("Cid", 40)] {
            try context.make("Employee", ["name": .string(name), "age": .int(Int64(age))])
        }
        try context.save()
    }

    @Test func findersFindInOneLine() throws {
        let old: Condition<Person> = \.age >= 30
        #expect(try Person.all(in: context, sortedBy: \.age).map(\.name) == ["Bea", "Ana", "Cid"])
        #expect(
            try Person.all(in: context, sortedBy: \.name.descending).map(\.name) == [
                "Cid", "Bea", "Ana",
            ]
        )
        #expect(try Person.all(in: context, where: old).count == 2)
        #expect(try Person.first(in: context, where: old, sortedBy: \.age)?.name == "Ana")
        #expect(try Person.find(by: \.name, "Cid", in: context)?.age == 40)
        #expect(try Person.find(by: \.name, "Eve", in: context) == nil)
        #expect(try Person.find(by: \.name, nil, in: context) == nil)
        #expect(
            try Person.values(of: \.name, in: context, where: old, sortedBy: \.age) == [
                "Ana", "Cid",
            ]
        )
        #expect(try Person.count(in: context, where: old) == 2)
        #expect(try Person.deleteAll(in: context, where: old) == 2)
        #expect(try Person.count(in: context) == 1)
        let error = #expect(throws: ObjectGraphError.self) {
            try Person.find(by: \.initial, "A", in: context)
        }
        #expect(error?.code == .undefinedKey)
        #expect(error?.message.contains("not a property of the model") == true)
    }

    @Test func findOrCreateAsksOnceForAll() throws {
        let other = context.sibling()
        store.resetCounts()
        var made: [String] = []
        let names = (0..<2000).map { "n\($0 % 1000)" } + ["Ana", "Bea", nil]
        let found = try Person.findOrCreate(by: \.name, names, in: other) { person in
            if let name = person.name { made.append(name) }
        }
        #expect(store.calls == 1)
        #expect(found.count == 1002)
        #expect(made.count == 1000)
        #expect(found["Ana"]?.age == 30)
        #expect(found["n7"]?.isInserted == true)
        let again = try Person.findOrCreate(by: \.name, ["n7", "Ana"], in: other)
        #expect(again["n7"] === found["n7"])
        #expect(try Person.findOrCreate(by: \.name, [], in: other).isEmpty)
    }

    @Test func deferredDeletionFlagsAndPurges() throws {
        let trash = DeferredDeletion(of: Person.self, \.hired)
        let people = try Person.all(in: context, sortedBy: \.name)
        try trash.mark([people[0]], at: Date(timeIntervalSince1970: 100))
        try trash.mark(people[0...1], at: Date(timeIntervalSince1970: 200))
        try context.save()
        #expect(people[0]["hired"] == .date(Date(timeIntervalSince1970: 100)))
        #expect(try Person.all(in: context, where: Condition(trash.isKept)) == [people[2]])
        #expect(try Person.count(in: context, where: Condition(trash.isMarked)) == 2)
        let time = Date(timeIntervalSince1970: 150)
        #expect(try trash.purge(in: context, markedBefore: time) == 1)
        #expect(people[0].isDeleted)
        try trash.restore([people[1]])
        #expect(try trash.purge(in: context) == 0)
        #expect(throws: ObjectGraphError.self) {
            try DeferredDeletion(entityName: "Employee", key: "name").purge(in: context)
        }
        #expect(throws: ObjectGraphError.self) {
            try DeferredDeletion(entityName: "Nobody", key: "name").purge(in: context)
        }
    }

    @Test func parentCountsItsChildren() throws {
        let shop = context.insert(Shop.self)
        let people = try Person.all(in: context)
        shop["staff"] = .set(Set(people.map { .object($0) }))
        #expect(shop.staffCount?.value == 0)
        context.processPendingChanges()
        #expect(shop.staffCount?.value == 3)
        context.delete(people[0])
        context.processPendingChanges()
        #expect(shop.staffCount?.value == 2)
        try context.save()
        let other = context.sibling()
        other.delete(other.object(with: people[1].objectID))
        let token = context.notifications.addObserver(of: ContextDidSave.self, from: other) {
            [context] in context.mergeChanges(from: $0)
        }
        try other.save()
        context.notifications.removeObserver(token)
        #expect(shop.staffCount?.value == 1)
    }

    @Test func parentLeavesAsAFaultAndReturnsAwake() throws {
        let shop = context.insert(Shop.self)
        try context.save()
        context.refresh(shop, mergeChanges: false)
        #expect(shop.staffCount == nil)
        let person = try Person.all(in: context)[0]
        person["department"] = .object(shop)
        context.processPendingChanges()
        _ = shop["title"]
        #expect(shop.staffCount?.value == 1)
    }

    @Test func predicateChoosesTheChildrenThatCount() throws {
        let shop = context.insert(Shop.self)
        var heard: [Int] = []
        let count = try ChildCount(of: shop, \.staff, where: \.age < 35) { heard.append($0) }
        let people = try Person.all(in: context)
        shop["staff"] = .set(Set(people.map { .object($0) }))
        context.processPendingChanges()
        for person in people { person["age"] = 50 }
        context.processPendingChanges()
        count.stop()
        for person in people { person["age"] = 10 }
        context.processPendingChanges()
        #expect(heard == [2, 0])
    }

    @Test func childThatIsDeletedBeforeItsFirstSaveIsCountedOut() throws {
        let shop = context.insert(Shop.self)
        var heard: [Int] = []
        let count = try ChildCount(of: shop, \.staff, where: \.age < 35) { heard.append($0) }
        let (ana, bob) = (context.insert(Person.self), context.insert(Person.self))
        shop["staff"] = .set([.object(ana), .object(bob)])
        context.processPendingChanges()
        context.delete(ana)
        context.processPendingChanges()
        #expect(heard == [2, 1] && count.value == 1)
    }

    @Test func everyErrorBecomesASentenceAndAStep() throws {
        let room = try context.make("Room", ["number": 3])
        try context.make("Employee", ["code": "toolong"])
        let error = try #require(failure { try context.save() })
        let advice = ErrorAdvice(error)
        #expect(error.code == .multipleErrors)
        #expect(advice.sentence.hasPrefix("2 errors: "))
        #expect(!advice.sentence.contains("toolong"))
        #expect(!advice.nextStep.isEmpty)
        room["number"] = 4
        for code in [1500..<1700, 133_000..<134_400, 139_990..<140_020].joined() {
            let bare = ErrorAdvice(ObjectGraphError(.init(rawValue: code), "It failed"))
            #expect(bare.sentence == "It failed.")
            if bare.nextStep.isEmpty { Issue.record("no step for \(code)") }
        }
        #expect(!ErrorAdvice(CancellationError()).nextStep.isEmpty)
    }
}
