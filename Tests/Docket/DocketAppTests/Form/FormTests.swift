import CivilTime
import DocketCore
import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import ScreenReading
import SeededRandom
import TerminalUI
import Testing

@testable import DocketApp

/// The modal form: field edits undone inside, one step outside, nothing after a cancel.
@Suite struct FormTests {
    private func form(_ robot: Robot) throws -> Form {
        try #require(robot.workspace.modal as? Form)
    }

    @Test func acceptedEditsAreOneNamedStep() throws {
        let robot = try Robot()
        let steps = try robot.undoSteps().count
        try robot.select("Read a book")
        try robot.press("e ctrl+u")
        robot.type("Read two books")
        try robot.press("tab")
        robot.type("Leisure")
        try robot.press("tab")
        robot.type("fri")
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal == nil)
        #expect(try robot.undoSteps().count == steps + 1)
        #expect(try robot.undoSteps().first == "Edited \"Read two books\": title, list, due")
        let task = try robot.task("Read two books")
        #expect(task.list?.name == "Leisure")
        #expect(task.dueDate == DueDate(day: Day(year: 2026, month: 11, day: 27)!))
        #expect(robot.selected == "Read two books")
        try robot.press("u")
        #expect(try robot.task("Read a book").due == nil)
        #expect(robot.selected == "Read a book")
    }

    @Test func aRepetitionIsCheckedWhileItIsTypedAndShowsWhatFollows() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("e tab tab tab tab tab tab")
        robot.type("every fridya")
        try robot.press("tab shift+tab")
        #expect(
            robot.shows(
                "“every fridya” is not a repetition; write it like every 2 weeks on friday."
            )
        )
        try robot.press("ctrl+s")
        #expect(robot.shows("It cannot be saved yet: “every fridya” is not a repetition"))
        try robot.press("ctrl+u")
        robot.type("every month on the 23rd")
        // Without a due date the first one is that of the task.
        #expect(robot.shows("next Mon, 23 Dec, 23 Jan"), "\(robot.text)")
        try robot.press("ctrl+u")
        robot.type("FREQ=WEEKLY;BYDAY=FR")
        #expect(robot.shows("every Friday"), "\(robot.text)")
        try robot.press("tab")
        #expect(robot.shows("next Fri, 4 Dec, 11 Dec"), "\(robot.text)")
        try robot.press("ctrl+s")
        let task = try robot.task("Read a book")
        #expect(task.rule == "FREQ=WEEKLY;BYDAY=FR")
        #expect(task.dueDate == DueDate(day: Day(year: 2026, month: 11, day: 27)!))
        #expect(try robot.undoSteps().first == "Edited \"Read a book\": due, repeats")
    }

    @Test func aReminderIsAFieldAndACommand() throws {
        let robot = try Robot(rows: 40, columns: 140)
        try robot.select("Pay rent")
        try robot.press("e")
        let form = try form(robot)
        let place = try #require(form.fields.firstIndex { $0.label == "Remind" })
        form.moveFocus(to: place)
        robot.type("soon")
        try robot.press("tab shift+tab")
        #expect(robot.shows("“soon” is not a reminder"), "\(robot.text)")
        try robot.press("ctrl+u")
        robot.type("1 day before")
        let due = try #require(robot.task("Pay rent").dueDate?.beginning(in: .utc))
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal == nil, "\(form.remark)")
        #expect(try robot.task("Pay rent").remindTimes == "-P1D")
        #expect(try robot.undoSteps().first == "Edited \"Pay rent\": reminder")
        #expect(robot.shows("reminds 1 day before"), "\(robot.text)")
        try robot.press(":")
        robot.type("remind")
        try robot.press("enter")
        #expect(robot.shows("1 day before"))
        robot.type("2 h before")
        let words = DateFormat(context: robot.clock.context)
            .full(DueDate(moment: due.addingTimeInterval(-7200)))
        #expect(robot.shows(words), "\(robot.text)")
        try robot.press("enter")
        #expect(try robot.undoSteps().first == "Set reminder of \"Pay rent\" to 2 h before")
        try robot.press("u u")
        #expect(try robot.task("Pay rent").remindTimes == nil)
        #expect(try robot.task("Pay rent").nextReminder == nil)
        #expect(!robot.shows("reminds"))
    }

    @Test func markedTasksGetTheSameReminder() throws {
        let robot = try Robot(rows: 40, columns: 140)
        for title in ["Pay rent", "Read a book"] {
            try robot.select(title)
            try robot.press("v")
        }
        try robot.press("R")
        robot.type("1 day, 2 h before")
        #expect(robot.shows("2 items: 26 h before"), "\(robot.text)")
        try robot.press("enter")
        #expect(try robot.task("Pay rent").remindTimes == "-PT26H")
        #expect(try robot.task("Read a book").nextReminder == nil, "it has no due date")
        try robot.press("u")
        #expect(try robot.task("Read a book").remindTimes == nil)
    }

    @Test func aClearedReminderIsGone() throws {
        let robot = try Robot(rows: 40, columns: 140)
        let book = try robot.task("Read a book")
        try robot.library.edit(
            book,
            [FieldChange("due=fri 9:00"), FieldChange("remind=1 h before")]
        )
        #expect(book.nextReminder != nil)
        robot.settle()
        try robot.select("Read a book")
        try robot.press("e")
        let form = try form(robot)
        form.moveFocus(to: try #require(form.fields.firstIndex { $0.label == "Remind" }))
        robot.settle()
        #expect(robot.shows("1 h before"))
        try robot.press("ctrl+u ctrl+s")
        #expect(try robot.task("Read a book").remindTimes == nil)
        #expect(try robot.task("Read a book").nextReminder == nil)
    }

    @Test func aReminderOfAnotherProgramCanBeCleared() throws {
        let robot = try Robot(rows: 40, columns: 140)
        let scratch = robot.library.makeScratch()
        let id = try robot.task("Read a book").objectID
        let book = try #require(try scratch.existingObject(with: id) as? DocketCore.Task)
        book.nextReminder = robot.clock.context.now.addingTimeInterval(86_400)
        _ = try robot.library.saveForm(scratch, of: book)
        robot.settle()
        try robot.select("Read a book")
        try robot.press("e")
        let form = try form(robot)
        form.moveFocus(to: try #require(form.fields.firstIndex { $0.label == "Remind" }))
        robot.settle()
        try robot.press("ctrl+u ctrl+s")
        #expect(try robot.task("Read a book").nextReminder == nil)
        #expect(try robot.undoSteps().first == "Edited \"Read a book\": reminder")
    }

    @Test func aDateThatChangesMovesTheDatesThatFollow() throws {
        let robot = try Robot()
        try robot.select("Pay rent")
        try robot.press("e tab tab")
        #expect(robot.shows("every month"))
        #expect(robot.shows("next 22 Dec, 22 Jan, 22 Feb"), "\(robot.text)")
        try robot.press("ctrl+u")
        robot.type("1 dec")
        try robot.press("tab")
        #expect(robot.shows("next 1 Jan, 1 Feb, 1 Mar"), "\(robot.text)")
        try robot.press("esc")
    }

    @Test func tagsOfSeveralWordsStayWholeWhenAnotherIsAdded() throws {
        let names = ["-minus", "a,b", "q\"uote", "solo", "two words"]
        let robot = try Robot { library in
            var item = try library.capture("Odd")
            item.tags = names
            _ = try library.addTask(item, ItemDefaults())
        }
        try robot.select("Odd")
        try robot.press("e tab tab tab tab tab end")
        robot.type(" new")
        try robot.press("ctrl+s")
        let task = try robot.task("Odd")
        #expect(task.tags.map(\.name).sorted() == (names + ["new"]).sorted())
        try robot.press("t")
        robot.type("-\"two w")
        try robot.press("tab enter")
        #expect(task.tags.map(\.name).sorted() == ["-minus", "a,b", "new", "q\"uote", "solo"])
    }

    @Test func aLinkThatIsBegunCompletesInTitleAndNotes() throws {
        let robot = try Robot(rows: 40)
        try robot.select("Read a book")
        try robot.press("e end")
        robot.type(" [[pay")
        #expect(robot.shows("[[Pay rent]]"), "\(robot.text)")
        try robot.press("right")
        #expect(try form(robot).fields[0].text == "Read a book [[Pay rent]] ")
        robot.type("or +Ho")
        try robot.press("right")
        #expect(try form(robot).fields[0].text == "Read a book [[Pay rent]] or +Ho")
        let last = try form(robot).fields.count - 1
        try form(robot).moveFocus(to: last)
        robot.type("one\ntwo\n")
        try robot.press("up end")
        robot.type(" see [[")
        #expect(!robot.shows("]]  "), "nothing is typed of the title yet")
        try robot.press("ctrl+u")
        robot.type("[[Ca")
        #expect(robot.shows("[[Call the Ämter]]"), "\(robot.text)")
        try robot.press("right")
        robot.type("soon")
        #expect(try form(robot).fields[last].text == "one\n[[Call the Ämter]] soon\n")
        try robot.press("ctrl+z ctrl+y ctrl+s")
        #expect(
            try robot.item("Read a book [[Pay rent]] or +Ho").notes?.contains("Ämter]] soon")
                == true
        )
    }

    @Test func theDetailPaneTellsHowManyWereMissed() throws {
        let robot = try Robot { library in
            try library.addTask(capturing: "Water plants 2026-11-01 every 3 days")
        }
        try robot.select("Water plants")
        #expect(robot.shows("· every 3 days · 6 missed"), "\(robot.text)")
    }

    @Test func cancelLeavesNoTraceAndKeepsADraftOnce() throws {
        let robot = try Robot()
        let steps = try robot.undoSteps()
        try robot.select("Read a book")
        try robot.press("e end")
        robot.type(", slowly")
        try robot.press("tab")
        robot.type("Nowhere")
        try robot.press("esc")
        #expect(try robot.undoSteps() == steps)
        #expect(try robot.library.existingList(path: ["Nowhere"]) == nil)
        #expect(robot.titles.contains("Read a book"))
        #expect(robot.message.hasPrefix("Cancelled; nothing was changed."))
        try robot.press("e")
        #expect(robot.shows("A draft is kept"))
        try robot.press("ctrl+t")
        #expect(try form(robot).fields[0].text == "Read a book, slowly")
        #expect(try form(robot).fields[1].text == "Nowhere")
        try robot.press("ctrl+z")
        #expect(try form(robot).fields[0].text == "Read a book")
        try robot.press("esc e")
        #expect(!robot.shows("A draft is kept"))
    }

    @Test func cancelledNewItemNeverWas() throws {
        let robot = try Robot()
        let before = robot.titles
        let steps = try robot.undoSteps()
        try robot.press("n")
        robot.type("A thought")
        try robot.press("esc")
        #expect(robot.titles == before)
        #expect(try robot.undoSteps() == steps)
        #expect(!robot.library.context.hasChanges)
    }

    @Test func newNoteIsAddedAsOneStep() throws {
        let robot = try Robot()
        try robot.press("n")
        robot.type("A thought")
        try robot.press("shift+tab shift+tab shift+tab")
        robot.type("First line\nsecond line")
        try robot.press("ctrl+s")
        let note = try #require(try robot.item("A thought") as? Note)
        #expect(note.body == "First line\nsecond line")
        #expect(note.shortID > 0)
        #expect(try robot.undoSteps().first == "Added \"A thought\"")
        #expect(robot.selected == "A thought")
        #expect(robot.shows("second line"))
        try robot.press("u")
        #expect(!robot.titles.contains("A thought"))
    }

    @Test func noProblemIsShownBeforeAFieldWasEditedOrLeft() throws {
        let robot = try Robot()
        try robot.press("n")
        #expect(!robot.shows("needs a title"))
        try robot.press("tab")
        #expect(robot.shows("needs a title"))
        try robot.press("esc n ctrl+s")
        #expect(robot.shows("It cannot be saved yet"))
    }

    @Test func datesAreInWordsAndDraftsKeepTheDay() throws {
        let robot = try Robot()
        try robot.select("Pay rent")
        try robot.press("e")
        #expect(robot.shows("tomorrow 9:00"))
        #expect(robot.shows("Sun 22 Nov 2026, 9:00"))
        try robot.press("tab tab")
        robot.type("fri")
        try robot.press("esc")
        // Another day: what was typed means the Friday that it meant then.
        robot.clock.context = DateContext(
            now: Robot.now.addingTimeInterval(8 * 86_400),
            zone: .utc
        )
        try robot.press("e ctrl+t ctrl+s")
        let friday = Day(year: 2026, month: 11, day: 27)
        #expect(try robot.task("Pay rent").dueDate?.day(in: .utc) == friday)
    }

    @Test func fieldEditsAreUndoneAndRedoneOneByOne() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("e end")
        robot.type("!")
        try robot.press("tab")
        robot.type("Work")
        try robot.press("tab tab tab right right tab")
        let form = try form(robot)
        #expect(form.fields[0].text == "Read a book!")
        #expect(form.fields[4].text == "medium")
        try robot.press("ctrl+z")
        #expect(form.fields[4].text == "none")
        #expect(form.fields[1].text == "Work")
        try robot.press("ctrl+z")
        #expect(form.fields[1].text == "")
        try robot.press("ctrl+z")
        #expect(form.fields[0].text == "Read a book")
        try robot.press("ctrl+z")
        #expect(robot.shows("There is nothing to undo in this form."))
        try robot.press("ctrl+y ctrl+y ctrl+y")
        #expect(form.fields.map(\.text).prefix(5) == ["Read a book!", "Work", "", "", "medium"])
        try robot.press("esc")
        #expect(try robot.task("Read a book").priority == 0)
    }

    @Test func undoAndRedoFollowTheOrderOfEditsAlsoOfTextsThatAreNotValid() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("e tab tab")
        robot.type("31 feb")
        try robot.press("shift+tab")
        robot.type("Work")
        try robot.press("shift+tab end")
        robot.type("!")
        let form = try form(robot)
        func texts() -> [String] { form.fields.prefix(3).map(\.text) }
        let states = [
            ["Read a book", "", ""], ["Read a book", "", "31 feb"],
            ["Read a book", "Work", "31 feb"], ["Read a book!", "Work", "31 feb"],
        ]
        #expect(texts() == states[3])
        for (state, focus) in [(2, 0), (1, 1), (0, 2)] {
            try robot.press("ctrl+z")
            #expect(texts() == states[state])
            #expect(form.focus == focus, "the focus goes to what has changed")
        }
        for (state, focus) in [(1, 2), (2, 1), (3, 0)] {
            try robot.press("ctrl+y")
            #expect(texts() == states[state])
            #expect(form.focus == focus)
        }
        #expect(form.fields[2].problem != nil)
        // A new edit ends what can be redone.
        try robot.press("ctrl+z")
        robot.type("Book")
        try robot.press("ctrl+y")
        #expect(robot.shows("There is nothing to redo in this form."))
    }

    @Test(arguments: SeededRandom.seeds(8))
    func undoingAllEditsIsTheBeginningAndRedoingThemTheEnd(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let robot = try Robot()
        try robot.select("Pay rent")
        try robot.press("e")
        let form = try form(robot)
        var states = [form.fields.map(\.text)]
        for _ in 0..<14 {
            form.moveFocus(to: random.below(form.fields.count))
            let texts = ["fri", "31 feb", "Work", "New list", "x y", "every week", "2h", "m", ""]
            let text = random.pick(texts)
            if random.chance(3) { try robot.press("ctrl+u") }
            for character in text { robot.send(.key(Key(character))) }
            form.endEdit()
            if form.fields.map(\.text) != states.last { states.append(form.fields.map(\.text)) }
        }
        for state in states.dropLast().reversed() {
            try robot.press("ctrl+z")
            #expect(form.fields.map(\.text) == state, "seed \(seed)")
        }
        for state in states.dropFirst() {
            try robot.press("ctrl+y")
            #expect(form.fields.map(\.text) == state, "seed \(seed)")
        }
    }

    @Test func savingGoesToTheFirstFieldThatIsWrong() throws {
        let robot = try Robot(rows: 10, columns: 40)
        try robot.select("Read a book")
        try robot.press("e tab tab")
        robot.type("31 feb")
        for _ in 0..<6 { try robot.press("tab") }
        try robot.press("ctrl+s")
        let form = try form(robot)
        #expect(form.focus == 2 && form.remark.contains("31"))
        #expect(robot.shows("31 feb"))
    }

    @Test(arguments: [0, 1, 2, 3]) func theChosenPriorityIsInSight(priority: Int) throws {
        for (rows, columns) in [(10, 40), (8, 34), (24, 80)] {
            let robot = try Robot(rows: rows, columns: columns)
            try robot.select("Read a book")
            try robot.press("p \(priority) e")
            for _ in 0..<4 { try robot.press("tab") }
            let name = ["none", "low", "medium", "high"][priority]
            #expect(robot.shows(name), "\(robot.text)")
        }
    }

    @Test func aRuleIsShownAndKeepsTheFormOpen() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("e ctrl+u")
        #expect(robot.shows("An item needs a title; write some words."))
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal is Form)
        #expect(robot.shows("It cannot be saved yet: An item"))
        robot.type("x")
        #expect(!robot.shows("An item needs a title"))
        try robot.press("tab tab")
        robot.type("someday perhaps")
        #expect(robot.shows("is not a date"))
        try robot.press("ctrl+z")
        #expect(!robot.shows("is not a date"))
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal == nil)
        #expect(robot.titles.contains("x"))
    }

    @Test func aPageThatMayBeDamagedRefusesTheSaveAndTheFormKeepsTheText() throws {
        let first = try Robot()
        first.library.close()
        let file = URL(filePath: first.library.path)
        var data = try Data(contentsOf: file)
        let place = try #require(data.range(of: Data("Read a book".utf8))).lowerBound
        for byte in 0..<2 { data[place + byte] ^= 8 }
        try data.write(to: file)
        let robot = try Robot(reopening: first)
        robot.settle()
        try robot.select("Zmad a book")
        try robot.press("e ctrl+u")
        robot.type("Read two books")
        try robot.press("ctrl+s")
        #expect(try form(robot).item.title == "Read two books")
        #expect(robot.shows("differs from its checksum"), "\(robot.text)")
        #expect(robot.shows("`docket doctor --repair`"), "\(robot.text)")
        #expect(robot.shows("Read two books"), "\(robot.text)")
    }

    @Test func unchangedFormSavesNothing() throws {
        let robot = try Robot()
        let steps = try robot.undoSteps()
        try robot.select("Pay rent")
        try robot.press("e ctrl+s")
        #expect(robot.workspace.modal == nil)
        #expect(try robot.undoSteps() == steps)
    }

    @Test func tagsTypedAndAbandonedAreNotMade() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("e tab tab tab tab tab")
        robot.type("fun")
        try robot.press("tab shift+tab ctrl+u")
        robot.type("joy")
        try robot.press("ctrl+s")
        #expect(try robot.task("Read a book").tags.map(\.name) == ["joy"])
        #expect(try robot.library.tags().map(\.name).contains("fun") == false)
    }

    @Test func captureBecomesAFormWithWhatWasTyped() throws {
        let robot = try Robot()
        try robot.press("a")
        robot.type("Fix bike sat #out")
        try robot.press("tab")
        let form = try form(robot)
        #expect(form.fields[0].text == "Fix bike")
        #expect(form.fields[2].text == "2026-11-28")
        #expect(form.fields[5].text == "out")
        try robot.press("ctrl+s")
        #expect(robot.selected == "Fix bike")
    }

    @Test func estimateIsKeptInSeconds() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("e tab tab tab tab tab tab tab tab")
        #expect(try form(robot).focused?.label == "Estimate")
        robot.type("1h 30m")
        try robot.press("ctrl+s")
        #expect(try robot.task("Read a book").estimate == 5400)
        #expect(robot.shows("1 h 30 min"))
        try robot.press("e")
        #expect(try form(robot).fields[8].text == "1 h 30 min")
    }

    @Test func formFitsEveryScreen() throws {
        for (rows, columns) in [(10, 3), (5, 20), (10, 40), (24, 80), (60, 200)] {
            let robot = try Robot(rows: rows, columns: columns)
            try robot.press("e")
            for _ in 0..<14 { try robot.press("tab") }
            robot.type("x")
            try robot.press("esc")
            #expect(robot.workspace.modal == nil)
            robot.terminal.frame.checkInvariants()
        }
    }

    @Test(arguments: [
        ("90", 90), ("1h 30m", 90), ("1:30", 90), ("2 h", 120), ("1 d", 480), ("0:05", 5),
    ])
    func durationsAreRead(text: String, minutes: Int) {
        #expect(Estimate.seconds(text) == minutes * 60)
        #expect(Estimate.seconds(Estimate.text(seconds: minutes * 60)) == minutes * 60)
    }

    @Test(arguments: ["", "soon", "h", "1:75", "-3", "99999999999999999999", "1h2x"])
    func whatIsNoDurationIsRefused(text: String) {
        #expect(Estimate.seconds(text) == nil)
    }
}
