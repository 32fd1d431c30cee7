import Foundation
import ObjectGraph
import SeededRandom
import Testing

/// The text store's two files.
@Suite struct TextStoreTests {
    private let folder: TestFolder
    private let url: URL
    private let list: URL

    init() throws {
        folder = try TestFolder()
        url = folder.file("shop.text")
        list = folder.file("shop.text.plist")
    }

    private func open() throws -> PersistentContainer { try Shop.open(.text, url) }

    private func lines() throws -> [String] {
        String(decoding: try Data(contentsOf: url), as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }

    private func edit(_ old: String, _ new: String) throws {
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        try #require(text.contains(old))
        try Data(text.replacing(old, with: new).utf8).write(to: url)
    }

    @Test func firstOpeningMakesBothFiles() throws {
        let container = try open()
        #expect(try folder.names == ["shop.text", "shop.text.plist"])
        #expect(try lines() == ["# ObjectGraph text store 1", "# end"])
        let read = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: list),
            format: nil
        )
        let values = try #require(read as? [String: Any])
        #expect(values["NSStoreType"] as? String == "Text")
        // An empty store is the same store when it is opened again.
        let identifier = container.coordinator.persistentStores.first?.identifier
        container.close()
        #expect(try open().coordinator.persistentStores.first?.identifier == identifier)
    }

    @Test func oneObjectIsOneLine() throws {
        let container = try open()
        let context = container.viewContext
        let shelf = try context.insert(entityNamed: "Shelf")
        try shelf.setValue("a|b=c,d\\e\nf\r\t\u{1}", forKey: "label")
        try context.save()
        let book = try context.insert(entityNamed: "Book")
        try book.setValue(.object(shelf), forKey: "shelf")
        try book.setValue("", forKey: "name")
        try context.save()
        let toy = try context.insert(entityNamed: "Toy")
        try shelf.setValue(.array([.object(toy), .object(book)]), forKey: "window")
        try context.save()
        let found = try lines()
        #expect(
            found == [
                "# ObjectGraph text store 1",
                "Book|2|name=|shelf=1",
                "Toy|3",
                "Shelf|1|label=a\\|b\\=c\\,d\\\\e\\nf\\r\\t\\x01|window=3,2",
                "# end",
            ]
        )
    }

    @Test func everyTextComesBack() throws {
        var random = SeededRandom()
        let scalars: [Unicode.Scalar] = [
            "a", "|", "=", ",", "\\", "\n", "\r", "\t", "\u{0}", "\u{7F}", "x", "n", "#", " ", "é",
            "🐈", "\u{301}", "\u{2028}", "\u{85}", "\u{FFFF}",
        ]
        var texts: [String] = ["# end", "\\", "\\n", "nil", "42", "\n", ""]
        for _ in 0..<300 {
            var text = String.UnicodeScalarView()
            for _ in 0..<random.below(12) { text.append(random.pick(scalars)) }
            texts.append(String(text))
        }
        for type in Shop.atomicTypes {
            let url = folder.file("texts.\(type.rawValue)")
            let container = try Shop.open(type, url)
            for (number, text) in texts.enumerated() {
                let thing = try container.viewContext.insert(entityNamed: "Thing")
                try thing.setValue(.string(text), forKey: "text")
                try thing.setValue(.int(Int64(number)), forKey: "whole")
            }
            let empty = try container.viewContext.insert(entityNamed: "Thing")
            try empty.setValue(-1, forKey: "whole")
            try container.viewContext.save()
            container.close()
            let context = try Shop.open(type, url).viewContext
            for thing in try context.all("Thing") {
                guard case .int(let number) = try thing.value(forKey: "whole") else { continue }
                let found = try thing.value(forKey: "text")
                guard number >= 0 else {
                    #expect(found == .null)
                    continue
                }
                guard case .string(let text) = found else {
                    Issue.record("\(type.rawValue) \(number): \(found)")
                    continue
                }
                #expect(Array(text.utf8) == Array(texts[Int(number)].utf8), "\(type.rawValue)")
            }
        }
    }

    @Test func editedFileIsRead() throws {
        let container = try open()
        try Shop.fill(container.viewContext)
        container.close()
        try edit("label=empty", "label=edited")
        try edit("# end", "Toy|99|name=by hand|shelf=\n\n# a remark\n# end")
        let context = try open().viewContext
        #expect(
            try Set(context.all("Shelf").map { try $0.value(forKey: "label") }) == [
                "top", "edited",
            ]
        )
        #expect(try Shop.count("Toy", context) == 2)
        let next = try context.insert(entityNamed: "Tag")
        try context.save()
        #expect(next.objectID.uri.hasSuffix("/p100"))
    }

    @Test func referencesMayBeTexts() throws {
        let container = try open()
        container.close()
        try edit(
            "# end",
            "Shelf|main\\,1|label=x|window=\\42,lamp\nToy|\\42|shelf=main\\,1\nToy|lamp\nToy|42\n# end"
        )
        let context = try open().viewContext
        let shelf = try #require(try context.all("Shelf").first)
        let store = try #require(context.coordinator.persistentStores.first?.identifier.uuidString)
        #expect(shelf.objectID.uri == "x-coredata://\(store)/Shelf/pmain,1")
        let window = try #require(try shelf.value(forKey: "window").elements)
        let uris = window.compactMap { value -> String? in
            if case .object(let object) = value { return object.managedObjectID?.uri }
            return nil
        }
        #expect(uris.map { $0.split(separator: "/").last } == ["p%342", "plamp"])
        let id = context.coordinator.managedObjectID(forURI: uris[0])
        #expect(try id.map { try context.existingObject(with: $0).entity.name } == "Toy")
        #expect(try Shop.count("Toy", context) == 3)
        try shelf.setValue("y", forKey: "label")
        try context.save()
        #expect(try lines().contains("Shelf|main\\,1|label=y|window=\\42,lamp"))
    }

    @Test func namesThatAreEscapedInAnotherWayAreRead() throws {
        try open().close()
        try edit(
            "# end",
            "\\x54oy|7|n\\ame=a=b\\|c|is\\Soft=1|shelf=8|\\x6eame=d\nSh\\elf|8\n# end"
        )
        let context = try open().viewContext
        let toy = try #require(try context.all("Toy").first)
        #expect(try toy.value(forKey: "name") == "d" && toy.value(forKey: "isSoft") == true)
        #expect(try toy.objectID.uri.hasSuffix("/p7") && !toy.value(forKey: "shelf").isNull)
    }

    @Test(
        arguments: [
            ("Lamp|1", "Lamp"), ("Product|1", "Product"), ("Toy", "no reference"),
            ("Toy|", "no reference"),
            ("Toy|1\nToy|1", "twice"), ("Toy|1\nBook|1", "twice"), ("Toy|1|age=1", "age"),
            ("Toy|1|name", "no \"=\""), ("Toy|1|isSoft=7", "Boolean"),
            ("Toy|1|shelf=1,2", "one destination"),
            ("Toy|1|name=a\\", "backslash"), ("Toy|1|name=\\xZZ", "hexadecimal"),
            ("Toy|1|name=\\xff", "hexadecimal"), ("Tag|1|products=2\nShelf|2", nil),
        ] as [(String, String?)]
    )
    func contradictionsAreNamedWithTheirLine(_ text: String, _ word: String?) throws {
        try open().close()
        try edit("# end", text + "\n# end")
        let error = failure { _ = try open() }
        guard let word else {
            // An object that does not exist, of an entity that the relationship permits.
            #expect(error == nil)
            return
        }
        #expect(error?.code == .damagedFile)
        #expect(error?.message.contains(word) == true, "\(error?.message ?? "opened")")
        #expect(error?.message.contains("shop.text") == true)
    }

    @Test func invalidUTF8IsRefused() throws {
        try open().close()
        var bytes = try Data(contentsOf: url)
        bytes.insert(contentsOf: [0x54, 0xFF, 0x0A], at: 27)
        try bytes.write(to: url)
        let error = failure { _ = try open() }
        #expect(error?.message.contains("UTF-8") == true, "\(error?.message ?? "opened")")
    }

    @Test func lineEndsOfAnotherSystemAreRead() throws {
        let container = try open()
        try Shop.fill(container.viewContext)
        let before = try Shop.dump(container.viewContext)
        container.close()
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        try Data(text.replacing("\n", with: "\r\n").utf8).write(to: url)
        #expect(try Shop.dump(open().viewContext) == before)
    }

    @Test func killBetweenTheTwoFilesLeavesTheOldState() throws {
        let container = try open()
        let store = try #require(container.coordinator.persistentStores.first)
        func save(_ label: String) throws {
            var metadata = try container.coordinator.metadata(of: store)
            metadata["label"] = .string(label)
            try container.coordinator.setMetadata(metadata, of: store)
            let shelf = try container.viewContext.insert(entityNamed: "Shelf")
            try shelf.setValue(.string(label), forKey: "label")
            try container.viewContext.save()
        }
        try save("old")
        let old = try Data(contentsOf: url)
        try save("new")
        container.close()
        let new = try Data(contentsOf: url)
        // The metadata are replaced first: with the old objects, the old metadata count.
        try old.write(to: url)
        var metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: url)
        #expect(metadata["label"] == "old")
        #expect(try Shop.count("Shelf", open().viewContext) == 1)
        try new.write(to: url)
        metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: url)
        #expect(metadata["label"] == "new")
        #expect(try Shop.count("Shelf", open().viewContext) == 2)
    }

    @Test func missingMetadataAreNamed() throws {
        try open().close()
        try FileManager.default.removeItem(at: list)
        let error = failure { _ = try open() }
        #expect(error?.code == .cannotOpen && error?.message.contains("shop.text.plist") == true)
        try Data("<plist><string>x</string></plist>".utf8).write(to: list)
        #expect(failure { _ = try open() }?.code == .damagedFile)
    }

    @Test func foreignListBesideANewStoreIsNotOverwritten() throws {
        let bytes = Data("<plist><dict><key>a</key><string>b</string></dict></plist>".utf8)
        try bytes.write(to: list)
        #expect(failure { _ = try open() }?.code == .cannotOpen)
        #expect(try Data(contentsOf: list) == bytes)
        #expect(try folder.names == ["shop.text.plist"])
    }

    @Test func changedMetadataAreNotOverwritten() throws {
        let container = try open()
        let bytes = try Data(contentsOf: list) + Data("\n".utf8)
        try bytes.write(to: list)
        _ = try container.viewContext.insert(entityNamed: "Tag")
        #expect(failure { try container.viewContext.save() }?.code == .storeReplaced)
        #expect(try Data(contentsOf: list) == bytes)
    }
}
