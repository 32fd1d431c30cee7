import ObjectGraph
import Testing

/// Results and saves as asynchronous sequences.
@Suite @MainActor struct AsyncSequenceTests {
    private func context() throws -> ManagedObjectContext {
        try PersistentContainer(for: Author.self, options: .inMemory).viewContext
    }

    private func add(_ title: String, _ year: Int, to context: ManagedObjectContext) {
        let book = context.insert(Book.self)
        book.title = title
        book.year = year
    }

    @Test func rowsComeAtOnceAndAfterEachChange() async throws {
        let context = try context()
        add("Emma", 1815, to: context)
        var seen: [[String]] = []
        for await rows in try Book.results(in: context, where: \.year < 1820, sortedBy: \.title) {
            seen.append(rows.fetchedObjects.map(\.title))
            switch seen.count {
            case 1:
                // Two events while the loop is busy are one element; what does not belong is none.
                add("Persuasion", 1817, to: context)
                context.processPendingChanges()
                add("Lodore", 1835, to: context)
                add("Frankenstein", 1818, to: context)
                context.processPendingChanges()
            case 2:
                context.delete(rows.fetchedObjects[0])
                context.processPendingChanges()
            default: break
            }
            if seen.count == 3 { break }
        }
        #expect(
            seen == [
                ["Emma"], ["Emma", "Frankenstein", "Persuasion"], ["Frankenstein", "Persuasion"],
            ]
        )
    }

    @Test func sectionsAreThoseOfTheProperty() async throws {
        let context = try context()
        for (title, year) in [("b", 1815), ("a", 1815), ("c", 1814)] {
            add(title, year, to: context)
        }
        let results = try Book.results(in: context, sortedBy: \.title, sections: \.year)
        for await rows in results {
            #expect((0..<rows.sectionCount).map(rows.sectionName) == ["1814", "1815"])
            #expect(rows.fetchedObjects.map(\.title) == ["c", "a", "b"])
            break
        }
    }

    @Test func savesAreElementsInTheirOrder() async throws {
        let context = try context()
        let saves = context.saves
        for name in ["Jane", "Mary"] {
            context.insert(Author.self).name = name
            try context.save()
        }
        var seen: [[String]] = []
        for await save in saves {
            seen.append(save.inserted.compactMap { ($0 as? Author)?.name })
            if seen.count == 2 { break }
        }
        #expect(seen == [["Jane"], ["Mary"]])
    }

    @Test func loopEndsWithItsTask() async throws {
        let context = try context()
        add("Emma", 1815, to: context)
        let task = Task { @MainActor in
            var count = 0
            for await _ in try Book.results(in: context, sortedBy: \.title) { count += 1 }
            return count
        }
        // The task has its first element and waits, or has not begun: it ends in both cases.
        await Task.yield()
        task.cancel()
        #expect(try await task.value <= 1)
    }

    @Test func observersGoWithTheSequence() throws {
        let context = try context()
        let center = context.notifications
        let before = center.observerCount
        var saves: NotificationSequence<ContextDidSave>? = context.saves
        #expect(center.observerCount == before + 1)
        saves = nil
        #expect(saves == nil && center.observerCount == before)
    }
}
