import Foundation
import ObjectGraph
import ObjectModel
import Synchronization
import Testing

/// Mapping models, policies and the manager.
@Suite struct MappingTests {
    private let folder: MigrationFolder

    init() throws {
        folder = try MigrationFolder()
        MigrationPolicies.register("CirclePolicy") { CirclePolicy() }
        MigrationPolicies.register("FailingPolicy") { FailingPolicy() }
    }

    private static let lines = (0..<2).map {
        "canvas \($0): ellipse 2.0×2.0, polygon [\"2.0\", \"1.0\", \"0.0\"], ellipse 4.0×4.0, "
            + "ellipse 6.0×6.0"
    }

    private func options(_ mapping: MappingModel) -> StoreOptions {
        var options = StoreOptions()
        options.migration.versions = [ShapesModels.first()]
        options.migration.mappings = [mapping]
        return options
    }

    @Test func pointsBecomeVerticesAndCirclesEllipsesByAPolicy() throws {
        try ShapesModels.makeStore(folder.file())
        var options = options(try ShapesModels.mapping())
        options.migration.keepsBackup = true
        let container = try PersistentContainer(
            model: ShapesModels.second(),
            url: folder.file(),
            options: options
        )
        #expect(try ShapesModels.lines(container.viewContext) == Self.lines)
        #expect(try container.viewContext.undoSteps().isEmpty)
        let ellipse = try #require(
            try container.viewContext.fetch(FetchRequest<ManagedObject>(entityName: "Ellipse"))
                .first
        )
        try ellipse.setValue(.double(9.5), forKey: "width")
        try container.viewContext.save(as: "Stretch")
        #expect(try container.viewContext.undoSteps().map(\.name) == ["Stretch"])
        container.close()
        #expect(folder.names == ["store.sqlite", "~store.sqlite"])
        // The result is like a new store, and the old one is whole.
        try PersistentContainer(model: ShapesModels.second(), url: folder.file("new.sqlite"))
            .close()
        #expect(
            try RawFile(folder.file()).structure() == RawFile(folder.file("new.sqlite")).structure()
        )
        let old = try PersistentContainer(
            model: ShapesModels.first(),
            url: folder.file("~store.sqlite")
        )
        #expect(try old.viewContext.count(for: FetchRequest<Int>(entityName: "Circle")) == 6)
        old.close()
    }

    @Test func mappingReadFromItsFileDoesTheSame() throws {
        let mapping = try ShapesModels.mapping()
        let read = try MappingModel(data: mapping.data())
        #expect(read == mapping)
        try ShapesModels.makeStore(folder.file())
        let container = try PersistentContainer(
            model: ShapesModels.second(),
            url: folder.file(),
            options: options(read)
        )
        #expect(try ShapesModels.lines(container.viewContext) == Self.lines)
        container.close()
    }

    @Test func everyDamagedFileIsAnErrorThatSaysWhere() throws {
        let data = try ShapesModels.mapping().data()
        for length in stride(from: 0, to: data.count, by: 7) {
            #expect(throws: ObjectGraphError.self) { try MappingModel(data: data.prefix(length)) }
        }
        let text = String(decoding: data, as: UTF8.self)
        for (old, new, word) in [
            ("$source.x", "$source.", ".x cannot be parsed"),
            ("\"custom\"", "\"odd\"", "odd"),
            ("\"format\" : 1", "\"format\" : 2", "newer"),
            ("\"name\" : \"x\"", "\"nome\" : \"x\"", "name"),
        ] {
            let damaged = text.replacing(old, with: new)
            #expect(damaged != text, "\(old)")
            let error = #expect(throws: ObjectGraphError.self) {
                _ = try MappingModel(data: Data(damaged.utf8))
            }
            #expect(error?.message.contains(word) == true, "\(String(describing: error))")
        }
    }

    @Test func mappingThatDoesNotFitNamesEntityAndProperty() throws {
        var mapping = try ShapesModels.mapping()
        mapping["CircleToEllipse"]?.attributeMappings.append(PropertyMapping("depth", nil))
        var error = #expect(throws: ObjectGraphError.self) {
            try mapping.check(from: ShapesModels.first(), to: ShapesModels.second())
        }
        #expect(error?.message.contains("Ellipse.depth") == true)
        mapping = try ShapesModels.mapping()
        mapping["CircleToEllipse"]?.sourceEntityName = "Square"
        error = #expect(throws: ObjectGraphError.self) {
            try mapping.check(from: ShapesModels.first(), to: ShapesModels.second())
        }
        #expect(error?.message.contains("Square") == true)
        mapping = try ShapesModels.mapping()
        mapping["PointToVertex"]?.sourceVersionHash = Data([1])
        error = #expect(throws: ObjectGraphError.self) {
            try mapping.check(from: ShapesModels.first(), to: ShapesModels.second())
        }
        #expect(error?.message.contains("Point") == true)
    }

    @Test(arguments: [
        ("FailingPolicy", ObjectGraphError.Code.migrationPolicy),
        ("NoSuchPolicy", .migrationPolicy),
    ])
    func failingPolicyLeavesTheStoreAsItWas(_ name: String, _ code: ObjectGraphError.Code) throws {
        try ShapesModels.makeStore(folder.file())
        let before = try GraphDump(folder.file(), ShapesModels.first())
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try PersistentContainer(
                model: ShapesModels.second(),
                url: folder.file(),
                options: options(try ShapesModels.mapping(policy: name))
            )
        }
        #expect(error?.code == code)
        #expect(error?.message.contains("CircleToEllipse") == true, "\(String(describing: error))")
        #expect(folder.names == ["store.sqlite"])
        #expect(try GraphDump(folder.file(), ShapesModels.first()) == before)
    }

    @Test func objectThatTheRulesRefuseIsNamedWithItsEntityAndProperty() throws {
        try ShapesModels.makeStore(folder.file())
        var mapping = try ShapesModels.mapping()
        mapping["CircleToEllipse"]?.relationshipMappings = []
        mapping["CanvasToCanvas"]?.relationshipMappings = []
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try PersistentContainer(
                model: ShapesModels.second(),
                url: folder.file(),
                options: options(mapping)
            )
        }
        #expect(error?.code == .migration && error?.key == "canvas")
        #expect(error?.message.contains("Ellipse.canvas") == true, "\(String(describing: error))")
        try PersistentContainer(model: ShapesModels.first(), url: folder.file()).close()
    }

    @Test func cancelledMigrationLeavesTheStoreAsItWas() throws {
        try ShapesModels.makeStore(folder.file(), canvases: 40, circles: 20)
        let before = try GraphDump(folder.file(), ShapesModels.first())
        let cancel = Mutex<MigrationMonitor?>(nil)
        let monitor = MigrationMonitor { progress in
            if progress.fraction > 0.4 { cancel.withLock { $0 }?.cancel() }
        }
        cancel.withLock { $0 = monitor }
        var options = options(try ShapesModels.mapping())
        options.migration.monitor = monitor
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try PersistentContainer(
                model: ShapesModels.second(),
                url: folder.file(),
                options: options
            )
        }
        #expect(error?.code == .cancelled)
        #expect(folder.names == ["store.sqlite"])
        #expect(try GraphDump(folder.file(), ShapesModels.first()) == before)
    }

    @Test func progressRunsFromZeroToOne() throws {
        try ShapesModels.makeStore(folder.file(), canvases: 20, circles: 20)
        let seen = Mutex<[MigrationMonitor.Progress]>([])
        var options = options(try ShapesModels.mapping())
        options.migration.monitor = MigrationMonitor { progress in
            seen.withLock { $0.append(progress) }
        }
        try PersistentContainer(
            model: ShapesModels.second(),
            url: folder.file(),
            options: options
        ).close()
        let fractions = seen.withLock { $0.map(\.fraction) }
        #expect(fractions == fractions.sorted() && fractions.last == 1 && fractions.count > 20)
        #expect(seen.withLock { $0.contains { $0.phase == "Making Ellipse" } })
    }

    @Test func sourceExpressionChoosesObjects() throws {
        try ShapesModels.makeStore(folder.file())
        var mapping = try ShapesModels.mapping()
        mapping["CircleToEllipse"]?.sourceExpression = try FetchExpression(
            format: """
                FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Circle", \
                "radius > 2")
                """
        )
        let container = try PersistentContainer(
            model: ShapesModels.second(),
            url: folder.file(),
            options: options(mapping)
        )
        #expect(try container.viewContext.count(for: FetchRequest<Int>(entityName: "Ellipse")) == 2)
        container.close()
    }

    @Test func storeOfOneTypeBecomesOneOfAnother() throws {
        try ShapesModels.makeStore(folder.file())
        let source = try PersistentStoreCoordinator(model: ShapesModels.first())
        _ = try source.addStore(StoreDescription(url: folder.file()))
        let memory = try PersistentStoreCoordinator(model: ShapesModels.second())
        _ = try memory.addStore(StoreDescription(options: .inMemory))
        try MigrationManager(from: source, to: memory, mapping: ShapesModels.mapping()).migrate()
        #expect(try ShapesModels.lines(ManagedObjectContext(coordinator: memory)) == Self.lines)
        // And back to a file, without a change of the model.
        let again = try PersistentStoreCoordinator(model: ShapesModels.second())
        _ = try again.addStore(StoreDescription(url: folder.file("again.sqlite")))
        let same = try MappingModel.inferred(from: ShapesModels.second(), to: ShapesModels.second())
        #expect(same.entityMappings.allSatisfy { $0.kind == .copy })
        try MigrationManager(from: memory, to: again, mapping: same).migrate()
        #expect(try ShapesModels.lines(ManagedObjectContext(coordinator: again)) == Self.lines)
    }

    @Test(arguments: [StoreType.sqlite, .xml, .binary, .text])
    func theEntriesOfProgramsGoAlongIntoANewStore(_ type: StoreType) throws {
        try ShapesModels.makeStore(folder.file())
        let source = try PersistentContainer(model: ShapesModels.first(), url: folder.file())
        let store = try #require(source.coordinator.persistentStores.first)
        var metadata = try source.coordinator.metadata(of: store)
        metadata["Mine"] = .array([1, "x"])
        try source.coordinator.setMetadata(metadata, of: store)
        try source.coordinator.writeMetadata()
        source.close()
        var options = StoreOptions()
        options.type = type
        let place = StoreDescription(url: folder.file("new.store"), options: options)
        try PersistentStoreCoordinator.migrateStore(
            from: StoreDescription(url: folder.file()),
            model: ShapesModels.first(),
            to: place,
            model: ShapesModels.second(),
            mapping: ShapesModels.mapping()
        )
        let made = try PersistentStoreCoordinator.metadata(ofStoreAt: folder.file("new.store"))
        #expect(made["Mine"] == .array([1, "x"]))
        #expect(made.storeType == type)
        #expect(made.storeIdentifier != metadata.storeIdentifier)
    }

    @Test func newStoreIsMadeBesideTheOldOne() throws {
        try ShapesModels.makeStore(folder.file())
        try PersistentStoreCoordinator.migrateStore(
            from: StoreDescription(url: folder.file()),
            model: ShapesModels.first(),
            to: StoreDescription(url: folder.file("new.sqlite")),
            model: ShapesModels.second(),
            mapping: ShapesModels.mapping()
        )
        #expect(folder.names == ["new.sqlite", "store.sqlite"])
        let container = try PersistentContainer(
            model: ShapesModels.second(),
            url: folder.file("new.sqlite")
        )
        #expect(try ShapesModels.lines(container.viewContext) == Self.lines)
        container.close()
        try PersistentContainer(model: ShapesModels.first(), url: folder.file()).close()
    }
}
