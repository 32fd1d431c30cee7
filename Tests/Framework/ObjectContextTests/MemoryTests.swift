import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore
import Testing

/// Counts its living instances, and how many were made.
private final class CountedEmployee: ManagedObject {
    nonisolated(unsafe) static var living = 0
    nonisolated(unsafe) static var made = 0

    required init(_ seed: ObjectSeed) {
        super.init(seed)
        Self.living += 1
        Self.made += 1
    }

    deinit { Self.living -= 1 }
}

/// Objects go when nobody needs them; measured in instances, not in bytes of the process.
@Suite("Objects that nobody holds", .serialized)
struct MemoryTests {
    private static let count = 50_000

    init() throws {
        // The class is read off an instance that stays.
        _ = try TestGraph.coordinator(classes: ["Employee": CountedEmployee.self])
        CountedEmployee.living = 0
    }

    private func bench(_ kind: StoreType = .sqlite) throws -> StoreBench {
        try StoreBench(kind, classes: ["Employee": CountedEmployee.self])
    }

    private func fill(_ context: ManagedObjectContext, _ count: Int) throws {
        try context.execute(
            BatchInsert(
                entityName: "Employee",
                objects: (0..<count).map { ["age": .int(Int64($0 % 90))] }
            )
        )
    }

    @Test func fiftyThousandFetchedObjectsGoWithTheirArray() throws {
        let bench = try bench()
        let context = bench.context()
        try fill(context, Self.count)
        do {
            let people = try context.all("Employee")
            #expect(people.count == Self.count && CountedEmployee.living == Self.count)
            #expect(people.reduce(0) { $0 + ($1["age"] == 5 ? 1 : 0) } > 500)
            withExtendedLifetime(people) {
                #expect(context.registeredObjects.count == Self.count)
            }
        }
        #expect(CountedEmployee.living == 0 && context.registeredObjects.isEmpty)
        let kept = try context.all("Employee", "age == 5")
        #expect(CountedEmployee.living == kept.count)
    }

    @Test func savedObjectsGoAndPendingOnesStay() throws {
        let bench = try bench(.inMemory)
        let context = bench.context()
        for _ in 0..<1000 { try context.make("Employee") }
        #expect(CountedEmployee.living == 1000)
        try context.save()
        #expect(CountedEmployee.living == 0)
        do { for person in try context.all("Employee").prefix(10) { person["age"] = 3 } }
        #expect(CountedEmployee.living == 10)
        context.refreshAllObjects()
        #expect(CountedEmployee.living == 10)
        context.rollback()
        #expect(CountedEmployee.living == 0)
    }

    @Test(arguments: ["reset", "refresh", "refreshAll"])
    func objectsThatReferToEachOtherGo(_ how: String) throws {
        let bench = try bench()
        let context = bench.context()
        do {
            let people = try (0..<200).map { _ in try context.make("Employee") }
            for (index, person) in people.enumerated() {
                person["boss"] = .object(people[(index + 1) % 200])
                person["spouse"] = .object(people[199 - index])
                if index % 2 == 0 { person["friends"] = .set([.object(people[index + 1])]) }
            }
            try context.save()
        }
        #expect(CountedEmployee.living == 0)
        do {
            let people = try context.all("Employee")
            // Every relationship is walked, so that all lead to all.
            for person in people {
                #expect(person.object("boss")?.object("spouse") != nil)
                #expect(person.list("friends").count == 1 && person.list("reports").count == 1)
            }
            switch how {
            case "reset": context.reset()
            case "refresh": for person in people { context.refresh(person, mergeChanges: false) }
            default: context.refreshAllObjects()
            }
            // The end of the event tells of what was refreshed.
            context.processPendingChanges()
            withExtendedLifetime(people) { #expect(CountedEmployee.living == 200) }
        }
        #expect(CountedEmployee.living == 0 && context.registeredObjects.isEmpty)
    }

    /// People of age 1 whose bosses, of age 2, have bosses of age 1: circles through both.
    private func circles(_ context: ManagedObjectContext, bosses: Int) throws {
        let bosses = try (0..<bosses).map { _ in try context.make("Employee", ["age": 2]) }
        for index in 0..<2000 {
            let person = try context.make("Employee", ["age": 1])
            person["boss"] = .object(bosses[index % bosses.count])
            bosses[index % bosses.count]["boss"] = .object(person)
        }
        try context.save()
    }

    @Test func endOfAToOneRelationshipIsMadeOnceForEachBatchAndGoesWithIt() throws {
        let bench = try bench()
        let context = bench.context()
        try circles(context, bosses: 20)
        #expect(CountedEmployee.living == 0)
        CountedEmployee.made = 0
        do {
            let people = try context.all("Employee", "age == 1")
            #expect(people.allSatisfy { $0.object("boss")?["age"] == 2 })
            #expect(people.allSatisfy { $0.object("boss")?.object("boss")?["age"] == 1 })
            #expect(CountedEmployee.made == 2020)
            withExtendedLifetime(people) { #expect(CountedEmployee.living == 2020) }
        }
        #expect(CountedEmployee.living == 0 && context.registeredObjects.isEmpty)
    }

    @Test func endsThatLeadToEachOtherGo() throws {
        let bench = try bench()
        let context = bench.context()
        try circles(context, bosses: 500)
        do {
            // Of each circle one boss and nobody else was fetched, so that both ends are made.
            let bosses = try context.all("Employee", "age == 2")
            let workers = bosses.compactMap { $0.object("boss") }
            #expect(workers.count == 500 && workers.allSatisfy { $0.object("boss")?["age"] == 2 })
            let lone = try #require(bosses.first?.objectID)
            context.reset()
            #expect(context.object(with: lone).object("boss")?.object("boss")?.objectID == lone)
        }
        #expect(CountedEmployee.living == 0 && context.registeredObjects.isEmpty)
    }

    @Test func contextTakesItsObjectsAlong() throws {
        let bench = try bench()
        do {
            let context = bench.context()
            context.retainsRegisteredObjects = true
            context.undoManager = UndoManager()
            for _ in 0..<100 { try context.make("Employee") }
            try context.save()
            _ = try context.all("Employee").values("age")
            #expect(CountedEmployee.living == 100)
        }
        #expect(CountedEmployee.living == 0)
    }

    @Test func importInBatchesKeepsNothing() throws {
        let bench = try bench()
        let context = bench.context()
        bench.coordinator.rowCacheLimit = 100_000
        let store = try #require(bench.coordinator.openStores.first)
        for _ in 0..<20 {
            for _ in 0..<500 { try context.make("Employee", ["name": "somebody", "age": 3]) }
            try context.save()
            context.reset()
            #expect(CountedEmployee.living == 0)
            #expect(store.rows.liveBytes <= 100_000)
        }
        #expect(
            try context.count(for: FetchRequest<ManagedObject>(entityName: "Employee")) == 10_000
        )
        #expect(store.rows.count < 10_000)
    }

    @Test func savingTheSameRowsAgainAndAgainKeepsOneOfEach() throws {
        let bench = try bench()
        let context = bench.context()
        let text = GraphValue.string(String(repeating: "x", count: 2000))
        for _ in 0..<1000 { try context.make("Employee", ["name": text]) }
        try context.save()
        let people = try context.all("Employee")
        let store = try #require(bench.coordinator.openStores.first)
        for round in 0..<40 {
            for person in people { person["age"] = .int(Int64(round)) }
            try context.save()
            _ = try context.all("Employee")
        }
        // Two megabytes of rows were written forty times.
        #expect(store.rows.count == 1000 && store.rows.liveBytes < 4 << 20)
        #expect(store.rows.totalBytes < 32 << 20, "\(store.rows.totalBytes) bytes")
        #expect(people.values("age") == Array(repeating: 39, count: 1000))
    }

    @Test func rowsOfDeletedObjectsGo() throws {
        let bench = try bench()
        let context = bench.context()
        for _ in 0..<100 { try context.make("Employee") }
        try context.save()
        let people = try context.all("Employee")
        let store = try #require(bench.coordinator.openStores.first)
        #expect(store.rows.count == 100)
        for person in people { context.delete(person) }
        try context.save()
        #expect(store.rows.count == 0)
    }
}
