import CivilTime
import FixedTime
import Foundation
import SeededRandom
import Testing

@testable import DocketFormats

/// Tables of items.
@Suite("CSV") struct CSVTests {
    private func read(_ text: String) throws -> (records: [ItemRecord], report: ExchangeReport) {
        try Exchange.read(text, .csv)
    }

    private func day(_ text: String) throws -> DueDate {
        guard case .day(let day) = ISODate.read(text) else { throw CocoaError(.formatting) }
        return DueDate(day: day)
    }

    @Test(arguments: [",", ";", "\t"])
    func columnsAreFoundByTheirNamesWhateverTheSeparator(separator: String) throws {
        let rows = [
            [
                "Task", "DUE DATE", "Project", "Labels", "Importance", "Description", "Done",
                "Colour",
            ],
            [
                "Pay rent", "2026-11-30", "Home/Bills", "\"bank, out\"", "High", "\"a\n\"\"b\"\"\"",
                "", "red",
            ],
            ["Paint", "", "", "", "3", "", "2026-11-20", ""],
        ]
        let text = rows.map { $0.joined(separator: separator) }.joined(separator: "\r\n")
        let (records, report) = try read("\u{FEFF}" + text + "\r\n")
        #expect(!report.hasDetails, "\(report.text())")
        let rent = try #require(records.first)
        #expect(rent.title == "Pay rent" && rent.list == ["Home", "Bills"])
        #expect(rent.tags == ["bank", "out"] && rent.priority == 3)
        #expect(rent.notes == "a\n\"b\"")
        #expect(try rent.due == day("2026-11-30"))
        #expect(rent.completed == nil && records[1].completed != nil && records[1].priority == 1)
        let back = Exchange.write(records, .csv).text
        #expect(back.split(separator: "\n")[0].hasSuffix(",time entries,Colour"))
        let again = try read(back).records
        #expect(again.map(\.uuid) == records.map(\.uuid))
        for (record, other) in zip(records, again) {
            #expect(record.fields(unlike: other).isEmpty)
        }
    }

    @Test func anExportComesInAgainWithoutLoss() throws {
        for seed in SeededRandom.seeds(60) {
            var random = SeededRandom(seed: seed)
            let records = (0..<random.below(8)).map { _ in
                var record = RandomRecord.make(&random)
                record.title = RecordFields.cleanTitle(record.title)
                record.tags = record.tags.map(RecordFields.cleanTitle)
                record.list = record.list.map(RecordFields.cleanTitle)
                record.notes = record.notes.map(CaptureText.cleanText)
                record.body = record.body.map(CaptureText.cleanText)
                (record.reminder, record.shortID, record.order) = (nil, nil, nil)
                (record.trashed, record.extra) = (false, ForeignFields())
                if let recurrence = record.recurrence, recurrence.isEmpty {
                    record.recurrence = nil
                }
                return record
            }
            let (text, report) = Exchange.write(records, .csv)
            #expect(!report.hasDetails)
            let read = try Exchange.read(text, .csv)
            #expect(!read.report.hasDetails, "seed \(seed): \(read.report.text())\n\(text)")
            for (found, wanted) in zip(read.records, records) {
                let fields = found.fields(unlike: wanted)
                #expect(
                    found.uuid == wanted.uuid && fields.isEmpty,
                    "seed \(seed): \(fields)\n\(text)"
                )
            }
            #expect(read.records.count == records.count, "seed \(seed)")
        }
    }

    @Test func sectionsLevelsAndCommentsOfTodoistAreKnown() throws {
        let (records, _) = try read(
            """
            TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE
            meta,view_style=list,,,,,,,,,,,
            task,Post the parcel @out,Take the slip,2,1,Kai (48151623),,Oct 9 2026 10:00,en,,45,minute,
            task,Find a box,,4,2,,,,,,,,
            note,In the cellar,,,,Kai (48151623),,,,,,,
            section,Garden,,,,,,,,,,,
            task,Water,,1,1,,,every friday,en,,,,2026-12-01

            """
        )
        #expect(records.map(\.title) == ["Post the parcel", "Find a box", "Water"])
        #expect(records.map(\.priority) == [2, 0, 3])
        #expect(records[0].tags == ["out"] && records[0].estimate == 45 * 60)
        #expect(records[0].due?.isDateOnly == false)
        #expect(records[1].parent == records[0].uuid && records[1].notes == "In the cellar")
        #expect(records[2].list == ["Garden"] && records[2].parent == nil)
        #expect(records[2].recurrence == "every friday")
        #expect(try records[2].due == day("2026-12-01"))
        // What has no field is written again.
        let back = Exchange.write(records, .csv).text
        #expect(back.contains("Kai (48151623)"))
    }

    @Test func whatHasNoWordsInGoogleTasksIsLeftOut() throws {
        let text = """
            {"kind": "tasks#taskLists", "items": [{"title": "L", "items": [
            {"title": ""}, {"title": "", "notes": "by hand\\nnow"}, {"title": "Dig"}]}]}
            """
        let (records, report) = try read(text)
        #expect(records.map(\.title) == ["by hand", "Dig"] && report.isComplete)
    }

    @Test func datesOfTodoistAreInTheZoneOfTheirRow() throws {
        let (records, _) = try read(
            """
            TYPE,CONTENT,INDENT,DATE,DATE_LANG,TIMEZONE
            task,a,1,1 Dec 2026 9:00,en,Asia/Tokyo
            task,b,1,1 Dec 2026 9:00,en,

            """
        )
        let times = records.compactMap(\.due?.date.timeIntervalSince1970)
        #expect(times.count == 2 && times[1] - times[0] == 8 * 3600)
        #expect(Exchange.write(records, .csv).text.contains("Asia/Tokyo"))
    }

    @Test func someOtherDayOfThingsIsNoDate() throws {
        let text = "Title,When,Area\na,someday,X\nb,Anytime,X\nc,2026-12-01,X\n"
        let (records, report) = try read(text)
        let day = try day("2026-12-01")
        #expect(report.isComplete && records.map(\.start) == [nil, nil, day])
    }

    @Test func aSectionWithoutANameIsNoList() throws {
        for name in ["", "\u{1}\u{c}", " "] {
            let (records, _) = try read("TYPE,CONTENT,INDENT\nsection,\(name),\ntask,a,1\n")
            #expect(records.map(\.title) == ["a"] && records[0].list == [])
        }
    }

    private static let takeout = #"""
        {"kind": "tasks#taskLists", "items": [
          {"kind": "tasks#tasks", "id": "L1", "title": "Home/Garden", "updated": "2026-10-01T08:00:00Z",
           "items": [
            {"id": "T1", "title": "Dig", "task_type": "DEFAULT", "status": "needsAction",
             "notes": "a \"deep\" hole,\nby hand", "due": "2026-11-30T00:00:00Z",
             "created": "2026-10-01T08:00:00Z", "updated": "2026-10-02T08:00:00Z",
             "links": [{"type": "email", "link": "https://example.org"}], "starred": true},
            {"id": "T2", "parent": "T1", "title": "Buy a spade", "status": "completed",
             "completed": "2026-10-03T08:00:00.000Z", "updated": "2026-10-03T08:00:00Z"},
            {"id": "T3", "title": "Gone", "deleted": true}]},
          {"id": "L2", "title": "Work", "items": [{"id": "T4", "title": ""}, {"id": "T5", "title": "Call"}]},
          {"id": "L3", "title": "Empty"}]}
        """#

    @Test func takeoutOfGoogleTasksIsReadAsATable() throws {
        let bytes = Array(CSVTests.takeout.utf8)
        #expect(try ExchangeFormat.recognised(name: "Tasks.json", beginning: bytes) == .csv)
        let (records, report) = try read(CSVTests.takeout)
        #expect(records.map(\.title) == ["Dig", "Buy a spade", "Call"])
        #expect(report.isComplete, "\(report.text())")
        #expect(records[0].list == ["Home/Garden"] && records[2].list == ["Work"])
        #expect(records[0].notes == "a \"deep\" hole,\nby hand" && records[0].flagged)
        #expect(try records[0].due == day("2026-11-30") && records[0].completed == nil)
        #expect(records[1].parent == records[0].uuid)
        #expect(try records[1].completed == Date("2026-10-03T08:00:00Z", strategy: .iso8601))
        // What has no field is kept, and the identities are the same at the next import.
        #expect(Exchange.write(records, .csv).text.contains("https://example.org"))
        #expect(try read(CSVTests.takeout).records.map(\.uuid) == records.map(\.uuid))
    }

    @Test(arguments: [
        (#""items": [{"title": "a", "#, "line 1, skipped: This is not valid JSON"),
        ("\n\"items\": []} x", "line 2, skipped: This is not valid JSON"),
        (#""items": 5}"#, ""),
    ])
    func brokenTakeoutsAreReported(_ rest: String, _ message: String) throws {
        let (records, report) = try read(#"{"kind": "tasks#taskLists", "# + rest)
        let isReported = message.isEmpty || report.text().contains(message)
        #expect(records.isEmpty && isReported, "\(report.text())")
    }

    @Test func statesAndWholeDaysOfTickTickAreKnown() throws {
        func row(_ fields: [String]) -> String { fields.map { "\"\($0)\"" }.joined(separator: ",") }
        let names = [
            "Folder Name", "List Name", "Title", "Kind", "Tags", "Content", "Is Check list",
            "Start Date", "Due Date", "Reminder", "Repeat", "Priority", "Status", "Created Time",
            "Completed Time", "Timezone", "Is All Day", "taskId", "parentId",
        ]
        let time = "2026-10-04T21:00:00+0000"
        let text =
            [
                "\"Date: 2026-10-03+0000\"", "\"Version: 7.1\"",
                "\"Status: \n0 Normal\n1 Completed\"",
            ]
            + [
                row(names),
                row([
                    "Home", "Garden", "Repot", "TEXT", "a, b", "soil", "N", time, time,
                    "TRIGGER:-PT15M", "RRULE:FREQ=WEEKLY", "5", "0", "2026-09-30T08:00:00+0000", "",
                    "Africa/Cairo", "true", "64f0a1", "",
                ]),
                row([
                    "", "Inbox", "Buy", "TEXT", "", "", "N", "", "", "", "", "0", "2", "", time,
                    "", "false", "64f0a2", "64f0a1",
                ]),
                row([
                    "", "Inbox", "Ideas", "NOTE", "", "text", "N", "", "", "", "", "0", "0", "", "",
                    "", "false", "64f0a3", "",
                ]),
            ]
        let (records, report) = try read(text.joined(separator: "\n") + "\n")
        #expect(records.count == 3, "\(report.text())")
        #expect(records[0].list == ["Home", "Garden"] && records[0].priority == 3)
        // Midnight in Cairo, where it is due on a whole day.
        #expect(try records[0].due == day("2026-10-05"))
        #expect(records[0].start == nil && records[0].reminders == ["-PT15M"])
        #expect(records[0].recurrence == "FREQ=WEEKLY" && records[0].notes == "soil")
        #expect(records[1].list.isEmpty && records[1].parent == records[0].uuid)
        #expect(records[1].completed.map { ISODate.string($0) } == "2026-10-04T21:00:00Z")
        #expect(records[2].kind == .note && records[2].body == "text" && records[2].notes == nil)
    }

    @Test func outlookTasksAreKnown() throws {
        let (records, _) = try read(
            """
            "Subject","Start Date","Due Date","Date Completed","% Complete","Categories","Notes","Priority","Status"
            "Call","","2026-11-30","2026-11-21","100","a;b","n","High","Completed"
            "Wait","","","","0","","","Normal","Not Started"

            """
        )
        #expect(records.map(\.title) == ["Call", "Wait"] && records.map(\.priority) == [3, 0])
        #expect(records[0].tags == ["a", "b"] && records[0].completed != nil)
        #expect(records[1].completed == nil)
    }

    @Test func aRowWithoutAnIdentityIsTheSameAtEveryImport() throws {
        let text = "title,list\nMilk,Shop\nMilk,Shop\nMilk,Home\n"
        let first = try read(text).records.map(\.uuid)
        #expect(Set(first).count == 3)
        #expect(try read(text).records.map(\.uuid) == first)
    }

    @Test(arguments: [
        ("title,due\na,2026-13-01\nb,\n", 2, "month"),
        ("title,due\na,soon\nb,\n", 2, "is not a date"),
        ("title,due\na,1,2\nb,\n", 2, "the row has 3 fields"),
        ("title,due\n\"a\"x,1\nb,\n", 2, "text follows the closing quote"),
        ("title,due\na\"x,1\nb,\n", 2, "a quote is inside"),
        ("title,due\n\"a,\nb,\n", 2, "the quote that begins here is not closed"),
        ("title,due\n,2026-11-30\nb,\n", 2, "The item has no title"),
        ("Colour,size\nred,1\n", 1, "has no column for titles"),
        ("title,due\na\u{0},\nb,\n", 1, "bytes that are 0"),
    ])
    func aBrokenRowIsReportedWithItsLineAndTheRestIsRead(
        text: String,
        line: Int,
        reason: String
    ) throws {
        let (records, report) = try read(text)
        #expect(report.skipped.map(\.line) == [line], "\(report.text())")
        let found = report.skipped.first?.reason ?? ""
        #expect(found.lowercased().contains(reason.lowercased()), "\(found)")
        #expect(found.hasSuffix("."))
        #expect(records.map(\.title) == (line == 2 ? ["b"] : []))
    }

    @Test func aTableInUTF16OrLatin1IsRefusedAsAWhole() throws {
        for bytes in [
            Array("title".utf16.flatMap { [UInt8($0 & 255), 0] }),
            [0xFF, 0xFE] + [UInt8](repeating: 65, count: 8),
            Array("title,due\nb".utf8) + [0xE4] + Array(",\nc,\n".utf8),
        ] {
            let (records, report) = try Exchange.read(bytes, .csv)
            #expect(records.isEmpty && report.skipped.count == 1)
            #expect(report.skipped.first?.reason.contains("iconv") == true)
        }
    }

    @Test func aRowOfAHundredMegabytesIsLeftOut() throws {
        let long = String(repeating: "x", count: 3 << 20)
        let source = ByteSource(
            Array("title,due\n\"\(long)\n\(long)\",\nb,\n".utf8),
            partSize: 1 << 12
        )
        source.itemLimit = 1 << 20
        let (records, report) = try Exchange.read(source, .csv)
        #expect(records.map(\.title).last == "b")
        #expect(report.skipped.first?.reason == "The row is longer than 1 MB.")
    }
}
