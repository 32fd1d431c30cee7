import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// What was typed and not saved comes back, and leaves nothing in the store until then.
@Suite struct DraftTests {
    private func form(_ robot: Robot) throws -> Form {
        try #require(robot.workspace.modal as? Form)
    }

    /// The line of quick capture alone, after a window with drafts has ended.
    private func capture(after left: Drafts) throws -> Robot {
        let robot = try Robot()
        let store = Robot.store(in: robot.folder).path
        try DraftFile(store: store).write(left)
        robot.application.keepDrafts(beside: store, forCapture: true)
        robot.application.capture()
        robot.settle()
        return robot
    }

    @Test func theLineOfQuickCaptureAloneNamesItsOwnKey() throws {
        var left = Drafts()
        left.keep(CaptureDraft(text: "Call Ana", parent: nil))
        let robot = try capture(after: left)
        #expect(robot.message == "Typed last time: \"Call Ana\" is kept; ^T restores it.")
        try robot.press("ctrl+t enter")
        #expect(try robot.item("Call Ana").title == "Call Ana")
    }

    @Test func theLineOfQuickCaptureAloneRestoresAForm() throws {
        var left = Drafts()
        left.keep(
            FormDraft(
                item: nil,
                isNote: false,
                title: "Call Ana",
                fields: [
                    "title": .init(text: "Call Ana", original: ""),
                    "list": .init(text: "Work", original: ""),
                ]
            )
        )
        let robot = try capture(after: left)
        #expect(robot.message == "Typed last time: \"Call Ana\" is kept; ^T restores it.")
        try robot.press("ctrl+t")
        #expect(try form(robot).fields[0].text == "Call Ana")
        try robot.press("ctrl+s")
        #expect(try robot.item("Call Ana").list?.name == "Work")
    }

    @Test func whatTheLineOfQuickCaptureAloneCannotRestoreIsNotOffered() throws {
        var left = Drafts()
        left.keep(CaptureDraft(text: "a subtask", parent: try Robot().item("Pay rent").uuid))
        left.keep(FormDraft(item: nil, isNote: true, title: "a note"))
        #expect(try !capture(after: left).message.contains("a note"))
    }

    @Test(arguments: ["O", "n"]) func aNewItemsDraftComesBack(key: String) throws {
        let robot = try Robot()
        let before = (robot.titles, try robot.undoSteps())
        try robot.press(key)
        robot.type("A thought")
        try robot.press("tab")
        robot.type("Ideas")
        try robot.press("esc")
        #expect(robot.message.contains("\(key), then ^T restores the text"))
        #expect(robot.titles == before.0)
        #expect(try robot.undoSteps() == before.1)
        // The other kind's form is not its place.
        try robot.press(key == "O" ? "n" : "O")
        #expect(try form(robot).fields[0].text == "")
        try robot.press("esc \(key)")
        #expect(try form(robot).fields.prefix(2).map(\.text) == ["", ""])
        #expect(robot.shows("A draft is kept: ^T restores it."))
        try robot.press("ctrl+t")
        #expect(try form(robot).fields.prefix(2).map(\.text) == ["A thought", "Ideas"])
        #expect(robot.shows("A thought"))
        try robot.press("ctrl+s")
        #expect(try robot.item("A thought").list?.name == "Ideas")
        try robot.press(key)
        #expect(try form(robot).fields[0].text == "")
    }

    @Test func aDraftThatCameBackIsLeftOutByUndo() throws {
        let robot = try Robot()
        try robot.press("O")
        robot.type("A thought")
        try robot.press("esc O ctrl+t ctrl+z")
        #expect(try form(robot).fields[0].text == "")
        try robot.press("ctrl+y")
        #expect(try form(robot).fields[0].text == "A thought")
    }

    @Test(arguments: ["esc O esc O ctrl+t", "esc O ctrl+t esc O ctrl+t"])
    func aDraftIsKeptUntilItIsSaved(keys: String) throws {
        let robot = try Robot()
        try robot.press("O")
        robot.type("A thought")
        try robot.press(keys)
        #expect(try form(robot).fields[0].text == "A thought")
    }

    @Test func aWrongDateOfADraftComesBackToo() throws {
        let robot = try Robot()
        try robot.press("O")
        robot.type("Trip")
        try robot.press("tab tab")
        robot.type("31 feb")
        try robot.press("esc O ctrl+t")
        #expect(try form(robot).fields[2].text == "31 feb")
        #expect(try form(robot).fields[2].problem != nil)
    }

    @Test func theCaptureLineKeepsItsTextOnEsc() throws {
        let robot = try Robot()
        try robot.press("a")
        robot.type("Call the dentist fri")
        try robot.press("esc")
        #expect(!robot.titles.contains("Call the dentist"))
        #expect(robot.message == "Nothing was added. a, then ^T restores the text.")
        try robot.press("a")
        #expect((robot.workspace.modal as? CaptureBar)?.field.text == "", "it starts empty")
        #expect(robot.footer.contains("^T restore \"Call the dentist fri\""))
        // Another task does not use the kept text up.
        robot.type("Buy milk\n")
        #expect(robot.titles.contains("Buy milk"))
        try robot.press("a ctrl+t")
        #expect(robot.shows("Call the dentist fri") && !robot.footer.contains("restore"))
        robot.type(" #phone\n")
        #expect(robot.titles.contains("Call the dentist"))
        try robot.press("a")
        #expect(!robot.footer.contains("restore"))
        try robot.press("ctrl+t")
        #expect(robot.message == "No text of an earlier line is kept.")
    }

    @Test func theKeyOfDraftsExchangesTexts() throws {
        let robot = try Robot()
        for text in ["one", "two"] {
            try robot.press("a")
            robot.type(text)
            try robot.press("esc")
        }
        try robot.press("a")
        robot.type("three")
        for text in ["two", "one", "three", "two"] {
            try robot.press("ctrl+t")
            #expect((robot.workspace.modal as? CaptureBar)?.field.text == text)
        }
    }

    @Test func aBarOffersWhatWasTypedThere() throws {
        let robot = try Robot()
        try robot.select("Pay rent")
        try robot.press("D ctrl+u")
        robot.type("next fri")
        try robot.press("esc D")
        #expect((robot.workspace.modal as? DateBar)?.field.text == "tomorrow 9:00")
        #expect(robot.footer.contains("^T restore \"next fri\""))
        try robot.press("ctrl+t enter")
        #expect(robot.message.hasPrefix("Set due of \"Pay rent\""))
    }

    @Test func aSubtasksTextStaysWithItsTask() throws {
        let robot = try Robot()
        try robot.select("Plan the garden")
        try robot.press("A")
        robot.type("buy a spade")
        try robot.press("esc a")
        #expect(!robot.shows("buy a spade"))
        try robot.press("esc")
        try robot.select("Read a book")
        try robot.press("A")
        #expect(!robot.shows("buy a spade"))
        try robot.press("esc")
        try robot.select("Plan the garden")
        try robot.press("A ctrl+t")
        #expect(robot.shows("buy a spade"))
        try robot.press("enter")
        #expect(try robot.task("buy a spade").parent?.title == "Plan the garden")
    }

    @Test func aFormThatCaptureOpenedKeepsAllOfIt() throws {
        let robot = try Robot()
        try robot.press("a")
        robot.type("Fix bike sat #out @Shed")
        try robot.press("tab esc O ctrl+t")
        #expect(try form(robot).fields[0].text == "Fix bike")
        try robot.press("ctrl+s")
        let task = try robot.task("Fix bike")
        #expect(task.tags.map(\.name) == ["out"])
        #expect(task.due != nil)
        #expect(task.location?.name == "Shed")
    }

    @Test func aDraftKeepsRelationsThatWereChosen() throws {
        let robot = try Robot()
        let (rent, book) = (try robot.task("Pay rent"), try robot.task("Read a book"))
        try robot.press("a")
        robot.type(
            "Fix bike fri 9:00 @Shed after:\(rent.shortID) blocks:\(book.shortID) remind 1h before"
        )
        try robot.press("tab esc O ctrl+t ctrl+s")
        let task = try robot.task("Fix bike")
        #expect(task.blockedBy == [rent] && task.blocks == [book])
        #expect(task.location?.name == "Shed" && task.remindTimes != nil)
        // Chosen in a form, also by another program start.
        try robot.select("Call the Ämter")
        try robot.press("e")
        let fields = try form(robot).fields
        func choose(_ label: String, _ text: String) throws {
            try form(robot).moveFocus(to: try #require(fields.firstIndex { $0.label == label }))
            robot.type(text)
        }
        try choose("Waits for", "read")
        try robot.press("right")
        try choose("Location", "Bank")
        try robot.press("esc")
        let kept = try JSONEncoder().encode(robot.workspace.drafts)
        robot.workspace.drafts = try JSONDecoder().decode(Drafts.self, from: kept)
        try robot.press("e ctrl+t ctrl+s")
        let call = try robot.task("Call the Ämter")
        #expect(call.blockedBy == [book] && call.location?.name == "Bank")
    }

    @Test func aKeptBlockThatIsImpossibleNowIsTold() throws {
        let robot = try Robot()
        let (rent, book) = (try robot.task("Pay rent"), try robot.task("Read a book"))
        try robot.press("a")
        robot.type("Fix bike after:\(rent.shortID) blocks:\(book.shortID)")
        try robot.press("tab esc")
        try robot.library.setBlockers([book], of: [rent])
        try robot.press("O ctrl+t")
        #expect(try form(robot).remark.contains("wait"), "\(robot.text)")
        try robot.press("ctrl+s")
        let task = try robot.task("Fix bike")
        #expect(task.blockedBy == [rent] && task.blocks.isEmpty)
    }

    @Test func draftsOfSeveralItemsAreKeptApart() throws {
        let robot = try Robot()
        for title in ["Read a book", "Pay rent"] {
            try robot.select(title)
            try robot.press("e end")
            robot.type(" again")
            try robot.press("esc")
        }
        for title in ["Read a book", "Pay rent"] {
            try robot.select(title)
            try robot.press("e")
            #expect(robot.shows("A draft is kept"))
            try robot.press("ctrl+t")
            #expect(try form(robot).fields[0].text == "\(title) again")
            try robot.press("ctrl+s")
        }
        #expect(robot.titles.contains("Pay rent again"))
    }

    @Test func aTextShowsAgainWhenThereIsRoomForIt() throws {
        let robot = try Robot(rows: 24, columns: 120)
        try robot.press("a")
        let text = "begin " + String(repeating: "word ", count: 15) + "end"
        robot.type(text)
        for (rows, columns) in [(10, 30), (1, 1), (5, 12), (24, 120)] {
            robot.resize(rows: rows, columns: columns)
        }
        #expect(robot.shows(text))
        try robot.press("esc n tab tab tab tab")
        robot.type((1...8).map { "line \($0)" }.joined(separator: "\n"))
        for (rows, columns) in [(9, 40), (1, 1), (40, 120)] {
            robot.resize(rows: rows, columns: columns)
        }
        #expect(robot.shows("line 1") && robot.shows("line 8"))
    }

    @Test func theFormOfASmartListKeepsADraftForThatList() throws {
        let robot = try Robot(rows: 40)
        let list = try robot.library.addSmartList(
            SmartListValues(name: "Soon", query: "due:<7d")
        ).list
        try robot.press("L s")
        robot.type("Broken")
        try robot.press("tab")
        robot.type("tag:nowhere")
        try robot.press("esc")
        #expect(robot.message.contains("Cancelled; nothing was changed. Ls, then ^T"))
        try robot.workspace.show(.smart(list))
        robot.settle()
        // Another list has no part in it.
        try robot.press("L e")
        #expect(!robot.shows("A draft is kept"))
        robot.type("Sooner")
        try robot.press("esc L e")
        #expect(robot.shows("A draft is kept") && robot.shows("Soon") && !robot.shows("Sooner"))
        try robot.press("ctrl+t")
        #expect(robot.shows("Sooner"))
        try robot.press("ctrl+z")
        #expect(!robot.shows("Sooner"))
        try robot.press("ctrl+y ctrl+s")
        #expect(robot.message.contains("to \"Sooner\""))
        try robot.press("L e ctrl+t")
        #expect(robot.shows("No draft is kept."))
        try robot.press("esc L s ctrl+t")
        #expect(robot.shows("Broken") && robot.shows("tag:nowhere"))
        try robot.press("esc L s ctrl+t")
        #expect(robot.shows("Broken"), "cancelled again, it is kept")
    }
}
