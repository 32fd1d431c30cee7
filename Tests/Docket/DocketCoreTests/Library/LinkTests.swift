import DocketFormats
import FoundationEssentials
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketCore

/// `[[title]]` in texts, and the relationship that follows them.
@Suite struct LinkTests {
    private struct World {
        let folder: LibraryFolder
        let library: Library

        init() throws {
            folder = try LibraryFolder()
            library = try folder.open()
        }
    }

    private func titles(_ items: Set<Item>) -> [String] { items.map(\.title).sorted() }

    private func found(_ world: World, _ search: String) throws -> [String] {
        let filter = try world.library.filter(search)
        return try world.library.itemIDs(of: filter).compactMap {
            (try world.library.context.existingObject(with: $0) as? Item)?.title
        }.sorted()
    }

    @Test func aTextLeadsToTheItemsItNames() throws {
        let world = try World()
        let target = try world.library.addTask(capturing: "Soil test")
        let note = try world.library.addNote(capturing: "Garden\nsee [[soil TEST]], `[[Code]]`")
        #expect(titles(note.links) == ["Soil test"])
        #expect(titles(target.backlinks) == ["Garden"])
        try world.library.setText("no link", of: note)
        #expect(target.backlinks.isEmpty)
        _ = try world.library.undo()
        #expect(titles(target.backlinks) == ["Garden"])
        _ = try world.library.edit(target, [FieldChange("notes=[[Garden]]")])
        #expect(titles(target.links) == ["Garden"])
    }

    @Test func anItemThatComesLaterIsFound() throws {
        let world = try World()
        let note = try world.library.addNote(capturing: "Plan\n[[Shed]] and [[Barn]]")
        let before = note.modified
        #expect(note.links.isEmpty)
        #expect(try found(world, "links:broken") == ["Plan"])
        let later = try world.library.addTask(capturing: "shed")
        #expect(titles(note.links) == ["shed"])
        #expect(note.modified == before)
        _ = try world.library.edit(later, [FieldChange("title=Barn")])
        #expect(titles(note.links) == ["Barn"])
    }

    /// What a search looks for is bounded; what it finds is compared with the whole title.
    @Test func aVeryLongTitleIsLinkedByAllOfIt() throws {
        let world = try World()
        let long = (0..<20_000).map { "x\($0)" }.joined(separator: " ")
        let note = try world.library.addNote(capturing: "Plan\n[[\(long)]]")
        _ = try world.library.addTask(capturing: long + " more")
        #expect(note.links.isEmpty)
        let target = try world.library.addTask(capturing: long)
        #expect(note.links == [target])
        let later = try world.library.addNote(capturing: "Other\n[[\(long)]]")
        #expect(later.links == [target])
    }

    @Test func aNewTitleGoesIntoTheTextsInTheSameStep() throws {
        let world = try World()
        let target = try world.library.addNote(capturing: "Old *1*")
        let note = try world.library.addNote(capturing: "A\n[[old *1*]] `[[Old *1*]]` [[Other]]")
        let task = try world.library.addTask(capturing: "Ask about [[Old *1*]]\nand [[Old *1*]]")
        let step = try world.library.edit(target, [FieldChange("title=New")])
        #expect(step?.name == "Edited \"New\": title, and its links in 2 items")
        #expect(note.text == "[[New]] `[[Old *1*]]` [[Other]]")
        #expect(task.title == "Ask about [[New]]" && task.notes == "and [[New]]")
        #expect(titles(target.backlinks) == ["A", "Ask about [[New]]"])
        _ = try world.library.undo()
        #expect(note.text == "[[old *1*]] `[[Old *1*]]` [[Other]]" && target.title == "Old *1*")
        #expect(titles(target.backlinks) == ["A", "Ask about [[Old *1*]]"])
    }

    @Test func aTitleThatNoLinkCanHaveLeavesTheTexts() throws {
        let world = try World()
        let target = try world.library.addNote(capturing: "Old")
        let note = try world.library.addNote(capturing: "A\n[[Old]]")
        let step = try world.library.edit(target, [FieldChange("title=New [1]")])
        #expect(step?.name.hasSuffix("; the links in 1 note do not lead to it any more") == true)
        #expect(note.text == "[[Old]]" && note.links.isEmpty)
        #expect(try found(world, "links:broken") == ["A"])
    }

    @Test func oneOfTwoWithATitleKeepsTheLink() throws {
        let world = try World()
        let first = try world.library.addTask(capturing: "Twin")
        let note = try world.library.addNote(capturing: "A\n[[Twin]]")
        let second = try world.library.addTask(capturing: "Twin")
        #expect(note.links == [first])
        try world.library.setText("[[Twin]] again", of: note)
        #expect(note.links == [first])
        _ = try world.library.edit(second, [FieldChange("title=Other")])
        #expect(note.text == "[[Twin]] again" && note.links == [first])
        #expect(try world.library.items(titled: "twin").count == 1)
    }

    @Test func aDeletedTargetBreaksTheLink() throws {
        let world = try World()
        let target = try world.library.addTask(capturing: "Gone")
        _ = try world.library.addNote(capturing: "A\n[[Gone]]")
        try world.library.perform(.trash, on: [target])
        #expect(try found(world, "links:broken") == [])
        try world.library.perform(.purge, on: [target])
        #expect(try found(world, "links:broken") == ["A"])
        #expect(try found(world, "links:any") == [])
        _ = try world.library.undo()
        #expect(try found(world, "links:broken") == [])
        #expect(try found(world, "links:any") == ["A"])
    }

    @Test func aFormAndAnImportLinkToo() throws {
        let world = try World()
        let scratch = world.library.makeScratch()
        let note = scratch.insert(Note.self)
        note.title = "Form"
        note.body = "[[Target]]"
        _ = try world.library.saveForm(scratch, of: note)
        #expect(try found(world, "links:broken") == ["Form"])
        let file = """
            {"title": "Target", "kind": "note", "body": "[[Form]] [[Imported]]"}
            {"title": "Imported", "kind": "task", "notes": "[[target]]"}
            """
        _ = try world.library.importItems(.json, from: Array(file.utf8))
        #expect(try found(world, "links:broken") == [])
        #expect(try found(world, "links:any") == ["Form", "Imported", "Target"])
    }

    @Test func aLibraryWithoutLinksGetsThemWhenItIsOpened() throws {
        let world = try World()
        _ = try world.library.addTask(capturing: "Target")
        let note = try world.library.addNote(capturing: "A\n[[target]]")
        for link in note.links { note.$links.remove(link) }
        try world.library.context.save(as: "Without links")
        try world.library.context.coordinator.saveMetadata(nil, for: "DocketLinks")
        world.library.close()
        let again = try world.folder.open()
        defer { again.close() }
        #expect(try titles(again.item(titled: "A")?.links ?? []) == ["Target"])
        #expect(try again.undoSteps(limit: 1).first?.name == "Without links")
    }

    /// Whatever is done, the links are those that the texts say.
    @Test func linksFollowTheTexts() throws {
        let world = try World()
        var random = SeededRandom()
        let names = ["Ämter", "b", "Long title", "x *y*", "Z7"]
        func text() -> String {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in
                "[[\(names.randomElement(using: &random) ?? "")]]"
            }.joined(separator: " ")
        }
        for round in 1...120 {
            let items = try world.library.items(matching: nil)
            let item = items.randomElement(using: &random)
            switch Int.random(in: item?.trashed == nil ? 0...6 : 0...1, using: &random) {
            case 0, 1:
                let title = names.randomElement(using: &random) ?? ""
                _ = try world.library.addNote(capturing: "\(title)\n\(text())")
            case 2: if let item { try world.library.setText(text(), of: item) }
            case 3:
                if let item, let title = names.randomElement(using: &random) {
                    _ = try world.library.edit(item, [FieldChange("title=\(title)")])
                }
            // What somebody has changed since is refused.
            case 4: _ = try? world.library.undo()
            case 5: _ = try? world.library.redo()
            default:
                if let item { try world.library.perform(.trash, on: [item]) }
            }
            for item in try world.library.items(matching: nil) {
                let wanted = Set(item.linkedTitles.keys)
                let led = item.links.map { QueryNames.folded($0.title) }
                #expect(Set(led).count == led.count, "round \(round)")
                #expect(Set(led).isSubset(of: wanted), "round \(round): \(item.title)")
                for title in wanted where !led.contains(title) {
                    let found = try world.library.items(titled: title)
                    #expect(found.isEmpty, "round \(round): \(item.title) to \(title)")
                }
            }
        }
    }
}
