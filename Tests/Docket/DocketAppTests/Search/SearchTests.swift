import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import ScreenReading
import TerminalUI
import Testing

@testable import DocketApp

@Suite struct SearchTests {
    @Test(arguments: [(40, false), (66, false), (80, true), (120, true)])
    func whereItSearchesStandsBesideTheHintOfTheEmptyBar(_ columns: Int, _ hasRoom: Bool) throws {
        let robot = try Robot(columns: columns)
        try robot.press("/")
        let hint = "words from title, notes, list, tags; or due:<7d tag:home"
        let bar = try #require(
            robot.text.split(separator: "\n").first { $0.contains("words from") }
        )
        #expect(bar.contains(hint.prefix(columns - 6)) && bar.contains(" everywhere") == hasRoom)
    }

    @Test func allFieldsAreSearchedAndNamed() throws {
        let robot = try Robot()
        try robot.press("/")
        robot.type("ana")
        #expect(robot.titles == ["Pay rent", "Soil test results"])
        #expect(robot.shows("2 found: notes 2"))
        #expect(robot.shows("notes: - [x] tell Ana"))
        try robot.press("ctrl+u")
        robot.type("garden")
        #expect(robot.titles.contains("Plan the garden"))
        #expect(robot.titles.contains("Soil test results"))
        #expect(robot.shows("list: Home/Garden"))
    }

    @Test func everyWordMustBeFoundSomewhere() throws {
        let robot = try Robot()
        try robot.press("/")
        robot.type("ana soil")
        #expect(robot.titles == ["Soil test results"])
        #expect(robot.shows("1 found: notes 1"))
    }

    @Test func caseAndAccentsDoNotMatter() throws {
        let robot = try Robot()
        try robot.press("/")
        robot.type("AMTER")
        #expect(robot.titles == ["Call the Ämter"])
        let row = try #require(robot.row("Call the Ämter"))
        let column = try #require(robot.screen[row].firstIndex(of: "Ä"))
        let place = robot.screen[row].distance(from: robot.screen[row].startIndex, to: column)
        #expect(robot.terminal.frame.styles(row)[place].attributes.contains(.underline))
    }

    @Test func enterKeepsTheResultEscapeEndsItOnTheSameItem() throws {
        let robot = try Robot()
        try robot.press("/")
        robot.type("soil")
        try robot.press("enter")
        #expect(robot.workspace.modal == nil)
        #expect(robot.titles == ["Soil test results"])
        try robot.press("esc")
        #expect(robot.titles.count > 3)
        #expect(robot.selected == "Soil test results")
    }

    @Test func tabSearchesTheShownListOnly() throws {
        let robot = try Robot(start: .inbox)
        try robot.press("/")
        robot.type("a")
        let everywhere = robot.titles.count
        try robot.press("tab")
        #expect(robot.titles == ["Read a book"])
        #expect(everywhere > 1)
        #expect(robot.shows("in Inbox"))
    }

    @Test func changesShowInTheResultAtOnce() throws {
        let robot = try Robot()
        try robot.press("/")
        robot.type("seeds")
        try robot.press("enter e ctrl+u")
        robot.type("order plants")
        try robot.press("ctrl+s")
        #expect(robot.titles == [])
        try robot.press("u")
        #expect(robot.titles == ["order seeds"])
    }

    @Test func aRenamedListIsFoundUnderItsNewName() throws {
        let robot = try Robot()
        let list = try #require(try robot.library.existingList(path: ["Work"]))
        try robot.library.rename(list, to: "Office")
        robot.settle()
        try robot.press("/")
        robot.type("office")
        #expect(robot.titles == ["Call the Ämter"])
    }

    @Test func anItemThatGetsIntoAListMakesTheSearchReadNoOther() throws {
        let robot = try Robot()
        let search = robot.workspace.search
        #expect(search.isReady && !search.hasWork)
        let task = try robot.library.addTask(capturing: "Call them +Work #out")
        _ = try robot.library.perform(.list(.path(["Home"])), on: [task])
        #expect(!search.hasWork)
        try robot.press("/")
        robot.type("call them home")
        #expect(robot.titles == ["Call them"])
        let list = try #require(try robot.library.existingList(path: ["Work"]))
        try robot.library.rename(list, to: "Office")
        #expect(search.hasWork)
    }

    @Test func anItemThatAnotherProgramPutsIntoAListMakesTheSearchReadNoOther() throws {
        let robot = try Robot()
        let search = robot.workspace.search
        let task = try robot.library.addTask(capturing: "Call them +Work #out")
        let list = try #require(task.list)
        let count = list.items.count
        #expect(task.tags.flatMap(\.items).contains(task))
        let other = try Library(url: Robot.store(in: robot.folder), author: "shell") {
            robot.clock.context
        }
        defer { other.close() }
        _ = try other.addTask(capturing: "Ask them +Work #out")
        try robot.library.refresh()
        #expect(list.items.count == count + 1 && !search.hasWork)
        try other.rename(try #require(try other.existingList(path: ["Work"])), to: "Office")
        try robot.library.refresh()
        #expect(list.name == "Office" && search.hasWork)
    }

    @Test func searchOfMoreTextThanFitsFindsTheSameInTheStore() throws {
        let robot = try Robot()
        let fresh = SearchController(
            library: robot.library,
            background: robot.workspace.background,
            byteLimit: 100
        )
        robot.finish(fresh)
        let quickly = robot.workspace.search
        for text in [
            "ana", "garden", "ämt", "plan the", "#out", "zzz", "home", "due:<7d",
            "-tag:out ana or is:note",
            "\"the garden\" list:home", "title:~^[a-p]", "is:blocked or has:subtasks",
            "-home priority>=low",
        ] {
            let slow = try fresh.search(fresh.filter(text), among: nil).ids
            let quick = try quickly.search(quickly.filter(text), among: nil).ids
            #expect(slow == quick, "\(text)")
        }
        #expect(fresh.state == .storeOnly)
        #expect(robot.workspace.search.isReady)
    }

    @Test func searchWhileTextsAreLoadedFindsWhatThereIs() throws {
        let robot = try Robot(sample: .many(1500))
        let fresh = SearchController(
            library: robot.library,
            background: robot.workspace.background,
            patience: .zero
        )
        let first = try fresh.search(fresh.filter("number"), among: nil)
        #expect(first.isPartial && first.ids.isEmpty)
        fresh.work()
        robot.workspace.background.wait()
        // The IDs, their order, then the first texts.
        for _ in 0..<3 { fresh.work() }
        let second = try fresh.search(fresh.filter("number"), among: nil)
        #expect(second.isPartial && !second.ids.isEmpty && second.ids.count < 1500)
        robot.finish(fresh)
        let last = try fresh.search(fresh.filter("number"), among: nil)
        #expect(!last.isPartial)
        let isWhole = last.ids == Array(robot.workspace.items.unsearchedRows)
        #expect(isWhole)
    }

    @Test func partialResultOnTheScreenBecomesComplete() throws {
        let robot = try Robot(settles: false, sample: .many(1500))
        robot.send(.key(Key("/")))
        for letter in "number" { robot.send(.key(Key(letter))) }
        robot.settle()
        #expect(robot.workspace.items.found?.ids.count == 1500)
        #expect(robot.shows("1500 found: title 1500"))
    }

    @Test func loadingLeavesTheRowCacheAsItIs() throws {
        let robot = try Robot(sample: .many(1500))
        let rows = try #require(robot.library.context.coordinator.openStores.first).rows
        rows.removeAll()
        let fresh = SearchController(
            library: robot.library,
            background: robot.workspace.background
        )
        robot.finish(fresh)
        #expect(fresh.isReady)
        #expect(rows.count < 100)
    }

    @Test func textsOfRowsAreThoseOfObjects() throws {
        let robot = try Robot()
        let items = try robot.library.items(matching: nil)
        var seen = 0
        try SavedTexts(robot.library).forEach(of: items.map(\.objectID)) { id, texts in
            guard let item = items.first(where: { $0.objectID == id }) else { return }
            seen += 1
            let parts = [texts.notes, texts.body].filter { !$0.isEmpty }
                .map { String(decoding: $0, as: UTF8.self) }
            #expect(
                SearchField.texts(of: item) == [
                    String(decoding: texts.title, as: UTF8.self), parts.joined(separator: "\n"),
                    texts.list, texts.tags,
                ]
            )
        }
        #expect(seen == items.count)
    }

    @Test func moveUnderASearchGoesPastTheVisibleNeighbour() throws {
        let robot = try Robot(sample: .many(12))
        try robot.press("/")
        robot.type("number 1")
        try robot.press("enter")
        #expect(robot.titles == [1, 10, 11, 12].map { "Task number \($0)" })
        try robot.press("J")
        #expect(robot.titles == [10, 1, 11, 12].map { "Task number \($0)" })
        #expect(robot.selected == "Task number 1")
        try robot.press("esc")
        #expect(
            robot.titles
                == [2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 11, 12].map { "Task number \($0)" }
        )
        try robot.press("u")
        #expect(robot.titles.first == "Task number 1")
    }

    @Test func excerptStaysInItsLineAndCutsAtWords() {
        let text = "first line\nthe second line is quite a long one with the needle in it\nthird"
        let start = text.utf8.distance(
            from: text.startIndex,
            to: text.range(of: "needle")!.lowerBound
        )
        let range = start..<start + 6
        let finding = Excerpt.finding("notes", text, [range], around: range)
        #expect(!finding.excerpt.contains("third"))
        #expect(!finding.excerpt.contains("first"))
        #expect(finding.excerpt.hasPrefix("…"))
        let match = finding.matches[0]
        let bytes = Array(finding.excerpt.utf8)
        #expect(String(decoding: bytes[match], as: UTF8.self) == "needle")
    }
}
