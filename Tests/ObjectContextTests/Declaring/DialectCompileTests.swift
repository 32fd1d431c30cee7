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
    private static func program(_ body: String) -> String {
        """
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

        func use(_ context: ManagedObjectContext, _ book: Book, _ author: Author) throws {
        \(body)
        }
        """
    }

    @Test func typedRequestsCompile() throws {
        let judged = try judge(
            """
                _ = try Book.all(in: context, where: \\.year < 1816 && \\.author.name == "x")
                _ = try Book.all(in: context, where: { $0.author == author }, sortedBy: \\.author.name)
                _ = try Book.all(in: context, where: #Predicate { ($0.year ?? 0) < 1816 })
                _ = try Author.count(in: context, where: { $0.books.any { $0.year < 1816 } })
                _ = FetchRequest<Book>(where: \\.title == "x", sortedBy: \\.year.descending)
            """
        )
        #expect(judged.succeeded, "\(judged.output)")
    }

    @Test(arguments: [
        // A condition, an order or a predicate of another class.
        "let early: Condition<Book> = \\.year < 1816\\n    _ = try Author.all(in: context, where: early)",
        "_ = try Author.all(in: context, where: \\\\.year < 1816)",
        "_ = try Author.all(in: context, sortedBy: \\\\.year)",
        "_ = try Author.all(in: context, where: #Predicate<Book> { $0.title == \"x\" })",
        "_ = try Author.find(by: \\\\.title, \"x\", in: context)",
        "_ = try Author.all(in: context, where: { $0.books.any { $0.name == \"x\" } })",
        // A request for another entity than the class's.
        "_ = FetchRequest<Book>(entityName: \"Author\")",
        "var request = FetchRequest<Book>()\\n    request.entityName = \"Author\"",
        // A value of another type.
        "_ = try Book.all(in: context, where: \\\\.title < 1816)",
        "_ = try Book.all(in: context, where: { $0.author == book })",
        "_ = try Book.all(in: context, where: { $0.year.contains(\"x\") })",
        "_ = try Book.find(by: \\\\.year, \"x\", in: context)",
        // A property that is not there.
        "_ = try Book.all(in: context, where: \\\\.titel == \"x\")",
        "_ = try Book.all(in: context, where: { $0.author.nome == \"x\" })",
        "_ = try Book.all(in: context, sortedBy: \\\\.titel)",
        "_ = try Book.all(in: context, prefetching: \\\\.autor)",
        // Declarations.
        "final class A: ManagedObject { @Managed var a: Opaque }",
        "final class A: ManagedObject { @Managed(inverse: \\\\.titles) var a: Book? }",
        "final class A: ManagedObject { @Managed(deleteRule: .cascade) var a: String }",
        "final class A: ManagedObject { @Managed(unique: true) var a: Book? }",
        "struct A { @Managed var a: String }\\n    _ = A().a",
    ])
    func misuseIsRefused(_ body: String) throws {
        let body = body.replacingOccurrences(of: "\\n", with: "\n")
            .replacingOccurrences(of: "\\\\", with: "\\")
        let judged = try judge("    " + body)
        #expect(!judged.succeeded, "this compiles: \(body)")
        let errors = judged.output.split(separator: "\n").filter { $0.contains("error:") }
        #expect(!errors.contains { $0.contains("no such module") }, "\(judged.output)")
        #expect(!errors.contains { $0.contains("reasonable time") }, "\(judged.output)")
    }

    private func judge(_ body: String) throws -> (succeeded: Bool, output: String) {
        let compiler = try #require(CompilerAtHand(having: "ObjectContext"))
        let folder = try ScratchFolder("DialectCompileTests")
        let source = try folder.write(DialectCompileTests.program(body), to: "misuse.swift")
        let answer = try compiler.compile(
            ["-emit-sil", "-o", "/dev/null"] + compiler.importing + [source.path],
            in: folder.url
        )
        return (answer.succeeded, answer.output + answer.errors)
    }
}
