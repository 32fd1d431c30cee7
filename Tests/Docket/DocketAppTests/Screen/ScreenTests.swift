import CivilTime
import DocketCore
import LibraryVerbs
import ObjectGraph
import ScreenReading
import TerminalUI
import Testing

@testable import DocketApp

@Suite struct ScreenTests {
    static let sizes = [
        (10, 3), (1, 1), (3, 20), (5, 30), (10, 40), (24, 63), (24, 64), (24, 80), (24, 99),
        (24, 100), (24, 110), (60, 200),
    ]

    @Test func firstFrameIsTheSameScreenAsTheWholeList() throws {
        let robot = try Robot(settles: false, itemsAtOnce: 100, sample: .many(300))
        robot.application.drawFrame()
        #expect(robot.workspace.items.isIncomplete)
        #expect(robot.titles.first == "Task number 1")
        let first = Array(robot.titles.prefix(robot.terminal.size.rows))
        robot.settle()
        #expect(!robot.workspace.items.isIncomplete)
        #expect(Array(robot.titles.prefix(first.count)) == first)
        #expect(robot.shows("300 open"))
    }

    @Test func firstKeyActsOnTheWholeList() throws {
        let robot = try Robot(settles: false, itemsAtOnce: 100, sample: .many(300))
        robot.application.drawFrame()
        try robot.press("G")
        #expect(robot.selected == "Task number 300")
    }

    @Test func theMainScreen() throws {
        let robot = try Robot()
        let shown = robot.screen.map { line in
            // When something was changed is the system's time.
            line.contains("added ") || line.contains("no. ") || line.contains("Soil test")
                ? "…" : line
        }
        #expect(shown == MainScreen.lines)
    }

    @Test(arguments: sizes)
    func everySizeIsDrawnWithoutFault(rows: Int, columns: Int) throws {
        let robot = try Robot(rows: rows, columns: columns)
        for keys in ["tab", "tab", "j", "/", "esc", "?", "esc", ":", "esc", "a", "esc", "g", "esc"]
        {
            try robot.press(keys)
            robot.terminal.frame.checkInvariants()
            #expect(robot.terminal.frame.rows == rows)
            for line in robot.screen { #expect(DisplayWidth.of(line) <= columns) }
        }
    }

    @Test func narrowScreensShowOnePaneWithBreadcrumb() throws {
        let robot = try Robot(rows: 14, columns: 40)
        #expect(robot.shows("Pay rent"))
        #expect(!robot.shows("Today"))
        #expect(robot.screen[0].hasPrefix(" Docket  Lists › All"))
        try robot.press("tab")
        #expect(robot.screen[0].contains("All › Pay rent"))
        #expect(robot.shows("every"))
        try robot.press("h h")
        #expect(robot.shows("Today"))
    }

    @Test func detailFoldsBeforeTheLists() throws {
        let robot = try Robot(rows: 24, columns: 80)
        #expect(robot.shows(" Overdue "))
        #expect(!robot.shows("every"))
        try robot.press("tab")
        #expect(robot.shows("every"))
        #expect(robot.shows("│ Pay rent"))
        #expect(!robot.shows(" Overdue "))
    }

    @Test func resizeKeepsTheSelectionInSight() throws {
        let robot = try Robot(sample: .many(60))
        try robot.press("G k k k")
        #expect(robot.selected == "Task number 57")
        for (rows, columns) in [(10, 40), (3, 20), (60, 200), (24, 110)] {
            robot.resize(rows: rows, columns: columns)
            #expect(robot.selected == "Task number 57")
            #expect(robot.shows("number 57") || columns < 24)
        }
    }

    @Test func asciiModeNeedsNoMore() throws {
        let robot = try Robot(
            isASCII: true,
            fill: { library in
                _ = try library.addTask(capturing: "Plain #x !high tomorrow +Home")
                let note = try library.addNote(capturing: "Note")
                try library.setText("# A\n- [x] b\n- c\n> d\n---", of: note)
            }
        )
        for keys in [
            "j", "?", "esc", ":", "esc", "a", "esc", "e", "esc", "g", "esc", "space", "U",
            "p", "down", "esc", "esc", "D", "esc", "m",
        ] {
            try robot.press(keys)
            for line in robot.screen {
                #expect(line.utf8.allSatisfy { $0 < 128 }, "\(keys): \(line)")
            }
        }
    }

    @Test func withoutColourNothingIsLost() throws {
        let plain = try Robot(noColor: true)
        let coloured = try Robot()
        for row in 0..<24 {
            for style in plain.terminal.frame.styles(row) {
                #expect(style.foreground == .standard && style.background == .standard)
            }
        }
        #expect(plain.screen == coloured.screen)
        // What is selected shows by more than its colour.
        let row = try #require(plain.row("Pay rent"))
        #expect(plain.terminal.frame.styles(row).contains { $0.attributes.contains(.reverse) })
    }

    @Test(arguments: [0, 8, 16, 256]) func recognisedWordsStandOut(colors: Int) throws {
        let robot = try Robot(colors: colors)
        try robot.press("a")
        robot.type("Pay Ana tomorrow +Home #bank !high")
        let row = try #require(robot.screen.firstIndex { $0.contains("Pay Ana tomorrow") })
        let text = robot.screen[row]
        let styles = robot.terminal.frame.styles(row)
        func style(of word: String) throws -> Style {
            let place = try #require(text.firstRange(of: word)).lowerBound
            return styles[text.distance(from: text.startIndex, to: place)]
        }
        let plain = try style(of: "Ana")
        for word in ["tomorrow", "+Home", "#bank", "!high"] {
            #expect(try style(of: word) != plain, "\(word)")
        }
    }

    @Test(arguments: [(24, 80), (12, 40)])
    func whatWasUnderstoodHasTheRowsThatItNeeds(rows: Int, columns: Int) throws {
        let robot = try Robot(rows: rows, columns: columns)
        try robot.press("a")
        let before = robot.screen
        robot.type("Pay dues 1 dec every month +Home/Money #bank !high")
        let text = robot.text.split(whereSeparator: { " \n".contains($0) }).joined(separator: " ")
        #expect(text.contains("#bank high priority every month"), "\(robot.text)")
        robot.type(" before friday")
        let told = robot.text.split(whereSeparator: { " \n".contains($0) }).joined(separator: " ")
        #expect(told.contains("it stays in the title."), "\(robot.text)")
        try robot.press("ctrl+u")
        #expect(robot.screen == before)
    }

    @Test func overdueIsToldByASignToo() throws {
        let robot = try Robot()
        let row = try #require(robot.row("Call the Ämter"))
        #expect(robot.screen[row].contains("! yesterday"))
    }

    @Test func cursorStandsOnTheSelectedRow() throws {
        let robot = try Robot()
        try robot.press("j j")
        // Below the title line and the head.
        #expect(robot.terminal.frame.cursor?.row == 2 + 2)
        try robot.press("tab")
        #expect(robot.terminal.frame.cursor != nil)
    }

    @Test func wideCharactersStayInTheirColumns() throws {
        let robot = try Robot(fill: { library in
            for title in ["会議の議事録", "Cafe\u{301} 👍🏽", "家族 👨‍👩‍👧‍👦 dinner", "한국어"] {
                _ = try library.addTask(capturing: "\(title) tomorrow #x")
            }
        })
        for row in 2..<6 {
            let line = robot.screen[row]
            #expect(DisplayWidth.of(line) <= 110, "\(line)")
        }
    }

    @Test func theBackgroundsAnswerChoosesTheTheme() throws {
        let robot = try Robot()
        #expect(robot.workspace.look.theme.name == "dark")
        robot.send(.report(.background(.rgb(255, 255, 255))))
        #expect(robot.workspace.look.theme.name == "light")
    }

    @Test func clickSelectsAndDoubleClickOpens() throws {
        let robot = try Robot()
        let row = try #require(robot.row("Read a book"))
        let time = ContinuousClock.now
        func click(after milliseconds: Int) {
            robot.send(
                .mouse(
                    MouseEvent(
                        .press,
                        button: .left,
                        at: Position(row: row, column: 40),
                        time: time + .milliseconds(milliseconds)
                    )
                )
            )
        }
        click(after: 0)
        #expect(robot.selected == "Read a book")
        click(after: 1000)
        #expect(robot.workspace.modal == nil)
        click(after: 1200)
        #expect(robot.workspace.modal is Form)
    }

    @Test func clickOnAListShowsIt() throws {
        let robot = try Robot()
        let row = try #require(robot.row("Overdue"))
        robot.send(
            .mouse(
                MouseEvent(.press, button: .left, at: Position(row: row, column: 5), time: .now)
            )
        )
        #expect(robot.workspace.items.scope == .smart(.overdue))
        #expect(robot.titles == ["Call the Ämter"])
    }
}

// swift-format-ignore: the lines are as wide as the screen.
/// The screen of the sample store at 110 × 24.
enum MainScreen {
    static let lines: [String] = [
        " Docket  All                                                                    7 open · by hand · Sat 21 Nov",
        " Today         1  │ All                                                        │ Pay rent",
        " Overdue       1  │  ◑ Pay rent                      Home #bank  tomorrow 9:00 │ Home · medium priority",
        " Next 7 days   2  │ ▾○ Plan the garden  1/3         Garden #out                │ due Sun 22 Nov 2026, 9:00 ·",
        " High priority 1  │    ○ order seeds                       #out            Fri │ every month",
        " Flagged          │    ✓ measure the beds                                      │ #bank",
        " Someday       2  │    ○ draw a plan                                           │",
        "…",
        " Repeating     1  │  ● Call the Ämter                      Work    ! yesterday │ ☑ tell Ana",
        " All           7  │  ○ Read a book                                             │ ☐ standing order?",
        "                  │                                                            │",
        "…",
        "…",
        "  Garden       4  │                                                            │",
        " Work          1  │                                                            │",
        "                  │                                                            │",
        " #bank         1  │                                                            │",
        " #out          2  │                                                            │",
        "                  │                                                            │",
        " Recently done    │                                                            │",
        " Done             │                                                            │",
        " Trash            │                                                            │",
        " Vault  not made  │                                                            │",
        " a add  n note  ⏎ open  ␣ done  J move  / search  u undo  : commands  ? help  q quit",
    ]
}
