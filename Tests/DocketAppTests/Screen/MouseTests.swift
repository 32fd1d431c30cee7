import DocketCore
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

    @Test func theSignOfAFoldFolds() throws {
        let robot = try Robot()
        let mouse = Mouse(robot)
        let place = try mouse.place("▾○ Plan the garden")
        mouse.click(place.row, place.column)
        #expect(robot.shows("▸○ Plan the garden") && !robot.titles.contains("order seeds"))
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
        let robot = try Robot(fill: Sample.many(6))
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
        let robot = try Robot(fill: Sample.many(80))
        let mouse = Mouse(robot)
        try robot.press("a")
        #expect(robot.shows("Task number 1 "))
        for _ in 0..<4 { mouse.send(.wheelDown, 5, 40) }
        #expect(!robot.shows("Task number 1 ") && robot.workspace.modal is CaptureBar)
    }
}
