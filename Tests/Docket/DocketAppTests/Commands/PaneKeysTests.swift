import DocketCore
import DocketFormats
import Encryption
import Foundation
import LibraryVerbs
import ObjectGraph
import ScreenReading
import SeededRandom
import TerminalUI
import Testing

@testable import DocketApp

/// Every key in every pane, dialog and empty state acts on what has the focus, or says what it would
/// need; nothing else changes.
@Suite struct PaneKeysTests {
    /// The characters, the named keys, and the sequences of the table.
    private static let keys: [[Key]] = {
        var keys = (33...126).map { [Key(Character(Unicode.Scalar($0)))] }
        let names = [
            "space", "enter", "tab", "shift+tab", "esc", "backspace", "delete", "up", "down",
            "left", "right", "home", "end", "pageup", "pagedown", "f1", "f5", "alt+enter",
        ]
        keys += names.compactMap { try? Key.sequence($0) }
        keys += "abdefghijklmnoprstuvwxyz".map { [Key.ctrl($0)] }
        let bound = CommandTable.all.flatMap(\.keys).compactMap { try? Key.sequence($0) }
        return keys + bound.filter { $0.count > 1 }
    }()

    /// The keys that are pressed in a place: others in each, so that every key is pressed somewhere.
    private static func keys(in place: String) -> [[Key]] {
        var random = SeededRandom(seed: place.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        return random.share(of: keys, oneIn: 4)
    }

    /// What must not change unless the pane takes it.
    private struct Outside: Equatable {
        var transaction: Int64
        var marks: Set<ManagedObjectID>
        var selected: ManagedObjectID?
        /// The names in the vault; `nil` while it is locked.
        var credentials: [String]?
    }

    private final class Scene {
        let files: URL
        let robot: Robot

        init(_ sample: Sample = .home) throws {
            files = FileManager.default.temporaryDirectory.appending(path: "k-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            try Data("# Bread\n".utf8).write(to: files.appending(path: "bread.md"))
            robot = try Robot(config: "[folders]\nF = \"\(files.path)\"\n", sample: sample)
        }

        static let passphrase = "four words are good"

        /// Creates a locked vault with two credentials.
        func makeVault() throws {
            let vault = robot.library.vault
            try vault.create(passphrase: SecretBytes(Scene.passphrase), cost: .leastForTests)
            for name in ["Bank", "Mail"] {
                var record = CredentialRecord()
                (record.name, record.password) = (name, "secret")
                try vault.add(record)
            }
            vault.lock()
        }

        func unlock() throws {
            robot.application.lockVault()
            try robot.press("g v")
            robot.type(Scene.passphrase + "\n")
        }

        deinit { try? FileManager.default.removeItem(at: files) }

        func outside() throws -> Outside {
            Outside(
                transaction: try robot.library.latestTransaction(),
                marks: robot.workspace.items.marks,
                selected: robot.workspace.items.selectedID,
                credentials: try? robot.library.vault.entries().map(\.name)
            )
        }

        /// What was saved since a transaction.
        func changes(after transaction: Int64) throws -> [HistoryChange] {
            let history = try robot.library.context.coordinator.withFirstStore {
                try $0.history(after: transaction, limit: 10)
            }
            return (history ?? []).flatMap(\.changes)
        }

        /// Goes to the same state again.
        func open(_ place: Place) throws {
            let workspace = robot.workspace
            workspace.modals = []
            workspace.requests = []
            (workspace.prefix, workspace.count) = ([], nil)
            workspace.focus = .items
            workspace.clearSearch()
            workspace.items.marks = []
            try workspace.show(.smart(.all))
            if place != .emptyStore {
                try robot.select("Read a book")
                try robot.press("v")
                try robot.select("Pay rent")
            }
            switch place {
            case .items: break
            case .vault: try unlock()
            case .lists: workspace.focus = .lists
            case .detail: workspace.focus = .detail
            case .folder: try robot.press("g m")
            case .folderText: try robot.press("g m enter")
            case .history: try robot.press("U")
            case .settings: try robot.press(",")
            case .month: try robot.press("g M")
            case .inspector: try robot.press("g e enter")
            case .emptyStore: break
            case .emptyList: try robot.press("M c g f")
            case .emptySearch:
                try robot.press("/")
                robot.type("nowhere")
                try robot.press("enter M c")
            }
            workspace.messages.clear()
            robot.settle()
        }
    }

    enum Place: CaseIterable {
        case lists, items, detail, folder, folderText, history, month, inspector, vault, settings
        case emptyStore, emptyList, emptySearch

        /// The commands that may save something here.
        var saving: Set<String> {
            switch self {
            case .folder, .folderText, .month, .emptyStore, .emptyList, .emptySearch:
                ["history.undo", "history.redo", "list.delete", "list.hide", "list.reset"]
            case .lists:
                [
                    "history.undo", "history.redo", "list.delete", "list.hide", "list.reset",
                    "item.moveDown", "item.moveUp",
                ]
            case .history: ["history.undo", "history.redo", "history.goTo"]
            case .inspector, .detail, .vault, .items, .settings: []
            }
        }

        /// The commands that may choose another item: they show another list.
        func mayMove(_ command: Command?) -> Bool {
            guard let command else { return false }
            return command.id.hasPrefix("go.") || command.id.hasPrefix("sort.")
                || command.id.hasPrefix("group.") || command.id.hasPrefix("search.")
                || (self == .items || self == .month) && command.category == .move
                || self == .lists && command.id.hasPrefix("move.")
                || [
                    "view.done", "waiting.show", "list.delete", "vault.open", "agenda.show",
                    "month.show",
                ].contains(command.id)
        }
    }

    private func command(_ keys: [Key], _ robot: Robot) -> Command? {
        let context = robot.workspace.paneKind.keyContext
        for context in [context, .main] {
            if case .command(let id) = robot.workspace.keyMap.meaning(of: keys, in: context) {
                return CommandTable.command(id)
            }
        }
        return nil
    }

    /// The screen with its styles.
    private func look(_ robot: Robot) -> [[Cell]] {
        let frame = robot.terminal.frame
        return (0..<frame.rows).map { Array(frame.cells($0)) }
    }

    @Test(arguments: Place.allCases.filter { ![.detail, .items, .vault].contains($0) })
    func aKeyChangesOnlyWhatItsPaneHas(place: Place) throws { try pressEveryKey(in: place) }

    @Test func aKeyInTheVaultChangesOnlyTheVault() throws {
        try OneVault.alone { try pressEveryKey(in: .vault) }
    }

    private func pressEveryKey(in place: Place) throws {
        func scene() throws -> Scene {
            let scene = try place == .emptyStore ? Scene(.empty) : Scene()
            if place == .vault { try scene.makeVault() }
            return scene
        }
        var current = try scene()
        for keys in Self.keys(in: "\(place)") {
            let robot = current.robot
            try current.open(place)
            let before = try current.outside()
            let (screen, marked) = (look(robot), robot.workspace.items.marks)
            let command = command(keys, robot)
            // What the first key does alone is another case.
            if keys.count > 1, robot.workspace.keyMap.isWhole(keys[0], in: robot) { continue }
            for key in keys { robot.send(.key(key)) }
            robot.settle()
            let after = try current.outside()
            let name = "\(keys) (\(command?.id ?? "-")) in \(place)"
            if !place.saving.contains(command?.id ?? "") {
                #expect(after.transaction == before.transaction, "\(name): \(robot.message)")
            }
            if place != .emptyList, place != .emptySearch, command?.id != "back" {
                let leaves = place.mayMove(command)
                #expect(
                    leaves || place.saving.contains(command?.id ?? "") || after.marks == marked,
                    "\(name) changed the marks"
                )
                #expect(
                    leaves || place.saving.contains(command?.id ?? "")
                        || after.selected == before.selected,
                    "\(name) chose another item"
                )
            }
            // A motion at the end, or a key that asks the program for something.
            let isQuiet =
                command?.category == .move || command?.category == .program
                || place == .inspector && command?.context == .inspector
            #expect(
                isQuiet || look(robot) != screen || !robot.message.isEmpty,
                "\(name) did nothing and said nothing"
            )
            let changesVault = ["vault.remove", "vault.undo", "vault.redo"]
            if let credentials = after.credentials, credentials != before.credentials {
                #expect(changesVault.contains(command?.id ?? ""), "\(name) changed the vault")
            }
            let isOver = place == .vault && robot.application.status != nil
            if after.transaction != before.transaction || after.credentials != before.credentials
                || isOver
            {
                robot.library.vault.close()
                current = try scene()
            }
        }
        current.robot.library.vault.close()
    }

    @Test func aKeyInTheItemsChangesOnlyWhatItIsAbout() throws {
        var scene = try Scene()
        for keys in Self.keys(in: "items") {
            let robot = scene.robot
            try scene.open(.items)
            let before = try scene.outside()
            let (screen, command) = (look(robot), command(keys, robot))
            if keys.count > 1, robot.workspace.keyMap.isWhole(keys[0], in: robot) { continue }
            for key in keys { robot.send(.key(key)) }
            robot.settle()
            let name = "\(keys) (\(command?.id ?? "-"))"
            let isQuiet = command?.category == .move || command?.category == .program
            #expect(
                isQuiet || look(robot) != screen || !robot.message.isEmpty,
                "\(name) did nothing and said nothing"
            )
            if try robot.library.latestTransaction() == before.transaction { continue }
            #expect(command != nil, "\(name) saved something")
            for change in try scene.changes(after: before.transaction)
            where !before.marks.contains(change.objectID)
                && [Task.entityName, Note.entityName].contains(change.objectID.entityName)
            {
                // Undo, and commands on a list, are about more than the marked item.
                let id = command?.id ?? ""
                let isAboutMore = id.hasPrefix("history.") || id.hasPrefix("list.")
                #expect(
                    isAboutMore || change.oldValues.keys.allSatisfy { $0 == "displayOrder" },
                    "\(name): \(change.oldValues.keys)"
                )
            }
            scene = try Scene()
        }
    }

    @Test func aKeyInThePassphraseBoxesAndTheFormOfTheVaultChangesNothing() throws {
        try OneVault.alone {
            let scene = try Scene()
            let robot = scene.robot
            defer { robot.library.vault.close() }
            func press(_ place: String, accepting: [String], _ open: () throws -> Void) throws {
                let accepts = try accepting.map { try Key.sequence($0) }
                for keys in Self.keys(in: place) where keys.count == 1 && !accepts.contains(keys) {
                    robot.workspace.modals = []
                    robot.workspace.requests = []
                    try open()
                    #expect(robot.workspace.modal is any VaultModal, "\(place)")
                    let before = try scene.outside()
                    robot.send(.key(keys[0]))
                    robot.settle()
                    #expect(try scene.outside() == before, "\(keys) in \(place)")
                }
            }
            try scene.open(.items)
            try press("the box that creates", accepting: []) { try robot.press("g v") }
            #expect(!robot.library.vault.exists)
            try scene.makeVault()
            try press("the box that unlocks", accepting: []) { try robot.press("g v") }
            try scene.open(.vault)
            try press("the box that changes", accepting: []) {
                robot.workspace.open(try PassphraseBox(.change))
            }
            try press("the form", accepting: ["ctrl+s"]) { try robot.press("e") }
            try press("the search", accepting: []) { try robot.press("/") }
        }
    }

    @Test func aCommandInTheDetailIsAboutTheItemThatItShows() throws {
        let commands = CommandTable.all.filter { $0.context == .main && $0.subject == .items }
        for command in commands {
            let scene = try Scene()
            let robot = scene.robot
            try scene.open(.detail)
            let marks = robot.workspace.items.marks
            let before = try robot.library.latestTransaction()
            command.perform(in: robot.workspace)
            robot.settle()
            #expect(robot.workspace.items.marks == marks, "\(command.id)")
            let marked = try #require(marks.first)
            for change in try scene.changes(after: before) where change.objectID == marked {
                #expect(change.oldValues.keys.allSatisfy { $0 == "displayOrder" }, "\(command.id)")
            }
        }
    }

    @Test(
        arguments: [
            ("a", ["enter", "alt+enter", "ctrl+j", "ctrl+m"]), ("n", ["ctrl+s", "enter"]),
            ("O", ["ctrl+s", "enter"]), ("e", ["ctrl+s", "enter"]), ("D", ["enter"]),
            ("S", ["enter"]),
            ("t", ["enter"]), ("m", ["enter"]), (":", ["enter"]), ("?", []), ("/", []),
            ("L n", ["enter"]), ("L s", ["ctrl+s", "enter"]), ("g e", []), ("A", ["enter"]),
        ] as [(String, [String])]
    )
    func aKeyInADialogSavesNothingUnlessItAccepts(opening: String, accepting: [String]) throws {
        let scene = try Scene()
        let robot = scene.robot
        try scene.open(.detail)
        let accepts = try accepting.map { try Key.sequence($0) }
        for keys in Self.keys(in: opening) where keys.count == 1 && !accepts.contains(keys) {
            robot.workspace.modals = []
            robot.workspace.requests = []
            robot.workspace.focus = .items
            try robot.press(opening)
            #expect(robot.workspace.modal != nil, "\(opening)")
            let before = try scene.outside()
            robot.send(.key(keys[0]))
            robot.settle()
            var after = try scene.outside()
            // What is found chooses another row.
            if opening == "/" { after.selected = before.selected }
            #expect(after == before, "\(keys) in \(opening)")
        }
    }

    @Test func aCommandInTheListsSaysWhatItNeeds() throws {
        let robot = try Robot()
        try robot.press("h")
        let before = try robot.undoSteps()
        for key in ["d", "space", "D", "t", "m", "f", "v", "V", ">", "<", "c", "y", "p 3"] {
            try robot.press(key)
            #expect(robot.message.hasSuffix("l goes to the items."), "\(key): \(robot.message)")
            #expect(robot.workspace.modal == nil)
        }
        #expect(try robot.undoSteps() == before)
        try robot.press("enter")
        #expect(robot.workspace.focus == .items)
        try robot.press("d")
        #expect(try robot.undoSteps().count == before.count + 1)
    }

    @Test func aNumberRepeatsAMove() throws {
        let robot = try Robot(sample: .many(14))
        try robot.press("3 J")
        #expect(robot.message.hasPrefix("Moved \"Task number 1\" after \"Task number 4\""))
        #expect(robot.titles.prefix(4).map { $0.suffix(1) } == ["2", "3", "4", "1"])
        #expect(try robot.undoSteps().first == "Moved \"Task number 1\" after \"Task number 4\"")
        try robot.press("u")
        #expect(robot.titles.first == "Task number 1")
        try robot.press("g g 1 0 j")
        #expect(robot.selected == "Task number 11")
        try robot.press("9 9 K")
        #expect(robot.titles.first == "Task number 11")
        try robot.press("4")
        #expect(robot.shows("Move down"))
        try robot.press("esc j")
        #expect(robot.selected == "Task number 1")
        let before = try robot.undoSteps()
        try robot.press("2 d")
        #expect(robot.message.hasPrefix("d (Move to the trash) takes no number"))
        #expect(try robot.undoSteps() == before)
    }

    @Test func aDigitThatTheUserHasBoundIsNoNumber() throws {
        let robot = try Robot(config: "[keys]\n\"item.priority.3\" = \"3\"\n")
        try robot.select("Read a book")
        try robot.press("3")
        #expect(try robot.task("Read a book").priority == 3)
    }
}

extension KeyMap {
    /// Whether the first key of a sequence is not the beginning of one in a pane.
    fileprivate func isWhole(_ key: Key, in robot: Robot) -> Bool {
        let pane = robot.workspace.paneKind
        if case .command = meaning(of: [key], in: pane.keyContext) { return true }
        guard case .prefix(let branches) = meaning(of: [key], in: .main) else { return true }
        return !branches.contains {
            $0.node.contains { CommandTable.command($0)?.works(in: pane) ?? false }
        }
    }
}
