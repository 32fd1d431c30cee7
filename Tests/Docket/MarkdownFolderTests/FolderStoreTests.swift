import Foundation
import Glibc
import MarkdownFolder
import ObjectGraph
import Testing

/// What the store of a folder reads, and when.
@Suite struct FolderStoreTests {
    private func sample() throws -> NotesFolder {
        let folder = try NotesFolder()
        try folder.make("recipes")
        try folder.write("recipes/soup.md", "# Soup\n\nLeeks and potatoes. #winter\n")
        try folder.write("b10.md", "---\ntitle: \"Ten\"\ntags: [home, Garden]\n---\n# Other\n")
        try folder.write("b9.md", "no heading")
        try folder.write("Äpfel.markdown", "Apples\n======\n\nred #fruit")
        try folder.write(".hidden.md", "# Hidden")
        try folder.write("picture.png", "x")
        return folder
    }

    @Test func listingAFolderReadsNoFileAndAFaultItsOwn() throws {
        let folder = try sample()
        let library = try FolderLibrary(url: folder.url)
        #expect(folder.reads == FolderReads())
        let root = try library.root()
        var rows: FetchedResultsController<FolderEntry>?
        let listing = try folder.reads { rows = try library.entries(of: root) }
        #expect(listing == FolderReads(folders: 1, heads: 0, texts: 0))
        let entries = try #require(rows).fetchedObjects
        #expect(entries.count == 4)
        #expect(entries[0] is Folder)
        let document = try #require(entries[1] as? Document)
        #expect(folder.reads { _ = document.title }.heads == 1)
        let again = folder.reads { _ = (document.title, document.tags, document.size) }
        #expect(again == FolderReads())
        #expect(folder.reads { _ = document.content }.texts == 0)
        #expect(
            folder.reads { _ = document.content?.text } == .init(folders: 0, heads: 0, texts: 1)
        )
        #expect(folder.reads { _ = document.content?.text } == FolderReads())
    }

    @Test func entriesAreFoldersFirstAndNamesAsPeopleSortThem() throws {
        let folder = try sample()
        let library = try FolderLibrary(url: folder.url)
        #expect(try library.names() == ["recipes", "Äpfel.markdown", "b9.md", "b10.md"])
        let titles = try library.rows().fetchedObjects.compactMap { ($0 as? Document)?.title }
        #expect(titles == ["Apples", "b9", "Ten"])
        #expect(try library.document("b10.md")?.tagList == ["home", "Garden"])
        #expect(try library.document("Äpfel.markdown")?.tagList == ["fruit"])
        #expect(try library.root().name == URL(filePath: folder.path).lastPathComponent)
        let soup = try #require(try library.document("recipes/soup.md"))
        #expect(soup.parent?.name == "recipes")
        #expect(try soup.parent?.parent == library.root())
        #expect(soup.parent?.children == [soup])
    }

    @Test(arguments: [
        ("# A", "A"), ("## A ##", "A"), ("#A", "x"), ("#", "x"), ("####### A", "x"),
        ("```\n# code\n```\n# A", "A"), ("A\n===", "A"), ("\n===", "x"), ("", "x"),
        ("---\ntitle: A: b\n---\n# C", "C"), ("---\ntitle: A", "x"),
        ("---\r\ntitle: A\r\n---\r\n", "A"), ("\u{FEFF}# A", "A"), ("# C#", "C#"),
        ("\u{FEFF}---\ntitle: A\n---\n", "A"), ("---\ntitle: \"A: b\"\n...\n# C", "A: b"),
        ("---\ntitle: >-\n  A\n  b\n---\n", "A b"), ("---\nTitle: 2024-01-02\n---", "2024-01-02"),
        ("---\ntitle: ~\n---\n# A", "A"), ("---\ntitle: [a]\n---\n# A", "A"),
        ("---\ntitle: &x A\nother: *x\n---", "A"), ("---\n\tx: 1\n---\n# A", "A"),
        ("---\ntitle: B\ntitle: C\n---\n# A", "A"), ("---\ntext\n---\n", "text"),
        ("---\n\n# A\n\n---\n", "A"), ("--- \ntitle: A\n---\n", "A"),
        (" ---\ntitle: A\n---\n", "title: A"),
        ("---\n- a\n---\n### A *b*", "A b"), ("###### A", "A"), ("A\nb\n---\n", "A b"),
        ("~~~~\n# b\n~~~\n# c\n~~~~\n# A", "A"), ("    # b\n# A", "A"),
        ("<!-- x\n# b\n-->\n# A", "A"),
        ("- ```\n  # b\n  ```\n# A", "A"), ("# [A](b) `c` \\# #", "A c #"),
        ("---\ntitle: ''\n---\n# A", "A"), ("text\n\n# A", "A"), ("# \t", "x"),
    ])
    func titleIsThatOfTheFrontMatterOrTheFirstHeadingOrTheName(text: String, title: String) throws {
        let folder = try NotesFolder()
        try folder.write("x.md", text)
        let library = try FolderLibrary(url: folder.url)
        #expect(try library.document("x.md")?.title == title)
    }

    @Test(arguments: [
        ("---\ntags: a, b\n---", "a b"), ("---\ntags:\n- a\n- 'b c'\n---", "a b-c"),
        ("---\ntags: [\"a\", '#b']\n---\n#c", "a b c"), ("x#a #1 #b-c, (#d) #é", "b-c é"),
        ("```\n#a\n```", ""), ("#a #a", "a"), ("---\ntags: [a, #b]\n---\n#c", "c"),
        ("- ~~~\n  #a\n  ~~~\n  #b", "b"), ("---\ntags: [a,\n  b] # c\n---", "a b"),
    ])
    func tagsAreThoseOfTheFrontMatterAndWordsWithASign(text: String, tags: String) throws {
        let folder = try NotesFolder()
        try folder.write("x.md", text)
        let library = try FolderLibrary(url: folder.url)
        #expect(try library.document("x.md")?.tags == tags)
    }

    @Test(arguments: [
        ("---\ntags: a\n---\n# A\n", "# A\n"), ("# A\n---\nb", "# A\n---\nb"),
        ("---\nno end", "---\nno end"), ("---\r\na: b\r\n...\r\n\r\nx", "\r\nx"),
        ("---\na: b\n---", ""), ("", ""), ("---\n---\n", ""),
        ("---\na: b: c\n---\nd", "---\na: b: c\n---\nd"), ("---\nab\n---\nd", "---\nab\n---\nd"),
    ])
    func bodyIsTheTextWithoutItsFrontMatter(text: String, body: String) throws {
        let folder = try NotesFolder()
        try folder.write("x.md", text)
        let library = try FolderLibrary(url: folder.url)
        let document = try #require(try library.document("x.md"))
        #expect(try library.text(of: document).body == body)
    }

    @Test(arguments: [
        ("title: A: b", 2, "a value with \": \" in it needs quotes"),
        ("a: 1\nb: 2\na: 3", 4, "the key \"a\" is already in line 2"),
        ("a:\n\t- b", 3, "a tab cannot indent; use blanks"),
        ("a: [b\nc: d", 2, "a \"]\" is missing"),
        ("a: *b", 2, "the anchor \"b\" is not known"),
        ("a: \"b", 2, "the quote \" has no end"),
        (
            "a: \"\\d\"", 2,
            "a backslash in double quotes is not followed by a known sign; write two of them"
        ),
    ])
    func frontMatterThatIsNotValidIsNamed(yaml: String, line: Int, why: String) throws {
        let folder = try NotesFolder()
        try folder.write("x.md", "---\n\(yaml)\n---\n# A\n")
        let library = try FolderLibrary(url: folder.url)
        let document = try #require(try library.document("x.md"))
        #expect(document.title == "A")
        #expect(
            document.frontMatterProblem
                == "The front matter is not valid YAML (line \(line): \(why)), so its title and tags"
                + " are not read."
        )
        #expect(try library.text(of: document).body.hasPrefix("---\n"))
    }

    @Test func frontMatterLongerThanAHeadIsRead() throws {
        let folder = try NotesFolder()
        let notes = (0..<400).map { "key\($0): value \($0)\n" }.joined()
        try folder.write("x.md", "---\n\(notes)title: Long\n---\n# A\n")
        let library = try FolderLibrary(url: folder.url)
        let reads = try folder.reads {
            let title = try library.document("x.md")?.title
            #expect(title == "Long")
        }
        #expect(reads.heads == 1)
    }

    @Test func objectsKeepTheirIDsFromOneOpeningToTheNext() throws {
        let folder = try sample()
        func id() throws -> String {
            let library = try FolderLibrary(url: folder.url)
            defer { library.close() }
            return try #require(try library.document("recipes/soup.md")).objectID.uri
        }
        #expect(try id() == id())
        #expect(try id().hasSuffix("/Document/precipes%2Fsoup.md"))
    }

    // MARK: Requests

    @Test func predicatesReadWhatTheyAskFor() throws {
        let folder = try sample()
        let library = try FolderLibrary(url: folder.url)
        func find(_ format: String) throws -> (names: [String], reads: FolderReads) {
            var found: [ManagedObjectID] = []
            let reads = try folder.reads {
                found = try library.context.fetch(
                    FetchRequest<ManagedObjectID>(
                        entityName: "Document",
                        predicate: try FetchPredicate(format: format),
                        sortDescriptors: [FetchSortDescriptor("name")]
                    )
                )
            }
            let names = found.compactMap { library.context.object(with: $0) as? Document }
                .map(\.name)
            return (names, reads)
        }
        let byName = try find("name BEGINSWITH 'b'")
        #expect(byName.names == ["b10.md", "b9.md"])
        #expect(byName.reads == FolderReads(folders: 2, heads: 0, texts: 0))
        let byTitle = try find("name ENDSWITH '.md' AND title CONTAINS[c] 'SOUP'")
        #expect(byTitle.names == ["soup.md"])
        #expect(byTitle.reads == FolderReads(folders: 2, heads: 3, texts: 0))
        let byText = try find("title == 'b9' AND content.text CONTAINS 'heading'")
        #expect(byText.names == ["b9.md"])
        #expect(byText.reads == FolderReads(folders: 2, heads: 4, texts: 1))
        let byPath = try find("path == 'recipes/soup.md'")
        #expect(byPath.names == ["soup.md"] && byPath.reads == FolderReads())
        #expect(try find("path == '../b9.md' OR path == '/etc/passwd'").names == [])
        #expect(try find("path == '../\(folder.url.lastPathComponent)/b9.md'").names == [])
        #expect(try find("parent.name == 'recipes'").names == ["soup.md"])
    }

    @Test func requestForOneFolderListsNoOther() throws {
        let folder = try sample()
        let library = try FolderLibrary(url: folder.url)
        let recipes = try #require(try library.entry(at: "recipes") as? Folder)
        var found: [FolderEntry] = []
        let reads = try folder.reads {
            found = try library.context.fetch(
                FetchRequest<FolderEntry>(where: Condition { $0.parent == recipes.objectID })
            )
        }
        #expect(found.map(\.name) == ["soup.md"])
        #expect(reads.folders == 1)
        var texts = FetchRequest<DocumentText>(where: Condition { $0.text.contains("Leeks") })
        texts.limit = 1
        #expect(try library.context.fetch(texts).first?.document?.title == "Soup")
    }

    @Test func windowCountAndDictionariesAreExact() throws {
        let folder = try sample()
        let library = try FolderLibrary(url: folder.url)
        let context = library.context
        var request = FetchRequest<Document>(sortedBy: \.title)
        #expect(try context.fetch(request).map(\.title) == ["Apples", "Soup", "Ten", "b9"])
        request.offset = 1
        request.limit = 2
        #expect(try context.fetch(request).map(\.title) == ["Soup", "Ten"])
        #expect(try context.count(for: FetchRequest<FolderEntry>()) == 6)
        #expect(try context.count(for: FetchRequest<Folder>()) == 2)
        var columns = FetchDescription(entityName: "Document")
        columns.resultType = .dictionaries
        columns.propertiesToFetch = [.init("title", .keyPath("title"))]
        columns.sortDescriptors = [FetchSortDescriptor("title")]
        columns.offset = 1
        columns.limit = 1
        let found = try context.fetch(FetchRequest<[String: GraphValue]>(columns))
        #expect(found == [["title": "Soup"]])
    }

    @Test func whatTheStoreCannotEvaluateTheFrameworkDoes() throws {
        let folder = try sample()
        let library = try FolderLibrary(url: folder.url)
        let context = library.context
        func titles(_ predicate: FetchPredicate) throws -> [String] {
            var request = FetchRequest<Document>(sortedBy: \.name)
            request.predicate = predicate
            return try context.fetch(request).map(\.title)
        }
        #expect(try titles(FetchPredicate(format: "title.length == 3")) == ["Ten"])
        #expect(try titles(FetchPredicate(format: "#size + 1 < 12")) == ["b9"])
        let block = FetchPredicate.block(
            FetchBlock { object, _ in
                guard case .object(let document as Document) = object else { return false }
                return document.tags.isEmpty
            }
        )
        #expect(try titles(block) == ["b9"])
    }

    @Test func searchReadsTextsOnlyWhereTitlesDoNotDecide() throws {
        let folder = try sample()
        let library = try FolderLibrary(url: folder.url)
        func find(_ text: String) throws -> [String] {
            var search = try FolderSearch(text, in: library)
            var found: [ManagedObjectID] = []
            while !search.isDone { found += try search.next(2) }
            return found.compactMap { (library.context.object(with: $0) as? Document)?.title }
                .sorted()
        }
        #expect(try find("LEEKS soup") == ["Soup"])
        #expect(try find("apfel") == ["Apples"])
        #expect(try find("winter") == ["Soup"])
        #expect(try find("leeks apples") == [])
        #expect(try find("") == ["Apples", "Soup", "Ten", "b9"])
        let reads = try folder.reads { _ = try find(".m") }
        #expect(reads.texts == 0 && reads.folders == 2)
    }

    // MARK: Saving

    @Test func savingThrowsOneSentence() throws {
        let folder = try sample()
        let library = try FolderLibrary(url: folder.url)
        let document = try #require(try library.document("b9.md"))
        document.title = "Changed"
        let error = #expect(throws: ObjectGraphError.self) { try library.context.save() }
        #expect(error?.code == .cannotWrite)
        #expect(error?.message.hasSuffix("is open for reading only.") == true)
        library.context.rollback()
        #expect(document.title == "b9")
    }

    /// The folder, opened for writing.
    private func writable(_ folder: NotesFolder) throws -> ManagedObjectContext {
        var options = StoreOptions()
        options.type = MarkdownFolderStore.storeType
        return try PersistentContainer(
            model: ManagedObjectModel(for: MarkdownFolderStore.classes),
            classes: MarkdownFolderStore.classes,
            url: folder.url,
            options: options
        ).viewContext
    }

    private func content(_ folder: NotesFolder, _ name: String) throws -> String {
        try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
    }

    @Test func titleAndTagsAreSavedIntoTheFrontMatterAlone() throws {
        let folder = try sample()
        folder.allow("b10.md", 0o640)
        folder.link("link.md", to: "recipes/soup.md")
        let context = try writable(folder)
        let documents = try context.fetch(FetchRequest<Document>(sortedBy: \.name))
        let ten = try #require(documents.first { $0.name == "b10.md" })
        ten.title = "10: ten"
        let link = try #require(documents.first { $0.name == "link.md" })
        link.tags = "winter hot"
        try context.save()
        let text = "---\ntitle: \"10: ten\"\ntags: [home, Garden]\n---\n# Other\n"
        #expect(try content(folder, "b10.md") == text)
        let soup = "---\ntags: [winter, hot]\n---\n# Soup\n\nLeeks and potatoes. #winter\n"
        #expect(try content(folder, "recipes/soup.md") == soup)
        var info = stat()
        stat(folder.path + "/b10.md", &info)
        #expect(info.st_mode & 0o777 == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 7)
        let library = try FolderLibrary(url: folder.url)
        #expect(try library.document("b10.md")?.title == "10: ten")
    }

    @Test func saveThatIsRefusedChangesNoFile() throws {
        let folder = try sample()
        try folder.write("bad.md", "---\ntitle: a: b\n---\n")
        let context = try writable(folder)
        let documents = try context.fetch(FetchRequest<Document>(sortedBy: \.name))
        for document in documents where document.parent?.parent == nil { document.title = "New" }
        let error = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(
            error?.message
                == "The front matter of \"bad.md\" is not changed: line 2: a value with \": \" in it"
                + " needs quotes."
        )
        #expect(try content(folder, "b9.md") == "no heading")
        context.rollback()
        // Somebody else was faster.
        let nine = try #require(documents.first { $0.name == "b9.md" })
        nine.title = "Mine"
        try folder.write("b9.md", "other")
        let conflict = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(conflict?.code == .mergeConflict)
        #expect(try content(folder, "b9.md") == "other")
        context.rollback()
        context.delete(try #require(documents.first { $0.name == "b10.md" }))
        let refusal = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(refusal?.code == .cannotWrite)
        #expect(try content(folder, "b9.md") == "other")
    }

    @Test func folderBecomesAFile() throws {
        let folder = try sample()
        let library = try FolderLibrary(url: folder.url)
        let coordinator = library.container.coordinator
        let store = try #require(coordinator.persistentStores.first)
        library.context.reset()
        let copy = StoreDescription(url: folder.url.appending(path: "copy.sqlite"))
        let moved = try coordinator.migrateStore(store, to: copy)
        #expect(moved.type == .sqlite)
        let context = library.container.newContext()
        let request = FetchRequest<Document>(sortedBy: \.title)
        #expect(try context.fetch(request).map(\.title) == ["Apples", "Soup", "Ten", "b9"])
        #expect(try context.fetch(request)[1].content?.text.hasPrefix("# Soup") == true)
        #expect(try context.fetch(request)[1].parent?.name == "recipes")
    }
}
