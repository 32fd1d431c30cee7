import DocketCore
import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import TerminalUI
import Testing

@testable import DocketApp

/// Reading an item over the whole screen.
@Suite struct ReaderTests {
    private static let text = """
        # Before
        - [x] passport
        - [ ] rail pass: see [[Rail prices]] and https://rail.org
          - [ ] seats

        ## Legs
        | Leg | Price |
        |-----|------:|
        | Tokyo | 13 |

        [far](#before) [[Nobody]] [page](https://page.org)
        """

    private static let sample = Sample("reader") { library in
        let note = try library.addNote(capturing: "Trip +Home/Travel")
        _ = try library.addNote(capturing: "Rail prices")
        try library.setText(text, of: note)
        _ = try library.addTask(capturing: "Pack +Home\nsee [[Trip]]\n- [ ] socks")
    }

    private func robot(rows: Int = 24, columns: Int = 80) throws -> Robot {
        let robot = try Robot(rows: rows, columns: columns, sample: Self.sample)
        try robot.select("Trip")
        return robot
    }

    private func reader(_ robot: Robot) throws -> ReaderPane {
        try #require(robot.workspace.pane as? ReaderPane)
    }

    /// The row with the sign of the cursor, without it.
    private func cursorRow(_ robot: Robot) -> String {
        let row = robot.screen.first { $0.contains("▌") } ?? ""
        return row.replacingOccurrences(of: "▌", with: "").trimmingCharacters(in: .whitespaces)
    }

    @Test(arguments: ["o", "enter"]) func aNoteIsReadAndLeft(key: String) throws {
        let robot = try robot()
        try robot.press(key)
        #expect(robot.screen[0].contains("Home › Travel › Trip"))
        #expect(robot.screen[0].contains("1 of 3 ticked"))
        #expect(robot.shows("☑ passport") && robot.shows("│ Tokyo │    13 │"))
        #expect(robot.shows("linked from Pack"))
        #expect(cursorRow(robot) == "Trip")
        for key in ["esc", "q"] {
            try robot.press(key)
            #expect(robot.workspace.focus == .items && robot.selected == "Trip")
            try robot.press("o")
        }
    }

    @Test func enterOpensTheFormOfATaskAndEThatOfANote() throws {
        let robot = try robot()
        try robot.press("e")
        #expect(robot.workspace.modal is Form)
        try robot.press("esc")
        try robot.select("Pack")
        try robot.press("enter")
        #expect(robot.workspace.modal is Form)
        try robot.press("esc o")
        #expect(robot.shows("☐ socks") && robot.screen[0].contains("task"))
    }

    @Test func spaceTicksTheBoxUnderTheCursorInOneStep() throws {
        let robot = try robot()
        try robot.press("o j j j j j space")
        #expect(robot.message.hasPrefix("Ticked \"rail pass: see Rail prices"), "\(robot.message)")
        #expect(robot.shows("☑ rail pass") && robot.screen[0].contains("2 of 3 ticked"))
        #expect(cursorRow(robot).hasPrefix("☑ rail pass"))
        let ticked = try robot.item("Trip").text
        #expect(ticked == Self.text.replacing("[ ] rail", with: "[x] rail"))
        try robot.press("space")
        #expect(robot.message.hasPrefix("Unticked"))
        try robot.press("u u")
        #expect(try robot.item("Trip").text == Self.text)
        #expect(robot.screen[0].contains("1 of 3 ticked"))
    }

    @Test func nothingIsTickedWithoutABoxOrInTheTrash() throws {
        let robot = try robot()
        try robot.press("o space")
        #expect(robot.message == "There is no box in this row.")
        try robot.press("esc d")
        try robot.press("g x enter j j j j space")
        #expect(robot.screen[0].contains("in the trash"))
        #expect(robot.message == "\"Trip\" is in the trash; restore it to change it.")
        #expect(try robot.item("Trip").text == Self.text)
    }

    @Test func linksAreSelectedAndFollowed() throws {
        let robot = try robot()
        var opened: [[String]] = []
        robot.application.launch = {
            opened.append($0)
            return true
        }
        try robot.press("o tab enter")
        #expect(robot.screen[0].contains("Rail prices"))
        #expect(robot.shows("There is no text here. e writes one."))
        #expect(robot.shows("linked from Trip"))
        try robot.press("esc")
        #expect(robot.screen[0].contains("Trip") && cursorRow(robot).hasPrefix("☐ rail pass"))
        try robot.press("tab tab enter")
        #expect(opened == [["xdg-open", "https://rail.org"]])
        #expect(robot.message == "Opened \"https://rail.org\" by xdg-open")
        try robot.press("tab enter")
        #expect(cursorRow(robot) == "Before")
        try robot.press("shift+tab shift+tab shift+tab")
        #expect(cursorRow(robot).contains("page"), "\(cursorRow(robot))")
    }

    @Test func aMissingProgramIsNamed() throws {
        let robot = try robot()
        try robot.press("o tab tab enter")
        #expect(
            robot.message
                == "\"https://rail.org\" cannot be opened: the command xdg-open is missing."
        )
    }

    @Test func aLinkToNobodyOffersANote() throws {
        let robot = try robot()
        try robot.press("o G")
        for _ in 0..<20 where !cursorRow(robot).hasPrefix("far") { try robot.press("k") }
        try robot.press("tab tab enter")
        #expect(robot.shows("No item is called \"Nobody\"."))
        try robot.press("n")
        #expect(robot.screen[0].contains("Nobody") && robot.shows("linked from Trip"))
        #expect(robot.message.hasPrefix("Added \"Nobody\""))
    }

    @Test func severalItemsOfATitleAreAsked() throws {
        let robot = try robot()
        _ = try robot.library.addTask(capturing: "Rail prices")
        try robot.press("o tab enter")
        #expect(robot.shows("Several items are called \"Rail prices\"."))
        try robot.press("2")
        #expect(robot.screen[0].contains("Rail prices") && robot.screen[0].contains("task"))
    }

    @Test func lettersFollowTheLinksOfTheScreen() throws {
        let robot = try robot()
        try robot.press("o f")
        #expect(robot.workspace.modal is LinkHints)
        try robot.press("a")
        #expect(robot.screen[0].contains("Rail prices"))
        try robot.press("esc f ?")
        #expect(robot.workspace.modal == nil)
    }

    @Test func headingsAreReached() throws {
        let robot = try robot()
        try robot.press("o ] ]")
        #expect(cursorRow(robot) == "Legs")
        try robot.press("]")
        #expect(robot.message == "There is no heading below.")
        try robot.press("[")
        #expect(cursorRow(robot) == "Before")
    }

    @Test func aChangeOfAnotherProcessKeepsThePlace() throws {
        let robot = try Robot(rows: 12, columns: 60, sample: .empty) { library in
            let note = try library.addNote(capturing: "Long")
            try library.setText((1...100).map { "line \($0)\n\n" }.joined(), of: note)
        }
        robot.application.follow(robot.library)
        try robot.press("o")
        for _ in 0..<81 { try robot.press("j") }
        let row = cursorRow(robot)
        #expect(row == "line 40")
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        let note = try #require(try other.items(matching: \.title == "Long").first)
        try other.setText("new\n\nlines\n\n" + note.text + "end\n", of: note)
        robot.application.handle([.woken])
        robot.settle()
        #expect(cursorRow(robot) == row)
        try other.perform(.trash, on: [note])
        try other.perform(.purge, on: [note])
        robot.application.handle([.woken])
        robot.settle()
        #expect(robot.workspace.focus == .items)
    }

    @Test func aMegabyteIsReadFromBothEnds() throws {
        let robot = try Robot(rows: 24, columns: 80, sample: .empty) { library in
            let note = try library.addNote(capturing: "Long")
            let lines = (1...20_000).map { "- [ ] item \($0) with **some** words in it\n" }
            try library.setText(lines.joined(), of: note)
        }
        try robot.press("o G")
        #expect(robot.shows("item 20000 "))
        try robot.press("k k k k k k space")
        #expect(robot.message.hasPrefix("Ticked"))
        try robot.press("g g pagedown pagedown")
        #expect(robot.shows("item 40 "))
    }

    @Test(arguments: [(1, 1), (2, 3), (3, 20), (5, 9), (24, 300)])
    func theReaderFitsAnyScreen(rows: Int, columns: Int) throws {
        let robot = try robot(rows: rows, columns: columns)
        try robot.press("o j j tab space f esc G k [ ] pagedown g g")
        robot.resize(rows: columns % 50 + 1, columns: rows)
        try robot.press("tab enter esc esc")
        #expect(robot.application.status == nil)
    }

    /// Ticking changes one byte of any text, and undo restores all.
    @Test func aTickChangesOneSignOfAnyText() throws {
        let pieces = [
            "- [ ] a\n", "- [x] é 東\n", "  - [X] b\n", "text [ ] no\n", "\n", "> - [ ] q\n",
            "1. [ ] n\n",
            "```\n- [ ] code\n```\n", "# h\n", "| a |\n|---|\n| [ ] |\n", "\r\n", "[[x]] ", "\t",
        ]
        let robot = try robot(rows: 60, columns: 60)
        for seed in 1...25 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let source = (0..<20).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let note = try robot.item("Trip")
            try robot.library.setText(source, of: note)
            let before = Array(note.text.utf8)
            try robot.press("o")
            for _ in 0..<Int.random(in: 1...25, using: &random) { try robot.press("j") }
            let steps = try robot.undoSteps().count
            try robot.press("space")
            let after = Array(try robot.item("Trip").text.utf8)
            let places = zip(before, after).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
            if robot.message.hasPrefix("There is no box") {
                #expect(before == after, "seed \(seed)")
            } else {
                #expect(before.count == after.count && places.count == 1, "seed \(seed)")
                for place in places {
                    #expect(
                        before[place - 1] == UInt8(ascii: "[")
                            && before[place + 1] == UInt8(ascii: "]"),
                        "seed \(seed)"
                    )
                }
                #expect(try robot.undoSteps().count == steps + 1, "seed \(seed)")
                try robot.press("u")
                let restored = try robot.item("Trip").text
                #expect(Array(restored.utf8) == before, "seed \(seed)")
            }
            try robot.press("q")
        }
    }

    /// Files with names that a terminal quotes, and what it pastes when they are dropped.
    private func droppedFiles(_ robot: Robot) throws -> (paths: [String], pasted: String) {
        let paths = ["a b.png", "it's.pdf", "c%20d.txt"].map {
            robot.folder.appending(path: $0).path
        }
        for path in paths { try Data().write(to: URL(filePath: path)) }
        let escaped = paths[0].replacingOccurrences(of: " ", with: "\\ ")
        return (paths, "\(escaped) \"\(paths[1])\" \(URL(filePath: paths[2]).absoluteString) ")
    }

    @Test func droppedFilesAreAttachedInOneStep() throws {
        let robot = try robot()
        let (paths, pasted) = try droppedFiles(robot)
        try robot.press("o")
        robot.paste(pasted)
        #expect(robot.shows("The pasted text names 3 files."))
        try robot.press("a")
        #expect(robot.message.hasPrefix("Attached 3 files to \"Trip\""))
        let note = try robot.item("Trip")
        for path in paths { #expect(note.text.contains("(<\(path)>)")) }
        try robot.press("u esc")
        #expect(note.text == Self.text)
        robot.paste(" \(paths[0])\n")
        try robot.press("t")
        #expect((robot.workspace.modal as? CaptureBar)?.field.text == paths[0])
        try robot.press("esc")
        robot.paste("\(paths[0]) and more")
        #expect(robot.workspace.modal is CaptureBar)
    }

    @Test func aFileDroppedOnTheTextOfAFormIsALinkOrItsPath() throws {
        let robot = try robot()
        let (paths, _) = try droppedFiles(robot)
        try robot.press("o e tab tab tab tab ctrl+end")
        robot.paste(paths[0])
        try robot.press("a ctrl+s")
        #expect(try robot.item("Trip").text.hasSuffix("[a b.png](<\(paths[0])>)"))
        try robot.press("e tab tab tab tab ctrl+end")
        robot.paste(paths[1])
        try robot.press("t ctrl+s")
        #expect(try robot.item("Trip").text.hasSuffix(">)\(paths[1])"))
    }

    @Test func aFootnoteWithoutReferenceIsShownAndSaid() throws {
        let robot = try robot()
        try robot.library.setText(
            "a[^1]\n\n[^1]: one\n[^2]: two",
            of: #require(robot.item("Trip") as? Note)
        )
        try robot.press("o")
        #expect(robot.shows("[1] one") && robot.shows("[2] two"))
        #expect(robot.row("Nothing leads to this footnote:") == robot.row("[2] two").map { $0 - 1 })
    }

    @Test func aTemplateFillsTheFormOfANewNote() throws {
        let robot = try robot()
        try robot.press("N")
        #expect(
            robot.message.contains("There are no templates") && robot.message.contains("templates")
        )
        let folder = robot.folder.appending(path: "templates")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let week = "# Week of {{date}} #plan\n\n- [ ] at {{time}} in {{list}}\n"
        try week.write(to: folder.appending(path: "Week.md"), atomically: true, encoding: .utf8)
        try "# {{title}}\nabout {{title}}".write(
            to: folder.appending(path: "About.md"),
            atomically: true,
            encoding: .utf8
        )
        try robot.press("N")
        #expect(robot.shows("About") && robot.shows("Week"))
        try robot.press("w e enter")
        #expect(robot.workspace.modal is Form)
        try robot.press("ctrl+s")
        let note = try robot.item("Week of 2026-11-21")
        #expect(note.text == "- [ ] at 14:05 in Inbox\n" && note.tags.map(\.name) == ["plan"])
        try robot.press("u N enter")
        robot.type("Trains")
        try robot.press("enter ctrl+s")
        #expect(try robot.item("Trains").text == "about Trains")
    }

    /// The note, with a picture and a link to another one in it.
    private func robotWithPicture(_ data: Data = PictureFiles.blue) throws -> Robot {
        let robot = try robot(rows: 40)
        let path = robot.folder.appending(path: "a.png")
        try data.write(to: path)
        let note = try #require(robot.item("Trip") as? Note)
        let text = "above\n\n![Sky](\(path.path))\n\nsee [b.png](\(path.path)) there"
        try robot.library.setText(text, of: note)
        try robot.press("o")
        return robot
    }

    @Test func aPictureIsHalfBlocksUntilTheTerminalAnswers() throws {
        let robot = try robotWithPicture()
        let row = try #require(robot.row("above")) + 2
        // 300 × 200 pixels in cells of 10 × 20.
        let blocks = String(repeating: "▀", count: 30)
        #expect(robot.screen[row..<row + 10].allSatisfy { $0.hasSuffix(blocks) })
        #expect(robot.screen[row + 10].contains("Sky (") && !robot.screen[row + 11].contains("▀"))
        #expect(robot.terminal.pictureQuestions == 1)
        robot.send(.report(.cell(Size(rows: 10, columns: 10))))
        robot.send(.report(.attributes([62, 4])))
        robot.send(.report(.pictures))
        robot.settle()
        #expect(!robot.shows("▀") && robot.row("Sky (") == row + 20)
        let rows = robot.terminal.frame.pictureRows
        #expect(rows.map(\.row) == Array(0..<20))
        guard case .png(let bytes, 10)? = robot.terminal.frame.pictures[rows[0].id]?.content else {
            Issue.record("not in PNG")
            return
        }
        #expect(bytes != Array(PictureFiles.blue) && bytes.starts(with: [0x89, 0x50]))
        // A box above it hides it, and leaving the reader removes it.
        try robot.press("?")
        #expect(robot.terminal.frame.pictureRows.count < 20)
        try robot.press("esc esc o")
        #expect(robot.terminal.pictureQuestions == 1)
        try robot.press("q")
        #expect(robot.terminal.frame.pictures.isEmpty)
    }

    @Test func sixelsAreTheRowsOfAPicture() throws {
        let robot = try robotWithPicture(PictureFiles.grey)
        robot.send(.report(.attributes([62, 4, 22])))
        robot.settle()
        let row = try #require(robot.terminal.frame.pictureRows.first)
        guard case .sixels(let rows)? = robot.terminal.frame.pictures[row.id]?.content else {
            Issue.record("not in sixels")
            return
        }
        let text = String(decoding: rows[0], as: UTF8.self)
        #expect(rows.count == 1 && text.hasPrefix("\"1;1;20;20#") && text.hasSuffix("$"))
    }

    @Test(arguments: [
        ("bomb", "more than 40 million pixels"),
        ("half", "The picture is damaged."), ("text", "is not a picture"),
        ("missing", "cannot be read"), ("folder", "is a folder, not a file"),
    ])
    func whatIsNoPictureIsSaidInItsPlace(kind: String, sentence: String) throws {
        let robot = try robotWithPicture(
            kind == "bomb"
                ? PictureFiles.bomb
                : kind == "half" ? PictureFiles.blue.prefix(80) : Data("text".utf8)
        )
        if kind == "missing" || kind == "folder" {
            try robot.press("q")
            let path = robot.folder.appending(path: "x.JPEG")
            if kind == "folder" {
                try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            }
            let note = try #require(robot.item("Trip") as? Note)
            try robot.library.setText("- ![](\(path.absoluteString))", of: note)
            try robot.press("o")
        }
        #expect(robot.text.contains(sentence) && !robot.shows("▀"))
    }

    @Test func terminalsWithFewColorsAreNotAsked() throws {
        let robot = try Robot(rows: 40, columns: 80, noColor: true, sample: Self.sample)
        let path = robot.folder.appending(path: "a.png")
        try PictureFiles.blue.write(to: path)
        let note = try #require(robot.item("Trip") as? Note)
        try robot.library.setText("![Sky](\(path.path))", of: note)
        try robot.select("Trip")
        try robot.press("o")
        #expect(robot.shows("Sky (") && !robot.shows("▀"))
        #expect(robot.terminal.pictureQuestions == 0)
    }
}
