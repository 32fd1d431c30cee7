import CivilTime
import FixedTime
import Foundation
import SeededRandom
import Testing

@testable import DocketFormats

@Suite struct DocketJSONTests {
    @Test func itemsComeBackWhole() throws {
        var random = SeededRandom()
        let records = (0..<300).map { _ in RandomRecord.make(&random) }
        let text = Exchange.write(records, .json).text
        let (read, report) = try Exchange.read(text, .json)
        #expect(report.skipped.isEmpty, "\(report.text())")
        // Some have what only the other kind has.
        let isAboutKind = report.changed.allSatisfy {
            $0.reason.hasSuffix("that is not kept.")
        }
        #expect(isAboutKind, "\(report.text())")
        for (new, old) in zip(read, records) where new != old {
            Issue.record("\(new)\n\(old)")
            return
        }
        #expect(read.count == records.count)
        #expect(Exchange.write(read, .json).text == text)
    }

    @Test func linesHoldTheSameItems() throws {
        var random = SeededRandom()
        let records = (0..<50).map { _ in RandomRecord.make(&random) }
        var writer = DocketJSONWriter(layout: .lines)
        var bytes: [UInt8] = []
        for record in records {
            writer.write(record)
            bytes += writer.drain()
        }
        writer.finish()
        bytes += writer.drain()
        #expect(bytes.count { $0 == 10 } == 50)
        #expect(try Exchange.read(bytes, .json).records == records)
    }

    @Test func everyItemHasTheDocumentedMembers() throws {
        let record = ItemRecord(uuid: UUID(), title: "A", created: Fixed.context.now)
        let text = Exchange.write([record], .json).text
        let array = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
        )
        let names = Set(try #require(array.first).keys)
        #expect(
            names == [
                "id", "uuid", "kind", "title", "notes", "list", "tags", "due", "start", "priority",
                "completed", "created", "modified", "order", "trashed", "flagged",
            ]
        )
    }

    @Test func wholeDayIsWrittenAsADay() throws {
        var record = ItemRecord(uuid: UUID(), title: "A", created: Fixed.context.now)
        record.due = DueDate(day: try #require(Day(year: 2026, month: 11, day: 22)))
        record.start = DueDate(moment: Date(timeIntervalSince1970: 1_800_000_000))
        record.list = ["Home", "a/b"]
        let text = Exchange.write([record], .json).text
        #expect(text.contains(#""due":"2026-11-22","start":"2027-01-15T08:00:00Z""#))
        #expect(text.contains(#""list":"Home/a\\/b""#))
    }

    @Test func titleAloneIsEnough() throws {
        let (records, report) = try Exchange.read(
            #"{"title":"A"} {"title":"B","list":["X","Y"],"due":"2026-11-22T09:00"}"#,
            .json
        )
        #expect(report.skipped.isEmpty)
        #expect(records.map(\.title) == ["A", "B"])
        #expect(records.first?.created == Fixed.context.now)
        #expect(records.last?.list == ["X", "Y"])
        #expect(records.last.flatMap(\.due).map(Fixed.plain) == "2026-11-22T09:00")
    }

    @Test func whatAKindDoesNotHaveIsTold() throws {
        let (records, report) = try Exchange.read(
            #"""
            {"title":"N","kind":"note","body":"text","due":"2026-11-22","priority":2}
            {"title":"T","body":"text","timeEntries":[{"start":"2026-11-22T09:00:00Z","by":"me"}]}
            """#,
            .json
        )
        #expect(records.count == 2 && report.isComplete)
        #expect(
            report.changed.map(\.reason) == [
                "A note has no due, priority; that is not kept.",
                "“by” of a time entry is not kept.",
                "A task has no body; that is not kept.",
            ]
        )
    }

    @Test func aTextLongerThanAnItemMayHaveIsRefused() throws {
        let text = String(repeating: "word ", count: Limits.textBytes / 5 + 1)
        let (records, report) = try Exchange.read(
            "{\"title\":\"A\",\"notes\":\"\(text)\"}\n{\"title\":\"B\"}",
            .json
        )
        #expect(records.map(\.title) == ["B"] && report.skipped.map(\.line) == [1])
        #expect(report.skipped.first?.reason == "A text can have at most 8 MB, not 9.")
    }

    @Test func brokenLineIsReportedWithItsNumberAndTheRestIsRead() throws {
        let text = """
            [
            {"title":"A"},
            {"title":"B,
            {"title":"C","due":"2026-02-30"},
            {"title":"D"
            {"title":""},
            {"title":7},
            {"title":"E"}
            ]
            """
        let (records, report) = try Exchange.read(text, .json)
        #expect(records.map(\.title) == ["A", "E"])
        #expect(report.skipped.map(\.line) == [3, 4, 5, 6, 7])
        #expect(report.skipped[1].reason.contains("February 2026 has 28 days"))
        #expect(report.skipped[3].reason.contains("no title"))
        #expect(!report.isComplete)
        #expect(report.text().contains("line 4, skipped"))
    }

    @Test(arguments: [
        "[", "[{\"title\":\"A\"}", "{\"title\":\"A\"", "[1]", "hello", "[{}] x", "\u{0}\u{0}\u{0}",
        "[\"a\"]", "{\"title\":\"A\",\"kind\":\"x\"}", "{\"title\":\"A\",\"priority\":9}",
        "{\"title\":\"A\",\"uuid\":\"x\"}", "{\"title\":\"A\",\"id\":1.5}",
        "{\"title\":\"A\",\"tags\":[1]}", "{\"title\":\"A\",\"order\":99999999999999999999}",
    ])
    func wrongDocumentsAreReported(text: String) throws {
        let (_, report) = try Exchange.read(text, .json)
        #expect(!report.isComplete)
        #expect(report.skipped.allSatisfy { $0.reason.hasSuffix(".") })
    }

    @Test func otherEncodingsAreRecognised() throws {
        let (_, report) = try Exchange.read([0xFF, 0xFE, 0x7B, 0x00], .json)
        #expect(report.skipped.first?.reason.contains("UTF-16") == true)
        let marked = try Exchange.read([0xEF, 0xBB, 0xBF] + Array("[]".utf8), .json)
        #expect(marked.report.isComplete)
        let latin = try Exchange.read(
            Array("{\"title\":\"".utf8) + [0xE4] + Array("\"}".utf8),
            .json
        )
        #expect(latin.records.isEmpty)
        #expect(latin.report.skipped.map(\.reason) == [ImportProblem.notUTF8(line: 1).message])
    }

    @Test func emptyDocumentsHoldNothing() throws {
        for text in ["", " \n", "[]", "[\n]\n"] {
            let (records, report) = try Exchange.read(text, .json)
            #expect(records.isEmpty && report.isComplete, "\(text)")
        }
    }

    @Test func foreignFieldsComeBackFromTheStore() throws {
        var random = SeededRandom()
        for _ in 0..<100 {
            let extra = RandomRecord.make(&random).extra
            #expect(try ForeignFields(text: extra.text) == extra)
        }
        #expect(throws: InputError.self) { try ForeignFields(text: "{") }
        #expect(throws: InputError.self) { try ForeignFields(text: "[]") }
    }

    @Test(arguments: [
        ("\"countedFrom\":\"today\"", "“countedFrom” must be due or completion"),
        ("\"series\":\"7\"", "not a UUID"),
        ("\"reminders\":[\"soon\"]", "one is like 20261124T090000Z or -PT30M"),
    ])
    func whatCannotBeIsNamed(member: String, why: String) throws {
        let (records, report) = try Exchange.read("[{\"title\":\"A\",\(member)}]", .json)
        #expect(records.isEmpty && report.text().contains(why), "\(report.text())")
    }
}
