import CFaultyDisk
import Foundation
import ObjectGraph
import ObjectModel
import SQLiteStore
import SeededRandom
import Testing

extension MigrationFailureTests {
    private static let kinds: [(mode: Int, name: String)] = [
        (FAULTY_ANY, "any call"), (FAULTY_BUSY, "busy"), (FAULTY_HELD, "held"),
        (FAULTY_MEMORY, "memory"), (FAULTY_NO_MEMORY, "no memory"),
    ]

    /// Every call of the file system, request for a lock and request for memory fails, or some.
    @Test(arguments: kinds.indices)
    func anyFailingCallLeavesTheOldStoreOrTheNewOne(_ index: Int) throws {
        let (mode, name) = Self.kinds[index]
        let claimed = faulty_disk_claim()
        defer { faulty_disk_release() }
        try #require(claimed == 0)
        let folder = try MigrationFolder()
        let url = folder.file()
        let before = try Self.makeStore(url, each: 6)
        let original = try Data(contentsOf: url)
        var options = SQLiteStoreOptions()
        options.fileSystem = "faulty"
        func migrate(failing number: Int) -> (failure: (any Error)?, count: Int) {
            faulty_disk_set(Int32(mode), number)
            defer { faulty_disk_set(Int32(FAULTY_NEVER), 0) }
            do {
                try SQLiteStore.migrate(url, to: Self.second(), options: options)
                return (nil, faulty_disk_count())
            } catch {
                return (error, faulty_disk_count())
            }
        }
        let whole = migrate(failing: 0)
        #expect(whole.failure == nil)
        #expect(try Self.isMigrated(url, before))
        let seed = UInt64.random(in: 0..<1_000_000)
        var random = SeededRandom(seed: seed)
        var tally = FaultTally("migration, \(name), seed \(seed)")
        for number in FaultTally.numbers(to: whole.count, few: 12, &random) {
            let place = "seed \(seed), \(name) \(number) of \(whole.count)"
            for suffix in ["-wal", "-shm", "-journal"] { unlink(url.path + suffix) }
            try original.write(to: url)
            let failure = migrate(failing: number).failure
            if let failure { #expect(failure is ObjectGraphError, "\(place): \(failure)") }
            // A store that was not touched needs no look.
            let isUntouched = try Data(contentsOf: url) == original && folder.names.count == 1
            let isMigrated: Bool
            do {
                isMigrated = try !isUntouched && Self.isMigrated(url, before)
            } catch {
                tally.tried("unreadable")
                tally.loses()
                Issue.record("\(place): \(error), after: \(String(describing: failure))")
                continue
            }
            tally.tried(
                failure == nil ? "migrated" : isMigrated ? "migrated, with an error" : "not"
            )
            if failure == nil, !isMigrated {
                tally.loses()
                Issue.record("\(place): it is not migrated")
            }
        }
        // What failed last can be done now.
        if try Data(contentsOf: url) == original { try SQLiteStore.migrate(url, to: Self.second()) }
        #expect(try Self.isMigrated(url, before))
        tally.report()
    }

    @Test func missingMemoryForAMappingModelNamesTheStore() throws {
        let folder = try MigrationFolder()
        let first = try PersistentContainer(model: ShapesModels.first(), url: folder.file())
        let second = try PersistentContainer(model: ShapesModels.second(), options: .inMemory)
        let mapping = try ShapesModels.mapping()
        let claimed = faulty_disk_claim()
        defer { faulty_disk_release() }
        try #require(claimed == 0)
        let error = #expect(throws: ObjectGraphError.self) {
            faulty_disk_set(Int32(FAULTY_NO_MEMORY), 1)
            defer { faulty_disk_set(Int32(FAULTY_NEVER), 0) }
            _ = try MigrationManager(
                from: first.coordinator,
                to: second.coordinator,
                mapping: mapping
            )
        }
        #expect(error?.message.contains("memory for the database \"store.sqlite\".") == true)
    }
}
