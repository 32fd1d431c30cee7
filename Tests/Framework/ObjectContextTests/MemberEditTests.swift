import ObjectGraph
import SeededRandom
import Testing

/// Counts and edits of to-many relationships of classes that are written by hand, and of proxies:
/// members that nobody named stay rows.
@Suite("Editing members one by one")
struct MemberEditTests {
    private final class Shelf: ManagedObject {
        @Managed("books") var books: Set<Book>
        @Managed("order") var order: [Book]
    }

    private final class Book: ManagedObject {
        @Managed("number") var number: Int
        @Managed("shelf") var shelf: Shelf?
        @Managed("tags") var tags: Set<Tag>

        required init(_ seed: ObjectSeed) {
            MemberEditTests.counter?.count += 1
            super.init(seed)
        }
    }

    /// How many books were made from rows or inserted.
    private final class Counter: @unchecked Sendable {
        var count = 0
    }

    @TaskLocal private static var counter: Counter?

    private func booksMade(_ body: () throws -> Void) rethrows -> Int {
        let counter = Counter()
        try Self.$counter.withValue(counter) { try body() }
        return counter.count
    }

    private final class Tag: ManagedObject {
        @Managed("books") var books: Set<Book>
    }

    private static let size = 200

    /// A context that knows nothing yet, over a shelf of many books, all with one tag.
    private func makeContext() throws -> ManagedObjectContext {
        let model = ManagedObjectModel([
            EntityDescription(
                "Shelf",
                [
                    RelationshipDescription("books", to: "Book", inverse: "shelf", toMany: true),
                    RelationshipDescription("order", to: "Book", toMany: true, ordered: true),
                ]
            ),
            EntityDescription(
                "Book",
                [
                    AttributeDescription("number", .integer64),
                    RelationshipDescription("shelf", to: "Shelf", inverse: "books"),
                    RelationshipDescription("tags", to: "Tag", inverse: "books", toMany: true),
                ]
            ),
            EntityDescription(
                "Tag",
                [RelationshipDescription("books", to: "Book", inverse: "tags", toMany: true)]
            ),
        ])
        var options = StoreOptions()
        options.type = .inMemory
        let container = try PersistentContainer(
            model: model,
            classes: ["Shelf": Shelf.self, "Book": Book.self, "Tag": Tag.self],
            options: options
        )
        let context = container.newContext()
        let shelf = context.insert(Shelf.self)
        let tag = context.insert(Tag.self)
        var books: [Book] = []
        for number in 0..<Self.size {
            let book = context.insert(Book.self)
            book.number = number
            book.shelf = shelf
            books.append(book)
        }
        shelf.order = books
        tag.books = Set(books)
        try context.save()
        return container.newContext()
    }

    @Test func projectionCountsAndEditsWithoutReadingTheOthers() throws {
        let context = try makeContext()
        let shelf = try #require(try Shelf.all(in: context).first)
        let tag = try #require(try Tag.all(in: context).first)
        let book = context.insert(Book.self)
        let made = booksMade {
            #expect(shelf.$books.count == Self.size)
            shelf.$books.insert(book)
            tag.$books.insert(book)
            shelf.$order.insert(book, at: 1)
            #expect(shelf.$order[1] === book)
            shelf.$order.move(from: 1, to: 0)
            #expect(shelf.$order[0] === book)
            #expect(shelf.$books.contains(book) && book.shelf === shelf)
            #expect(tag.$books.contains(book) && book.$tags.contains(tag))
            #expect(shelf.$books.count == Self.size + 1)
            #expect(shelf.$order.count == Self.size + 1)
            shelf.$books.remove(book)
            #expect(!shelf.$books.contains(book) && book.shelf == nil)
        }
        #expect(made == 0)
        try context.save()
        #expect(tag.books.count == Self.size + 1 && shelf.order.first === book)
    }

    @Test func projectionEditsSeveralTogether() throws {
        let context = try makeContext()
        context.undoManager = UndoManager()
        let shelf = try #require(try Shelf.all(in: context).first)
        let pair = [context.insert(Book.self), context.insert(Book.self)]
        var changes: [KeyValueChange.Kind] = []
        let token = try shelf.observe("books") { _, change in changes.append(change.kind) }
        shelf.$books.formUnion(pair)
        shelf.$books.subtract(pair)
        shelf.$books.insert(pair[0])
        shelf.$books.removeAll()
        #expect(changes == [.insertion, .removal, .insertion, .removal])
        #expect(shelf.$books.isEmpty)
        token.invalidate()
        try context.undo()
        #expect(shelf.$books.count == Self.size)
    }

    @Test func proxyCountsAndEditsMembers() throws {
        let context = try makeContext()
        let shelf = try #require(try Shelf.all(in: context).first)
        let book = context.insert(Book.self)
        let books = try shelf.mutableSetValue(forKey: "books")
        #expect(books.count == Self.size)
        try books.insert(.object(book))
        #expect(books.contains(.object(book)) && books.contains(.objectID(book.objectID)))
        try books.remove(.object(book))
        #expect(!books.contains(.object(book)) && !books.contains(.int(1)))
        let order = try shelf.mutableOrderedSetValue(forKey: "order")
        try order.append(.object(book))
        #expect(order.count == Self.size + 1 && order[Self.size] == .object(book))
        try order.move(from: Self.size, to: 2)
        #expect(order[2] == .object(book))
        try order.remove(at: 2)
        #expect(!order.members.contains(.object(book)))
    }

    @Test func proxyReadsNoOtherMember() throws {
        let context = try makeContext()
        let shelf = try #require(try Shelf.all(in: context).first)
        let book = context.insert(Book.self)
        let order = try shelf.mutableOrderedSetValue(forKey: "order")
        let made = try booksMade {
            let books = try shelf.mutableSetValue(forKey: "books")
            try books.insert(.object(book))
            #expect(books.count == Self.size + 1 && books.contains(.object(book)))
            let order = try shelf.mutableOrderedSetValue(forKey: "order")
            try order.insert(.object(book), at: 3)
            try order.move(from: 3, to: 0)
            #expect(try shelf.value(forKeyPath: "books.@count") == .int(Int64(Self.size + 1)))
        }
        #expect(made == 0)
        let replaced = order[1]
        try order.remove(at: 0)
        try order.replace(at: 0, with: .object(book))
        #expect(order[0] == .object(book) && !order.members.contains(replaced))
        #expect(order.count == Self.size)
    }

    @Test func wholeSetChangesWhatIsDifferent() throws {
        let context = try makeContext()
        context.undoManager = UndoManager()
        let shelf = try #require(try Shelf.first(in: context))
        let all = shelf.books
        let gone = try #require(all.first)
        let guest = context.insert(Book.self)
        context.processPendingChanges()
        for wanted in [all.union([guest]), all.subtracting([gone]), all, [guest], []] {
            let before = shelf.books
            shelf.books = wanted
            #expect(shelf.books == wanted && shelf.$books.count == wanted.count)
            for book in all.union([guest]) {
                #expect((book.shelf === shelf) == wanted.contains(book))
            }
            let changed = all.union([guest]).filter { !$0.changedValuesForCurrentEvent().isEmpty }
            #expect(changed == before.symmetricDifference(wanted))
            context.processPendingChanges()
            try context.undoManager?.undo()
            #expect(shelf.books == before && shelf.$books.count == before.count)
            try context.undoManager?.redo()
            #expect(shelf.books == wanted)
        }
    }

    @Test func wholeSetIsEditedAgainWithoutItsMembersBeingMadeAgain() throws {
        let context = try makeContext()
        let shelf = try #require(try Shelf.first(in: context))
        let guest = context.insert(Book.self)
        #expect(booksMade { shelf.books.insert(guest) } == Self.size)
        let again = booksMade {
            shelf.books.remove(guest)
            #expect(shelf.books.count == Self.size)
            shelf.books.insert(guest)
            #expect(shelf.books.count == Self.size + 1)
        }
        #expect(again == 0)
        guest.shelf = nil
        #expect(!shelf.books.contains(guest) && shelf.books.count == Self.size)
        shelf.books.insert(guest)
        context.processPendingChanges()
        let later = booksMade { #expect(shelf.books.count == Self.size + 1) }
        #expect(later == Self.size)
    }

    /// Copies with a few edits, other sets and edits of single members, many in one event.
    @Test(arguments: SeededRandom.seeds(20))
    func wholeSetsOneAfterTheOtherHoldWhatWasSet(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let context = try makeContext()
        let shelf = try #require(try Shelf.first(in: context))
        let others = (0..<40).map { _ in context.insert(Book.self) }
        var wanted = shelf.books
        let all = Array(wanted) + others
        for _ in 0..<60 {
            let book = all[random.below(all.count)]
            switch random.below(7) {
            case 0: shelf.books.insert(book)
            case 1: shelf.books.remove(book)
            case 2:
                let some = (0..<5).map { _ in all[random.below(all.count)] }
                shelf.books = wanted.subtracting(some).union([book])
            case 3: shelf.books = Set(all.filter { _ in random.below(2) == 0 })
            case 4: book.shelf = nil
            case 5: try shelf.setValue(.set([.object(book)]), forKey: "books")
            default: context.processPendingChanges()
            }
            wanted = Set(all.filter { $0.shelf === shelf })
            #expect(shelf.books == wanted && shelf.$books.count == wanted.count, "seed \(seed)")
        }
        try context.save()
        let fresh = context.sibling()
        let stored = try #require(try Shelf.first(in: fresh))
        #expect(Set(stored.books.map(\.objectID)) == Set(wanted.map(\.objectID)), "seed \(seed)")
    }

    @Test func memberThatLeftTheContextIsNoLongerInTheSet() throws {
        let context = try makeContext()
        let tag = context.insert(Tag.self)
        let (kept, gone) = (context.insert(Book.self), context.insert(Book.self))
        tag.books = [kept, gone]
        context.delete(gone)
        context.processPendingChanges()
        #expect(tag.books == [kept])
        tag.books = [kept]
        context.insert(Book.self).tags = tag.books.isEmpty ? [] : [tag]
        #expect(tag.books.count == 2 && tag.books.contains(kept))
    }

    @Test func setMembersGoWithTheContextAlsoIfTheyLeadToEachOther() throws {
        weak var tag: Tag?
        weak var book: Book?
        do {
            let context = try makeContext()
            let (one, other) = (context.insert(Tag.self), context.insert(Book.self))
            one.books = [other]
            other.tags = [one]
            #expect(one.books == [other] && other.tags == [one])
            (tag, book) = (one, other)
        }
        #expect(tag == nil && book == nil)
    }

    @Test func replacingWithAMemberOfAWrongKindChangesNothing() throws {
        let context = try makeContext()
        let shelf = try #require(try Shelf.all(in: context).first)
        let order = try shelf.mutableOrderedSetValue(forKey: "order")
        let before = order.members
        #expect(throws: ObjectGraphError.self) { try order.replace(at: 0, with: .object(shelf)) }
        #expect(order.members == before)
    }
}
