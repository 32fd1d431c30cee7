import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import Testing

/// What a context does inside the write transaction of its save.
@Suite("Before writing")
final class BeforeWritingTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "before-writing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func stacks() throws -> [ManagedObjectContext] {
        let container = try PersistentContainer(
            model: TestGraph.model(),
            url: folder.appending(path: "store.sqlite")
        )
        return [container.viewContext, try TestGraph.context()]
    }

    @Test func whatItSetsIsWritten() throws {
        for context in try stacks() {
            let ana = try context.make("Employee", ["name": "Ana"])
            var seen: [Int] = []
            context.beforeWriting = {
                // The store can be read from inside.
                seen.append(try context.sibling().all("Employee").count)
                ana["name"] = "Anna"
                context.processPendingChanges()
            }
            try context.save()
            context.beforeWriting = nil
            #expect(seen == [0] && ana["name"] == "Anna" && !context.hasChanges)
            #expect(try context.stored("Employee", "name") == ["Anna"])
            try context.save()
            #expect(seen.count == 1)
        }
    }

    @Test func itsErrorLeavesContextAndStoreAsBefore() throws {
        struct Refusal: Error {}
        for context in try stacks() {
            let ana = try context.make("Employee", ["name": "Ana"])
            try context.save()
            ana["name"] = "Anna"
            let new = try context.make("Employee", ["name": "New"])
            context.beforeWriting = { throw Refusal() }
            #expect(throws: Refusal.self) { try context.save() }
            #expect(context.insertedObjects == [new] && context.updatedObjects == [ana])
            #expect(try context.stored("Employee", "name") == ["Ana"])
            context.beforeWriting = nil
            try context.save()
            #expect(Set(try context.stored("Employee", "name")) == ["Anna", "New"])
        }
    }
}
