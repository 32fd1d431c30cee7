import Testing

/// How programs are found in articles.
@Suite("Articles")
struct ArticleTests {
    private func article(_ text: String) -> Article {
        Article(name: "Sample", path: "Sample.md", text: text)
    }

    @Test func swiftBlocksAloneAreThePrograms() {
        let found = article("Text\n```sh\nmake\n```\n\n```swift\nlet a = 1\n```\n```\nb\n```\n")
        #expect(found.blocks == [.init(line: 7, text: "let a = 1\n")])
    }

    @Test func markedBlocksAreLeftOut() {
        let text = "<!-- not a program: a signature -->\n```swift\nfunc f()\n```\n"
        #expect(article(text).blocks.isEmpty)
        let shared = article("<!-- for all articles -->\n```swift\nenum A {}\n```\n")
        #expect(shared.blocks == [.init(line: 3, text: "enum A {}\n", isShared: true)])
    }

    @Test func outputIsComparedLineByLine() {
        let text = "```swift\nprint(1)  // → 1\nfor i in 2...3 { print(i) }\n// → 2\n// → 3\n```\n"
        #expect(article(text).difference(from: "1\n2\n3\n") == nil)
        #expect(
            article(text).difference(from: "1\n4\n3\n")
                == "Sample.md:4: says \"2\", printed was \"4\""
        )
        #expect(
            article(text).difference(from: "1\n2\n")
                == "Sample.md:5: says \"3\", and nothing was printed"
        )
        #expect(
            article(text).difference(from: "1\n2\n3\n4\n")
                == "Sample.md: does not say that \"4\" is printed after line 5"
        )
    }

    @Test func typesAndStatementsKeepTheirPlaces() {
        let text = """
            ```swift
            import ObjectGraph

            let a = 1
            final class B {
                let c = 2
            }
            print(a)
            extension B {}
            ```
            """
        let source = ArticleProgram.source(of: article(text))
        let lines = source.split(separator: "\n").map(String.init)
        for (line, place) in [("let a = 1", 4), ("final class B {", 5), ("print(a)", 8)] {
            let index = lines.firstIndex(of: line)
            #expect(index != nil)
            let above = lines[..<(index ?? 0)].last { $0.hasPrefix("#sourceLocation(f") }
            let distance = line == "let a = 1" ? 3 : place
            #expect(above == "#sourceLocation(file: \"Sample.md\", line: \(distance))")
        }
    }
}
