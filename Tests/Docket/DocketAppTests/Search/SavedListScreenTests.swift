import DocketCore
import DocketFormats
import LibraryVerbs
import ObjectGraph
import SeededRandom
import TerminalUI
import Testing

@testable import DocketApp

/// Searches that are saved as lists, on the screen.
@Suite struct SavedListScreenTests {
    private func saved(_ robot: Robot, _ name: String, _ query: String) throws -> SmartList {
        let list = try robot.library.addSmartList(SmartListValues(name: name, query: query)).list
        robot.library.context.processPendingChanges()
        robot.settle()
        return list
    }

    private func count(_ robot: Robot, _ list: SmartList) -> Int? {
        robot.workspace.count(of: .smart(list))
    }

    @Test func aSearchIsSavedFromItsLineAndShownWithItsCount() throws {
        let robot = try Robot(rows: 40)
        try robot.press("/")
        robot.type("priority>=low")
        let found = robot.titles.count
        #expect(found > 0)
        try robot.press("ctrl+s")
        #expect(robot.shows("New smart list") && robot.shows("priority>=low"))
        robot.type("Worth doing")
        try robot.press("ctrl+s")
        #expect(robot.workspace.modals.isEmpty && !robot.workspace.items.isSearching)
        #expect(robot.message.contains("Added the smart list \"Worth doing\""))
        #expect(robot.titles.count == found)
        let row = try #require(robot.screen.first { $0.contains(" Worth doing") })
        #expect(row.contains(" \(found) ") || row.contains(" \(found)│"), "\(row)")
        try robot.press("u")
        #expect(robot.workspace.items.scope == .smart(.all) && !robot.shows("Worth doing "))
        try robot.press("ctrl+r")
        #expect(robot.shows("Worth doing"))
        #expect(try robot.library.smartLists().named("Worth doing") != nil)
    }

    private static let longNames = Sample("long names") { library in
        try Sample.home.fill(library)
        for length in 10...30 {
            let name = "\(length)" + String(repeating: "9", count: length - 2)
            _ = try library.addSmartList(SmartListValues(name: name, query: "is:open"))
        }
    }

    @Test(arguments: [60, 70, 80, 96, 110, 120])
    func aLongNameStaysApartFromItsCount(columns: Int) throws {
        let robot = try Robot(rows: 40, columns: columns, sample: Self.longNames)
        let count = try robot.library.count(Library.openItems)
        let rows = robot.screen.filter { $0.contains(#/^ [1-3][0-9]9/#) }
        #expect(rows.count == 21, "\(robot.text)")
        for row in rows { #expect(row.contains(" \(count) "), "\(row)") }
    }

    @Test(arguments: [
        "🧾 Bills", "פתוח RTL", "a/b: c", "\"quoted\" 'name'", "-dash", "Home", "\u{202E}reversed",
        "bell\u{7}tab\tline\nend", "e\u{301}\u{301}\u{301}", String(repeating: "ü", count: 200),
    ])
    func anyNameIsShownRenamedUndoneAndRedone(name: String) throws {
        var random = SeededRandom(seed: UInt64(name.utf8.count))
        for (rows, columns) in random.share(of: [(24, 80), (10, 40), (36, 120)], oneIn: 3) {
            // `Home` is the name of a list of the user, too.
            let robot = try Robot(rows: rows, columns: columns)
            try robot.press("L s")
            robot.paste(name)
            robot.resize(rows: 30, columns: 90)
            try robot.press("tab")
            robot.type("is:open")
            robot.resize(rows: rows, columns: columns)
            try robot.press("ctrl+s")
            #expect(robot.workspace.modals.isEmpty, "\(robot.text)")
            let list = try #require(try robot.library.smartLists().all.last { !$0.isBuiltIn })
            #expect(
                list.title.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            )
            #expect(robot.workspace.items.scope == .smart(list))
            try robot.press("L e ctrl+s")
            #expect(robot.message.hasPrefix("The smart list is as it was"), "\(robot.message)")
            try robot.press("u")
            #expect(try robot.library.smartLists().current(list) == nil)
            #expect(robot.workspace.items.scope == .smart(.all))
            try robot.press("ctrl+r")
            let now = try robot.library.smartLists().all.last { !$0.isBuiltIn }
            let again = try #require(now, "\(rows) \(robot.message)\n\(robot.text)")
            #expect(again.title == list.title)
            for line in robot.screen {
                #expect(
                    line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
                )
            }
        }
    }

    @Test(arguments: ["Today", "overdue", "recentlyDone", "  TODAY  "])
    func theNameOfABuiltInListIsRefusedAndTheTextStays(name: String) throws {
        let robot = try Robot()
        try robot.press("L s")
        robot.type(name)
        try robot.press("tab")
        robot.type("is:open")
        try robot.press("ctrl+s")
        #expect(robot.shows("There is a built-in list with the name"), "\(robot.text)")
        #expect(robot.shows("is:open") && robot.workspace.modal is SmartListForm)
        #expect(try robot.library.smartLists().all.allSatisfy(\.isBuiltIn))
    }

    @Test func countsFollowEveryChangeWithoutAStatementForAList() throws {
        let robot = try Robot(rows: 50)
        let queries = [
            "tag:any", "priority:high or due:<7d", "title:~^p", "rent -is:flagged", "list:any",
        ]
        var lists = try queries.map { try saved(robot, "List \($0)", $0) }
        lists.append(.blocked)
        func check(_ what: String) throws {
            robot.settle()
            for list in lists {
                let now = try #require(try robot.library.smartLists().current(list))
                let wanted = try robot.library.count(now.countedCondition(robot.library.clock()))
                #expect(count(robot, now) == wanted, "\(list.title) after \(what)")
            }
        }
        try check("the start")
        let task = try robot.library.addTask(capturing: "Paint rent !high #new +Home")
        try check("a new task")
        let other = try robot.library.addTask(capturing: "Waits tomorrow")
        other.$blockedBy.insert(task)
        try robot.library.context.save()
        try check("a dependency")
        try robot.library.complete([task])
        try check("completing")
        _ = try robot.library.undo()
        try check("undo")
        try robot.library.trash([task])
        try check("the trash")
    }

    @Test func aFormWithAMistakeKeepsTheTextAndSaysWhatIsWrong() throws {
        let robot = try Robot(rows: 30)
        try robot.press("L s")
        robot.type("Broken")
        try robot.press("tab")
        robot.type("tag:nowhere rent")
        #expect(robot.shows("The tag #nowhere does not exist."))
        try robot.press("ctrl+s")
        #expect(robot.shows("Broken") && robot.shows("tag:nowhere rent"))
        #expect(robot.workspace.modal is SmartListForm)
        try robot.press("esc")
        try robot.press("L s ctrl+t")
        #expect(robot.shows("Broken") && robot.shows("tag:nowhere rent"))
        try robot.press("tab")
        for _ in 0..<20 { try robot.press("backspace") }
        robot.type("rent")
        #expect(robot.shows("“rent”"))
        try robot.press("ctrl+s")
        #expect(robot.message.contains("Added the smart list"), "\(robot.text)")
    }

    @Test func renamingEditingMovingAndDeletingAreOneStepEach() throws {
        let robot = try Robot(rows: 40)
        _ = try saved(robot, "Soon", "due:<7d")
        let list = try #require(try robot.library.smartLists().named("Soon"))
        try robot.workspace.show(.smart(list))
        try robot.press("L r")
        robot.type("Sooner")
        try robot.press("enter")
        #expect(robot.message.contains("Renamed the smart list \"Soon\" to \"Sooner\""))
        try robot.press("L e tab tab right tab right ctrl+s")
        #expect(
            robot.message.contains("Edited the smart list \"Sooner\": order, groups"),
            "\(robot.text)"
        )
        #expect(robot.workspace.items.order.order == .byHand)
        #expect(robot.workspace.items.order.isReversed && robot.workspace.items.grouping == .none)
        robot.workspace.focus = .lists
        try robot.press("K")
        #expect(robot.message.contains("Moved the smart list \"Sooner\" up"))
        #expect(robot.workspace.lists.selectedScope == .smart(list))
        try robot.press("L d")
        #expect(robot.message.contains("Deleted the smart list \"Sooner\""))
        #expect(robot.workspace.items.scope == .smart(.all))
        for _ in 0..<4 { try robot.press("u") }
        #expect(try robot.library.smartLists().named("Sooner") == nil)
        #expect(robot.workspace.lists.lines.contains { $0.scope == .smart(list) })
    }

    @Test func aBuiltInListIsChangedHiddenReachedAndSetBack() throws {
        let robot = try Robot(rows: 40, start: .flagged)
        try robot.press("L e")
        #expect(robot.shows("Smart list Flagged") && !robot.shows("Name"))
        // The first character replaces the search that was there.
        robot.type("priority:high")
        try robot.press("ctrl+s")
        let wanted = try robot.library.count(
            SmartList.highPriority.countedCondition(robot.library.clock())
        )
        #expect(robot.titles.count == wanted)
        try robot.press("L h")
        #expect(robot.workspace.lists.lines.allSatisfy { $0.scope != .smart(.flagged) })
        try robot.press("g A")
        try robot.press("g f")
        #expect(robot.workspace.items.scope == .smart(.flagged) && robot.titles.count == wanted)
        try robot.press("L o")
        #expect(robot.message.contains("Restored the smart list \"Flagged\""))
        #expect(robot.workspace.lists.lines.contains { $0.scope == .smart(.flagged) })
        try robot.press("L o")
        #expect(robot.message.contains("This is not a built-in list that was changed."))
        try robot.press("L d")
        #expect(robot.message.contains("Flagged is built in; Le changes its search"))
    }

    @Test func whatAnotherWindowChangesAgainAndAgainInTheListsIsShown() throws {
        let robot = try Robot(rows: 40)
        robot.application.follow(robot.library)
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        func titles() throws -> [String] {
            robot.application.handle([.woken])
            robot.settle()
            try robot.workspace.lists.prepare()
            return robot.workspace.lists.lines.compactMap { line in
                if case .scope(_, let title, _, _) = line { title } else { nil }
            }
        }
        for _ in 0..<3 {
            let all = try #require(try other.smartLists().all.first { $0.title == "All" })
            try other.move(all, by: -1)
            let order = try other.smartLists().shown(in: .focus).map(\.title)
            #expect(try titles().filter(order.contains) == order)
        }
        let (list, _) = try other.addList(path: ["Attic"])
        let tag = try other.addTask(capturing: "Sweep #broom").tags.first
        for number in 1...3 {
            try other.rename(list, to: "Attic \(number)")
            tag?.name = "broom\(number)"
            try other.context.save()
            let shown = try titles()
            #expect(
                shown.contains("Attic \(number)") && shown.contains("broom\(number)"),
                "\(shown)"
            )
        }
    }

    @Test func anotherWindowsListAppearsAndWhatBothEditAsksFirst() throws {
        let robot = try Robot(rows: 40)
        robot.application.follow(robot.library)
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        let (list, _) = try other.addSmartList(SmartListValues(name: "Theirs", query: "rent"))
        robot.application.handle([.woken])
        robot.settle()
        #expect(robot.shows("Theirs"))
        try robot.workspace.show(.smart(list))
        try robot.press("L e")
        robot.type("Mine")
        try other.edit(list, SmartListValues(name: "Theirs now", query: "rent -is:flagged"))
        try robot.press("ctrl+s")
        #expect(robot.shows("Changed elsewhere meanwhile: ^S again replaces that."))
        try robot.press("ctrl+s")
        #expect(try other.smartLists().current(list)?.title == "Mine")
        #expect(try other.smartLists().current(list)?.query == "rent")
        try robot.press("L e")
        robot.type("Mine too")
        try other.delete(list)
        try robot.press("ctrl+s")
        #expect(robot.shows("It was deleted elsewhere; ^S again saves it as a new list."))
        try robot.press("ctrl+s")
        #expect(try other.smartLists().named("Mine too") != nil)
    }

    @Test func aListWhoseTagIsGoneShowsItsSentence() throws {
        let robot = try Robot(rows: 40)
        _ = try robot.library.addTask(capturing: "One #only")
        let list = try saved(robot, "Only", "tag:only")
        try robot.workspace.show(.smart(list))
        robot.settle()
        #expect(robot.titles == ["One"])
        for tag in try robot.library.tags() where tag.name == "only" {
            robot.library.context.delete(tag)
        }
        try robot.library.context.save()
        robot.settle()
        #expect(robot.titles == [] && robot.shows("The tag #only does not exist."))
        #expect(robot.screen.contains { $0.contains(#/ Only +!/#) })
    }

    @Test func aNewItemGetsWhatTheListAsksForAndTheLineSaysItBefore() throws {
        let robot = try Robot(rows: 40)
        let list = try saved(robot, "Bank", "tag:bank list:Home priority=high is:flagged due:today")
        try robot.workspace.show(.smart(list))
        robot.settle()
        try robot.press("a")
        for part in ["due today", "Home", "#bank", "high priority", "flagged"] {
            #expect(robot.shows(part), "\(part)\n\(robot.text)")
        }
        robot.type("Ask for a loan")
        #expect(robot.shows("#bank") && robot.shows("flagged"), "\(robot.text)")
        try robot.press("enter")
        #expect(robot.titles == ["Ask for a loan"] && robot.selected == "Ask for a loan")
        #expect(robot.message == "Added \"Ask for a loan\" · u undoes")
        let task = try robot.task("Ask for a loan")
        #expect(task.flagged && task.priority == 3 && task.list?.name == "Home")
        // What the text says is stronger; then it is elsewhere.
        try robot.press("a")
        robot.type("Call them mon +Work")
        try robot.press("enter")
        #expect(robot.titles == ["Ask for a loan"])
        #expect(robot.message == "Added \"Call them\" to Work · u undoes")
        // The form is filled in the same way, also for a note.
        try robot.press("O")
        robot.type("Open the account")
        try robot.press("ctrl+s")
        #expect(robot.titles.sorted() == ["Ask for a loan", "Open the account"])
        // What cannot be given: the message says where it is.
        let wide = try saved(robot, "Wide", "tag:bank or rent")
        try robot.workspace.show(.smart(wide))
        robot.settle()
        try robot.press("a")
        robot.type("Elsewhere")
        try robot.press("enter")
        #expect(!robot.titles.contains("Elsewhere"))
        #expect(robot.message == "Added \"Elsewhere\" to the inbox · u undoes")
        try robot.press("u u u u")
        #expect(try robot.library.count(Condition { $0.title == "Ask for a loan" }) == 1)
    }

    @Test(arguments: [true, false])
    func aListThatAnotherWindowDeletesDuringTheCaptureLosesNoText(isLocal: Bool) throws {
        let robot = try Robot(rows: 40)
        robot.application.follow(robot.library)
        let list = try saved(robot, "At work", "list:Work tag:bank")
        try robot.workspace.show(.smart(list))
        robot.settle()
        try robot.press("a")
        robot.type("Call the bank")
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        for list in try other.lists() where list.name == "Work" { try other.delete(list) }
        for tag in try other.tags() where tag.name == "bank" { other.context.delete(tag) }
        try other.context.save()
        try other.delete(list)
        if isLocal {
            robot.application.handle([.woken])
            robot.settle()
        }
        try robot.press("enter")
        let found = try robot.library.items(matching: Condition { $0.title == "Call the bank" })
        let isKept = robot.workspace.modal is CaptureBar && robot.shows("Call the bank")
        #expect(found.count == 1 || isKept, "\(robot.text)")
        for item in found { #expect(item.list == nil, "\(item.list?.name ?? "")") }
        #expect(!robot.message.isEmpty && !robot.message.contains("Error"), "\(robot.message)")
    }

    @Test func deletingAListNamesTheSmartListsThatLookForIt() throws {
        let robot = try Robot(rows: 40)
        _ = try saved(robot, "At work", "list:Work tag:bank")
        _ = try saved(robot, "Not named", "due:today list:none")
        let work = try #require(try robot.library.existingList(path: ["Work"]))
        robot.workspace.focus = .lists
        robot.workspace.lists.select(.list(work.objectID))
        try robot.press("L d")
        let told = "Deleted the list \"Work\" (\"At work\" still names it)"
        #expect(robot.message.hasPrefix(told), "\(robot.message)")
        try robot.press("u")
        robot.workspace.lists.select(.list(work.objectID))
        _ = try saved(robot, "Bank", "list:work")
        try robot.press("L d")
        let both = "Deleted the list \"Work\" (\"At work\" and 1 more smart list still name it)"
        #expect(robot.message.hasPrefix(both), "\(robot.message)")
    }

    @Test(arguments: ItemGrouping.allCases, ItemOrder.allCases)
    func theShellPrintsAListAsThePaneShowsIt(grouping: ItemGrouping, order: ItemOrder) throws {
        let robot = try Robot(rows: 60)
        for line in ["Sow fri +Work", "Bake today !low", "Clean +Home !low", "Dig tomorrow +Home"] {
            _ = try robot.library.addTask(capturing: line)
        }
        for isReversed in [false, true] {
            let values = SmartListValues(
                name: "Sorted \(isReversed)",
                query: "created:any",
                sort: SortWord(order, isReversed: isReversed),
                grouping: grouping
            )
            let list = try robot.library.addSmartList(values).list
            try robot.workspace.show(.smart(list))
            robot.settle()
            let shown = robot.workspace.items.lines.map { line -> String in
                switch line {
                case .heading(let name, _): "= \(name)"
                case .item(let id, _): robot.workspace.items.item(id)?.title ?? "gone"
                default: "another line"
                }
            }
            var printed: [String] = []
            let count = try robot.library.forEachRecord(
                of: robot.library.filter(""),
                matching: list.countedCondition(robot.library.clock()),
                sorted: ItemSorting(list),
                heading: { printed.append("= \($0)") },
                { printed += $0.map(\.title) }
            )
            #expect(printed == shown, "reversed: \(isReversed)")
            #expect(count == shown.count { !$0.hasPrefix("= ") } && count > 8)
        }
    }

    @Test(arguments: ItemGrouping.allCases)
    func aListHasItsOwnGroups(grouping: ItemGrouping) throws {
        let robot = try Robot(rows: 40)
        let values = SmartListValues(
            name: "Grouped",
            query: "is:open or is:done",
            grouping: grouping
        )
        let list = try robot.library.addSmartList(values).list
        robot.workspace.items.group(.kind)
        try robot.workspace.show(.smart(list))
        robot.settle()
        #expect(robot.workspace.items.grouping == grouping)
        let headings = robot.workspace.items.lines.count { $0.id == nil }
        #expect((headings == 0) == (grouping == .none))
        try robot.press("s g n g A")
        #expect(robot.workspace.items.grouping == .kind)
    }
}
