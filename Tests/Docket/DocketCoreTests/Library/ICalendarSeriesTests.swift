import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// Calendars whose items are completed, moved or trashed here.
@Suite("Calendars after changes")
struct ICalendarSeriesTests {
    private let folder: LibraryFolder
    private let library: Library

    init() throws {
        folder = try LibraryFolder()
        library = try folder.open()
    }

    /// Imports a calendar with tasks of these lines.
    private func load(_ tasks: String...) throws {
        let components = tasks.enumerated().map { number, lines in
            "BEGIN:VTODO\nUID:task\(number)\nDTSTAMP:20260101T000000Z\nSUMMARY:Task \(number)\n"
                + "\(lines)\nEND:VTODO\n"
        }
        let text =
            "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//example//test//EN\nX-WR-CALNAME:Garden\n"
            + "X-APPLE-CALENDAR-COLOR:#FF2968\n\(components.joined())END:VCALENDAR\n"
        _ = try library.importItems(.icalendar, from: Array(text.utf8))
    }

    private func export() throws -> String {
        var bytes: [UInt8] = []
        _ = try library.export(.icalendar) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The component of the task that is open.
    private func openComponent() throws -> [String] {
        let parts = try export().components(separatedBy: "BEGIN:VTODO\n").dropFirst()
        let open = try #require(parts.first { !$0.contains("STATUS:COMPLETED") })
        return open.split(separator: "\n").map(String.init)
    }

    private func complete() throws {
        let open = try library.items(matching: Library.openItems)
        try library.complete(open.compactMap { $0 as? Task })
    }

    @Test func theNextOccurrenceHasWhatTheCalendarSaysOfTheSeries() throws {
        try load(
            """
            DUE;TZID=Europe/Berlin:20991201T090000
            RRULE:FREQ=DAILY;COUNT=3
            STATUS:IN-PROCESS
            PERCENT-COMPLETE:50
            X-FOO:bar
            ATTENDEE:mailto:x@y
            """
        )
        for (day, rest) in [("02", "COUNT=2"), ("03", "COUNT=1")] {
            try complete()
            let lines = try openComponent()
            #expect(lines.contains("X-FOO:bar") && lines.contains("ATTENDEE:mailto:x@y"))
            #expect(lines.contains("DUE;TZID=Europe/Berlin:209912\(day)T090000"), "\(lines)")
            #expect(lines.contains("RRULE:FREQ=DAILY;\(rest)"), "\(lines)")
            let open = try library.items(matching: Library.openItems)
            #expect(
                lines.filter { $0.hasPrefix("UID:") }
                    == open.map { "UID:\($0.uuid.uuidString.lowercased())" }
            )
            for name in ["PERCENT", "COMPLETED", "RECURRENCE-ID", "STATUS:IN-PROCESS"] {
                #expect(!lines.contains { $0.hasPrefix(name) }, "\(lines)")
            }
        }
        let text = try export()
        let again = try library.importItems(.icalendar, from: Array(text.utf8))
        #expect(again.added == 0 && again.updated == 0, "\(again.report)")
    }

    @Test func datesThatAreTakenOutCountForTheCount() throws {
        try load(
            """
            DTSTART;VALUE=DATE:20991201
            DUE;VALUE=DATE:20991201
            RRULE:FREQ=DAILY;COUNT=4
            EXDATE;VALUE=DATE:20991202
            """
        )
        for (day, rest) in [("03", "COUNT=2"), ("04", "COUNT=1")] {
            try complete()
            let lines = try openComponent()
            #expect(lines.contains("DTSTART;VALUE=DATE:209912\(day)"), "\(lines)")
            #expect(lines.contains("RRULE:FREQ=DAILY;\(rest)"), "\(lines)")
        }
        try complete()
        #expect(try library.items(matching: Library.openItems).isEmpty)
    }

    @Test func theCalendarStaysWhenItsItemsAreTrashedMovedOrNew() throws {
        try load("X-FOO:a", "X-FOO:b")
        let head = try #require(try export().components(separatedBy: "BEGIN:VTODO").first)
        #expect(head.contains("COLOR:#FF2968"))
        let items = try library.items(matching: nil)
        try library.trash([items[0]])
        let trashed = try export()
        #expect(trashed.hasPrefix(head + "BEGIN:VTODO\nUID:task1\n"), "\(trashed)")
        _ = try library.undo()
        let new = try library.addTask(capturing: "New +Garden")
        _ = try library.place([items[1]], .top)
        _ = try library.place([new], .top)
        let moved = try export()
        #expect(moved.hasPrefix(head) && !moved.contains("X-DOCKET-LIST"), "\(moved)")
    }
}
