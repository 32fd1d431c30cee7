import CompilerAtHand
import Foundation
import Testing

/// What the documentation says, said by running it.
@Suite("Documentation", .serialized)
struct DocumentationTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../..").standardizedFileURL
    private static let catalog = "Sources/Framework/ObjectGraph/ObjectGraph.docc"

    /// The names of the articles, without the landing page.
    private static func names() throws -> [String] {
        try FileManager.default
            .contentsOfDirectory(atPath: root.appending(path: catalog).path)
            .filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }
            .filter { $0 != "ObjectGraph" }.sorted()
    }

    private static func articles() throws -> [Article] {
        try (["ObjectGraph"] + names()).map { name in
            try Article(name: name, path: "\(catalog)/\(name).md", at: root)
        } + [try Article(name: "README", path: "README.md", at: root)]
    }

    /// The framework's object files, if a program can be linked with them.
    private static func linkable() -> [String]? {
        guard
            let objects = CompilerAtHand(having: "ObjectGraph")?
                .objects(of: ArticleProgram.targets)
        else { return nil }
        return CompilerAtHand.arePlain(objects) ? objects : nil
    }

    @Test(
        .enabled(
            if: linkable() != nil,
            "no compiler, or no plain object files of the framework (a sanitizer's?)"
        )
    )
    func programsPrintWhatTheArticlesSay() throws {
        let articles = try Self.articles()
        let compiler = try #require(CompilerAtHand(having: "ObjectGraph"))
        let objects = try #require(Self.linkable())
        let folder = try ScratchFolder("DocumentationTests")
        let program = folder.url.appending(path: "articles").path
        let sources = try ArticleProgram(articles: articles).write(to: folder).map(\.path)
        let built = try compiler.compile(
            ["-o", program, "-warnings-as-errors", "-whole-module-optimization", "-Onone"]
                + compiler.importing + sources + objects
                + ["-lsqlite3", "-l:libsodium.a", "-l:libexpat.a", "-l:libz.a"]
                + ArticleProgram.zlib(at: Self.root),
            in: folder.url
        )
        try #require(built.succeeded, "\(built.output)\(built.errors)")
        for article in articles where !article.blocks.isEmpty {
            let place = try ScratchFolder("Article")
            let answer = try CompilerAtHand.run(program, [article.name], in: place.url)
            let difference = article.difference(from: answer.output)
            #expect(difference == nil)
            #expect(answer.succeeded, "\(article.path): \(answer.errors)")
        }
    }

    @Test func linksBetweenDocumentsLeadToFiles() throws {
        let documents =
            try FileManager.default.contentsOfDirectory(atPath: Self.root.path)
            + FileManager.default.subpathsOfDirectory(
                atPath: Self.root.appending(path: "docs").path
            ).map { "docs/\($0)" }
        var count = 0
        for document in documents where document.hasSuffix(".md") {
            let file = Self.root.appending(path: document)
            let text = try String(contentsOf: file, encoding: .utf8)
            for link in text.matches(of: /\]\(([^)#]+)[^)]*\)/) where !link.1.contains("://") {
                let place = file.deletingLastPathComponent().appending(path: String(link.1))
                let leads = FileManager.default.fileExists(atPath: place.standardizedFileURL.path)
                #expect(leads, "\(document): \(link.1)")
                count += 1
            }
        }
        #expect(count > 40)
    }

    @Test(.enabled(if: CompilerAtHand.has("ObjectGraph"), "no compiler, or no built modules"))
    func modelgenDoesWhatTheArticlesTypeAndItsCodeCompiles() throws {
        let compiler = try #require(CompilerAtHand(having: "ObjectGraph"))
        let modelgen = compiler.products.appending(path: "modelgen").path
        let folder = try ScratchFolder("DocumentationTests")
        for article in try Self.articles() {
            for command in article.commands where command.text.hasPrefix("modelgen ") {
                let words = command.text.split(separator: " ").dropFirst().map(String.init)
                let answer = try CompilerAtHand.run(modelgen, words, in: folder.url)
                #expect(answer.succeeded, "\(article.path):\(command.line): \(answer.errors)")
            }
        }
        let generated = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
            .filter { $0.hasSuffix(".swift") }
        #expect(generated.contains("Sources/Garden/Model/GardenModel.swift"))
        let answer = try compiler.compile(
            ["-typecheck"] + compiler.importing + generated,
            in: folder.url
        )
        #expect(answer.succeeded, "\(answer.output)\(answer.errors)")
    }

    @Test func everyArticleIsOnTheLandingPage() throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "\(Self.catalog)/ObjectGraph.md"),
            encoding: .utf8
        )
        for name in try Self.names() { #expect(page.contains("- <doc:\(name)>"), "\(name)") }
    }

    @Test(.enabled(if: CompilerAtHand.has("ObjectGraph"), "no compiler, or no built modules"))
    func mistakeInAnArticleIsReportedWithItsLine() throws {
        let compiler = try #require(CompilerAtHand(having: "ObjectGraph"))
        let article = Article(
            name: "Broken",
            path: "Broken.md",
            text: "# Broken\n\n```swift\nlet one = 1\nprint(one)\nprint(two)\n```\n"
        )
        let folder = try ScratchFolder("DocumentationTests")
        let sources = try ArticleProgram(articles: [article]).write(to: folder).map(\.path)
        let answer = try compiler.compile(
            ["-typecheck"] + compiler.importing + sources,
            in: folder.url
        )
        #expect(!answer.succeeded)
        #expect(answer.errors.contains("Broken.md:6:"), "\(answer.errors)")
    }
}
