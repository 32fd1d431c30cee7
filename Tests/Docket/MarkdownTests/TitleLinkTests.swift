import Testing

@testable import Markdown

@Suite struct TitleLinkTests {
    private func titles(_ text: String) -> [String] { TitleLink.all(in: text).map(\.title) }

    @Test func linksAreFoundWithTheirPlaces() {
        let text = "é [[Bank letters]] and [[ Plan ]]\n[[No\nlink]] [[[Deep]]] [[]] [[ ]]"
        #expect(titles(text) == ["Bank letters", "Plan", "Deep"])
        let utf8 = Array(text.utf8)
        for link in TitleLink.all(in: text) {
            let written = String(decoding: utf8[link.range], as: UTF8.self)
            #expect(written.hasPrefix("[[") && written.hasSuffix("]]"))
            #expect(written.contains(link.title))
        }
    }

    @Test func codeAndEscapesHaveNoLinks() {
        #expect(titles("`[[a]]` \\[[b]] ``x ` [[c]]`` [[d]]") == ["d"])
        #expect(titles("```\n[[a]]\n```\n[[b]]\n  ~~~ swift\n[[c]]\n~~~~\n[[d]]") == ["b", "d"])
        #expect(titles("`open [[e]]") == ["e"])
    }

    @Test func onlyNamedLinksAreReplaced() {
        let text = "see [[Old]], `[[Old]]` and [[Other]]; [[old]]"
        let new = TitleLink.replacing(in: text) { $0.title.lowercased() == "old" ? "New *1*" : nil }
        #expect(new == "see [[New *1*]], `[[Old]]` and [[Other]]; [[New *1*]]")
        #expect(TitleLink.replacing(in: text) { _ in nil } == nil)
    }

    @Test func aTitleWithBracketsCannotBeNamed() {
        #expect(TitleLink.canName("a | b `c` *d*"))
        for title in ["a]b", "[x]", "", "  ", "a\nb", " a"] {
            #expect(!TitleLink.canName(title) || title == " a", "\(title)")
        }
    }
}
