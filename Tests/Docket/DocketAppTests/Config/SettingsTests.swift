import CivilTime
import DocketCore
import DocketFormats
import ScreenReading
import TerminalUI
import Testing

@testable import DocketApp

@Suite struct SettingsTests {
    private func problems(_ text: String) -> [String] {
        var settings = Settings()
        settings.read(text, name: "config.toml")
        return settings.problems
    }

    @Test func settingsAreTakenOver() throws {
        var settings = Settings()
        settings.read(
            """
            # mine
            theme = "light"   # bright room
            ascii = true
            start = "due soon"
            mouse = false

            [colors]
            tag = "green"
            list = 33
            link = "#0040ff"
            """,
            name: "config.toml"
        )
        #expect(settings.problems == [])
        #expect(settings.theme == "light")
        #expect(settings.isASCII)
        #expect(settings.startList == .dueSoon)
        #expect(!settings.usesMouse)
        let look = settings.look(colors: 256)
        #expect(look.theme[.tag].foreground == .indexed(2))
        #expect(look.theme[.list].foreground == .indexed(33))
        #expect(look.theme[.link].foreground == .rgb(0, 0x40, 0xFF))
        #expect(look.theme[.title].foreground == Theme.light[.title].foreground)
    }

    @Test(arguments: ["\n", "\r\n"], ["", "\u{FEFF}"])
    func anyLineEndsAndAByteOrderMarkAreRead(_ end: String, _ mark: String) {
        var settings = Settings()
        let lines = [
            "theme = \"light\"", "", "# mine", "ascii = true # all", "wrong = 3", "[vault]",
        ]
        // The last line has no end.
        settings.read(mark + (lines + ["lock-after = 60"]).joined(separator: end), name: "c")
        #expect(settings.theme == "light" && settings.isASCII && settings.lockAfter == 60)
        #expect(settings.problems.count == 1)
        #expect(settings.problems.first?.hasPrefix("c, line 5:") == true)
    }

    @Test func datesAreReadInTheLanguageAndOrderThatAreSet() {
        var settings = Settings()
        #expect(settings.time == TimeSettings())
        settings.read("language = \"de\"", name: "c")
        #expect(settings.time.language == .german && settings.time.dateOrder == .dayFirst)
        settings.read("date-order = \"month-first\"", name: "c")
        #expect(settings.time.dateOrder == .monthFirst)
        #expect(
            problems("language = \"fr\"") == [
                "config.toml, line 1: \"fr\" is not a language; write en or de."
            ]
        )
        #expect(
            problems("day-hours = 25") == [
                "config.toml, line 1: day-hours must be a number from 1 to 24."
            ]
        )
        #expect(
            problems("date-order = \"year-first\"") == [
                "config.toml, line 1: \"year-first\" is not an order of dates; write "
                    + "day-first or month-first."
            ]
        )
        #expect(problems("language = 3").count == 1)
    }

    @Test func writtenSettingsAreReadAsTheSame() {
        var settings = Settings()
        settings.read(
            """
            theme = "mono"
            ascii = true
            start = "due soon"
            language = "de"
            date-order = "month-first"
            [keys]
            "item.done" = ["x", "space"]
            "app.suspend" = []
            [colors]
            tag = "green"
            link = "#00a0ff"
            [history]
            age = "1 year"
            size = "50 MB"
            [backup]
            count = 3
            daily = false
            [vault]
            lock-after = 10
            [lists]
            create = "ask"
            archive-after = 0
            review-after = 3
            [folders]
            "My \\"notes\\"" = "/a\\\\b"
            """,
            name: "c"
        )
        #expect(settings.problems == [])
        var again = Settings()
        again.read(settings.text, name: "c")
        #expect(again.problems == [])
        #expect(again.text == settings.text)
        #expect(again.time == settings.time && again.folders == settings.folders)
        #expect(again.history == settings.history && again.backup == settings.backup)
        #expect(again.theme == "mono" && again.isASCII && again.lockAfter == 10)
        #expect(again.newLists == .ask && Settings().newLists == .yes)
        #expect(again.startList == .dueSoon && again.keys.count == 2 && again.colors.count == 2)
        #expect(Settings().text.contains("# date-order: that of the language"))
    }

    @Test func foldersAreNamedPathsInTheirOrder() throws {
        var settings = Settings()
        settings.read(
            "[folders]\n\"My notes\" = \"~/notes\"\nb = '/b'\na = \"/a\"  # last\n",
            name: "config.toml"
        )
        #expect(settings.problems == [])
        #expect(settings.folders.map(\.name) == ["My notes", "b", "a"])
        #expect(settings.folders[0].path == UserPath.expanded("~/notes"))
        #expect(settings.folders[0].path.hasPrefix("/") && settings.folders[1].path == "/b")
    }

    @Test(arguments: [
        (
            "theme = dark",
            "config.toml, line 1: \"dark\" is not a value; write texts in quotes, like \"dark\"."
        ),
        (
            "\ntheme = \"pink\"",
            "config.toml, line 2: \"pink\" is not a theme; write dark, light, dusk, paper, clear, contrast, 16 or mono."
        ),
        ("theme \"dark\"", "config.toml, line 1: a \"=\" is missing."),
        ("theme = \"dark", "config.toml, line 1: a closing quote is missing."),
        (
            "[keys]\nfly = \"x\"",
            "config.toml, line 2: \"fly\" is not a command; commands begin with move, pane, back, go,"
                + " item, view, waiting, sort, group, list, search, history, agenda, month, reader,"
                + " statistics, focus, timer, review, settings, vault, inspector, sync, conflict, app, form, as in item.done."
        ),
        (
            "[keys]\n\"search.start\" = \"x\"",
            "config.toml, line 2: \"search.start\" is not a command; those of search are"
                + " search.open, search.clear."
        ),
        (
            "[symbols]\ndone = \"ok\"",
            "config.toml, line 2: \"ok\" is not a symbol; write one character of one column."
        ),
        (
            "[symbols]\ntick = \"x\"",
            "config.toml, line 2: \"tick\" is not a symbol; the symbols are open, low, medium, high,"
                + " done, blocked, note, folded, unfolded, flag, separator, crumb, bullet, unticked,"
                + " ticked, quote, conflict."
        ),
        (
            "[folders]\nRecipes = 3",
            "config.toml, line 2: the folder \"Recipes\" must be a path in quotes."
        ),
        (
            "[folders]\nRecipes = \"notes\"",
            "config.toml, line 2: \"notes\" is not a path; begin it with / or ~/."
        ),
        (
            "[folders]\n\"a/b\" = \"/a\"",
            "config.toml, line 2: \"a/b\" is not a name for a folder; it has one line, without a"
                + " slash."
        ),
        (
            "[folders]\na = \"/a\"\na = \"/b\"",
            "config.toml, line 3: \"a\" is in line 2 already, which counts."
        ),
        (
            "colour = 1",
            "config.toml, line 1: \"colour\" is not a setting; the settings are theme, ascii, columns,"
                + " mouse, start, language, date-order, week-start and day-hours."
        ),
        (
            "[colors]\ntag = \"pale\"",
            "config.toml, line 2: \"pale\" is not a colour; write a name, 0 to 255, or #rrggbb."
        ),
        (
            "[window]\nx = 1",
            "config.toml, line 2: [window] is not a table; the tables are keys, colors, symbols, history, backup, vault, lists, reminders, folders and sync.NAME."
        ),
    ])
    func aWrongLineIsNamed(text: String, problem: String) {
        #expect(problems(text) == [problem])
    }

    @Test func anUnknownRoleIsToldAllRoles() {
        let problem = problems("[colors]\ntags = \"red\"").first ?? ""
        for role in Role.allCases { #expect(problem.contains("\(role)"), "\(role)") }
    }

    @Test func symbolsAreThoseOfTheSettings() throws {
        let robot = try Robot(config: "[symbols]\nhigh = \"H\"\ndone = \"D\"\nseparator = \"/\"")
        #expect(robot.shows("H Call the Ämter") && robot.shows("D measure the beds"))
        #expect(robot.screen[0].contains("open / by hand"))
        #expect(robot.application.settings.text.contains("[symbols]\nhigh = \"H\"\ndone = \"D\"\n"))
    }

    @Test func aWrongLineLeavesTheOthersInForce() throws {
        let robot = try Robot(config: "nonsense\n[keys]\n\"item.add\" = \"ctrl+a\"")
        #expect(robot.message.contains("config.toml, line 1"))
        try robot.press("ctrl+a")
        #expect(robot.workspace.modal is CaptureBar)
    }

    @Test(arguments: [(24, 110), (24, 80), (10, 40)])
    func allWrongLinesAreNamed(rows: Int, columns: Int) throws {
        let config = "nonsense\ntheme = pink\nmouse = true\n[keys]\nfly = \"x\"\n[window]\nx = 1"
        let robot = try Robot(rows: rows, columns: columns, config: config)
        #expect(robot.message.contains("4 lines cannot be used: 1, 2, 5 and 7."))
        #expect(robot.shows("1, 2, 5 and 7."))
        if rows == 24 {
            let screen = robot.text
            for part in ["line 1: a \"=\" is missing", "line 2: \"pink\"", "line 5:", "line 7:"] {
                #expect(screen.contains(part), "\(part): \(screen)")
            }
        }
        // It stays until a key, not for some seconds.
        #expect(robot.workspace.messages.deadline == nil)
        try robot.press("j")
        #expect(!robot.shows("cannot be used"))
    }

    @Test func aHundredWrongLinesAreNamedByNumber() throws {
        let config = (1...100).map { _ in "nonsense" }.joined(separator: "\n")
        let robot = try Robot(config: config)
        let numbers = (1...99).map { "\($0)" }.joined(separator: ", ")
        #expect(robot.message.contains("100 lines cannot be used: \(numbers) and 100."))
        robot.terminal.frame.checkInvariants()
    }

    @Test func noColourWinsOverEveryTheme() {
        var settings = Settings()
        settings.read("theme = \"dark\"\n[colors]\ntag = \"red\"", name: "config.toml")
        settings.noColor = true
        let look = settings.look(colors: 256)
        for role in Role.allCases {
            #expect(look.theme[role].foreground == .standard)
            #expect(look.theme[role].background == .standard)
        }
    }
}
