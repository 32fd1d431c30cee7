import CSQLite
import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import SeededRandom
import Testing

/// What opening accepts, and what it says about files that it does not.
@Suite struct OpeningTests {
    private func open(
        _ url: URL,
        _ model: ManagedObjectModel = TestModel.make(),
        _ change: (inout SQLiteStoreOptions) -> Void = { _ in }
    ) throws -> SQLiteStore {
        var options = SQLiteStoreOptions()
        change(&options)
        return try SQLiteStore(url: url, model: model, options: options)
    }

    private func made(_ folder: TestFolder) throws -> URL {
        let url = folder.file()
        let model = TestModel.make()
        let store = try open(url, model)
        let session = TestSession(store, model)
        for index in 0..<200 { session.insert("Task", ["title": .string("task \(index)")]) }
        try session.save()
        try store.checkpoint()
        store.close()
        return url
    }

    @Test func filesThatAreNoStoreAreRefusedInASentence() throws {
        let folder = try TestFolder()
        let cases: [(String, Data, ObjectGraphError.Code, String)] = [
            (
                "text", Data(String(repeating: "Dear diary. ", count: 500).utf8), .cannotOpen,
                "not a database"
            ),
            ("short", Data("x".utf8), .cannotOpen, "not a database"),
            ("zeros", Data(count: 8192), .cannotOpen, "zeros"),
        ]
        for (name, data, code, words) in cases {
            let url = folder.file(name)
            try data.write(to: url)
            let error = #expect(throws: ObjectGraphError.self) { try open(url) }
            #expect(error?.code == code, "\(name)")
            #expect(error?.message.contains(words) == true, "\(name): \(error?.message ?? "")")
            #expect(try Data(contentsOf: url) == data, "\(name) was changed")
        }
    }

    /// As below a home that is `/`.
    @Test func storeIsMadeAndOpenedBelowTwoSlashes() throws {
        let folder = try TestFolder()
        let url = URL(filePath: "/" + folder.file().path)
        #expect(url.path.hasPrefix("//"))
        for _ in 0..<2 { try open(url).close() }
    }

    @Test func foldersMissingFoldersAndMissingFilesAreTold() throws {
        let folder = try TestFolder()
        let inFolder = #expect(throws: ObjectGraphError.self) { try open(folder.url) }
        #expect(inFolder?.message.contains("is a folder") == true)
        let nowhere = #expect(throws: ObjectGraphError.self) {
            try open(folder.file("none/store.sqlite"))
        }
        #expect(nowhere?.message.contains("folder for the store") == true)
        let missing = #expect(throws: ObjectGraphError.self) {
            try open(folder.file()) { $0.createsFile = false }
        }
        #expect(missing?.message.contains("There is no store") == true)
        #expect(!FileManager.default.fileExists(atPath: folder.file().path))
    }

    @Test func anEmptyFileBecomesAStore() throws {
        let folder = try TestFolder()
        try Data().write(to: folder.file())
        let store = try open(folder.file())
        #expect(try store.latestTransaction() == 0)
        store.close()
    }

    @Test func aTruncatedFileIsDamaged() throws {
        let folder = try TestFolder()
        let url = try made(folder)
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: url.path + suffix)
        }
        let whole = try Data(contentsOf: url)
        for size in [100, 4096, whole.count - 4096, whole.count / 2] {
            try whole.prefix(size).write(to: url)
            let error = #expect(throws: ObjectGraphError.self) {
                let store = try open(url)
                defer { store.close() }
                _ = try store.fetch(
                    FetchPlan(
                        request: FetchDescription(entityName: "Task"),
                        entity: try #require(
                            store.space.entityNumber("Task").map { _ in
                                TestModel.make().entity(named: "Task")
                            } ?? nil
                        ),
                        appliesWindow: true,
                        loadsRows: true
                    )
                )
            }
            #expect(
                error?.code == .damagedFile || error?.code == .cannotOpen,
                "\(size): \(String(describing: error))"
            )
        }
    }

    @Test func flippedBytesNeverCrash() throws {
        let folder = try TestFolder()
        let url = try made(folder)
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: url.path + suffix)
        }
        let whole = try Data(contentsOf: url)
        var random = SeededRandom(seed: 7)
        for _ in 0..<150 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                damaged[Int.random(in: 16..<whole.count, using: &random)] =
                    UInt8.random(in: 0...255, using: &random)
            }
            try damaged.write(to: url)
            let model = TestModel.make()
            do {
                let store = try open(url, model)
                defer { store.close() }
                let session = TestSession(store, model)
                let ids = try session.fetch(FetchDescription(entityName: "Item")).ids
                for id in ids { _ = try session.row(id)?.value(0) }
                _ = try store.history(after: 0, limit: 100)
                session.insert("Task", ["title": "new"])
                try session.save()
            } catch is ObjectGraphError {
                continue
            }
        }
    }

    @Test func anotherProgramsDatabaseIsNotTouched() throws {
        let folder = try TestFolder()
        let url = folder.file()
        try Data().write(to: url)
        try RawDatabase(url).rows("CREATE TABLE notes (text)")
        let error = #expect(throws: ObjectGraphError.self) { try open(url) }
        #expect(error?.message.contains("not an object store") == true)
        #expect(try RawDatabase(url).rows("SELECT name FROM sqlite_master") == ["notes"])
    }

    @Test func aModelThatDoesNotFitIsRefusedByName() throws {
        let folder = try TestFolder()
        let url = try made(folder)
        let other = TestModel.make { model in
            model.entity(named: "Task")?.add(AttributeDescription("color", .string))
        }
        let error = #expect(throws: ObjectGraphError.self) { try open(url, other) }
        #expect(error?.code == .incompatibleVersion)
        #expect(error?.message.contains("Task") == true)
        let harmless = TestModel.make { model in
            let title = model.entity(named: "Item")?.property(own: "title")
            (title as? AttributeDescription)?.defaultValue = "untitled"
            model.entity(named: "Item")?.indexes.append(
                FetchIndexDescription("byTitle", [.init("title")])
            )
        }
        try open(url, harmless).close()
        let indexes = try RawDatabase(url).rows(
            "SELECT name FROM sqlite_master WHERE name = 'Z_Item_byTitle'"
        )
        #expect(indexes == ["Z_Item_byTitle"])
    }

    @Test(arguments: [
        ("rank != nil", "ZRANK IS NOT NULL"),
        ("list == nil AND rank > 3", "ZLIST IS NULL AND ZRANK > 3"),
        ("done == YES", "ZDONE = 1"), ("rank != 2", "ZRANK IS NOT 2"),
        // These cannot be conditions of an index, which then holds all rows.
        ("title BEGINSWITH 'a'", ""), ("list.name == nil", ""), ("rank > 1 OR rank < 0", ""),
    ])
    func anIndexHoldsTheRowsThatMeetItsCondition(predicate: String, condition: String) throws {
        let folder = try TestFolder()
        let model = TestModel.make { model in
            model.entity(named: "Task")?.indexes = [
                FetchIndexDescription(
                    "part",
                    [.init("size")],
                    where: try? FetchPredicate(format: predicate)
                )
            ]
        }
        try open(folder.file(), model).close()
        let text = try RawDatabase(folder.file()).rows(
            "SELECT sql FROM sqlite_master WHERE name = 'Z_Task_part'"
        )
        #expect(text.count == 1)
        #expect(text.first?.components(separatedBy: " WHERE ").dropFirst().first ?? "" == condition)
        // The store has the index already.
        try open(folder.file(), model).close()
    }

    @Test func storesOfOtherTypesAndNewerFormatsAreRefused() throws {
        let folder = try TestFolder()
        let url = try made(folder)
        func replace(_ key: String, _ value: Any) throws {
            let raw = try RawDatabase(url)
            let hex = try #require(try raw.rows("SELECT HEX(Z_PLIST) FROM Z_METADATA").first)
            var list = try #require(
                try PropertyListSerialization.propertyList(from: Data(hex: hex), format: nil)
                    as? [String: Any]
            )
            list[key] = value
            let data = try PropertyListSerialization.data(
                fromPropertyList: list,
                format: .binary,
                options: 0
            )
            try raw.rows("UPDATE Z_METADATA SET Z_PLIST = x'\(data.hex)'")
        }
        try replace("OGFormatVersion", 99)
        let newer = #expect(throws: ObjectGraphError.self) { try open(url) }
        #expect(newer?.message.contains("newer version") == true)
        try replace("NSStoreType", "XML")
        let type = #expect(throws: ObjectGraphError.self) { try open(url) }
        #expect(type?.code == .storeTypeMismatch)
    }

    @Test func aReadOnlyStoreReadsAndRefusesToSave() throws {
        let folder = try TestFolder()
        let url = try made(folder)
        let model = TestModel.make()
        let store = try open(url, model) { $0.isReadOnly = true }
        let session = TestSession(store, model)
        #expect(try session.fetch(FetchDescription(entityName: "Task")).ids.count == 200)
        session.insert("Task")
        let error = #expect(throws: ObjectGraphError.self) { try session.save() }
        #expect(error?.code == .cannotWrite)
        store.close()
    }

    @Test func twoProgramsThatSetMetadataLoseNothingOfEachOther() throws {
        let folder = try TestFolder()
        let first = try open(folder.file())
        let second = try open(folder.file())
        first.metadata["mark"] = 1
        first.metadata["both"] = 1
        _ = try first.save(SavePlan())
        second.metadata["seed"] = 2
        second.metadata["both"] = 2
        _ = try second.save(SavePlan())
        #expect(second.metadata["mark"] == 1)
        let mark = try first.foreignMark()
        #expect(first.metadata["seed"] == 2 && first.metadata["both"] == 2)
        first.metadata["mark"] = nil
        first.metadata["later"] = 3
        second.metadata["seed"] = 4
        _ = try second.save(SavePlan())
        // What was set here and is not written stays.
        #expect(try first.foreignMark() != mark)
        #expect(first.metadata["mark"] == nil && first.metadata["later"] == 3)
        _ = try first.save(SavePlan())
        first.close()
        second.close()
        let metadata = try SQLiteStore.metadata(at: folder.file())
        #expect(metadata["mark"] == nil && metadata["later"] == 3)
        #expect(metadata["seed"] == 4 && metadata["both"] == 2)
    }

    @Test func metadataOfTheUserSurviveAndOursStay() throws {
        let folder = try TestFolder()
        let model = TestModel.make()
        let store = try open(folder.file(), model)
        let identifier = store.identifier
        store.metadata = ["seed": 3, "name": "mine", "NSStoreUUID": "x"]
        #expect(store.metadata["NSStoreType"] == "SQLite")
        _ = try store.save(SavePlan())
        store.close()
        let again = try open(folder.file(), model)
        #expect(again.identifier == identifier)
        #expect(again.metadata["seed"] == 3)
        #expect(again.metadata["name"] == "mine")
        #expect(again.metadata["NSStoreUUID"] == .string(identifier.uuidString))
        again.close()
        let metadata = try SQLiteStore.metadata(at: folder.file())
        #expect(metadata["seed"] == 3)
    }

    @Test func twoStoresOfOneFileInOneProcessSeeEachOther() throws {
        let folder = try TestFolder()
        let model = TestModel.make()
        let one = try open(folder.file(), model)
        let two = try open(folder.file(), model)
        let session = TestSession(one, model)
        let task = session.insert("Task", ["title": "hello"])
        let mark = try two.foreignMark()
        #expect(try two.foreignMark() == mark)
        try session.save()
        let later = try two.foreignMark()
        #expect(later != mark)
        #expect(try two.foreignMark() == later)
        let changes = try #require(try two.history(after: 0, limit: 9).first).changes
        #expect(changes.map(\.objectID) == [task.id])
        #expect(try TestSession(two, model).value(task.id, "title") == "hello")
        one.close()
        two.close()
    }

    @Test func theLayoutIsCoreDatas() throws {
        let folder = try TestFolder()
        let url = try made(folder)
        let raw = try RawDatabase(url)
        func columns(_ table: String) throws -> String {
            try raw.rows("SELECT name || ' ' || type FROM pragma_table_info('\(table)')")
                .joined(separator: ", ")
        }
        #expect(
            try columns("ZITEM")
                == "Z_PK INTEGER, Z_ENT INTEGER, Z_OPT INTEGER, ZRANK INTEGER, ZLIST INTEGER, "
                + "ZDONE INTEGER, ZSIZE INTEGER, ZPARENT INTEGER, ZCREATED TIMESTAMP, "
                + "ZSIZE1 FLOAT, ZNOTES VARCHAR, ZTITLE VARCHAR, ZBODY VARCHAR, "
                + "Z_FOK_PARENT INTEGER, Z4PINNED INTEGER, Z_FOK_4PINNED INTEGER"
        )
        #expect(try columns("ZLIST").contains("ZCOVER INTEGER, Z1_COVER INTEGER"))
        #expect(
            try raw.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
                == [
                    "1|Item|0|200", "2|Note|1|0", "3|Task|1|0", "4|List|0|0", "5|Shelf|0|0",
                    "6|Tag|0|0", "7|Values|0|0",
                ]
        )
        #expect(try columns("Z_1TAGS") == "Z_1ITEMS INTEGER, Z_6TAGS INTEGER")
        #expect(
            try columns("Z_5TAGS") == "Z_5SHELVES INTEGER, Z_6TAGS INTEGER, Z_FOK_6TAGS INTEGER"
        )
        #expect(try raw.rows("PRAGMA page_size") == ["4096"])
        #expect(try raw.rows("PRAGMA auto_vacuum") == ["2"])
        #expect(try raw.rows("PRAGMA journal_mode") == ["wal"])
    }
}

extension Data {
    init(hex: String) {
        self.init()
        var rest = hex[...]
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            append(byte)
            rest = rest.dropFirst(2)
        }
    }

    var hex: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
