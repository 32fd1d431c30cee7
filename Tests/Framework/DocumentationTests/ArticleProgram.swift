import CompilerAtHand
import Foundation

/// Articles as the sources of one program, which runs the article that it is told.
///
/// Each article becomes an enum with its types inside and its statements in a function, so that
/// articles cannot disturb each other; only extensions, and what is for all articles, stand at the
/// top. Every line knows its place in the article.
struct ArticleProgram {
    let articles: [Article]

    /// What of the framework a program is linked with.
    static let targets = [
        "ObjectGraph", "ObjectMigration", "SQLiteStore", "CompiledModel", "FileStores",
        "XMLReading", "TextSearch", "ObjectContext", "ObjectStore", "ObjectModel", "FileEvents",
        "CSQLite", "CFiles", "CObjects", "CExpat", "CDeflate", "CText", "ObjectGraphEncryption",
        "Encryption",
        "CSodium",
    ]

    /// What else an article imports: zlib, as a program of somebody else has it.
    static func zlib(at root: URL) -> [String] {
        let map = root.appending(path: "Sources/C/CZlib/module.modulemap").path
        return ["-Xcc", "-fmodule-map-file=\(map)", "-lz"]
    }

    /// Writes the sources into a folder.
    func write(to folder: ScratchFolder) throws -> [URL] {
        var cases = ""
        var files: [URL] = []
        for article in articles where !article.blocks.isEmpty {
            let text = ArticleProgram.source(of: article)
            files.append(try folder.write(text, to: "\(article.name).swift"))
            cases += "    case \"\(article.name)\": try await \(article.name)Article.run()\n"
        }
        let main = """
            @preconcurrency import Glibc

            setvbuf(stdout, nil, _IOLBF, 0)
            do {
                switch CommandLine.arguments[1] {
            \(cases)    default: fatalError("there is no such article")
                }
            } catch {
                fputs("it threw: \\(error)\\n", stderr)
                exit(1)
            }
            """
        return files + [try folder.write(main, to: "main.swift")]
    }

    /// The Swift file of one article.
    static func source(of article: Article) -> String {
        var imports = "import Foundation\nimport ObjectGraph\n"
        var top = ""
        var types = ""
        var statements = ""
        for block in article.blocks {
            for piece in pieces(of: block) {
                let place = "#sourceLocation(file: \"\(article.path)\", line: \(piece.line))\n"
                let text = place + piece.text + "#sourceLocation()\n"
                if piece.text.hasPrefix("import ") {
                    imports += piece.text
                } else if piece.text.hasPrefix("extension ") || (block.isShared && piece.isType) {
                    top += text
                } else if piece.isType {
                    types += text
                } else {
                    statements += text
                }
            }
        }
        return """
            \(imports)
            \(top)
            enum \(article.name)Article {
            \(types)
            @MainActor static func run() async throws {
            \(statements)
            }
            }
            """
    }

    /// A block taken apart into imports, types and runs of statements.
    ///
    /// A type begins at the margin and ends with the next brace there.
    private static func pieces(of block: Article.Piece) -> [Article.Piece] {
        var result: [Article.Piece] = []
        var isInType = false
        var goesOn = false
        for (index, line) in block.text.components(separatedBy: "\n").enumerated() {
            let begins = !isInType && Article.Piece.startsType(line)
            let stands = begins || (!isInType && line.hasPrefix("import "))
            if goesOn, !stands, !result.isEmpty {
                result[result.count - 1].text += line + "\n"
            } else {
                result.append(Article.Piece(line: block.line + index, text: line + "\n"))
            }
            if begins { isInType = !line.hasSuffix("}") }
            goesOn = isInType || !stands
            if isInType, line.hasPrefix("}") {
                isInType = false
                goesOn = false
            }
        }
        return result
    }
}

extension Article.Piece {
    static func startsType(_ line: String) -> Bool {
        let words = line.split(separator: " ").prefix(2)
        let kinds: Set<Substring> = ["class", "struct", "enum", "protocol", "extension", "actor"]
        guard let first = words.first, !line.hasPrefix(" ") else { return false }
        return kinds.contains(first) || (first == "final" && words.last == "class")
    }

    var isType: Bool { Self.startsType(text) }
}
