import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import Testing

/// The history goes along when a store moves between a file and a database.
@Suite(.enabled(if: PostgreSQLAtHand.isThere))
struct HistoryCopyTests {
    private static func model() -> ManagedObjectModel {
        let model = ServerBench.model(searched: true)
        let data = AttributeDescription("data", .binary)
        data.allowsExternalStorage = true
        model.add(EntityDescription("Picture", [data, AttributeDescription("name", .string)]))
        return model
    }

    private static func container(_ url: URL) throws -> PersistentContainer {
        try PostgreSQLStores.register()
        let container = try PersistentContainer(model: model(), url: url)
        container.viewContext.transactionAuthor = "anna"
        return container
    }

    /// Fills a store with steps: inserts, an update, a link, large data, a deletion, an undone one.
    private func fill(_ context: ManagedObjectContext) throws {
        let list = try context.add("List", ["name": "Home"])
        let item = try context.add("Item", ["title": "Grüße \0", "rank": 1])
        let small = Data("small".utf8)
        let picture = try context.add("Picture", ["name": "p", "data": .data(small)])
        try context.save(as: "Add")
        try item.setValue(.object(list), forKey: "list")
        try item.setValue("Gruß", forKey: "title")
        try context.save(as: "Change")
        let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        try picture.setValue(.data(large), forKey: "data")
        try context.save(as: "Enlarge")
        context.delete(picture)
        try context.save(as: "Delete")
        try item.setValue(7, forKey: "rank")
        try context.save(as: "Rank")
        _ = try context.undoLastCommand()
    }

    private func steps(_ context: ManagedObjectContext) throws -> [String] {
        try (context.redoSteps() + context.undoSteps()).map {
            "\($0.command) \($0.name ?? "") \($0.author ?? "") \($0.date) \($0.transactions)"
        }
    }

    private func values(_ context: ManagedObjectContext) throws -> [String] {
        let items = try context.found("Item").map {
            "\(try $0.value(forKey: "title")) \(try $0.value(forKeyPath: "list.name"))"
        }
        let pictures = try context.found("Picture").map { picture -> String in
            guard case .data(let data) = try picture.value(forKey: "data") else { return "none" }
            return "\(data.count) \(data.first ?? 0) \(data.last ?? 0)"
        }
        return items + pictures
    }

    @Test(arguments: [true, false])
    func undoGoesOnInTheCopyAsInTheOriginal(_ isToServer: Bool) throws {
        let bench = try ServerBench()
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "copied.sqlite")
        let (from, to) = isToServer ? (file, bench.url) : (bench.url, file)
        let original = try Self.container(from)
        try fill(original.viewContext)
        let moving = try Self.container(from)
        let store = try #require(moving.coordinator.persistentStores.first)
        try moving.coordinator.migrateStore(store, to: StoreDescription(url: to))
        moving.close()
        let copy = try Self.container(to)
        let (old, new) = (original.viewContext, copy.viewContext)
        #expect(try steps(new) == steps(old) && steps(old).count == 5)
        #expect(try values(new) == values(old))
        // The redo and every undo do the same.
        #expect(try new.redoLastCommand()?.isDone == true && old.redoLastCommand()?.isDone == true)
        for _ in 0..<5 {
            let (first, second) = (try old.undoLastCommand(), try new.undoLastCommand())
            #expect(first?.isDone == true && second?.isDone == true)
            #expect(first?.step.name == second?.step.name)
            #expect(try values(new) == values(old), "\(first?.step.name ?? "")")
        }
        #expect(try new.undoLastCommand() == nil)
        #expect(try new.found("List").isEmpty)
        // The next save is numbered behind the last one.
        try new.add("Item", ["title": "next"])
        try old.add("Item", ["title": "next"])
        #expect(try new.save(TransactionInfo()) == old.save(TransactionInfo()))
        original.close()
        copy.close()
    }
}
