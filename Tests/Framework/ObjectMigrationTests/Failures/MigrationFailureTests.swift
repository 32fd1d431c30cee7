import CFaultyDisk
import Foundation
import ObjectGraph
import ObjectModel
import SQLiteStore
import SeededRandom
import Synchronization
import Testing

/// Failures and kills at every point of a migration: the old store or the new one, and whole.
@Suite(.serialized) struct MigrationFailureTests {
    /// A model whose migration needs every kind of step: a rebuilt table, a changed one, a removed
    /// one, joins, indexes, the search index, the history.
    static func first() -> ManagedObjectModel {
        let item = EntityDescription(
            "Item",
            [
                AttributeDescription("title", .string, optional: false, default: .string("")),
                AttributeDescription("old", .string), AttributeDescription("older", .integer64),
                AttributeDescription("size", .integer64),
                RelationshipDescription("tags", to: "Tag", inverse: "items", toMany: true),
                RelationshipDescription("gone", to: "Gone", inverse: "items"),
            ]
        )
        item.ownProperties[0].isSearched = true
        let task = EntityDescription(
            "Task",
            superentity: "Item",
            [AttributeDescription("due", .date)]
        )
        let tag = EntityDescription(
            "Tag",
            [
                AttributeDescription("name", .string),
                RelationshipDescription("items", to: "Item", inverse: "tags", toMany: true),
            ]
        )
        let gone = EntityDescription(
            "Gone",
            [
                AttributeDescription("name", .string),
                RelationshipDescription("items", to: "Item", inverse: "gone", toMany: true),
            ]
        )
        return ManagedObjectModel([item, task, tag, gone])
    }

    static func second() -> ManagedObjectModel {
        let item = EntityDescription(
            "Thing",
            [
                AttributeDescription("headline", .string, optional: false, default: .string("")),
                AttributeDescription("stars", .integer64, optional: false, default: .int(3)),
                AttributeDescription("size", .integer64),
                RelationshipDescription(
                    "tags",
                    to: "Tag",
                    inverse: "items",
                    toMany: true,
                    ordered: true
                ),
            ]
        )
        item.renamingIdentifier = "Item"
        item.ownProperties[0].renamingIdentifier = "title"
        item.ownProperties[0].isSearched = true
        item.indexes = [FetchIndexDescription("bySize", [.init("size")])]
        let task = EntityDescription(
            "Task",
            superentity: "Thing",
            [AttributeDescription("due", .date)]
        )
        let extra = EntityDescription("Extra", [AttributeDescription("name", .string)])
        let tag = EntityDescription(
            "Tag",
            [
                AttributeDescription("name", .string),
                RelationshipDescription("items", to: "Thing", inverse: "tags", toMany: true),
            ]
        )
        return ManagedObjectModel([item, task, tag, extra])
    }

    static func makeStore(_ url: URL, each count: Int = 60) throws -> GraphDump {
        var filling = GraphFilling(SeededRandom(seed: 3))
        try filling.makeStore(url, first(), each: count)
        return try GraphDump(url, first())
    }

    /// Which of the two states a store has; opening it finishes or takes back what a kill has left.
    static func isMigrated(_ url: URL, _ before: GraphDump) throws -> Bool {
        let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: url)
        let models = [first(), second()]
        let model = try #require(ManagedObjectModel.version(of: metadata, among: models))
        let isMigrated = model === models[1]
        let dump = try GraphDump(url, model)
        let wanted =
            isMigrated
            ? before.migrated(by: try ModelCorrespondence(from: first(), to: model)) : before
        #expect(dump.differences(from: wanted).isEmpty)
        #expect(try RawFile(url).integrity() == "ok")
        return isMigrated
    }

    @Test(arguments: [FAULTY_ERROR, FAULTY_FULL])
    func anyFailingWriteLeavesTheOldStoreOrTheNewOne(_ mode: Int) throws {
        let claimed = faulty_disk_claim()
        defer { faulty_disk_release() }
        try #require(claimed == 0)
        let folder = try MigrationFolder()
        let template = folder.file("template.sqlite")
        let before = try Self.makeStore(template, each: 12)
        var options = SQLiteStoreOptions()
        options.fileSystem = "faulty"
        var failures = 0
        // One of three writes, or each one in long tests.
        for number in stride(from: 1, to: .max, by: SeededRandom.rounds(3, long: 1)) {
            let url = folder.file("\(number).sqlite")
            try FileManager.default.copyItem(at: template, to: url)
            faulty_disk_set(Int32(mode), number)
            var failure: (any Error)?
            do {
                try SQLiteStore.migrate(url, to: Self.second(), options: options)
            } catch { failure = error }
            let operations = faulty_disk_count()
            faulty_disk_set(Int32(FAULTY_NEVER), 0)
            let isMigrated = try Self.isMigrated(url, before)
            if let failure {
                failures += 1
                #expect(failure is ObjectGraphError, "write \(number): \(failure)")
                // A commit whose last sync fails may be there all the same.
                if !isMigrated { try SQLiteStore.migrate(url, to: Self.second()) }
                #expect(try Self.isMigrated(url, before))
            } else {
                #expect(isMigrated)
            }
            try FileManager.default.removeItem(at: url)
            if operations < number { break }
        }
        #expect(failures > 3)
    }

    /// A third of them, always the same, unless `DOCKET_SEEDS` asks for long tests.
    private static func share<Element>(of list: [Element]) -> [Element] {
        var random = SeededRandom(seed: 2)
        return random.share(of: list, oneIn: 3)
    }

    @Test(
        arguments: [FAULTY_KILL, FAULTY_TORN],
        share(of: [1, 2, 3, 5, 8, 12, 16, 20, 24, 28, 32, 40, 60])
    )
    func killedInPlaceTheStoreIsTheOldOrTheNewOne(_ mode: Int, _ number: Int) async throws {
        let folder = try MigrationFolder()
        let url = folder.file()
        let before = try Self.makeStore(url)
        let path = url.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, mode, number] in
            _ = faulty_disk_register()
            var options = SQLiteStoreOptions()
            options.fileSystem = "faulty"
            faulty_disk_set(Int32(mode), number)
            try SQLiteStore.migrate(
                URL(fileURLWithPath: path),
                to: MigrationFailureTests.second(),
                options: options
            )
            // The migration took fewer writes.
            kill(getpid(), SIGKILL)
        }
        let isMigrated = try Self.isMigrated(url, before)
        try PersistentContainer(model: Self.second(), url: url, options: Self.allowing).close()
        #expect(try Self.isMigrated(url, before))
        #expect(folder.names == ["store.sqlite"], "\(isMigrated)")
    }

    private static var allowing: StoreOptions {
        var options = StoreOptions()
        options.migration.allowsLoss = true
        return options
    }

    /// Kills the child when the report of the progress has come so often.
    @Test(arguments: share(of: [1, 2, 3, 4, 6, 9, 14, 20, 30, 45]))
    func killedBesideTheStoreIsTheOldOrTheNewOne(_ number: Int) async throws {
        let folder = try MigrationFolder()
        let url = folder.file()
        try ShapesModels.makeStore(url, canvases: 20, circles: 20)
        let before = try GraphDump(url, ShapesModels.first())
        let path = url.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, number] in
            MigrationPolicies.register("CirclePolicy") { CirclePolicy() }
            let count = Mutex(0)
            var options = StoreOptions()
            options.migration.versions = [ShapesModels.first()]
            options.migration.mappings = [try ShapesModels.mapping()]
            options.migration.monitor = MigrationMonitor { _ in
                let reports = count.withLock { count -> Int in
                    count += 1
                    return count
                }
                if reports == number { kill(getpid(), SIGKILL) }
            }
            let container = try PersistentContainer(
                model: ShapesModels.second(),
                url: URL(fileURLWithPath: path),
                options: options
            )
            container.close()
            kill(getpid(), SIGKILL)
        }
        let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: url)
        if ManagedObjectModel.version(of: metadata, among: [ShapesModels.first()]) != nil {
            #expect(try GraphDump(url, ShapesModels.first()) == before)
        }
        // The next try cleans up what was left, and succeeds.
        MigrationPolicies.register("CirclePolicy") { CirclePolicy() }
        var options = StoreOptions()
        options.migration.versions = [ShapesModels.first()]
        options.migration.mappings = [try ShapesModels.mapping()]
        let container = try PersistentContainer(
            model: ShapesModels.second(),
            url: url,
            options: options
        )
        #expect(
            try container.viewContext.count(for: FetchRequest<Int>(entityName: "Ellipse")) == 400
        )
        container.close()
        #expect(folder.names == ["store.sqlite"])
    }

    @Test func cancelInTheMiddleLeavesTheStoreAndComesAtOnce() throws {
        let folder = try MigrationFolder()
        let url = folder.file()
        let before = try Self.makeStore(url, each: 20)
        try RawFile(url).execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)
            INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZOLD) SELECT i, 2, 1, 'row ' || i, 'x' FROM n
            """
        )
        for part in Self.share(of: [0.1, 0.3, 0.5, 0.7, 0.9]) {
            let box = Mutex<MigrationMonitor?>(nil)
            let asked = Mutex<ContinuousClock.Instant?>(nil)
            let monitor = MigrationMonitor { progress in
                if progress.fraction >= part, asked.withLock({ $0 == nil }) {
                    asked.withLock { $0 = .now }
                    box.withLock { $0 }?.cancel()
                }
            }
            box.withLock { $0 = monitor }
            let error = #expect(throws: ObjectGraphError.self) {
                try SQLiteStore.migrate(url, to: Self.second(), monitor: monitor)
            }
            #expect(error?.code == .cancelled)
            let time = try #require(asked.withLock { $0 }).duration(to: .now)
            print("cancelled at \(part) after \(time)")
            #expect(time < .milliseconds(500))
        }
        #expect(try RawFile(url).rows("SELECT COUNT(*) FROM ZITEM WHERE Z_PK < 1000").count == 1)
        try RawFile(url).execute("DELETE FROM ZITEM WHERE Z_PK >= 1000")
        #expect(try GraphDump(url, Self.first()) == before)
    }

    @Test(arguments: 0..<4)
    func twoProgramsThatStartTogetherBothFindTheNewStore(_: Int) async throws {
        let folder = try MigrationFolder()
        let before = try Self.makeStore(folder.file())
        let path = folder.file().path
        async let first = #expect(processExitsWith: .success) { [path = path as String] in
            try MigrationFailureTests.openNewest(path)
        }
        async let second = #expect(processExitsWith: .success) { [path = path as String] in
            try MigrationFailureTests.openNewest(path)
        }
        _ = await (first, second)
        #expect(try Self.isMigrated(folder.file(), before))
    }

    @Test func programThatFindsTheStoreMigratedAndInUseJustOpensIt() throws {
        let folder = try MigrationFolder()
        _ = try Self.makeStore(folder.file(), each: 5)
        var first: PersistentContainer?
        var options = Self.allowing
        // Between the decision to migrate and the migration another program does it, and stays.
        options.migration.beforeMigration = { [url = folder.file()] _ in
            try SQLiteStore.migrate(url, to: Self.second())
        }
        first = try PersistentContainer(model: Self.second(), url: folder.file(), options: options)
        defer { first?.close() }
        try SQLiteStore.migrate(folder.file(), to: Self.second())
        let count = try first?.viewContext.count(for: FetchRequest<Int>(entityName: "Thing"))
        #expect(count == 10)
    }

    static func openNewest(_ path: String) throws {
        let url = URL(fileURLWithPath: path)
        let container = try PersistentContainer(model: second(), url: url, options: allowing)
        let count = try container.viewContext.count(for: FetchRequest<Int>(entityName: "Thing"))
        precondition(count == 120)
        container.close()
    }

    @Test func truncatedFileIsAnErrorAndNeverACrash() throws {
        let folder = try MigrationFolder()
        let url = folder.file()
        _ = try Self.makeStore(url, each: 3)
        let bytes = try Data(contentsOf: url)
        let damaged = folder.file("damaged.sqlite")
        for length in Self.share(of: Array(stride(from: 0, to: bytes.count, by: 1024))) {
            try bytes.prefix(length).write(to: damaged)
            #expect(throws: ObjectGraphError.self, "\(length)") {
                try SQLiteStore.migrate(damaged, to: Self.second())
            }
            try FileManager.default.removeItem(at: damaged)
        }
    }

    @Test func damagedBytesAreAnErrorOrAWholeStore() throws {
        let folder = try MigrationFolder()
        let url = folder.file()
        _ = try Self.makeStore(url, each: 3)
        let bytes = try Data(contentsOf: url)
        let damaged = folder.file("damaged.sqlite")
        var random = SeededRandom()
        for _ in 0..<SeededRandom.rounds(30, long: 60) {
            var copy = bytes
            for _ in 0..<8 { copy[random.below(copy.count)] = UInt8(random.below(256)) }
            try copy.write(to: damaged)
            do {
                try SQLiteStore.migrate(damaged, to: Self.second())
            } catch {
                #expect(error is ObjectGraphError, "\(error)")
            }
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: damaged.path + suffix)
            }
        }
    }

    @Test func violatedConstraintIsNamedAndChangesNothing() throws {
        let folder = try MigrationFolder()
        let url = folder.file()
        func model(_ isUnique: Bool) -> ManagedObjectModel {
            let entity = EntityDescription(
                "Person",
                [
                    AttributeDescription("name", .string),
                    AttributeDescription(isUnique ? "born" : "died", .date),
                ]
            )
            if isUnique { entity.uniquenessConstraints = [["name"]] }
            return ManagedObjectModel([entity])
        }
        var filling = GraphFilling(SeededRandom(seed: 1))
        try filling.makeStore(url, model(false))
        try RawFile(url).execute("UPDATE ZPERSON SET ZNAME = 'same'")
        let before = try GraphDump(url, model(false))
        let error = #expect(throws: ObjectGraphError.self) {
            try SQLiteStore.migrate(url, to: model(true))
        }
        #expect(error?.code == .migrationConstraint && error?.key == "name")
        #expect(error?.message.contains("Person") == true)
        #expect(try GraphDump(url, model(false)) == before)
    }
}
