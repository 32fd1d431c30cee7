import Foundation
import MarkdownFolder
import ObjectGraph
import Testing

/// Changes of files by other programs.
@Suite struct FollowingTests {
    private struct Open {
        let folder: NotesFolder
        let library: FolderLibrary
        let alarm = Alarm()

        init() throws {
            folder = try NotesFolder()
            try folder.write("a.md", "# A")
            try folder.write("b.md", "# B")
            try folder.make("sub")
            try folder.write("sub/c.md", "# C")
            let alarm = alarm
            library = try FolderLibrary(url: folder.url) { alarm.ring() }
            _ = try library.rows()
        }

        func titles() throws -> [String] {
            try library.rows().fetchedObjects.map { ($0 as? Document)?.title ?? "\($0.name)/" }
        }

        func shows(_ titles: String...) throws -> Bool {
            let isShown = try alarm.wait(library) { try self.titles() == titles }
            if !isShown { print("the rows are", try self.titles()) }
            return isShown
        }
    }

    @Test func newChangedRenamedAndRemovedFilesAreSeen() throws {
        let open = try Open()
        #expect(open.library.isWatching)
        #expect(try open.titles() == ["sub/", "A", "B"])
        #expect(try !open.library.catchUp())
        try open.folder.write("ab.md", "# Between")
        #expect(try open.shows("sub/", "A", "Between", "B"))
        try open.folder.write("a.md", "# Alpha")
        #expect(try open.shows("sub/", "Alpha", "Between", "B"))
        open.folder.rename("b.md", "0.md")
        #expect(try open.shows("sub/", "B", "Alpha", "Between"))
        open.folder.remove("ab.md")
        #expect(try open.shows("sub/", "B", "Alpha"))
        try open.folder.make("sub2")
        #expect(try open.shows("sub/", "sub2/", "B", "Alpha"))
    }

    @Test func textThatIsShownFollowsItsFile() throws {
        let open = try Open()
        let document = try #require(try open.library.document("a.md"))
        let text = try open.library.text(of: document)
        #expect(text.text == "# A")
        try open.folder.write("a.md", "# A\nmore")
        #expect(try open.alarm.wait(open.library) { text.text == "# A\nmore" })
        // An editor writes a new file, and gives it the name of the old one.
        try open.folder.write("a.md~", "# A\nsaved")
        open.folder.rename("a.md~", "a.md")
        #expect(try open.alarm.wait(open.library) { text.text == "# A\nsaved" })
        #expect(document.size == 9)
    }

    @Test func textOfARemovedFileIsGoneAndThatOfANewOneIsRead() throws {
        let open = try Open()
        let document = try #require(try open.library.document("a.md"))
        let text = try open.library.text(of: document)
        open.folder.remove("a.md")
        #expect(try open.shows("sub/", "B"))
        #expect(text.isDeleted && document.isDeleted)
        try open.folder.write("a.md", "# A\nfrom the beginning")
        #expect(try open.shows("sub/", "A", "B"))
        #expect(try open.library.text("a.md") == "# A\nfrom the beginning")
    }

    @Test func unrelatedFilesChangeNothing() throws {
        let open = try Open()
        _ = try open.titles()
        var changes = 0
        let center = open.library.context.notifications
        let token = center.addObserver(of: ObjectsDidChange.self, from: open.library.context) { _ in
            changes += 1
        }
        defer { center.removeObserver(token) }
        try open.folder.write("picture.png", "x")
        try open.folder.write(".a.md.swp", "x")
        try open.folder.write("z.md", "# Z")
        #expect(try open.shows("sub/", "A", "B", "Z"))
        #expect(changes == 1)
    }

    @Test func foldersBelowAreFollowedOnceTheyAreListed() throws {
        let open = try Open()
        let sub = try #require(try open.library.entry(at: "sub") as? Folder)
        let rows = try open.library.entries(of: sub)
        try open.folder.write("sub/d.md", "# D")
        #expect(
            try open.alarm.wait(open.library) {
                rows.fetchedObjects.map(\.name) == ["c.md", "d.md"]
            }
        )
        open.folder.rename("sub", "moved")
        #expect(try open.shows("moved/", "A", "B"))
        let moved = try #require(try open.library.entry(at: "moved") as? Folder)
        let again = try open.library.entries(of: moved)
        #expect(again.count == 2)
        open.folder.remove("moved/c.md")
        #expect(try open.alarm.wait(open.library) { again.count == 1 })
        open.library.stopFollowing(moved.objectID)
    }

    @Test func folderReplacedByAFileIsAnotherObject() throws {
        let open = try Open()
        open.folder.remove("a.md")
        try open.folder.make("a.md")
        #expect(try open.shows("a.md/", "sub/", "B"))
        open.folder.remove("a.md")
        try open.folder.write("a.md", "# Again")
        #expect(try open.shows("sub/", "Again", "B"))
    }

    @Test func moreChangesThanAreKeptAreSeenToo() throws {
        let open = try Open()
        _ = try open.titles()
        for number in 0..<6000 { try open.folder.write("n\(number).md", "# \(number)") }
        let rows = try open.library.rows()
        #expect(try open.alarm.wait(open.library) { rows.count == 6003 })
        try open.folder.write("a.md", "# Alpha")
        #expect(try open.alarm.wait(open.library) { try open.titles()[1] == "Alpha" })
        for number in 0..<6000 { open.folder.remove("n\(number).md") }
        #expect(try open.shows("sub/", "Alpha", "B"))
    }

    @Test func goneRootIsAnErrorUntilItReturns() throws {
        let open = try Open()
        let path = open.folder.path
        Foundation.rename(path, path + "-away")
        defer { Foundation.rename(path + "-away", path) }
        var message = ""
        for _ in 0..<100 where message.isEmpty {
            do { _ = try open.alarm.wait(open.library) { false } } catch let error
                as ObjectGraphError
            {
                message = error.message
            }
        }
        #expect(message == "The folder \"\(path)\" does not exist.")
    }
}
