import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// What others save while a form is open: other fields merge, the same field is shown and asked about.
@Suite struct FormOthersTests {
    private final class Other {
        let robot: Robot
        let library: Library

        init(author: String = "shell") throws {
            robot = try Robot(columns: 120)
            robot.application.follow(robot.library)
            let url = robot.folder.appendingPathComponent("store.sqlite")
            library = try Library(url: url, author: author) {
                DateContext(now: Robot.now, zone: .utc)
            }
        }

        deinit { library.close() }

        func item(_ title: String) throws -> Item {
            let found = try library.items(matching: \.title == title)
            return try #require(found.first)
        }

        func edit(_ title: String, _ change: String) throws {
            try library.edit(item(title), [FieldChange(change)])
        }

        func wake() {
            robot.application.handle([.woken])
            robot.settle()
        }

        var form: Form { get throws { try #require(robot.workspace.modal as? Form) } }
    }

    @Test func theSameFieldIsAskedAboutAndNotOverwrittenInSilence() throws {
        let other = try Other()
        let robot = other.robot
        try robot.select("Read a book")
        try robot.press("e end")
        robot.type(", slowly")
        try other.edit("Read a book", "title=Read two books")
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal is Form)
        #expect(robot.shows("changed meanwhile by the shell: title is Read two books now"))
        #expect(robot.shows("^R accepts it"))
        #expect(try other.form.fields[0].text == "Read a book, slowly")
        #expect(try other.item("Read two books").title == "Read two books")
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal == nil)
        #expect(robot.titles.contains("Read a book, slowly"))
        try robot.press("u")
        #expect(robot.titles.contains("Read two books"))
    }

    @Test func otherFieldsMergeInSilence() throws {
        let other = try Other()
        let robot = other.robot
        try robot.select("Read a book")
        try robot.press("e end")
        robot.type(", slowly")
        try other.edit("Read a book", "priority=high")
        try other.edit("Read a book", "due=2027-01-02")
        try other.edit("Read a book", "notes=By the shell")
        try other.edit("Read a book", "list=Work")
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal == nil)
        let task = try robot.task("Read a book, slowly")
        #expect(task.priority == 3 && task.notes == "By the shell" && task.list?.name == "Work")
        #expect(task.dueDate == DueDate(day: Day(year: 2027, month: 1, day: 2)!))
    }

    @Test func whatOthersChangeShowsWhileTheFormIsOpen() throws {
        let other = try Other()
        let robot = other.robot
        try robot.select("Read a book")
        try robot.press("e end")
        robot.type(", slowly")
        try robot.press("tab")
        try other.edit("Read a book", "priority=high")
        try other.edit("Read a book", "title=Read two books")
        other.wake()
        #expect(robot.shows("changed meanwhile by the shell: title is Read two books now"))
        #expect(try other.form.fields[4].text == "high")
        #expect(try other.form.fields[0].text == "Read a book, slowly")
        try robot.press("ctrl+r")
        #expect(try other.form.fields[0].text == "Read two books")
        #expect(!robot.shows("changed meanwhile"))
        try robot.press("ctrl+z")
        #expect(try other.form.fields[0].text == "Read a book, slowly")
        try robot.press("ctrl+y ctrl+s")
        #expect(robot.workspace.modal == nil)
        let task = try robot.task("Read two books")
        #expect(task.priority == 3)
    }

    @Test func whatIsTypedNowIsNotTakenAway() throws {
        let other = try Other()
        let robot = other.robot
        try robot.select("Read a book")
        try robot.press("e tab tab")
        robot.type("31 f")
        try other.edit("Read a book", "due=2027-01-02")
        other.wake()
        #expect(try other.form.fields[2].text == "31 f")
        #expect(robot.shows("due is 2027-01-02 now"))
    }

    @Test func theSameValueFromBothIsNoQuestion() throws {
        let other = try Other()
        let robot = other.robot
        try robot.select("Read a book")
        try robot.press("e end")
        robot.type("s")
        try other.edit("Read a book", "title=Read a books")
        try robot.press("tab")
        robot.type("Work")
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal == nil)
        #expect(try robot.task("Read a books").list?.name == "Work")
    }

    @Test func tagsOfBothAreKept() throws {
        let other = try Other()
        let robot = other.robot
        try robot.select("Pay rent")
        try robot.press("e tab tab tab tab tab end")
        robot.type(" mine")
        try other.edit("Pay rent", "tags=bank theirs")
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal == nil)
        #expect(
            try robot.task("Pay rent").tags.map(\.name).sorted() == ["bank", "mine", "theirs"]
        )
    }

    @Test func anUndoneEditDoesNotPutTheOldValueBack() throws {
        let other = try Other()
        let robot = other.robot
        try robot.select("Read a book")
        try robot.press("e end")
        robot.type("!")
        try robot.press("tab ctrl+z")
        try other.edit("Read a book", "title=Read two books")
        try robot.press("shift+tab shift+tab shift+tab")
        robot.type("a note")
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal == nil)
        #expect(try robot.task("Read two books").notes == "a note")
    }

    @Test(arguments: [("interface", "by another window"), ("sync", "by sync")])
    func whoChangedItIsSaid(author: String, words: String) throws {
        let other = try Other(author: author)
        try other.robot.select("Read a book")
        try other.robot.press("e end")
        other.robot.type("!")
        try other.edit("Read a book", "title=Read two books")
        try other.robot.press("ctrl+s")
        #expect(other.robot.shows("changed meanwhile \(words): title is"))
    }

    @Test func anItemThatWasTrashedMeanwhileIsSaid() throws {
        let other = try Other()
        let robot = other.robot
        try robot.select("Read a book")
        try robot.press("e end")
        robot.type("!")
        try other.library.trash([other.item("Read a book")])
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal is Form)
        #expect(robot.shows("was moved to the trash by the shell"))
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal == nil)
        let item = try other.item("Read a book!")
        #expect(item.trashed != nil)
    }

    @Test func anOccurrenceThatWasCompletedMeanwhileIsSaid() throws {
        let other = try Other()
        let robot = other.robot
        try robot.select("Pay rent")
        try robot.press("e end")
        robot.type("!")
        try other.library.complete([other.item("Pay rent")])
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal is Form)
        #expect(robot.shows("This occurrence was completed by the shell"))
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal == nil)
        let item = try #require(try other.item("Pay rent!") as? Task)
        #expect(item.isDone)
        let next = try #require(try other.item("Pay rent") as? Task)
        #expect(!next.isDone)
        #expect(next.series == item.series)
    }

    @Test func anOccurrenceCompletedAndOpenedAgainMeanwhileIsSavedWithoutAQuestion() throws {
        let other = try Other()
        let robot = other.robot
        try robot.select("Pay rent")
        try robot.press("e end")
        robot.type("!")
        try other.library.complete([other.item("Pay rent")])
        other.wake()
        #expect(robot.shows("This occurrence was completed by the shell"))
        _ = try other.library.undo()
        other.wake()
        #expect(!robot.shows("This occurrence was completed"))
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal == nil)
        let item = try #require(try other.item("Pay rent!") as? Task)
        #expect(!item.isDone)
    }

    @Test func anItemThatWasDeletedMeanwhileIsSaidAndTheTextKept() throws {
        let other = try Other()
        let robot = other.robot
        try robot.select("Read a book")
        try robot.press("e end")
        robot.type("!")
        let item = try other.item("Read a book")
        other.library.context.delete(item)
        try other.library.context.save(as: "Delete Task")
        try robot.press("ctrl+s")
        #expect(robot.shows("was deleted by the shell"))
        #expect(robot.workspace.modal is Form)
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal is Form)
        try robot.press("esc O ctrl+t")
        #expect(try other.form.fields[0].text == "Read a book!")
        try robot.press("ctrl+s")
        #expect(robot.titles.contains("Read a book!"))
    }

    @Test func aDraftThatIsOlderThanAnothersChangeSaysSo() throws {
        let other = try Other()
        let robot = other.robot
        try robot.select("Read a book")
        try robot.press("e end")
        robot.type("!")
        try robot.press("esc")
        try other.edit("Read a book", "title=Second")
        other.wake()
        try robot.press("e ctrl+t")
        #expect(robot.shows("changed meanwhile: title is Second now. ^R accepts it"))
        #expect(try other.form.fields[0].text == "Read a book!")
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal is Form)
        try robot.press("ctrl+r ctrl+s")
        #expect(robot.workspace.modal == nil)
        #expect(robot.titles.contains("Second"))
    }

    @Test func aSaveBetweenTheLookAndOursIsAskedAboutToo() throws {
        let other = try Other()
        let robot = other.robot
        try robot.select("Read a book")
        try robot.press("e end")
        robot.type("!")
        try robot.press("tab")
        try other.edit("Read a book", "title=Second")
        // As if the look had been before that: the save itself finds it.
        try other.form.meanwhile.seen = robot.library.latestTransaction()
        try robot.press("ctrl+s")
        #expect(robot.shows("title is Second now"))
        #expect(robot.workspace.modal is Form)
    }

    @Test func changesAgainAfterTheQuestionAreAskedAboutAgain() throws {
        let other = try Other()
        let robot = other.robot
        try robot.select("Read a book")
        try robot.press("e end")
        robot.type("!")
        try other.edit("Read a book", "title=Second")
        try robot.press("ctrl+s")
        try other.edit("Second", "title=Third")
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal is Form)
        #expect(robot.shows("title is Third now"))
        try robot.press("ctrl+s")
        #expect(robot.workspace.modal == nil)
    }
}
