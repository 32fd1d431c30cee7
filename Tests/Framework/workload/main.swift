import FoundationEssentials
import Glibc
import ObjectGraph

// workload ROW FOLDER: one kind of work on 2,000 objects, which `Tools/check-counts` counts in
// instructions. What is counted runs inside of `measured`. The row `save` makes the store of the others.

final class Shelf: ManagedObject {
    @Managed var name: String?
    @Managed(inverse: \.shelf) var books: Set<Book>
}

final class Book: ManagedObject {
    @Managed var title: String?
    @Managed var notes: String?
    @Managed var pages: Int64 = 0
    @Managed var due: Date?
    @Managed var shelf: Shelf?
}

let count = 2_000

/// The only function whose instructions count; by its name the counting begins and ends.
@inline(never)
func measured<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }

func open(_ folder: String) throws -> PersistentContainer {
    var options = StoreOptions()
    options.keepsHistory = false
    options.keepsSearchIndex = false
    let container = try PersistentContainer(
        for: Shelf.self,
        Book.self,
        url: URL(filePath: folder + "/workload.sqlite"),
        options: options
    )
    container.viewContext.tracksObservation = false
    return container
}

func insert(into context: ManagedObjectContext) {
    let shelves = (0..<20).map { index in
        let shelf = context.insert(Shelf.self)
        shelf.name = "shelf \(index)"
        return shelf
    }
    for index in 0..<count {
        let book = context.insert(Book.self)
        book.title = "a book with the number \(index)"
        book.notes = index % 3 == 0 ? "notes that are longer than what a string holds" : nil
        book.pages = Int64(index % 500)
        book.due = Date(timeIntervalSinceReferenceDate: Double(index) * 3_600)
        book.shelf = shelves[index % shelves.count]
    }
}

func books(_ context: ManagedObjectContext) throws -> [Book] {
    try Book.all(in: context, sortedBy: \.title)
}

typealias Row = (name: String, run: (ManagedObjectContext) throws -> Void)
let rows: [Row] = [
    ("insert", { context in measured { insert(into: context) } }),
    (
        "save",
        { context in
            insert(into: context)
            try measured { try context.save() }
        }
    ),
    ("fetch", { context in _ = try measured { try books(context) } }),
    (
        "realise",
        { context in
            let books = try books(context)
            measured { precondition(books.reduce(0) { $0 + $1.pages } > 0) }
        }
    ),
    (
        "set",
        { context in
            let books = try books(context)
            measured {
                for book in books {
                    book.pages += 1
                    book.title = "another title of this book"
                }
            }
        }
    ),
    (
        "walk",
        { context in
            let books = try books(context)
            measured { precondition(books.allSatisfy { $0.shelf?.name != nil }) }
            let shelf = books[0].shelf
            measured { precondition(shelf?.books.count == count / 20) }
        }
    ),
    (
        "undo",
        { context in
            let undoManager = UndoManager()
            context.undoManager = undoManager
            for book in try books(context) { book.pages += 1 }
            try context.save()
            try measured {
                try undoManager.undo()
                context.processPendingChanges()
            }
        }
    ),
]

guard CommandLine.arguments.count == 3,
    let row = rows.first(where: { $0.name == CommandLine.arguments[1] })
else {
    print("usage: workload \(rows.map(\.name).joined(separator: "|")) FOLDER")
    exit(64)
}
let container = try open(CommandLine.arguments[2])
try row.run(container.viewContext)
container.close()
