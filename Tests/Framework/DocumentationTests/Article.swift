import Foundation

/// A text with programs in it: an article of the documentation, or the README.
///
/// Its ```` ```swift ```` blocks are one program, in their order. A block after an HTML comment that
/// begins with `not a program` is left out; one after a comment that begins with `for all articles`
/// is there for every article. `// → text` in a block, on a line of its own or at the end of one,
/// is a line that the program has printed by then, and it prints no others.
struct Article {
    /// A run of lines of a program.
    struct Piece: Equatable {
        /// The line of the article where it begins, from 1.
        var line: Int
        var text: String
        var isShared = false
    }

    /// A line that the program prints, or that is typed into a shell.
    struct Output: Equatable {
        var line: Int
        var text: String
    }

    /// The name in messages, and of the generated type.
    let name: String
    /// The path in the package, for the compiler's messages.
    let path: String
    /// The programs' blocks, in order.
    private(set) var blocks: [Piece] = []
    /// What they print, in order.
    private(set) var outputs: [Output] = []
    /// The lines of its ```` ```sh ```` blocks.
    private(set) var commands: [Output] = []

    init(name: String, path: String, text: String) {
        self.name = name
        self.path = path
        var open: Piece?
        var fence = ""
        var comment = ""
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("```") {
                if fence.isEmpty {
                    fence = trimmed
                    let isProgram = fence == "```swift" && !comment.hasPrefix("<!-- not a program")
                    if isProgram { open = Piece(line: index + 2, text: "") }
                    open?.isShared = comment.hasPrefix("<!-- for all articles")
                } else {
                    if let open { blocks.append(open) }
                    open = nil
                    fence = ""
                }
                comment = ""
            } else if fence.isEmpty {
                if !trimmed.isEmpty { comment = trimmed }
            } else if fence == "```sh" {
                commands.append(Output(line: index + 1, text: line))
            } else if open != nil {
                open?.text += line + "\n"
                if let mark = line.range(of: "// → ") {
                    outputs.append(Output(line: index + 1, text: String(line[mark.upperBound...])))
                }
            }
        }
    }

    init(name: String, path: String, at root: URL) throws {
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        self.init(name: name, path: path, text: text)
    }

    /// The first line in which a program's output is not what the article says, in words.
    func difference(from printed: String) -> String? {
        var lines = printed.components(separatedBy: "\n")
        if lines.last == "" { lines.removeLast() }
        for (index, output) in outputs.enumerated() {
            guard index < lines.count else {
                return "\(path):\(output.line): says \"\(output.text)\", and nothing was printed"
            }
            if lines[index] != output.text {
                return "\(path):\(output.line): says \"\(output.text)\", printed was "
                    + "\"\(lines[index])\""
            }
        }
        if lines.count == outputs.count { return nil }
        return "\(path): does not say that \"\(lines[outputs.count])\" is printed"
            + (outputs.last.map { " after line \($0.line)" } ?? "")
    }
}
