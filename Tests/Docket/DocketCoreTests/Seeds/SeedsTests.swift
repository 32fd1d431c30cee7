import CivilTime
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// What Docket brings along.
@Suite struct SeedsTests {
    @Test func emptyStoreGetsTheLessonAsOneStep() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        try library.welcome()
        let items = try library.items(matching: nil)
        #expect(
            items.map(\.title) == [
                "Press Space to mark this task as done, then u to undo it",
                "Press a and type: Pay rent tomorrow 9am +Home #bank !high",
                "Tasks can have subtasks (A adds one, - folds)",
                "J and K move a task, also while you search",
                "v marks several for one command",
                "Press / and type a few letters of two words",
                "How this works",
            ]
        )
        #expect(items.map(\.shortID) == [1, 2, 3, 4, 5, 6, 7])
        #expect(items.allSatisfy { $0.list?.name == "Welcome" })
        let tasks = items.compactMap { $0 as? Task }
        let today = DueDate(day: library.clock().today)
        #expect(tasks.map(\.dueDate) == [today, today, nil, nil, nil, nil])
        #expect(tasks.map(\.priority) == [3, 0, 0, 0, 0, 0])
        #expect(tasks.map { $0.parent?.shortID } == [nil, nil, nil, 3, 3, nil])
        #expect(tasks.map(\.isDone) == [false, false, false, false, true, false])
        #expect(tasks.map { $0.tags.map(\.name) } == [[], ["learn"], [], [], [], ["learn"]])
        let body = try #require((items.last as? Note)?.body)
        #expect(body.hasPrefix("# Docket in a minute\n\nThe left pane has **lists**, "))
        #expect(body.hasSuffix("`g W` deletes this list."))
        let steps = try library.undoSteps(limit: 9).map(\.name)
        #expect(steps == ["Added the list \"Welcome\" (7 items)"])
        try library.welcome()
        #expect(try library.count(nil) == 7)
    }

    @Test func whatIsLeftOfTheLessonGoesInOneStepAndWhatIsTheUsersStays() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        try library.welcome()
        let items = try library.items(matching: nil)
        let other = try library.addTask(capturing: "Mine +Home #learn")
        let subtask = try library.addTask(capturing: "Also mine")
        let tree = try #require(items[2] as? Task)
        try library.perform(.parent(tree.objectID), on: [subtask])
        try library.perform(.trash, on: [items[0]])
        try library.perform(.list(.path(["Home"])), on: [items[1]])
        #expect(try library.removeSample()?.name == "Deleted 7 items")
        #expect(try library.items(matching: nil).map(\.title) == ["Mine", "Also mine"])
        #expect(subtask.parent == nil && !other.isDeleted)
        #expect(try library.lists().map(\.name) == ["Home"])
        #expect(try library.tags().map(\.name) == ["learn"])
        #expect(try library.removeSample() == nil)
        _ = try library.undo()
        #expect(try library.sample().count == 7)
        #expect(try Set(library.lists().map(\.name)) == ["Home", "Welcome"])
        #expect(try library.removeSample() != nil)
    }

    @Test func listOfTheLessonStaysWithWhatTheUserHasPutThere() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        try library.welcome()
        _ = try library.addTask(capturing: "Mine +Welcome")
        try library.removeSample()
        #expect(try library.items(matching: nil).map { $0.list?.name } == ["Welcome"])
        #expect(try library.tags().isEmpty)
    }

    @Test func lessonThatWasDeletedDoesNotReturn() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        try library.welcome()
        for item in try library.items(matching: nil) { library.context.delete(item) }
        try library.context.save()
        library.close()
        let again = try folder.open()
        try again.welcome()
        #expect(try again.count(nil) == 0)
    }

    @Test func twoWindowsOpenedAtOnceGiveOneLesson() throws {
        let folder = try LibraryFolder()
        let (first, second) = (try folder.open(), try folder.open())
        // The second window has looked before the first one saved.
        let early = try second.latestTransaction()
        try first.welcome()
        #expect(early == 0)
        try second.welcome()
        try first.refresh()
        #expect(try first.count(nil) == 7 && second.count(nil) == 7)
    }

    @Test func vaultGetsItsCategoriesOnceInAnyContext() throws {
        let folder = try LibraryFolder()
        let vault = try PersistentContainer(
            model: ManagedObjectModel([
                EntityDescription(
                    "Category",
                    [
                        AttributeDescription("name", .string),
                        AttributeDescription("displayOrder", .integer64),
                    ]
                ),
                EntityDescription(
                    "SeedVersion",
                    [
                        AttributeDescription("name", .string),
                        AttributeDescription("version", .integer64),
                    ]
                ),
            ]),
            url: folder.url.appending(path: "vault.sqlite")
        )
        let context = vault.viewContext
        #expect(try Seeds.vault.apply(to: context).count == 5)
        try context.save()
        let request = FetchRequest(
            entityName: "Category",
            sortDescriptors: [FetchSortDescriptor("displayOrder")]
        )
        let categories = try context.fetch(request)
        let names = try categories.map { try $0.value(forKey: "name", as: String.self) }
        #expect(names == ["Login", "Bank", "Mail", "Server", "Note"])
        context.delete(categories[1])
        try context.save()
        #expect(try Seeds.vault.run(in: vault.coordinator) == 0)
        #expect(try context.fetch(request).count == 4)
    }
}
