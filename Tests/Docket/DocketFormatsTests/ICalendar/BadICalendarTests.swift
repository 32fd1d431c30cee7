import Foundation
import Testing

@testable import DocketFormats

/// Calendars that are no calendars, or are broken.
@Suite struct BadICalendarTests {
    @Test(arguments: [
        (
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:A\n", 2,
            "The VTODO has no END:VTODO; the file may be incomplete."
        ),
        (
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nBEGIN:VTODO\nSUMMARY:B\nEND:VTODO\nEND:VCALENDAR\n", 2,
            "The VTODO has no END:VTODO before the next VTODO."
        ),
        ("BEGIN:VCALENDAR\nBEGIN:VTODO\nEND:VCALENDAR\n", 2, "The VTODO has no END:VTODO."),
        (
            "BEGIN:VCALENDAR\nEND:VTODO\nEND:VCALENDAR\n", 2,
            "END:VTODO has no BEGIN:VTODO before it."
        ),
        (
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nBEGIN:VALARM\nEND:VTODO\nEND:VCALENDAR\n", 2,
            "Line 4 has END:VTODO where END:VALARM is expected."
        ),
        (
            "BEGIN:VCALENDAR\nVERSION:2.0\n", 3,
            "The file ends without END:VCALENDAR; it may be incomplete."
        ),
        (
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR\n", 1,
            "The calendar has events, but neither tasks nor notes."
        ),
        ("one\ntwo\n", 1, "The file has no BEGIN:VCALENDAR; it is not iCalendar."),
        (
            "BEGIN:VCALENDAR\rBEGIN:VTODO\rEND:VTODO\rEND:VCALENDAR\r", 1,
            "The file has CR alone as line ends; convert them first: tr '\\r' '\\n'."
        ),
        (
            "BEGIN:VTODO\nSUMMARY:A\nDUE:20261301\nEND:VTODO\n", 1,
            "“DUE” holds “20261301”, which is not a date: months go from 1 to 12."
        ),
        (
            "BEGIN:VTODO\nSUMMARY:A\nDUE:soon\nEND:VTODO\n", 1,
            "“DUE” holds “soon”, which is not a date of iCalendar."
        ),
        ("BEGIN:VTODO\nUID:1\nEND:VTODO\n", 1, "The item has no title."),
    ])
    func whatIsWrongIsToldWithItsLine(text: String, line: Int, reason: String) throws {
        let (_, report) = try Exchange.read(text, .icalendar)
        let found = report.skipped.map { ($0.line, $0.reason) }
        #expect(found.count == 1 && found.first?.0 == line && found.first?.1 == reason, "\(found)")
    }

    @Test func whatFollowsABrokenTaskIsRead() throws {
        let broken = "BEGIN:VTODO\r\nSUMMARY:Half\r\n"
        let (records, report) = try Exchange.read(
            ICalendarDialects.task("X:1", before: broken),
            .icalendar
        )
        #expect(records.map(\.title) == ["One"] && report.skipped.map(\.line) == [4])
    }

    @Test(arguments: [[0xFF, 0xFE, 0x41, 0], Array("BEGIN:VCALENDAR\n\0".utf8)])
    func aFileThatIsNoTextIsRefusedOnce(bytes: [UInt8]) throws {
        let (records, report) = try Exchange.read(bytes, .icalendar)
        #expect(records.isEmpty && report.skipped.count == 1)
        #expect(report.skipped.first?.reason.contains("UTF-16") == true)
    }

    @Test func anotherEncodingIsRefusedInOneSentence() throws {
        let bytes = ICalendarDialects.task("DESCRIPTION:?").utf8.map {
            $0 == UInt8(ascii: "?") ? 0xE9 : $0
        }
        let (records, report) = try Exchange.read(bytes, .icalendar)
        #expect(records.isEmpty)
        #expect(report.skipped.map(\.reason) == [ImportProblem.notUTF8(line: 4).message])
    }

    @Test func whatIsTooLongIsLeftOutAlone() throws {
        for long in [
            "DESCRIPTION:" + String(repeating: "long ", count: 20_000),
            String(repeating: "X-A:b\r\n", count: 20_000) + "X:1",
            String(repeating: "X-A:b\r\n ", count: 20_000) + "X",
        ] {
            let text =
                ICalendarDialects.task(long).replacing("END:VCALENDAR\r\n", with: "")
                + "BEGIN:VTODO\r\nSUMMARY:Short\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
            for partSize in [100, 1000, 1 << 18] {
                let source = ByteSource(Array(text.utf8), partSize: partSize)
                source.itemLimit = 10_000
                let (records, report) = try Exchange.read(source, .icalendar)
                if partSize < 10_000 {
                    #expect(records.map(\.title) == ["Short"])
                    #expect(report.skipped.map(\.line) == [4])
                }
            }
        }
    }

    /// The last line has no end; an END stands alone; a task stands behind the calendar.
    @Test(arguments: [
        "BEGIN:VTODO\nUID:1\nSUMMARY:A\nEND:VTODO",
        "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\nSUMMARY:A\nEND:VTODO\nEND:VTODO\nEND:VCALENDAR\n",
        "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\nSUMMARY:A\nEND:VTODO\nEND:VCALENDAR\nBEGIN:VCALENDAR\n"
            + "END:VCALENDAR\nBEGIN:VTODO\nUID:2\nSUMMARY:B\nEND:VTODO\nEND:VCALENDAR\n",
    ])
    func whatIsWrittenOfABrokenCalendarIsSound(text: String) throws {
        let records = try Exchange.read(text, .icalendar).records
        let written = Exchange.write(records, .icalendar).text
        let (again, report) = try Exchange.read(written, .icalendar)
        #expect(report.isComplete && again.map(\.title) == records.map(\.title), "\(report.text())")
        #expect(Exchange.write(again, .icalendar).text == written)
    }

    @Test func deepNestingIsKept() throws {
        let depth = 10_000
        let text = ICalendarDialects.task(
            (0..<depth).map { "BEGIN:X-\($0)" }.joined(separator: "\r\n") + "\r\n"
                + (0..<depth).reversed().map { "END:X-\($0)" }.joined(separator: "\r\n")
        )
        #expect(
            Exchange.write(try Exchange.read(text, .icalendar).records, .icalendar).text == text
        )
    }
}
