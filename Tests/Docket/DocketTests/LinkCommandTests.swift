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
}
