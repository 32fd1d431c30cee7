import CaseFiles
import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import Testing

/// Stores that Apple's framework wrote: they open, read right, and take a change without harm.
///
/// The files are among the cases from elsewhere, which may be absent.
@Suite(.enabled(if: CaseFiles.has("stores"), "there is no folder with cases (DOCKET_CASES)"))
struct ForeignStoreTests {
    /// A copy of a case's file that may be written.
    private func copy(_ path: String, to folder: TestFolder) throws -> URL {
        let url = folder.file()
        try CaseFiles.data("stores/alemar11+CoreDataPlus/Tests/Resources/\(path)").write(to: url)
        return url
    }

    static func books() -> ManagedObjectModel {
        let book = EntityDescription(
            "Book",
            [
                AttributeDescription("uniqueID", .uuid),
                AttributeDescription("title", .string),
                AttributeDescription("price", .decimal),
                AttributeDescription("publishedAt", .date),
                AttributeDescription("cover", .binary),
                AttributeDescription("pagesCount", .integer64),
                RelationshipDescription("author", to: "Author", inverse: "books"),
                RelationshipDescription("pages", to: "Page", inverse: "book", toMany: true),
            ]
        )
        let novel = EntityDescription(
            "GraphicNovel",
            superentity: "Book",
            [AttributeDescription("isBlackAndWhite", .boolean)]
        )
        let page = EntityDescription(
            "Page",
            [
                AttributeDescription("number", .integer32),
                AttributeDescription("isBookmarked", .boolean),
                AttributeDescription("content", .binary),
                RelationshipDescription("book", to: "Book", inverse: "pages"),
            ]
        )
        let writer = EntityDescription(
            "Writer",
            isAbstract: true,
            [AttributeDescription("age", .integer16)]
        )
        let author = EntityDescription(
            "Author",
            superentity: "Writer",
            [
                AttributeDescription("alias", .string),
                AttributeDescription("siteURL", .uri),
                RelationshipDescription("books", to: "Book", inverse: "author", toMany: true),
            ]
        )
        let feedback = EntityDescription(
            "Feedback",
            [
                AttributeDescription("rating", .double),
                AttributeDescription("authorAlias", .string),
                AttributeDescription("comment", .string),
                AttributeDescription("bookID", .uuid),
            ]
        )
        return ManagedObjectModel([book, novel, page, writer, author, feedback])
    }

    @Test func aStoreOfBooksReadsAsItsRowsSay() throws {
        let folder = try TestFolder()
        let url = try copy("SampleModel2/Fixtures/SampleModel2_V1.sqlite", to: folder)
        let model = Self.books()
        let store = try SQLiteStore(url: url, model: model)
        let session = TestSession(store, model)
        let raw = try RawDatabase(url)
        for (entity, table, condition) in [
            ("Book", "ZBOOK", "1"), ("GraphicNovel", "ZBOOK", "Z_ENT = 2"),
            ("Page", "ZPAGE", "1"), ("Writer", "ZWRITER", "1"), ("Author", "ZWRITER", "Z_ENT = 6"),
            ("Feedback", "ZFEEDBACK", "1"),
        ] {
            let count = try raw.rows("SELECT COUNT(*) FROM \(table) WHERE \(condition)")
            let found = try session.fetch(FetchDescription(entityName: entity)).ids
            #expect(["\(found.count)"] == count, "\(entity)")
            for id in found { #expect(try session.row(id) != nil) }
        }
        let request = FetchDescription(
            entityName: "Book",
            predicate: try FetchPredicate(
                format: "author.alias == %@ AND pages.@count == pagesCount",
                try raw.rows("SELECT ZALIAS FROM ZWRITER LIMIT 1").joined()
            )
        )
        let books = try session.fetch(request).ids
        #expect(!books.isEmpty)
        for book in books.prefix(5) {
            let row = try raw.rows(
                "SELECT ZTITLE, ZPAGESCOUNT, CAST(ZPRICE AS TEXT) FROM ZBOOK WHERE Z_PK = \(book.key)"
            )
            let title = try #require(String(value: try session.value(book, "title")))
            let price = try #require(try session.value(book, "price").decimalValue)
            let pages = try session.members(book, "pages")
            #expect(row == ["\(title)|\(pages.count)|\(price)"])
            #expect(try session.value(pages[0], "book") == .objectID(book))
        }
        #expect(try store.history(after: 0, limit: 9).isEmpty)
        store.close()
    }

    @Test func aChangeToAForeignStoreFiresItsTriggersAndAddsNoTables() throws {
        let folder = try TestFolder()
        let url = try copy("SampleModel2/Fixtures/SampleModel2_V1.sqlite", to: folder)
        let schema = try RawDatabase(url).rows("SELECT name, sql FROM sqlite_master ORDER BY name")
        let plist = try RawDatabase(url).rows("SELECT HEX(Z_PLIST) FROM Z_METADATA")
        let model = Self.books()
        let store = try SQLiteStore(url: url, model: model)
        let session = TestSession(store, model)
        let novel = try session.object(
            try #require(try session.fetch(FetchDescription(entityName: "GraphicNovel")).ids.first)
        )
        let count = try #require(novel["pagesCount"].integerValue)
        let page = session.insert("Page", ["number": 999, "book": novel.reference])
        try session.save()
        #expect(try session.value(novel.id, "pagesCount") == .int(count + 1))
        session.delete(page)
        try session.save()
        #expect(try session.value(novel.id, "pagesCount") == .int(count))
        let fresh = try session.object(novel.id)
        session.update(fresh, ["title": "New title"])
        try session.save()
        store.close()
        let raw = try RawDatabase(url)
        #expect(try raw.rows("SELECT name, sql FROM sqlite_master ORDER BY name") == schema)
        #expect(try raw.rows("SELECT HEX(Z_PLIST) FROM Z_METADATA") == plist)
        #expect(try raw.integrity == "ok")
        #expect(
            try raw.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Page'")
                == ["\(page.id.key)"]
        )
        #expect(
            try raw.rows("SELECT ZTITLE, Z_ENT FROM ZBOOK WHERE Z_PK = \(novel.id.key)")
                == ["New title|2"]
        )
    }

    @Test(arguments: ["SampleModel_V1", "SampleModel_V2"])
    func aStoreOfCarsOpensWithItsOwnModelOnly(_ name: String) throws {
        let folder = try TestFolder()
        let url = try copy("SampleModel/Fixtures/\(name).sqlite", to: folder)
        func cars(_ extra: [PropertyDescription], third: String) -> ManagedObjectModel {
            let car = EntityDescription(
                "Car",
                [
                    AttributeDescription("maker", .string),
                    AttributeDescription("numberPlate", .string),
                    RelationshipDescription("owner", to: "Person", inverse: "cars"),
                ] + extra
            )
            let person = EntityDescription(
                "Person",
                [
                    AttributeDescription("firstName", .string),
                    RelationshipDescription("cars", to: "Car", inverse: "owner", toMany: true),
                ]
            )
            return ManagedObjectModel([
                car,
                EntityDescription("SportCar", superentity: "Car"),
                EntityDescription(third, superentity: "SportCar"),
                person,
            ])
        }
        // The second file was left half migrated by its writer: hashes and numbers disagree.
        let third = "ExpensiveSportCar"
        if name == "SampleModel_V1" {
            let model = cars([AttributeDescription("color", .binary)], third: third)
            let store = try SQLiteStore(url: url, model: model)
            let session = TestSession(store, model)
            let owned = try session.fetch(
                FetchDescription(
                    entityName: "Car",
                    predicate: try FetchPredicate(format: "owner != nil")
                )
            ).ids
            let count = try RawDatabase(url).rows("SELECT COUNT(*) FROM ZCAR WHERE ZOWNER NOTNULL")
            #expect(count == ["\(owned.count)"])
            store.close()
        }
        let wrong = cars([AttributeDescription("wings", .integer16)], third: third)
        let error = #expect(throws: ObjectGraphError.self) {
            try SQLiteStore(url: url, model: wrong)
        }
        #expect(error?.code == .incompatibleVersion)
    }

    @Test func aStoreOfUsersReadsAndSorts() throws {
        let folder = try TestFolder()
        let url = try copy("SampleModel3/Fixtures/SampleModel3_V1.sqlite", to: folder)
        let model = ManagedObjectModel([
            EntityDescription(
                "User",
                [AttributeDescription("name", .string), AttributeDescription("petName", .string)]
            )
        ])
        var options = SQLiteStoreOptions()
        options.isReadOnly = true
        let store = try SQLiteStore(url: url, model: model, options: options)
        let session = TestSession(store, model)
        let sorted = try session.fetch(
            FetchDescription(
                entityName: "User",
                sortDescriptors: [FetchSortDescriptor("name", comparison: .localizedStandard)]
            )
        ).ids
        let names = try sorted.map { try session.value($0, "name") }
        #expect(names.count == 12)
        let texts = names.compactMap { String(value: $0) }
        #expect(
            texts == texts.sorted { TextFolding.order($0, $1, by: .localizedStandard) == .before }
        )
        store.close()
    }
}
