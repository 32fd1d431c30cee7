import Foundation
import ObjectGraph
import Testing

/// What an incremental store is asked, and how often.
@Suite(.serialized) struct IncrementalStoreTests {
    private let url = URL(filePath: "/catalogue/\(UUID().uuidString)")
    private let catalogue = CatalogueStore.Catalogue()

    init() throws {
        try PersistentStoreCoordinator.register(CatalogueStore.self, as: CatalogueStore.storeType)
        CatalogueStore.catalogues[url] = catalogue
        catalogue.entries = [
            "Being": ["nobody": .init(values: ["name": "Nobody"])],
            "Person": [
                42: .init(
                    values: ["name": "Ann", "age": 30],
                    links: [
                        "pets": [("Pet", "rex"), ("Pet", "tom")],
                        "wishes": [("Pet", "tom"), ("Pet", "rex")],
                    ]
                )
            ],
            "Pet": [
                "rex": .init(
                    values: ["name": "Rex", "age": 3],
                    links: ["owner": [("Person", 42)], "wishedBy": [("Person", 42)]]
                ),
                "tom": .init(
                    values: ["name": "Tom", "age": 7],
                    links: ["owner": [("Person", 42)], "wishedBy": [("Person", 42)]]
                ),
            ],
        ]
    }

    private func open(isReadOnly: Bool = false) throws -> PersistentContainer {
        try Shop.open(
            CatalogueStore.storeType,
            url,
            isReadOnly: isReadOnly,
            model: CatalogueStore.model()
        )
    }

    private func pets(_ context: ManagedObjectContext) throws -> [ManagedObject] {
        try context.all("Pet")
    }

    @Test func fetchReadsNoValuesAndAFaultReadsItsOwn() throws {
        let context = try open().viewContext
        let pets = try pets(context)
        #expect(catalogue.taken() == ["fetch Pet"])
        #expect(try pets[0].value(forKey: "name") == "Rex")
        // A to-one relationship that the node left out costs one call, when the fault fires.
        #expect(catalogue.taken() == ["values rex", "owner of rex"])
        #expect(try pets[0].value(forKey: "age") == 3)
        #expect(try pets[0].value(forKeyPath: "owner.name") == "Ann")
        #expect(catalogue.taken() == ["values 42"])
        #expect(try pets[1].value(forKey: "age") == 7)
        #expect(catalogue.taken() == ["values tom", "owner of tom"])
    }

    @Test func toOneRelationshipInTheNodeCostsNothing() throws {
        let container = try open()
        let context = container.viewContext
        let person = try #require(try context.all("Person").first)
        catalogue.entries["Pet"]?["rex"]?.values["owner"] = .objectID(person.objectID)
        catalogue.entries["Pet"]?["tom"]?.values["owner"] = .null
        let pets = try pets(context)
        _ = catalogue.taken()
        guard case .object(let owner) = try pets[0].value(forKey: "owner") else {
            Issue.record("there is no owner")
            return
        }
        #expect(owner === person)
        #expect(try pets[1].value(forKey: "owner") == .null)
        #expect(catalogue.taken() == ["values rex", "values tom"])
    }

    @Test func toManyRelationshipIsAskedOnceAndKept() throws {
        let context = try open().viewContext
        let person = try #require(try context.all("Person").first)
        _ = try person.value(forKey: "name")
        #expect(catalogue.taken() == ["fetch Person", "values 42"])
        for _ in 0..<3 { #expect(try person.value(forKeyPath: "pets.@count") == 2) }
        #expect(catalogue.taken() == ["pets of 42"])
        let wishes = try person.value(forKey: "wishes").elements ?? []
        let names = try wishes.map { element -> String in
            guard case .object(let pet) = element else { return "" }
            return try pet.value(forKey: "name").shown
        }
        #expect(names == ["Tom", "Rex"])
        _ = catalogue.taken()
        _ = try person.value(forKey: "wishes")
        // Another context shares the answer, until the object is refreshed.
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let twin = try #require(try other.existing(person))
        #expect(try twin.value(forKeyPath: "pets.@count") == 2)
        #expect(catalogue.taken() == [])
        context.stalenessInterval = .zero
        context.refresh(person, mergeChanges: false)
        #expect(try person.value(forKeyPath: "pets.@count") == 2)
        #expect(catalogue.taken().contains("pets of 42"))
    }

    @Test func requestForAnEntityIncludesItsSubentities() throws {
        let context = try open().viewContext
        #expect(try context.all("Being").count == 4)
        var request = FetchRequest<ManagedObject>(entityName: "Being")
        request.includesSubentities = false
        let found = try context.fetch(request)
        #expect(try found.map { try $0.value(forKey: "name") } == ["Nobody"])
        #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Being")) == 4)
    }

    @Test func whatTheStoreDoesNotEvaluateTheFrameworkDoes() throws {
        let context = try open().viewContext
        var request = FetchRequest<ManagedObject>(
            entityName: "Being",
            predicate: try FetchPredicate(
                format: "age > 2 AND name CONTAINS[c] 'o' OR ANY pets.age = 3"
            ),
            sortDescriptors: [FetchSortDescriptor("name", ascending: false)]
        )
        #expect(try context.fetch(request).map { try $0.value(forKey: "name") } == ["Tom", "Ann"])
        request.offset = 1
        #expect(try context.fetch(request).map { try $0.value(forKey: "name") } == ["Ann"])
        var sums = FetchDescription(entityName: "Pet")
        sums.resultType = .dictionaries
        sums.propertiesToFetch = [.init("total", .function("sum:", [.keyPath("age")]))]
        let total = try context.fetch(FetchRequest<[String: GraphValue]>(sums))
        #expect(total == [["total": 10]])
        // Pending changes count like saved ones.
        let pet = try context.insert(entityNamed: "Pet")
        try pet.setValue("Otto", forKey: "name")
        try pet.setValue(4, forKey: "age")
        request.offset = 0
        #expect(
            try context.fetch(request).map { try $0.value(forKey: "name") } == [
                "Tom", "Otto", "Ann",
            ]
        )
    }

    @Test func exactAnswerIsNotEvaluatedAgain() throws {
        catalogue.evaluates = true
        let context = try open().viewContext
        let request = FetchRequest<ManagedObject>(
            entityName: "Pet",
            predicate: try FetchPredicate(format: "age > 1000")
        )
        // The store says that its answer is exact, so nobody reads the values.
        #expect(try context.fetch(request).count == 2)
        #expect(try context.count(for: request) == 2)
        #expect(catalogue.taken() == ["fetch Pet", "fetch Pet"])
    }

    @Test func nodesOfAnAnswerSpareTheFaults() throws {
        catalogue.givesNodes = true
        let context = try open().viewContext
        let pets = try pets(context)
        _ = catalogue.taken()
        #expect(try pets.map { try $0.value(forKey: "name") } == ["Rex", "Tom"])
        #expect(catalogue.taken() == [])
    }

    @Test func storeThatReadsInBatchesIsAskedOnce() throws {
        catalogue.batches = true
        let context = try open().viewContext
        for number in 0..<20 {
            catalogue.entries["Pet"]?[.number(Int64(number + 100))] =
                .init(values: ["name": .string("\(number)"), "owner": .null])
        }
        let pets = try pets(context)
        #expect(pets.count == 22)
        _ = catalogue.taken()
        for pet in pets { _ = try pet.value(forKey: "name") }
        #expect(catalogue.taken().filter { $0.hasPrefix("values") } == ["values of 22"])
    }

    @Test func referenceObjectsAreTheEndOfTheURI() throws {
        let container = try open()
        let context = container.viewContext
        let store = catalogue.identifier.uuidString
        let uris = try context.all("Being").map(\.objectID.uri).sorted()
        #expect(
            uris == [
                "x-coredata://\(store)/Being/pnobody", "x-coredata://\(store)/Person/p42",
                "x-coredata://\(store)/Pet/prex", "x-coredata://\(store)/Pet/ptom",
            ]
        )
        for uri in uris {
            let id = try #require(container.coordinator.managedObjectID(forURI: uri))
            #expect(id.uri == uri)
            #expect(try context.existingObject(with: id).objectID == id)
        }
        let references: [ReferenceObject] = [
            42, -1, 0, .number(.max), .number(.min), .number(1 << 36), "", "42", "a b/c?d#e%", "ü🐈",
            "p42",
            "\u{0}\n", "-1", "007", "%", "+1",
        ]
        for reference in references {
            catalogue.entries["Pet"]?[reference] = .init(values: ["name": "x", "owner": .null])
        }
        let ids = try pets(context).map(\.objectID)
        #expect(Set(ids).count == references.count + 2)
        #expect(Set(ids.map(\.uri)).count == ids.count)
        for id in ids {
            #expect(container.coordinator.managedObjectID(forURI: id.uri) == id)
            #expect(try context.existingObject(with: id).value(forKey: "name") != .null)
        }
        container.close()
        // The IDs are the same when the store is opened again.
        let again = try open()
        #expect(try Set(pets(again.viewContext).map(\.objectID)) == Set(ids))
    }

    @Test func changesReachTheStore() throws {
        let container = try open()
        let context = container.viewContext
        let person = try #require(try context.all("Person").first)
        let rex = try #require(try pets(context).first)
        let new = try context.insert(entityNamed: "Pet")
        try new.setValue("Kim", forKey: "name")
        try new.setValue(.object(person), forKey: "owner")
        try rex.setValue(4, forKey: "age")
        try person.setValue(.array([.object(new), .object(rex)]), forKey: "wishes")
        let tom = try pets(context)[1]
        context.delete(tom)
        try context.save()
        #expect(new.objectID.uri.hasSuffix("/Pet/pnew-Kim"))
        #expect(catalogue.entries["Pet"]?["rex"]?.values["age"] == 4)
        #expect(catalogue.entries["Pet"]?["tom"] == nil)
        let kim = try #require(catalogue.entries["Pet"]?["new-Kim"])
        #expect(kim.values["name"] == "Kim")
        #expect(kim.links["owner"]?.map(\.reference) == [42])
        let wishes = catalogue.entries["Person"]?[42]?.links["wishes"]
        #expect(wishes?.map(\.reference) == ["new-Kim", "rex"])
        // What was saved is read from the cache, not from the store.
        _ = catalogue.taken()
        let other = container.newContext()
        #expect(try other.existing(new)?.value(forKey: "name") == "Kim")
        #expect(catalogue.taken() == [])
    }

    @Test func newObjectIsRefusedWhenTheNumbersAreUsedUp() throws {
        catalogue.lastNumber = .max - 1
        let context = try open().viewContext
        let last = try context.insert(entityNamed: "Person")
        try context.save()
        #expect(last.objectID.uri.hasSuffix("/p9223372036854775807"))
        let one = try context.insert(entityNamed: "Person")
        #expect(failure { try context.save() }?.code == .saveFailed)
        #expect(one.isInserted && one.objectID.isTemporaryID)
    }

    @Test func failuresReachTheCallerAndChangeNothing() throws {
        struct Offline: Error {}
        let container = try open()
        let context = container.viewContext
        let rex = try #require(try pets(context).first)
        catalogue.failure = Offline()
        #expect(throws: Offline.self) { _ = try self.pets(context) }
        #expect(try rex.value(forKey: "name") == .null)
        #expect(context.lastFaultError is Offline)
        #expect(throws: (any Error).self) { try context.existingObject(with: rex.objectID) }
        catalogue.failure = nil
        let other = container.newContext()
        let again = try #require(try pets(other).first)
        #expect(try again.value(forKey: "name") == "Rex")
        try again.setValue("Max", forKey: "name")
        catalogue.failure = Offline()
        #expect(throws: (any Error).self) { try other.save() }
        #expect(other.hasChanges)
        catalogue.failure = nil
        try other.save()
        #expect(catalogue.entries["Pet"]?["rex"]?.values["name"] == "Max")
    }

    @Test func changeOfAnotherProgramIsAConflict() throws {
        let context = try open().viewContext
        let rex = try #require(try pets(context).first)
        #expect(try rex.value(forKey: "age") == 3)
        catalogue.entries["Pet"]?["rex"]?.values["age"] = 5
        catalogue.entries["Pet"]?["rex"]?.version += 1
        try rex.setValue("Max", forKey: "name")
        let error = failure { try context.save() }
        #expect(error?.code == .mergeConflict)
        #expect(error?.objectIDs == [rex.objectID])
        context.mergePolicy = .mergeByPropertyObjectTrump
        try context.save()
        #expect(catalogue.entries["Pet"]?["rex"]?.values["name"] == "Max")
        #expect(catalogue.entries["Pet"]?["rex"]?.values["age"] == 5)
        #expect(try rex.value(forKey: "age") == 5)
    }

    @Test func objectThatIsGoneIsAnInaccessibleFault() throws {
        let context = try open().viewContext
        let rex = try #require(try pets(context).first)
        catalogue.entries["Pet"]?["rex"] = nil
        #expect(try rex.value(forKey: "name") == .null)
        #expect(throws: ObjectGraphError.self) { try context.existingObject(with: rex.objectID) }
        #expect(try pets(context).count == 1)
    }

    @Test func readOnlyStoreRefusesSaves() throws {
        let context = try open(isReadOnly: true).viewContext
        let rex = try #require(try pets(context).first)
        try rex.setValue("Max", forKey: "name")
        #expect(failure { try context.save() }?.code == .cannotWrite)
        #expect(!catalogue.taken().contains("save"))
    }

    @Test func wrongValuesOfAStoreAreNamed() throws {
        catalogue.entries["Pet"]?["rex"]?.values["age"] = "three"
        let context = try open().viewContext
        let rex = try #require(try pets(context).first)
        _ = try rex.value(forKey: "name")
        let first = context.lastFaultError as? ObjectGraphError
        #expect(
            first?.code == .wrongValueKind && first?.message.contains("Pet.age") == true
                || first?.message.contains("Being.age") == true
        )
        catalogue.entries["Pet"]?["tom"]?.values["size"] = 1
        let tom = try pets(context)[1]
        _ = try tom.value(forKey: "name")
        #expect((context.lastFaultError as? ObjectGraphError)?.code == .undefinedKey)
        catalogue.entries["Pet"] = ["odd": .init(links: ["owner": [("Pet", "odd")]])]
        let odd = try #require(try pets(context).first)
        _ = try odd.value(forKey: "name")
        #expect((context.lastFaultError as? ObjectGraphError)?.message.contains("owner") == true)
    }

    @Test func storeKnowsWhichObjectsAreInUse() throws {
        let container = try open()
        func used() -> [String: Int] { catalogue.registered.filter { $0.value != 0 } }
        do {
            let context = container.newContext()
            var pets = try pets(context)
            #expect(used() == ["rex": 1, "tom": 1])
            let other = container.newContext()
            let twin = try other.existing(pets[0])
            #expect(used() == ["rex": 2, "tom": 1])
            pets.removeLast()
            #expect(used() == ["rex": 2])
            other.reset()
            #expect(used() == ["rex": 1] && twin != nil)
            let new = try context.insert(entityNamed: "Pet")
            try new.setValue("Kim", forKey: "name")
            #expect(used() == ["rex": 1])
            try context.save()
            #expect(used() == ["rex": 1, "new-Kim": 1])
            withExtendedLifetime((pets, new)) {}
        }
        #expect(used() == [:])
    }

    @Test func openingChecksTypeAndMetadata() throws {
        let other = StoreType(rawValue: "Other catalogue")
        try PersistentStoreCoordinator.register(CatalogueStore.self, as: other)
        defer { try? PersistentStoreCoordinator.unregisterStoreClass(of: other) }
        let error = failure { _ = try Shop.open(other, url, model: CatalogueStore.model()) }
        #expect(error?.code.rawValue == 134010)
    }

    @Test func incrementalStoreBecomesAFile() throws {
        let folder = try TestFolder()
        let container = try open()
        let store = try #require(container.coordinator.persistentStores.first)
        let before = try Shop.dump(container.viewContext)
        container.viewContext.reset()
        let file = StoreDescription(url: folder.file("copy"), options: Shop.options(.sqlite))
        let moved = try container.coordinator.migrateStore(store, to: file)
        #expect(moved.type == .sqlite)
        #expect(try Shop.dump(container.newContext()) == before)
    }
}

extension ManagedObjectContext {
    /// The object of another context in this one.
    func existing(_ object: ManagedObject) throws -> ManagedObject? {
        try existingObject(with: object.objectID)
    }
}
