import DocketCore
import DocketFormats
import LibraryVerbs
import TerminalUI
import Testing

@testable import DocketApp

/// What holds for every row of the command table.
@Suite struct CommandTableTests {
    @Test func namesAreUnique() {
        let ids = CommandTable.all.map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test func everyRowTellsWhatItDoes() {
        for command in CommandTable.all {
            #expect(!command.title.isEmpty)
            #expect(command.help.hasSuffix("."), "\(command.id): \(command.help)")
            #expect(command.help.first?.isUppercase ?? false, "\(command.id): \(command.help)")
        }
    }

    @Test func defaultKeysBelongToOneCommandEach() throws {
        for context in Set(CommandTable.all.map(\.context)) {
            var owners: [[Key]: String] = [:]
            for command in CommandTable.all where command.context == context {
                for spelling in command.keys {
                    let keys = try Key.sequence(spelling)
                    #expect(owners[keys] == nil, "\(spelling): \(command.id)")
                    for (other, owner) in owners where other != keys {
                        let hides = other.starts(with: keys) || keys.starts(with: other)
                        #expect(!hides, "\(spelling) of \(command.id) and a key of \(owner)")
                    }
                    owners[keys] = command.id
                }
            }
        }
    }

    @Test func everyDefaultKeyLeadsToItsCommand() throws {
        let map = try KeyMap(commands: CommandTable.all)
        for command in CommandTable.all {
            for spelling in command.keys {
                let meaning = map.meaning(of: try Key.sequence(spelling), in: command.context)
                guard case .command(let id) = meaning else {
                    Issue.record("\(spelling) means nothing")
                    continue
                }
                #expect(id == command.id)
            }
        }
    }

    @Test func everyCommandOfThePanesIsInThePalette() throws {
        let robot = try Robot(sample: .empty)
        try robot.press(":")
        let palette = try #require(robot.workspace.modal as? Palette)
        let titles = Set(palette.menu.items.map(\.title))
        for command in CommandTable.all where command.context == .main {
            if command.id == "app.palette" { continue }
            #expect(titles.contains(command.title), "\(command.id)")
        }
    }

    @Test(arguments: [
        ("delete", "Move to the trash"), ("export", "Export to a file"), ("theme", "Settings"),
        ("deadline", "Set the due date"), ("clone", "Duplicate"),
        ("agenda", "Go to the agenda"), ("calendar", "Go to the month"),
        ("preferences", "Settings"),
        ("remind", "Set the reminder"), ("review", "Go to Review"),
        ("empty", "Empty the trash"), ("weekly", "Go to Next 7 days"),
        ("postpone", "A day later"), ("snooze", "Snooze until tomorrow"),
        ("priority", "Priority none"), ("waiting", "Go to Blocked"),
        ("reveal", "Show the password for 10 seconds"),
    ])
    func thePaletteFindsCommandsByOtherWords(word: String, title: String) throws {
        let robot = try Robot()
        try robot.press(":")
        robot.type(word)
        let menu = try #require(robot.workspace.modal as? Palette).menu
        let titles = menu.entries.map { menu.items[$0.item].title }
        #expect(titles.prefix(3).contains(title), "\(titles.prefix(5))")
    }

    @Test func thePaletteGoesToAListOrATagByItsName() throws {
        let robot = try Robot(sample: .home) { library in
            _ = try library.addTask(capturing: "Sow the peas +Home/Garden #outside")
        }
        for (typed, path) in [("garden", "Home/Garden"), ("hgar", "Home/Garden")] {
            try robot.press("g t :")
            robot.type(typed)
            try robot.press("enter")
            let list = try #require(robot.workspace.lists.list(of: robot.workspace.items.scope))
            #expect(ListPath.string(list.path) == path, "\(robot.text)")
            #expect(robot.workspace.focus == .items && robot.shows("Sow the peas"))
        }
        try robot.press("g t :")
        robot.type("#outs")
        try robot.press("enter")
        #expect(robot.titles == ["Sow the peas"])
    }

    @Test func thePaletteBeginsWithWhatWasUsedLast() throws {
        let robot = try Robot()
        try robot.press("f j p p :")
        let palette = try #require(robot.workspace.modal as? Palette)
        #expect(palette.menu.items.prefix(2).map(\.title) == ["Next priority", "Flag"])
    }

    @Test func thePaletteShowsWhatDoesNotApplyWithTheReason() throws {
        let robot = try Robot(columns: 140)
        try robot.press("h :")
        robot.type("move to the trash")
        #expect(robot.shows(" needs an item; l goes to the items."))
        #expect(!robot.shows("\"Move to the trash\""), "the row has its title already")
        try robot.press("enter")
        #expect(robot.message == "\"Move to the trash\" needs an item; l goes to the items.")
        try robot.press("ctrl+u")
        robot.type("copy the password")
        #expect(robot.shows("The vault is not open; g v opens it."))
    }

    @Test(arguments: [(600, 120), (800, 80), (1400, 40)])
    func helpListsEveryCommandAndCutsNothing(rows: Int, columns: Int) throws {
        let robot = try Robot(rows: rows, columns: columns, sample: .empty)
        try robot.press("?")
        let text = robot.text.split(whereSeparator: { $0 == " " || $0 == "\n" })
            .joined(separator: " ")
        for command in CommandTable.all where columns == 120 {
            #expect(text.contains("\(command.title) "), "\(command.id)")
        }
        #expect(!robot.text.contains("…"))
        // The last words of each help are there, wherever the rows end.
        for command in CommandTable.all {
            let last = command.help.split(separator: " ").suffix(1).joined(separator: " ")
            #expect(text.contains(last), "\(command.id): \(last)")
        }
    }

    @Test(arguments: [(24, 80), (12, 40), (40, 120)])
    func theFirstRowsOfTheHelpAreWhole(rows: Int, columns: Int) throws {
        let robot = try Robot(rows: rows, columns: columns, sample: .empty)
        robot.send(.key(Key("?")))
        #expect(!robot.text.contains("…"), "\(robot.text)")
    }

    @Test func aTextFiltersTheHelp() throws {
        let robot = try Robot(rows: 30, sample: .empty)
        try robot.press("? /")
        robot.type("trash")
        #expect(robot.shows("Move to the trash") && robot.shows("Restore from the trash"))
        #expect(!robot.shows("Duplicate"))
        try robot.press("enter down j k")
        #expect(robot.shows("Move to the trash"), "keys scroll again")
        try robot.press("esc")
        #expect(robot.workspace.modal is HelpBox && robot.shows("Next row"))
        try robot.press("/")
        robot.type("snooze")
        #expect(robot.shows("Snooze until tomorrow"))
        robot.type("xyz")
        #expect(robot.shows("No command has \"snoozexyz\"."))
        try robot.press("esc esc")
        #expect(robot.workspace.modal == nil)
    }

    @Test func aDisabledCommandSaysWhyInOneSentence() throws {
        let robot = try Robot(sample: .empty)
        for command in CommandTable.all {
            guard let reason = command.reason(in: robot.workspace) else { continue }
            #expect(reason.hasSuffix("."), "\(command.id): \(reason)")
        }
    }

    @Test func noCommandFailsOnAnEmptyStore() throws {
        let robot = try Robot(sample: .empty)
        for command in CommandTable.all where command.id != "app.quit" {
            command.perform(in: robot.workspace)
            robot.settle()
            robot.workspace.modals = []
            robot.workspace.requests = []
        }
        #expect(robot.terminal.frames > CommandTable.all.count)
    }
}
