import CaseFiles
import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import SQLiteStore
import SeededRandom
import StoreExploring
import Testing

/// What is said of stores of every kind, with their models and without.
@Suite struct InspectorTests {
    private func entity(
        _ name: String,
        _ overview: StoreOverview
    ) throws -> StoreOverview.Entity {
        try #require(overview.entities.first { $0.name == name })
    }

    private func types(_ entity: StoreOverview.Entity) -> [String: String] {
        Dictionary(entity.attributes.map { ($0.name, $0.type.editorName) }) { first, _ in first }
    }

    // MARK: Stores of Apple's framework

    @Test func aStoreWithItsModelIsDescribedInFull() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file(), keepsModel: true)
        let overview = try StoreInspector(place.file()).overview()
        #expect(overview.origin == .cache)
        #expect(overview.type == .sqlite)
        #expect(overview.identifier == AppleStore.identifier)
        #expect(overview.versionIdentifiers == ["7"])
        #expect(overview.hashes.map(\.entity) == ["Album", "Label", "Person", "Singer", "Track"])
        #expect(overview.hashes.allSatisfy { $0.hash.count == 32 })
        #expect(overview.entities.map(\.name) == ["Album", "Label", "Person", "Singer", "Track"])
        #expect(overview.entities.map(\.number) == [1, 2, 3, 4, 5])
        #expect(overview.entities.map(\.rows) == [3, 3, 1, 2, 5])
        #expect(overview.entities.map(\.depth) == [0, 0, 0, 1, 0])
        let album = try entity("Album", overview)
        let tracks = try #require(album.relationships.first { $0.name == "tracks" })
        #expect(tracks.isToMany && tracks.isOrdered)
        #expect(tracks.destination == "Track" && tracks.inverse == "album")
        #expect(album.attributes.first { $0.name == "trackCount" }?.derivation == "tracks.@count")
        let singer = try entity("Singer", overview)
        #expect(singer.superentity == "Person")
        #expect(singer.attributes.first { $0.name == "name" }?.isInherited == true)
    }

    @Test func aStoreWithoutAModelIsDescribedAsFarAsItsTablesTell() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file(), keepsModel: false)
        let overview = try StoreInspector(place.file()).overview()
        #expect(overview.origin == .tables)
        #expect(overview.entities.map(\.name) == ["Album", "Label", "Person", "Singer", "Track"])
        #expect(overview.entities.map(\.rows) == [3, 3, 1, 2, 5])
        #expect(overview.entities.map(\.superentity) == [nil, nil, nil, "Person", nil])
        let track = try entity("Track", overview)
        #expect(
            types(track) == [
                "islive": "Integer 64", "length": "Integer 64", "gain": "Double",
                "recorded": "Date", "price": "Decimal", "link": "String", "name": "String",
                "code": "Binary",
            ]
        )
        // Named as an entity, with an index, and every value is the key of one of its rows.
        #expect(track.relationships.map(\.name) == ["album"])
        #expect(track.relationships.first?.destination == "Album")
        let album = try entity("Album", overview)
        #expect(album.relationships.map(\.name) == ["labels", "lead"])
        let labels = try #require(album.relationships.first { $0.name == "labels" })
        #expect(labels.isToMany && labels.isOrdered && labels.inverse == "albums")
        #expect(album.relationships.first { $0.name == "lead" }?.destination == "Person")
        let person = try entity("Person", overview)
        let friends = try #require(person.relationships.first { $0.name == "friends" })
        #expect(friends.inverse == "friendof" && friends.destination == "Person")
    }

    @Test func aKeyThatLeadsNowhereIsANumber() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file(), keepsModel: false)
        let raw = try RawFile(place.file())
        try raw.rows("DROP TRIGGER Z_DA_ZTRACK_Album_trackCount_PARAMETER_UPDATE_DECREMENT")
        try raw.rows("DROP TRIGGER Z_DA_ZTRACK_Album_trackCount_PARAMETER_UPDATE_INCREMENT")
        try raw.rows("UPDATE ZTRACK SET ZALBUM = 77 WHERE Z_PK = 9")
        let overview = try StoreInspector(place.file()).overview()
        let track = try entity("Track", overview)
        #expect(track.relationships.isEmpty)
        #expect(types(track)["album"] == "Integer 64")
    }

    @Test func objectsHaveTheirValuesAndRelationships() throws {
        for keepsModel in [true, false] {
            let place = try TestPlace()
            try AppleStore.make(at: place.file(), keepsModel: keepsModel)
            let inspector = try StoreInspector(place.file())
            var tracks: [InspectedObject] = []
            let count = try inspector.forEachObject(of: "Track") { tracks += $0 }
            #expect(count == 5)
            #expect(tracks.map(\.key) == [1, 2, 3, 4, 9])
            let first = Dictionary(tracks[0].values.map { ($0.name, $0.value) }) { a, _ in a }
            #expect(first["name"]?.described == "b")
            #expect(first["price"]?.described == "1.25")
            #expect(first["recorded"]?.described == "690000000.25")
            let uri = "x-coredata://\(AppleStore.identifier)/Album/p1"
            #expect(first["album"]?.described == uri)
            let album = try #require(try inspector.object(at: uri))
            let values = Dictionary(album.values.map { ($0.name, $0.value) }) { a, _ in a }
            // By the keys of their order, not by their own.
            #expect(values["labels"]?.described == "2: Label/p2 Label/p1")
            #expect(values["lead"]?.described.hasSuffix("/Singer/p2") == true)
            if keepsModel {
                #expect(values["tracks"]?.described == "3: Track/p2 Track/p1 Track/p3")
                #expect(first["code"]?.described == "null")
            }
            #expect(try inspector.object(at: uri + "9") == nil)
            #expect(try inspector.object(at: "nonsense") == nil)
        }
    }

    @Test func subentitiesAreListedOnlyIfAsked() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file(), keepsModel: true)
        let inspector = try StoreInspector(place.file())
        #expect(try inspector.forEachObject(of: "Person") { _ in } == 1)
        #expect(try inspector.forEachObject(of: "Person", includesSubentities: true) { _ in } == 3)
        #expect(try inspector.forEachObject(of: "Track", limit: 2) { _ in } == 2)
        #expect(try inspector.forEachObject(of: "track") { _ in } == 5)
        let error = #expect(throws: ObjectGraphError.self) {
            try inspector.forEachObject(of: "Nobody") { _ in }
        }
        #expect(error?.recovery.contains("Album, Label, Person, Singer, Track") == true)
    }

    @Test func aGivenModelIsUsedAndItsVersionsAreTried() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file(), keepsModel: false)
        let wrong = ManagedObjectModel([
            EntityDescription("Album", [AttributeDescription("wings", .integer16)])
        ])
        let overview = try StoreInspector(place.file(), models: [wrong, AppleStore.model()])
            .overview()
        #expect(overview.origin == .given)
        #expect(try entity("Track", overview).attributes.contains { $0.name == "isLive" })
        let error = #expect(throws: ObjectGraphError.self) {
            try StoreInspector(place.file(), models: [wrong])
        }
        #expect(error?.code == .incompatibleVersion)
    }

    @Test func aDamagedModelInTheFileIsAsNone() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file(), keepsModel: true)
        try RawFile(place.file()).rows("UPDATE Z_MODELCACHE SET Z_CONTENT = x'0102030405'")
        #expect(try StoreInspector(place.file()).overview().origin == .tables)
        try RawFile(place.file()).rows("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL")
        #expect(try StoreInspector(place.file()).overview().origin == .tables)
        try RawFile(place.file()).rows("DELETE FROM Z_MODELCACHE")
        #expect(try StoreInspector(place.file()).overview().origin == .tables)
    }

    /// As the article "Stores" says of a program that has never seen the model.
    @Test func modelOutOfAStoreOfAppleOpensIt() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file(), keepsModel: true)
        let model = try PersistentStoreCoordinator.model(ofStoreAt: place.file())
        #expect(
            model.entities.map(\.name).sorted() == ["Album", "Label", "Person", "Singer", "Track"]
        )
        #expect(model.entity(named: "Singer")?.superentity?.name == "Person")
        let container = try PersistentContainer(model: model, url: place.file())
        let context = container.viewContext
        let tracks = try context.fetch(FetchRequest<ManagedObject>(entityName: "Track"))
        #expect(tracks.count == 5)
        let first = try #require(tracks.first { $0.objectID.key == 1 })
        #expect(try first.value(forKey: "price") == .decimal(1.25))
        let album = try first.value(forKeyPath: "album.tracks").elements
        #expect(album?.count == 3)
        try first.setValue("renamed", forKey: "name")
        try context.save()
        container.close()
        #expect(
            try RawFile(place.file()).rows("SELECT ZNAME FROM ZTRACK WHERE Z_PK = 1")
                == ["renamed"]
        )
    }

    /// The stores that Apple's framework itself wrote.
    @Test(.enabled(if: CaseFiles.has("stores"), "there is no folder with cases (DOCKET_CASES)"))
    func modelOutOfTheCasesStoresOpensThem() throws {
        let folder = CaseFiles.folder.appending(path: "stores")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".sqlite") }
        var opened = 0
        defer { #expect(opened > 0) }
        for name in names {
            let place = try TestPlace()
            for suffix in ["", "-wal"] {
                let from = folder.appending(path: name + suffix)
                guard FileManager.default.fileExists(atPath: from.path) else { continue }
                try Data(contentsOf: from).write(to: place.file("store.sqlite\(suffix)"))
            }
            let overview = try StoreInspector(place.file()).overview()
            #expect(overview.origin == .cache, "\(name)")
            let model = try PersistentStoreCoordinator.model(ofStoreAt: place.file())
            let container: PersistentContainer
            do {
                container = try PersistentContainer(model: model, url: place.file())
            } catch let error as ObjectGraphError {
                // The file keeps the model of another version than its metadata name, or the model
                // names a transformer of the program that made it.
                let isOfVersion =
                    Set(model.entities.map(\.name)) == Set(overview.hashes.map(\.entity))
                #expect(!isOfVersion || "\(error)".contains("transformer"), "\(name): \(error)")
                continue
            }
            opened += 1
            for entity in overview.entities where !entity.isAbstract {
                var request = FetchRequest<ManagedObject>(entityName: entity.name)
                request.includesSubentities = false
                let objects = try container.viewContext.fetch(request)
                #expect(objects.count == entity.rows, "\(name), \(entity.name)")
                for object in objects {
                    for property in object.entity.slots {
                        _ = try object.value(forKey: property.name)
                    }
                }
            }
            container.close()
        }
    }

    // MARK: No trace

    @Test func aStoreAtRestIsLeftAsItWas() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file(), keepsModel: true)
        let before = try place.state()
        for mode in [0o755, 0o555] {
            try FileManager.default.setAttributes(
                [.posixPermissions: mode],
                ofItemAtPath: place.folder.path
            )
            let inspector = try StoreInspector(place.file())
            _ = try inspector.overview()
            #expect(try place.state() == before)
        }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: place.folder.path
        )
        #expect(try place.state() == before)
    }

    @Test func aLogThatAProgramLeftIsReadAndStays() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file("first.sqlite"), keepsModel: true)
        // A copy of file and log while they are in use is what a killed program leaves.
        let raw = try RawFile(place.file("first.sqlite"))
        try raw.rows("PRAGMA wal_autocheckpoint=0")
        try raw.rows("INSERT INTO ZLABEL VALUES (9, 2, 1, 'Late')")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                at: place.file("first.sqlite" + suffix),
                to: place.file("store.sqlite" + suffix)
            )
        }
        let before = try place.state()
        do {
            let inspector = try StoreInspector(place.file())
            #expect(try entity("Label", inspector.overview()).rows == 4)
        }
        #expect(try place.state() == before)
    }

    @Test func aWriterIsSeenAsOneStateAndIsNotDisturbed() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file(), keepsModel: true)
        let writer = try RawFile(place.file())
        let inspector = try StoreInspector(place.file())
        #expect(try entity("Label", inspector.overview()).rows == 3)
        // The inspector reads the file without locks; a log that was moved into it is noticed.
        try writer.rows("BEGIN")
        for key in 100..<400 {
            try writer.rows("INSERT INTO ZLABEL VALUES (\(key), 2, 1, 'x')")
        }
        try writer.rows("COMMIT")
        try writer.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try entity("Label", inspector.overview()).rows == 303)
        try writer.rows("INSERT INTO ZLABEL VALUES (900, 2, 1, 'y')")
        // Now it holds a state while others write.
        #expect(try entity("Label", inspector.overview()).rows == 303)
        #expect(try writer.number("SELECT COUNT(*) FROM ZLABEL") == 304)
        try inspector.refresh()
        #expect(try entity("Label", inspector.overview()).rows == 304)
    }

    @Test func aListIsReadToItsEndWhileOthersWrite() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file(), keepsModel: true)
        let writer = try RawFile(place.file())
        try writer.rows(
            "WITH RECURSIVE n(k) AS (SELECT 1000 UNION ALL SELECT k + 1 FROM n WHERE k < 5000)"
                + " INSERT INTO ZLABEL SELECT k, 2, 1, 'x' || k FROM n"
        )
        try writer.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        let inspector = try StoreInspector(place.file())
        var keys: [Int64] = []
        var round = 0
        _ = try inspector.forEachObject(of: "Label") { objects in
            keys += objects.map(\.key)
            round += 1
            try writer.rows("UPDATE ZLABEL SET Z_OPT = Z_OPT + 1 WHERE Z_PK = \(1000 + round)")
            try writer.rows("PRAGMA wal_checkpoint(PASSIVE)")
        }
        #expect(keys.count == 4004)
        #expect(Set(keys).count == keys.count && keys == keys.sorted())
    }

    @Test func anInterruptedTransactionIsNotRolledBack() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file("first.sqlite"), keepsModel: true)
        let raw = try RawFile(place.file("first.sqlite"))
        try raw.rows("PRAGMA journal_mode=DELETE")
        try raw.rows("PRAGMA cache_size=1")
        try raw.rows("PRAGMA cache_spill=1")
        try raw.rows("BEGIN IMMEDIATE")
        try raw.rows(
            "WITH RECURSIVE n(k) AS (SELECT 1000 UNION ALL SELECT k + 1 FROM n WHERE k < 9000)"
                + " INSERT INTO ZLABEL SELECT k, 2, 1, 'x' || k FROM n"
        )
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(
                at: place.file("first.sqlite" + suffix),
                to: place.file("store.sqlite" + suffix)
            )
        }
        let before = try place.state()
        let error = #expect(throws: ObjectGraphError.self) {
            try StoreInspector(place.file()).overview()
        }
        #expect(error?.code == .cannotOpen)
        #expect(error?.message.contains("journal") == true)
        #expect(try place.state() == before)
        try raw.rows("ROLLBACK")
    }

    // MARK: Stores of this framework

    private static func makeOwn(_ type: StoreType, at url: URL) throws {
        var options = StoreOptions()
        options.type = type
        let container = try PersistentContainer(
            model: ownModel(),
            url: url,
            options: options
        )
        let context = container.viewContext
        let list = try context.insert(entityNamed: "Folder")
        try list.setValue(.string("Home \u{1} ✎"), forKey: "name")
        for number in 0..<3 {
            let task = try context.insert(entityNamed: number == 2 ? "Note" : "Task")
            try task.setValue(.string("title \(number)"), forKey: "title")
            try task.setValue(.date(Date(timeIntervalSinceReferenceDate: 5)), forKey: "due")
            try task.setValue(.data(Data(count: 300)), forKey: "blob")
            try task.setValue(.object(list), forKey: "folder")
        }
        try context.save()
        container.close()
    }

    private static func ownModel() -> ManagedObjectModel {
        let task = EntityDescription(
            "Task",
            [
                AttributeDescription("title", .string), AttributeDescription("due", .date),
                AttributeDescription("blob", .binary), AttributeDescription("unused", .integer16),
                RelationshipDescription("folder", to: "Folder", inverse: "tasks"),
                RelationshipDescription("never", to: "Folder"),
            ]
        )
        let folder = EntityDescription(
            "Folder",
            [
                AttributeDescription("name", .string),
                RelationshipDescription("tasks", to: "Task", inverse: "folder", toMany: true),
            ]
        )
        let model = ManagedObjectModel([
            task, EntityDescription("Note", superentity: "Task"), folder,
        ])
        model.versionIdentifiers = ["v2"]
        return model
    }

    @Test(arguments: [StoreType.sqlite, .binary, .xml, .text])
    func storesOfEveryTypeAreReadWithTheirModel(_ type: StoreType) throws {
        let place = try TestPlace()
        try Self.makeOwn(type, at: place.file("own.store"))
        let before = try place.state()
        let inspector = try StoreInspector(place.file("own.store"), models: [Self.ownModel()])
        let overview = try inspector.overview()
        #expect(overview.type == type)
        #expect(overview.versionIdentifiers == ["v2"])
        #expect(overview.hashes.map(\.entity) == ["Folder", "Note", "Task"])
        #expect(overview.entities.map(\.name) == ["Folder", "Task", "Note"])
        #expect(overview.entities.map(\.rows) == [1, 2, 1])
        var titles: [String] = []
        _ = try inspector.forEachObject(of: "Task", includesSubentities: true) { objects in
            titles += objects.compactMap { $0.values.first { $0.name == "title" }?.value.described }
        }
        #expect(titles.sorted() == ["title 0", "title 1", "title 2"])
        #expect(try place.state() == before)
    }

    @Test(arguments: [StoreType.sqlite, .binary, .xml, .text])
    func storesOfEveryTypeKeepTheArchiveOfTheirModel(_ type: StoreType) throws {
        let place = try TestPlace()
        let file = place.file("own.store")
        try Self.makeOwn(type, at: file)
        let before = try place.state()
        let inspector = try StoreInspector(file)
        let overview = try inspector.overview()
        #expect(overview.origin == .archive)
        #expect(overview.entities.map(\.name) == ["Folder", "Task", "Note"])
        let task = try entity("Task", overview)
        #expect(types(task)["unused"] == "Integer 16" && types(task)["due"] == "Date")
        #expect(task.relationships.map(\.name) == ["folder", "never"])
        let folder = try entity("Folder", overview)
        #expect(folder.relationships.first?.inverse == "folder")
        let read = try PersistentStoreCoordinator.model(ofStoreAt: file)
        #expect(try ModelArchive(read).model().differences(from: Self.ownModel()) == [])
        #expect(try place.state() == before)
        // So the store is opened and changed by a program that has never seen its model.
        var options = StoreOptions()
        options.type = type
        let container = try PersistentContainer(model: read, url: file, options: options)
        let notes = try container.viewContext.fetch(
            FetchRequest<ManagedObject>(entityName: "Note")
        )
        try #require(notes.first).setValue(7, forKey: "unused")
        try container.viewContext.save()
        container.close()
    }

    @Test(arguments: [StoreType.binary, .xml, .text])
    func storesOfWholeFilesAreReadAsFarAsTheirTextTells(_ type: StoreType) throws {
        let place = try TestPlace()
        try Self.makeOwn(type, at: place.file("own.store"))
        let before = try place.state()
        let storeClass = try #require(PersistentStoreCoordinator.atomicClass(of: type))
        let deduced = try #require(
            try storeClass.deducedModel(ofStoreAt: place.file("own.store"))
        )
        let inspector = try StoreInspector(place.file("own.store"), models: [deduced])
        let overview = try inspector.overview()
        #expect(overview.type == type)
        let counts = Dictionary(overview.entities.map { ($0.name, $0.rows) }) { first, _ in first }
        #expect(counts["Folder"] == 1 && counts["Task"] == 2 && counts["Note"] == 1)
        var folders: [InspectedObject] = []
        _ = try inspector.forEachObject(of: "Folder") { folders += $0 }
        let name = folders.first?.values.first { $0.name == "name" }?.value.described
        #expect(name == "Home \u{1} ✎")
        var tasks: [InspectedObject] = []
        _ = try inspector.forEachObject(of: "Task") { tasks += $0 }
        let folder = tasks.first?.values.first { $0.name == "folder" }?.value
        if type == .text {
            #expect(folder?.described == "\(folders[0].key)")
        } else {
            #expect(folder?.described == folders[0].identifier)
            let blob = tasks.first?.values.first { $0.name == "blob" }?.value.described
            #expect(blob == "300 bytes")
        }
        #expect(try place.state() == before)
    }

    /// Eight times the objects cost about eight times the time.
    @Test(arguments: [StoreType.binary, .xml, .text])
    func aPassOverALargeFileTakesLinearTime(_ type: StoreType) throws {
        let place = try TestPlace()
        func seconds(_ count: Int) throws -> Double {
            let url = place.file("\(count).store")
            try Self.make(count, type, at: url)
            let inspector = try StoreInspector(url)
            var last: Int64 = 0
            return try processorSeconds {
                let passed = try inspector.forEachObject(of: "Task") { objects in
                    for object in objects {
                        if object.key <= last { Issue.record("\(object.key) after \(last)") }
                        last = object.key
                    }
                }
                #expect(passed == count)
            }
        }
        let small = try min(seconds(5_000), seconds(5_001))
        // Quadratic work would take 64 times as long.
        let large = try seconds(40_000)
        #expect(large < small * 25, "\(large) s after \(small) s")
    }

    private static func make(_ count: Int, _ type: StoreType, at url: URL) throws {
        var options = StoreOptions()
        options.type = type
        let task = EntityDescription("Task", [AttributeDescription("title", .string)])
        let container = try PersistentContainer(
            model: ManagedObjectModel([task]),
            url: url,
            options: options
        )
        defer { container.close() }
        for number in 0..<count {
            try container.viewContext.insert(entityNamed: "Task")
                .setValue(.string("title \(number)"), forKey: "title")
        }
        try container.viewContext.save()
    }

    // MARK: Damage

    @Test func filesThatAreNoStoresAreRefusedInASentence() throws {
        let place = try TestPlace()
        for (name, data) in [
            ("empty", Data()), ("short", Data("abc".utf8)), ("zeros", Data(count: 9000)),
            ("text", Data(String(repeating: "hello\n", count: 400).utf8)),
            ("random", Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })),
        ] {
            try data.write(to: place.file(name))
            let error = #expect(throws: ObjectGraphError.self, "\(name)") {
                try StoreInspector(place.file(name)).overview()
            }
            #expect(error?.message.contains("\"\(name)\"") == true)
        }
        #expect(throws: ObjectGraphError.self) { try StoreInspector(place.folder) }
        #expect(throws: ObjectGraphError.self) { try StoreInspector(place.file("absent")) }
        try RawFile(place.file("other.sqlite")).rows("CREATE TABLE t (x)")
        let error = #expect(throws: ObjectGraphError.self) {
            try StoreInspector(place.file("other.sqlite"))
        }
        #expect(error?.message.contains("not an object store") == true)
    }

    @Test func aStoreThatWasCutOffOrChangedGivesErrorsOnly() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file("whole.sqlite"), keepsModel: true)
        try RawFile(place.file("whole.sqlite")).rows("PRAGMA journal_mode=DELETE")
        let whole = try Data(contentsOf: place.file("whole.sqlite"))
        var damaged: [Data] = stride(from: 0, to: whole.count, by: 4093).map { whole.prefix($0) }
        for place in stride(from: 100, to: whole.count, by: 997) {
            var copy = whole
            copy[place] ^= 0xff
            damaged.append(copy)
        }
        for data in damaged {
            try data.write(to: place.file())
            do {
                let inspector = try StoreInspector(place.file())
                for entity in try inspector.overview().entities {
                    _ = try inspector.forEachObject(of: entity.name) { _ in }
                }
            } catch is ObjectGraphError {}
        }
    }
}

extension InspectedValue {
    /// The value as a short text.
    fileprivate var described: String {
        switch self {
        case .null: "null"
        case .flag(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .text(let text): text
        case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
        case .uuid(let uuid): uuid.uuidString
        case .uri(let url): url.absoluteString
        case .data(let count): "\(count) bytes"
        case .object(let identifier): identifier
        case .objects(let identifiers, let count):
            "\(count): "
                + identifiers.map { $0.split(separator: "/").suffix(2).joined(separator: "/") }
                .joined(separator: " ")
        }
    }
}
