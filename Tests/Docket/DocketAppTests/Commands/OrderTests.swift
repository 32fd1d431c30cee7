import CivilTime
import DocketCore
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

@Suite struct OrderTests {
    private func numbers(_ robot: Robot) -> [Int] {
        robot.titles.compactMap { Int($0.split(separator: " ").last ?? "") }
    }

    @Test func movedItemKeepsTheSelection() throws {
        let robot = try Robot(sample: .many(4))
        try robot.press("J J")
        #expect(numbers(robot) == [2, 3, 1, 4])
        #expect(robot.selected == "Task number 1")
        try robot.press("K")
        #expect(numbers(robot) == [2, 1, 3, 4])
        try robot.press("J J J")
        #expect(robot.message == "It is the last one here.")
        try robot.press("u u u u u")
        #expect(numbers(robot) == [1, 2, 3, 4])
    }

    @Test func markedItemsMoveTogetherAsOneStep() throws {
        let robot = try Robot(sample: .many(5))
        let steps = try robot.undoSteps().count
        try robot.press("v v J")
        #expect(numbers(robot) == [3, 1, 2, 4, 5])
        #expect(try robot.undoSteps().count == steps + 1)
        try robot.press("J")
        #expect(numbers(robot) == [3, 4, 1, 2, 5])
    }

    @Test func subtasksMoveAmongThemselves() throws {
        let robot = try Robot()
        try robot.select("order seeds")
        try robot.press("K")
        #expect(robot.message == "It is the first one here.")
        try robot.press("J")
        let parts = robot.titles.filter { ["order seeds", "measure the beds"].contains($0) }
        #expect(parts == ["measure the beds", "order seeds"])
    }

    @Test func undatedTasksComeLast() throws {
        let robot = try Robot()
        try robot.press("s d")
        #expect(robot.shows("by due date"))
        #expect(robot.workspace.items.lines.count == 8)
        #expect(robot.titles.prefix(2) == ["Call the Ämter", "Pay rent"])
        try robot.press("J")
        #expect(robot.message.contains("s o sorts by hand"))
        try robot.press("s r")
        #expect(robot.shows("reversed"))
        try robot.press("s o")
        #expect(robot.titles.first == "Pay rent")
    }

    @Test(arguments: ItemOrder.allCases)
    func everyOrderShowsEveryItem(order: ItemOrder) throws {
        let robot = try Robot()
        let all = Set(robot.titles)
        for isReversed in [false, true] {
            robot.workspace.items.orders[.smart(.all)] = (order, isReversed)
            try robot.workspace.items.refetch()
            #expect(Set(robot.titles) == all)
            #expect(robot.titles.count == all.count)
        }
    }

    @Test func groupsHaveHeadingsThatAreNotSelected() throws {
        let robot = try Robot()
        try robot.press("s g l")
        #expect(robot.shows("Home/Garden 5"))
        #expect(robot.shows("Inbox 1"))
        try robot.press("g g")
        #expect(!robot.selected.isEmpty)
        for _ in 0..<12 {
            try robot.press("j")
            #expect(!robot.selected.isEmpty)
        }
        for _ in 0..<12 {
            try robot.press("k")
            #expect(!robot.selected.isEmpty)
        }
        try robot.press("s g d")
        #expect(robot.shows("Overdue 1"))
        #expect(robot.shows("Tomorrow 1"))
        #expect(robot.shows("No date"))
        try robot.press("s g n")
        #expect(!robot.shows("No date"))
    }

    @Test func listsMoveAmongTheirSiblings() throws {
        let robot = try Robot()
        robot.workspace.focus = .lists
        let home = try #require(try robot.library.existingList(path: ["Home"]))
        robot.workspace.lists.select(.list(home.objectID))
        try robot.press("J")
        let work = try #require(robot.row(" Work"))
        let place = try #require(robot.row("▾Home"))
        #expect(work < place)
    }

    /// Where the rows are sorted or the search stays inside such a list, no rank is touched.
    @Test(arguments: [
        "today", "overdue", "due soon", "done", "trash", "sorted", "reversed", "groups",
    ])
    func hiddenOrderIsNotChanged(view: String) throws {
        let robot = try Robot { library in
            for title in ["water ann", "water bob", "water cat"] {
                let days = ["overdue": "yesterday", "due soon": "in 2 days"]
                let day = days[view] ?? "today"
                let task = try library.addTask(capturing: "\(title) \(day)")
                if view == "done" { try library.complete([task]) }
                if view == "trash" { try library.trash([task]) }
            }
        }
        let keys = [
            "today": "g t", "overdue": "g o", "due soon": "g s", "done": "g d", "trash": "g x",
            "sorted": "s t", "reversed": "s r", "groups": "s g k",
        ]
        try robot.press(try #require(keys[view]))
        robot.workspace.session.isEverywhere = false
        try robot.press("/")
        robot.type("water")
        try robot.press("enter")
        #expect(robot.titles.count == 3)
        let before = try robot.library.latestTransaction()
        for key in ["J", "K"] {
            try robot.press(key)
            #expect(robot.message.contains(view == "groups" ? "in groups" : "s o sorts by hand"))
        }
        #expect(try robot.library.latestTransaction() == before)
        if view == "groups" { try robot.press("s g n") } else { try robot.press("s o") }
        let titles = robot.titles
        #expect(titles == ["water ann", "water bob", "water cat"])
        try robot.press("g g J")
        #expect(robot.titles == ["water bob", "water ann", "water cat"])
        #expect(robot.message == "Moved \"water ann\" after \"water bob\" · u undoes")
    }

    @Test func aSearchEverywhereIsInManualOrderWhateverListIsBehindIt() throws {
        let robot = try Robot { library in
            for title in ["water ann", "other", "water bob", "water cat"] {
                _ = try library.addTask(capturing: "\(title) today")
            }
        }
        try robot.press("g t /")
        robot.type("water")
        try robot.press("enter J")
        #expect(robot.titles == ["water bob", "water ann", "water cat"])
        try robot.press("esc g A")
        #expect(robot.titles == ["other", "water bob", "water ann", "water cat"])
    }

    @Test func wholeDaysComeBeforeTimesAndAreLateAfterThem() throws {
        let robot = try Robot(start: .today) { library in
            for line in [
                "A yesterday", "B yesterday 12:30", "C yesterday 23:00", "D today",
                "E today 9:00", "F today 20:00", "G tomorrow",
            ] {
                _ = try library.addTask(capturing: line)
            }
        }
        #expect(robot.titles == ["A", "B", "C", "D", "E", "F"])
        #expect(robot.count(.smart(.today)) == 6)
        try robot.press("g o")
        #expect(robot.titles == ["B", "C", "A", "E"])
        try robot.press("s r")
        #expect(robot.titles == ["E", "A", "C", "B"])
        try robot.press("g s")
        #expect(robot.titles == ["D", "F", "G"])
        // A new one in the list gets its day.
        try robot.press("g t a")
        robot.type("new one\n")
        #expect(robot.titles.contains("new one"))
    }

    @Test func lateIsTheSameInSearchesListsAndColours() throws {
        let robot = try Robot { library in
            for line in [
                "a yesterday", "b today", "c today 9:00", "d today 14:05", "e today 20:00",
                "f tomorrow", "g",
            ] {
                _ = try library.addTask(capturing: line)
            }
        }
        let library = robot.library
        let clock = library.clock()
        let late = try library.items(matching: nil).compactMap { $0 as? DocketCore.Task }
            .filter { $0.dueDate?.isOverdue(in: clock) ?? false }.map(\.title).sorted()
        #expect(late == ["a", "c"])
        func titles(_ condition: Condition<Item>?) throws -> [String] {
            try library.items(matching: condition).map(\.title).sorted()
        }
        #expect(try titles(SmartList.overdue.countedCondition(clock)) == late)
        #expect(robot.count(.smart(.overdue)) == late.count)
        #expect(try titles(library.condition(where: "due < $now")) == late)
        #expect(try titles(library.condition(where: "due <= $now")) == ["a", "c", "d"])
        #expect(try titles(library.condition(where: "due > $now")) == ["b", "e", "f"])
        #expect(try titles(library.condition(where: "due >= $tomorrow")) == ["f"])
        #expect(try titles(library.condition(where: "due < $today")) == ["a"])
        #expect(try titles(library.condition(where: "NOT due < $today")).contains("g"))
        try robot.press("/")
        robot.type("is:overdue\n")
        #expect(robot.titles.sorted() == late)
    }

    @Test func dragFollowsTheRulesOfTheKeys() throws {
        let robot = try Robot(sample: .many(3))
        try robot.press("s t")
        let row = try #require(robot.row("Task number 1"))
        var time = ContinuousClock.now
        let before = try robot.library.latestTransaction()
        func mouse(_ kind: MouseEvent.Kind, _ row: Int) {
            let place = Position(row: row, column: 40)
            robot.send(.mouse(MouseEvent(kind, button: .left, at: place, time: time)))
        }
        mouse(.press, row)
        mouse(.drag, row + 1)
        #expect(robot.message.contains("s o sorts by hand"))
        mouse(.release, row + 1)
        #expect(try robot.library.latestTransaction() == before)
        // A row that is dragged moves, not the marked ones.
        try robot.press("s o G v g g")
        // Not a double click.
        time += .seconds(1)
        mouse(.press, row)
        mouse(.drag, row + 1)
        mouse(.release, row + 1)
        #expect(numbers(robot) == [2, 1, 3])
    }

    @Test func dragMovesAnItem() throws {
        let robot = try Robot(sample: .many(3))
        let row = try #require(robot.row("Task number 1"))
        let time = ContinuousClock.now
        func mouse(_ kind: MouseEvent.Kind, _ row: Int) {
            robot.send(
                .mouse(
                    MouseEvent(
                        kind,
                        button: .left,
                        at: Position(row: row, column: 40),
                        time: time
                    )
                )
            )
        }
        mouse(.press, row)
        mouse(.drag, row + 1)
        mouse(.drag, row + 2)
        mouse(.release, row + 2)
        #expect(numbers(robot) == [2, 3, 1])
    }
}
