import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing

@Suite("Previews in words")
struct PreviewTests {
    @Test func eachFieldIsNamedWithItsValues() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        defer { library.close() }
        let task = try library.addTask(capturing: "Pay rent +Home #bank !high 2029-03-01")
        try library.edit(
            task,
            [
                FieldChange("title=Pay the rent"), FieldChange("due=2029-03-02"),
                FieldChange("priority=0"), FieldChange("tags=out"), FieldChange("list="),
                FieldChange("notes=hello"),
            ]
        )
        let preview = try #require(try library.previewUndo())
        #expect(
            library.lines(of: preview).map(\.text) == [
                "~ 1 Pay the rent  title: \"Pay the rent\" → \"Pay rent\"; list: Inbox → Home; "
                    + "due: 2 Mar 2029 → 1 Mar 2029; priority: none → high; text; +#bank; -#out",
                "- tag out",
            ]
        )
        let both = try #require(try library.previewUndo(steps: 2))
        #expect(
            library.lines(of: both).map(\.text) == [
                "- 1 Pay the rent", "- list Home", "- tag bank",
            ]
                + ["- tag out"]
        )
    }

    @Test func stateMarksAreWords() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        defer { library.close() }
        let first = try library.addTask(capturing: "First")
        let second = try library.addTask(capturing: "Second")
        try library.complete([first])
        func next() throws -> [String] {
            library.lines(of: try #require(try library.previewUndo())).map(\.text)
        }
        #expect(try next() == ["~ 1 First  open again"])
        try library.trash([first])
        #expect(try next() == ["~ 1 First  out of the trash"])
        try library.place([second], .top)
        #expect(try next() == ["~ 2 Second  place in order"])
        _ = try library.undo()
        let back = try #require(try library.previewRedo())
        #expect(library.lines(of: back).map(\.text) == ["~ 2 Second  place in order"])
    }

    @Test(arguments: SeededRandom.seeds(6))
    func whatIsNotNamedStaysAsItIs(seed: UInt64) throws {
        var random = RandomCommands(seed: seed)
        let folder = try LibraryFolder()
        let (here, there) = (try folder.open(author: "one"), try folder.open(author: "two"))
        defer {
            here.close()
            there.close()
        }
        for step in 0..<25 {
            try random.run(on: random.chance(50) ? here : there)
            guard let preview = try here.previewUndo(), random.chance(60) else { continue }
            // Another process writes between the look and the step.
            if random.chance(40) { try random.run(on: there) }
            try here.refresh()
            let before = try titles(here)
            let place = "seed \(seed), step \(step)"
            do {
                _ = try here.context.undoLastCommand(expecting: preview)
            } catch let error as ObjectGraphError where error.code == .undoState {
                #expect(try titles(here) == before, "\(place)")
                continue
            }
            let after = try titles(here)
            let named = Set(
                library(here, preview).compactMap { Int64($0.split(separator: " ").first ?? "") }
            )
            for number in Set(before.keys).union(after.keys) where !named.contains(number) {
                #expect(before[number] == after[number], "\(place): \(number) was not named")
            }
        }
    }

    private func library(_ library: Library, _ preview: HistoryPreview) -> [String] {
        library.lines(of: preview).map(\.subject)
    }

    /// What people see of each item, by its number.
    private func titles(_ library: Library) throws -> [Int64: String] {
        var result: [Int64: String] = [:]
        let fresh = ManagedObjectContext(coordinator: library.coordinator)
        for item in try Item.all(in: fresh) {
            let task = item as? Task
            result[item.shortID] =
                "\(item.title) \(item.list?.objectID.key ?? 0) \(item.tags.map(\.name).sorted()) "
                + "\(item.trashed != nil) \(task?.completed != nil) \(task?.priority ?? 0) "
                + "\(String(describing: task?.due)) \(item.displayOrder) \(item.notes ?? "")"
        }
        return result
    }
}
