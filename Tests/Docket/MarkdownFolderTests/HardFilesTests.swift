import Foundation
import Glibc
import MarkdownFolder
import ObjectGraph
import SeededRandom
import Testing

/// Files and folders that are hard to read or to name.
@Suite struct HardFilesTests {
    @Test func namesOfAnyBytesAreDocumentsOfTheirOwn() throws {
        let folder = try NotesFolder()
        let names: [[UInt8]] = [
            Array("a\nb.md".utf8), Array("\u{1B}[31m.md".utf8), Array("%41.md".utf8),
            Array("A.md".utf8), Array("e\u{301}.md".utf8), Array("\u{E9}.md".utf8),
            [0xFF, 0xFE] + Array(".md".utf8), [0xFF] + Array(".md".utf8), Array("-rf.md".utf8),
            Array(" .md".utf8), Array("%.md".utf8), Array("👨‍👩‍👧.md".utf8),
            Array("42".utf8) + Array(".md".utf8),
        ]
        for (index, name) in names.enumerated() {
            try folder.write(name, Array("text \(index)".utf8))
        }
        let library = try FolderLibrary(url: folder.url)
        let documents = try library.rows().fetchedObjects.compactMap { $0 as? Document }
        #expect(Set(documents.map(\.objectID)).count == names.count)
        let texts = try documents.map { try library.text(of: $0).text }
        #expect(Set(texts) == Set(names.indices.map { "text \($0)" }))
        for document in documents {
            let uri = document.objectID.uri
            #expect(uri.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            let id = library.container.coordinator.managedObjectID(forURI: uri)
            #expect(id == document.objectID)
        }
    }

    @Test func randomNamesAreFoundAgain() throws {
        var random = SeededRandom()
        let folder = try NotesFolder()
        var written: Set<[UInt8]> = []
        for _ in 0..<200 {
            var name = (0..<(1 + random.below(40))).map { _ in UInt8(1 + random.below(255)) }
            name = name.map { $0 == UInt8(ascii: "/") ? 0x80 : $0 }
            if name[0] == UInt8(ascii: ".") { name[0] = UInt8(ascii: "_") }
            name += Array(".Md".utf8)
            if written.insert(name).inserted { try folder.write(name, name) }
        }
        let library = try FolderLibrary(url: folder.url)
        let documents = try library.rows().fetchedObjects.compactMap { $0 as? Document }
        #expect(documents.count == written.count)
        for document in documents { #expect(document.size > 0) }
    }

    @Test func whatIsNotAShortTextIsNamedAndNotRead() throws {
        let folder = try NotesFolder()
        try folder.write("huge.md", "# Huge\n")
        truncate(folder.path + "/huge.md", 1 << 30)
        try folder.write(Array("program.md".utf8), [0x7F, 0x45, 0x4C, 0x46, 0, 1])
        try folder.write(Array("latin.md".utf8), Array("caf".utf8) + [0xE9])
        try folder.write("empty.md", "")
        mkfifo(folder.path + "/pipe.md", 0o644)
        folder.link("pipe-link.md", to: "pipe.md")
        folder.link("device.md", to: "/dev/zero")
        let library = try FolderLibrary(url: folder.url)
        #expect(try library.names() == ["empty.md", "huge.md", "latin.md", "program.md"])
        #expect(
            try library.text("huge.md")
                == "The file \"huge.md\" has 1024 MB; texts of up to 4 MB are shown."
        )
        #expect(
            try library.text("latin.md")
                == "The file \"latin.md\" is not a text in UTF-8, so it is not shown."
        )
        #expect(try library.text("program.md").contains("is not a text"))
        #expect(try library.text("empty.md") == "")
        #expect(try library.document("latin.md")?.title == "latin")
        #expect(try library.document("huge.md")?.size == 1 << 30)
        let reads = try folder.reads { _ = try library.text("huge.md") }
        #expect(reads.texts == 0)
        // A request over texts skips it in the same way.
        let found = try library.context.count(
            for: FetchRequest<Document>(where: Condition { $0.content.text == "" })
        )
        #expect(found == 4)
    }

    @Test func headThatEndsInsideACharacterIsAText() throws {
        let folder = try NotesFolder()
        for extra in 0..<4 {
            let text = "# Title\n" + String(repeating: "x", count: extra)
            try folder.write("\(extra).md", text + String(repeating: "😀", count: 4000))
        }
        let library = try FolderLibrary(url: folder.url)
        for extra in 0..<4 { #expect(try library.document("\(extra).md")?.title == "Title") }
    }

    @Test func fileThatVanishesIsNamed() throws {
        let folder = try NotesFolder()
        try folder.write("a.md", "# A")
        try folder.write("b.md", "# B")
        let library = try FolderLibrary(url: folder.url)
        let documents = try library.rows().fetchedObjects.compactMap { $0 as? Document }
        #expect(documents[0].title == "A")
        folder.remove("a.md")
        folder.remove("b.md")
        let error = #expect(throws: ObjectGraphError.self) { try library.text(of: documents[0]) }
        #expect(error?.message == "The file \"a.md\" does not exist any more.")
        #expect(documents[1].title == "")
        let second = #expect(throws: ObjectGraphError.self) { try library.text(of: documents[1]) }
        #expect(second?.message == "The file \"b.md\" does not exist any more.")
        #expect(throws: ObjectGraphError.self) {
            try library.context.existingObject(with: documents[1].objectID)
        }
    }

    @Test(arguments: [
        "../outside.md", "a/../../outside.md", "./a.md", ".hidden/a.md", ".hidden.md", "a//b.md",
        "/etc/x.md", "a/", "",
    ])
    func idsFromOutsideLeadToNothingOutside(path: String) throws {
        let folder = try NotesFolder()
        try folder.make("a")
        try folder.make(".hidden")
        for name in ["a.md", ".hidden.md", ".hidden/a.md", "a/b.md"] { try folder.write(name, "x") }
        let outside = folder.path + "/../outside.md"
        try Data("secret".utf8).write(to: URL(filePath: outside))
        let library = try FolderLibrary(url: folder.url)
        let known = try #require(try library.document("a.md")).objectID.uri
        var escaped = ""
        for byte in path.utf8 {
            let isPlain = byte == 46 || (0x61...0x7A).contains(byte)
            escaped +=
                isPlain ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16).uppercased()
        }
        let uri = known.replacingOccurrences(of: "pa.md", with: "p" + escaped)
        if let id = library.container.coordinator.managedObjectID(forURI: uri) {
            #expect(throws: ObjectGraphError.self) { try library.context.existingObject(with: id) }
            var request = FetchRequest<Document>()
            request.predicate = .comparison(
                FetchComparison(.evaluatedObject, .equal, .constant(.objectID(id)))
            )
            #expect(try library.context.fetch(request).isEmpty)
        }
        if !path.isEmpty { #expect(try library.entry(at: path) == nil) }
    }

    @Test func folderThatVanishesIsNamed() throws {
        let folder = try NotesFolder()
        let missing = folder.url.appending(path: "none")
        let error = #expect(throws: ObjectGraphError.self) { try FolderLibrary(url: missing) }
        #expect(error?.message == "The folder \"\(missing.path)\" does not exist.")
        try folder.write("file.md", "")
        let file = folder.url.appending(path: "file.md")
        let second = #expect(throws: ObjectGraphError.self) { try FolderLibrary(url: file) }
        #expect(second?.message == "\"\(file.path)\" is not a folder.")
        try folder.make("sub")
        let library = try FolderLibrary(url: folder.url.appending(path: "sub"))
        folder.remove("sub")
        let third = #expect(throws: ObjectGraphError.self) { try library.root() }
        #expect(third?.message.hasSuffix("/sub\" does not exist any more.") == true)
    }

    @Test func filesAndFoldersThatMayNotBeReadAreNamed() throws {
        let folder = try NotesFolder()
        try folder.write("secret.md", "# Secret")
        try folder.make("locked")
        try folder.write("locked/inside.md", "# Inside")
        try folder.write("open.md", "# Open")
        folder.allow("secret.md", 0)
        folder.allow("locked", 0)
        try withoutPrivileges {
            let library = try FolderLibrary(url: folder.url)
            #expect(try library.names() == ["locked", "open.md", "secret.md"])
            #expect(try library.document("secret.md")?.title == "secret")
            #expect(try library.text("secret.md") == "You may not read the file \"secret.md\".")
            let locked = try #require(try library.entry(at: "locked") as? Folder)
            let error = #expect(throws: ObjectGraphError.self) { try library.entries(of: locked) }
            #expect(error?.message == "You may not read the folder \"locked\".")
            // It does not hide the others from a request over everything.
            let all = try library.context.fetch(FetchRequest<Document>(sortedBy: \.name))
            #expect(all.map(\.name) == ["open.md", "secret.md"])
        }
    }

    @Test func linksThatLeadInCirclesEnd() throws {
        let folder = try NotesFolder()
        try folder.make("a")
        try folder.make("b")
        try folder.write("a/one.md", "# One")
        folder.link("a/up", to: "..")
        folder.link("a/self", to: ".")
        folder.link("a/other", to: "../b")
        folder.link("b/other", to: "../a")
        folder.link("dangling.md", to: "nothing")
        folder.link("loop", to: "loop")
        folder.link("also.md", to: "a/one.md")
        let library = try FolderLibrary(url: folder.url)
        #expect(try library.names() == ["a", "b", "also.md"])
        let a = try #require(try library.entry(at: "a") as? Folder)
        #expect(try library.entries(of: a).fetchedObjects.map(\.name) == ["other", "one.md"])
        let inside = try #require(try library.entry(at: "a/other") as? Folder)
        #expect(try library.entries(of: inside).fetchedObjects.map(\.name) == [])
        #expect(try library.text("also.md") == "# One")
        // Each folder is listed once, whatever links lead to it.
        let reads = try folder.reads {
            let all = try library.context.fetch(FetchRequest<Document>(sortedBy: \.path))
            #expect(all.map(\.path) == ["a/one.md", "also.md"])
        }
        #expect(reads.folders == 3)
    }

    @Test func manyFilesCostOneListingAndTheTextsOfNone() throws {
        let folder = try NotesFolder()
        for number in 0..<10_000 { try folder.write("n\(number).md", "# Note \(number)\n") }
        let library = try FolderLibrary(url: folder.url)
        let root = try library.root()
        var rows: FetchedResultsController<FolderEntry>?
        let reads = try folder.reads { rows = try library.entries(of: root) }
        #expect(reads == FolderReads(folders: 1, heads: 0, texts: 0))
        let controller = try #require(rows)
        #expect(controller.count == 10_000)
        let shown = folder.reads {
            for row in 5000..<5030 {
                _ = (controller.object(at: .init(item: row)) as? Document)?.title
            }
        }
        #expect(shown == FolderReads(folders: 0, heads: 30, texts: 0))
        #expect((controller.object(at: .init(item: 9_999)) as? Document)?.title == "Note 9999")
    }

    /// Whatever else there is: the link leads to the whole disk.
    @Test func aNameThatIsNoTextListsItsOwnFolderAlone() throws {
        let folder = try NotesFolder()
        folder.link("disk", to: "/")
        try folder.make("a")
        try folder.write(Array("a/b".utf8) + [0xFF] + Array(".md".utf8), Array("# Odd".utf8))
        let library = try FolderLibrary(url: folder.url)
        let reads = try folder.reads {
            let found = try #require(try library.entry(at: "a/b\u{FFFD}.md") as? Document)
            #expect(try library.text(of: found).text == "# Odd")
            #expect(try library.entry(at: "a/\u{FFFD}.md") == nil)
            #expect(try library.entry(at: "\u{FFFD}/b.md") == nil)
        }
        #expect(reads.folders == 3)
    }
}
