import ChildProcess
import CivilTime
import FixedTime
import Foundation
import SeededRandom
import Testing

@testable import DocketFormats

/// What other libraries read in a calendar of Docket must be what Docket means.
///
/// PyPI's icalendar is looked for in the Python of `DOCKET_PYTHON` and in the system's (Debian:
/// python3-icalendar), libical among the system's libraries; it is called by Python too.
@Suite struct ICalendarOracleTests {
    /// What both sides say of a component.
    private struct Seen: Codable, Equatable {
        var uid: String
        var title: String
        var text: String?
        /// Seconds since 1970, or a day.
        var due: String?
        var start: String?
        var completed: String?
        var priority: Int
        var tags: [String]
        var location: String?
        var parent: String?
        var waits: [String]
        var rule: String?
    }

    private static func python(_ check: String) -> String? {
        let candidates = [
            ProcessInfo.processInfo.environment["DOCKET_PYTHON"],
            InstalledProgram.path(of: "python3"), "/usr/bin/python3",
        ]
        return candidates.compactMap { $0 }.first { python in
            let found = try? InstalledProgram.run(python, ["-c", check], environment: [:])
            return found == "1\n"
        }
    }

    private static let withICalendar = python("import icalendar; print(1)")
    private static let withLibical = python(
        "import ctypes.util as u; print(1 if u.find_library('ical') else 0)"
    )

    private static let icalendar = """
        import json, sys
        from datetime import datetime
        from icalendar import Calendar

        def time(value):
            if value is None:
                return None
            value = value.dt
            if isinstance(value, datetime):
                return str(int(value.timestamp()))
            return value.strftime("%Y%m%d")

        def all_of(part, name):
            value = part.get(name)
            return [] if value is None else value if isinstance(value, list) else [value]

        def text(value):
            return None if value is None else str(value)

        for part in Calendar.from_ical(open(sys.argv[1], "rb").read()).walk():
            if part.name not in ("VTODO", "VJOURNAL"):
                continue
            links = [(x.params.get("RELTYPE", "PARENT"), str(x)) for x in all_of(part, "RELATED-TO")]
            rule = part.get("RRULE")
            print(json.dumps({
                "uid": str(part["UID"]), "title": str(part["SUMMARY"]),
                "text": text(part.get("DESCRIPTION")), "due": time(part.get("DUE")),
                "start": time(part.get("DTSTART")), "completed": time(part.get("COMPLETED")),
                "priority": int(part.get("PRIORITY", 0)),
                "tags": [str(t) for c in all_of(part, "CATEGORIES") for t in c.cats],
                "location": text(part.get("LOCATION")),
                "parent": next((u for t, u in links if t == "PARENT"), None),
                "waits": [u for t, u in links if t == "DEPENDS-ON"],
                "rule": rule.to_ical().decode() if rule else None}))
        """

    /// For libical 3, whose `icaltimetype` it knows.
    private static let libical = """
        import json, sys
        from ctypes import *
        from ctypes.util import find_library
        lib = CDLL(find_library("ical"))

        class Time(Structure):
            _fields_ = [(n, c_int) for n in ("year", "month", "day", "hour", "minute", "second",
                                             "is_date", "is_daylight")] + [("zone", c_void_p)]

        def function(name, result, *arguments):
            found = getattr(lib, name)
            found.restype, found.argtypes = result, list(arguments)
            return found

        P = c_void_p
        parse = function("icalparser_parse_string", P, c_char_p)
        first = function("icalcomponent_get_first_component", P, P, c_int)
        following = function("icalcomponent_get_next_component", P, P, c_int)
        first_property = function("icalcomponent_get_first_property", P, P, c_int)
        next_property = function("icalcomponent_get_next_property", P, P, c_int)
        property_name = function("icalproperty_get_property_name", c_char_p, P)
        value_text = function("icalproperty_get_value_as_string", c_char_p, P)
        value = function("icalproperty_get_value", P, P)
        value_string = function("icalvalue_get_text", c_char_p, P)
        parameter = function("icalproperty_get_parameter_as_string", c_char_p, P, c_char_p)
        moment = function("icalproperty_get_datetime_with_component", Time, P, P)
        seconds = function("icaltime_as_timet_with_zone", c_long, Time, P)
        any_component = function("icalcomponent_string_to_kind", c_int, c_char_p)(b"ANY")
        kind = function("icalcomponent_isa", c_int, P)
        named = function("icalcomponent_string_to_kind", c_int, c_char_p)
        any_property = 0

        def time(found, part):
            value = moment(found, part)
            if value.is_date:
                return "%04d%02d%02d" % (value.year, value.month, value.day)
            return str(seconds(value, value.zone))

        calendar = parse(open(sys.argv[1], "rb").read())
        part = first(calendar, any_component)
        while part:
            if kind(part) in (named(b"VTODO"), named(b"VJOURNAL")):
                seen = {"priority": 0, "tags": [], "waits": []}
                found = first_property(part, any_property)
                while found:
                    name = property_name(found).decode()
                    key = {"UID": "uid", "SUMMARY": "title", "DESCRIPTION": "text",
                           "LOCATION": "location", "DUE": "due", "DTSTART": "start",
                           "COMPLETED": "completed", "RRULE": "rule"}.get(name)
                    if name in ("DUE", "DTSTART", "COMPLETED"):
                        seen[key] = time(found, part)
                    elif name == "RRULE":
                        seen[key] = value_text(found).decode()
                    elif name == "PRIORITY":
                        seen["priority"] = int(value_text(found))
                    elif key:
                        seen[key] = value_string(value(found)).decode()
                    elif name == "CATEGORIES":
                        seen["tags"].append(value_string(value(found)).decode())
                    elif name == "RELATED-TO":
                        other = value_string(value(found)).decode()
                        if (parameter(found, b"RELTYPE") or b"PARENT") == b"DEPENDS-ON":
                            seen["waits"].append(other)
                        else:
                            seen["parent"] = other
                    found = next_property(part, any_property)
                print(json.dumps(seen))
            part = following(calendar, any_component)
        """

    @Test(.enabled(if: withICalendar != nil, "there is no Python with icalendar (DOCKET_PYTHON)"))
    func icalendarReadsWhatDocketMeans() throws {
        try compare(try #require(Self.withICalendar), Self.icalendar)
    }

    @Test(.enabled(if: withLibical != nil, "libical, or a Python to call it, is not installed"))
    func libicalReadsWhatDocketMeans() throws {
        try compare(try #require(Self.withLibical), Self.libical)
    }

    private func compare(_ python: String, _ program: String) throws {
        for name in ["Europe/Berlin", "America/New_York", "Asia/Jerusalem", "Australia/Sydney"] {
            var settings = Exchange.settings
            settings.dates.zone = ZoneRules.named(name) ?? .utc
            var random = SeededRandom()
            let records = (0..<60).map { _ in record(&random) }
            let text = Exchange.write(records, .icalendar, settings: settings).text
            var answer = ""
            try withTemporaryFolder { folder in
                try text.write(toFile: folder + "/all.ics", atomically: true, encoding: .utf8)
                answer = try InstalledProgram.run(
                    python,
                    ["-c", program, folder + "/all.ics"],
                    environment: [:]
                )
            }
            let lines = answer.split(separator: "\n")
            try #require(lines.count == records.count, "\(name): \(answer)")
            for (line, record) in zip(lines, records) {
                var seen = try JSONDecoder().decode(Seen.self, from: Data(line.utf8))
                seen.rule = seen.rule.map(Self.sorted)
                #expect(seen == meaning(of: record, settings), "\(name)")
            }
        }
    }

    /// A rule with its parts in one order; each library has its own.
    private static func sorted(_ rule: String) -> String {
        rule.split(separator: ";").sorted().joined(separator: ";")
    }

    /// An item whose moments are within the years of the zones that an export writes.
    private func record(_ random: inout SeededRandom) -> ItemRecord {
        var record = ICalendarTests.held(RandomRecord.make(&random))
        record.trashed = false
        // libical 3 takes the comma behind an escaped backslash for a part of the text.
        record.tags.removeAll { $0.hasSuffix("\\") }
        record.recurrence = random.pick([nil, "FREQ=WEEKLY", "FREQ=MONTHLY;BYDAY=-1FR", "weekly"])
        func near(_ date: DueDate?, _ random: inout SeededRandom) -> DueDate? {
            guard let date, !date.isDateOnly else { return date }
            let seconds = Double(random.below(25 * 365 * 86_400)) + 883_612_800
            return DueDate(moment: Date(timeIntervalSince1970: seconds))
        }
        record.due = near(record.due, &random)
        record.start = near(record.start, &random)
        return ICalendarTests.held(record)
    }

    private func meaning(of record: ItemRecord, _ settings: ExchangeSettings) -> Seen {
        func time(_ date: DueDate) -> String {
            date.isDateOnly
                ? ISODate.string(date.day(in: settings.dates.zone)).replacing("-", with: "")
                : "\(Int(date.date.timeIntervalSince1970))"
        }
        // A rule counts from a start, and here from the due date.
        let rule = ICalendarLines(lineEnd: [10], dates: settings.dates).rule(of: record)
        return Seen(
            uid: UUIDText.lowercase(record.uuid),
            title: record.title,
            text: record.kind == .note ? record.body : record.notes,
            due: record.due.map(time),
            start: (record.start ?? (rule == nil ? nil : record.due)).map(time),
            completed: record.completed.map { "\(Int($0.timeIntervalSince1970))" },
            priority: [0, 9, 5, 1][record.priority],
            tags: record.tags,
            location: record.location,
            parent: record.parent.map(UUIDText.lowercase),
            waits: record.dependencies.map(UUIDText.lowercase),
            rule: rule.map { Self.sorted("\($0)") }
        )
    }
}
