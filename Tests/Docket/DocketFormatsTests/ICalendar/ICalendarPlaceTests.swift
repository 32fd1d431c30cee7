import CivilTime
import FixedTime
import Foundation
import Testing

@testable import DocketFormats

/// What a calendar has beside its items.
@Suite("Calendars around items") struct ICalendarPlaceTests {
    private static let head = """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//example//test//EN
        X-WR-CALNAME:Garden
        X-APPLE-CALENDAR-COLOR:#FF2968
        X-TOP:yes
        BEGIN:X-BAR
        X-A:1
        END:X-BAR

        """
    private static let middle = "BEGIN:X-MID\nEND:X-MID\n"
    private static let tail = "BEGIN:X-BAZ\nX-B:2\nEND:X-BAZ\nEND:VCALENDAR\n"

    private static func task(_ uid: String) -> String {
        """
        BEGIN:VTODO
        UID:\(uid)
        DTSTAMP:20260101T000000Z
        SUMMARY:\(uid)
        X-FOO:bar
        END:VTODO

        """
    }

    private func records() throws -> [ItemRecord] {
        let text = Self.head + Self.task("a") + Self.middle + Self.task("b") + Self.task("c")
        return try Exchange.read(text + Self.tail, .icalendar).records
    }

    private func written(_ records: [ItemRecord]) -> String {
        var writer = ExchangeFormat.icalendar.writer(settings: Exchange.settings)
        writer.expect(records)
        for record in records { writer.write(record) }
        writer.finish()
        return String(decoding: writer.drain(), as: UTF8.self)
    }

    @Test func theCalendarStaysWhenItsItemsAreTrashed() throws {
        let all = try records()
        for titles: Set<String> in [[], ["a"], ["b"], ["c"], ["a", "c"], ["a", "b", "c"]] {
            var records = all
            for place in records.indices {
                records[place].trashed = titles.contains(records[place].title)
            }
            func task(_ uid: String) -> String { titles.contains(uid) ? "" : Self.task(uid) }
            let parts = [Self.head, task("a"), Self.middle, task("b"), task("c"), Self.tail]
            #expect(written(records) == parts.joined(), "\(titles)")
        }
    }

    @Test func theCalendarStaysWhenItsItemsMove() throws {
        let all = try records()
        let (a, b, c) = (Self.task("a"), Self.task("b"), Self.task("c"))
        let second = written([all[1], all[0], all[2]])
        #expect(second == [Self.head, Self.middle, b, a, c, Self.tail].joined())
        let last = written([all[2], all[0], all[1]])
        #expect(last == [Self.head, c, a, Self.middle, b, Self.tail].joined())
    }

    @Test(arguments: [true, false])
    func aNewItemIsInTheCalendar(isFirst: Bool) throws {
        let all = try records()
        var new = ItemRecord(uuid: UUID(), title: "new", created: Fixed.context.now)
        new.list = ["Garden"]
        let text = written(isFirst ? [new] + all : all + [new])
        #expect(text.hasPrefix(Self.head) && text.hasSuffix(Self.tail), "\(text)")
        #expect(!text.contains("X-DOCKET-LIST"))
        let again = try Exchange.read(text, .icalendar).records
        #expect(again.map(\.title) == (isFirst ? ["new", "a", "b", "c"] : ["a", "b", "c", "new"]))
        #expect(written(again) == text)
    }
}
