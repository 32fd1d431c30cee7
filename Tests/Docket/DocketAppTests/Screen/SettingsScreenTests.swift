import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ScreenReading
import TerminalUI
import Testing

@testable import DocketApp

/// The settings on the screen, and the file behind them.
@Suite struct SettingsScreenTests {
    /// A box with a sample of each value; the arrows choose, and a name can be typed.
    @Test func aColourAndASignAreChosenFromSamples() throws {
        let robot = try Robot(rows: 36, columns: 120)
        try robot.press(", /")
        robot.type("colour of tag\n")
        try robot.press("enter")
        let row = try #require(robot.row("magenta"))
        let cells = robot.terminal.frame.cells(row)
        #expect(cells.contains { $0.text == "█" && $0.style.foreground == .indexed(5) })
        robot.type("green\n")
        #expect(robot.config.contains("tag = \"green\""))
        #expect(robot.message == "Colour of tag: green")
        try robot.press("enter")
        #expect(robot.screen.contains { $0.contains("green") && $0.contains("now") })
        try robot.press("up enter")
        #expect(robot.config.contains("tag = \"red\""))
        try robot.press("/ ctrl+u")
        robot.type("sign: done\n")
        try robot.press("enter down down enter")
        #expect(robot.config.contains("done = \"✔\""))
        try robot.press("enter")
        robot.type("another\n")
        robot.type("y\n")
        #expect(robot.config.contains("done = \"y\""))
        try robot.press("u u")
        #expect(robot.config.contains("tag = \"red\"") && !robot.config.contains("done"))
    }

    @Test func theProgramBeginsWithTheViewOfTheSettings() throws {
        for (name, title) in [
            ("agenda", "Agenda"), ("month", "November 2026"), ("statistics", "Statistics"),
            ("history", "History"), ("today", "Today"),
        ] {
            let robot = try Robot(columns: 120, start: nil, config: "start = \"\(name)\"")
            #expect(robot.screen[0].contains(title), "\(robot.text)")
            #expect(robot.workspace.settings.problems == [])
        }
    }

    private static let file = """
        # mine
        theme = "light"  # bright room
        unknown = 3

        [keys]
        "item.done" = "x"

        """

    private func robot(_ config: String = file, columns: Int = 110) throws -> Robot {
        let robot = try Robot(rows: 30, columns: columns, config: config)
        try robot.press("esc ,")
        return robot
    }

    /// Selects a setting by its name.
    private func find(_ name: String, in robot: Robot) throws {
        try robot.press("/")
        robot.type(name)
        try robot.press("enter")
    }

    @Test func theLookIsShownWithItsContrastAndWhatItMeans() throws {
        let robot = try robot()
        #expect(robot.screen[0].contains("Docket  Settings › Look"))
        #expect(robot.shows("▌Theme") && robot.shows("‹ light ›"))
        let contrast = try #require(Theme.light.leastContrast)
        #expect(robot.shows("contrast \(Int(contrast)).\(Int(contrast * 10) % 10) : 1"))
        #expect(robot.shows("theme · default: as the terminal is · dark, light, dusk"))
        for part in ["Look", "Dates", "Keys", "Lists", "Reminders", "Data"] {
            #expect(robot.screen.contains { $0.contains(" \(part)") })
        }
    }

    @Test func aChangeIsSeenAndWrittenAtOnceAndTakenBack() throws {
        let robot = try robot()
        try robot.press("l")
        #expect(robot.workspace.look.theme.name == "dusk" && robot.shows("‹ dusk ›"))
        #expect(robot.config == Self.file.replacing("\"light\"", with: "\"dusk\""))
        #expect(robot.message == "Theme: dusk")
        #expect(robot.screen[0].contains("written to config.toml · u takes back"))
        try robot.press("l l u")
        #expect(robot.workspace.look.theme.name == "paper")
        try robot.press("u u")
        #expect(robot.config == Self.file && robot.workspace.look.theme.name == "light")
        try robot.press("u")
        #expect(robot.message == "No setting was changed in this window.")
        try robot.press("ctrl+r")
        #expect(robot.workspace.look.theme.name == "dusk")
    }

    @Test func severalKeysOfOneEventChangeSeveralTimes() throws {
        let robot = try robot()
        robot.application.handle([.input(.key(Key("l"))), .input(.key(Key("l")))])
        robot.settle()
        #expect(robot.workspace.look.theme.name == "paper")
    }

    @Test func theDefaultTakesTheLineOutAndLeavesItsComment() throws {
        let robot = try robot()
        try robot.press("r")
        #expect(robot.config.hasPrefix("# mine\n# bright room\nunknown = 3\n"))
        #expect(!robot.shows("▌Theme"))
        try robot.press("r")
        #expect(robot.message == "Theme has its default already.")
    }

    @Test func whatIsTypedIsCheckedWhileItIsTyped() throws {
        let robot = try robot()
        try find("day-hours", in: robot)
        try robot.press("enter")
        robot.type("30")
        #expect(robot.shows("day-hours must be a number from 1 to 24."))
        try robot.press("enter")
        #expect(robot.workspace.modal is SettingBar && !robot.config.contains("day-hours"))
        try robot.press("ctrl+u")
        robot.type("7")
        try robot.press("enter")
        #expect(robot.config.contains("day-hours = 7\n"))
        #expect(robot.workspace.settings.dayHours == 7)
        try robot.press("enter ctrl+u enter")
        #expect(!robot.config.contains("day-hours"))
    }

    @Test func datesAreReadAnotherWayAtOnce() throws {
        let robot = try robot()
        robot.application.whenSettingsChange = { [clock = robot.clock] settings in
            clock.context.settings = settings.time
            clock.context.weekStart = settings.weekStart
        }
        try find("week-start", in: robot)
        try robot.press("h")
        #expect(robot.config.contains("week-start = \"sunday\""))
        try robot.press("esc esc g M")
        let days = try #require(robot.screen.first { $0.contains("Mo") && $0.contains("Su") })
        #expect(days.contains("Su    Mo"), "\(days)")
    }

    @Test func theSameFileFromTwoWindowsLosesNothing() throws {
        let robot = try robot()
        try robot.press("l")
        try SettingsFile(robot.configURL.path).change([SettingChange("ascii", typed: "true")])
        try robot.press("l")
        #expect(robot.config.contains("theme = \"paper\"") && robot.config.contains("ascii = true"))
        #expect(robot.workspace.look.isASCII)
        // Taking back leaves what somebody else has written.
        try robot.press("u u")
        #expect(robot.config.contains("theme = \"light\"") && robot.config.contains("ascii = true"))
    }

    @Test func aFileThatBecameInvalidIsRefusedAndNothingIsLost() throws {
        let robot = try robot()
        let broken = Self.file + "name = \"unfinished\n"
        try broken.write(to: robot.configURL, atomically: true, encoding: .utf8)
        try robot.press("l")
        #expect(robot.message.contains("config.toml, line 7: a closing quote is missing."))
        #expect(robot.message.contains("Nothing was changed"))
        #expect(robot.config == broken && robot.workspace.look.theme.name == "light")
    }

    @Test func anotherKeyIsUsedAtOnce() throws {
        let robot = try robot("")
        try find("keys.view.fold", in: robot)
        try robot.press("enter")
        #expect(robot.shows("press a key"))
        try robot.press("W")
        #expect(robot.shows("free"))
        try robot.press("Q enter")
        #expect(robot.config == "[keys]\n\"view.fold\" = [\"W Q\"]\n")
        #expect(robot.workspace.keyMap.labels(of: "view.fold", ascii: false) == "WQ")
        try robot.press("u")
        #expect(robot.workspace.keyMap.label(of: "view.fold", ascii: false) == "-")
    }

    @Test func aKeyOfAnotherCommandIsSwappedOrTaken() throws {
        let robot = try robot("")
        try find("keys.item.done", in: robot)
        try robot.press("enter f")
        #expect(robot.shows("f belongs to \"Flag\""))
        try robot.press("enter s")
        let keys = { robot.workspace.keyMap.spellings(of: $0) }
        #expect(keys("item.done") == ["f"] && keys("item.flag") == ["space"])
        try robot.press("u")
        #expect(keys("item.done") == ["space"] && keys("item.flag") == ["f"])
        try robot.press("enter f enter t")
        #expect(keys("item.done") == ["f"] && keys("item.flag") == [])
        // What begins with the keys of many is refused.
        try robot.press("enter g enter")
        #expect(robot.message.contains("g begins the keys of"))
        #expect(robot.workspace.modal is KeyBar)
        try robot.press("esc")
        #expect(keys("item.done") == ["f"])
    }

    @Test func theSettingsHaveRowsForEverySetting() throws {
        let robot = try robot("[folders]\nRecipes = \"/nowhere\"\n")
        var seen: Set<String> = []
        for _ in Setting.Section.allCases {
            try robot.press("g g")
            var last = ""
            while let name = robot.screen.first(where: { $0.contains("default: ") })?
                .split(separator: "│").last?.split(separator: " ").first.map(String.init),
                name != last
            {
                seen.insert(name)
                last = name
                robot.send(.key(.down))
            }
            try robot.press("tab")
        }
        for setting in Setting.all(robot.workspace.settings) {
            #expect(seen.contains(setting.name), "\(setting.name)")
        }
    }

    @Test func theFileIsEditedInTheEditor() throws {
        let robot = try robot("")
        robot.terminal.editor = { path in
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            #expect(text == Setting.sample(isComment: true))
            try? "theme = \"dusk\"\n".write(toFile: path, atomically: true, encoding: .utf8)
            return 0
        }
        try robot.press("E")
        #expect(robot.config == "theme = \"dusk\"\n" && robot.workspace.look.theme.name == "dusk")
        try robot.press("u")
        #expect(robot.config.isEmpty)
    }

    @Test func aClickOnAPartAndOnAValue() throws {
        let robot = try robot()
        func click(_ row: Int, _ column: Int) {
            let place = Position(row: row, column: column)
            for kind in [MouseEvent.Kind.press, .release] {
                robot.send(.mouse(MouseEvent(kind, button: .left, at: place, time: .now)))
            }
            robot.settle()
        }
        let dates = try #require(robot.screen.firstIndex { $0.hasPrefix("  Dates") })
        click(dates, 3)
        #expect(robot.screen[0].contains("› Dates"))
        let language = try #require(robot.screen.firstIndex { $0.contains("Language") })
        click(language, 45)
        #expect(robot.config.contains("language = \"de\""))
    }

    @Test(arguments: [(1, 1), (3, 20), (8, 59), (12, 60), (36, 200)])
    func anySizeIsDrawn(rows: Int, columns: Int) throws {
        let robot = try Robot(rows: rows, columns: columns, config: Self.file)
        try robot.press("esc ,")
        for keys in ["tab", "tab", "G", "enter", "x", "esc", "/", "z", "esc", "tab", "end"] {
            try robot.press(keys)
            robot.terminal.frame.checkInvariants()
        }
    }

    @Test func columnsOfRowsAreThoseOfTheSettings() throws {
        let robot = try Robot(columns: 140)
        #expect(robot.screen.contains { $0.contains("Pay rent") && $0.contains("#bank") })
        try robot.press(",")
        try find("columns", in: robot)
        try robot.press("enter ctrl+u")
        robot.type("estimate, tags")
        try robot.press("enter esc esc")
        let items = try #require(robot.application.layout.panes[.items]?.area)
        let cells = robot.terminal.frame.cells(try #require(robot.row("Pay rent")))
        let shown = cells[items.column..<items.endColumn].map(\.text).joined()
        #expect(shown.contains("#bank"), "\(shown)")
        #expect(!shown.contains("Home") && !shown.contains("9:00"), "\(shown)")
    }
}
