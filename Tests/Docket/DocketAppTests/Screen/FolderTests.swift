import CivilTime
import DocketCore
import Foundation
import MarkdownFolder
import ObjectGraph
import ScreenReading
import Synchronization
import TerminalUI
import Testing

@testable import DocketApp

/// Folders of Markdown files below the lists.
@Suite struct FolderTests {
    /// A folder with files, and a window whose settings name it.
    private final class Scene {
        let files: URL
        let robot: Robot
        private let alarm = DispatchSemaphore(value: 0)

        init(rows: Int = 24, columns: Int = 120, more: String = "", isASCII: Bool = false) throws {
            files = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
                .appending(path: "notes-\(UUID().uuidString)")
            let soups = files.appending(path: "soups")
            try FileManager.default.createDirectory(at: soups, withIntermediateDirectories: true)
            let texts = [
                "bread.md": "# Sourdough bread\n\nFlour, **water**, salt. #baking",
                "apple pie.md": "---\ntags: [baking, autumn]\n---\n# Apple pie\n\nSix apples.",
                "soups/leek.md": "# Leek soup\n\nLeeks and potatoes.",
                "soups/beet.md": "# Borscht\n\nBeetroot.",
            ]
            for (name, text) in texts {
                try text.write(to: files.appending(path: name), atomically: true, encoding: .utf8)
            }
            let config = "[folders]\nRecipes = \"\(files.path)\"\n\(more)"
            robot = try Robot(rows: rows, columns: columns, config: config, isASCII: isASCII)
            robot.application.wake = { [alarm] in alarm.signal() }
        }

        deinit { try? FileManager.default.removeItem(at: files) }

        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: files.appending(path: name))
        }

        var reads: FolderReads { MarkdownFolderStore.reads(at: files) }

        /// Waits until the screen shows something because files have changed.
        func waits(until condition: () -> Bool) -> Bool {
            let deadline = DispatchTime.now() + .seconds(20)
            while true {
                robot.application.handle([.woken])
                robot.settle()
                if condition() { return true }
                if alarm.wait(timeout: deadline) == .timedOut { return condition() }
            }
        }

        /// The rows of the middle pane that have something, without the columns beside it.
        var rows: [String] {
            guard let area = robot.application.layout.panes[.folder]?.body else { return [] }
            let frame = robot.terminal.frame
            return (area.row..<area.endRow).map { row in
                frame.cells(row)[area.column..<area.endColumn].map(\.text).joined()
                    .trimmingCharacters(in: .whitespaces)
            }.filter { !$0.isEmpty }
        }

        /// The row of the screen on which the middle pane shows a text.
        func row(_ text: String) -> Int? {
            guard let area = robot.application.layout.panes[.folder]?.body else { return nil }
            let frame = robot.terminal.frame
            return (area.row..<area.endRow).first { row in
                frame.cells(row)[area.column..<area.endColumn].map(\.text).joined().contains(text)
            }
        }

        /// The highlighted parts of a row of the middle pane.
        func highlighted(_ text: String) throws -> [String] {
            let row = try #require(self.row(text))
            let area = try #require(robot.application.layout.panes[.folder]?.body)
            let cells = robot.terminal.frame.cells(row)[area.column..<area.endColumn]
            return cells.split { !$0.style.attributes.contains(.underline) }
                .map { $0.map(\.text).joined() }
        }
    }

    @Test func folderIsARowBelowTheListsAndReadsNothingBeforeItIsShown() throws {
        let scene = try Scene()
        let lists = scene.robot.screen.map { String($0.prefix(28)) }
        let folder = try #require(lists.firstIndex { $0.contains("Recipes") })
        let work = try #require(lists.firstIndex { $0.contains("Work") })
        #expect(folder == work + 1)
        #expect(scene.reads == FolderReads())
        try scene.robot.press("g m")
        #expect(scene.reads.folders == 1 && scene.reads.texts <= 1)
        #expect(scene.rows.count == 3)
        #expect(scene.rows[0].hasPrefix("▸  soups"))
        #expect(scene.rows[1].contains("✎ Apple pie") && scene.rows[1].contains("#baking #autumn"))
        #expect(scene.rows[2].contains("✎ Sourdough bread"))
        #expect(scene.robot.screen[0].contains("Recipes"))
        #expect(scene.robot.screen[0].contains("2 notes · 1 folder · read only"))
        let row = try #require(scene.robot.screen.first { $0.hasPrefix(" Recipes") })
        #expect(row.prefix(28).contains("2"))
    }

    @Test func withoutFoldersThereIsNoRowAndNoWork() throws {
        let robot = try Robot()
        #expect(!robot.workspace.hasFolderWork && !robot.workspace.folderChecks.hasBegun)
        try robot.press("g m")
        #expect(robot.message.hasPrefix("There is no folder; [folders] in config.toml"))
    }

    @Test func movingInTheListsShowsTheFolderAndLeavesItAgain() throws {
        let scene = try Scene()
        let robot = scene.robot
        try robot.press("h G")
        while robot.workspace.shownFolder == nil { try robot.press("k") }
        #expect(robot.workspace.focus == .lists && scene.rows.count == 3)
        try robot.press("enter")
        #expect(robot.workspace.focus == .folder)
        try robot.press("h k")
        #expect(robot.workspace.shownFolder == nil)
        #expect(robot.screen[0].contains("Work"))
        try robot.press("g m g h")
        #expect(robot.workspace.shownFolder == nil && robot.workspace.focus == .items)
    }

    @Test func textOfTheSelectedNoteIsShownAndOneAtATimeKept() throws {
        let scene = try Scene()
        let robot = scene.robot
        try robot.press("g m j")
        #expect(robot.shows("Six apples."))
        #expect(robot.shows("Recipes › apple pie.md"))
        #expect(scene.reads.texts == 1)
        try robot.press("j")
        #expect(robot.shows("Flour, water, salt.") && !robot.shows("Six apples."))
        #expect(scene.reads.texts == 2)
        robot.application.drawFrame()
        #expect(scene.reads.texts == 2)
        try robot.press("k")
        #expect(scene.reads.texts == 3, "the text before is not kept")
        try robot.press("enter")
        #expect(robot.workspace.focus == .folderText)
        try robot.press("esc esc esc")
        #expect(robot.workspace.focus == .lists)
    }

    @Test func foldersUnfoldAndListOnlyThen() throws {
        let scene = try Scene()
        try scene.robot.press("g m")
        #expect(scene.reads.folders == 1)
        try scene.robot.press("enter")
        #expect(scene.reads.folders == 2)
        #expect(scene.rows.count == 5)
        #expect(scene.rows[0].hasPrefix("▾  soups"))
        #expect(scene.rows[1].contains("✎ Borscht") && scene.rows[2].contains("✎ Leek soup"))
        try scene.robot.press("j j -")
        #expect(scene.rows.count == 5)
        try scene.robot.press("k k -")
        #expect(scene.rows.count == 3)
    }

    @Test(arguments: [
        "a", "n", "O", "A", "E", "c", "space", "d", "r", "v", "V", "D", "S", "t", "m", "p p", "p 1",
        "f", ">", "<", "J", "K",
    ])
    func commandsThatChangeSomethingSayThatTheFolderIsReadOnly(key: String) throws {
        let scene = try Scene()
        let steps = try scene.robot.undoSteps()
        try scene.robot.press("g m j")
        try scene.robot.press(key)
        #expect(scene.robot.workspace.modals.isEmpty)
        #expect(
            scene.robot.message == "\"Recipes\" is a folder of files, which Docket only reads;"
                + " change them with an editor."
        )
        #expect(try scene.robot.undoSteps() == steps)
    }

    @Test func pastedTextAndOrdersAreRefusedAndUndoWorks() throws {
        let scene = try Scene()
        let robot = scene.robot
        try robot.press("g m")
        robot.paste("Pay rent")
        #expect(robot.message.contains("which Docket only reads"))
        try robot.press("s d")
        #expect(robot.message == "The notes of a folder are in the order of their names.")
        try robot.press("u")
        #expect(robot.message.hasPrefix("Undid"))
        try robot.press("j y")
        #expect(robot.terminal.copied.last?.contains("Six apples.") == true)
    }

    @Test func searchFindsNamesTagsAndTextsInAllFolders() throws {
        let scene = try Scene()
        let robot = scene.robot
        try robot.press("g m /")
        robot.type("potatoes")
        #expect(scene.rows.count == 1 && scene.rows[0].contains("Leek soup"))
        #expect(scene.rows[0].contains("soups"))
        #expect(robot.screen[0].contains("1 found"))
        try robot.press("enter")
        #expect(robot.screen[0].contains("Recipes › \"potatoes\""))
        #expect(robot.shows("Leeks and potatoes."))
        try robot.press("/")
        robot.type("nothing at all")
        #expect(robot.shows("No note here matches \"nothing at all\"."))
        try robot.press("esc")
        #expect(scene.rows.count == 3)
        try robot.press("/")
        robot.type("baking")
        try robot.press("enter")
        #expect(scene.rows.count == 2)
        try robot.press("ctrl+x")
        #expect(scene.rows.count == 3)
    }

    @Test func matchesOfASearchAreHighlightedInTitleTagsAndText() throws {
        let scene = try Scene()
        let robot = scene.robot
        try robot.press("g m /")
        robot.type("SOUP")
        #expect(try scene.highlighted("Leek soup") == ["soup"])
        let reads = scene.reads.texts
        robot.application.drawFrame()
        #expect(scene.reads.texts == reads)
        try robot.press("ctrl+u")
        robot.type("autumn")
        #expect(try scene.highlighted("Apple pie") == ["autumn"])
        try robot.press("ctrl+u")
        robot.type("potatoes")
        #expect(scene.rows[0].contains("text: Leeks and potatoes."))
        #expect(try scene.highlighted("Leek soup") == ["potatoes"])
        let later = scene.reads.texts
        for _ in 0..<3 { robot.application.drawFrame() }
        #expect(scene.reads.texts <= later + 1, "the text is read once for a search")
        try robot.press("esc")
        #expect(try scene.highlighted("Apple pie").isEmpty && scene.rows.count == 3)
    }

    @Test func doubleClickUnfoldsAFolderAndOpensANote() throws {
        let scene = try Scene()
        let robot = scene.robot
        try robot.press("g m")
        var time = ContinuousClock.now
        func doubleClick(_ title: String) throws {
            let row = try #require(scene.row(title))
            time += .seconds(1)
            for _ in 0..<2 {
                let place = Position(row: row, column: 40)
                robot.send(.mouse(MouseEvent(.press, button: .left, at: place, time: time)))
                robot.settle()
                time += .milliseconds(100)
            }
        }
        try doubleClick("soups")
        #expect(scene.rows.count == 5 && robot.workspace.focus == .folder)
        try doubleClick("Borscht")
        #expect(robot.workspace.focus == .folderText && robot.shows("Beetroot."))
    }

    @Test func changesOfFilesAppear() throws {
        let scene = try Scene()
        try scene.robot.press("g m j")
        #expect(scene.robot.shows("Six apples."))
        try scene.write("apple pie.md", "# Apple pie\n\nSeven apples.")
        #expect(scene.waits { scene.robot.shows("Seven apples.") })
        try scene.write("carrot.md", "# Carrot cake")
        #expect(scene.waits { scene.robot.shows("Carrot cake") })
        #expect(scene.robot.shows("Seven apples."), "the selection stays on its note")
        try FileManager.default.removeItem(at: scene.files.appending(path: "apple pie.md"))
        #expect(scene.waits { !scene.robot.shows("Apple pie") })
        #expect(scene.rows.count == 3)
    }

    @Test func missingFolderIsDimAndTellsWhy() throws {
        let missing = "/nowhere/\(UUID().uuidString)"
        let scene = try Scene(more: "Old = \"\(missing)\"\n")
        let robot = scene.robot
        #expect(robot.message.isEmpty)
        #expect(
            scene.waits {
                robot.screen.contains { $0.hasPrefix(" Old") && $0.prefix(29).contains("missing") }
            }
        )
        let row = try #require(robot.screen.firstIndex { $0.hasPrefix(" Old") })
        #expect(robot.terminal.frame.styles(row)[1] == robot.workspace.look[.dim])
        try robot.press("g m g m")
        let shown = scene.rows.joined(separator: " ")
        #expect(shown.contains("does not exist."), "\(robot.text)")
        try robot.press("enter d /")
        #expect(robot.workspace.modal is FolderSearchBar)
        robot.type("x")
        try robot.press("esc")
    }

    @Test func folderThatVanishesTellsAndReturns() throws {
        let scene = try Scene()
        try scene.robot.press("g m")
        let away = URL(filePath: scene.files.path + "-away")
        try FileManager.default.moveItem(at: scene.files, to: away)
        #expect(scene.waits { scene.rows.joined(separator: " ").contains("does not exist.") })
        try FileManager.default.moveItem(at: away, to: scene.files)
        try scene.robot.press("enter")
        #expect(scene.rows.count == 3)
    }

    @Test func namesAndTextsNeverReachTheTerminalRaw() throws {
        let scene = try Scene()
        try scene.write("a\nb\u{1B}[31m\u{202E}.md", "no heading")
        try scene.write("x.md", "# T\u{1B}]0;x\u{07}\u{202E}itle \n\n\u{1B}[2J text \u{9B}1m")
        try scene.write("huge.md", "# Huge")
        truncate(scene.files.path + "/huge.md", 1 << 30)
        for size in [(24, 120), (20, 80), (10, 40)] {
            let robot = scene.robot
            robot.resize(rows: size.0, columns: size.1)
            try robot.press("g m g g j j j j j j l")
            for _ in 0..<8 {
                try robot.press("h k l")
                robot.terminal.frame.checkInvariants()
                let strange = robot.screen.joined().unicodeScalars.filter {
                    $0.properties.generalCategory == .control || $0.properties.isBidiControl
                }
                #expect(strange.isEmpty)
            }
            try robot.press("h")
        }
        scene.robot.resize(rows: 24, columns: 120)
        try scene.robot.press("g m g g j j")
        for _ in 0..<6
        where scene.robot.workspace.shownFolder?.selectedDocument?.name != "huge.md" {
            try scene.robot.press("j")
        }
        #expect(scene.robot.shows("has 1024 MB"), "\(scene.robot.text)")
    }

    @Test func manyNotesReadOnlyWhatIsOnTheScreen() throws {
        let scene = try Scene()
        for number in 0..<3000 { try scene.write("n\(number).md", "# Note \(number)") }
        try scene.robot.press("g m")
        let rows = scene.robot.terminal.frame.rows
        #expect(scene.rows.count > 15 && scene.robot.screen[0].contains("3002 notes"))
        #expect(scene.reads.heads <= rows && scene.reads.folders == 1)
        try scene.robot.press("G")
        #expect(scene.robot.shows("Note 2999") && scene.reads.heads <= 2 * rows)
        let before = scene.reads
        try scene.robot.press("k k k j")
        #expect(scene.reads.heads - before.heads <= 3 && scene.reads.folders == 1)
        try scene.robot.press("/")
        scene.robot.type("n29")
        #expect(scene.robot.screen[0].contains("111 found"))
        #expect(scene.reads.folders == 3, "listed once more while somebody types")
    }

    @Test func narrowScreensShowOnePaneAtATime() throws {
        let scene = try Scene(rows: 20, columns: 50, isASCII: true)
        try scene.robot.press("g m j")
        #expect(scene.robot.screen[0].contains("Recipes"))
        #expect(scene.robot.shows("Apple pie") && !scene.robot.shows("Six apples."))
        #expect(scene.reads.texts == 0, "a text that is not on the screen is not read")
        try scene.robot.press("l")
        #expect(scene.robot.shows("Six apples."))
    }
}
