import Foundation
import SeededRandom
import Testing
import XMLReading

/// Documents as events.
@Suite struct XMLReaderTests {
    /// Writes down what happens.
    private final class Log: XMLHandler {
        var lines: [String] = []
        private var isText = false
        var failure: (any Error)?

        func start(_ name: XMLName, _ attributes: XMLAttributes) throws {
            if name == "stop", let failure { throw failure }
            let list = attributes.all.map { " \($0.name)=\($0.value)" }.joined()
            lines.append("<\(name)\(list)>")
            isText = false
        }

        func end(_ name: XMLName) throws {
            lines.append("</\(name)>")
            isText = false
        }

        func text(_ bytes: UnsafeRawBufferPointer) throws {
            let text = String(decoding: bytes, as: UTF8.self)
            if isText { lines[lines.count - 1] += text } else { lines.append(text) }
            isText = true
        }
    }

    private func events(_ text: String) throws -> [String] {
        let log = Log()
        try XMLReader.read(Data(text.utf8), log)
        return log.lines
    }

    @Test func elementsAttributesAndTextComeInTheirOrder() throws {
        #expect(
            try events("<a x='1' y=\"&lt;2\"><b/>t&amp;&#65;<![CDATA[<raw>]]></a>")
                == ["<a x=1 y=<2>", "<b>", "</b>", "t&A<raw>", "</a>"]
        )
    }

    @Test func namesAndAttributesAreFoundWithoutStrings() throws {
        final class Finder: XMLHandler {
            var found: [String?] = []
            func start(_ name: XMLName, _ attributes: XMLAttributes) throws {
                #expect(name == "é" && name.isEqual(to: ContiguousArray("é".utf8)))
                #expect(!name.isEqual(to: ContiguousArray("éa".utf8)))
                #expect(!name.isEqual(to: ContiguousArray()))
                found = [attributes["b"]?.string, attributes["c"]?.string]
            }
            func end(_ name: XMLName) throws {}
            func text(_ bytes: UnsafeRawBufferPointer) throws {}
        }
        let finder = Finder()
        try XMLReader.read(Data("<é a='1' b='2'/>".utf8), finder)
        #expect(finder.found == ["2", nil])
    }

    @Test(arguments: ["", "<a>", "<a></b>", "<a b='1' b='2'/>", "<a/><b/>", "text", "<a>\u{0}</a>"])
    func whatIsNotXMLHasAPlace(_ text: String) throws {
        let failure = #expect(throws: XMLFailure.self) { try events(text) }
        #expect((failure?.line ?? 0) >= 1 && (failure?.column ?? 0) >= 1)
        #expect(failure?.reason.isEmpty == false)
    }

    @Test func placeOfAFailureIsItsLine() throws {
        let failure = #expect(throws: XMLFailure.self) { try events("<a>\n<b>\n  </c>\n</a>") }
        #expect(failure?.line == 3 && failure?.column == 5)
    }

    @Test func entitiesAreRefusedBeforeTheyAreExpanded() throws {
        var bomb = "<!DOCTYPE a [<!ENTITY e0 \"xxxxxxxxxx\">"
        for level in 1...20 {
            let inner = String(repeating: "&e\(level - 1);", count: 10)
            bomb += "<!ENTITY e\(level) \"\(inner)\">"
        }
        bomb += "]><a>&e20;</a>"
        let failure = #expect(throws: XMLFailure.self) { try events(bomb) }
        #expect(failure?.reason.contains("entity") == true)
        let external = "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><a>&e;</a>"
        #expect(throws: XMLFailure.self) { try events(external) }
        let parameter = "<!DOCTYPE a [<!ENTITY % p SYSTEM \"file:///etc/passwd\"> %p;]><a/>"
        #expect(throws: XMLFailure.self) { try events(parameter) }
        let unknown = "<!DOCTYPE a SYSTEM \"file:///nowhere.dtd\"><a>&e;</a>"
        #expect(throws: XMLFailure.self) { try events(unknown) }
        #expect(
            try events("<!DOCTYPE a SYSTEM \"file:///nowhere.dtd\"><a/>") == ["<a>", "</a>"]
        )
    }

    @Test func deepNestingIsRefused() throws {
        let depth = 100_000
        let deep =
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        let failure = #expect(throws: XMLFailure.self) { try events(deep) }
        #expect(failure?.reason.contains("nested") == true)
        let limit = XMLReader.depthLimit
        let permitted =
            String(repeating: "<a>", count: limit) + String(repeating: "</a>", count: limit)
        #expect(try events(permitted).count == 2 * limit)
    }

    @Test func errorOfTheHandlerEndsTheReading() throws {
        struct Stop: Error {}
        let log = Log()
        log.failure = Stop()
        #expect(throws: Stop.self) {
            try XMLReader.read(Data("<a><stop/><b/></a>".utf8), log)
        }
        #expect(log.lines == ["<a>"])
    }

    @Test func writtenTextIsReadAsItWas() throws {
        var random = SeededRandom()
        let scalars: [Unicode.Scalar] = [
            "a", " ", "\t", "\n", "\r", "&", "<", ">", "\"", "'", "é", "🐈", "]", "\u{85}",
            "\u{2028}", "\u{FFFD}", "\u{7F}", "\u{301}",
        ]
        for _ in 0..<500 {
            var text = String.UnicodeScalarView()
            for _ in 0..<random.below(20) { text.append(random.pick(scalars)) }
            let string = String(text)
            #expect(XMLWriter.canHold(string))
            var writer = XMLWriter()
            writer.add(markup: "<a b=\"")
            writer.add(text: string)
            writer.add(markup: "\">")
            writer.add(text: string)
            writer.add(markup: "</a>")
            let log = Log()
            try XMLReader.read(writer.data, log)
            let expected = ["<a b=\(string)>"] + (string.isEmpty ? [] : [string]) + ["</a>"]
            #expect(log.lines.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
        }
    }

    @Test(arguments: ["\u{0}", "\u{1}", "\u{1F}", "a\u{FFFE}", "\u{FFFF}"])
    func textThatXMLCannotHoldIsRecognised(_ text: String) {
        #expect(!XMLWriter.canHold(text))
    }

    @Test func otherEncodingsAreRead() throws {
        let text = "<?xml version='1.0' encoding='UTF-16'?><a>ü</a>"
        let log = Log()
        try XMLReader.read(try #require(text.data(using: .utf16)), log)
        #expect(log.lines == ["<a>", "ü", "</a>"])
    }
}
