import FoundationEssentials
import ObjectGraph

/// Classes that declare everything that a property can have, as a user writes them.
enum Mood: String, AttributeValue { case calm, merry }

struct Size: CompositeValue, Hashable {
    var width: Double?
    var height: Double?

    static let elements: [CompositeElement<Size>] = [
        .init("width", \.width), .init("height", \.height),
    ]
}

class Work: ManagedObject {
    @Managed var title: String
    @Managed(indexed: true) var year: Int?

    override class var entityOptions: EntityOptions {
        EntityOptions(of: Work.self, abstract: true)
    }

    /// Code of the program, not a property of the model.
    var shortTitle: String { String(title.prefix(3)) }
}

final class Book: Work {
    @Managed("number", unique: true) var isbn: String?
    @Managed(rules: [.minimum(0), .maximum(100)]) var copies: Int16 = 1
    @Managed var price: Decimal?
    @Managed var isRead: Bool = false
    @Managed var mood: Mood = .calm
    @Managed var otherMood: Mood?
    @Managed(renamedFrom: "bought") var acquired: Date?
    @Managed(externalStorage: true) var scan: Data?
    @Managed(transient: true) var shelfMark: String?
    @Managed var keywords: [String]
    @Managed(inverse: \.books) var author: Author?
    @Managed(inverse: \.sequelOf) var sequels: [Book]
    @Managed var sequelOf: Book?
    @Managed(minCount: 1, maxCount: 9) var topics: Set<Topic>

    override class var entityOptions: EntityOptions {
        EntityOptions(
            of: Book.self,
            unique: [[\.title, \.year]],
            indexes: [[\.author, \.year]],
            renamedFrom: "Volume"
        )
    }

    /// A property under another name is the same property.
    var writer: Author? { author }
}

final class Author: ManagedObject {
    @Managed var name: String
    @Managed(deleteRule: .cascade) var books: Set<Book>
    @Managed(derived: .count(\Author.books)) var bookCount: Int?
    @Managed(derived: .canonical(\Author.name)) var searchName: String?
    @Managed(derived: .sum(\Author.books, \Book.copies)) var copyCount: Int?
    @Fetched(where: { (book, me: PropertyPath<Author, Author>) in book.title == me.name })
    var namesakes: [Book]
}

final class Topic: ManagedObject {
    @Managed var name: String
    @Managed(inverse: { $0.topics }) var books: Set<Book>
}
