import DocketCore
import LibraryVerbs
import ObjectGraph
import ScreenReading
import TerminalUI
import Testing

@testable import DocketApp

/// Terminals of every size and kind, resized in every dialog, with titles that are hard to draw.
@Suite struct AnyTerminalTests {
    private static let sizes = [
        (1, 1), (1, 80), (2, 3), (5, 400), (6, 10), (10, 40), (20, 60), (24, 80), (36, 120),
        (120, 400), (120, 2),
    ]

    private static let sample = Sample("hard to draw") { library in
        try Sample.home.fill(library)
        for title in [
            String(repeating: "long ", count: 1900), String(repeating: "👨‍👩‍👧‍👦", count: 60),
            "שלום עולם — مرحبا بالعالم", "e\u{301}e\u{301}e\u{301} Ä Å 会議の議事録",
        ] {
            let task = try library.addTask(capturing: "x tomorrow 9:00 #tag +Home !high")
            try library.edit(task, [FieldChange("title=\(title)")])
        }
    }

    private func check(_ robot: Robot, _ what: String) {
        robot.terminal.frame.checkInvariants()
        let size = robot.terminal.size
        #expect(robot.terminal.frame.rows == size.rows, "\(what)")
        for line in robot.screen { #expect(DisplayWidth.of(line) <= size.columns, "\(what)") }
        let strange = robot.screen.joined().unicodeScalars.filter {
            $0.properties.generalCategory == .control || $0.properties.isBidiControl
        }
        #expect(strange.isEmpty, "\(what)")
    }

    private static let dialogs = [
        "a", "n", "e", "o", "o f", "o tab", "D", "t", "m", ":", "?", "/", "U", "U p", "U /", "g w",
        "g v",
        "g", "s",
        "g a", "g a -", "g M", "g M tab", "z",
        "L n", "g e", "g e enter", "g e enter /", "g S", "g S enter", "F", "F space", "g =",
        ": e x p enter",
        "v v j space",
    ]

    @Test(arguments: dialogs) func everyDialogIsDrawnAtEverySize(keys: String) throws {
        let robot = try Robot(rows: 36, columns: 120, sample: Self.sample)
        try robot.press(keys)
        for (rows, columns) in Self.sizes {
            robot.resize(rows: rows, columns: columns)
            check(robot, "\(keys) at \(rows) × \(columns)")
        }
        try robot.press("down up tab x backspace esc esc esc esc")
        check(robot, "\(keys), left at the smallest size")
        robot.resize(rows: 36, columns: 120)
        #expect(robot.shows("Pay rent"))
        #expect(!robot.library.context.hasChanges)
    }

    @Test(arguments: [0, 8, 16, 256, 1 << 24], [nil, true, false])
    func everyNumberOfColoursHasOneBarOverTheWholeRow(colors: Int, isLight: Bool?) throws {
        let robot = try Robot(rows: 24, columns: 120, colors: colors, sample: Self.sample)
        if let isLight {
            let part: UInt8 = isLight ? 255 : 0
            robot.send(.report(.background(.rgb(part, part, part))))
        }
        for title in ["Pay rent", "Call the Ämter"] {
            try robot.select(title)
            let row = try #require(robot.row(title))
            let area = try #require(robot.application.layout.panes[.items]?.area)
            let bar = robot.terminal.frame.styles(row)[area.column..<area.endColumn]
            #expect(Set(bar.map(\.background)).count == 1)
            #expect(Set(bar.map { $0.attributes.contains(.reverse) }).count == 1)
            if bar.first?.attributes.contains(.reverse) == true { #expect(Set(bar).count == 1) }
        }
    }

    /// Selects, edits and leaves; the title is never changed by being drawn.
    @Test func aLongTitleIsEditedAsItIs() throws {
        let robot = try Robot(rows: 10, columns: 40, sample: Self.sample)
        let item = try robot.library.items(matching: nil).first { $0.title.hasPrefix("long ") }
        let length = try #require(item).title.count
        #expect(length > 9000)
        robot.workspace.items.select(try #require(item).objectID)
        try robot.press("e end x ctrl+s")
        #expect(item?.title.count == length + 1)
        check(robot, "after the edit")
    }
}
