import ObjectContext
import ObjectModel
import ObjectStore
import Testing

@Suite("Saving and fetching")
struct ContextSaveTests {
    @Test func insertedObjectsGetPermanentIDsAndAreFetched() throws {
        let context = try TestGraph.context()
        let ana = try context.insert(entityNamed: "Employee")
        ana["name"] = "Ana"
        #expect(ana.objectID.isTemporaryID)
        try context.save(as: "Add")
        #expect(!ana.objectID.isTemporaryID)
        #expect(!context.hasChanges)
        let found = try context.fetch(FetchRequest<ManagedObject>(entityName: "Employee"))
        #expect(found == [ana])
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let again = try other.fetch(
            FetchRequest<ManagedObject>(
                entityName: "Employee",
                predicate: FetchPredicate(format: "name == 'Ana'")
            )
        )
        #expect(again.count == 1)
        #expect(again.first?["name"] == "Ana")
        #expect(again.first !== ana)
    }

    @Test func settingOneSideSetsTheOther() throws {
        let context = try TestGraph.context()
        let home = try context.insert(entityNamed: "Department")
        let ana = try context.insert(entityNamed: "Employee")
        ana["department"] = .object(home)
        #expect(home.objects("staff") == [ana])
        home["staff"] = []
        #expect(ana["department"].isNull)
        try context.save()
        ana["department"] = .object(home)
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let department = other.object(with: home.objectID)
        #expect(department.objects("staff").map(\.objectID) == [ana.objectID])
    }

    @Test func undoOfADeletionBringsBackValuesAndBothSides() throws {
        let context = try TestGraph.context()
        context.undoManager = UndoManager()
        let home = try context.insert(entityNamed: "Department")
        let ana = try context.insert(entityNamed: "Employee")
        let plan = try context.insert(entityNamed: "Project")
        ana["name"] = "Ana"
        ana["department"] = .object(home)
        ana["projects"] = [.object(plan)]
        try context.save()
        context.undoManager?.endEvent()
        context.delete(home)
        context.processPendingChanges()
        #expect(ana.isDeleted)
        #expect(plan.objects("members").isEmpty)
        try context.undo()
        #expect(!ana.isDeleted && !home.isDeleted)
        #expect(home.objects("staff") == [ana])
        #expect(plan.objects("members") == [ana])
        #expect(!context.hasChanges)
        try context.redo()
        #expect(ana.isDeleted && home.isDeleted)
        try context.save()
        #expect(home.context == nil)
        try context.undo()
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let people = try other.fetch(FetchRequest<ManagedObject>(entityName: "Employee"))
        #expect(people.map { $0["name"] } == ["Ana"])
        #expect(people.first?.objects("projects").count == 1)
        #expect(people.first?.objectID == ana.objectID)
    }

    @Test func fetchOverlaysPendingChanges() throws {
        let context = try TestGraph.context()
        for (name, age) in [("a", 1), ("b", 2), ("c", 3)] {
            let person = try context.insert(entityNamed: "Employee")
            person["name"] = .string(name)
            person["age"] = .int(Int64(age))
        }
        try context.save()
        var request = FetchRequest<ManagedObject>(
            entityName: "Employee",
            predicate: try FetchPredicate(format: "age >= 2"),
            sortDescriptors: [FetchSortDescriptor("name", ascending: false)]
        )
        let found = try context.fetch(request)
        #expect(found.map { $0["name"] } == ["c", "b"])
        found[0]["age"] = 0
        let new = try context.insert(entityNamed: "Employee")
        new["name"] = "d"
        new["age"] = 9
        #expect(try context.fetch(request).map { $0["name"] } == ["d", "b"])
        request.includesPendingChanges = false
        #expect(try context.fetch(request).map { $0["name"] } == ["c", "b"])
        #expect(try context.count(for: request) == 2)
        context.rollback()
        request.includesPendingChanges = true
        #expect(try context.fetch(request).map { $0["name"] } == ["c", "b"])
    }
}
