import Foundation
import ObjectGraph
import SeededRandom
import Testing

/// The XML store's file: as Core Data writes it, and what is read beyond that.
@Suite struct XMLStoreTests {
    private let folder: TestFolder
    private let url: URL

    init() throws {
        folder = try TestFolder()
        url = folder.file("shop.xml")
    }

    private static let identifier = "0E1F9F8A-6C5F-4B43-9B0B-1B1B1B1B1B1B"

    private var text: String {
        get throws { String(decoding: try Data(contentsOf: url), as: UTF8.self) }
    }

    /// A document with objects as it comes from elsewhere.
    private func document(_ objects: String, nextID: Int = 200, info: String? = nil) -> String {
        let names = ["Product", "Book", "Toy", "Shelf", "Tag", "Thing"]
        let hashes = names.map { "<key>\($0)</key><data>AAAA</data>" }.joined(separator: "\n")
        let databaseInfo =
            info ?? """
                <databaseInfo>
                  <version>134481920</version>
                  <UUID>\(XMLStoreTests.identifier)</UUID>
                  <nextObjectID>\(nextID)</nextObjectID>
                  <metadata>
                    <plist version="1.0"><dict>
                      <key>NSPersistenceFrameworkVersion</key><integer>1145</integer>
                      <key>NSStoreModelVersionHashes</key><dict>\(hashes)</dict>
                      <key>NSStoreModelVersionHashesVersion</key><integer>3</integer>
                      <key>NSStoreModelVersionIdentifiers</key><array><string></string></array>
                    </dict></plist>
                  </metadata>
                </databaseInfo>
                """
        return """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
            <database>\(databaseInfo)\(objects)</database>
            """
    }

    private func open(_ objects: String, nextID: Int = 200) throws -> PersistentContainer {
        try Data(document(objects, nextID: nextID).utf8).write(to: url)
        return try Shop.open(.xml, url)
    }

    @Test(arguments: ["", #"<object type="SHELF" id="z9223372036854775807"></object>"#])
    func newObjectIsRefusedWhenTheNumbersAreUsedUp(_ objects: String) throws {
        let container = try open(objects, nextID: .max - (objects.isEmpty ? 1 : 3))
        let context = container.viewContext
        let count = try context.all("Shelf").count
        if objects.isEmpty {
            try context.insert(entityNamed: "Shelf").setValue("last", forKey: "label")
            try context.save()
        }
        let shelf = try context.insert(entityNamed: "Shelf")
        try shelf.setValue("one more", forKey: "label")
        #expect(failure { try context.save() }?.code == .saveFailed)
        #expect(failure { try context.obtainPermanentIDs(for: [shelf]) }?.code == .saveFailed)
        #expect(shelf.isInserted && shelf.objectID.isTemporaryID)
        container.close()
        let again = try Shop.open(.xml, url)
        #expect(try again.viewContext.all("Shelf").count == count + (objects.isEmpty ? 1 : 0))
    }

    @Test func layoutIsCoreDatas() throws {
        let container = try Shop.open(.xml, url)
        let context = container.viewContext
        let shelf = try context.insert(entityNamed: "Shelf")
        try shelf.setValue("top & <left>", forKey: "label")
        try context.save()
        let book = try context.insert(entityNamed: "Book")
        try book.setValue(.object(shelf), forKey: "shelf")
        try book.setValue(7, forKey: "pages")
        try book.setValue(.date(Date(timeIntervalSinceReferenceDate: 0.5)), forKey: "added")
        try context.save()
        let lines = try text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            lines[1] == "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">"
        )
        #expect(
            Array(lines[2...4]) == ["<database>", "<databaseInfo>", "<version>134481920</version>"]
        )
        #expect(lines[6] == "<nextObjectID>3</nextObjectID>")
        let first = try #require(lines.firstIndex { $0.hasPrefix("<object") })
        #expect(
            Array(lines[first...]) == [
                "<object type=\"BOOK\" id=\"z2\">",
                "<attribute name=\"added\" type=\"date\">0.50000000000000000000</attribute>",
                "<relationship name=\"shelf\" type=\"1/1\" destination=\"SHELF\" idrefs=\"z1\">"
                    + "</relationship>",
                "<relationship name=\"tags\" type=\"0/0\" destination=\"TAG\"></relationship>",
                "<attribute name=\"pages\" type=\"int32\">7</attribute>",
                "<relationship name=\"parts\" type=\"0/0\" destination=\"BOOK\"></relationship>",
                "<relationship name=\"whole\" type=\"1/1\" destination=\"BOOK\"></relationship>",
                "</object>",
                "<object type=\"SHELF\" id=\"z1\">",
                "<attribute name=\"label\" type=\"string\">top &amp; &lt;left&gt;</attribute>",
                "<relationship name=\"products\" type=\"0/0\" destination=\"PRODUCT\""
                    + " idrefs=\"z2\"></relationship>",
                "<relationship name=\"window\" type=\"0/0\" destination=\"PRODUCT\"></relationship>",
                "</object>",
                "</database>",
            ]
        )
    }

    @Test func documentOfCoreDataIsReadAndWritten() throws {
        let container = try open(
            """
            <object type="BOOK" id="z104">
                <attribute name="name" type="string">One</attribute>
                <attribute name="pages" type="int32">12</attribute>
                <attribute name="price" type="decimal">1.25</attribute>
                <attribute name="added" type="date">362400000.12345600128173828125</attribute>
                <relationship name="shelf" type="1/1" destination="SHELF" idrefs="z102"></relationship>
                <relationship name="tags" type="0/0" destination="TAG" idrefs="z110 z111"></relationship>
                <relationship name="whole" type="1/1" destination="BOOK"></relationship>
            </object>
            <object type="SHELF" id="z102">
                <relationship name="products" type="0/0" destination="PRODUCT" idrefs="z104"></relationship>
            </object>
            <object type="TAG" id="z110"><attribute name="name" type="string">a</attribute>
            <relationship name="products" type="0/0" destination="PRODUCT" idrefs="z104"/></object>
            <object type="TAG" id="z111"><attribute name="name" type="string">b</attribute></object>
            """
        )
        let context = container.viewContext
        let book = try #require(try context.all("Book").first)
        #expect(
            book.objectID.uri
                == "x-coredata://\(XMLStoreTests.identifier)/Book/p104"
        )
        #expect(try book.value(forKey: "pages") == 12)
        #expect(try book.value(forKey: "price") == .decimal(1.25))
        #expect(
            try book.value(forKey: "added")
                == .date(Date(timeIntervalSinceReferenceDate: 362400000.123456))
        )
        #expect(try book.value(forKeyPath: "shelf.products.@count") == 1)
        #expect(try book.value(forKeyPath: "tags.@count") == 2)
        try book.setValue("Two", forKey: "name")
        let new = try context.insert(entityNamed: "Toy")
        try context.save()
        #expect(new.objectID.uri.hasSuffix("/Toy/p200"))
        #expect(try text.contains("<nextObjectID>201</nextObjectID>"))
        #expect(try text.contains("<key>NSPersistenceFrameworkVersion</key>"))
        #expect(try text.contains("id=\"z104\""))
    }

    @Test func orderWhiteSpaceAndCommentsDoNotMatter() throws {
        let container = try open(
            """

              <!-- a comment --><object  id = "z5"
                 type="TOY" ><relationship idrefs="
                 z1 " destination="SHELF" name="shelf" type="1/1"  /><attribute type="bool"
                 name="issoft"> YES </attribute></object>
              <object id="z1" type="SHELF"/>
            """
        )
        let toy = try #require(try container.viewContext.all("Toy").first)
        #expect(try toy.value(forKey: "isSoft") == true)
        #expect(try toy.value(forKeyPath: "shelf.products.@count") == 1)
    }

    @Test func infoMayStandBehindTheObjects() throws {
        let whole = document("<object id=\"z1\" type=\"TOY\"/>")
        let start = try #require(whole.range(of: "<databaseInfo>"))
        let end = try #require(whole.range(of: "</databaseInfo>"))
        let info = whole[start.lowerBound..<end.upperBound]
        let turned = whole.replacing(info, with: "").replacing(
            "</database>",
            with: info + "</database>"
        )
        try Data(turned.utf8).write(to: url)
        #expect(try Shop.count("Toy", Shop.open(.xml, url).viewContext) == 1)
    }

    @Test(arguments: [
        ("<object type=\"LAMP\" id=\"z1\"/>", "LAMP"),
        ("<object type=\"PRODUCT\" id=\"z1\"/>", "Product"),
        ("<object type=\"TOY\"/>", "no id"),
        ("<object type=\"TOY\" id=\"z1\"/><object type=\"TAG\" id=\"z1\"/>", "id z1"),
        ("<object type=\"TOY\" id=\"z1\"><attribute name=\"age\">1</attribute></object>", "age"),
        ("<object type=\"TOY\" id=\"z1\"><attribute>1</attribute></object>", "no name"),
        (
            "<object type=\"TOY\" id=\"z1\"><attribute name=\"issoft\">7</attribute></object>",
            "Boolean"
        ),
        (
            "<object type=\"TOY\" id=\"z1\"><attribute name=\"shelf\">7</attribute></object>",
            "relationship"
        ),
        ("<object type=\"TOY\" id=\"z1\"><relationship name=\"price\"/></object>", "attribute"),
        (
            "<object type=\"TOY\" id=\"z1\"><relationship name=\"shelf\" idrefs=\"z1 z2\"/></object>",
            "one destination"
        ),
        (
            "<object type=\"TOY\" id=\"z1\"><relationship name=\"shelf\" idrefs=\"z1\"/></object>",
            "leads to"
        ),
        (
            "<object type=\"BOOK\" id=\"z1\"><attribute name=\"pages\">99999999999</attribute></object>",
            "Integer 32"
        ),
        ("<lamp/>", "lamp"),
    ])
    func contradictionsAreNamed(_ objects: String, _ word: String) throws {
        let error = failure { _ = try open(objects) }
        #expect(error?.code == .damagedFile)
        #expect(error?.message.contains(word) == true, "\(error?.message ?? "opened")")
        #expect(error?.message.contains("shop.xml") == true)
    }

    @Test func otherXMLIsNotAStore() throws {
        try Data("<html><body/></html>".utf8).write(to: url)
        #expect(failure { _ = try Shop.open(.xml, url) }?.code == .damagedFile)
        try Data("<database></database>".utf8).write(to: url)
        #expect(failure { _ = try Shop.open(.xml, url) }?.message.contains("metadata") == true)
    }

    @Test func entityAttackIsRefused() throws {
        try Data(
            """
            <!DOCTYPE database [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>
            <database>&b;</database>
            """.utf8
        ).write(to: url)
        #expect(failure { _ = try Shop.open(.xml, url) }?.code == .damagedFile)
    }

    @Test func namesThatDifferInCaseOnlyAreRefused() throws {
        let entities = Shop.model { $0.add(EntityDescription("toy")) }
        let first = failure { _ = try Shop.open(.xml, url, model: entities) }
        #expect(first?.code == .unsupported)
        #expect(first?.message.contains("Toy") == true && first?.message.contains("toy") == true)
        let properties = Shop.model {
            $0.entity(named: "Toy")?.add(AttributeDescription("Name", .string))
        }
        let second = failure { _ = try Shop.open(.xml, url, model: properties) }
        #expect(second?.code == .unsupported)
        #expect(second?.message.contains("Toy.Name") == true)
        #expect(try folder.names == [])
        // Other types can hold both.
        _ = try Shop.open(.text, folder.file("a"), model: entities)
        _ = try Shop.open(.binary, folder.file("b"), model: properties)
    }

    @Test func textThatXMLCannotHoldIsEncoded() throws {
        let container = try Shop.open(.xml, url)
        let thing = try container.viewContext.insert(entityNamed: "Thing")
        try thing.setValue("a\u{0}\u{1F}\u{FFFE}", forKey: "text")
        try container.viewContext.save()
        #expect(try text.contains("type=\"string\" encoding=\"base64\">YQAf77++</attribute>"))
        let again = try Shop.open(.xml, url)
        let found = try again.viewContext.all("Thing").first?.value(forKey: "text")
        #expect(found == "a\u{0}\u{1F}\u{FFFE}")
    }

    /// What opening the document gives: the objects, or the error.
    private func outcome(_ document: Data) throws -> String {
        try document.write(to: url)
        do {
            let container = try Shop.open(.xml, url, isReadOnly: true)
            defer { container.close() }
            return try "\(Shop.dump(container.viewContext))"
        } catch { return "\(try #require(error as? ObjectGraphError, "\(error)").message)" }
    }

    /// A document as it is written is read without the parser; one more blank in its first line makes
    /// the parser read it.
    @Test func changedDocumentMeansWhatItMeansToTheParser() throws {
        var random = SeededRandom()
        let container = try Shop.open(.xml, url)
        try Shop.fill(container.viewContext)
        let thing = try container.viewContext.insert(entityNamed: "Thing")
        try thing.setValue("<é> & \"\u{FFFD}\"\r\n\t😀 ]]>", forKey: "text")
        try container.viewContext.save()
        container.close()
        let written = try Data(contentsOf: url)
        let start = Data("<?xml version=\"1.0\" encoding=\"UTF-8\"".utf8)
        #expect(written.starts(with: start))
        let pieces: [[UInt8]] =
            [
                "<", ">", "&", "\"", "'", "]]>", "&#10;", "&#x41;", "&apos;", "&lt;", "\n", "\r",
                "\t",
                " ", "<!-- -->", "<a/>", "<![CDATA[x]]>", "<?a?>", "0", "-", ".5", "z1", "1e3", "Ä",
                "\u{FFFE}", "\u{2028}", "\u{7F}", "<attribute name=\"age\" type=\"int\">",
                "    </object>\n", "</database>\n", "encoding=\"base64\"",
            ].map { Array($0.utf8) } + [
                [0], [1], [0x80], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xff],
            ]
        let objects = try #require(written.range(of: Data("    </databaseInfo>".utf8))).lowerBound
        let secondLine = try #require(written.firstIndex(of: UInt8(ascii: "\n"))) + 1
        var opened = 0
        for change in 0..<200 {
            var document = Array(written)
            // The objects are changed more often than what comes before them.
            let first = change % 8 == 0 ? secondLine : objects
            let place = first + random.below(document.count - first)
            let end = min(document.count, place + random.below(4))
            switch random.below(4) {
            case 0: document[place] ^= 1 << UInt8(random.below(8))
            case 1: document.removeSubrange(place..<end)
            case 2:
                document.replaceSubrange(
                    place..<end,
                    with: document[place..<end].shuffled(using: &random)
                )
            default:
                let piece = pieces[random.below(pieces.count)]
                document.replaceSubrange(place..<(random.below(2) == 0 ? place : end), with: piece)
            }
            let scanned = try outcome(Data(document))
            document.insert(UInt8(ascii: " "), at: start.count)
            let parsed = try outcome(Data(document))
            #expect(scanned == parsed, "change \(change) at byte \(place)")
            if !scanned.hasPrefix("The store") { opened += 1 }
        }
        #expect(opened > 20)
    }
}
