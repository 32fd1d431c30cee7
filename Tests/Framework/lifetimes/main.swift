import FoundationEssentials
import ObjectGraph

// Objects at the end of their lives, as an optimised build sees them: what nobody names any more is
// released at its last use. `make check` runs this in release, `make test-full` also under the
// address sanitizer.

final class Cover {
    let whenGone: () -> Void

    init(_ whenGone: @escaping () -> Void = {}) { self.whenGone = whenGone }

    deinit { whenGone() }
}

final class Shelf: ManagedObject {
    @Managed var name: String = "shelf"
    @Managed(inverse: \.shelf) var books: Set<Book>
    @Managed(inverse: \.row) var order: [Book]
    @Fetched(where: { (other, me: PropertyPath<Shelf, Shelf>) in other.name == me.name })
    var namesakes: [Shelf]
}

class Book: ManagedObject {
    @Managed var title: String = "untitled"
    @Managed var pages: Int = 0
    @Managed var price: Double?
    @Managed var tags: [String]?
    @Transformable(transient: true) var cover: Cover?
    @Managed var shelf: Shelf?
    @Managed var row: Shelf?
    @Managed var sequel: Book?

    nonisolated(unsafe) static var onFetch: (Book) -> Void = { _ in }
    nonisolated(unsafe) static var onFault: (Book) -> Void = { _ in }
    nonisolated(unsafe) static var onEnd: (ManagedObjectContext?, ManagedObjectID) -> Void = {
        _,
        _ in
    }
    override func awakeFromFetch() { Book.onFetch(self) }
    override func willTurnIntoFault() { Book.onFault(self) }
    deinit { Book.onEnd(context, objectID) }

    static func reset() {
        (onFetch, onFault, onEnd) = ({ _ in }, { _ in }, { _, _ in })
    }
}

func makeContainer() throws -> PersistentContainer {
    try PersistentContainer(for: Shelf.self, Book.self, options: .inMemory)
}

/// Fills what was freed, so that a later use of it is seen.
func overwriteFreedMemory() {
    var blocks: [[UInt64]] = []
    for size in 1..<64 { blocks.append(Array(repeating: 0x4141_4141_4141_4141, count: size)) }
    precondition(blocks.count == 63)
}

func found<T, Wanted>(_ object: T?) -> Wanted {
    guard let object = object as? Wanted else { fatalError("there is no \(Wanted.self)") }
    return object
}

@inline(never)
func savedBook(_ context: ManagedObjectContext) throws -> ManagedObjectID {
    let book = context.insert(Book.self)
    book.title = String(repeating: "title ", count: 5)
    book.pages = 100
    try context.save()
    return book.objectID
}

let cases: [(name: String, body: () throws -> Void)] = [
    (
        "a setter is the last use of its object",
        {
            let container = try makeContainer()
            let context = container.viewContext
            let id = try savedBook(context)
            func book() -> Book { found(context.object(with: id)) }
            book().title = String(repeating: "other ", count: 6)
            book().pages = 7
            book().price = 1.5
            book().tags = ["a", "b"]
            book().cover = Cover()
            book().shelf = context.insert(Shelf.self)
            book().sequel = book()
            book().shelf?.order = [book()]
            book().shelf?.books = []
            precondition(book().pages == 7 && book().title.hasPrefix("other"))
            try context.save()
            context.refreshAllObjects()
            precondition(book().pages == 7 && book().price == 1.5)
        }
    ),
    (
        "a getter is the last use of its object",
        {
            let container = try makeContainer()
            let context = container.viewContext
            let id = try savedBook(context)
            func book() -> Book { found(context.object(with: id)) }
            func shelf() -> Shelf { found(book().shelf) }
            book().shelf = context.insert(Shelf.self)
            shelf().order = [book()]
            try context.save()
            context.refreshAllObjects()
            precondition(book().cover == nil && book().tags == nil)
            precondition(shelf().$order.count == 1 && shelf().$books.contains(book()))
            precondition(shelf().namesakes == [shelf()])
            let books = try shelf().$namesakes.get().first?.books
            precondition(books == [book()])
            @inline(never) func orphan() throws -> Shelf {
                try makeContainer().viewContext.insert(Shelf.self)
            }
            let (count, namesakes) = (try orphan().$books.count, try orphan().namesakes)
            let (order, name) = (try orphan().order, try orphan().name)
            precondition(count == 0 && namesakes.isEmpty && order.isEmpty && name == "shelf")
        }
    ),
    (
        "a setter is the last use of an object whose context is gone",
        {
            @inline(never) func orphan() throws -> Book {
                try makeContainer().viewContext.insert(Book.self)
            }
            try orphan().title = String(repeating: "x", count: 40)
            try orphan().shelf = nil
            let book = try orphan()
            overwriteFreedMemory()
            precondition(book.context == nil && book.entity.model != nil)
            precondition(book.entity.lineage == ["Book"] && book.hasChanges)
        }
    ),
    (
        "an observer drops the context that is being changed",
        {
            var container: PersistentContainer? = try makeContainer()
            let book = found(container?.viewContext.insert(Book.self)) as Book
            try container?.viewContext.save()
            let observation = try book.observe("title", options: [.prior, .new]) { _, _ in
                container = nil
            }
            book.title = String(repeating: "y", count: 40)
            overwriteFreedMemory()
            precondition(book.context == nil)
            withExtendedLifetime(observation) {}
        }
    ),
    (
        "a prior observer turns the object into a fault",
        {
            let container = try makeContainer()
            let context = container.viewContext
            let book = found(context.object(with: try savedBook(context))) as Book
            let shelf = context.insert(Shelf.self)
            try context.save()
            var isOn = true
            let observation = try book.observe("title", options: [.prior]) { book, _ in
                if isOn { context.refresh(book, mergeChanges: false) }
            }
            let members = try shelf.observe("books", options: [.prior]) { shelf, _ in
                if isOn { context.refresh(shelf, mergeChanges: false) }
            }
            book.title = String(repeating: "z", count: 40)
            shelf.$books.insert(book)
            isOn = false
            precondition(book.pages == 100)
            withExtendedLifetime((observation, members)) {}
        }
    ),
    (
        "hooks turn the object into a fault again",
        {
            defer { Book.reset() }
            let container = try makeContainer()
            let context = container.viewContext
            let id = try savedBook(context)
            let book = found(context.object(with: id)) as Book
            Book.onFetch = { context.refresh($0, mergeChanges: false) }
            context.refresh(book, mergeChanges: false)
            precondition(book.pages == 100 && book.title.hasPrefix("title"))
            Book.reset()
            Book.onFault = { book in
                Book.reset()
                context.refresh(book, mergeChanges: false)
            }
            context.refresh(book, mergeChanges: false)
            overwriteFreedMemory()
            precondition(book.pages == 100)
        }
    ),
    (
        "a hook resets the context while a property is read",
        {
            defer { Book.reset() }
            let container = try makeContainer()
            let context = container.viewContext
            let book = found(context.object(with: try savedBook(context))) as Book
            context.refresh(book, mergeChanges: false)
            Book.onFetch = { _ in context.reset() }
            precondition(book.pages == 0 && book.title.isEmpty)
            precondition(book.context == nil)
        }
    ),
    (
        "a hook inserts an object during a reset",
        {
            defer { Book.reset() }
            var container: PersistentContainer? = try makeContainer()
            var late: Book?
            do {
                let context = (found(container) as PersistentContainer).viewContext
                let book = context.insert(Book.self)
                Book.onFault = { _ in
                    Book.reset()
                    late = context.insert(Book.self)
                }
                context.reset()
                withExtendedLifetime(book) {}
            }
            container = nil
            overwriteFreedMemory()
            precondition(late?.context == nil)
            late?.title = "late"
        }
    ),
    (
        "the end of a value reads the object that held it",
        {
            let container = try makeContainer()
            let context = container.viewContext
            let book = found(context.object(with: try savedBook(context))) as Book
            var seen = 0
            let count = { [unowned book] in seen += book.pages }
            book.cover = Cover(count)
            book.cover = Cover(count)
            book.cover = Cover(count)
            try context.save()
            context.refresh(book, mergeChanges: false)
            context.processPendingChanges()
            book.cover = nil
            try context.save()
            precondition(seen > 0)
        }
    ),
    (
        "the end of an object looks for itself",
        {
            defer { Book.reset() }
            let container = try makeContainer()
            let context = container.viewContext
            let id = try savedBook(context)
            var seen: [ManagedObject] = []
            Book.onEnd = { context, id in
                if let object = context?.registeredObject(for: id) { seen.append(object) }
                if let object = context?.object(with: id) { seen.append(object) }
            }
            do { _ = (found(context.object(with: id)) as Book).pages }
            overwriteFreedMemory()
            precondition(seen.count == 1, "the one that is being freed is not found")
            precondition((seen[0] as? Book)?.pages == 100)
            precondition(context.registeredObject(for: id) === seen[0])
            Book.reset()
        }
    ),
    (
        "undo brings an object back whose ID another one has",
        {
            var container: PersistentContainer? = try makeContainer()
            var other: Book?
            do {
                let context = (found(container) as PersistentContainer).viewContext
                context.undoManager = UndoManager()
                let book = found(context.object(with: try savedBook(context))) as Book
                let id = book.objectID
                context.delete(book)
                try context.save()
                other = context.object(with: id) as? Book
                try context.undo()
                precondition(context.registeredObject(for: id) === book)
            }
            container = nil
            overwriteFreedMemory()
            precondition(other?.context == nil && other?.pages == 0)
        }
    ),
    (
        "descriptions outlive their model",
        {
            let place = EntityDescription(
                "Place",
                [RelationshipDescription("people", to: "Person", inverse: "place", toMany: true)]
            )
            let child = EntityDescription("Home", superentity: "Place")
            @inline(never) func relationship() throws -> RelationshipDescription {
                let person = EntityDescription(
                    "Person",
                    [RelationshipDescription("place", to: "Place", inverse: "people")]
                )
                let model = ManagedObjectModel([place, child, person])
                try model.freeze()
                precondition(child.superentity === place && place.model === model)
                return person.relationships[0]
            }
            let lonely = try relationship()
            overwriteFreedMemory()
            precondition(lonely.entity == nil && lonely.inverse == nil)
            precondition(lonely.destination == nil && place.model == nil)
            precondition(child.superentity == nil && child.lineage == ["Home"])
        }
    ),
    (
        "the element of a composite attribute outlives it",
        {
            @inline(never) func element() throws -> AttributeDescription {
                let place = AttributeDescription("place", .composite)
                place.compositeName = "Point"
                let model = ManagedObjectModel([EntityDescription("House", [place])])
                model.composites["Point"] = [AttributeDescription("x", .double)]
                try model.freeze()
                precondition(place.elements[0].composite === place)
                return place.elements[0]
            }
            let lonely = try element()
            overwriteFreedMemory()
            precondition(lonely.composite == nil && lonely.entity == nil)
        }
    ),
    (
        "objects that only a chain holds",
        {
            let container = try makeContainer()
            let context = container.viewContext
            let first = context.insert(Shelf.self)
            for number in 0..<5 {
                let book = context.insert(Book.self)
                (book.title, book.pages, book.shelf) = ("Book \(number)", number, first)
                book.sequel = context.insert(Book.self)
                book.sequel?.title = "Sequel \(number)"
                book.sequel?.sequel = book
            }
            try context.save()
            let id = first.objectID
            context.refreshAllObjects()
            func shelf() -> Shelf { found(context.object(with: id)) }
            for book in shelf().books {
                book.sequel?.sequel?.sequel?.title = "Changed \(book.pages)"
                book.sequel?.sequel?.shelf?.order.append(book)
                book.sequel?.sequel?.shelf?.name = "Shelf"
            }
            try context.save()
            context.refreshAllObjects()
            precondition(Set(shelf().order.map(\.pages)) == Set(0..<5))
            precondition(shelf().books.allSatisfy { $0.sequel?.title == "Changed \($0.pages)" })
        }
    ),
]

for (name, body) in cases {
    do {
        try body()
        print("sound: \(name)")
    } catch {
        fatalError("\(name): \(error)")
    }
}
