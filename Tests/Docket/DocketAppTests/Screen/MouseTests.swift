import CivilTime
import DocketCore
import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import ScreenReading
import TerminalUI
import Testing

@testable import DocketApp

/// What the mouse does besides clicks on rows.
@Suite struct MouseTests {
    private final class Mouse {
        let robot: Robot
        private var time = ContinuousClock.now

        init(_ robot: Robot) { self.robot = robot }

        func send(
            _ kind: MouseEvent.Kind,
            _ row: Int,
            _ column: Int,
            _ modifiers: Key.Modifiers = [],
            after milliseconds: Int = 1000
        ) {
            time += .milliseconds(milliseconds)
            let place = Position(row: row, column: column)
            robot.send(
                .mouse(
                    MouseEvent(kind, button: .left, at: place, modifiers: modifiers, time: time)
                )
            )
            robot.settle()
        }

        func click(_ row: Int, _ column: Int, _ modifiers: Key.Modifiers = []) {
            send(.press, row, column, modifiers)
            send(.release, row, column, modifiers, after: 50)
        }

        func drag(from: (Int, Int), to: (Int, Int)...) {
            send(.press, from.0, from.1)
            for place in to { send(.drag, place.0, place.1) }
            if let last = to.last { send(.release, last.0, last.1) }
        }

        /// Where a text is in a pane, by default that of the items; in the last line for `nil`.
        func place(
            _ text: String,
            in pane: PaneID? = .items
        ) throws -> (row: Int, column: Int) {
            let frame = robot.terminal.frame
            let last = Rect(row: frame.rows - 1, column: 0, rows: 1, columns: frame.columns)
            let area = pane.map { robot.application.layout.panes[$0]?.body ?? last } ?? last
            for row in area.row..<area.endRow {
                let cells = frame.cells(row)[area.column..<area.endColumn]
                let line = cells.map(\.text).joined()
                guard let range = line.firstRange(of: text) else { continue }
                return (row, area.column + DisplayWidth.of(line[..<range.lowerBound]))
            }
            throw RobotError(what: "\(text) is not there", screen: robot.text)
        }
    }

    @Test func theSignOfATaskCompletesIt() throws {
        let robot = try Robot()
        let mouse = Mouse(robot)
        let place = try mouse.place("○ Read a book")
        try robot.select("Pay rent")
        try robot.press("v")
        mouse.click(place.row, place.column)
        #expect(try robot.task("Read a book").isDone)
        #expect(try !robot.task("Pay rent").isDone, "the marked one is not meant")
        #expect(robot.message.hasPrefix("Completed \"Read a book\""))
    }

    @Test func aDragFromASignMovesAndCompletesNothing() throws {
        let robot = try Robot(sample: .many(4))
        let mouse = Mouse(robot)
        let place = try mouse.place("○ Task number 1")
        for column in [place.column, place.column + 1] {
            mouse.drag(from: (place.row, column), to: (place.row + 1, column))
            #expect(try !robot.task("Task number 1").isDone)
            #expect(robot.titles.first == "Task number 2")
            try robot.press("u")
        }
        mouse.send(.press, place.row, place.column)
        #expect(try !robot.task("Task number 1").isDone)
        mouse.send(.release, place.row, place.column)
        #expect(try robot.task("Task number 1").isDone)
    }

    @Test func anOccurrenceThatIsNotThereYetIsDraggedToAnotherDay() throws {
        let robot = try Robot(columns: 120) { library in
            _ = try library.addTask(capturing: "Water today 20:00 every 2 days")
        }
        let mouse = Mouse(robot)
        try robot.press("g a")
        func place(_ text: String) throws -> (Int, Int) {
            let place = try mouse.place(text, in: robot.workspace.panes.middle)
            return (place.row, place.column + 20)
        }
        try mouse.drag(from: place("Wed 25"), to: place("Thu 26"))
        #expect(
            robot.message
                == "Moved \"Water\" from Wed 25 Nov 20:00 to Thu 26 Nov 20:00 · u undoes"
        )
        #expect(robot.workspace.items.selectedDay == Day(year: 2026, month: 11, day: 26))
        let before = try robot.undoSteps()
        let there = try place("Thu 26")
        robot.workspace.messages.clear()
        mouse.click(there.0, there.1)
        #expect(try robot.undoSteps() == before && robot.message.isEmpty, "\(robot.message)")
        try robot.press("g M l l l l l")
        try mouse.drag(
            from: mouse.place("Water", in: robot.workspace.panes.middle),
            to: mouse.place("24", in: MonthPane.id)
        )
        #expect(robot.message.contains("to Tue 24 Nov 20:00"), "\(robot.message)")
    }

    @Test func theRightButtonOffersWhatActsThere() throws {
        let robot = try Robot(rows: 40)
        let mouse = Mouse(robot)
        func press(_ text: String, in pane: PaneID) throws {
            let place = try mouse.place(text, in: pane)
            robot.send(
                .mouse(
                    MouseEvent(
                        .press,
                        button: .right,
                        at: Position(row: place.row, column: place.column),
                        time: .now
                    )
                )
            )
            robot.settle()
        }
        try press("○ Read a book", in: .items)
        #expect(robot.selected == "Read a book")
        #expect(try !robot.task("Read a book").isDone)
        let menu = try #require(robot.workspace.modal as? CommandMenu).menu
        let titles = menu.items.map(\.title)
        #expect(titles.contains("Mark as done, or reopen") && titles.contains("Move to the trash"))
        #expect(titles.contains("Edit"))
        #expect(!titles.contains("Quit") && !titles.contains("New list"))
        let others = [
            "Empty the trash", "Mark all", "Mark what a search finds", "Invert the marks",
        ]
        for other in others {
            #expect(!titles.contains(other), "\(other)")
        }
        #expect(titles.contains("Mark"))
        #expect(robot.shows("Read a book ─"), "the title of the menu")
        #expect(menu.items.first { $0.title == "Move to the trash" }?.hint == "d")
        for item in menu.items { #expect(item.disabledReason == nil) }
        robot.type("done, or")
        try robot.press("enter")
        #expect(try robot.task("Read a book").isDone)
        try press("Work", in: .lists)
        #expect(robot.workspace.focus == .lists && robot.workspace.listTitle == "Work")
        let lists = try #require(robot.workspace.modal as? CommandMenu).menu
        #expect(lists.items.contains { $0.title == "Rename the list" })
        #expect(!lists.items.contains { $0.title == "New list" })
        try robot.press("esc")
        #expect(robot.workspace.modal == nil)
        try robot.press("g M")
        try press("25", in: MonthPane.id)
        let day = try #require(robot.workspace.modal as? CommandMenu).menu
        #expect(day.items.map(\.title) == ["Add a task on this day"])
        #expect(robot.shows("Wed 25 Nov ─"))
        try robot.press("enter")
        robot.type("Call Ana\n")
        let due = try robot.task("Call Ana").dueDate
        #expect(due == DueDate(day: try #require(Day(year: 2026, month: 11, day: 25))))
    }

    @Test func theRightButtonBelowTheRowsActsOnNoItem() throws {
        let robot = try Robot(rows: 60)
        for (keys, pane) in [("g A", PaneID.items), ("g a", PaneID(name: "agenda"))] {
            try robot.press(keys)
            let area = try #require(robot.application.layout.panes[pane]?.body)
            let place = Position(row: area.endRow - 2, column: area.column + 5)
            robot.send(.mouse(MouseEvent(.press, button: .right, at: place, time: .now)))
            robot.settle()
            let titles = try #require(robot.workspace.modal as? CommandMenu).menu.items.map(\.title)
            #expect(titles.contains("Add a task") && titles.contains("New list"))
            for other in ["Mark as done, or reopen", "Move to the trash", "Edit", "Mark", "Open"] {
                #expect(!titles.contains(other), "\(other)")
            }
            try robot.press("esc")
        }
    }

    @Test func theSignOfAFoldFolds() throws {
        let robot = try Robot()
        let mouse = Mouse(robot)
        let place = try mouse.place("▾○ Plan the garden")
        mouse.click(place.row, place.column)
        #expect(robot.shows("▸○ Plan the garden") && !robot.titles.contains("order seeds"))
    }

    @Test func aTaskIsDraggedToADayOfTheMonthAndOfTheAgenda() throws {
        let robot = try Robot(columns: 120)
        let mouse = Mouse(robot)
        try robot.press("g M l")
        let rent = try mouse.place("Pay rent", in: robot.workspace.panes.middle)
        let day = try mouse.place("25", in: MonthPane.id)
        mouse.drag(from: rent, to: day)
        #expect(robot.message == "Moved \"Pay rent\" to Wed 25 Nov 9:00 · u undoes")
        mouse.click(day.row, day.column)
        #expect(robot.shows("Wed 25 Nov") && robot.shows("9:00"))
        try robot.press("g a")
        let middle = robot.workspace.panes.middle
        try mouse.drag(
            from: mouse.place("Pay rent", in: middle),
            to: mouse.place("Today", in: middle)
        )
        #expect(robot.message == "Moved \"Pay rent\" to Sat 21 Nov 9:00 · u undoes")
        let place = try mouse.place("◑ Pay rent", in: middle)
        mouse.click(place.row, place.column)
        #expect(try robot.task("Pay rent").isDone || robot.message.hasPrefix("Completed"))
    }

    @Test func aWordOfTheLastLineActs() throws {
        let robot = try Robot()
        let mouse = Mouse(robot)
        try robot.select("Read a book")
        let done = try mouse.place("done", in: nil)
        mouse.click(done.row, done.column + 1)
        #expect(try robot.task("Read a book").isDone)
        robot.workspace.messages.clear()
        robot.settle()
        mouse.click(robot.screen.count - 1, try mouse.place("? help", in: nil).column)
        #expect(robot.workspace.modal is HelpBox)
        mouse.click(robot.screen.count - 1, try mouse.place("Esc close", in: nil).column)
        #expect(robot.workspace.modal == nil)
    }

    @Test func everyLabelOfOneKeyNamesThatKey() throws {
        for command in CommandTable.all {
            for keys in try command.keys.map({ try Key.sequence($0) }) where keys.count == 1 {
                for ascii in [true, false] {
                    let label = KeyLabel.of(keys, ascii: ascii)
                    if label.hasPrefix("⇧") || label.hasPrefix("Shift-") { continue }
                    if keys[0].code == .function(1) { continue }
                    #expect(KeyLabel.key(label) == keys[0], "\(label)")
                }
            }
        }
    }

    @Test func clickWithControlMarks() throws {
        let robot = try Robot()
        let mouse = Mouse(robot)
        for title in ["Pay rent", "Read a book"] {
            let place = try mouse.place(title)
            mouse.click(place.row, place.column, .ctrl)
        }
        #expect(robot.workspace.items.marks.count == 2)
        #expect(robot.shows("2 marked"))
        let place = try mouse.place("Read a book")
        mouse.click(place.row, place.column, .ctrl)
        #expect(robot.workspace.items.marks.count == 1)
    }

    @Test func aDragIsOneStep() throws {
        let robot = try Robot(sample: .many(6))
        let mouse = Mouse(robot)
        let place = try mouse.place("Task number 1")
        let before = try robot.undoSteps().count
        mouse.drag(
            from: place,
            to: (place.row + 1, 40),
            (place.row + 2, 40),
            (place.row + 4, 40),
            (place.row + 3, 40)
        )
        #expect(robot.titles.map { $0.suffix(1) } == ["2", "3", "4", "1", "5", "6"])
        #expect(try robot.undoSteps().count == before + 1)
        mouse.drag(from: (place.row + 5, 40), to: (place.row + 3, 40), (place.row, 40))
        #expect(robot.titles.map { $0.suffix(1) } == ["6", "2", "3", "4", "1", "5"])
        try robot.press("u u")
        #expect(robot.titles.map { $0.suffix(1) } == ["1", "2", "3", "4", "5", "6"])
    }

    @Test func aDragOntoAListMovesThere() throws {
        let robot = try Robot(rows: 40)
        let mouse = Mouse(robot)
        let book = try mouse.place("Read a book")
        let work = try mouse.place(" Work", in: .lists)
        mouse.drag(from: book, to: (work.row, work.column + 1))
        #expect(try robot.item("Read a book").list?.name == "Work")
        #expect(robot.message.hasPrefix("Moved \"Read a book\" to Work"))
        let tag = try mouse.place(" #bank", in: .lists)
        mouse.drag(from: try mouse.place("Call the Ämter"), to: (tag.row, tag.column + 1))
        #expect(try robot.item("Call the Ämter").tags.map(\.name) == ["bank"])
        let before = try robot.undoSteps()
        let search = try mouse.place(" Overdue", in: .lists)
        mouse.drag(from: try mouse.place("Read a book"), to: (search.row, search.column + 1))
        #expect(robot.message.contains("A search fills \"Overdue\""))
        #expect(try robot.undoSteps() == before)
        // Several marked items move together.
        for title in ["Pay rent", "Read a book"] {
            let place = try mouse.place(title)
            mouse.click(place.row, place.column, .ctrl)
        }
        let inbox = try mouse.place(" Inbox", in: .lists)
        mouse.drag(from: try mouse.place("Pay rent"), to: (inbox.row, inbox.column + 1))
        #expect(robot.message.hasPrefix("Moved 2 tasks to the inbox"))
        #expect(try robot.item("Pay rent").list == nil)
    }

    @Test(arguments: [60, 80, 110, 140])
    func aDragOfTheLineBetweenPanesChangesTheirWidths(columns: Int) throws {
        let robot = try Robot(columns: columns)
        let mouse = Mouse(robot)
        let line = try #require(robot.application.layout.dividers.first)
        mouse.drag(from: (5, line.column), to: (5, line.column + 4))
        #expect(robot.application.layout.dividers.first?.column == line.column + 4)
        #expect(robot.workspace.modal == nil && robot.workspace.focus == .items)
        for column in [-5, 0, columns / 2, columns - 1, columns + 9] {
            for index in robot.application.layout.dividers.indices {
                let from = robot.application.layout.dividers[index].column
                mouse.drag(from: (5, from), to: (5, column))
                let areas = robot.application.layout.panes.values.map(\.area)
                #expect(areas.allSatisfy { $0.columns >= 8 }, "\(areas)")
                #expect(areas.reduce(areas.count - 1) { $0 + $1.columns } == columns)
            }
        }
    }

    @Test func theLineOfAMonthMovesTheMonthAndNotTheLists() throws {
        let robot = try Robot(columns: 140)
        let lists = robot.application.layout.dividers.map(\.column)
        try robot.press("g M")
        let line = try #require(robot.application.layout.dividers.first?.column)
        Mouse(robot).drag(from: (5, line), to: (5, line - 9))
        #expect(robot.application.layout.dividers.first?.column == line - 9)
        try robot.press("g A")
        #expect(robot.application.layout.dividers.map(\.column) == lists)
        try robot.press("g M")
        #expect(robot.application.layout.dividers.first?.column == line - 9)
    }

    @Test func aDoubleClickOnAListGoesToItsItems() throws {
        let robot = try Robot()
        let mouse = Mouse(robot)
        let place = try mouse.place(" Overdue", in: .lists)
        mouse.send(.press, place.row, place.column + 1)
        #expect(robot.workspace.focus == .lists)
        mouse.send(.press, place.row, place.column + 1, after: 100)
        #expect(robot.workspace.focus == .items && robot.titles == ["Call the Ämter"])
    }

    @Test func theWheelScrollsThePaneBesideABar() throws {
        let robot = try Robot(sample: .many(80))
        let mouse = Mouse(robot)
        try robot.press("a")
        #expect(robot.shows("Task number 1 "))
        for _ in 0..<4 { mouse.send(.wheelDown, 5, 40) }
        #expect(!robot.shows("Task number 1 ") && robot.workspace.modal is CaptureBar)
    }

    @Test func theWidthsOfPanesComeBackAfterAStartAndFitASmallerTerminal() throws {
        let robot = try Robot(columns: 140)
        let folder = robot.folder.appendingPathComponent("state").path
        func start(columns: Int) throws -> Robot {
            let robot = try Robot(columns: columns, settles: false)
            robot.application.keepState(in: folder)
            robot.settle()
            return robot
        }
        robot.application.keepState(in: folder)
        let mouse = Mouse(robot)
        for (index, column) in [(0, 19), (1, 90)] {
            let line = robot.application.layout.dividers[index].column
            #expect(line != column)
            mouse.drag(from: (5, line), to: (5, column + 3), (5, column))
        }
        let file = "\(folder)/widths"
        let written = try String(contentsOfFile: file, encoding: .utf8)
        #expect(try start(columns: 140).application.layout.dividers.map(\.column) == [19, 90])
        let small = try start(columns: 110)
        let areas = small.application.layout.panes.values.map(\.area)
        #expect(areas.allSatisfy { $0.columns >= 10 } && areas.count == 3, "\(areas)")
        #expect(
            try String(contentsOfFile: file, encoding: .utf8) == written,
            "a start writes nothing"
        )
        small.resize(rows: 24, columns: 140)
        #expect(small.application.layout.dividers.map(\.column) == [19, 90])
        // Another window changes one of the widths only.
        let other = Mouse(small)
        other.drag(from: (5, 19), to: (5, 25))
        mouse.drag(from: (5, 90), to: (5, 95))
        #expect(try start(columns: 140).application.layout.dividers.map(\.column) == [25, 95])
        try "left 99999999999999999999\nright x\nright -3\nnone 4\nleft\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        let usual = try Robot(columns: 140).application.layout.dividers
        #expect(try start(columns: 140).application.layout.dividers == usual)
    }

    @Test func aDoubleClickInTheDetailOpensWhatIsThere() throws {
        let robot = try Robot(rows: 30, columns: 140, sample: .home) { library in
            for line in [
                "Dry week", "Call Ana", "Paint +Home/Garden after:9\nsee [[read A book]] now",
            ] {
                _ = try library.addTask(capturing: line)
            }
            let paint = try library.items(matching: Condition { $0.title == "Paint" })
            var defaults = ItemDefaults()
            defaults.parent = paint.first as? DocketCore.Task
            let captured = try CaptureParser(context: library.clock()).capture("buy a brush")
            _ = try library.addTask(captured, defaults)
        }
        let mouse = Mouse(robot)
        func doubleClick(_ text: String) throws {
            try robot.workspace.show(.smart(.all))
            try robot.select("Paint")
            let place = try mouse.place(text, in: .detail)
            mouse.send(.press, place.row, place.column + 1)
            #expect(robot.selected == "Paint" && robot.workspace.focus == .detail)
            mouse.send(.press, place.row, place.column + 1, after: 100)
        }
        for (text, title) in [
            ("buy a brush", "buy a brush"), ("read A book", "Read a book"),
            ("Dry week", "Dry week"),
        ] {
            try doubleClick(text)
            #expect(robot.selected == title && robot.workspace.focus == .items, "\(robot.text)")
            #expect(robot.workspace.modal == nil)
        }
        try doubleClick("Home")
        let list = try #require(robot.workspace.lists.list(of: robot.workspace.items.scope))
        #expect(list.path == ["Home"] && robot.workspace.focus == .items)
        try doubleClick("Garden")
        #expect(robot.workspace.lists.list(of: robot.workspace.items.scope)?.path.last == "Garden")
        try doubleClick(" now")
        #expect(robot.workspace.modal is Form)
    }

    @Test func theWheelInAFormScrollsWhatIsBelowThePointer() throws {
        let robot = try Robot(rows: 30) { library in
            let text = (1...60).map { "line \($0)." }.joined(separator: "\n")
            _ = try library.addTask(capturing: "Long\n\(text)")
        }
        try robot.press("e")
        let form = try #require(robot.workspace.modal as? Form)
        let texts = form.fields.map(\.text)
        let row = try #require(robot.row("line 2."))
        let mouse = Mouse(robot)
        for _ in 0..<4 { mouse.send(.wheelDown, row, 40) }
        #expect(!robot.shows("line 2.") && robot.shows("line 13."), "\(robot.text)")
        #expect(form.focus == 0 && form.fields.map(\.text) == texts && !form.isChanged)
        for _ in 0..<5 { mouse.send(.wheelUp, row, 40) }
        #expect(robot.shows("line 1."))
        // With the focus in the text, the wheel over another field leaves the text where it is.
        form.moveFocus(to: form.fields.count - 1)
        robot.settle()
        let before = robot.screen
        let title = try #require(robot.row("Title"))
        mouse.send(.wheelDown, title, 40)
        #expect(robot.screen == before && form.focus == form.fields.count - 1)
        // A form that is higher than the screen scrolls itself.
        robot.resize(rows: 10, columns: 110)
        form.moveFocus(to: 0)
        robot.settle()
        #expect(robot.shows("Title") && !robot.shows("Estimate"), "\(robot.text)")
        for _ in 0..<3 { mouse.send(.wheelDown, 3, 40) }
        #expect(!robot.shows("Title") && robot.shows("Location"), "\(robot.text)")
        #expect(form.focus == 0)
        try robot.press("end")
        #expect(robot.shows("Title"), "a key goes back to the field with the focus")
    }
}
