import CompilerAtHand
import FoundationEssentials
import ObjectGraph
import Testing

/// The model that classes declare, and its use.
@Suite struct ClassModelTests {
    private func container() throws -> PersistentContainer {
        try PersistentContainer(for: Author.self, options: .inMemory)
    }

    @Test func modelSaysWhatTheClassesDeclare() throws {
        let model = try ManagedObjectModel(for: Author.self, Book.self, Topic.self)
        #expect(Set(model.entities.map(\.name)) == ["Work", "Book", "Author", "Topic"])
        let work = try #require(model.entity(named: "Work"))
        let book = try #require(model.entity(named: "Book"))
        #expect(work.isAbstract && !book.isAbstract)
        #expect(book.superentityName == "Work" && work.superentityName == nil)
        #expect(book.renamingIdentifier == "Volume")
        #expect(work.ownProperties.map(\.name) == ["title", "year"])
        #expect(work.indexes.map { $0.elements.map(\.property) } == [["year"]])
        #expect(book.uniquenessConstraints == [["number"], ["title", "year"]])
        #expect(book.indexes.map { $0.elements.map(\.property) } == [["author", "year"]])

        func attribute(_ name: String) -> AttributeDescription? {
            book.ownProperties.first { $0.name == name } as? AttributeDescription
        }
        let title = work.ownProperties.first as? AttributeDescription
        #expect(title?.type == .string && title?.isOptional == false)
        #expect(title?.defaultValue == .null)
        #expect(attribute("isbn") == nil)
        #expect(attribute("number")?.type == .string && attribute("number")?.isOptional == true)
        #expect(attribute("copies")?.type == .integer16 && attribute("copies")?.defaultValue == 1)
        #expect(attribute("copies")?.rules == [.minimum(0), .maximum(100)])
        #expect(attribute("price")?.type == .decimal && attribute("isRead")?.type == .boolean)
        #expect(attribute("mood")?.type == .string && attribute("mood")?.defaultValue == "calm")
        #expect(attribute("otherMood")?.isOptional == true)
        #expect(attribute("acquired")?.renamingIdentifier == "bought")
        #expect(attribute("scan")?.allowsExternalStorage == true)
        #expect(attribute("shelfMark")?.isTransient == true)
        #expect(attribute("keywords")?.type == .transformable)

        func relationship(_ entity: EntityDescription?, _ name: String) -> RelationshipDescription?
        { entity?.ownProperties.first { $0.name == name } as? RelationshipDescription }
        let author = model.entity(named: "Author")
        #expect(relationship(book, "author")?.inverseName == "books")
        #expect(relationship(author, "books")?.inverseName == "author")
        #expect(relationship(author, "books")?.deleteRule == .cascade)
        #expect(relationship(book, "sequels")?.isOrdered == true)
        #expect(relationship(book, "sequels")?.inverseName == "sequelOf")
        #expect(relationship(book, "topics")?.inverseName == "books")
        #expect(relationship(book, "topics")?.minCount == 1)
        #expect(relationship(book, "topics")?.maxCount == 9)
        #expect(relationship(book, "topics")?.isOptional == false)
        let derived = author?.ownProperties.compactMap { ($0 as? AttributeDescription)?.derivation }
        #expect(derived == ["books.@count", "canonical:(name)", "books.copies.@sum"])
        let fetched = author?.ownProperties.first { $0.name == "namesakes" }
        let request = (fetched as? FetchedPropertyDescription)?.fetchRequest
        #expect(request?.entityName == "Book")
        #expect(request?.predicate == (try FetchPredicate(format: "title == $FETCH_SOURCE.name")))
    }

    @Test func classesThatRelationshipsLeadToNeedNoNaming() throws {
        let model = try ManagedObjectModel(for: Topic.self)
        #expect(Set(model.entities.map(\.name)) == ["Work", "Book", "Author", "Topic"])
    }

    private final class Counted: ManagedObject {
        @Managed var members: Set<Counted>
        @Managed(inverse: \Counted.members) var owner: Counted?
        @Managed(derived: .count(\Counted.members)) var count: Int
    }

    @Test func derivedPropertyThatIsNotOptionalIsEmptyUntilTheFirstSave() throws {
        let context = try PersistentContainer(for: Counted.self, options: .inMemory).viewContext
        let owner = context.insert(Counted.self)
        context.insert(Counted.self).owner = owner
        #expect(owner.count == 0)
        try context.save()
        #expect(owner.count == 1)
    }

    @Test(arguments: [StoreType.inMemory, .sqlite])
    func declaredClassesAreSavedAndReadAgain(_ type: StoreType) throws {
        let folder = try ScratchFolder("ClassModelTests")
        var options = StoreOptions()
        options.type = type
        let url = folder.url.appending(path: "books.sqlite")
        let container = try PersistentContainer(for: Author.self, url: url, options: options)
        let context = container.viewContext
        context.undoManager = UndoManager()
        let topic = context.insert(Topic.self)
        topic.name = "England"
        let jane = context.insert(Author.self)
        jane.name = "Jane Austen"
        let emma = context.insert(Book.self)
        emma.title = "Emma"
        emma.year = 1815
        emma.isbn = "1"
        emma.author = jane
        emma.mood = .merry
        emma.keywords = ["love", "money"]
        emma.scan = Data([1, 2, 3])
        emma.topics = [topic]
        emma.copies = 3
        #expect(jane.books == [emma] && jane.$books.count == 1)
        #expect(emma.writer === jane)
        try context.save()
        #expect(jane.bookCount == 1 && jane.copyCount == 3 && jane.searchName == "jane austen")

        let other = container.newContext()
        let read = try #require(try Book.first(in: other))
        #expect(read.title == "Emma" && read.year == 1815 && read.isbn == "1" && read.copies == 3)
        #expect(read.mood == .merry && read.otherMood == nil && read.keywords == ["love", "money"])
        #expect(read.scan == Data([1, 2, 3]) && !read.isRead && read.acquired == nil)
        #expect(read.author?.name == "Jane Austen" && read.topics.map(\.name) == ["England"])
        #expect(try Work.all(in: other).map(\.title) == ["Emma"])
        emma.title = "Jane Austen"
        try context.save()
        other.refreshAllObjects()
        #expect(read.author?.namesakes == [read])
        try context.undo()
        #expect(emma.title == "Emma")
    }

    @Test func missingValuesAreEmptyAndRefusedByTheSave() throws {
        let context = try container().viewContext
        let book = context.insert(Book.self)
        #expect(book.title == "" && book.copies == 1 && book.mood == .calm && book.keywords == [])
        let error = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(error?.underlying.isEmpty == false || error?.key != nil)
        book.title = "Emma"
        book.keywords = []
        let topic = context.insert(Topic.self)
        topic.name = "x"
        book.topics = [topic]
        try context.save()
    }

    @Test func twoModelsOfOneClassKeepTheirOwnSlots() throws {
        // The entity of the second model has a property more, which moves the others.
        func model(_ extra: Bool) -> ManagedObjectModel {
            let more = extra ? [AttributeDescription("aaa", .string)] : []
            return ManagedObjectModel([
                EntityDescription(
                    "Topic",
                    more + [
                        AttributeDescription("name", .string),
                        RelationshipDescription("books", to: "Book", toMany: true),
                    ]
                ),
                EntityDescription("Book"),
            ])
        }
        for extra in [false, true] {
            let container = try PersistentContainer(
                model: model(extra),
                classes: ["Topic": Plain.self],
                options: .inMemory
            )
            let topic = container.viewContext.insert(Plain.self)
            topic.name = "x"
            #expect(try topic.value(forKey: "name") == "x")
        }
    }

    private final class Plain: ManagedObject { @Managed var name: String? }

    @Test func objectsThatAreMadeWhileAClassIsReadAreNotPartOfIt() async throws {
        let coordinator = try container().coordinator
        // Each class here is read for the first time, while other threads make objects.
        let types: [ManagedObject.Type] = [A1.self, A2.self, A3.self, A4.self]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    await BackgroundContext(coordinator: coordinator).perform { context in
                        for number in 0..<2000 {
                            let topic = context.insert(Topic.self)
                            topic.name = "\(number)"
                            #expect(topic.name == "\(number)")
                        }
                    }
                }
            }
            group.addTask {
                for type in types {
                    let model = try ManagedObjectModel(for: type)
                    #expect(model.entities[0].ownProperties.map(\.name) == ["one", "two", "three"])
                }
            }
            try await group.waitForAll()
        }
    }

    private final class A1: ManagedObject {
        @Managed var one: Int
        @Managed var two: String?
        @Managed var three: Date?
    }
    private final class A2: ManagedObject {
        @Managed var one: Int
        @Managed var two: String?
        @Managed var three: Date?
    }
    private final class A3: ManagedObject {
        @Managed var one: Int
        @Managed var two: String?
        @Managed var three: Date?
    }
    private final class A4: ManagedObject {
        @Managed var one: Int
        @Managed var two: String?
        @Managed var three: Date?
    }
}
