import DocketCore
import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

/// Searches that are saved as lists, and built-in lists that were changed.
@Suite struct SavedListTests {
    private func saved(
        _ library: Library,
        _ name: String,
        _ query: String = "priority:high"
    ) throws -> SmartList {
        try library.addSmartList(SmartListValues(name: name, query: query)).list
    }

    private func shown(_ library: Library) throws -> [String] {
        try library.smartLists().shown(in: .focus).map(\.title)
    }

    @Test func aSavedSearchIsAListThatUndoTakesAwayAndRedoBringsBackForAllWindows() throws {
        let folder = try LibraryFolder()
        let (one, two) = (try folder.open(), try folder.open())
        try one.addTask(capturing: "Pay rent !high")
        try one.addTask(capturing: "Sweep")
        let values = SmartListValues(
            name: "  Urgent\tthings ",
            query: "priority:high",
            sort: SortWord(.created, isReversed: true),
            grouping: .list
        )
        let (list, step) = try one.addSmartList(values)
        #expect(step?.name == "Added the smart list \"Urgent things\"")
        #expect(list.title == "Urgent things" && list.order == .created && list.isReversed)
        #expect(list.grouping == .list && !list.isBuiltIn)
        let other = try #require(try two.smartLists().named("urgent THINGS"))
        #expect(other.isSame(as: list))
        let clock = two.clock()
        let found = try two.items(matching: other.condition(clock, showsDone: false))
        #expect(found.map(\.title) == ["Pay rent"])
        #expect(try shown(two).last == "Urgent things")
        _ = try two.undo()
        #expect(try one.smartLists().named("Urgent things") == nil)
        _ = try one.redo()
        #expect(try one.smartLists().named("Urgent things")?.isSame(as: list) == true)
    }

    @Test func editsOfNameAndSearchAreStepsInWords() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        let list = try saved(library, "Soon")
        var values = SmartListValues(list)
        values.name = "Sooner"
        #expect(
            try library.edit(list, values)?.name == "Renamed the smart list \"Soon\" to \"Sooner\""
        )
        values.query = "due:<7d"
        values.sort = SortWord(.title, isReversed: false)
        #expect(
            try library.edit(list, values)?.name
                == "Edited the smart list \"Sooner\": search, order"
        )
        let preview = library.lines(of: try #require(try library.previewUndo())).map(\.text)
        #expect(
            preview == [
                "~ smart list Sooner  search: due:<7d → priority:high; order: title → hand"
            ]
        )
        #expect(try library.edit(list, values) == nil)
        #expect(try library.delete(list)?.name == "Deleted the smart list \"Sooner\"")
        #expect(try library.delete(list) == nil)
        #expect(throws: InputError.self) { try library.edit(list, values) }
        for _ in 0..<3 { _ = try library.undo() }
        #expect(try library.smartLists().named("Soon")?.query == "priority:high")
    }

    @Test(arguments: [
        ("", "due:<7d", "A smart list needs a name; write some words."),
        ("\u{7}\u{1B}", "due:<7d", "A smart list needs a name; write some words."),
        (
            "today", "due:<7d",
            "There is a built-in list with the name \"Today\" already; write another name."
        ),
        (
            "NEXT 7 days", "due:<7d",
            "There is a built-in list with the name \"Next 7 days\" already; write another name."
        ),
        (
            "tAken", "due:<7d",
            "There is a smart list with the name \"Taken\" already; write another name."
        ),
        (
            "lists/Recipes", "due:<7d",
            "A name that begins with lists/ means a folder; write another one."
        ),
        ("Empty", " ", "The search asks for nothing; write one such as due:<7d tag:home."),
        ("Wrong", "tag:nowhere", "The tag #nowhere does not exist."),
        ("Wrong", "priority:", "priority: needs a value."),
        ("Itself", "list:Itself", "The list \"Itself\" does not exist."),
    ])
    func aNameOrASearchThatCannotBeIsRefusedAndNothingIsSaved(
        name: String,
        query: String,
        sentence: String
    ) throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        _ = try saved(library, "Taken")
        let before = try library.latestTransaction()
        let error = #expect(throws: InputError.self) { try saved(library, name, query) }
        #expect(error?.message == sentence)
        #expect(try library.latestTransaction() == before)
    }

    @Test func aNameCanBeAnythingElseThatIsALine() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        _ = try library.addList(path: ["Work"])
        let names = ["🌱", "مشروع", "a/b", "Work", "-x", "or", "\"quoted\"", "x\u{202E}y"]
        for name in names {
            let list = try saved(library, name)
            #expect(list.title == name)
            #expect(try library.smartLists().named(name) == list)
        }
        #expect(try shown(library).suffix(names.count) == names[...])
        let long = String(repeating: "x", count: Library.longestListName)
        _ = try saved(library, long)
        #expect(throws: InputError.self) { try saved(library, long + "x") }
    }

    @Test func aSearchWhoseTagWasRenamedShowsItsSentenceAndNothingElse() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        let task = try library.addTask(capturing: "Pay rent #bank +Home")
        let (tags, lists) = (
            try saved(library, "Bank", "tag:bank"), try saved(library, "At home", "list:Home")
        )
        let clock = library.clock()
        #expect(try library.count(tags.countedCondition(clock)) == 1)
        try library.changeTags(of: [task], adding: ["money"], removing: ["bank"])
        for tag in try library.tags() where tag.name == "bank" {
            library.context.delete(tag)
        }
        try library.context.save()
        try library.delete(#require(try library.existingList(path: ["Home"])))
        let now = try library.smartLists()
        let (bank, home) = (try #require(now.current(tags)), try #require(now.current(lists)))
        #expect(bank.problem(clock) == "The tag #bank does not exist. Existing tags: #money.")
        #expect(bank.emptyText(clock) == bank.problem(clock))
        #expect(home.problem(clock) == "The list \"Home\" does not exist.")
        for list in [bank, home] {
            #expect(try library.count(list.countedCondition(clock)) == 0)
            #expect(try library.count(list.condition(clock, showsDone: true)) == 0)
        }
        // Its order can be changed without its search.
        var values = SmartListValues(bank)
        values.sort = SortWord(.due, isReversed: false)
        #expect(try library.edit(bank, values) != nil)
        _ = try library.addTask(capturing: "Back #bank")
        #expect(try library.smartLists().current(bank)?.problem(clock) == nil)
    }

    @Test(arguments: [
        ("list:Home tag:bank", "list:House tag:bank"), ("list:=home", "list:=House"),
        ("-list:Home/Garden or list:work", "-list:House/Garden or list:work"),
        ("list:Garden  due:<7d", "list:Garden  due:<7d"), ("list:work,Home", "list:work,House"),
        ("\"list:Home\" Home list:none", "\"list:Home\" Home list:none"),
    ])
    func aSearchFollowsAListThatIsRenamedAndUndone(_ query: String, _ renamed: String) throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        for text in ["a +Home #bank", "b +Home/Garden", "c +Work"] {
            try library.addTask(capturing: text)
        }
        let list = try saved(library, "Mine", query)
        let clock = library.clock()
        let found = try library.items(matching: list.condition(clock, showsDone: true)).map(\.title)
        let home = try #require(try library.existingList(path: ["Home"]))
        let steps = try library.undoSteps(limit: 100).count
        #expect(
            try library.rename(home, to: "House")?.name == "Renamed the list \"Home\" to \"House\""
        )
        #expect(try library.undoSteps(limit: 100).count == steps + 1)
        let now = try #require(try library.smartLists().current(list))
        #expect(now.query == renamed)
        #expect(
            try library.items(matching: now.condition(clock, showsDone: true)).map(\.title) == found
        )
        _ = try library.undo()
        #expect(try library.smartLists().current(list)?.query == query)
    }

    @Test(arguments: ["none", "a b", "q\"uote", "sl/ash", "(par", "a,b", "=eq", "back\\slash"])
    func aSearchFollowsAListToAnyName(_ name: String) throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        try library.addTask(capturing: "a +Home")
        try library.addTask(capturing: "b")
        let list = try saved(library, "Mine", "list:Home")
        try library.rename(#require(try library.existingList(path: ["Home"])), to: name)
        let now = try #require(try library.smartLists().current(list))
        let found = try library.items(matching: now.condition(library.clock(), showsDone: true))
        #expect(found.map(\.title) == ["a"], "\(now.query)")
    }

    @Test(arguments: ["Work", "work", " WORK\t"])
    func aListIsNotRenamedToTheNameOfAnother(_ name: String) throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        for text in ["a +Home", "b +Work", "c +Home/Work"] { try library.addTask(capturing: text) }
        let home = try #require(try library.existingList(path: ["Home"]))
        let error = #expect(throws: InputError.self) { try library.rename(home, to: name) }
        let sentence = "There is a list with the name \"Work\" already; write another name."
        #expect(error?.message == sentence)
        #expect(home.name == "Home")
        #expect(try library.rename(home, to: "HOME")?.subject.count == 1)
    }

    @Test func aBuiltInListTakesAnotherSearchAndComesBack() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        try library.addTask(capturing: "Pay rent !high")
        try library.addTask(capturing: "Sweep !medium")
        let list = SmartList.highPriority
        let clock = library.clock()
        var values = SmartListValues(list)
        values.query = "priority>=medium"
        values.grouping = .priority
        #expect(
            try library.edit(list, values)?.name
                == "Edited the smart list \"High priority\": search, groups"
        )
        let changed = try #require(try library.smartLists().current(list))
        #expect(changed.isBuiltIn && changed.isCountedBySearch && changed.grouping == .priority)
        #expect(try library.count(changed.countedCondition(clock)) == 2)
        #expect(try library.smartLists().named("high priority")?.query == "priority>=medium")
        values.isHidden = true
        #expect(
            try library.edit(changed, values)?.name
                == "Edited the smart list \"High priority\": hidden"
        )
        #expect(try !shown(library).contains("High priority"))
        #expect(try library.delete(changed)?.name == "Restored the smart list \"High priority\"")
        #expect(try library.smartLists().current(list)?.isSame(as: list) == true)
        #expect(try library.smartLists().current(list)?.query == "priority:high")
        #expect(try shown(library).contains("High priority"))
        #expect(try library.delete(list) == nil)
    }

    @Test func aSearchThatSpeaksOfDoneItemsShowsThem() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        let task = try library.addTask(capturing: "Pay rent #bank")
        try library.addTask(capturing: "Other #bank")
        try library.complete([task])
        let (open, all) = (
            try saved(library, "Open", "tag:bank"),
            try saved(library, "Both", "tag:bank (is:open or is:done)")
        )
        let clock = library.clock()
        #expect(try library.count(open.condition(clock, showsDone: true)) == 1)
        #expect(try library.count(all.condition(clock, showsDone: false)) == 2)
        #expect(try library.count(all.countedCondition(clock)) == 2)
    }

    @Test func listsMovePastTheirShownNeighboursAlsoBuiltInOnes() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        let (first, second) = (try saved(library, "First"), try saved(library, "Second"))
        var order = try shown(library)
        #expect(try library.move(second, by: -1)?.name == "Moved the smart list \"Second\" up")
        order.swapAt(order.count - 1, order.count - 2)
        #expect(try shown(library) == order)
        for place in stride(from: order.count - 2, to: 0, by: -1) {
            try library.move(second, by: -1)
            order.swapAt(place, place - 1)
            #expect(try shown(library) == order)
        }
        #expect(try library.move(second, by: -1) == nil)
        try library.move(.today, by: 1)
        order.swapAt(1, 2)
        #expect(try shown(library) == order)
        _ = try library.undo()
        order.swapAt(1, 2)
        #expect(try shown(library) == order)
        #expect(try library.move(first, by: 1) == nil)
        #expect(try library.move(.trash, by: -1) != nil)
    }

    @Test func twoWindowsThatChangeOneBuiltInListAtOnceLeaveOneThatCanBeSetBack() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        // What two windows can leave behind that both found no row.
        for query in ["is:flagged", "priority:low"] {
            let row = SavedSearch(context: library.context)
            row.builtIn = "today"
            row.name = "Today"
            row.query = query
        }
        try library.context.save()
        let today = try #require(try library.smartLists().current(.today))
        #expect(["is:flagged", "priority:low"].contains(today.query))
        try library.delete(today)
        #expect(try library.smartLists().current(.today)?.query == SmartList.today.query)
    }

    @Test func tenThousandSavedSearchesAreReadWithFourFetches() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        for number in 0..<10_000 {
            let row = SavedSearch(context: library.context)
            row.name = "List \(number)"
            row.query = "tag:none due:<7d \(number)"
            row.displayOrder = Int64(number + 100) << 20
        }
        try library.context.save()
        library.context.reset()
        let coordinator = library.context.coordinator
        coordinator.startCounting()
        let lists = try library.smartLists()
        let fetches = coordinator.counters.fetches
        coordinator.stopCounting()
        #expect(lists.all.count == 10_000 + SmartList.table.count)
        #expect(fetches == 4)
        #expect(lists.named("list 9999")?.query == "tag:none due:<7d 9999")
    }
}
