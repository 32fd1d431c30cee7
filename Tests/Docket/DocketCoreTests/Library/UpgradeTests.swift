import CivilTime
import DocketFormats
import Foundation
import Glibc
import LibraryVerbs
import ObjectGraph
import ObjectModelFile
import Synchronization
import Testing

@testable import DocketCore

/// Libraries of older versions of Docket; the files were written by those versions.
@Suite struct UpgradeTests {
    /// A folder with the library of an older version as its store.
    private func folder(version: Int = 1) throws -> LibraryFolder {
        let folder = try LibraryFolder()
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        try FileManager.default.copyItem(
            at: tests.appending(path: "OldLibraries/version-\(version).sqlite"),
            to: folder.store
        )
        return folder
    }

    @Test func everyEarlierModelIsThatOfItsFile() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../Resources/Docket.xcdatamodeld")
        let versions = try ModelPackage(contentsOf: package.path).versions
        let models = EarlierModels.all()
        #expect(models.count == versions.count - 1)
        for (model, name) in zip(models, ["Docket", "Docket 2", "Docket 3"]) {
            let file = try #require(versions[name]).model
            #expect(model.versionIdentifiers == file.versionIdentifiers)
            #expect(model.entityVersionHashes() == file.entityVersionHashes())
        }
    }

    private func open(
        _ folder: LibraryFolder,
        isReadOnly: Bool = false,
        report: @escaping UpgradeReport = { _, _ in true }
    ) throws -> Library {
        try Library(
            url: folder.store,
            author: "test",
            isReadOnly: isReadOnly,
            report: report
        ) { DateContext(now: Date(), zone: .utc) }
    }

    private func task(_ title: String, in library: Library) throws -> Task {
        try #require(
            try Task.all(in: library.context, where: \.title == title).first
        )
    }

    @Test(arguments: 1...3) func everythingOfOlderVersionsIsThere(version: Int) throws {
        let folder = try folder(version: version)
        let library = try open(folder)
        defer { library.close() }
        #expect(try library.count(nil) == 9)
        #expect(try task("Pay rent", in: library).rule == "every month")
        #expect(try task("Send the report", in: library).rule == "weekly")
        let medicine = try task("Take the medicine", in: library)
        #expect(medicine.nextReminder == ISODate.moment("2026-12-01T08:00:00Z", zone: .utc))
        #expect(medicine.subtasks.map(\.title) == ["Morning dose"])
        #expect(medicine.tags.map(\.name) == ["health"])
        #expect(medicine.estimate == 300 && medicine.anchor == 0 && medicine.series == nil)
        #expect(medicine.remindTimes == nil && medicine.lastReviewed == nil)
        let note = try #require(try Note.all(in: library.context).first)
        #expect(note.body == "# Soup\n\nWater, salt and *patience*." && note.sealedBody == nil)
        let found = try library.search("bücher 日本語", matching: nil)
        let titles = found.map { (library.context.object(with: $0) as? Item)?.title }
        #expect(titles == ["Größe der Bücher – 日本語 🌱"])
    }

    @Test func aRepetitionOfVersion1GoesOn() throws {
        let folder = try folder(version: 1)
        let library = try open(folder)
        defer { library.close() }
        for (title, text) in [("Pay rent", "every month"), ("Send the report", "weekly")] {
            let task = try task(title, in: library)
            try library.edit(task, [try FieldChange("due=2020-01-15"), try FieldChange("done=no")])
            try library.edit(task, [try FieldChange("done=yes")])
            let next = try #require(
                try Task.all(
                    in: library.context,
                    where: \.title == title && \.completed == nil
                ).first
            )
            #expect(next.rule == text && next.series == task.series && next.series != nil)
            #expect(next.due.map { $0 > Date() - 86_400 } == true)
        }
    }

    @Test(arguments: 1...3) func theFormerLibraryIsKeptAndNamedAndComesBack(version: Int) throws {
        let folder = try folder(version: version)
        let original = try Data(contentsOf: folder.store)
        let library = try open(folder)
        let former = try #require(library.former)
        #expect(former.reason == .beforeMigration && library.backupFolder.backups == [former])
        #expect(former.upgradeNotice.contains(former.path))
        let everything = try library.everything()
        library.close()
        // Another opening has nothing to do.
        let again = try open(folder)
        #expect(again.former == nil && again.backupFolder.backups.count == 1)
        again.close()
        let restored = try Library.restore(URL(filePath: former.path), over: folder.store) {
            DateContext(now: Date(), zone: .utc)
        }
        #expect(restored.items == 9)
        #expect(try Data(contentsOf: folder.store).count == original.count)
        let third = try open(folder)
        defer { third.close() }
        #expect(third.former != nil)
        #expect(try third.everything() == everything)
    }

    @Test(arguments: 1...3) func commandsOfTheOlderVersionCanBeUndone(version: Int) throws {
        let folder = try folder(version: version)
        let library = try open(folder)
        defer { library.close() }
        var steps = 0
        while try library.undo() != nil { steps += 1 }
        #expect(try library.count(nil) == 0)
        for _ in 0..<steps { _ = try library.redo() }
        #expect(steps == 7)
        #expect(try library.count(nil) == 9)
        #expect(try task("Pay rent", in: library).rule == "every month")
        #expect(
            try task("Take the medicine", in: library).nextReminder
                == ISODate.moment("2026-12-01T08:00:00Z", zone: .utc)
        )
    }

    @Test(arguments: [UpgradeStep.backup, .migration], [0.0, 0.3])
    func aCancelledUpgradeLeavesTheLibraryAsItWas(step: UpgradeStep, part: Double) throws {
        let folder = try folder()
        let original = try Data(contentsOf: folder.store)
        #expect(throws: InputError.self) {
            _ = try open(folder) { $0 != step || $1 < part }
        }
        #expect(try Data(contentsOf: folder.store) == original)
        #expect(BackupFolder(store: folder.store.path).backups.isEmpty)
        let library = try open(folder)
        defer { library.close() }
        #expect(library.former != nil)
    }

    @Test func theProgressGoesFromTheBackupToTheEnd() throws {
        let folder = try folder()
        let seen = Mutex<[(UpgradeStep, Double)]>([])
        let library = try open(folder) { step, part in
            seen.withLock { $0.append((step, part)) }
            return true
        }
        defer { library.close() }
        let all = seen.withLock { $0 }
        let migration = all.drop { $0.0 == .backup }
        #expect(all.count > migration.count && migration.allSatisfy { $0.0 == .migration })
        for steps in [all.dropLast(migration.count), migration] {
            #expect(steps.map(\.1) == steps.map(\.1).sorted())
            #expect(steps.last?.1 == 1)
        }
    }

    @Test func aLibraryThatIsOpenElsewhereStaysAsItWas() throws {
        let folder = try folder()
        var options = StoreOptions()
        options.configuration = "Main"
        options.migration.migratesAutomatically = false
        let old = try PersistentContainer(
            model: EarlierModels.first(),
            url: folder.store,
            options: options
        )
        let error = try #require(throws: ObjectGraphError.self) { try open(folder) }
        #expect("\(error)".contains("open elsewhere"), "\(error)")
        #expect(BackupFolder(store: folder.store.path).backups.isEmpty)
        old.close()
        try open(folder).close()
    }

    @Test func aLibraryOfANewerVersionNamesTheDocketThatCanReadIt() throws {
        let folder = try LibraryFolder()
        let model = DocketModel.ready()
        let item = try #require(model.entities.first { $0.name == "Item" })
        item.add(AttributeDescription("mood", .string))
        var options = StoreOptions()
        options.configuration = "Main"
        options.migration.readableBy = "Docket 0.9 or later"
        try PersistentContainer(model: model, url: folder.store, options: options).close()
        let bytes = try Data(contentsOf: folder.store)
        let error = try #require(throws: ObjectGraphError.self) { try open(folder) }
        #expect(
            "\(error)" == """
                The store "docket.sqlite" was written by a newer version of Docket; it can be read \
                by Docket 0.9 or later. Install that version; this is Docket \(Library.version).
                """
        )
        #expect(try Data(contentsOf: folder.store) == bytes)
        #expect(access(BackupFolder(store: folder.store.path).path, F_OK) != 0)
    }

    @Test func severalProgramsUpgradeALibraryOnce() async throws {
        let folder = try folder()
        let store = folder.store
        let formers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let library = try Library(url: store, author: "test") {
                        DateContext(now: Date(), zone: .utc)
                    }
                    defer { library.close() }
                    return library.former != nil
                }
            }
            return try await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(formers.count { $0 } == 1)
        #expect(BackupFolder(store: store.path).backups.count == 1)
    }

    @Test(arguments: 1...3) func aLibraryThatOnlyMayBeReadIsReadInACopy(version: Int) throws {
        let folder = try folder(version: version)
        let before = try Data(contentsOf: folder.store)
        let library = try open(folder, isReadOnly: true)
        #expect(try library.count(nil) == 9)
        #expect(library.openingNotices.last?.hasSuffix("it is open read-only.") == true)
        #expect(throws: (any Error).self) { try library.addTask(capturing: "new") }
        let copy = try #require(library.coordinator.openStores.first?.url)
        #expect(copy != folder.store && FileManager.default.fileExists(atPath: copy.path))
        library.close()
        let left = copy.deletingLastPathComponent().path
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(try Data(contentsOf: folder.store) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
    }
}
