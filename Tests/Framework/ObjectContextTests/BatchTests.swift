import ObjectContext
import ObjectModel
import ObjectStore
import Testing

@Suite("Batch requests", .serialized)
struct BatchTests {
    @Test(arguments: [StoreType.sqlite, .inMemory])
    func insertsAreThereWithoutHooks(_ kind: StoreType) throws {
        let bench = try StoreBench(kind, classes: ["Employee": CallCountingEmployee.self])
        let context = bench.context()
        let sales = try context.make("Department", ["title": "Sales"])
        try context.save()
        let before = CallCountingEmployee.calls
        let values = (0..<500).map { number -> [String: GraphValue] in
            [
                "age": .int(number), "code": "a rule of the model forbids this",
                "department": .object(sales),
            ]
        }
        let result = try context.execute(
            BatchInsert(entityName: "Employee", objects: values),
            as: "Hire all"
        )
        #expect(result.objectIDs.count == 500 && result.changes.inserted.count == 500)
        #expect(CallCountingEmployee.calls == before)
        #expect(try context.all("Employee", "age < 10").count == 10)
        #expect(sales.objects("staff").count == 500)
        let history = try bench.coordinator.history(HistoryRequest()).transactions
        #expect(history.count == 2 && history[1].groupName == "Hire all")
        #expect(try context.undoLastCommand()?.isDone == true)
        #expect(try context.all("Employee").isEmpty)
    }

    @Test(arguments: [StoreType.sqlite, .inMemory])
    func updateReachesRowsContextsAndHistory(_ kind: StoreType) throws {
        let bench = try StoreBench(kind)
        let (context, other) = (bench.context(), bench.context())
        let sales = try context.make("Department")
        let people = try (1...5).map { try context.make("Employee", ["age": .int($0)]) }
        try context.save()
        other.automaticallyMergesChangesFromParent = true
        let twin = try other.existingObject(with: people[4].objectID)
        people[3]["age"] = 77
        var update = BatchUpdate(entityName: "Employee")
        update.predicate = try FetchPredicate(format: "age > 2")
        update.values = [
            "salary": try FetchExpression(format: "age * 2"), "age": .constant(50),
            "department": .constant(.object(sales)),
        ]
        let result = try context.execute(update)
        #expect(Set(result.objectIDs) == Set(people[2...].map(\.objectID)))
        #expect(people[4]["age"] == 50 && people[4]["salary"] == 10.0)
        #expect(people[3]["age"] == 77 && people[3].isUpdated)
        #expect(sales.objects("staff") == Set(people[2...]))
        other.processPendingChanges()
        #expect(twin["age"] == 50)
        #expect(try other.all("Employee", "age == 50").count == 3)
        let last = try bench.coordinator.history(HistoryRequest()).transactions.last
        let change = last?.changes.first { $0.objectID == people[4].objectID }
        #expect(change?.oldValues["age"] == 5 && change?.newValues["age"] == 50)
    }

    @Test(arguments: [StoreType.sqlite, .inMemory])
    func deletionCascadesNullifiesAndReportsAll(_ kind: StoreType) throws {
        let bench = try StoreBench(kind)
        let context = bench.context()
        let sales = try context.make("Department", ["title": "Sales"])
        let ana = try context.make("Employee", ["department": .object(sales)])
        let report = try context.make("Employee", ["boss": .object(ana)])
        let project = try context.make("Project", ["members": .set([.object(ana)])])
        try context.save()
        #expect(project.objects("members") == [ana])
        let predicate = try FetchPredicate(format: "title == 'Sales'")
        let result = try context.execute(
            BatchDelete(entityName: "Department", predicate: predicate)
        )
        #expect(result.objectIDs == [sales.objectID, ana.objectID])
        #expect(result.changes.deleted == [sales.objectID, ana.objectID])
        #expect(result.changes.updated.contains(report.objectID))
        #expect(ana.isDeleted && report["boss"] == .null && project.objects("members").isEmpty)
        #expect(try bench.context().all("Employee").map(\.objectID) == [report.objectID])
    }

    @Test func refusalsChangeNothing() throws {
        let bench = try StoreBench(.sqlite)
        let context = bench.context()
        let sales = try context.make("Department", ["title": "Sales"])
        try context.make("Room", ["owner": .object(sales)])
        try context.save()
        let token = try bench.coordinator.currentHistoryToken()
        let delete = BatchDelete(entityName: "Department")
        #expect(failure { try context.execute(delete) }?.code == .deleteDenied)
        var update = BatchUpdate(entityName: "Department")
        update.values = ["title": .constant(.null)]
        #expect(failure { try context.execute(update) }?.code == .missingMandatory)
        update.values = ["staff": .constant(.null)]
        #expect(failure { try context.execute(update) }?.code == .invalidRequest)
        let insert = BatchInsert(entityName: "Tag", objects: [["name": "a"], ["nme": "b"]])
        #expect(failure { try context.execute(insert) }?.code == .undefinedKey)
        #expect(try bench.coordinator.currentHistoryToken() == token)
        #expect(sales["title"] == "Sales" && !context.hasChanges)
    }

    @Test func childSeesTheResultWithItsParent() throws {
        let bench = try StoreBench(.sqlite)
        let root = bench.context()
        let child = ManagedObjectContext(parent: root)
        let ana = try root.make("Employee", ["age": 1])
        try root.save()
        let twin = try child.existingObject(with: ana.objectID)
        var update = BatchUpdate(entityName: "Employee")
        update.values = ["age": .constant(2)]
        try child.execute(update)
        #expect(twin["age"] == 2 && ana["age"] == 2 && !root.hasChanges && !child.hasChanges)
    }
}

/// Counts calls of its hooks; one test at a time uses it.
private final class CallCountingEmployee: ManagedObject {
    nonisolated(unsafe) static var calls = 0

    override func awakeFromInsert() { Self.calls += 1 }
    override func willSave() { Self.calls += 1 }
    override func didSave() { Self.calls += 1 }
}
