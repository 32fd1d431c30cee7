import CivilTime
import FixedTime
import Foundation
import Testing

@testable import DocketFormats

// The time zones of calendars.
extension ICalendarTests {
    private static let windows = """
        BEGIN:VTIMEZONE
        TZID:W. Europe Standard Time
        BEGIN:STANDARD
        DTSTART:16010101T030000
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0100
        RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
        END:STANDARD
        BEGIN:DAYLIGHT
        DTSTART:16010101T020000
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0200
        RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
        END:DAYLIGHT
        END:VTIMEZONE

        """

    @Test func aZoneHasTheRulesOfItsVTIMEZONE() throws {
        var settings = Exchange.settings
        settings.dates.zone = Fixed.newYork
        for (local, utc) in [
            ("20260701T120000", "2026-07-01T10:00Z"), ("20261201T120000", "2026-12-01T11:00Z"),
            ("20261025T013000", "2026-10-24T23:30Z"), ("20261025T033000", "2026-10-25T02:30Z"),
            ("20260329T033000", "2026-03-29T01:30Z"),
        ] {
            let text = ICalendarDialects.task(
                "DUE;TZID=W. Europe Standard Time:\(local)",
                before: Self.windows
            )
            let read = try Exchange.read(Array(text.utf8), .icalendar, settings: settings)
            #expect(read.records.map(\.due?.date) == [moment(utc)], "\(local)")
            #expect(read.report.changed.isEmpty)
            #expect(Exchange.write(read.records, .icalendar, settings: settings).text == text)
        }
    }

    @Test func aZoneThatIsDefinedBetweenItemsIsNotDefinedAgain() throws {
        let due = "DUE;TZID=W. Europe Standard Time:20260701T120000"
        let first = ICalendarDialects.task("PRIORITY:1")
        let both = ICalendarDialects.task(due, before: Self.windows)
            .replacing("UID:one", with: "UID:two")
        let end = try #require(first.range(of: "END:VCALENDAR"))
        let start = try #require(both.range(of: "BEGIN:VTIMEZONE"))
        let text = String(first[..<end.lowerBound] + both[start.lowerBound...])
        let records = try Exchange.read(text, .icalendar).records
        #expect(records.count == 2)
        #expect(Exchange.write(records, .icalendar).text == text)
    }

    /// An item keeps the zone that only its calendar knows, also without the calendar's head.
    @Test func anItemAloneBringsItsZone() throws {
        let text = ICalendarDialects.task(
            "DUE;TZID=W. Europe Standard Time:20260701T120000",
            before: Self.windows
        )
        var record = try read(text)
        record.extra["icalendar"].removeAll { $0.name == "head" || $0.name == "tail" }
        let written = Exchange.write([record], .icalendar).text
        #expect(written.contains("TZID:W. Europe Standard Time\r\n"))
        #expect(try read(written).due == record.due)
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-07-01T10:00Z"), ("Etc/UTC", "2026-07-01T12:00Z"),
        ("/freeassociation.sourceforge.net/Asia/Tokyo", "2026-07-01T03:00Z"),
        ("/example.org/1/America/Argentina/Ushuaia", "2026-07-01T15:00Z"),
        ("Nowhere", "2026-07-01T12:00+02:00"), ("/etc/passwd", "2026-07-01T12:00+02:00"),
        ("../../etc/passwd", "2026-07-01T12:00+02:00"), ("GMT0100", "2026-07-01T12:00+02:00"),
    ])
    func aZoneIsFoundByItsName(name: String, wanted: String) throws {
        let (records, report) = try Exchange.read(
            ICalendarDialects.task("DUE;TZID=\(name):20260701T120000"),
            .icalendar
        )
        #expect(records.map(\.due?.date) == [moment(wanted)])
        #expect(report.changed.isEmpty == !wanted.hasSuffix("+02:00"))
    }

    /// The VTIMEZONE that an export writes has the zone's changes.
    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Tokyo", "Asia/Kolkata",
        "America/St_Johns", "Pacific/Auckland", "Africa/Casablanca", "Asia/Jerusalem",
        "America/Nuuk", "Europe/Moscow", "America/Sao_Paulo", "UTC",
    ])
    func writtenZonesAreTheZones(name: String) throws {
        let zone = try #require(ZoneRules.named(name))
        let bytes = ICalendarZones.component(zone, around: 2026, lineEnd: [13, 10])
        var zones = ICalendarZones(.utc)
        let text = String(decoding: bytes, as: UTF8.self).replacing("TZID:", with: "TZID:x ")
        zones.define(ICalendarComponent(Array(text.utf8)))
        let rules = zones.rules("x \(name)")
        let read = try #require(rules)
        // From the first change that it has on; rules go on behind the years that are listed.
        let first = zone.changes(in: 1996...2036).first?.moment ?? 0
        let isRule = text.components(separatedBy: "RRULE").count == 3
        let last = try #require(Day(year: isRule ? 2060 : 2036, month: 12, day: 31)).number * 86_400
        for moment in stride(from: first, to: last, by: 1800) {
            try #require(read.offset(at: moment) == zone.offset(at: moment), "\(moment)")
        }
        #expect(
            isRule
                == [
                    "Europe/Berlin", "America/New_York", "Australia/Sydney",
                    "America/St_Johns", "Pacific/Auckland",
                ].contains(name),
            "\(text)"
        )
    }

    /// A repeating task stays at its time on the wall, so its zone is written.
    @Test func aRepeatingTaskIsWrittenByTheClock() throws {
        var record = ItemRecord(uuid: UUID(), title: "Repeat", created: Fixed.context.now)
        record.due = moment("2026-11-24T09:00").map(DueDate.init(moment:))
        record.recurrence = "every tuesday"
        let text = Exchange.write([record, record], .icalendar).text
        #expect(text.contains("DUE;TZID=Europe/Berlin:20261124T090000\r\n"))
        #expect(text.contains("DTSTART;X-DOCKET-FROM=DUE;TZID=Europe/Berlin:20261124T090000\r\n"))
        #expect(text.contains("RRULE:FREQ=WEEKLY;BYDAY=TU\r\n"))
        #expect(text.split(separator: "BEGIN:VTIMEZONE").count == 2)
        let again = try Exchange.read(text, .icalendar).records[0]
        #expect(again.due == record.due && again.start == nil)
    }
}
