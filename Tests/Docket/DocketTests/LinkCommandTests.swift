import Foundation
import Testing

@Suite("Links and attached files in the shell")
struct LinkCommandTests {
    @Test func filesAreAttachedAsLinks() throws {
        let docket = try Docket()
        try docket("add", "--note", "Trip")
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a [b] (1).pdf").path
        try Data().write(to: URL(filePath: file))
        #expect(
            try docket("attach", "1", file).output == "Attached \"a [b] (1).pdf\" to \"Trip\"\n"
        )
        #expect(try docket("show", "1").output.contains("[a \\[b\\] (1).pdf](<\(file)>)"))
        let missing = try docket("attach", "1", file, "/nowhere/x")
        #expect(missing.code != 0 && missing.errors.contains("\"/nowhere/x\" cannot be read"))
        try docket("undo")
        #expect(try !docket("show", "1").output.contains(".pdf"))
    }

    @Test func brokenLinksAreListedAndFollowTitles() throws {
        let docket = try Docket()
        try docket("add", "--note", "Plan\nsee [[Shed]]")
        #expect(try docket("list", "links:broken").output.contains("Plan"))
        try docket("add", "Shed")
        #expect(try !docket("list", "links:broken").output.contains("Plan"))
        #expect(
            try docket("edit", "2", "title=Barn").output
                == "Edited \"Barn\": title, and its links in 1 note\n"
        )
        #expect(try docket("show", "1").output.contains("see [[Barn]]"))
        try docket("undo")
        #expect(try docket("show", "1").output.contains("see [[Shed]]"))
    }

    @Test func aTemplateGivesANoteItsTitleTextTagsAndList() throws {
        let docket = try Docket()
        let add = { (words: String...) in try docket.run(["add", "--template"] + words) }
        #expect(try add("Meeting").errors.contains("templates has no template \"Meeting\""))
        for (name, text) in [
            ("Meeting", "# {{title}} #work\n\nOn {{date}} in {{list}}: {{title}} {{other}}\n"),
            ("week", "# Week of {{date}}\n- [ ] plan"), ("plain", "at {{time}}"),
        ] {
            try docket.write(Data(text.utf8), to: ".config/docket/templates/\(name).md")
        }
        #expect(try add("nothing").errors.contains("it has Meeting, plain, week."))
        docket.environment["TZ"] = "Europe/Berlin"
        let id = try add("meeting", "--id-only", "Budget +Home").output.dropLast()
        let shown = try docket("show", String(id), "--json").output
        let line = /On (\d{4}-\d\d-\d\d) in Home: Budget \{\{other\}\}/
        let date = try #require(shown.firstMatch(of: line)?.1)
        #expect(shown.contains("\"Budget\"") && shown.contains("\"work\""))
        #expect(try add("week").output.contains("Week of \(date)"))
        #expect(try add("week", "My week").output.contains("My week"))
        #expect(try add("plain").code != 0)
        #expect(try docket("list", "notes:\"at \"").output.isEmpty)
        #expect(try add("plain", "Call").output.contains("Call"))
        #expect(try docket("undo").output.contains("Call"))
    }
}
