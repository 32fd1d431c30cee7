import Foundation
import ObjectGraph
import ObjectModel
import SQLiteStore
import Testing

/// Derived attributes, large data, the search index and configurations in a migration.
@Suite struct StoredFormTests {
    private let folder: MigrationFolder
    private var url: URL { folder.file() }

    init() throws { folder = try MigrationFolder() }

    private func library(
        _ derived: [(entity: String, name: String, type: AttributeType, text: String)]
    )
        -> ManagedObjectModel
    {
        let author = EntityDescription(
            "Author",
            [
                AttributeDescription("name", .string, optional: false, default: .string("")),
                RelationshipDescription("books", to: "Book", inverse: "author", toMany: true),
            ]
        )
        let book = EntityDescription(
            "Book",
            [
                AttributeDescription("title", .string),
                AttributeDescription("price", .decimal), AttributeDescription("pages", .integer32),
                RelationshipDescription("author", to: "Author", inverse: "books"),
            ]
        )
        let model = ManagedObjectModel([author, book])
        for item in derived {
            let attribute = AttributeDescription(item.name, item.type)
            attribute.derivation = item.text
            model.entity(named: item.entity)?.add(attribute)
        }
        return model
    }

    /// Books with a searched title, a folded one and a count for the author; the second version has
    /// another name for the title.
    private func shelf(_ title: String) throws -> ManagedObjectModel {
        let model = library([
            ("Author", "count", .integer64, "books.@count"),
            ("Author", "dearest", .decimal, "books.price.@max"),
            ("Book", "plain", .string, "canonical:(title)"),
            ("Book", "writer", .string, "author.name"),
        ])
        let properties = try #require(model.entity(named: "Book")).ownProperties
        let searched = try #require(properties.first { $0.name == "title" })
        searched.isSearched = true
        if title != "title" {
            searched.name = title
            let plain = properties.first { $0.name == "plain" } as? AttributeDescription
            plain?.derivation = "canonical:(\(title))"
        }
        return model
    }

    @Test func aMappingThatChangesValuesLeavesNothingToRepair() throws {
        let container = try PersistentContainer(model: shelf("title"), url: url)
        let context = container.viewContext
        let author = try context.insert(entityNamed: "Author")
        try author.setValue("Émile", forKey: "name")
        for number in 0..<700 {
            let book = try context.insert(entityNamed: "Book")
            try book.setValue(.string("Straße \(number)"), forKey: "title")
            try book.setValue(.decimal(Decimal(number)), forKey: "price")
            if number % 2 == 0 { try book.setValue(.object(author), forKey: "author") }
        }
        try context.save(as: "Fill")
        container.close()
        var mapping = try MappingModel.inferred(from: shelf("title"), to: shelf("heading"))
        mapping["BookToBook"]?.attributeMappings = [
            try PropertyMapping("heading", format: "uppercase:($source.title)"),
            try PropertyMapping("price", format: "$source.price + 1"),
        ]
        var options = StoreOptions()
        options.migration.versions = [try shelf("title")]
        options.migration.mappings = [mapping]
        let moved = try PersistentContainer(model: shelf("heading"), url: url, options: options)
        defer { moved.close() }
        let store = try #require(moved.coordinator.persistentStores.first)
        let inspection = try moved.coordinator.inspect(store)
        #expect(inspection.findings == [])
        let same = try #require(
            try moved.viewContext.fetch(FetchRequest<ManagedObject>(entityName: "Author")).first
        )
        #expect(try same.value(forKey: "count") == .int(350))
        #expect(try same.value(forKey: "dearest") == .decimal(699))
        var request = FetchRequest<ManagedObject>(entityName: "Book")
        request.predicate = try FetchPredicate(format: "plain == 'strasse 12'")
        let book = try #require(try moved.viewContext.fetch(request).first)
        #expect(try book.value(forKey: "heading") == "STRASSE 12")
        // The history begins again, and undo with it.
        #expect(try moved.viewContext.undoSteps().isEmpty)
        try book.setValue("Other", forKey: "heading")
        try moved.viewContext.save(as: "Edit")
        #expect(try moved.viewContext.undoSteps().map(\.name) == ["Edit"])
        #expect(try moved.coordinator.inspect(store).findings == [])
    }

    @Test func derivedAttributesAreWhatASaveWouldCompute() throws {
        let container = try PersistentContainer(model: library([]), url: url)
        let context = container.viewContext
        for (index, name) in ["Émile", "Jörg", ""].enumerated() {
            let author = try context.insert(entityNamed: "Author")
            try author.setValue(.string(name), forKey: "name")
            for number in 0..<index {
                let book = try context.insert(entityNamed: "Book")
                try book.setValue(.string("Straße \(number)"), forKey: "title")
                try book.setValue(.decimal(Decimal(number) + 1 / 4), forKey: "price")
                if number > 0 { try book.setValue(.int(Int64(number * 100)), forKey: "pages") }
                try book.setValue(.object(author), forKey: "author")
            }
        }
        try context.save()
        container.close()
        let derived = library([
            ("Author", "count", .integer64, "books.@count"),
            ("Author", "total", .decimal, "books.price.@sum"),
            ("Author", "longest", .integer32, "books.pages.@max"),
            ("Author", "mean", .double, "books.pages.@avg"),
            ("Author", "small", .integer16, "books.pages.@sum"),
            ("Author", "plain", .string, "canonical:(name)"),
            ("Book", "by", .string, "author.name"),
            ("Book", "loud", .string, "uppercase:(title)"),
            ("Book", "byPlain", .string, "author.plain"),
            ("Book", "changed", .date, "now()"),
        ])
        try SQLiteStore.migrate(url, to: derived)
        let after = try PersistentContainer(model: derived, url: url)
        defer { after.close() }
        var compared = 0
        for name in ["Author", "Book"] {
            for object in try after.viewContext.fetch(FetchRequest<ManagedObject>(entityName: name))
            {
                for (slot, derivation) in object.entity.derivations {
                    let key = object.entity.slots[slot].name
                    let stored = try object.value(forKey: key)
                    guard let wanted = try derivation.value(for: object) else {
                        #expect(!stored.isNull)
                        continue
                    }
                    #expect(stored == wanted, "\(name).\(key)")
                    compared += 1
                }
            }
        }
        #expect(compared == 3 * 6 + 3 * 3)
    }

    private func photos(external: Bool, named: String = "data") -> ManagedObjectModel {
        let photo = EntityDescription("Photo", [AttributeDescription(named, .binary)])
        (photo.ownProperties[0] as? AttributeDescription)?.allowsExternalStorage = external
        photo.ownProperties[0].renamingIdentifier = "data"
        return ManagedObjectModel([photo])
    }

    /// Small data that look like marks of files, and large data.
    private var contents: [Data] {
        [
            Data(), Data([1]), Data([1, 2, 3]), Data([2, 65, 66]), Data("plain".utf8),
            Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
        ]
    }

    private func read(_ model: ManagedObjectModel, _ key: String) throws -> [Data] {
        let container = try PersistentContainer(model: model, url: url)
        defer { container.close() }
        let request = FetchRequest<ManagedObject>(entityName: "Photo")
        return try container.viewContext.fetch(request).sorted { $0.objectID < $1.objectID }.map {
            if case .data(let data) = try $0.value(forKey: key) { Data(data) } else { Data() }
        }
    }

    private func files() -> Int {
        let names = FileManager.default.enumerator(atPath: folder.url.path)?
            .compactMap { $0 as? String }
        return (names ?? []).filter { $0.contains("_EXTERNAL_DATA/") }.count
    }

    @Test func dataGoIntoFilesAndOutOfThemUnchanged() throws {
        let container = try PersistentContainer(model: photos(external: true), url: url)
        for data in contents {
            let photo = try container.viewContext.insert(entityNamed: "Photo")
            try photo.setValue(.data(data), forKey: "data")
        }
        try container.viewContext.save(as: "Add")
        container.close()
        #expect(files() == 1)
        // A new name: the files stay.
        try SQLiteStore.migrate(url, to: photos(external: true, named: "image"))
        #expect(try read(photos(external: true, named: "image"), "image") == contents)
        #expect(files() == 1)
        try SQLiteStore.migrate(url, to: photos(external: false))
        #expect(files() == 0)
        #expect(try read(photos(external: false), "data") == contents)
        try SQLiteStore.migrate(url, to: photos(external: true))
        #expect(try read(photos(external: true), "data") == contents)
    }

    @Test func filesOfAnotherStoreOfTheNameStay() throws {
        let photo = photos(external: true)
        for name in ["store.sqlite", "store.db"] {
            let container = try PersistentContainer(model: photo, url: folder.file(name))
            for data in contents {
                let photo = try container.viewContext.insert(entityNamed: "Photo")
                try photo.setValue(.data(data), forKey: "data")
            }
            try container.viewContext.save()
            container.close()
        }
        #expect(files() == 2)
        let neighbour = folder.file("store.db")
        // Without such attributes, in place, and moved to another type where it is.
        try SQLiteStore.migrate(neighbour, to: photos(external: false))
        let container = try PersistentContainer(model: photos(external: false), url: neighbour)
        let store = try #require(container.coordinator.persistentStores.first)
        var xml = StoreOptions()
        xml.type = .xml
        try container.coordinator.migrateStore(
            store,
            to: StoreDescription(url: neighbour, options: xml)
        )
        container.close()
        #expect(try read(photo, "data") == contents)
    }

    @Test func backupHasItsOwnNamesForTheFiles() throws {
        let container = try PersistentContainer(model: photos(external: true), url: url)
        for data in contents {
            let photo = try container.viewContext.insert(entityNamed: "Photo")
            try photo.setValue(.data(data), forKey: "data")
        }
        try container.viewContext.save()
        container.close()
        try SQLiteStore.migrate(url, to: photos(external: false), backup: true)
        #expect(files() == 1)
        try FileManager.default.removeItem(at: url)
        try FileManager.default.moveItem(
            at: folder.file("~store.sqlite"),
            to: folder.file("b.sqlite")
        )
        try FileManager.default.moveItem(
            at: folder.url.appending(path: ".~store_SUPPORT"),
            to: folder.url.appending(path: ".b_SUPPORT")
        )
        let backup = try PersistentContainer(
            model: photos(external: true),
            url: folder.file("b.sqlite")
        )
        let photos = try backup.viewContext.fetch(FetchRequest<ManagedObject>(entityName: "Photo"))
        let sizes = try photos.map { photo -> Int in
            if case .data(let data) = try photo.value(forKey: "data") { data.count } else { 0 }
        }
        #expect(sizes.sorted() == contents.map(\.count).sorted())
        backup.close()
    }

    @Test func searchFindsTheSameAfterAChangeOfNamesAndRows() throws {
        func notes(_ name: String, id: String?, extra: Bool) -> ManagedObjectModel {
            let note = EntityDescription("Note", [AttributeDescription(name, .string)])
            note.ownProperties[0].isSearched = true
            note.ownProperties[0].renamingIdentifier = id
            if extra { note.add(AttributeDescription("other", .string)) }
            return ManagedObjectModel([note])
        }
        let container = try PersistentContainer(
            model: notes("text", id: nil, extra: false),
            url: url
        )
        for text in ["Crème brûlée", "plain cream", "nothing"] {
            let note = try container.viewContext.insert(entityNamed: "Note")
            try note.setValue(.string(text), forKey: "text")
        }
        try container.viewContext.save()
        container.close()
        func found(_ model: ManagedObjectModel, _ word: String) throws -> Int {
            try PersistentContainer(model: model, url: url).close()
            return try RawFile(url).rows(
                "SELECT rowid FROM OG_SEARCH_ZNOTE WHERE OG_SEARCH_ZNOTE MATCH '\"\(word)\"'"
            ).count
        }
        // The index stays where nothing of it changes, and is made again where something does.
        #expect(try found(notes("text", id: nil, extra: true), "cre") == 2)
        #expect(try found(notes("words", id: "text", extra: true), "cre") == 2)
        let swapped = notes("other", id: nil, extra: false)
        var options = StoreOptions()
        options.migration.allowsLoss = true
        try PersistentContainer(model: swapped, url: url, options: options).close()
        #expect(try found(swapped, "cre") == 0)
    }

    @Test func storeOfAConfigurationIsMigratedWithIt() throws {
        func model(_ extra: Bool) -> ManagedObjectModel {
            let model = ManagedObjectModel(
                ["Note", "Secret"].map {
                    EntityDescription($0, [AttributeDescription("title", .string)])
                }
            )
            if extra {
                for entity in model.entities { entity.add(AttributeDescription("more", .string)) }
            }
            model.configurations = ["Open": ["Note"], "Closed": ["Secret"]]
            return model
        }
        func stores() -> [StoreDescription] {
            ["Open", "Closed"].map { name in
                var options = StoreOptions()
                options.configuration = name
                return StoreDescription(url: folder.file("\(name).sqlite"), options: options)
            }
        }
        var container = try PersistentContainer(model: model(false), stores: stores())
        for name in ["Note", "Secret"] {
            try container.viewContext.insert(entityNamed: name).setValue(
                .string("a"),
                forKey: "title"
            )
        }
        try container.viewContext.save()
        container.close()
        container = try PersistentContainer(model: model(true), stores: stores())
        for name in ["Note", "Secret"] {
            let found = try container.viewContext.fetch(
                FetchRequest<ManagedObject>(entityName: name)
            )
            #expect(try found.map { try $0.value(forKey: "title") } == [.string("a")])
        }
        container.close()
        // What a store of a part would lose is seen too.
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try PersistentContainer(model: model(false), stores: stores())
        }
        #expect(error?.code == .incompatibleVersion)
        #expect(
            try RawFile(folder.file("Open.sqlite")).rows("SELECT * FROM Z_PRIMARYKEY").count == 1
        )
    }
}
