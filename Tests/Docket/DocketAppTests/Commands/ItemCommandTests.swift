import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// What the keys do to items, and that each is one step of undo.
@Suite struct ItemCommandTests {
    @Test func captureShowsWhatItRecognisesAndAdds() throws {
        let robot = try Robot()
        try robot.press("a")
        robot.type("Water plants fri 8am +Home/Balcony #out !high")
        #expect(robot.shows("due Fri 27 Nov 8:00  new list Home/Balcony  #out  high priority"))
        try robot.press("enter")
        #expect(robot.selected == "Water plants")
        #expect(robot.footer.contains("✓ Added \"Water plants\" · u undoes"))
        let task = try robot.task("Water plants")
        #expect(task.priority == 3)
        #expect(task.list?.path == ["Home", "Balcony"])
        #expect(try robot.undoSteps().first == "Added \"Water plants\"")
        #expect(robot.shows("Balcony"))
    }

    @Test func completingATaskIsOneFrame() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        robot.application.isStale = false
        robot.application.handle([.input(.key(.space))])
        #expect(robot.application.isStale)
        robot.application.drawFrame()
        robot.application.isStale = false
        var turns = 0
        while robot.application.hasWork, turns < 10_000 {
            robot.workspace.background.wait()
            robot.application.handle([.timedOut])
            turns += 1
        }
        #expect(!robot.application.isStale && turns > 0)
        #expect(robot.message == "Completed \"Read a book\" · u undoes")
    }

    @Test func captureOfAnEmptyLineSaysWhatIsMissing() throws {
        let robot = try Robot()
        try robot.press("a enter")
        #expect(robot.message == "An item needs a title; write some words.")
        #expect(robot.workspace.modal is CaptureBar)
        try robot.press("esc")
        #expect(robot.workspace.modal == nil)
    }

    @Test func captureTakesTheShownListAsItsOwn() throws {
        let robot = try Robot()
        let list = try #require(try robot.library.existingList(path: ["Work"]))
        try robot.workspace.show(.list(list.objectID))
        try robot.press("a")
        robot.type("Write the report")
        try robot.press("enter")
        #expect(try robot.task("Write the report").list === list)
        #expect(robot.titles == ["Call the Ämter", "Write the report"])
    }

    @Test func captureShowsTheRemainingTitleAndMakesARecognisedWordPlain() throws {
        let robot = try Robot()
        try robot.press("a")
        robot.type("Call Ana friday every week")
        let bar = try #require(robot.workspace.modal as? CaptureBar)
        let shown = bar.preview.runs.map(\.text).joined()
        #expect(shown.hasPrefix("Call Ana  due Fri"), "\(shown)")
        #expect(shown.contains("every week"))
        #expect(shown.contains("then Fri"), "\(shown)")
        try robot.press("up")
        #expect(bar.field.text == #"Call Ana friday \every week"#)
        try robot.press("up up")
        #expect(bar.field.text == #"Call Ana \friday \every week"#)
        try robot.press("enter")
        #expect(try robot.task("Call Ana friday every week").due == nil)
    }

    @Test func altEnterGoesOnAdding() throws {
        let robot = try Robot(sample: .empty)
        try robot.press("a")
        for title in ["one", "two"] {
            robot.type(title)
            try robot.press("alt+enter")
        }
        robot.type("three")
        try robot.press("enter")
        #expect(robot.titles == ["one", "two", "three"])
        #expect(robot.workspace.modal == nil)
    }

    @Test func doneTaskLeavesTheListAndUndoBringsItBack() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("space")
        #expect(!robot.titles.contains("Read a book"))
        #expect(robot.footer.contains("✓ Completed \"Read a book\" · u undoes"))
        try robot.press("u")
        #expect(robot.titles.contains("Read a book"))
        #expect(robot.selected == "Read a book")
        #expect(robot.footer.contains("✓ Undid: completed \"Read a book\""))
        try robot.press("ctrl+r")
        #expect(!robot.titles.contains("Read a book"))
        try robot.press("g d")
        #expect(robot.titles.contains("Read a book"))
        try robot.press("space u")
    }

    @Test func aDoneTaskThatRepeatsIsFollowedByItsNextOccurrence() throws {
        let robot = try Robot()
        try robot.select("Pay rent")
        try robot.press("space")
        #expect(robot.titles.count { $0 == "Pay rent" } == 1)
        #expect(robot.footer.contains("✓ Completed \"Pay rent\", next Tue 22 Dec 9:00 · u"))
        try robot.press("u")
        #expect(robot.titles.count { $0 == "Pay rent" } == 1)
        try robot.press("g d")
        #expect(!robot.titles.contains("Pay rent"))
    }

    @Test func progressFollowsTheSubtasks() throws {
        let robot = try Robot()
        let row = try #require(robot.row("Plan the garden"))
        #expect(robot.screen[row].contains("1/3"))
        try robot.select("draw a plan")
        try robot.press("space")
        #expect(robot.screen[row].contains("2/3"))
        // Done, but under an open parent: it stays in sight.
        #expect(robot.titles.contains("draw a plan"))
    }

    @Test func notesAreNotDone() throws {
        let robot = try Robot()
        try robot.select("Soil test results")
        try robot.press("space")
        #expect(robot.message == "This is a note; only tasks have this.")
        #expect(!robot.footer.contains("␣ done"))
    }

    @Test func marksMakeOneStepOfMany() throws {
        let robot = try Robot(sample: .many(4))
        let steps = try robot.undoSteps().count
        try robot.press("v v j v")
        #expect(robot.shows("3 marked"))
        try robot.press("space")
        #expect(robot.titles == ["Task number 3"])
        #expect(robot.footer.contains("Completed 3 tasks"))
        #expect(try robot.undoSteps().count == steps + 1)
        #expect(try robot.undoSteps().first == "Completed 3 tasks")
        try robot.press("u")
        #expect(robot.titles.count == 4)
        #expect(robot.workspace.items.marks.isEmpty)
    }

    @Test func escapeBacksOutOneLevelAtATime() throws {
        let robot = try Robot()
        try robot.press("/")
        robot.type("a")
        try robot.press("enter v esc")
        #expect(robot.workspace.items.marks.isEmpty)
        #expect(robot.workspace.items.isSearching)
        try robot.press("esc")
        #expect(!robot.workspace.items.isSearching)
        try robot.press("esc")
        #expect(robot.workspace.focus == .lists)
        try robot.press("esc")
        #expect(robot.application.status == nil)
    }

    @Test func trashKeepsItemsUntilRestored() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("d")
        #expect(!robot.titles.contains("Read a book"))
        try robot.press("g x")
        #expect(robot.titles == ["Read a book"])
        #expect(robot.shows("in the trash since"))
        try robot.press("d")
        #expect(robot.message == "It is in the trash already; r restores it, X deletes it.")
        try robot.press("r")
        #expect(robot.shows("The trash is empty."))
        try robot.press("g A")
        #expect(robot.titles.last == "Read a book")
    }

    @Test func dueDateIsAskedForInWords() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("D")
        robot.type("next mon")
        #expect(robot.shows("Mon 23 Nov 2026"))
        try robot.press("enter")
        #expect(
            try robot.task("Read a book").dueDate
                == DueDate(day: Day(year: 2026, month: 11, day: 23)!)
        )
        try robot.press("D ctrl+u")
        robot.type("31 feb")
        try robot.press("enter")
        #expect(robot.workspace.modal is DateBar)
        #expect(robot.message.contains("31"))
        try robot.press("ctrl+u enter")
        #expect(try robot.task("Read a book").due == nil)
    }

    @Test func aDistanceCountsFromTheOwnDateOfEachItem() throws {
        let robot = try Robot { library in
            for line in ["a today 9:00", "b fri", "c yesterday 18:30", "d"] {
                _ = try library.addTask(capturing: line)
            }
        }
        func dues() throws -> [String] {
            let format = DateFormat(context: robot.library.clock())
            return try ["a", "b", "c", "d"].map { title in
                try robot.task(title).dueDate.map(format.plain) ?? "-"
            }
        }
        try robot.select("a")
        try robot.press("v v v D")
        robot.type("+1d")
        #expect(robot.shows("3 items: each 1 day later"))
        try robot.press("enter")
        #expect(robot.message == "Moved due of 3 tasks 1 day later · u undoes")
        #expect(
            try dues() == ["2026-11-22T09:00", "2026-11-28", "2026-11-21T18:30", "-"]
        )
        try robot.press("u")
        #expect(try dues() == ["2026-11-21T09:00", "2026-11-27", "2026-11-20T18:30", "-"])
        try robot.press("V D")
        robot.type("-2h")
        #expect(robot.shows("4 items: each 2 hours earlier; 1 without a date: "))
        #expect(robot.shows("; 1 of a whole day stays"))
        try robot.press("enter")
        #expect(
            try dues()
                == ["2026-11-21T07:00", "2026-11-27", "2026-11-20T16:30", "2026-11-21T12:05"]
        )
        try robot.press("u")
        try robot.select("b")
        try robot.press("D")
        robot.type("+1w")
        #expect(robot.shows("1 week later: Fri 4 Dec 2026"))
        try robot.press("ctrl+u")
        robot.type("-2h")
        try robot.press("enter")
        #expect(robot.message.contains("whole day") && robot.workspace.modal is DateBar)
        #expect(try dues()[1] == "2026-11-27")
    }

    @Test func completingATaskThatWaitsSaysSo() throws {
        let robot = try Robot()
        let (fence, week) = (try robot.task("Read a book"), try robot.task("Pay rent"))
        fence.blockedBy = [week]
        try robot.library.context.save()
        robot.settle()
        try robot.select("Read a book")
        try robot.press("space")
        #expect(robot.workspace.modal == nil)
        #expect(
            robot.message
                == "Completed \"Read a book\"; it waits for \"Pay rent\", still open · u undoes"
        )
        try robot.press("u")
        // Both together: nothing is open any more.
        for title in ["Pay rent", "Read a book"] {
            try robot.select(title)
            try robot.press("v")
        }
        try robot.press("space")
        #expect(robot.message == "Completed 2 tasks · u undoes")
    }

    @Test func priorityGoesRoundAndIsSetByNumber() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("p p p p")
        #expect(try robot.task("Read a book").priority == 2)
        try robot.press("p 3")
        #expect(try robot.task("Read a book").priority == 3)
        try robot.press("p 0")
        #expect(try robot.task("Read a book").priority == 0)
    }

    @Test func tagsAreAddedTakenAwayAndCompleted() throws {
        let robot = try Robot()
        try robot.select("Pay rent")
        try robot.press("t")
        robot.type("-bank ou")
        try robot.press("tab enter")
        #expect(try robot.task("Pay rent").tags.map(\.name) == ["out"])
        try robot.press("u")
        #expect(try robot.task("Pay rent").tags.map(\.name) == ["bank"])
    }

    @Test func movingToANewNameMakesTheList() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("m")
        robot.type("Leisure")
        try robot.press("enter")
        #expect(try robot.task("Read a book").list?.name == "Leisure")
        #expect(try robot.undoSteps().first == "Moved \"Read a book\" to Leisure")
        try robot.press("u")
        #expect(try robot.task("Read a book").list == nil)
        #expect(try robot.library.existingList(path: ["Leisure"]) == nil)
    }

    @Test func subtaskIsAddedNestedAndLifted() throws {
        let robot = try Robot(sample: .many(2))
        try robot.press("A")
        robot.type("part")
        try robot.press("enter")
        #expect(robot.titles == ["Task number 1", "part", "Task number 2"])
        #expect(try robot.task("part").parent?.title == "Task number 1")
        try robot.select("Task number 2")
        try robot.press("i")
        #expect(try robot.task("Task number 2").parent?.title == "Task number 1")
        try robot.press("I")
        #expect(try robot.task("Task number 2").parent == nil)
    }

    @Test func foldingHidesSubtasks() throws {
        let robot = try Robot()
        try robot.select("Plan the garden")
        try robot.press("-")
        #expect(!robot.titles.contains("order seeds"))
        #expect(robot.selected == "Plan the garden")
        try robot.press("_")
        #expect(robot.titles.contains("order seeds"))
        try robot.select("draw a plan")
        try robot.press("-")
        #expect(robot.selected == "Plan the garden")
    }

    @Test func editorGetsTheTextAndGivesItBack() throws {
        let robot = try Robot()
        try robot.select("Soil test results")
        robot.terminal.editor = { path in
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return 1 }
            let isWhole = text.hasPrefix("# Soil")
            try? (text + "\nMore.\n").write(toFile: path, atomically: true, encoding: .utf8)
            return isWhole ? 0 : 1
        }
        try robot.press("E")
        #expect(try robot.item("Soil test results").text.hasSuffix("lime.\nMore."))
        #expect(robot.shows("More."))
        robot.terminal.editor = { _ in 3 }
        try robot.press("E")
        #expect(robot.message.contains("The editor ended with 3; nothing was changed"))
    }

    @Test func copyTakesTitleAndText() throws {
        let robot = try Robot()
        try robot.select("Soil test results")
        try robot.press("y")
        #expect(robot.terminal.copied.first?.hasPrefix("Soil test results\n\n# Soil") ?? false)
    }

    @Test func aDuplicateIsSelectedBelowItsOriginal() throws {
        let robot = try Robot()
        try robot.select("Pay rent")
        try robot.press("c")
        #expect(robot.titles.prefix(3) == ["Pay rent", "Pay rent", "Plan the garden"])
        #expect(robot.workspace.items.list.selection == 1)
        #expect(robot.footer.contains("✓ Duplicated \"Pay rent\" · u undoes"))
        #expect(try robot.undoSteps().first == "Duplicated \"Pay rent\"")
        try robot.press("u")
        #expect(robot.titles.prefix(2) == ["Pay rent", "Plan the garden"])
    }

    @Test func aDuplicateOfATaskWithSubtasksIsBelowThem() throws {
        let robot = try Robot()
        let rows = robot.titles.count
        try robot.select("Plan the garden")
        try robot.press("c l")
        #expect(robot.titles.count == rows + 1)
        #expect(robot.selected == "Plan the garden")
        let original = try #require(robot.titles.firstIndex(of: "Plan the garden"))
        #expect(robot.workspace.items.list.selection == original + 4)
    }

    @Test func duplicatesOfMarkedTasksAreMarkedInstead() throws {
        let robot = try Robot(sample: .many(3))
        try robot.press("v v v c")
        #expect(robot.titles.map { $0.suffix(1) } == ["1", "1", "2", "2", "3", "3"])
        #expect(robot.footer.contains("Duplicated 3 tasks"))
        #expect(robot.workspace.items.list.selection == 1)
        try robot.press("space")
        #expect(robot.titles.map { $0.suffix(1) } == ["1", "2", "3"])
        #expect(robot.workspace.items.marks.isEmpty)
    }

    @Test func aDuplicateOfAFoundTaskIsFoundToo() throws {
        let robot = try Robot()
        try robot.press("/")
        robot.type("rent")
        try robot.press("enter c")
        #expect(robot.workspace.items.isSearching)
        #expect(robot.titles == ["Pay rent", "Pay rent"])
        #expect(robot.workspace.items.list.selection == 1)
    }

    @Test func aDuplicateOfADoneTaskIsOpenAndSaysWhereItIs() throws {
        let robot = try Robot()
        try robot.press("g d")
        try robot.select("measure the beds")
        try robot.press("c")
        #expect(robot.titles == ["measure the beds"])
        #expect(robot.message.contains("Duplicated \"measure the beds\" to Home/Garden"))
        try robot.press("g A")
        #expect(robot.titles.count { $0 == "measure the beds" } == 2)
    }

    @Test func listsAreMadeRenamedAndDeleted() throws {
        let robot = try Robot()
        try robot.press("L n")
        robot.type("Music")
        try robot.press("enter")
        #expect(robot.shows("Music"))
        robot.workspace.focus = .lists
        try robot.press("L r ctrl+u")
        robot.type("Sound")
        try robot.press("enter")
        #expect(robot.shows("Sound"))
        try robot.press("L d")
        #expect(robot.workspace.items.scope == .smart(.all))
        #expect(!robot.shows("│  Sound"))
        try robot.press("u")
        #expect(robot.shows("Sound"))
    }

    @Test func suspendRedrawAndQuitReachTheTerminal() throws {
        let robot = try Robot()
        try robot.press("ctrl+z ctrl+l")
        #expect(robot.terminal.suspensions == 1)
        #expect(robot.terminal.redraws == 1)
        try robot.press("q")
        #expect(robot.application.status == 0)
    }

    @Test func aNewListIsToldBeforeEnterAndUndoneWithTheItem() throws {
        let robot = try Robot()
        try robot.press("a")
        robot.type("Book flight +\"Japan trip\"")
        #expect(robot.shows("new list Japan trip"))
        try robot.press("enter")
        #expect(try robot.library.existingList(path: ["Japan trip"]) != nil)
        try robot.press("u")
        #expect(try robot.library.existingList(path: ["Japan trip"]) == nil)
    }

    @Test func aNewListIsCreatedOnlyAfterAnAnswer() throws {
        let robot = try Robot(config: "[lists]\ncreate = \"ask\"")
        try robot.press("a")
        robot.type("Book flight +Japan")
        try robot.press("enter")
        #expect(robot.shows("The list Japan does not exist."))
        #expect(try robot.library.existingList(path: ["Japan"]) == nil)
        try robot.press("y")
        #expect(try robot.library.existingList(path: ["Japan"]) != nil)
        #expect(try robot.task("Book flight").list?.name == "Japan")
    }

    @Test func aRefusedListKeepsTheText() throws {
        let robot = try Robot(config: "[lists]\ncreate = \"no\"")
        try robot.press("a")
        robot.type("Book flight +Japan")
        try robot.press("enter")
        #expect(robot.shows("The list Japan does not exist"))
        #expect(robot.shows("Book flight +Japan"))
    }

    @Test func theArrowToTheRightCompletesAMarkOfANewItem() throws {
        let robot = try Robot()
        try robot.press("a")
        robot.type("Dig +Gar")
        #expect(robot.shows("+Home/Garden"))
        try robot.press("right")
        try robot.press("enter")
        #expect(try robot.task("Dig").list?.path == ["Home", "Garden"])
    }
}
