import Foundation
import ObjectGraph
import Testing

/// Containers over several stores.
@Suite struct ContainerTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "container-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func model() -> ManagedObjectModel {
        let model = ManagedObjectModel(
            ["Note", "Secret"].map { name in
                let entity = EntityDescription(name)
                entity.add(AttributeDescription("title", .string, optional: false))
                return entity
            }
        )
        model.configurations = ["Open": ["Note"], "Closed": ["Secret"]]
        return model
    }

    private func store(_ file: String, _ configuration: String) -> StoreDescription {
        var options = StoreOptions()
        options.configuration = configuration
        return StoreDescription(url: folder.appending(path: file), options: options)
    }

    @Test func objectsGoToTheStoreOfTheirConfiguration() throws {
        let stores = [store("open.sqlite", "Open"), store("closed.sqlite", "Closed")]
        let container = try PersistentContainer(model: model(), stores: stores)
        let context = container.viewContext
        var identifiers: [String: UUID] = [:]
        for name in ["Note", "Secret"] {
            let object = try context.insert(entityNamed: name)
            try object.setValue("first", forKey: "title")
            try context.save()
            identifiers[name] = object.objectID.storeIdentifier
        }
        #expect(Set(identifiers.values).count == 2)
        container.close()

        // Each file alone has what its configuration holds.
        let alone = try PersistentContainer(model: model(), stores: [stores[1]])
        let secrets = try alone.viewContext.fetch(
            FetchRequest<ManagedObject>(entityName: "Secret")
        )
        #expect(secrets.map(\.objectID.storeIdentifier) == [identifiers["Secret"]])
        alone.close()
        try FileManager.default.removeItem(at: folder)
    }

    @Test func storesThatWereOpenAreClosedIfAnotherCannotBe() throws {
        let good = store("open.sqlite", "Open")
        let bad = store("missing/closed.sqlite", "Closed")
        #expect(throws: ObjectGraphError.self) {
            try PersistentContainer(model: model(), stores: [good, bad])
        }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            .compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
        #expect(!open.contains { $0.hasPrefix(folder.path) }, "a file is open still")
        try FileManager.default.removeItem(at: folder)
    }
}
