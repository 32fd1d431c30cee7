import CivilTime
import FixedTime
import Foundation
import Testing

@testable import DocketFormats

/// The texts of a document with headings that belong to no item.
@Suite("Texts between items") struct OutlinePlaceTests {
    /// A document in parts: texts, and items by their titles.
    private struct Document {
        var parts: [(title: String?, text: String)]

        init(_ format: ExchangeFormat) {
            let isOrg = format == .org
            func task(_ title: String, _ level: Int = 0) -> (String?, String) {
                let text =
                    isOrg
                    ? String(repeating: "*", count: level + 2) + " TODO \(title)\n"
                    : String(repeating: "  ", count: level) + "- [ ] \(title)\n"
                return (title, text)
            }
            let mark = isOrg ? "*" : "#"
            parts = [
                (
                    nil,
                    isOrg
                        ? "#+TITLE: My plan\n#+STARTUP: overview\n\nPreamble.\n"
                        : "---\ntags: [x]\n---\nIntro\n\n"
                ),
                (nil, "\(mark) Projects\nText of the list.\n\n"), task("A"), task("B"),
                (nil, "\(mark) Other\nOther text.\n\n"), task("C"), task("C1", 1),
                (nil, isOrg ? "\n" : "\nThe end.\n"),
            ]
        }

        func text(without titles: Set<String> = []) -> String {
            parts.filter { !titles.contains($0.title ?? "") }.map(\.text).joined()
        }

        /// The parts with these numbers.
        func text(_ places: [Int]) -> String { places.map { parts[$0].text }.joined() }
    }

    @Test(arguments: OutlineTests.formats)
    func textsStayWhereTheyAreWhenItemsAreTrashed(format: ExchangeFormat) throws {
        let document = Document(format)
        let (records, _) = try Exchange.read(document.text(), format)
        #expect(Exchange.write(records, format).text == document.text())
        for titles: Set<String> in [
            ["A"], ["B"], ["C1"], ["A", "B"], ["C", "C1"], ["A", "C", "C1"], ["A", "C1"],
            ["B", "C", "C1"], ["A", "B", "C", "C1"],
        ] {
            var records = records
            for place in records.indices {
                records[place].trashed = titles.contains(records[place].title)
            }
            let (text, report) = Exchange.write(records, format)
            #expect(text == document.text(without: titles), "\(titles)")
            #expect(report.skipped.count == titles.count)
        }
    }

    @Test(arguments: OutlineTests.formats)
    func theBeginningStaysFirstAndTheEndLastWhenItemsMove(format: ExchangeFormat) throws {
        let document = Document(format)
        let (records, _) = try Exchange.read(document.text(), format)
        func written(_ order: [Int]) -> String {
            Exchange.write(order.map { records[$0] }, format).text
        }
        #expect(written([1, 0, 2, 3]) == document.text([0, 1, 3, 2, 4, 5, 6, 7]))
        // The second list comes first.
        #expect(written([2, 3, 0, 1]) == document.text([0, 4, 5, 6, 7, 1, 2, 3]))
        // A document without headings.
        let items = [document.parts[0], document.parts[2], document.parts[3], document.parts[7]]
            .map { $0.text.replacing("** TODO", with: "* TODO") }
        let plain = try Exchange.read(items.joined(), format).records
        #expect(
            Exchange.write([plain[1], plain[0]], format).text
                == [items[0], items[2], items[1], items[3]].joined()
        )
    }

    @Test(arguments: OutlineTests.formats)
    func theEndOfADocumentStaysBeforeTheNextOne(format: ExchangeFormat) throws {
        let mark = format == .org ? "* TODO" : "- [ ]"
        let (head, end) = ("#+TITLE: x\n", format == .org ? "\n" : "\nEnd.\n")
        func read(_ names: String...) throws -> [ItemRecord] {
            let items = names.map { "\(mark) \($0)\n" }.joined()
            return try Exchange.read(head + items + end, format).records
        }
        let (one, two) = (try read("a", "b"), try read("c", "d"))
        let text = Exchange.write([one[1], one[0]] + two, format).text
        let parts = [head, "b", "a", end, "c", "d", end].map {
            $0.count > 1 || $0 == "\n" ? $0 : "\(mark) \($0)\n"
        }
        // The same beginning is there once.
        #expect(text == parts.joined(), "\(text)")
    }

    @Test(arguments: OutlineTests.formats)
    func aNewItemIsBelowTheHeadingOfItsListWhoseItemsAreTrashed(format: ExchangeFormat) throws {
        let document = Document(format)
        var (records, _) = try Exchange.read(document.text(), format)
        var new = ItemRecord(uuid: UUID(), title: "new", created: Fixed.context.now)
        new.list = ["Projects"]
        for place in records.indices { records[place].trashed = place < 2 }
        let text = Exchange.write(records + [new], format).text
        let titles = try Exchange.read(text, format).records
        #expect(titles.map(\.title) == ["new", "C", "C1"], "\(text)")
        #expect(titles.map(\.list) == [["Projects"], ["Other"], ["Other"]])
        #expect(text.components(separatedBy: "Projects\n").count == 2, "\(text)")
        #expect(text.hasPrefix(document.text([0, 1])))
    }

    @Test(arguments: OutlineTests.formats)
    func textsThatWereReadAgainBesideATrashedItemAreThereOnce(format: ExchangeFormat) throws {
        let document = Document(format)
        var (records, _) = try Exchange.read(document.text(), format)
        for place in records.indices { records[place].trashed = place % 3 == 0 }
        // Somebody edits the file meanwhile.
        let edited = Exchange.write(records, format).text
            .replacing("overview", with: "content").replacing("tags: [x]", with: "tags: [y]")
            .replacing("Text of", with: "Words of").replacing("The end", with: "It ends")
        let again = try Exchange.read(edited, format).records
        #expect(Exchange.write([records[0]] + again + [records[3]], format).text == edited)
    }
}
