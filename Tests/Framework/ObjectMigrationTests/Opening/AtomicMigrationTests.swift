import Foundation
import Glibc
import ObjectGraph
import ObjectModel
import Synchronization
import Testing

/// Stores of one file, of another version, opened as programs open stores.
@Suite struct AtomicMigrationTests {
    private let folder: MigrationFolder
    static let types: [StoreType] = [.binary, .xml, .text, ListStore.storeType]

    init() throws {
        folder = try MigrationFolder()
        ListStore.register()
    }

    private static func options(
        _ type: StoreType,
        _ change: (inout MigrationOptions) -> Void = { _ in }
    ) -> StoreOptions {
        var options = StoreOptions()
        options.type = type
        change(&options.migration)
        return options
    }

    private var url: URL { folder.file("store") }

    private func makeFirst(_ type: StoreType) throws {
        let container = try PersistentContainer(
            for: First.Note.self,
            url: url,
            options: Self.options(type)
        )
        defer { container.close() }
        let context = container.viewContext
        let tag = context.insert(First.Tag.self)
        tag.name = "home"
        for index in 0..<5 {
            let note = context.insert(First.Note.self)
            note.title = "note \(index)"
            note.tags = [tag]
        }
        try context.save(as: "Begin")
    }

    private func openSecond(
        _ type: StoreType,
        _ change: (inout MigrationOptions) -> Void = { _ in }
    ) throws -> PersistentContainer {
        try PersistentContainer(
            for: Second.Note.self,
            Second.Folder.self,
            url: url,
            options: Self.options(type, change)
        )
    }

    /// The files of the store, with what they hold.
    private func files() throws -> [String: Data] {
        try folder.names.reduce(into: [:]) { $0[$1] = try Data(contentsOf: folder.file($1)) }
    }

    @Test(arguments: types)
    func programThatAddsAPropertyAndAClassJustOpensItsStore(_ type: StoreType) throws {
        try makeFirst(type)
        let names = folder.names
        let before = try GraphDump(
            url,
            ManagedObjectModel(for: [First.Note.self]),
            options: Self.options(type)
        )
        let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: url, type: type)
        for _ in 0..<2 {
            let container = try openSecond(type)
            defer { container.close() }
            let context = container.viewContext
            let notes = try context.fetch(FetchRequest<Second.Note>(sortedBy: \.title))
            #expect(notes.map(\.title) == (0..<5).map { "note \($0)" })
            #expect(notes.allSatisfy { $0.stars == 3 && $0.comment == nil })
            #expect(notes.allSatisfy { $0.tags.map(\.name) == ["home"] })
            #expect(Set(notes.map { "Note/\($0.objectID.key)" }).isSubset(of: before.objects.keys))
            #expect(container.coordinator.persistentStores.first?.identifier == metadata.identifier)
        }
        let container = try openSecond(type)
        container.viewContext.insert(Second.Folder.self).name = "new"
        try container.viewContext.save()
        container.close()
        #expect(folder.names == names)
    }

    @Test(arguments: types)
    func olderProgramIsKeptFromTheStoreOfANewerOne(_ type: StoreType) throws {
        try makeFirst(type)
        try openSecond(type) { $0.readableBy = "Notes 2 or later" }.close()
        let before = try files()
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try PersistentContainer(
                for: First.Note.self,
                url: url,
                options: Self.options(type)
            )
        }
        #expect(error?.code == .incompatibleVersion)
        #expect(error?.message.contains("Notes 2 or later") == true, "\(String(describing: error))")
        #expect(try files() == before)
        try PersistentContainer(
            for: First.Note.self,
            url: url,
            options: Self.options(type) { $0.allowsLoss = true }
        ).close()
    }

    @Test(arguments: types)
    func storeForReadingOrOfAProgramThatWantsNoneIsNotMigrated(_ type: StoreType) throws {
        try makeFirst(type)
        let before = try files()
        var reading = Self.options(type)
        reading.isReadOnly = true
        let refusals = [
            reading, Self.options(type) { $0.migratesAutomatically = false },
            Self.options(type) { $0.infersMapping = false },
            Self.options(type) { $0.beforeMigration = { _ in throw CancellationError() } },
        ]
        for options in refusals {
            #expect(throws: (any Error).self) {
                _ = try PersistentContainer(for: Second.Note.self, url: url, options: options)
            }
            #expect(try files() == before)
        }
    }

    @Test(arguments: types)
    func backupIsTheStoreAsItWas(_ type: StoreType) throws {
        try makeFirst(type)
        let other = folder.file("asked")
        try openSecond(type) { migration in
            migration.keepsBackup = true
            migration.beforeMigration = { try $0.backUp(to: other) }
        }.close()
        for place in [other, folder.file("~store")] {
            let container = try PersistentContainer(
                for: First.Note.self,
                url: place,
                options: Self.options(type)
            )
            #expect(try First.Note.count(in: container.viewContext) == 5)
            container.close()
        }
    }

    @Test(arguments: types)
    func mappingModelMakesANewStoreAndTokensExpire(_ type: StoreType) throws {
        MigrationPolicies.register("CirclePolicy") { CirclePolicy() }
        try ShapesModels.makeStore(url, canvases: 3, circles: 4, options: Self.options(type))
        let first = try PersistentContainer(
            model: ShapesModels.first(),
            url: url,
            options: Self.options(type)
        )
        let store = try #require(first.coordinator.persistentStores.first)
        try first.coordinator.setMetadata(["Shapes.zoom": 2], of: store)
        try first.viewContext.save()
        let token = try first.coordinator.currentHistoryToken()
        first.close()
        let mapping = try ShapesModels.mapping()
        let container = try PersistentContainer(
            model: ShapesModels.second(),
            url: url,
            options: Self.options(type) { migration in
                migration.versions = [ShapesModels.first()]
                migration.mappings = [mapping]
            }
        )
        let count = try container.viewContext.count(for: FetchRequest<Int>(entityName: "Ellipse"))
        #expect(count == 12)
        let new = try #require(container.coordinator.persistentStores.first)
        #expect(new.identifier != store.identifier)
        #expect(try container.coordinator.metadata(of: new)["Shapes.zoom"] == 2)
        try HistoryTokenTests.expectExpired(token, container)
    }

    @Test(arguments: types)
    func workOfAStageIsPartOfTheMigration(_ type: StoreType) throws {
        try makeFirst(type)
        let first = try ManagedObjectModel(for: [First.Note.self])
        let second = try ManagedObjectModel(for: [Second.Note.self, Second.Folder.self])
        let stage = MigrationStage.custom(
            "Count stars",
            from: ModelReference(first),
            to: ModelReference(second),
            willMigrate: { context in
                let notes = try context.fetch(FetchRequest<ManagedObject>(entityName: "Note"))
                for note in notes { try note.setValue("before", forKey: "title") }
                _ = try context.insert(entityNamed: "Note")
            },
            didMigrate: { context in
                let notes = try context.fetch(FetchRequest<ManagedObject>(entityName: "Note"))
                for note in notes { try note.setValue(5, forKey: "stars") }
                _ = try context.insert(entityNamed: "Folder")
            }
        )
        let container = try openSecond(type) { $0.stages = StagedMigration([stage]) }
        let notes = try container.viewContext.fetch(FetchRequest<Second.Note>())
        #expect(notes.count == 6 && notes.allSatisfy { $0.stars == 5 })
        #expect(notes.filter { $0.title == "before" }.count == 5)
        #expect(try Second.Folder.count(in: container.viewContext) == 1)
    }

    @Test(arguments: types)
    func valuesThatMustBeUniqueNowAreNamedAndNothingChanges(_ type: StoreType) throws {
        func model(_ isUnique: Bool) -> ManagedObjectModel {
            let entity = EntityDescription(
                "Person",
                [AttributeDescription("name", .string)]
                    + (isUnique ? [AttributeDescription("born", .date)] : [])
            )
            if isUnique { entity.uniquenessConstraints = [["name"]] }
            return ManagedObjectModel([entity])
        }
        let first = try PersistentContainer(
            model: model(false),
            url: url,
            options: Self.options(type)
        )
        for _ in 0..<2 {
            try first.viewContext.insert(entityNamed: "Person").setValue("same", forKey: "name")
        }
        try first.viewContext.save()
        first.close()
        let before = try files()
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try PersistentContainer(
                model: model(true),
                url: url,
                options: Self.options(type)
            )
        }
        #expect(error?.code == .migrationConstraint && error?.key == "name")
        #expect(try files() == before)
    }

    /// Ends the child when the report of the progress has come so often.
    @Test(arguments: types, [1, 4, 12, 100])
    func killedOrCancelledTheStoreIsTheOldOne(_ type: StoreType, _ number: Int) async throws {
        try makeFirst(type)
        let before = try files()
        let count = Mutex(0)
        let box = Mutex<MigrationMonitor?>(nil)
        let monitor = MigrationMonitor { _ in
            let reports = count.withLock { count -> Int in
                count += 1
                return count
            }
            if reports == number { box.withLock { $0 }?.cancel() }
        }
        box.withLock { $0 = monitor }
        if let error = failure({ try openSecond(type) { $0.monitor = monitor }.close() }) {
            #expect((error as? ObjectGraphError)?.code == .cancelled)
            #expect(try files() == before)
        } else {
            #expect(number == 100)
            return
        }
        let (path, name) = (url.path, type.rawValue)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, name = name as String, number] in
            ListStore.register()
            let count = Mutex(0)
            var options = StoreOptions()
            options.type = StoreType(rawValue: name)
            options.migration.monitor = MigrationMonitor { _ in
                let reports = count.withLock { count -> Int in
                    count += 1
                    return count
                }
                if reports == number { kill(getpid(), SIGKILL) }
            }
            try PersistentContainer(
                for: Second.Note.self,
                url: URL(fileURLWithPath: path),
                options: options
            ).close()
        }
        #expect(try files() == before)
        let container = try openSecond(type)
        #expect(try Second.Note.count(in: container.viewContext) == 5)
    }

    @Test(arguments: types)
    func storeThatAnotherProgramMigratedMeanwhileIsJustOpened(_ type: StoreType) throws {
        try makeFirst(type)
        let (url, name) = (url, type.rawValue)
        let container = try openSecond(type) { migration in
            // After the decision to migrate, and before the store is read for it.
            migration.beforeMigration = { _ in
                var options = StoreOptions()
                options.type = StoreType(rawValue: name)
                try PersistentContainer(
                    for: Second.Note.self,
                    Second.Folder.self,
                    url: url,
                    options: options
                ).close()
            }
        }
        #expect(try Second.Note.count(in: container.viewContext) == 5)
    }

    @Test(arguments: types)
    func storeThatAnotherProgramWroteMeanwhileIsNotOverwritten(_ type: StoreType) throws {
        try makeFirst(type)
        let url = url
        let isDone = Mutex(false)
        let monitor = MigrationMonitor { progress in
            guard progress.phase.hasPrefix("Making"), isDone.withLock({ !$0 }) else { return }
            isDone.withLock { $0 = true }
            let other = try? PersistentContainer(
                for: First.Note.self,
                url: url,
                options: AtomicMigrationTests.options(type)
            )
            other?.viewContext.insert(First.Note.self)
            try? other?.viewContext.save()
            other?.close()
        }
        let error = #expect(throws: ObjectGraphError.self) {
            try openSecond(type) { $0.monitor = monitor }.close()
        }
        #expect(error?.code == .storeReplaced)
        let container = try openSecond(type)
        #expect(try Second.Note.count(in: container.viewContext) == 6)
    }

    @Test(arguments: types)
    func newStoreThatCannotBeMadeLeavesNoFile(_ type: StoreType) throws {
        try makeFirst(type)
        let before = try files()
        let source = StoreDescription(url: url, options: Self.options(type))
        let target = StoreDescription(url: folder.file("new"), options: Self.options(type))
        let model = try ManagedObjectModel(for: [First.Note.self])
        let empty = try ManagedObjectModel(for: [First.Note.self])
        var mapping = try MappingModel.inferred(from: model, to: empty)
        for index in mapping.entityMappings.indices {
            mapping.entityMappings[index].policyName = "No such policy"
        }
        #expect(throws: ObjectGraphError.self) {
            try PersistentStoreCoordinator.migrateStore(
                from: source,
                model: model,
                to: target,
                model: empty,
                mapping: mapping
            )
        }
        #expect(try files() == before)
        try PersistentStoreCoordinator.migrateStore(
            from: source,
            model: model,
            to: target,
            model: empty
        )
        let dump = try GraphDump(folder.file("new"), model, options: Self.options(type))
        #expect(dump.objects.count == 6)
    }

    @Test func incrementalStoreOfAnotherVersionIsRefusedWithASentence() throws {
        final class Old: IncrementalStore {
            override func loadMetadata() throws {
                metadata["NSStoreModelVersionHashes"] = .dictionary(["Note": .data(Data([1]))])
            }
        }
        let type = StoreType(rawValue: "Old")
        try PersistentStoreCoordinator.register(Old.self, as: type)
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try PersistentContainer(
                for: First.Note.self,
                url: url,
                options: Self.options(type)
            )
        }
        #expect(error?.code == .incompatibleVersion)
        #expect(error?.message.contains("cannot migrate") == true)
    }

    private func failure(_ body: () throws -> Void) -> (any Error)? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }
}

extension StoreMetadata {
    fileprivate var identifier: UUID? {
        guard case .string(let text)? = self["NSStoreUUID"] else { return nil }
        return UUID(uuidString: text)
    }
}
