import CivilTime
import FixedTime
import Foundation
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketFormats

@Suite struct ICalendarTests {
    private func dialect(_ name: String) throws -> [ItemRecord] {
        let (records, report) = try Exchange.read(
            try #require(ICalendarDialects.all[name]),
            .icalendar
        )
        #expect(report.isComplete, "\(report.text())")
        return records
    }

    func read(_ text: String) throws -> ItemRecord {
        let (records, report) = try Exchange.read(text, .icalendar)
        #expect(report.isComplete, "\(report.text())")
        return try #require(records.first)
    }

    func moment(_ text: String) -> Date? { ISODate.moment(text, zone: Fixed.berlin) }

    // MARK: Dialects

    @Test(arguments: ICalendarDialects.all.keys.sorted(), [false, true])
    func untouchedCalendarsComeBackByteForByte(name: String, isLF: Bool) throws {
        var text = try #require(ICalendarDialects.all[name])
        if isLF { text = text.replacing("\r\n", with: "\n") }
        for zone in ["Europe/Berlin", "Pacific/Kiritimati", "America/New_York", "UTC"] {
            var settings = Exchange.settings
            settings.dates.zone = ZoneRules.named(zone) ?? .utc
            let bytes = Array(text.utf8)
            let read = try Exchange.read(bytes, .icalendar, settings: settings)
            let written = Exchange.write(read.records, .icalendar, settings: settings)
            #expect(written.text == text)
            #expect(written.report.changed.isEmpty, "\(written.report.text())")
        }
    }

    @Test func remindersOfAppleFindTheirPlace() throws {
        let records = try dialect("Apple Reminders")
        let first = records[0]
        #expect(first.uuid == UUID(uuidString: "9710D97C-49D1-4395-90DB-14EE17E0B77A"))
        #expect(first.title == "Milk, bread" && first.list == ["Groceries"])
        #expect(first.priority == 3 && first.completed == nil)
        #expect(first.due == moment("2026-11-24T18:00").map(DueDate.init(moment:)))
        #expect(first.start == first.due)
        #expect(first.reminders == ["20261124T170000Z"])
        #expect(first.reminder == moment("2026-11-24T18:00"))
        #expect(first.order == 626_185_917 * Ranks.spacing)
        #expect(first.created == moment("2020-11-05T12:34:37Z"))
        #expect(first.modified == moment("2020-11-05T12:35:12Z"))
        #expect(records[1].completed == moment("2020-11-06T12:30:00Z"))
        #expect(records[1].parent == first.uuid)
    }

    @Test func tasksOfNextcloudFindTheirPlace() throws {
        let records = try dialect("Nextcloud Tasks")
        let (first, second) = (records[0], records[1])
        #expect(first.uuid == ICalendarItem.uuid(ofUID: "3o3al1t55r"))
        #expect(first.notes == "First coat\nSecond coat" && first.location == "Garden")
        #expect(first.tags == ["outdoor", "summer, late"] && first.flagged)
        #expect(first.priority == 3 && first.completed == nil)
        #expect(first.due.map(Fixed.plain) == "2026-12-01")
        #expect(first.created == moment("2023-06-30T09:54:35"))
        #expect(second.parent == first.uuid && second.reminders == ["-P1D"])
        #expect(second.due == moment("2026-11-24T09:00").map(DueDate.init(moment:)))
    }

    @Test func tasksOfThunderbirdFindTheirPlace() throws {
        let task = try dialect("Thunderbird")[0]
        #expect(task.start == moment("2026-11-24T14:00Z").map(DueDate.init(moment:)))
        #expect(task.due == moment("2026-11-24T16:00Z").map(DueDate.init(moment:)))
        #expect(task.recurrence == "FREQ=WEEKLY;BYDAY=TU")
        // Relative to a start that is not the due date.
        #expect(task.reminders == ["20261124T134500Z"])
        #expect(task.parent == UUID(uuidString: "05ebbdb5-0181-4c5e-95a9-ed68d5ed000c"))
        #expect(task.priority == 2 && task.list.isEmpty)
    }

    @Test func tasksOfTasksOrgFindTheirPlace() throws {
        let task = try dialect("Tasks.org")[0]
        #expect(task.due == moment("2026-11-30T00:00Z").map(DueDate.init(moment:)))
        #expect(task.start == moment("2026-11-28T00:00Z").map(DueDate.init(moment:)))
        #expect(task.reminders == ["PT0S", "20261128T000000Z"])
        #expect(task.recurrence == "FREQ=MONTHLY" && task.priority == 1)
    }

    @Test func journalsAreNotes() throws {
        let note = try dialect("journal")[0]
        #expect(note.kind == .note && note.list == ["Diary"] && note.tags == ["work"])
        #expect(
            note.body
                == "1. Staff meeting: Participants include Joe, Lisa, and Bob.\n\n"
                + "2. Telephone conference."
        )
        #expect(note.notes == "To be checked" && note.due == nil)
    }

    // MARK: Changes

    /// What a change of a field does to the lines of a component.
    private struct Change {
        let name: String
        let dialect: String
        let removed: [String]
        let added: [String]
        let change: (inout ItemRecord) -> Void
    }

    private var changes: [Change] {
        let due = moment("2026-12-24T18:00").map(DueDate.init(moment:))
        return [
            Change(
                name: "title",
                dialect: "Apple Reminders",
                removed: ["SUMMARY:Milk\\, bread"],
                added: ["SUMMARY:Milk\\; tea"]
            ) { $0.title = "Milk; tea" },
            Change(
                name: "due date, in its zone",
                dialect: "Tasks.org",
                removed: ["DUE;TZID=Asia/Tokyo:20261130T090000"],
                added: ["DUE;TZID=Asia/Tokyo:20261225T020000"]
            ) { $0.due = due },
            Change(
                name: "due date by the clock",
                dialect: "Nextcloud Tasks",
                removed: ["DUE;VALUE=DATE:20261201"],
                added: ["DUE:20261224T170000Z"]
            ) { $0.due = due },
            Change(
                name: "due date in place of a duration",
                dialect: "Thunderbird",
                removed: ["DURATION:PT2H"],
                added: ["DUE;TZID=/mozilla.org/20050126_1/America/New_York:20261224T120000"]
            ) { $0.due = due },
            Change(
                name: "priority of the same level",
                dialect: "Nextcloud Tasks",
                removed: [],
                added: []
            ) { $0.priority = 3 },
            Change(
                name: "priority",
                dialect: "Nextcloud Tasks",
                removed: ["PRIORITY:4"],
                added: ["PRIORITY:9"]
            ) { $0.priority = 1 },
            Change(
                name: "done",
                dialect: "Nextcloud Tasks",
                removed: ["PERCENT-COMPLETE:40", "STATUS:IN-PROCESS"],
                added: ["STATUS:COMPLETED", "COMPLETED:20261224T170000Z", "PERCENT-COMPLETE:100"]
            ) { $0.completed = due?.date },
            Change(
                name: "one of its reminders",
                dialect: "Tasks.org",
                removed: [
                    "BEGIN:VALARM", "TRIGGER;RELATED=END:PT0S", "ACTION:DISPLAY",
                    "DESCRIPTION:Default Tasks.org description", "END:VALARM",
                ],
                added: [
                    "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Pay the rent",
                    "TRIGGER;RELATED=END:-PT1H", "END:VALARM",
                ]
            ) { $0.reminders[0] = "-PT1H" },
            Change(
                name: "start, from which a reminder counts",
                dialect: "Tasks.org",
                removed: [
                    "DTSTART;TZID=Asia/Tokyo:20261128T090000", "BEGIN:VALARM",
                    "TRIGGER;RELATED=START:PT0S", "ACTION:DISPLAY",
                    "DESCRIPTION:Default Tasks.org description", "END:VALARM",
                ],
                added: [
                    "DTSTART;VALUE=DATE:20261101", "BEGIN:VALARM", "ACTION:DISPLAY",
                    "DESCRIPTION:Pay the rent", "TRIGGER;VALUE=DATE-TIME:20261128T000000Z",
                    "END:VALARM",
                ]
            ) { $0.start = Day(year: 2026, month: 11, day: 1).map(DueDate.init(day:)) },
            Change(
                name: "list",
                dialect: "Nextcloud Tasks",
                removed: [],
                added: ["X-DOCKET-LIST:House/Garden"]
            ) { $0.list = ["House", "Garden"] },
        ]
    }

    @Test func aChangedFieldReplacesItsOwnPropertiesAlone() throws {
        for change in changes {
            let text = try #require(ICalendarDialects.all[change.dialect])
            var records = try dialect(change.dialect)
            change.change(&records[0])
            records[0].modified = try #require(moment("2026-11-21T12:00:00Z"))
            let written = Exchange.write(records, .icalendar).text
            func lines(_ text: String) -> [String] {
                text.split(separator: "\r\n").map(String.init).filter {
                    !$0.hasPrefix("DTSTAMP") && !$0.hasPrefix("LAST-MODIFIED")
                }
            }
            var (old, new) = (lines(text), lines(written))
            for line in old where new.contains(line) {
                new.remove(at: try #require(new.firstIndex(of: line)))
                old.remove(at: try #require(old.firstIndex(of: line)))
            }
            var (removed, added) = (change.removed, change.added)
            for line in removed where added.contains(line) {
                removed.removeAll { $0 == line }
                added.removeAll { $0 == line }
            }
            #expect(old.sorted() == removed.sorted(), "\(change.name)")
            #expect(new.sorted() == added.sorted(), "\(change.name)")
            let (again, report) = try Exchange.read(written, .icalendar)
            #expect(report.isComplete)
            var (one, other) = (again[0], records[0])
            (one.reminders, other.reminders) = (one.reminders.sorted(), other.reminders.sorted())
            #expect(
                one.fields(unlike: other).filter { $0 != .extra && $0 != .reminder } == [],
                "\(change.name)"
            )
            #expect(
                written.contains("LAST-MODIFIED:20261121T120000Z")
                    == (change.added != [] && change.name != "list")
            )
        }
    }

    /// A value that iCalendar holds, as a record that is equal in meaning.
    static func held(_ record: ItemRecord) -> ItemRecord {
        var record = record
        func seconds(_ date: Date) -> Date {
            Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        }
        func text(_ text: String?) -> String? {
            text.map {
                CaptureText.cleanText($0.replacing("\r", with: "").replacing("\u{7}", with: ""))
            }
        }
        record.created = seconds(record.created)
        record.modified = seconds(record.modified)
        record.completed = record.completed.map(seconds)
        for path in [\ItemRecord.due, \.start] {
            if let due = record[keyPath: path], !due.isDateOnly {
                record[keyPath: path] = DueDate(moment: seconds(due.date))
            }
        }
        record.notes = text(record.notes)
        record.body = record.kind == .note ? text(record.body) : nil
        record.reminders = ICalendarLines.reminders(of: record)
        (record.reviewed, record.timeEntries, record.reminder) = (nil, [], nil)
        if record.kind == .note {
            (record.due, record.start, record.completed, record.parent) = (nil, nil, nil, nil)
            (record.priority, record.dependencies, record.reminders) = (0, [], [])
            (record.location, record.recurrence, record.estimate) = (nil, nil, nil)
        }
        return record
    }

    @Test(arguments: ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"])
    func itemsAreTheSameAfterwards(zone: String) throws {
        var settings = Exchange.settings
        settings.dates.zone = ZoneRules.named(zone) ?? .utc
        for seed in SeededRandom.seeds(40) {
            var random = SeededRandom(seed: seed)
            let records = (0..<20).map { _ -> ItemRecord in
                var record = RandomRecord.make(&random)
                record.trashed = false
                record.reminders = random.pick([[], ["-PT30M"], ["PT0S", "20261124T090000Z"]])
                return record
            }
            let written = Exchange.write(records, .icalendar, settings: settings)
            for line in written.text.utf8.split(separator: 10) { #expect(line.count <= 76) }
            let read = try Exchange.read(Array(written.text.utf8), .icalendar, settings: settings)
            #expect(read.report.isComplete, "seed \(seed)")
            for (one, other) in zip(read.records, records) {
                let wanted = Self.held(other)
                var known = one
                known.reminder = nil
                var fields = known.fields(unlike: wanted).filter { $0 != .extra }
                if fields.contains(.recurrence) {
                    // In words here, a rule there.
                    let (first, second) = (
                        known.taskSeries(in: settings.dates), wanted.taskSeries(in: settings.dates)
                    )
                    if first?.repetition == second?.repetition {
                        fields.removeAll { $0 == .recurrence }
                    }
                }
                #expect(fields == [], "seed \(seed), \(other.title): \(one) \(wanted)")
                #expect(known.modified == wanted.modified && known.kind == wanted.kind)
                #expect(known.order == wanted.order, "seed \(seed)")
            }
            #expect(read.records.count == records.count)
            let twice = Exchange.write(read.records, .icalendar, settings: settings).text
            #expect(twice == written.text, "seed \(seed)")
        }
    }

    // MARK: Lines

    @Test func linesAreFoldedWithoutCuttingACharacter() throws {
        for seed in SeededRandom.seeds(50) {
            var random = SeededRandom(seed: seed)
            let text = (0..<random.below(120)).map { _ in
                random.pick(["a", "ä", "日", "🏠", ",", ";", "\\", "\n", "\"", ":", "n"])
            }.joined()
            var bytes: [UInt8] = []
            ICalendarText.append(
                Array("SUMMARY:".utf8) + ICalendarText.escaped(text),
                lineEnd: [13, 10],
                to: &bytes
            )
            for line in bytes.split(separator: 10) {
                #expect(line.count <= 76 && String(validating: line, as: UTF8.self) != nil)
            }
            var at = 0
            let found = try #require(ICalendarComponent.line(of: bytes, at: &at))
            #expect(ICalendarLine(found.text).text == text, "seed \(seed)")
            #expect(at == bytes.count)
        }
    }

    @Test(arguments: [
        "plain", "a;b", "a:b", "a,b", "say \"hi\"", "two\nlines", "^", "^n", "^^'", "a^b", "Ä^'",
    ])
    func parametersKeepTheirText(text: String) throws {
        let line = ICalendarLine(
            Array("ATTENDEE;ROLE=X;CN=\(ICalendarText.parameter(text));X=\"a;b\":mailto:a:b".utf8)[
                ...
            ]
        )
        #expect(line.parameter("CN") == text)
        #expect(line.parameter("ROLE") == "X" && line.parameter("X") == "a;b")
        #expect(line.parameter("Y") == nil && line.text == "mailto:a:b")
    }

    /// Some programs fold by octets; such a component is folded again.
    @Test func aFoldInsideOfACharacterIsRead() throws {
        let parts = ICalendarDialects.task("DESCRIPTION:Ä").utf8.split(separator: 0xC3)
        let bytes = Array(parts[0]) + [0xC3, 13, 10, 32] + Array(parts[1])
        let (records, report) = try Exchange.read(bytes, .icalendar)
        #expect(report.isComplete && records.map(\.notes) == ["Ä"])
        #expect(Exchange.write(records, .icalendar).text == ICalendarDialects.task("DESCRIPTION:Ä"))
    }

    // MARK: Single fields

    @Test(arguments: [
        ("RRULE:FREQ=DAILY", "FREQ=DAILY", 0),
        (
            "RRULE:FREQ=DAILY\r\nEXDATE:20261125T080000Z,20261126T080000Z",
            "DTSTART:20261124T090000\nRRULE:FREQ=DAILY\n"
                + "EXDATE:20261125T090000,20261126T090000", 0
        ),
        (
            "RRULE:FREQ=DAILY\r\nEXDATE;VALUE=DATE:20261125\r\nRDATE:20261224T170000Z",
            "DTSTART:20261124T090000\nRRULE:FREQ=DAILY\nRDATE:20261224T180000\n"
                + "EXDATE:20261125T090000", 0
        ),
        ("RRULE:FREQ=SECONDLY", "FREQ=SECONDLY", 1), ("RRULE:FREQ=NEVER", "FREQ=NEVER", 1),
        ("RRULE:FREQ=DAILY\r\nRRULE:FREQ=WEEKLY", "FREQ=DAILY", 1),
        ("RDATE:20261224T170000Z", nil, 1),
    ])
    func rulesAreReadAndKept(lines: String, wanted: String?, remarks: Int) throws {
        let text = ICalendarDialects.task("DUE:20261124T080000Z\r\n\(lines)")
        let (records, report) = try Exchange.read(text, .icalendar)
        #expect(records.map(\.recurrence) == [wanted])
        #expect(report.changed.count == remarks, "\(report.text())")
        #expect(Exchange.write(records, .icalendar).text == text)
        var changed = records
        changed[0].recurrence = "every 2 weeks"
        let rule = "RRULE:FREQ=WEEKLY;INTERVAL=2\r\n"
        #expect(Exchange.write(changed, .icalendar).text.contains(rule))
    }

    @Test(arguments: [
        ("STATUS:COMPLETED", true), ("STATUS:CANCELLED", true), ("STATUS:NEEDS-ACTION", false),
        ("STATUS:IN-PROCESS\r\nPERCENT-COMPLETE:100", false), ("PERCENT-COMPLETE:100", true),
        ("PERCENT-COMPLETE:99", false), ("COMPLETED:20260101T000000Z", true), ("X-A:b", false),
    ])
    func theStateFollowsFromItsProperties(lines: String, isDone: Bool) throws {
        let record = try read(ICalendarDialects.task(lines))
        #expect((record.completed != nil) == isDone)
        #expect(Exchange.write([record], .icalendar).text == ICalendarDialects.task(lines))
    }

    @Test func relationsOfAllKindsAreReadAndKept() throws {
        let text = ICalendarDialects.task(
            """
            RELATED-TO;RELTYPE=DEPENDS-ON;GAP=P1D:two
            RELATED-TO;RELTYPE=FINISHTOSTART:three
            RELATED-TO;RELTYPE=CHILD:four
            END:VTODO
            BEGIN:VTODO
            UID:four
            SUMMARY:Four
            """
        )
        let (records, _) = try Exchange.read(text, .icalendar)
        #expect(records[0].dependencies == [ICalendarItem.uuid(ofUID: "two")])
        #expect(records[1].parent == records[0].uuid)
        let written = Exchange.write(records, .icalendar).text
        #expect(written.contains("GAP=P1D:two") && written.contains("FINISHTOSTART:three"))
        // The child names its parent by its UID.
        #expect(written.contains("RELATED-TO:one\r\n"))
    }

    /// GAP, and what an import has left out, stay when another dependency comes.
    @Test func aNewDependencyIsALineMore() throws {
        let line = "RELATED-TO;RELTYPE=DEPENDS-ON;GAP=P1D:two"
        var record = try read(ICalendarDialects.task(line + "\r\nRELATED-TO:three"))
        let other = try #require(UUID(uuidString: "05EBBDB5-0181-4C5E-95A9-ED68D5ED000C"))
        record.dependencies.append(other)
        let parent = try #require(record.parent)
        record.parent = nil
        #expect(!Exchange.write([record], .icalendar).text.contains("RELATED-TO:three"))
        ICalendarRules.leaveOut([parent], in: &record.extra)
        let text = Exchange.write([record], .icalendar).text
        #expect(text.contains(line) && text.contains("RELATED-TO:three\r\n"))
        #expect(text.contains("DEPENDS-ON:05ebbdb5-0181-4c5e-95a9-ed68d5ed000c\r\n"))
        record.dependencies = [other]
        #expect(!Exchange.write([record], .icalendar).text.contains("GAP"))
    }

    /// A UID that is no UUID is known only once its item was written.
    @Test func aTaskAheadOfItsParentNamesTheUIDOfIt() throws {
        let parent = try read(ICalendarDialects.task("X:1"))
        var child = ItemRecord(uuid: UUID(), title: "Child", created: Fixed.context.now)
        child.parent = parent.uuid
        var other = child
        (other.uuid, other.title, other.parent) = (UUID(), "Other", UUIDText.made(from: "gone"))
        let (text, report) = Exchange.write([child, other, parent], .icalendar)
        #expect(text.contains("RELATED-TO:one\r\n") && report.kept == 3)
        #expect(text.contains("RELATED-TO:\(UUIDText.lowercase(UUIDText.made(from: "gone")))\r\n"))
        #expect(
            try Exchange.read(text, .icalendar).records.map(\.title) == ["One", "Child", "Other"]
        )
        #expect(text.hasSuffix("END:VTODO\r\nEND:VCALENDAR\r\n"))
    }

    @Test func severalCalendarsInAFileStaySeveral() throws {
        let events = "BEGIN:VEVENT\r\nUID:e\r\nEND:VEVENT\r\n"
        let first = ICalendarDialects.task("X:1", before: "X-WR-CALNAME:A\r\nX-COLOR:red\r\n")
        let second = ICalendarDialects.task("X:2", before: "X-WR-CALNAME:B\r\nX-COLOR:blue\r\n")
            .replacing("UID:one", with: "UID:two")
        let third = "BEGIN:VCALENDAR\r\nX-COLOR:none\r\nEND:VCALENDAR\r\n"
        let text = first + second + third
        let (records, _) = try Exchange.read(text, .icalendar)
        #expect(records.map(\.list) == [["A"], ["B"]])
        #expect(Exchange.write(records, .icalendar).text == text)
        let all = try Exchange.read(third.replacing("X-", with: events + "X-") + text, .icalendar)
        #expect(Exchange.write(all.records, .icalendar).text == third + text)
        // Two files that were imported one after the other become one calendar.
        let apart = try [first, second].flatMap { try Exchange.read($0, .icalendar).records }
        let one = Exchange.write(apart, .icalendar).text
        #expect(one.components(separatedBy: "BEGIN:VCALENDAR").count == 2)
        #expect(try Exchange.read(one, .icalendar).records.map(\.list) == [["A"], ["B"]])
    }

    @Test func numbersAreKeptInTheirCalendarAndAreTheOrderInOurs() throws {
        let calendar = ICalendarDialects.task("X-APPLE-SORT-ORDER:7")
        var record = try read(calendar)
        #expect(record.order == 7 * Ranks.spacing)
        record.order = 1
        var new = ItemRecord(uuid: UUID(), title: "New", created: Fixed.context.now)
        new.order = 2
        let theirs = Exchange.write([record, new], .icalendar).text
        #expect(theirs.components(separatedBy: "X-APPLE-SORT-ORDER").count == 2)
        #expect(theirs.contains("X-APPLE-SORT-ORDER:7\r\n"))
        record.order = 3
        let ours = Exchange.write([new, record], .icalendar).text
        #expect(ours.contains("X-APPLE-SORT-ORDER:2\r\n") && ours.contains("SORT-ORDER:3\r\n"))
        #expect(try Exchange.read(ours, .icalendar).records.map(\.order) == [2, 3])
        #expect(try Exchange.read(ours, .icalendar).records[1].modified == record.modified)
    }

    @Test func anOccurrenceOfItsOwnIsAnItemOfTheSeries() throws {
        let text = ICalendarDialects.task(
            """
            RRULE:FREQ=DAILY
            DUE:20261124T080000Z
            END:VTODO
            BEGIN:VTODO
            UID:one
            RECURRENCE-ID:20261125T080000Z
            DUE:20261125T100000Z
            SUMMARY:Later that day
            """
        )
        let (records, report) = try Exchange.read(text, .icalendar)
        #expect(report.isComplete && Set(records.map(\.uuid)).count == 2)
        #expect(records[1].series == TaskSeries.id(begunBy: records[0].uuid))
        let written = Exchange.write(records, .icalendar)
        #expect(written.text == text.replacing("\n", with: "\r\n").replacing("\r\r", with: "\r"))
        #expect(written.report.changed.isEmpty)
    }

    @Test func whatHasNoUIDIsTheSameItemEveryTime() throws {
        let text = ICalendarDialects.task("X:1").replacing("UID:one\r\n", with: "")
        let twice =
            text.replacing("END:VCALENDAR\r\n", with: "") + text.split(separator: "//EN\r\n")[1]
        let first = try Exchange.read(twice, .icalendar).records
        let second = try Exchange.read(twice, .icalendar).records
        #expect(first.map(\.uuid) == second.map(\.uuid) && Set(first.map(\.uuid)).count == 2)
    }

    @Test func everythingElseIsReported() throws {
        let event =
            "BEGIN:VEVENT\r\nUID:e\r\nSUMMARY:Party\r\nBEGIN:VALARM\r\nEND:VALARM\r\nEND:VEVENT\r\n"
        let (records, report) = try Exchange.read(
            ICalendarDialects.task("X:1", before: event + event),
            .icalendar
        )
        #expect(records.map(\.title) == ["One"] && report.isComplete)
        #expect(
            report.changed.map(\.reason)
                == ["2 events of the calendar: not imported, Docket has no events."]
        )
        #expect(report.changed.map(\.title) == [""] && report.changed.map(\.line) == [4])
        #expect(Exchange.write(records, .icalendar).text == ICalendarDialects.task("X:1"))
        var record = ItemRecord(uuid: UUID(), title: "Gone", created: Fixed.context.now)
        record.trashed = true
        let written = Exchange.write([record], .icalendar)
        #expect(written.report.skipped.map(\.reason) == ["iCalendar has no trash."])
        #expect(written.text.hasSuffix("EN\r\nEND:VCALENDAR\r\n"))
    }
}
