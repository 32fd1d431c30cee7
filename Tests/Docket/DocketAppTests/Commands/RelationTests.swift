import DocketCore
import DocketFormats
import LibraryVerbs
import ObjectGraph
import SeededRandom
import TerminalUI
import Testing

@testable import DocketApp

/// What tasks wait for and where they are done: keys, form, detail and row.
@Suite struct RelationTests {
    private func number(_ title: String, _ robot: Robot) throws -> String {
        "\(try robot.task(title).shortID)"
    }

    private func blockers(_ title: String, _ robot: Robot) throws -> [String] {
        try robot.task(title).blockedBy.map(\.title).sorted()
    }

    @Test func wordsOfATitleFindWhatATaskWaitsFor() throws {
        let robot = try Robot(columns: 120)
        try robot.select("Read a book")
        try robot.press("w")
        robot.type("RENT pay")
        #expect(robot.shows("☐ Pay rent  Home"))
        try robot.press("enter")
        #expect(robot.message.hasPrefix("Made \"Read a book\" wait for \"Pay rent\""))
        #expect(robot.message.contains("\"Read a book\"") && robot.message.hasSuffix("u undoes"))
        #expect(try blockers("Read a book", robot) == ["Pay rent"])
        #expect(robot.shows("⊘ Read a book  waits for Pay rent"))
        #expect(robot.shows("waits for Pay rent"))
        try robot.select("Pay rent")
        #expect(robot.shows("blocks Read a book"))
        try robot.press("u")
        #expect(try blockers("Read a book", robot).isEmpty)
    }

    @Test func wordsThatFitOneTaskAreThatTaskAndOthersAreOffered() throws {
        let robot = try Robot(rows: 40, columns: 120)
        _ = try robot.library.addTask(capturing: "Pay the dentist")
        robot.settle()
        let (rent, dentist) = (try number("Pay rent", robot), try number("Pay the dentist", robot))
        try robot.select("Read a book")
        try robot.press("e")
        let form = try #require(robot.workspace.modal as? Form)
        let waits = try #require(form.fields.firstIndex { $0.label == "Waits for" })
        form.moveFocus(to: waits)
        robot.type("pay")
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal is Form)
        #expect(
            form.remark.contains("\(rent) Pay rent") && form.remark.contains("\(dentist) Pay the")
        )
        try robot.press("ctrl+u")
        robot.type("rent")
        #expect(robot.shows("\(rent) Pay rent"))
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal == nil, "\(form.remark)")
        #expect(try blockers("Read a book", robot) == ["Pay rent"])
        try robot.press("w")
        robot.type("\(dentist)")
        try robot.press("tab ctrl+u")
        robot.type("ämter")
        try robot.press("tab tab enter")
        #expect(try blockers("Read a book", robot) == ["Pay rent", "Pay the dentist"])
    }

    @Test func ticksAddAndRemoveWhatATaskWaitsForInOneStep() throws {
        let robot = try Robot(columns: 120)
        let book = try robot.task("Read a book")
        try robot.library.setBlockers(
            [robot.task("Pay rent"), robot.task("order seeds")],
            of: [book]
        )
        robot.settle()
        let steps = try robot.undoSteps().count
        try robot.select("Read a book")
        try robot.press("w")
        #expect(robot.shows("☑ Pay rent") && robot.shows("☑ order seeds"))
        try robot.press("tab")
        #expect(robot.shows("☐ Pay rent") && robot.shows("☑ order seeds"))
        robot.type("ämter")
        try robot.press("tab enter")
        #expect(robot.workspace.modal == nil)
        #expect(try blockers("Read a book", robot) == ["Call the Ämter", "order seeds"])
        #expect(
            robot.message
                == "Made \"Read a book\" wait for \"Call the Ämter\" and not wait for"
                + " \"Pay rent\" · u undoes"
        )
        #expect(try robot.undoSteps().count == steps + 1)
        try robot.press("w ctrl+x enter")
        #expect(try blockers("Read a book", robot).isEmpty)
        try robot.press("u u")
        #expect(try blockers("Read a book", robot) == ["Pay rent", "order seeds"])
        // Esc changes nothing, and neither does Enter without another tick.
        try robot.press("w tab esc w enter")
        #expect(robot.message == "It waits for that already")
        #expect(try blockers("Read a book", robot) == ["Pay rent", "order seeds"])
    }

    @Test func aTickThatSomeOfTheMarkedTasksHaveIsGivenToTheOthers() throws {
        let robot = try Robot(columns: 120)
        try robot.library.setBlockers([robot.task("Pay rent")], of: [robot.task("Read a book")])
        robot.settle()
        for title in ["Read a book", "Call the Ämter"] {
            try robot.select(title)
            try robot.press("v")
        }
        try robot.press("w")
        #expect(robot.shows("☐ Pay rent  Home, 1 of 2 wait for it"))
        try robot.press("enter")
        #expect(try blockers("Call the Ämter", robot) == ["Pay rent"])
        #expect(robot.message == "Made \"Call the Ämter\" wait for \"Pay rent\" · u undoes")
    }

    @Test func whatACompletedTaskHasHeldUpIsSaid() throws {
        let robot = try Robot(columns: 160)
        let (rent, seeds) = (try robot.task("Pay rent"), try robot.task("order seeds"))
        let (book, call) = (try robot.task("Read a book"), try robot.task("Call the Ämter"))
        try robot.library.setBlockers([seeds], of: [book, call])
        try robot.library.setBlockers([seeds, rent], of: [robot.task("draw a plan")])
        robot.settle()
        try robot.select("order seeds")
        try robot.press("space")
        #expect(
            robot.message == "Completed \"order seeds\"; 2 tasks can start now · u undoes"
        )
        try robot.select("Pay rent")
        try robot.press("d")
        #expect(robot.message == "Trashed \"Pay rent\"; \"draw a plan\" can start now · u undoes")
        try robot.select("Read a book")
        try robot.press("space")
        #expect(robot.message == "Completed \"Read a book\" · u undoes")
    }

    @Test func nextHasWhatCanStartNow() throws {
        let robot = try Robot(columns: 120)
        try robot.library.setBlockers([robot.task("Pay rent")], of: [robot.task("Read a book")])
        _ = try robot.library.addTask(capturing: "Pack start:2026-12-24")
        robot.settle()
        try robot.press("g n")
        #expect(robot.titles.contains("Pay rent"))
        #expect(!robot.titles.contains("Read a book") && !robot.titles.contains("Pack"))
        try robot.select("Pay rent")
        try robot.press("d")
        #expect(robot.titles.contains("Read a book"))
    }

    @Test func aTaskWithManyBlockersShowsTheFirst() throws {
        let robot = try Robot(columns: 140) { library in
            let lines = (["Whole"] + (1...3_000).map { "Part \($0)" }).joined(separator: "\n")
            _ = try library.importItems(.todotxt, from: Array(lines.utf8))
            let tasks = try library.items(matching: nil).compactMap { $0 as? DocketCore.Task }
            tasks[0].blockedBy = Set(tasks.dropFirst())
            try library.context.save(as: "Edited tasks")
        }
        #expect(robot.shows("⊘ Whole  waits for Part 1"))
        #expect(robot.text.contains("and 2980 more"))
        // Once its row is shown, keys read nothing of them.
        let coordinator = robot.library.context.coordinator
        try robot.press("j k")
        coordinator.startCounting()
        try robot.press("j k j k")
        #expect(coordinator.counters.statements == 0)
        let selected = try processorSeconds { for _ in 0..<10 { try robot.press("j k") } }
        try robot.press("G")
        let elsewhere = try processorSeconds { for _ in 0..<10 { try robot.press("k j") } }
        #expect(selected < elsewhere * 4, "\(selected) s there, \(elsewhere) s elsewhere")
        // The first of them changes: the row and the detail follow.
        let part = try robot.task("Part 1")
        try robot.library.complete([part])
        try robot.press("g g")
        #expect(robot.shows("⊘ Whole  waits for Part 2") && robot.text.contains("and 2979 more"))
        _ = try robot.library.undo()
        robot.settle()
        #expect(robot.shows("⊘ Whole  waits for Part 1"))
        try robot.press("w")
        #expect(robot.shows("☑ Part 1 "))
        robot.type("777")
        try robot.press("tab enter")
        #expect(robot.message.hasPrefix("Made \"Whole\" not wait for \"Part 776\""))
        #expect(robot.text.contains("and 2979 more"))
    }

    @Test func aCircleIsRefusedWithItsPathAndTheBarStays() throws {
        let robot = try Robot(columns: 120)
        try robot.library.setBlockers([try robot.task("Pay rent")], of: [robot.task("Read a book")])
        robot.settle()
        try robot.select("Pay rent")
        try robot.press("w")
        robot.type(try number("Read a book", robot))
        try robot.press("enter")
        #expect(robot.workspace.modal is BlockersPicker)
        let (rent, book) = (try number("Pay rent", robot), try number("Read a book", robot))
        #expect(
            robot.message
                == "\(rent) \"Pay rent\" cannot wait for \(book) \"Read a book\", which waits for"
                + " \(rent) \"Pay rent\"."
        )
        #expect(try blockers("Pay rent", robot).isEmpty)
        for text in ["nowhere", "99"] {
            try robot.press("ctrl+u")
            robot.type(text)
            try robot.press("enter")
            #expect(robot.message.hasPrefix("No other open task is found by \"\(text)\";"))
        }
        #expect(try blockers("Pay rent", robot).isEmpty)
    }

    @Test func markedTasksWaitForTheSame() throws {
        let robot = try Robot()
        for title in ["Pay rent", "Read a book"] {
            try robot.select(title)
            try robot.press("v")
        }
        let before = try robot.undoSteps().count
        try robot.press("w")
        robot.type("ämter")
        try robot.press("enter")
        #expect(try blockers("Pay rent", robot) == ["Call the Ämter"])
        #expect(try blockers("Read a book", robot) == ["Call the Ämter"])
        #expect(try robot.undoSteps().count == before + 1)
    }

    @Test func theFormHasWhatATaskWaitsForAndItsLocation() throws {
        let robot = try Robot(rows: 40, columns: 120)
        try robot.library.setBlockers([try robot.task("Pay rent")], of: [robot.task("Read a book")])
        robot.settle()
        try robot.select("Read a book")
        try robot.press("e")
        let form = try #require(robot.workspace.modal as? Form)
        let waits = try #require(form.fields.firstIndex { $0.label == "Waits for" })
        #expect(form.fields[waits].text == (try number("Pay rent", robot)))
        form.moveFocus(to: waits)
        robot.settle()
        #expect(robot.shows("\(try number("Pay rent", robot)) Pay rent"))
        try robot.press("ctrl+u")
        robot.type("31415")
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal is Form && form.remark.contains("31415"))
        try robot.press("ctrl+z")
        #expect(form.fields[waits].text == (try number("Pay rent", robot)))
        try robot.press("ctrl+u")
        robot.type("ämter")
        try robot.press("right tab")
        robot.type("Library")
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal == nil)
        #expect(try blockers("Read a book", robot) == ["Call the Ämter"])
        #expect(try robot.task("Read a book").location?.name == "Library")
        #expect(robot.shows("at Library") && robot.shows("@Library"))
        // The form of the other end refuses a circle.
        try robot.select("Call the Ämter")
        try robot.press("e")
        let other = try #require(robot.workspace.modal as? Form)
        other.moveFocus(to: waits)
        robot.type(try number("Read a book", robot))
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal is Form && other.remark.contains("cannot wait for"))
        #expect(other.focus == waits)
    }

    @Test func namesThatWereTypedAndChangedAreNotSaved() throws {
        let robot = try Robot(rows: 40)
        try robot.select("Read a book")
        try robot.press("e tab")
        robot.type("Wrong/List")
        let form = try #require(robot.workspace.modal as? Form)
        let place = try #require(form.fields.firstIndex { $0.label == "Location" })
        form.moveFocus(to: place)
        robot.type("Bnak")
        try robot.press("shift+tab tab ctrl+u")
        robot.type("Bank")
        form.moveFocus(to: 1)
        try robot.press("ctrl+u")
        robot.type("Right")
        try robot.press("ctrl+s")
        #expect(try robot.library.locations().map(\.name) == ["Bank"])
        #expect(try robot.library.existingList(path: ["Wrong"]) == nil)
        #expect(try robot.item("Read a book").list?.name == "Right")
    }

    @Test func aKeySetsTheLocationOfTheMarkedTasks() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("@")
        robot.type("Library\n")
        #expect(try robot.task("Read a book").location?.name == "Library")
        try robot.select("Pay rent")
        try robot.press("@")
        robot.type("Li")
        try robot.press("tab enter")
        #expect(try robot.task("Pay rent").location?.name == "Library")
        try robot.press("@ enter")
        #expect(robot.message == "It has that location already")
        try robot.press("@ ctrl+u enter")
        #expect(try robot.task("Pay rent").location == nil)
        try robot.press("u")
        #expect(try robot.task("Pay rent").location?.name == "Library")
    }
}
