import ChildProcess
import CivilTime
import FixedTime
import Foundation
import SeededRandom
import Testing

@testable import DocketFormats

@Suite struct TaskwarriorTests {
    /// Tasks as objects by UUID, without the fields that Taskwarrior computes.
    private func tasks(_ text: String) throws -> [String: [String: JSONValue]] {
        var stream = JSONItemStream(ByteSource(Array(text.utf8)))
        var result: [String: [String: JSONValue]] = [:]
        while let step = stream.next() {
            guard case .object = step, case .object(let members) = try stream.scanner.value()
            else { throw InputError(.malformed, "\(step)") }
            var task: [String: JSONValue] = [:]
            for member in members where member.name != "id" && member.name != "urgency" {
                task[member.name] = member.value
            }
            result[task["uuid"]?.string ?? ""] = task
        }
        return result
    }

    private static let fixture = #"""
        [
        {"id":1,"description":"Pay \"rent\" \\ now","due":"20261122T080000Z","entry":"20261101T120000Z","modified":"20261102T120000Z","priority":"H","project":"Home.Garden","status":"pending","tags":["bank","café"],"uuid":"00000000-0000-4000-8000-000000000001","annotations":[{"entry":"20261103T101112Z","description":"see https:\/\/x.y\/z"},{"entry":"20261104T101112Z","description":"two\nlines"}],"estimate":"PT2H","size":3.50,"urgency":25.2},
        {"id":2,"description":"Waits","entry":"20261101T120000Z","modified":"20261101T120000Z","scheduled":"20261130T230000Z","start":"20261105T120000Z","status":"waiting","until":"20280101T000000Z","wait":"20270101T000000Z","depends":["00000000-0000-4000-8000-000000000001"],"uuid":"00000000-0000-4000-8000-000000000002","urgency":4},
        {"id":0,"description":"Done","end":"20261106T120000Z","entry":"20261101T120000Z","modified":"20261106T120000Z","status":"completed","uuid":"00000000-0000-4000-8000-000000000003","urgency":0},
        {"id":0,"description":"Gone","end":"20261107T120000Z","entry":"20261101T120000Z","modified":"20261107T120000Z","priority":"urgent","project":"a..b","status":"deleted","uuid":"00000000-0000-4000-8000-000000000004","urgency":0},
        {"id":5,"description":"Template","due":"20261201T230000Z","entry":"20261101T120000Z","mask":"-","modified":"20261101T120000Z","recur":"weekly","rtype":"periodic","status":"recurring","uuid":"00000000-0000-4000-8000-000000000005","urgency":4},
        {"id":6,"description":"Instance","due":"20261201T230000Z","entry":"20261101T120000Z","imask":0,"modified":"20261101T120000Z","parent":"00000000-0000-4000-8000-000000000005","recur":"weekly","rtype":"periodic","status":"pending","depends":"00000000-0000-4000-8000-000000000001,00000000-0000-4000-8000-000000000002","uuid":"00000000-0000-4000-8000-000000000006","urgency":4}
        ]
        """#

    @Test func ofAFieldThatOccursTwiceTheLastValueIsKept() throws {
        let task = #"""
            [{"description":"first\u0000","recur":"daily","x":1,"é":2,"description":"second\u0001",
              "e\u0301":3,"due":"20261201T230000Z","recur":"weekly","x":4}]
            """#
        let (records, _) = try Exchange.read(task, .taskwarrior)
        #expect(records.map(\.title) == ["second"])
        #expect(records.map(\.recurrence) == ["weekly"])
        let written = Exchange.write(records, .taskwarrior).text
        #expect(written.contains(#""description":"second\u0001""#))
        #expect(written.contains(#""recur":"weekly""#) && !written.contains("daily"))
        #expect(written.contains(#""x":4"#) && !written.contains(#""x":1"#))
        #expect(written.contains(#""é":2"#) && written.contains("\"e\u{301}\":3"))
        let (again, _) = try Exchange.read(written, .taskwarrior)
        #expect(again.map(\.title) == ["second"])
    }

    @Test func fieldsFindTheirPlace() throws {
        let (records, report) = try Exchange.read(Self.fixture, .taskwarrior)
        #expect(report.isComplete, "\(report.text())")
        #expect(records.count == 5)
        let first = try #require(records.first)
        #expect(first.title == "Pay \"rent\" \\ now")
        #expect(first.list == ["Home", "Garden"])
        #expect(first.tags == ["bank", "café"])
        #expect(first.priority == 3)
        #expect(first.due.map(Fixed.plain) == "2026-11-22T09:00")
        #expect(
            first.notes == """
                [2026-11-03 11:11] see https://x.y/z
                [2026-11-04 11:11] two
                    lines
                """
        )
        #expect(records[1].start.map(Fixed.plain) == "2026-12-01")
        #expect(records[1].dependencies == [first.uuid])
        #expect(records[2].completed == ISODate.moment("20261106T120000Z", zone: .utc))
        #expect(records[3].trashed && records[3].priority == 0 && records[3].list == ["a", "b"])
        let last = try #require(records.last)
        #expect(last.isOpen && last.recurrence == "weekly" && last.dependencies.count == 2)
        #expect(last.series == UUIDText.parse("00000000-0000-4000-8000-000000000005"))
    }

    @Test func untouchedTasksComeBackWhole() throws {
        let (records, _) = try Exchange.read(Self.fixture, .taskwarrior)
        let written = Exchange.write(records, .taskwarrior)
        let old = try tasks(Self.fixture)
        var new = try tasks(written.text)
        // Text with commas is written as the array that Taskwarrior writes today.
        let last = "00000000-0000-4000-8000-000000000006"
        if case .array(let elements) = new[last]?["depends"] {
            let text = elements.map { $0.string ?? "" }.joined(separator: ",")
            new[last]?["depends"] = .string(text)
        }
        for (uuid, task) in old { #expect(new[uuid] == task, "\(uuid)") }
        #expect(new.count == old.count)
        #expect(written.report.changed.isEmpty)
    }

    @Test func annotationsOfEveryHourKeepTheirTime() throws {
        for hour in 0..<24 {
            let stamp = "20261103T\(hour < 10 ? "0" : "")\(hour)0203Z"
            let text = """
                [{"description":"a","status":"pending","entry":"20261101T120000Z",
                "uuid":"00000000-0000-4000-8000-000000000001",
                "annotations":[{"entry":"\(stamp)","description":"b"}]}]
                """
            var record = try #require(try Exchange.read(text, .taskwarrior).records.first)
            #expect(record.notes?.count == "[2026-11-03 00:00] b".count)
            record.notes?.append(" edited")
            let written = Exchange.write([record], .taskwarrior).text
            #expect(written.contains("\"\(stamp.dropLast(3))00Z\""), "\(written)")
            // Of an earlier version.
            record.notes = record.notes?.replacing("[2026-11-03 0", with: "[2026-11-03 00")
            #expect(Exchange.write([record], .taskwarrior).text == written)
        }
    }

    @Test func dataFilesOfTaskwarrior2AreRead() throws {
        let data = #"""
            [description:"Buy &open;2&close; \"big\" jars" due:"1764500000" entry:"1763200000" modified:"1763200100" project:"Home.Garden" status:"pending" tags:"shop,next" uuid:"00000000-0000-4000-8000-000000000001" annotation_1763200050:"see x" size:"3.5"]
            [description:"Done" end:"1763200200" entry:"1763200000" status:"completed" uuid:"00000000-0000-4000-8000-000000000002" depends:"00000000-0000-4000-8000-000000000001"]

            """#
        let format = try ExchangeFormat.recognised(
            name: "pending.data",
            beginning: Array(data.utf8)
        )
        #expect(format == .taskwarrior)
        let (records, report) = try Exchange.read(data, format)
        #expect(report.isComplete && report.changed.isEmpty, "\(report.text())")
        #expect(records.map(\.title) == ["Buy [2] \"big\" jars", "Done"])
        let first = try #require(records.first)
        #expect(first.list == ["Home", "Garden"] && first.tags == ["shop", "next"])
        #expect(first.created.timeIntervalSince1970 == 1_763_200_000)
        #expect(first.due?.beginning(in: .utc).timeIntervalSince1970 == 1_764_500_000)
        #expect(first.notes?.hasSuffix("] see x") == true)
        #expect(records[1].completed?.timeIntervalSince1970 == 1_763_200_200)
        #expect(records[1].dependencies == [first.uuid])
        #expect(Exchange.write(records, format).text.contains(#""size":"3.5""#))
        let broken = data.replacing("end:\"", with: "end:")
        #expect(try Exchange.read(broken, format).report.skipped.map(\.line) == [2])
    }

    @Test func editedFieldsReplaceKeptOnesAndTheRestStays() throws {
        var (records, _) = try Exchange.read(Self.fixture, .taskwarrior)
        records[0].notes = (records[0].notes ?? "") + "\nadded later"
        records[0].title = "New title"
        records[1].completed = Fixed.context.now
        records[3].trashed = false
        records[3].priority = 1
        records[3].list = ["c"]
        let new = try tasks(Exchange.write(records, .taskwarrior).text)
        let old = try tasks(Self.fixture)
        let first = "00000000-0000-4000-8000-000000000001"
        guard case .array(let kept)? = old[first]?["annotations"],
            case .array(let now)? = new[first]?["annotations"]
        else {
            Issue.record("no annotations")
            return
        }
        #expect(Array(now.prefix(2)) == kept)
        #expect(now.count == 3)
        #expect(new[first]?["description"] == .string("New title"))
        #expect(new[first]?["size"] == .number("3.50"))
        let second = new["00000000-0000-4000-8000-000000000002"]
        #expect(second?["status"] == .string("completed"))
        #expect(second?["end"] == .string("20261121T130500Z"))
        #expect(second?["wait"] == .string("20270101T000000Z"))
        let fourth = new["00000000-0000-4000-8000-000000000004"]
        #expect(fourth?["status"] == .string("pending"))
        #expect(fourth?["end"] == nil)
        #expect(fourth?["priority"] == .string("L"))
        #expect(fourth?["project"] == .string("c"))
    }

    @Test func itemsOfOursGoThereAndBack() throws {
        var record = ItemRecord(
            uuid: UUID(),
            title: "Ours",
            created: Date(timeIntervalSince1970: 1_790_000_000)
        )
        record.notes = "first\n\nsecond"
        record.due = DueDate(day: try #require(Day(year: 2027, month: 3, day: 28)))
        record.list = ["Big project", "v1.0"]
        record.tags = ["two words"]
        record.location = "Bank"
        let written = Exchange.write([record], .taskwarrior)
        #expect(written.report.changed.count == 2)
        let read = try #require(try Exchange.read(written.text, .taskwarrior).records.first)
        #expect(read.title == "Ours")
        #expect(read.due == record.due)
        #expect(read.tags == record.tags)
        #expect(read.notes?.contains("] first\n[") == true)
        let again = Exchange.write([read], .taskwarrior).text
        #expect(try Exchange.read(again, .taskwarrior).records == [read])
    }

    @Test(arguments: [
        ("\"due\":\"20260230T000000Z\"", "February 2026 has 28 days"),
        ("\"due\":\"tomorrow\"", "not an ISO 8601 date"),
        ("\"status\":\"odd\"", "not a status of Taskwarrior"),
        ("\"description\":\" \"", "no title"), ("\"annotations\":[1]", "annotations"),
        ("\"uuid\":\"1\"", "not a UUID"), ("\"tags\":{}", "must be text"),
    ])
    func wrongFieldsAreReported(field: String, reason: String) throws {
        let name = field.split(separator: ":")[0]
        let other = name == "\"description\"" ? "" : "\"description\":\"A\","
        let (records, report) = try Exchange.read("{\(other)\(field)}", .taskwarrior)
        #expect(records.isEmpty)
        #expect(report.skipped.first?.reason.contains(reason) == true, "\(report.text())")
    }

    @Test(arguments: [
        ("every month", "P1M"), ("every 2 weeks", "P2W"), ("every! 3d", "P3D"),
        ("every other day", "P2D"), ("every weekday", "weekdays"), ("fortnightly", "P2W"),
        ("every quarter", "P3M"), ("+1y", "P1Y"), ("every mon and fri", nil), ("odd", nil),
        ("every 3 days after completion", "P3D"), ("every day at 14:05", "P1D"),
        ("every saturday", "P1W"), ("every month on the 21st", "P1M"), ("every sunday", nil),
        ("every 12 hours", "PT12H"), ("every 21 November", "P1Y"), ("every last saturday", nil),
    ])
    func repetitionsOfOursBecomePeriods(text: String, expected: String?) throws {
        var record = ItemRecord(uuid: UUID(), title: "A", created: Fixed.context.now)
        record.recurrence = text
        let without = Exchange.write([record], .taskwarrior)
        #expect(!without.text.contains("recur"))
        #expect(without.report.changed.count == 1)
        record.due = DueDate(moment: Fixed.context.now)
        let written = Exchange.write([record], .taskwarrior)
        #expect(written.text.contains("\"recur\":\"\(expected ?? "")\"") == (expected != nil))
        let isFromCompletion = text.contains("!") || text.contains("completion")
        #expect(written.report.changed.isEmpty == (expected != nil && !isFromCompletion))
    }

    @Test func datesBefore1980StayBehind() throws {
        let old = Date(timeIntervalSince1970: 0)
        var record = ItemRecord(uuid: UUID(), title: "A", created: old)
        record.due = DueDate(moment: old)
        record.completed = old
        record.notes = "n"
        let written = Exchange.write([record], .taskwarrior)
        #expect(!written.text.contains("1970"))
        #expect(!written.text.contains("due"))
        #expect(written.report.changed.count == 1)
    }

    @Test func commasAtLineEndsAreAccepted() throws {
        let text = "{\"description\":\"A\"},\n{\"description\":\"B\"},\n"
        #expect(try Exchange.read(text, .taskwarrior).records.map(\.title) == ["A", "B"])
    }

    @Test func lineBreakInADescriptionComesBack() throws {
        let text = #"{"description":" a\nb\u0007 ","status":"pending"}"#
        let (records, report) = try Exchange.read(text, .taskwarrior)
        #expect(records.first?.title == "a b")
        #expect(report.changed.count == 2)
        let written = Exchange.write(records, .taskwarrior).text
        #expect(written.contains(#""description":" a\nb\u0007 ""#))
    }

    // MARK: The real program

    /// Everything that a real Taskwarrior exports goes through an item and back into a real,
    /// empty Taskwarrior, whose export must say the same.
    @Test(.enabled(if: InstalledProgram.has("task"), "Taskwarrior is not installed"))
    func realProgramLosesNothing() throws {
        let task = try #require(InstalledProgram.path(of: "task"))
        try withTemporaryFolder { folder in
            let settings = """
                confirmation=off
                verbose=nothing
                uda.estimate.type=duration
                uda.size.type=numeric
                uda.client.type=string
                uda.seen.type=date

                """
            func run(_ store: String, _ arguments: String...) throws -> String {
                try InstalledProgram.run(
                    task,
                    arguments,
                    environment: [
                        "TASKRC": "\(folder)/\(store).rc", "TASKDATA": "\(folder)/\(store)",
                        "HOME": folder, "TZ": "Europe/Berlin",
                    ]
                )
            }
            for store in ["one", "two"] {
                let path = "\(folder)/\(store)"
                try FileManager.default.createDirectory(
                    atPath: path,
                    withIntermediateDirectories: true
                )
                try Data("data.location=\(path)\n\(settings)".utf8).write(
                    to: URL(filePath: path + ".rc")
                )
            }
            _ = try run(
                "one",
                "add",
                "Pay \"rent\" ünï / 日本 🏠",
                "project:Home.Garden",
                "due:2027-03-28T09:00",
                "priority:H",
                "+bank",
                "+urgent",
                "client:Ann & Co",
                "estimate:2h",
                "size:3.5",
                "seen:2026-11-01"
            )
            _ = try run(
                "one",
                "add",
                "Second",
                "wait:2037-01-01",
                "scheduled:2036-12-01",
                "until:2038-01-01",
                "depends:1"
            )
            _ = try run("one", "add", "Repeats", "due:2036-12-01", "recur:weekly")
            _ = try run("one", "1", "annotate", "an annotation https://x.y/z")
            _ = try run("one", "1", "annotate", "another one")
            _ = try run("one", "1", "start")
            _ = try run("one", "add", "Finished")
            _ = try run("one", "4", "done")
            _ = try run("one", "add", "Removed", "due:2036-07-01")
            _ = try run("one", "5", "delete")
            _ = try run("one", "list")
            let exported = try run("one", "export")
            let old = try tasks(exported)
            #expect(old.count >= 5)

            let (records, report) = try Exchange.read(exported, .taskwarrior)
            #expect(report.isComplete, "\(report.text())")
            let written = Exchange.write(records, .taskwarrior).text
            let direct = try tasks(written)
            for (uuid, fields) in old { #expect(direct[uuid] == fields) }

            let file = "\(folder)/import.json"
            try Data(written.utf8).write(to: URL(filePath: file))
            _ = try run("two", "import", file)
            let new = try tasks(try run("two", "export"))
            #expect(Set(new.keys) == Set(old.keys))
            // Taskwarrior writes an imported 3.5 as 3.500000.
            func rounded(_ task: [String: JSONValue]?) -> [String: JSONValue]? {
                task?.mapValues { value in
                    guard case .number(let text) = value, let number = Double(text) else {
                        return value
                    }
                    return .number("\(number)")
                }
            }
            for (uuid, fields) in old {
                #expect(rounded(new[uuid]) == rounded(fields))
            }

            // What was made here is read there, whatever it is; a wrong period would end the
            // program.
            var random = SeededRandom()
            let ours = (0..<40).map { _ in RandomRecord.make(&random) }
            try Data(Exchange.write(ours, .taskwarrior).text.utf8).write(to: URL(filePath: file))
            _ = try run("two", "import", file)
            let all = try tasks(try run("two", "export"))
            for record in ours {
                #expect(all[UUIDText.lowercase(record.uuid)] != nil, "\(record)")
            }

            // Edited here, read there.
            var edited = records
            let index = try #require(edited.firstIndex { $0.title == "Second" })
            edited[index].title = "Second, edited"
            edited[index].notes = "a note of ours"
            try Data(Exchange.write(edited, .taskwarrior).text.utf8).write(
                to: URL(filePath: file)
            )
            _ = try run("two", "import", file)
            let changed = try tasks(try run("two", "export"))
            let second = changed[UUIDText.lowercase(edited[index].uuid)]
            #expect(second?["description"] == .string("Second, edited"))
            #expect(second?["annotations"] != nil)
            #expect(second?["until"] == old[UUIDText.lowercase(edited[index].uuid)]?["until"])
        }
    }

    /// Nobody counts the minutes of two thousand years one by one.
    @Test func exportOfAVeryLongSeriesTakesNoTimeForItsOccurrences() throws {
        var late: [ItemRecord] = []
        let series = UUID()
        for day in 0..<200 {
            var record = ItemRecord(uuid: UUID(), title: "A", created: Fixed.context.now)
            record.due = DueDate(moment: Fixed.context.now.addingTimeInterval(Double(day) * 86_400))
            record.recurrence = "FREQ=MINUTELY;COUNT=2000000000"
            record.series = series
            late.append(record)
        }
        late[0].extra["taskwarrior"] = [
            JSONMember(
                "template",
                .object([
                    JSONMember("due", .string("00010101T000000Z")),
                    JSONMember("recur", .string("PT1M")), JSONMember("mask", .string("--")),
                ])
            )
        ]
        var written = ""
        let seconds = processorSeconds { written = Exchange.write(late, .taskwarrior).text }
        #expect(seconds < 5)
        #expect(written.contains("\"imask\":2"))
    }
}
