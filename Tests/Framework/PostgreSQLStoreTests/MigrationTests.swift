import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import Testing

/// A migration has the same result as that of a SQLite store.
@Suite(.enabled(if: PostgreSQLAtHand.isThere))
struct ServerMigrationTests {
    /// The places of one library in both kinds of stores.
    private final class Places {
        let bench: ServerBench
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

        init() throws {
            bench = try ServerBench()
            try PostgreSQLStores.register()
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true
            )
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        var urls: [URL] { [folder.appending(path: "a.sqlite"), bench.url] }
    }

    private static func before() -> ManagedObjectModel {
        let author = EntityDescription(
            "Author",
            [
                AttributeDescription("name", .string),
                AttributeDescription("old", .string),
                RelationshipDescription("books", to: "Book", inverse: "author", toMany: true),
            ]
        )
        let book = EntityDescription(
            "Book",
            [
                AttributeDescription("title", .string),
                AttributeDescription("pages", .integer32),
                RelationshipDescription("author", to: "Author", inverse: "books"),
                RelationshipDescription("tags", to: "Label", inverse: "books", toMany: true),
            ]
        )
        let tag = EntityDescription(
            "Label",
            [
                AttributeDescription("word", .string),
                RelationshipDescription("books", to: "Book", inverse: "tags", toMany: true),
            ]
        )
        return ManagedObjectModel([author, book, tag])
    }

    /// Renamed entities and attributes, new ones, dropped ones, a to-one side that becomes to-many, and
    /// an order.
    private static func after() -> ManagedObjectModel {
        let name = AttributeDescription("fullName", .string)
        name.renamingIdentifier = "name"
        let author = EntityDescription(
            "Writer",
            [
                name,
                AttributeDescription("born", .integer64, optional: false, default: .int(1900)),
                AttributeDescription(
                    "motto",
                    .string,
                    optional: false,
                    default: .string("it's \u{1}")
                ),
                AttributeDescription("rate", .double, optional: false, default: .double(0.5)),
                RelationshipDescription(
                    "books",
                    to: "Book",
                    inverse: "authors",
                    toMany: true,
                    ordered: true
                ),
            ]
        )
        author.renamingIdentifier = "Author"
        let authors = RelationshipDescription(
            "authors",
            to: "Writer",
            inverse: "books",
            toMany: true
        )
        authors.renamingIdentifier = "author"
        let book = EntityDescription(
            "Book",
            [
                AttributeDescription("title", .string),
                AttributeDescription("pages", .integer32),
                authors,
                RelationshipDescription("tags", to: "Label", inverse: "books", toMany: true),
            ]
        )
        let tag = EntityDescription(
            "Label",
            [
                AttributeDescription("word", .string),
                RelationshipDescription("books", to: "Book", inverse: "tags", toMany: true),
            ]
        )
        return ManagedObjectModel([author, book, tag])
    }

    /// The attribute `old` goes.
    private static var losing: StoreOptions {
        var options = StoreOptions()
        options.migration.allowsLoss = true
        return options
    }

    private func fill(_ url: URL) throws {
        let container = try PersistentContainer(model: Self.before(), url: url)
        defer { container.close() }
        let context = container.viewContext
        let tags = try ["a", "b"].map { try context.add("Label", ["word": .string($0)]) }
        for number in 0..<3 {
            let author = try context.add("Author", ["name": .string("A\(number)"), "old": "x"])
            for place in 0...number {
                let book = try context.add(
                    "Book",
                    ["title": .string("B\(number)\(place)"), "pages": .int(Int64(place))]
                )
                try book.setValue(.object(author), forKey: "author")
                try book.setValue(.set([.object(tags[place % 2])]), forKey: "tags")
            }
        }
        try context.save()
    }

    /// What a migrated store holds, with the keys of its rows.
    private func dump(_ url: URL) throws -> [String] {
        let container = try PersistentContainer(model: Self.after(), url: url, options: Self.losing)
        defer { container.close() }
        let context = container.newContext()
        func name(_ object: ManagedObject) -> String {
            "\(object.entity.name)\(object.objectID.key)"
        }
        var lines: [String] = []
        for entity in ["Writer", "Book", "Label"] {
            for object in try context.found(entity).sorted(by: { name($0) < name($1) }) {
                var line = name(object)
                for property in object.entity.slots.sorted(by: { $0.name < $1.name }) {
                    let value = try object.value(forKey: property.name)
                    let members = value.elements?.compactMap { member -> String? in
                        if case .object(let other as ManagedObject) = member {
                            name(other)
                        } else {
                            nil
                        }
                    }
                    let isOrdered = (property as? RelationshipDescription)?.isOrdered == true
                    let text = members.map { isOrdered ? "\($0)" : "\($0.sorted())" }
                    line += " \(property.name)=\(text ?? "\(value)")"
                }
                lines.append(line)
            }
        }
        // The keys of new objects follow those of the old ones.
        let added = try context.add("Writer", ["fullName": "new"])
        try context.save()
        return lines + [name(added)]
    }

    @Test func aChangedModelHasTheSameResultAsInASQLiteStore() throws {
        let places = try Places()
        for url in places.urls { try fill(url) }
        for url in places.urls {
            let error = #expect(throws: ObjectGraphError.self) {
                try PersistentContainer(model: Self.after(), url: url)
            }
            #expect(error?.code == .incompatibleVersion)
        }
        let dumps = try places.urls.map(dump)
        #expect(dumps[0] == dumps[1])
        #expect(dumps[1].count == 3 + 6 + 2 + 1)
        #expect(dumps[1].contains { $0.contains("born=int(1900)") || $0.contains("born=1900") })
    }

    @Test func twoProgramsMigrateOnce() async throws {
        let places = try Places()
        let url = places.bench.url
        try fill(url)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let container = try PersistentContainer(
                        model: Self.after(),
                        url: url,
                        options: Self.losing
                    )
                    defer { container.close() }
                    return try container.newContext().found("Writer").count
                }
            }
            for try await count in group { #expect(count == 3) }
        }
    }

    /// A program of the old version must not write rows of its form into the new tables.
    @Test func whoeverHasTheOldFormOpenIsRefused() throws {
        let places = try Places()
        let url = places.bench.url
        try fill(url)
        let old = try PersistentContainer(model: Self.before(), url: url)
        let label = try #require(try old.viewContext.found("Label").first)
        try PersistentContainer(model: Self.after(), url: url, options: Self.losing).close()
        try label.setValue("new", forKey: "word")
        let save = #expect(throws: ObjectGraphError.self) { try old.viewContext.save() }
        #expect(save?.code == .incompatibleVersion)
        let fetch = #expect(throws: ObjectGraphError.self) {
            try old.newContext().found("Author")
        }
        #expect(fetch?.code == .incompatibleVersion)
        let new = try PersistentContainer(model: Self.after(), url: url)
        #expect(
            try !new.newContext().found("Label").contains {
                try $0.value(forKey: "word") == "new"
            }
        )
    }

    @Test func aMigrationThatFailsChangesNothing() throws {
        let places = try Places()
        let url = places.bench.url
        try fill(url)
        let model = Self.before()
        let unique = model.entities.first { $0.name == "Book" }
        unique?.uniquenessConstraints = [["pages"]]
        unique?.versionHashModifier = "unique"
        let error = #expect(throws: ObjectGraphError.self) {
            try PersistentContainer(model: model, url: url)
        }
        #expect(error?.code == .migrationConstraint)
        let container = try PersistentContainer(model: Self.before(), url: url)
        #expect(try container.newContext().found("Book").count == 6)
    }
}
