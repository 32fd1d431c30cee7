import Foundation
import ObjectGraph
import ObjectModel
import SQLiteStore
import Testing

/// The history after a migration: undo works on as far as it can be whole, and never lies.
@Suite struct HistoryMigrationTests {
    private let folder: MigrationFolder
    private var url: URL { folder.file() }

    init() throws { folder = try MigrationFolder() }

    private static func first() -> ManagedObjectModel {
        let task = EntityDescription(
            "Task",
            [
                AttributeDescription("title", .string, optional: false, default: .string("")),
                AttributeDescription("color", .string),
                RelationshipDescription("list", to: "List", inverse: "tasks"),
            ]
        )
        let list = EntityDescription(
            "List",
            [
                AttributeDescription("name", .string),
                RelationshipDescription("tasks", to: "Task", inverse: "list", toMany: true),
            ]
        )
        return ManagedObjectModel([task, list])
    }

    /// Task is Job, title is headline, list is project of the new entity name, stars are new.
    private static func renamed() -> ManagedObjectModel {
        let job = EntityDescription(
            "Job",
            [
                AttributeDescription("headline", .string, optional: false, default: .string("")),
                AttributeDescription("color", .string),
                AttributeDescription("stars", .integer64, optional: false, default: .int(3)),
                RelationshipDescription("project", to: "Project", inverse: "jobs"),
            ]
        )
        job.renamingIdentifier = "Task"
        job.ownProperties[0].renamingIdentifier = "title"
        job.ownProperties[3].renamingIdentifier = "list"
        let project = EntityDescription(
            "Project",
            [
                AttributeDescription("name", .string),
                RelationshipDescription("jobs", to: "Job", inverse: "project", toMany: true),
            ]
        )
        project.renamingIdentifier = "List"
        project.ownProperties[1].renamingIdentifier = "tasks"
        return ManagedObjectModel([job, project])
    }

    private static func withoutColor() throws -> ManagedObjectModel {
        let model = try ModelArchive(first()).model()
        model.entity(named: "Task")?.removeProperty(named: "color")
        return model
    }

    /// Four commands: two lists, a task in one; another title and list; a deletion; a colour.
    private func makeStore() throws {
        let container = try PersistentContainer(model: Self.first(), url: url)
        defer { container.close() }
        let context = container.viewContext
        let lists = try ["Home", "Work"].map { name in
            let list = try context.insert(entityNamed: "List")
            try list.setValue(.string(name), forKey: "name")
            return list
        }
        let tasks = try ["rent", "milk"].map { title in
            let task = try context.insert(entityNamed: "Task")
            try task.setValue(.string(title), forKey: "title")
            try task.setValue(.object(lists[0]), forKey: "list")
            return task
        }
        try context.save(as: "Add")
        try tasks[0].setValue(.string("Pay rent"), forKey: "title")
        try tasks[0].setValue(.object(lists[1]), forKey: "list")
        try context.save(as: "Move")
        context.delete(tasks[1])
        try context.save(as: "Delete")
    }

    private func jobs(_ context: ManagedObjectContext) throws -> [String] {
        let request = FetchRequest<ManagedObject>(
            entityName: "Job",
            sortDescriptors: [FetchSortDescriptor("headline")]
        )
        return try context.fetch(request).map { job in
            let values = try ["headline", "project.name", "stars"].map {
                GraphDump.text(try job.value(forKeyPath: $0))
            }
            return values.joined(separator: " ")
        }
    }

    @Test func undoGoesOnThroughRenamedNamesAndNewAttributes() throws {
        try makeStore()
        let container = try PersistentContainer(model: Self.renamed(), url: url)
        defer { container.close() }
        let context = container.viewContext
        #expect(try context.undoSteps().map(\.name) == ["Delete", "Move", "Add"])
        let moved = "string(\"Pay rent\") string(\"Work\") int(3)"
        #expect(try jobs(context) == [moved])
        // The deleted task comes back whole, with the default value of what it never had.
        let first = try #require(try context.undoLastCommand())
        #expect(first.isDone && first.conflicts.isEmpty)
        #expect(try jobs(context) == [moved, "string(\"milk\") string(\"Home\") int(3)"])
        #expect(try context.undoLastCommand()?.isDone == true)
        #expect(
            try jobs(context) == [
                "string(\"milk\") string(\"Home\") int(3)",
                "string(\"rent\") string(\"Home\") int(3)",
            ]
        )
        #expect(try context.undoLastCommand()?.isDone == true)
        #expect(try jobs(context).isEmpty)
        for _ in 0..<3 { #expect(try context.redoLastCommand()?.isDone == true) }
        #expect(try jobs(context) == [moved])
    }

    @Test func undoEndsAtTheNewestStepThatChangedWhatIsGone() throws {
        try makeStore()
        var container = try PersistentContainer(model: Self.first(), url: url)
        let task = try #require(
            try container.viewContext.fetch(FetchRequest<ManagedObject>(entityName: "Task")).first
        )
        try task.setValue(.string("secret colour"), forKey: "color")
        try container.viewContext.save(as: "Colour")
        try task.setValue(.string("Pay the rent"), forKey: "title")
        try container.viewContext.save(as: "Rename")
        container.close()
        var options = StoreOptions()
        options.migration.allowsLoss = true
        container = try PersistentContainer(
            model: try Self.withoutColor(),
            url: url,
            options: options
        )
        let context = container.viewContext
        #expect(try context.undoSteps().map(\.name) == ["Rename"])
        #expect(try context.undoLastCommand()?.isDone == true)
        let restored = try context.fetch(FetchRequest<ManagedObject>(entityName: "Task"))
        #expect(try restored.first?.value(forKey: "title") == .string("Pay rent"))
        #expect(try context.undoLastCommand() == nil)
        // The log still lists the steps, and the removed values are in no byte of the file.
        let transactions = try context.coordinator.history(HistoryRequest()).transactions
        #expect(transactions.compactMap(\.groupName).contains("Colour"))
        container.close()
        #expect(try Data(contentsOf: url).range(of: Data("secret colour".utf8)) == nil)
    }

    @Test func undoEndsAtTheNewestStepOfARemovedEntity() throws {
        try makeStore()
        let model = try ModelArchive(Self.first()).model()
        model.removeEntity(named: "List")
        model.entity(named: "Task")?.removeProperty(named: "list")
        var options = StoreOptions()
        options.migration.allowsLoss = true
        let container = try PersistentContainer(model: model, url: url, options: options)
        defer { container.close() }
        // "Move" changed the list; "Delete" only took its task out of one.
        #expect(try container.viewContext.undoSteps().map(\.name) == ["Delete"])
        #expect(try container.viewContext.undoLastCommand()?.isDone == true)
        #expect(
            try container.viewContext.count(for: FetchRequest<Int>(entityName: "Task")) == 2
        )
    }
}
