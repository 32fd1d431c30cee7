import CaseFiles
import Foundation
import SeededRandom
import Testing

@testable import MarkdownFolder

/// What is read of the YAML at the beginning of a document.
@Suite struct FrontMatterTests {
    private static func expected(_ name: String) throws -> [[String: JSON]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "Expected/\(name)"))
        return try JSONDecoder().decode([[String: JSON]].self, from: data)
    }

    private static func isSame(_ node: YAMLNode, _ json: JSON) -> Bool {
        switch (node.content, json) {
        case (.scalar(let text, _), .string(let other)): text.utf8.elementsEqual(other.utf8)
        case (.list(let nodes), .array(let others)):
            nodes.count == others.count && zip(nodes, others).allSatisfy(isSame)
        case (.map(let entries), .object(let others)):
            entries.count == others.count
                && entries.allSatisfy { entry in
                    others[entry.key].map { isSame(entry.value, $0) } ?? false
                }
        default: false
        }
    }

    /// The table holds random front matter with what PyYAML 6.0.3 reads of it: every scalar as a
    /// text, nothing for what it refuses, or what has a key twice.
    @Test func randomYAMLIsReadAsPyYAMLReadsIt() throws {
        let cases = try FrontMatterTests.expected("frontmatter.json")
        #expect(cases.count >= 300)
        for one in cases {
            let yaml = try #require(one["yaml"]?.text)
            let value = try #require(one["value"])
            var reader = YAMLReader(Array(yaml.utf8)[...], firstLine: 1)
            do throws(YAMLProblem) {
                let node = try reader.document()
                #expect(FrontMatterTests.isSame(node, value), "\(yaml)\n\(node)")
            } catch {
                if case .null = value { continue }
                Issue.record("\(error) in:\n\(yaml)")
            }
        }
    }

    /// The table holds random lines with the first heading outside of lists and quotes that
    /// markdown-it-py 3 (CommonMark) finds in them, without its markup.
    @Test func firstHeadingIsThatOfCommonMark() throws {
        let cases = try FrontMatterTests.expected("headings.json")
        #expect(cases.count >= 300)
        for one in cases {
            let text = try #require(one["text"]?.text)
            let head = DocumentHead(Array(text.utf8)[...])
            #expect(head.title == one["title"]?.text, "\(text)")
        }
    }

    // MARK: Editing

    /// The bytes that a change takes away and puts in: what two texts do not share at their ends.
    private static func difference(_ old: [UInt8], _ new: [UInt8]) -> (old: Int, start: Int) {
        let start = zip(old, new).prefix { $0 == $1 }.count
        let rest = min(old.count, new.count) - start
        let end = zip(old.reversed(), new.reversed()).prefix(rest).prefix { $0 == $1 }.count
        return (old.count - start - end, start)
    }

    @Test func changeOfOneKeyLeavesAllOtherBytes() throws {
        var random = SeededRandom()
        var changes = 0
        for one in try FrontMatterTests.expected("frontmatter.json") {
            let yaml = try #require(one["yaml"]?.text)
            let mark = random.below(4) == 0 ? "\u{FEFF}" : ""
            let end = yaml.contains("\r\n") ? "\r\n" : "\n"
            let body = "# A\(end)\(end)title: b\(end)---\(end)x"
            let text = Array("\(mark)---\(end)\(yaml)---\(end)\(body)".utf8)
            let first = mark.utf8.count
            guard let matter = FrontMatter(text[first...]) else { continue }
            let key = matter.entries.randomElement(using: &random)?.key ?? "title"
            let words = ["Soup", "a: b", "#x", "it's", "2024", "true", "", "é 😀", "a\nb", "\u{7F}"]
            let value = words[random.below(words.count)]
            let edit: FrontMatter.Value? =
                switch random.below(3) {
                case 0: .text(value)
                case 1: .list([value, "b"])
                default: nil
                }
            for name in [key, "added"] {
                let changed: [UInt8]
                do throws(YAMLProblem) {
                    changed = try FrontMatter.setting(name, to: edit, in: text)
                } catch {
                    // Refused as a whole: not valid, or others refer to the value.
                    continue
                }
                changes += 1
                let place = matter.entries.first { $0.key == name }
                let lines = place.map { $0.keyRange.lowerBound...$0.end } ?? 0...0
                let (count, start) = FrontMatterTests.difference(text, changed)
                if count > 0, let place {
                    // What is gone is in the lines of the key.
                    let last = (text[place.end...].firstIndex(of: 10) ?? text.count - 1) + 1
                    let line = text[..<lines.lowerBound].lastIndex(of: 10).map { $0 + 1 } ?? 0
                    let isWhole = changed.elementsEqual(text[..<line] + text[last...])
                    #expect(isWhole || start + count <= last && start >= line, "\(yaml)")
                } else {
                    #expect(count == 0, "\(yaml)")
                }
                let after = try #require(
                    FrontMatter(changed[first...]) ?? FrontMatter(Array("---\n---\n".utf8)[...])
                )
                let others = matter.entries.filter { $0.key != name }
                #expect(after.entries.filter { $0.key != name }.map(\.value) == others.map(\.value))
                let written = String(decoding: changed, as: UTF8.self)
                #expect(
                    written.utf8.elementsEqual(changed) && written.hasSuffix("---\(end)\(body)")
                )
            }
        }
        #expect(changes > 300)
    }

    @Test(arguments: [
        ("---\ntitle: a # c\n# d\nx: 1\n---\nb", "---\ntitle: B # c\n# d\nx: 1\n---\nb"),
        ("# A\r\nb", "---\r\ntitle: B\r\n---\r\n# A\r\nb"),
        ("---\r\nx: 'y'\r\n...\r\n", "---\r\nx: 'y'\r\ntitle: B\r\n...\r\n"),
        ("---\nTitle:\n---\n", "---\nTitle: B\n---\n"),
        ("---\n{x: 1}\n---\n", "---\n{title: \"B\", x: 1}\n---\n"),
        ("---\ntitle: |\n  a\n  b\nx: 1\n---\n", "---\ntitle: B\nx: 1\n---\n"),
        ("---\n\ntext\n", "---\ntitle: B\n---\n---\n\ntext\n"), ("", "---\ntitle: B\n---\n"),
    ])
    func titleIsWrittenInPlace(text: String, changed: String) throws {
        let bytes = try FrontMatter.setting("title", to: .text("B"), in: Array(text.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == changed)
    }

    @Test(arguments: [
        (
            "---\ntags:\n  - a # c\n  - b\nx: 1\n---\n",
            "---\ntags:\n  - one\n  - \"two: 2\"\nx: 1\n---\n"
        ),
        ("---\ntags: [a,\n b] # c\n---\n", "---\ntags: [one, \"two: 2\"] # c\n---\n"),
    ])
    func listKeepsItsForm(text: String, changed: String) throws {
        let bytes = try FrontMatter.setting(
            "tags",
            to: .list(["one", "two: 2"]),
            in: Array(text.utf8)
        )
        #expect(String(decoding: bytes, as: UTF8.self) == changed)
    }

    @Test(arguments: ["---\na: b: c\n---\n", "---\ntitle: &x a\nb: *x\n---\n"])
    func whatCannotBeChangedAloneIsRefused(text: String) {
        #expect(throws: YAMLProblem.self) {
            try FrontMatter.setting("title", to: .text("B"), in: Array(text.utf8))
        }
    }
}
