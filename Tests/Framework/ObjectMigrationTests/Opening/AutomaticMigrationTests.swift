import Foundation
import ObjectGraph
import ObjectModel
import SQLiteStore
import Testing

/// A first version of a program's classes.
enum First {
    final class Note: ManagedObject {
        @Managed var title = ""
        @Managed var tags: Set<Tag>
    }

    final class Tag: ManagedObject {
        @Managed var name = ""
        @Managed(inverse: \.tags) var notes: Set<Note>
    }
}

/// The same program, one property and one class later.
enum Second {
    final class Note: ManagedObject {
        @Managed var title = ""
        @Managed var stars = 3
        @Managed var comment: String?
        @Managed var tags: Set<Tag>
    }

    final class Tag: ManagedObject {
        @Managed var name = ""
        @Managed(inverse: \.tags) var notes: Set<Note>
    }

    final class Folder: ManagedObject {
        @Managed var name = ""
    }
}

/// A store of another version, opened as programs open stores.
@Suite struct AutomaticMigrationTests {
    private let folder: MigrationFolder

    init() throws { folder = try MigrationFolder() }

    private func makeFirst() throws {
        let container = try PersistentContainer(for: First.Note.self, url: folder.file())
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

    @Test func programThatAddsAPropertyAndAClassJustOpensItsStore() throws {
        try makeFirst()
        let container = try PersistentContainer(
            for: Second.Note.self,
            Second.Folder.self,
            url: folder.file()
        )
        let context = container.viewContext
        let notes = try context.fetch(FetchRequest<Second.Note>(sortedBy: \.title))
        #expect(notes.map(\.title) == (0..<5).map { "note \($0)" })
        #expect(notes.allSatisfy { $0.stars == 3 && $0.comment == nil })
        #expect(notes.allSatisfy { $0.tags.map(\.name) == ["home"] })
        context.insert(Second.Folder.self).name = "new"
        notes[0].stars = 5
        try context.save(as: "Edit")
        #expect(try context.undoSteps().map(\.name) == ["Edit", "Begin"])
        container.close()
        #expect(folder.names == ["store.sqlite"])
    }

    enum Way: CaseIterable { case inPlace, beside, otherType }

    @Test(arguments: Way.allCases)
    func storeWithAFlippedBitIsNotMigratedUntilItIsRepaired(_ way: Way) throws {
        try makeFirst()
        var data = try Data(contentsOf: folder.file())
        let title = try #require(data.range(of: Data("note 3".utf8)))
        data[title.lowerBound] ^= 1
        try data.write(to: folder.file())
        func migrate() throws -> [String] {
            if way == .otherType {
                let container = try PersistentContainer(for: First.Note.self, url: folder.file())
                defer { container.close() }
                var options = StoreOptions()
                options.type = .xml
                let coordinator = container.coordinator
                try coordinator.migrateStore(
                    coordinator.persistentStores[0],
                    to: StoreDescription(url: folder.file("store.xml"), options: options)
                )
                container.viewContext.reset()
                return try container.viewContext.fetch(FetchRequest<First.Note>()).map(\.title)
            }
            var options = StoreOptions()
            if way == .beside {
                options.migration.mappings = [
                    try MappingModel.inferred(
                        from: ManagedObjectModel(for: [First.Note.self]),
                        to: ManagedObjectModel(for: [Second.Note.self, Second.Folder.self])
                    )
                ]
            }
            let container = try PersistentContainer(
                for: Second.Note.self,
                Second.Folder.self,
                url: folder.file(),
                options: options
            )
            defer { container.close() }
            return try container.viewContext.fetch(FetchRequest<Second.Note>()).map(\.title)
        }
        let error = #expect(throws: ObjectGraphError.self) { _ = try migrate() }
        #expect(error?.code == .damagedFile, "\(String(describing: error))")
        #expect(error?.message.contains("(number ") == true, "\(String(describing: error))")
        #expect(try Data(contentsOf: folder.file()) == data)
        #expect(folder.names.filter { !$0.hasPrefix("store.sqlite") } == [])
        _ = try PersistentStoreCoordinator.repairPages(at: folder.file())
        #expect(try migrate().sorted() == (0..<5).map { "note \($0)" })
    }

    @Test func olderProgramIsKeptFromTheStoreOfANewerOne() throws {
        try makeFirst()
        var options = StoreOptions()
        options.migration.readableBy = "Notes 2 or later"
        try PersistentContainer(
            for: Second.Note.self,
            Second.Folder.self,
            url: folder.file(),
            options: options
        ).close()
        let before = try Data(contentsOf: folder.file())
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try PersistentContainer(for: First.Note.self, url: folder.file())
        }
        #expect(error?.code == .incompatibleVersion)
        #expect(error?.message.contains("Notes 2 or later") == true, "\(String(describing: error))")
        #expect(try Data(contentsOf: folder.file()) == before)
    }

    @Test func storeMadeByANewerProgramIsNotReducedByAnOlderOne() throws {
        var options = StoreOptions()
        options.migration.readableBy = "Notes 2 or later"
        try PersistentContainer(
            for: Second.Note.self,
            Second.Folder.self,
            url: folder.file(),
            options: options
        ).close()
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try PersistentContainer(for: First.Note.self, url: folder.file())
        }
        #expect(error?.code == .incompatibleVersion)
        #expect(error?.message.contains("Note.stars") == true)
        #expect(error?.message.contains("Notes 2 or later") == true)

        // Allowed, or with a model that the program knows, it may.
        var allowed = StoreOptions()
        allowed.migration.allowsLoss = true
        try PersistentContainer(for: First.Note.self, url: folder.file(), options: allowed).close()
        #expect(try RawFile(folder.file()).rows("SELECT * FROM Z_PRIMARYKEY").count == 2)
    }

    @Test func removalIsDoneIfTheOldModelIsAmongTheVersions() throws {
        try PersistentContainer(
            for: Second.Note.self,
            Second.Folder.self,
            url: folder.file()
        ).close()
        var options = StoreOptions()
        options.migration.versions = [
            try ManagedObjectModel(for: [Second.Note.self, Second.Folder.self])
        ]
        try PersistentContainer(for: First.Note.self, url: folder.file(), options: options).close()
        let columns = try RawFile(folder.file()).rows("SELECT name FROM pragma_table_info('ZNOTE')")
        #expect(Set(columns) == ["Z_PK", "Z_ENT", "Z_OPT", "ZTITLE"])
    }

    @Test func storeForReadingIsNotMigrated() throws {
        try makeFirst()
        let before = try Data(contentsOf: folder.file())
        var options = StoreOptions()
        options.isReadOnly = true
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try PersistentContainer(for: Second.Note.self, url: folder.file(), options: options)
        }
        #expect(error?.code == .incompatibleVersion)
        #expect(error?.message.contains("reading only") == true)
        #expect(try Data(contentsOf: folder.file()) == before)
    }

    @Test func nothingIsMigratedIfTheProgramDoesNotWantIt() throws {
        try makeFirst()
        for change in [\MigrationOptions.migratesAutomatically, \.infersMapping] {
            var options = StoreOptions()
            options.migration[keyPath: change] = false
            let error = #expect(throws: ObjectGraphError.self) {
                _ = try PersistentContainer(
                    for: Second.Note.self,
                    url: folder.file(),
                    options: options
                )
            }
            #expect([.incompatibleVersion, .missingMappingModel].contains(error?.code))
        }
        try PersistentContainer(for: First.Note.self, url: folder.file()).close()
    }

    @Test func backupIsTheStoreAsItWas() throws {
        try makeFirst()
        var options = StoreOptions()
        options.migration.keepsBackup = true
        for _ in 0..<2 {
            try PersistentContainer(for: Second.Note.self, url: folder.file(), options: options)
                .close()
            options.migration.allowsLoss = true
            try PersistentContainer(for: First.Note.self, url: folder.file(), options: options)
                .close()
        }
        let backups = ["~2-store.sqlite", "~3-store.sqlite", "~4-store.sqlite", "~store.sqlite"]
        #expect(folder.names == ["store.sqlite"] + backups)
        for name in ["~store.sqlite", "~3-store.sqlite"] {
            let container = try PersistentContainer(for: First.Note.self, url: folder.file(name))
            #expect(try First.Note.count(in: container.viewContext) == 5)
            container.close()
        }
    }

    @Test func hookComesFirstAndCanRefuse() throws {
        try makeFirst()
        let before = try Data(contentsOf: folder.file())
        struct Refusal: Error {}
        var options = StoreOptions()
        options.migration.beforeMigration = { pending in
            #expect(pending.isInPlace && pending.stepCount == 1)
            #expect(pending.metadata["NSStoreType"] == .string("SQLite"))
            throw Refusal()
        }
        #expect(throws: Refusal.self) {
            _ = try PersistentContainer(for: Second.Note.self, url: folder.file(), options: options)
        }
        #expect(try Data(contentsOf: folder.file()) == before)
    }

    @Test func storeThatIsOpenElsewhereIsNotMigrated() throws {
        try makeFirst()
        let open = try PersistentContainer(for: First.Note.self, url: folder.file())
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try PersistentContainer(for: Second.Note.self, url: folder.file())
        }
        #expect(error?.code == .timedOut)
        open.viewContext.insert(First.Note.self).title = "still"
        try open.viewContext.save()
        open.close()
        try PersistentContainer(for: Second.Note.self, url: folder.file()).close()
    }

    @Test func needForAMigrationShowsInTheMetadataAlone() throws {
        try makeFirst()
        let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: folder.file())
        let first = try ManagedObjectModel(for: [First.Note.self])
        let second = try ManagedObjectModel(for: [Second.Note.self])
        #expect(try !PersistentStoreCoordinator(model: first).needsMigration(metadata))
        #expect(try PersistentStoreCoordinator(model: second).needsMigration(metadata))
        #expect(ManagedObjectModel.version(of: metadata, among: [second, first]) === first)
        #expect(ManagedObjectModel.version(of: metadata, among: [second]) == nil)
    }

    @Test func olderFileOfOursGetsTheArchiveOfItsModelWhenItIsOpenedForWriting() throws {
        try makeFirst()
        // As it was before stores kept their model.
        try RawFile(folder.file()).execute("DROP TABLE OG_MODEL")
        try removeModelKey()
        var reading = StoreOptions()
        reading.isReadOnly = true
        try PersistentContainer(for: First.Note.self, url: folder.file(), options: reading).close()
        #expect(try SQLiteStore.modelArchive(at: folder.file()) == nil)
        let unknown = #expect(throws: ObjectGraphError.self) {
            _ = try PersistentContainer(for: Second.Note.self, url: folder.file())
        }
        #expect(unknown?.code == .missingSourceModel)
        try PersistentContainer(for: First.Note.self, url: folder.file()).close()
        let kept = try #require(try SQLiteStore.modelArchive(at: folder.file())).model()
        #expect(kept.differences(from: try ManagedObjectModel(for: [First.Note.self])).isEmpty)
        // It is written once.
        let bytes = try Data(contentsOf: folder.file())
        try PersistentContainer(for: First.Note.self, url: folder.file()).close()
        #expect(try Data(contentsOf: folder.file()) == bytes)
        try PersistentContainer(for: Second.Note.self, url: folder.file()).close()
    }

    private func removeModelKey() throws {
        let list = try PropertyListSerialization.propertyList(
            from: Data(
                try #require(
                    RawFile(folder.file()).rows("SELECT hex(Z_PLIST) FROM Z_METADATA").first
                ).hexBytes
            ),
            format: nil
        )
        var entries = try #require(list as? [String: Any])
        entries["OGModel"] = nil
        let data = try PropertyListSerialization.data(
            fromPropertyList: entries,
            format: .binary,
            options: 0
        )
        let text = data.map { String(format: "%02x", $0) }.joined()
        try RawFile(folder.file()).execute("UPDATE Z_METADATA SET Z_PLIST = x'\(text)'")
    }
}

extension String {
    /// The bytes that hexadecimal digits spell.
    fileprivate var hexBytes: [UInt8] {
        let digits = Array(utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
        }
    }
}
