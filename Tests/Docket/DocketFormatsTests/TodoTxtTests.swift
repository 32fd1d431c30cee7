import ChildProcess
import CivilTime
import FixedTime
import Foundation
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketFormats

@Suite struct TodoTxtTests {
    private static let fixture = """
        (A) 2026-11-01 Call Mum +Family @phone due:2026-11-30 t:2026-11-25
        Mail @Ana about +Taxes and +Rent today
        x 2026-11-20 2026-11-01 Paint  the fence +Home/Garden #out pri:B
        x Done without a date
        (D) Low one rec:+1w h:1 id:3 p:2 foo:bar https://a.b/c
        2026-11-02 Vote +1 at 10:30 @ 5 uuid:79c674d7-0e09-45d8-905f-13652de2eed5
        +Only @markers
        xylophone (A) 2026-11-01
        Ämter 日本 🏠 due:soon +Ä

        """

    @Test func lineWithManyLineEndsIsTheSameItemAfterAnExport() throws {
        let (records, _) = try Exchange.read("One\r\r\r\nTwo\r\n", .todotxt)
        let written = Exchange.write(records, .todotxt).text
        let (again, _) = try Exchange.read(written, .todotxt)
        #expect(records.map(\.title) == ["One", "Two"])
        #expect(again == records)
    }

    /// A store, a picture or UTF-16: each of its lines would be an item.
    @Test(arguments: [
        Array("SQLite format 3\0line\nother".utf8), [0xFF, 0xFE, 0x41, 0, 10, 0],
        [0x41, 0, 10, 0, 0x42, 0],
    ])
    func aFileThatIsNoTextIsRefusedAsAWhole(bytes: [UInt8]) throws {
        let (records, report) = try Exchange.read(bytes, .todotxt)
        #expect(records.isEmpty)
        #expect(!report.isComplete)
        #expect(report.details(limit: .max).contains("UTF-16"))
        #expect(report.details(limit: .max).split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        Array("One\nCaf".utf8) + [0xE9, 10, 0x41], Array("\u{201C}".utf8) + [10, 0x93, 0x41, 0x94],
        Array("A".utf8) + [10] + Array("B \u{E9}".utf8.dropLast()),
    ])
    func aFileInAnotherEncodingIsRefusedInOneSentence(bytes: [UInt8]) throws {
        let (records, report) = try Exchange.read(bytes, .todotxt)
        #expect(!records.contains { $0.title.contains("\u{FFFD}") })
        #expect(!report.isComplete)
        #expect(report.skipped.map(\.line) == [2])
        #expect(report.skipped.map(\.reason) == [ImportProblem.notUTF8(line: 2).message])
    }

    @Test(arguments: [
        ("Call Mum +Family foo:bar", "Call Mum foo:bar"),
        ("Call Mum +Family @home foo:bar x:1", "Call Mum foo:bar x:1"),
        ("foo:bar +Family Call Mum", "foo:bar Call Mum"),
        ("Call foo:bar +Family Mum x:1", "Call foo:bar Family Mum x:1"),
        ("Read +Family https://a.b/c", "Read Family https://a.b/c"),
        ("Meet +Family 10:30", "Meet Family 10:30"), ("+Family foo:bar", "foo:bar"),
        ("Note: call +Family foo:bar", "Note: call foo:bar"),
    ])
    func markerBesideAnUnknownKeyLeavesTheTitle(line: String, title: String) throws {
        let (records, _) = try Exchange.read(line, .todotxt)
        #expect(records.map(\.title) == [title])
        #expect(records[0].list == ["Family"])
        #expect(Exchange.write(records, .todotxt).text == line + "\n")
        var edited = records
        edited[0].priority = 3
        let written = Exchange.write(edited, .todotxt).text
        let (again, _) = try Exchange.read(written, .todotxt)
        #expect(again.map(\.title) == [title] && again[0].list == ["Family"], "\(written)")
    }

    @Test func partsFindTheirPlace() throws {
        let (records, report) = try Exchange.read(Self.fixture, .todotxt)
        #expect(report.isComplete, "\(report.text())")
        #expect(
            records.map(\.title) == [
                "Call Mum", "Mail Ana about Taxes and Rent today", "Paint the fence",
                "Done without a date", "Low one foo:bar https://a.b/c", "Vote +1 at 10:30 @ 5",
                "Only markers", "xylophone (A) 2026-11-01", "Ämter 日本 🏠 due:soon",
            ]
        )
        #expect(records.map(\.priority) == [3, 0, 2, 0, 0, 0, 0, 0, 0])
        #expect(records[0].list == ["Family"] && records[0].tags == ["@phone"])
        #expect(records[0].due.map(Fixed.plain) == "2026-11-30")
        #expect(records[0].start.map(Fixed.plain) == "2026-11-25")
        #expect(records[1].list == ["Taxes"] && records[1].tags == ["@Ana", "+Rent"])
        #expect(records[2].list == ["Home", "Garden"] && records[2].tags == ["out"])
        #expect(records[2].completed.map { Fixed.berlin.day(of: $0).day } == 20)
        #expect(records[3].completed == Fixed.context.now)
        #expect(records[4].recurrence == "+1w")
        #expect(records[5].uuid == UUID(uuidString: "79c674d7-0e09-45d8-905f-13652de2eed5"))
        #expect(report.changed.count == 1)
        #expect(records.map { $0.order ?? 0 } == (1...9).map { Int64($0) * Ranks.spacing })
    }

    @Test(arguments: ["Europe/Berlin", "Pacific/Kiritimati", "America/New_York", "UTC"])
    func untouchedLinesComeBackByteForByte(zone: String) throws {
        var settings = Exchange.settings
        settings.dates.zone = ZoneRules.named(zone) ?? .utc
        let records = try Exchange.read(
            Array(Self.fixture.utf8),
            .todotxt,
            settings: settings
        ).records
        let written = Exchange.write(records, .todotxt, settings: settings)
        #expect(written.text == Self.fixture)
        #expect(written.report.changed.isEmpty)
    }

    @Test func editedLinesKeepTheRest() throws {
        var (records, _) = try Exchange.read(Self.fixture, .todotxt)
        let done = ISODate.moment("2026-11-21T10:00", zone: Fixed.berlin)
        records[0].completed = done
        records[1].title += "!"
        records[2].completed = nil
        records[4].title = "Renamed"
        records[5].priority = 2
        let lines = Exchange.write(records, .todotxt).text.split(separator: "\n").map(String.init)
        #expect(
            lines[0] == "x 2026-11-21 2026-11-01 Call Mum +Family @phone due:2026-11-30 "
                + "t:2026-11-25 pri:A"
        )
        #expect(lines[1] == "Mail Ana about Taxes and Rent today! +Taxes @Ana +Rent")
        #expect(lines[2] == "(B) 2026-11-01 Paint the fence +Home/Garden #out")
        #expect(lines[3] == "x Done without a date")
        #expect(lines[4] == "(D) Renamed rec:+1w h:1 id:3 p:2")
        #expect(
            lines[5] == "(B) 2026-11-02 Vote +1 at 10:30 @ 5 "
                + "uuid:79c674d7-0e09-45d8-905f-13652de2eed5"
        )
    }

    @Test func thePriorityOfACompletedLineStandsBeforeOrBehindItsDate() throws {
        // The first line is the example of the format's rules.
        let text = """
            x (A) 2016-05-20 2016-04-30 measure space for +chapelShelving @chapel due:2016-05-30
            x 2016-05-20 (A) 2016-04-30 measure
            x (A) 2016-05-20 measure
            x (A) measure
            x (A) (B) measure

            """
        let (records, report) = try Exchange.read(text, .todotxt)
        #expect(report.isComplete)
        #expect(
            records.map(\.title) == ["measure space for"] + Array(repeating: "measure", count: 3)
                + ["(B) measure"]
        )
        #expect(records.map(\.priority) == [3, 3, 3, 3, 3])
        for record in records[..<3] {
            #expect(record.completed == DueDate.noon(try #require(Day("2016-05-20"))))
        }
        for record in records[..<2] {
            #expect(record.created == DueDate.noon(try #require(Day("2016-04-30"))))
        }
        #expect(Exchange.write(records, .todotxt).text == text)
    }

    @Test func namesKeepTheLetterCaseOfTheirLine() throws {
        var (records, _) = try Exchange.read("two +garage/Left @phone #big #new\n", .todotxt)
        // As a library gives them back that has known them in other letters.
        records[0].list = ["Garage", "left"]
        records[0].tags = ["@Phone", "Big", "new"]
        #expect(
            Exchange.write(records, .todotxt).text == "two +garage/Left @phone #big #new\n"
        )
        records[0].title = "three"
        #expect(
            Exchange.write(records, .todotxt).text == "three +garage/Left @phone #big #new\n"
        )
        records[0].list = ["Home"]
        records[0].tags = ["@Phone"]
        #expect(Exchange.write(records, .todotxt).text == "three +Home @phone\n")
    }

    @Test func brokenLinesAreReportedWithTheirNumber() throws {
        let text = "Good\n\n(A) due:2026-02-30 Bad\r\nx 2026-13-01 Bad\n  \nGood again\r\n(B)\n"
        let (records, report) = try Exchange.read(text, .todotxt)
        #expect(records.map(\.title) == ["Good", "Good again"])
        #expect(report.skipped.map(\.line) == [3, 4, 7])
        #expect(report.skipped[0].reason.contains("February 2026 has 28 days"))
    }

    @Test func rewrittenLinesReadTheSameOrAreReported() throws {
        var random = SeededRandom()
        let settings = Exchange.settings
        for _ in 0..<1500 {
            var record = ItemRecord(
                uuid: UUID(),
                title: RandomRecord.title(&random),
                created: DueDate.noon(Day(number: Int.random(in: 0..<30_000, using: &random)))
            )
            record.list = Bool.random(using: &random) ? ["Home", "a/b"] : []
            record.tags = ["@x", "y", "+z"].filter { _ in Bool.random(using: &random) }
            record.priority = Int.random(in: 0...3, using: &random)
            record.due = RandomRecord.some(&random) {
                DueDate(day: Day(number: Int.random(in: 0..<30_000, using: &$0)))
            }
            if Bool.random(using: &random) { record.completed = DueDate.noon(Day(number: 20_000)) }
            let written = Exchange.write([record], .todotxt)
            guard written.report.changed.isEmpty else { continue }
            let read = try #require(
                try Exchange.read(written.text, .todotxt).records.first,
                "\(written.text)"
            )
            #expect(read.title == record.title)
            #expect(read.list == record.list)
            #expect(Set(read.tags) == Set(record.tags))
            #expect(read.priority == record.priority)
            #expect(read.due == record.due)
            #expect(read.created == record.created)
            #expect(read.completed == record.completed)
            // And a line that was read is written back as it is.
            #expect(Exchange.write([read], .todotxt, settings: settings).text == written.text)
        }
    }

    @Test(arguments: [
        ("every month", "+1m"), ("every! 2 weeks", "2w"), ("weekly", "+1w"), ("1w", "1w"),
        ("+3d", "+3d"), ("every weekday", "+1b"),
    ])
    func repetitionsAreWrittenInItsForm(text: String, expected: String) {
        var record = ItemRecord(uuid: UUID(), title: "A", created: Fixed.context.now)
        record.recurrence = text
        let written = Exchange.write([record], .todotxt)
        #expect(written.text.hasSuffix(" rec:\(expected)\n"))
        #expect(written.report.changed.isEmpty)
    }

    @Test func whatALineCannotHoldIsReported() {
        var record = ItemRecord(uuid: UUID(), title: "x (A) +Odd", created: Fixed.context.now)
        record.notes = "n"
        record.location = "Bank"
        var trashed = record
        trashed.trashed = true
        let report = Exchange.write([record, trashed], .todotxt).report
        #expect(report.changed.count == 3)
        #expect(report.skipped.map(\.line) == [2])
    }

    @Test(.enabled(if: InstalledProgram.has("todo-txt"), "todo-txt is not installed"))
    func realProgramReadsWhatWasEdited() throws {
        let program = try #require(InstalledProgram.path(of: "todo-txt"))
        try withTemporaryFolder { folder in
            let settings = """
                export TODO_DIR=\(folder)
                export TODO_FILE="$TODO_DIR/todo.txt"
                export DONE_FILE="$TODO_DIR/done.txt"
                export REPORT_FILE="$TODO_DIR/report.txt"

                """
            try Data(settings.utf8).write(to: URL(filePath: folder + "/config"))
            func run(_ arguments: String...) throws -> String {
                try InstalledProgram.run(
                    program,
                    ["-d", folder + "/config", "-a", "-p", "-t"] + arguments,
                    environment: ["HOME": folder]
                )
            }
            _ = try run("add", "Call Mum +Family @phone due:2026-11-30")
            _ = try run("add", "Ämter @office rec:1w")
            _ = try run("add", "Third \"quoted\" $HOME and \\ back")
            _ = try run("pri", "1", "A")
            _ = try run("pri", "3", "D")
            _ = try run("do", "2")
            _ = try run("append", "1", "more words")
            let file = URL(filePath: folder + "/todo.txt")
            let original = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            #expect(original.split(separator: "\n").count == 3)

            var (records, report) = try Exchange.read(original, .todotxt)
            #expect(report.isComplete)
            #expect(Exchange.write(records, .todotxt).text == original)
            records[0].title = "Call Dad"
            records[0].tags.append("soon")
            let edited = Exchange.write(records, .todotxt).text
            try Data(edited.utf8).write(to: file)
            let listed = try run("ls", "Dad")
            #expect(listed.contains("Call Dad"))
            #expect(try run("lsprj").contains("+Family"))
            #expect(try run("lsc").contains("@phone"))
            #expect(
                edited.split(separator: "\n").dropFirst()
                    == original.split(separator: "\n").dropFirst()
            )
        }
    }

    /// The rule, the due date, what todo.txt has, and whether something is told.
    @Test(arguments: [
        ("every 2 weeks", "rec:+2w", false), ("every! 3 days", "rec:3d", false),
        ("every day at 9:30", "rec:+1d", false), ("every weekday", "rec:+1b", false),
        ("every saturday", "rec:+1w", false), ("every month on the 21st", "rec:+1m", false),
        ("every last friday", "rec:FREQ=MONTHLY;BYDAY=-1FR", true),
        ("every week for 3 times", "rec:FREQ=WEEKLY;COUNT=3", true), ("+3b", "rec:+3b", false),
        ("every 12 hours", "rec:FREQ=HOURLY;INTERVAL=12", true),
    ])
    func todoTxtHasTheSameRepetition(rule: String, word: String, isTold: Bool) throws {
        var record = ItemRecord(uuid: UUID(), title: "A", created: Fixed.context.now)
        record.recurrence = rule
        let moment = Fixed.berlin.moment(Fixed.context.today, second: 9 * 3600 + 1800)
        record.due =
            rule.contains("9:30") ? DueDate(moment: moment) : DueDate(day: Fixed.context.today)
        let (line, report) = Exchange.write([record], .todotxt)
        #expect(line.contains(word), "\(line)")
        #expect(report.changed.isEmpty != isTold, "\(report.text())")
        let read = try #require(try Exchange.read(line, .todotxt).records.first)
        func next(_ record: ItemRecord) -> DueDate? {
            record.taskSeries(in: Fixed.context)?.next(after: record.due, in: Fixed.context)?.due
        }
        #expect(next(read) == next(record))
    }
}

extension Day {
    /// `2016-05-20`.
    fileprivate init?(_ text: String) {
        guard case .day(let day) = ISODate.read(text) else { return nil }
        self = day
    }
}
