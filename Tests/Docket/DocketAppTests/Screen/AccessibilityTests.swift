import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import ScreenReading
import TerminalUI
import Testing

@testable import DocketApp

/// What a reader of screens and somebody without colours need.
@Suite struct AccessibilityTests {
    private static let states = Sample("states") { library in
        for line in [
            "alpha", "beta !low", "gamma !med", "delta !high", "epsilon yesterday", "zeta today",
            "eta", "theta", "iota",
        ] {
            _ = try library.addTask(capturing: line)
        }
        for task in try library.items(matching: \.title == "theta") {
            let waits = try FieldChange("waits=\(task.shortID)")
            for other in try library.items(matching: \.title == "eta") {
                try library.edit(other, [waits])
            }
        }
        try library.complete(library.items(matching: \.title == "iota"))
        _ = try library.addNote(capturing: "kappa")
    }

    /// The cursor stands where a reader has to read, in every pane and every box.
    @Test(arguments: [
        "", "h", "l", ",", ", tab", ", /", ", enter", "U", "U p", "U /", "g w", "g a", "g M", "g e",
        "a", "n", "e", "D", "t", "m", "m down", ":", ": down", "?", "? /", "/", "g", "z", "s",
        "L n",
        "@", "R", "d", "g v", ": e x p enter",
    ])
    func theCursorIsShown(keys: String) throws {
        let robot = try Robot(rows: 30, columns: 120)
        if !keys.isEmpty { try robot.press(keys) }
        let cursor = try #require(robot.terminal.frame.cursor, "\(robot.text)")
        #expect(robot.terminal.frame.bounds.contains(cursor))
        guard robot.workspace.modal == nil, robot.workspace.prefix.isEmpty,
            [.items, .lists].contains(robot.workspace.focus),
            robot.workspace.focus == .lists || !robot.workspace.items.lines.isEmpty
        else { return }
        // It stands at the beginning of the bar.
        let bar = robot.workspace.look[.selection]
        let area = try #require(robot.application.layout.panes[robot.workspace.focus]?.body)
        #expect(cursor.column == area.column)
        #expect(robot.terminal.frame.styles(cursor.row)[cursor.column].background == bar.background)
    }

    @Test func theCursorFollowsTheArrowsOfAMenuAndReturnsToWhatIsTyped() throws {
        let robot = try Robot(rows: 30)
        try robot.press("m")
        let query = try #require(robot.terminal.frame.cursor)
        try robot.press("down")
        let row = try #require(robot.terminal.frame.cursor)
        #expect(row.row == query.row + 2 && robot.screen[row.row].contains("Home"))
        robot.type("g")
        #expect(robot.terminal.frame.cursor == query.offset(columns: 1))
    }

    /// The text of rows without any style tells the states apart, with Unicode and with ASCII.
    @Test(arguments: [true, false])
    func statesOfRowsDifferWithoutColour(isASCII: Bool) throws {
        let robot = try Robot(
            rows: 30,
            columns: 120,
            isASCII: isASCII,
            noColor: true,
            sample: Self.states
        )
        try robot.press(".")
        try robot.select("alpha")
        try robot.press("f")
        try robot.select("beta")
        try robot.press("v")
        let items = try #require(robot.application.layout.panes[.items]?.body)
        var rows: [String: String] = [:]
        for row in items.row..<items.endRow {
            let cells = robot.terminal.frame.cells(row)[items.column..<items.endColumn]
            let line = cells.map(\.text).joined()
            let titles = [
                "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota",
                "kappa",
            ]
            guard let title = titles.first(where: { line.contains(" \($0)") }) else { continue }
            rows[title] = line.replacing(title, with: "").filter { $0 != " " }
        }
        #expect(rows.count == 10, "\(rows)")
        for (title, row) in rows {
            for (other, text) in rows where other != title {
                #expect(row != text, "\(title) and \(other): \(row)")
            }
        }
        if isASCII {
            let strange = robot.text.unicodeScalars.filter { !$0.isASCII }
            #expect(strange.isEmpty, "\(String(String.UnicodeScalarView(strange)))")
        }
    }

    /// With a list that is longer than the screen; the sign of the position is not that of a priority.
    @Test(arguments: [true, false])
    func theScrollPositionIsOnTheLineBetweenPanes(isASCII: Bool) throws {
        let robot = try Robot(rows: 20, columns: 120, isASCII: isASCII, sample: .many(200))
        let layout = robot.application.layout
        let items = try #require(layout.panes[.items]?.body)
        #expect(layout.dividers.contains { $0.column == items.endColumn })
        let sign = isASCII ? "]" : "▐"
        let column = (items.row..<items.endRow).map {
            robot.terminal.frame.cells($0)[items.endColumn].text
        }
        #expect(column.filter { $0 == sign }.count == 1)
        #expect(column.allSatisfy { [sign, isASCII ? "|" : "│"].contains($0) })
        let inside = (items.row..<items.endRow).map {
            robot.terminal.frame.cells($0)[items.endColumn - 1].text
        }
        #expect(!inside.contains(sign))
        #expect(Symbols.ascii.thumb != "#")
    }

    @Test func aNoteGetsTheScreen() throws {
        let robot = try Robot(rows: 40, columns: 140)
        try robot.select("Soil test results")
        try robot.press("e")
        let form = try #require(robot.workspace.modal as? Form)
        let text = try #require(form.places[form.fields.count - 1] as Rect?)
        #expect(text.rows > 25 && text.columns >= 90, "\(text)")
        robot.resize(rows: 24, columns: 80)
        robot.terminal.frame.checkInvariants()
    }
}
