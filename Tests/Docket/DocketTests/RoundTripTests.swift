import ChildProcess
import Foundation
import Testing

/// Files that the real programs write, through the whole program and back.
@Suite("Files of other programs")
struct RoundTripTests {
    /// Makes a Taskwarrior of its own, with tasks of every kind.
    private func makeTasks(_ docket: Docket) throws {
        docket.environment["TASKRC"] = docket.path("taskrc")
        docket.environment["TASKDATA"] = docket.path("tasks")
        try docket.write(
            """
            confirmation=off
            bulk=0
            hooks=off
            news.version=2.6.0
            uda.effort.type=numeric
            uda.effort.label=Effort

            """,
            to: "taskrc"
        )
        let made = try docket.shell(
            """
            mkdir tasks
            T="task rc.verbose=nothing"
            $T add 'Pay "rent" Ämter' project:Home.Money +bank +out priority:H due:2026-12-24T10:00:00
            $T add Second depends:1 effort:5
            $T 2 annotate 'see https://x.y/ "q"'
            $T add Third wait:2026-12-30 scheduled:2026-12-20 until:2027-01-01
            $T add Done one
            $T 4 done
            $T add Monthly due:2026-12-01 recur:monthly
            $T list > list
            $T 1 start
            $T add gone
            $T rc.confirmation=off +LATEST delete
            $T rc.json.array=on export > tw.json
            """
        )
        #expect(made.errors.isEmpty, "\(made.errors)")
    }

    private func objects(_ data: Data) throws -> [String: NSDictionary] {
        let array = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
        var result: [String: NSDictionary] = [:]
        for var object in array {
            // Calculated by the program at each export.
            object["id"] = nil
            object["urgency"] = nil
            if let tags = object["tags"] as? [String] { object["tags"] = tags.sorted() }
            if let others = object["depends"] as? [String] { object["depends"] = others.sorted() }
            result[object["uuid"] as? String ?? ""] = object as NSDictionary
        }
        return result
    }

    @Test(.enabled(if: InstalledProgram.has("task"), "Taskwarrior is not installed"))
    func aTaskwarriorExportComesBackWholeAndEdited() throws {
        let docket = try Docket()
        try makeTasks(docket)
        let original = try objects(docket.read("tw.json"))
        #expect(original.count >= 7)
        let format = ["--format", "taskwarrior"]
        let imported = try docket("import", format[0], format[1], docket.path("tw.json"))
        #expect(imported.code == 0, "\(imported.errors)")
        try docket("export", format[0], format[1], docket.path("back.json"))
        #expect(try objects(docket.read("back.json")) == original)

        let again = try docket("import", format[0], format[1], docket.path("tw.json"))
        #expect(again.output.hasPrefix("Nothing changed"), "\(again.output)")
        #expect(try docket("history").lines.count == 1)

        let item = try #require(
            try docket.items().first { $0["title"] as? String == "Second" }?["id"] as? Int
        )
        try docket("edit", "\(item)", "title=Second, edited", "priority=low", "tags=new")
        try docket("export", format[0], format[1], docket.path("edited.json"))
        let edited = try objects(docket.read("edited.json"))
        for (uuid, before) in original {
            let after = try #require(edited[uuid])
            if before["description"] as? String != "Second" {
                #expect(after == before)
                continue
            }
            let expected = try #require(before.mutableCopy() as? NSMutableDictionary)
            expected["description"] = "Second, edited"
            expected["priority"] = "L"
            expected["tags"] = ["new"]
            expected["modified"] = after["modified"]
            #expect(after == expected)
        }
        docket.environment["TASKDATA"] = docket.path("other")
        let back = try docket.shell(
            "mkdir other; task import edited.json && task export > third.json"
        )
        #expect(back.code == 0, "\(back.errors)")
        #expect(try objects(docket.read("third.json")).count == original.count)
    }

    /// As Nextcloud Tasks and Apple Reminders write them, with what Docket does not know.
    private static let calendar = """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//Nextcloud Tasks v0.16.1
        X-WR-CALNAME:House
        X-APPLE-CALENDAR-COLOR:#FF2968
        BEGIN:VTODO
        UID:3o3al1t55r
        CREATED:20230630T095435Z
        DTSTAMP:20230630T095507Z
        LAST-MODIFIED:20230630T095507Z
        SUMMARY:Paint the fence
        X-OC-HIDESUBTASKS:1
        PRIORITY:4
        DUE;TZID=Europe/Berlin:20301201T180000
        CATEGORIES:outdoor,summer\\, late
        X-LONG;X-PLACE="Long Street 1, 12345 Sma
         ll Town":geo:46.141813\\,8.917549
        BEGIN:VALARM
        TRIGGER;VALUE=DATE-TIME:19760401T005545Z
        X-APPLE-PROXIMITY:ARRIVE
        END:VALARM
        END:VTODO
        BEGIN:VTODO
        UID:9710D97C-49D1-4395-90DB-14EE17E0B77A
        DTSTAMP:20230630T100000Z
        LAST-MODIFIED:20230630T100000Z
        SUMMARY:Buy paint
        RELATED-TO;RELTYPE=PARENT:3o3al1t55r
        RELATED-TO;RELTYPE=DEPENDS-ON:elsewhere
        END:VTODO
        END:VCALENDAR

        """.replacing("\n", with: "\r\n")

    @Test func aCalendarComesBackWholeAndEdited() throws {
        let docket = try Docket()
        let original = Self.calendar.split(separator: "\r\n")
        try docket.write(Self.calendar, to: "house.ics")
        let imported = try docket("import", docket.path("house.ics"))
        #expect(imported.code == 0 && imported.output.hasPrefix("Imported 2 items"))
        try docket("export", docket.path("back.ics"))
        #expect(try docket.read("back.ics") == Data(Self.calendar.utf8))
        let again = try docket("import", docket.path("house.ics"))
        #expect(again.output.hasPrefix("Nothing changed"), "\(again.output)")
        #expect(try docket("history").lines.count == 1)

        try docket("edit", "1", "title=Paint the door", "due=2030-12-24T18:00")
        let edited = try docket("export", "--format", "ics").output.split(separator: "\r\n")
        #expect(edited.count == original.count)
        for (before, after) in zip(original, edited) where before != after {
            switch before.prefix(while: { $0 != ":" && $0 != ";" }) {
            case "SUMMARY": #expect(after == "SUMMARY:Paint the door")
            case "DUE": #expect(after == "DUE;TZID=Europe/Berlin:20301224T190000")
            case let name:
                #expect(["DTSTAMP", "LAST-MODIFIED"].contains(name) && after.hasPrefix(name))
            }
        }
        #expect(zip(original, edited).count { $0 != $1 } == 4)
    }

    @Test(.enabled(if: InstalledProgram.has("todo-txt"), "todo-txt is not installed"))
    func aTodoTxtFileComesBackWholeAndEdited() throws {
        let docket = try Docket()
        try docket.write(
            """
            export TODO_DIR=\(docket.folder.path)
            export TODO_FILE=$TODO_DIR/todo.txt
            export DONE_FILE=$TODO_DIR/done.txt
            export REPORT_FILE=$TODO_DIR/report.txt
            export TODOTXT_DATE_ON_ADD=1

            """,
            to: "config"
        )
        let made = try docket.shell(
            """
            t() { todo-txt -d config "$@"; }
            t add 'Call Mom +Family @phone due:2026-12-01' &&
            t add 'Second thing +Home +Work key:value Ämter' && t add 'Third' && t add 'Fourth'
            t pri 2 A && t -a do 1 && t pri 4 Z
            """
        )
        #expect(made.code == 0, "\(made.errors)")
        let original = String(decoding: try docket.read("todo.txt"), as: UTF8.self)
        #expect(original.split(separator: "\n").count == 4)
        let file = docket.path("todo.txt")
        #expect(try docket("import", "--format", "todotxt", file).output == "Imported 4 items\n")
        #expect(try docket("export", "--format", "todotxt").output == original)
        let again = try docket("import", "--format", "todotxt", file)
        #expect(again.output.hasPrefix("Nothing changed"), "\(again.output)")
        #expect(try docket("history").lines.count == 1)

        try docket("edit", "3", "title=Third edited", "due=2026-12-24")
        let edited = try docket("export", "--format", "todotxt").lines
        for (before, after) in zip(original.split(separator: "\n"), edited) {
            if before.contains("Third") {
                #expect(after.contains("Third edited") && after.contains("due:2026-12-24"))
            } else {
                #expect(after == before)
            }
        }
    }

    @Test func ownJSONIntoAFreshStoreGivesTheSameBytes() throws {
        let docket = try Docket()
        for line in [
            "Pay rent tomorrow 9:30 +Home/Money #bank !high every month", "Übung @x 24.12.2026",
            "a\\b \"quoted\" \u{1F600}",
        ] { try docket("add", line) }
        try docket("add", "--note", "Note\nwith text\n\nand more")
        try docket("edit", "3", "parent=1", "notes=some\nlines")
        try docket("done", "2")
        try docket("trash", "4")
        try docket("move", "3", "--top")
        let bytes = try docket("export").bytes
        try bytes.write(to: docket.folder.appending(path: "all.json"))
        let other = docket.path("other.sqlite")
        let imported = try docket("import", "--store", other, docket.path("all.json"))
        #expect(imported.output == "Imported 4 items\n")
        #expect(try docket("export", "--store", other).bytes == bytes)
        #expect(try docket("--store", other, "--export", "json").bytes == bytes)
        let again = try docket("import", "--store", other, docket.path("all.json"))
        #expect(again.output.hasPrefix("Nothing changed"))
        #expect(try docket("history", "--store", other).lines.count == 1)
        #expect(try docket("undo", "--store", other).code == 0)
        #expect(try docket("export", "--store", other).output == "[\n]\n")
    }

    @Test(.enabled(if: InstalledProgram.has("script"), "script is not installed"))
    func aTerminalGetsNoControlCharacters() throws {
        let docket = try Docket()
        // A foreign file may hold anything in its fields.
        try docket.write(
            "[{\"title\":\"red \\u001b[31m alert\\u0007\",\"notes\":\"\\u001b]0;x\\u0007\"}]",
            to: "in.json"
        )
        try docket("import", docket.path("in.json"))
        for command in [
            "list", "show 1", "export --format text", "done \\\"$(printf '\\\\033[31m')\\\"",
        ] {
            let seen = try docket.shell(
                "TERM=dumb script -qec \"$docket \(command)\" /dev/null < /dev/null"
            )
            #expect(!seen.bytes.contains(0x1b) && !seen.bytes.contains(7), "\(command): \(seen)")
            #expect(!seen.output.isEmpty)
        }
    }
}
