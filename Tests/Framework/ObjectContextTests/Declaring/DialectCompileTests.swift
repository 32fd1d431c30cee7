import CompilerAtHand
import Foundation
import Testing

/// Requests that name wrong classes, wrong types or wrong properties do not compile.
@Suite(
    "Requests that do not compile",
    .serialized,
    .enabled(if: CompilerAtHand.has("ObjectContext"), "no compiler, or no built modules")
)
struct DialectCompileTests {
    private static let frame = """
        import FoundationEssentials
        import ObjectContext
        import ObjectModel

        final class Book: ManagedObject {
            @Managed var title: String
            @Managed var year: Int?
            @Managed(inverse: \\.books) var author: Author?
        }
        final class Author: ManagedObject {
            @Managed var name: String
            @Managed var books: Set<Book>
        }
        struct Opaque {}
        """

    @Test func typedRequestsCompile() throws {
        let errors = try judge([
            """
                _ = try Book.all(in: context, where: \\.year < 1816 && \\.author.name == "x")
                _ = try Book.all(in: context, where: { $0.author == author }, sortedBy: \\.author.name)
                _ = try Book.all(in: context, where: #Predicate { ($0.year ?? 0) < 1816 })
                _ = try Author.count(in: context, where: { $0.books.any { $0.year < 1816 } })
                _ = FetchRequest<Book>(where: \\.title == "x", sortedBy: \\.year.descending)
            """
        ])
        #expect(errors == [[]])
    }

    private static let misuses = [
        // A condition, an order or a predicate of another class.
        "let early: Condition<Book> = \\.year < 1816\n    _ = try Author.all(in: context, where: early)",
        "_ = try Author.all(in: context, where: \\.year < 1816)",
        "_ = try Author.all(in: context, sortedBy: \\.year)",
        "_ = try Author.all(in: context, where: #Predicate<Book> { $0.title == \"x\" })",
        "_ = try Author.find(by: \\.title, \"x\", in: context)",
        "_ = try Author.all(in: context, where: { $0.books.any { $0.name == \"x\" } })",
        // A request for another entity than the class's.
        "_ = FetchRequest<Book>(entityName: \"Author\")",
        "var request = FetchRequest<Book>()\n    request.entityName = \"Author\"",
        // A value of another type.
        "_ = try Book.all(in: context, where: \\.title < 1816)",
        "_ = try Book.all(in: context, where: { $0.author == book })",
        "_ = try Book.all(in: context, where: { $0.year.contains(\"x\") })",
        "_ = try Book.find(by: \\.year, \"x\", in: context)",
        // A property that is not there.
        "_ = try Book.all(in: context, where: \\.titel == \"x\")",
        "_ = try Book.all(in: context, where: { $0.author.nome == \"x\" })",
        "_ = try Book.all(in: context, sortedBy: \\.titel)",
        "_ = try Book.all(in: context, prefetching: \\.autor)",
        // Declarations.
        "final class A: ManagedObject { @Managed var a: Opaque }",
        "final class A: ManagedObject { @Managed(inverse: \\.titles) var a: Book? }",
        "final class A: ManagedObject { @Managed(deleteRule: .cascade) var a: String }",
        "final class A: ManagedObject { @Managed(unique: true) var a: Book? }",
        "struct A { @Managed var a: String }\n    _ = A().a",
    ]

    @Test func misuseIsRefused() throws {
        for (body, errors) in zip(Self.misuses, try judge(Self.misuses.map { "    " + $0 })) {
            #expect(!errors.isEmpty, "this compiles: \(body)")
            #expect(!errors.contains { $0.contains("reasonable time") }, "\(errors)")
        }
    }

    /// Statements with a property, between `‹` and `›`, that the class does not declare, or that has
    /// another type than the value.
    private static let misspelt = [
        "_ = try Book.all(in: context, where: \\.‹titel› == \"x\")",
        "_ = try Book.all(in: context, where: \\.author.‹nome› == \"x\")",
        "_ = try Book.all(in: context, where: \\.title == \"x\" && \\.‹yaer› == 3)",
        "_ = try Book.all(in: context, where: \\.‹title› < 1816)",
        "_ = try Book.all(in: context, where: \\.‹year› == \"x\")",
        "_ = try Book.all(in: context, where: { $0.‹titel› == \"x\" })",
        "_ = try Book.all(in: context, where: { $0.‹year› == \"x\" })",
        "_ = try Book.all(in: context, where: { $0.author.‹nome› == \"x\" })",
        "_ = try Book.all(in: context, where: { $0.‹author› == book })",
        "_ = try Book.all(in: context, where: { $0.‹year›.contains(\"x\") })",
        "_ = try Book.all(in: context, where: { $0.‹titel›.beginsWith(\"x\") })",
        "_ = try Book.all(in: context, where: { $0.title == \"x\" && $0.‹year› == \"3\" })",
        "_ = try Author.all(in: context, where: { $0.books.any { $0.‹name› == \"x\" } })",
        "_ = try Author.all(in: context, where: \\.‹year› < 1816)",
        "_ = try Author.all(in: context, sortedBy: \\.‹year›)",
        "_ = try Book.all(in: context, sortedBy: \\.‹titel›.descending)",
        "_ = try Book.all(in: context, sortedBy: \\.title, \\.author.‹nome›)",
        "_ = try Book.all(in: context, prefetching: \\.‹autor›)",
        "_ = try Author.all(in: context, prefetching: \\.books.‹autor›)",
        "_ = try Author.find(by: \\.‹title›, \"x\", in: context)",
        "_ = try Book.values(of: \\.‹titel›, in: context)",
        "_ = FetchRequest<Book>(where: \\.title == \"x\", sortedBy: \\.‹yaer›)",
        "final class A: ManagedObject { @Managed(inverse: \\.‹titles›) var a: Book? }",
        "final class B: ManagedObject { @Managed(inverse: \\.‹boks›) var a: Set<Author> }",
        "final class C: ManagedObject { @Managed(inverse: \\.‹boks›, minCount: 1) var a: [Author] }",
    ]

    @Test func wrongNameIsReportedWhereItStandsAndNowhereElse() throws {
        let statements = Self.misspelt.map { statement in
            "    " + statement.filter { !"‹›".contains($0) }
        }
        // One after another in one body: the lines of others hide nothing.
        let errors = try judge([statements.joined(separator: "\n")])[0]
        #expect(errors.count == Self.misspelt.count, "\(errors)")
        for (number, statement) in Self.misspelt.enumerated() {
            let mark = try #require(statement.firstIndex(of: "‹"))
            let column = statement.distance(from: statement.startIndex, to: mark) + 5
            let said = errors.filter { $0.hasPrefix("\(number + 1):\(column): ") }
            #expect(
                said.count == 1
                    && said[0].hasSuffix("the class declares no property of this name and type"),
                "\(statement) \(errors)"
            )
        }
    }

    private func judge(_ bodies: [String]) throws -> [[String]] {
        let compiler = try #require(CompilerAtHand(having: "ObjectContext"))
        return try compiler.errors(
            in: bodies,
            Self.frame,
            "(_ context: ManagedObjectContext, _ book: Book, _ author: Author) throws"
        )
    }
}
