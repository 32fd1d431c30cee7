import SeededRandom
import Testing

@testable import Markdown

/// What the parser says of a text, and how long texts are divided.
@Suite struct MarkdownSourceTests {
    private func blocks(_ text: String) -> [MarkdownBlock] {
        let text = MarkdownSource(text)
        return (0..<text.count).flatMap { text.section($0).blocks }
    }

    private func spans(_ text: String) -> [MarkdownSpan] {
        let section = MarkdownSource(text).section(0)
        return section.blocks.flatMap { section.spans(of: $0) }
    }

    @Test func blocksHaveTheirLines() {
        let found = blocks("# Head\n\ntext\nmore\n\n```swift\nlet x\n```\n---\n> quoted\n")
        #expect(found.map(\.line) == [0, 2, 5, 8, 9])
        #expect(
            found.map(\.kind) == [.heading(1), .text, .code(language: "swift"), .rule, .text]
        )
        #expect(found.map(\.isApart) == [false, true, true, false, false])
        #expect(found[4].containers == [.quote])
    }

    @Test func boxesAreWhereTheirSignsAre() {
        let text =
            "é\n\n- [ ] one\n  - [x] two\n\n    > - [X] three\n1. [ ] four\n- [y] no\n- [x]no\n"
        let bytes = Array(text.utf8)
        let tasks = blocks(text).compactMap(\.task)
        #expect(tasks.map(\.isDone) == [false, true, true, false])
        for task in tasks {
            #expect(bytes[task.place - 1] == UInt8(ascii: "["))
            #expect((bytes[task.place] != UInt8(ascii: " ")) == task.isDone)
            #expect(bytes[task.place + 1] == UInt8(ascii: "]"))
        }
    }

    @Test func aTitleMayHaveAnySigns() {
        let title = "a *b* `c` _d_ | <e> & \\f ~~g~~ http://h.org !i"
        #expect(
            spans("see [[\(title)]].").map(\.kind) == [.text, .title(title), .text]
        )
        let table = MarkdownSource("| x |\n|---|\n| [[\(title)]] |\n")
        let section = table.section(0)
        let cell = section.table(of: section.blocks[0]).rows[1].cells[0]
        #expect(cell.map(\.kind) == [.title(title)])
    }

    @Test func codeShowsLinksAsTheyAreWritten() {
        let section = MarkdownSource("`[[a-b]]` and\n\n    [[c*d*]]\n").section(0)
        #expect(section.spans(of: section.blocks[0]).first?.text == "[[a-b]]")
        #expect(section.literal(of: section.blocks[1]) == "[[c*d*]]")
    }

    @Test func addressesAreLinks() {
        #expect(
            spans("a [b](http://c.org) www.d.org <e@f.org> ![g](h.png)").map(\.kind) == [
                .text, .address("http://c.org", isShown: false), .text,
                .address("http://www.d.org", isShown: true), .text,
                .address("mailto:e@f.org", isShown: true), .text,
                .address("h.png", isShown: false),
            ]
        )
    }

    @Test(arguments: [0, 40_000])
    func footnoteThatNothingLeadsToIsKeptBehindTheOthers(length: Int) {
        let filling = String(repeating: "word\n\n", count: length / 6)
        let text = "a[^One] `[^code]`\n\n[^b]: never\n[^one]: first[^c]\n[^c]: second\n[^code]: x\n"
        let found = blocks(text + filling).compactMap { block -> String? in
            guard case .item(.footnote(let number, let isReferenced))? = block.containers.last
            else { return nil }
            return isReferenced ? number : "\(number) alone"
        }
        #expect(found == ["1", "2", "3 alone", "4 alone"])
    }

    @Test(arguments: ["```", "<!--"]) func openCodeEndsWithTheText(start: String) {
        let section = MarkdownSource("[^b]: never\n\n\(start)\n[^x]: y").section(0)
        let literals = section.blocks.filter { $0.kind != .text }.map { section.literal(of: $0) }
        #expect(literals == [start == "```" ? "[^x]: y" : "<!--\n[^x]: y"])
    }

    @Test func footnotesComeLast() {
        let found = blocks("a[^n] b\n\n[^n]: note\n\nend\n")
        #expect(found.map(\.containers) == [[], [], [.item(.footnote("1", isReferenced: true))]])
    }

    /// Without parts, these take minutes.
    @Test(arguments: [
        "> ", "- ", "*a **b ", "[", "![l", "`a` `", "a\n===\n", "| a |\n|---|\n", "<!--",
    ])
    func aMegabyteOfOneSignIsParsed(sign: String) {
        let text = MarkdownSource(String(repeating: sign, count: 200_000 / sign.utf8.count))
        for number in 0..<text.count {
            let section = text.section(number)
            for block in section.blocks { _ = section.spans(of: block) }
        }
        #expect(text.count > 1)
    }

    @Test func partsOfALongTextAreTheText() {
        for seed in 1...6 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let pieces = [
                "# Head\n\n", "- [ ] item\n", "text text\n", "\n", "```\ncode\n\n", "```\n",
                "> q\n",
                "1. one\n", String(repeating: "long ", count: 3000), "é\n", "[^1]: foot\n", "\r\n",
            ]
            var source = ""
            while source.utf8.count < 120_000 {
                source += pieces.randomElement(using: &random) ?? ""
            }
            let text = MarkdownSource(source)
            let bytes = Array(source.utf8)
            #expect(text.count > 2, "seed \(seed)")
            var last = -1
            for number in 0..<text.count {
                let start = text.start(ofSection: number)
                let lines = bytes[..<start].enumerated().count { place, byte in
                    byte == 0x0A
                        || byte == 0x0D && (place + 1 == bytes.count || bytes[place + 1] != 0x0A)
                }
                #expect(text.line(ofSection: number) == lines, "seed \(seed), part \(number)")
                for block in text.section(number).blocks {
                    guard let task = block.task else { continue }
                    #expect(bytes[task.place - 1] == UInt8(ascii: "["), "seed \(seed)")
                    #expect(task.place > last, "seed \(seed)")
                    last = task.place
                }
            }
        }
    }

    @Test func aReferenceIsFoundInAnotherPart() {
        let text = MarkdownSource(
            "[far]: http://far.org\n\n" + String(repeating: "text\n\n", count: 10_000) + "[far]\n"
        )
        #expect(text.count > 1)
        let section = text.section(text.count - 1)
        let last = section.blocks.last.map { section.spans(of: $0) }
        #expect(last?.first?.kind == .address("http://far.org", isShown: false))
    }
}
