import DocketCore
import DocketFormats
import LibraryVerbs
import ObjectGraph
import ScreenReading
import TerminalUI
import Testing

@testable import DocketApp

/// What somebody else does to the store while the interface is open.
@Suite struct OthersTests {
    @Test func changesFromAnotherConnectionShowWhenWoken() throws {
        let robot = try Robot()
        robot.application.follow(robot.library)
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        _ = try other.addTask(capturing: "From the shell +Home")
        let call = try #require(
            try other.items(matching: \.title == "Call the Ämter").first
        )
        try other.complete([call])
        robot.application.handle([.woken])
        robot.settle()
        #expect(robot.titles.contains("From the shell"))
        #expect(!robot.titles.contains("Call the Ämter"))
        #expect(robot.message.hasPrefix("Changed elsewhere: Completed \"Call the Ämter\""))
        try robot.press("u")
        #expect(robot.titles.contains("Call the Ämter"))
    }

    @Test func theNextOccurrenceFromAnotherConnectionHasItsSubtasks() throws {
        let robot = try Robot { library in
            let task = try library.addTask(capturing: "Water plants 2030-01-01 every week")
            for title in ["Fill the can", "Look for lice"] {
                var defaults = ItemDefaults()
                defaults.parent = task
                _ = try library.addTask(library.capture(title), defaults)
            }
            try library.complete([library.item(.number(2))])
        }
        robot.application.follow(robot.library)
        #expect(robot.shows("1/2"))
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        try other.complete([other.item(.number(1))])
        robot.application.handle([.woken])
        robot.settle()
        #expect(robot.shows("0/2"), "\(robot.text)")
    }

    @Test func whatOthersDoIsToldWhenTheOwnMessageHasBeenRead() throws {
        let robot = try Robot()
        robot.application.follow(robot.library)
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        try robot.select("Pay rent")
        try robot.press("Space")
        let own = robot.message
        #expect(own.hasPrefix("Completed \"Pay rent\""))
        for title in ["One", "Two"] {
            _ = try other.addTask(capturing: title)
            robot.application.handle([.woken])
            robot.settle()
            #expect(robot.message == own)
        }
        #expect(robot.workspace.messages.deadline != nil)
        // A key without a message of its own; one with a message would be read first.
        try robot.press("j")
        #expect(robot.message == "Changed elsewhere: Added \"Two\" and 1 more")
        _ = try other.addTask(capturing: "Three")
        robot.application.handle([.woken])
        #expect(robot.message == "Changed elsewhere: Added \"Three\"")
    }

    @Test func wakingWithoutChangesSaysNothing() throws {
        let robot = try Robot()
        robot.application.follow(robot.library)
        try robot.select("Pay rent")
        try robot.press("p p")
        let message = robot.message
        robot.application.handle([.woken])
        #expect(robot.message == message)
    }

    @Test func historyGoesBackToAChosenStep() throws {
        let robot = try Robot(sample: .many(3))
        try robot.press("space d U")
        #expect(robot.shows("Trashed \"Task number 2\""))
        #expect(robot.shows("Completed \"Task number 1\""))
        try robot.press("down down enter")
        #expect(robot.titles.count == 3)
        #expect(robot.message.hasPrefix("Undid"))
        #expect(robot.message.hasSuffix(" and 1 more"))
        #expect(robot.screen.count { $0.contains("redo") } == 2)
        try robot.press("home enter")
        #expect(robot.titles.count == 1)
        try robot.press("esc")
        #expect(robot.workspace.focus == .items)
    }

    @Test func historySaysWhatGoingThereWouldChange() throws {
        let robot = try Robot(sample: .many(3))
        try robot.press("space d U p")
        #expect(robot.shows("Nothing would change."))
        try robot.press("down")
        #expect(robot.shows("Undoing 1 step:"))
        #expect(robot.shows("out of the trash"))
        try robot.press("down")
        #expect(robot.shows("Undoing 2 steps:"))
        #expect(robot.shows("open again"))
        try robot.press("enter home")
        #expect(robot.shows("Redoing 2 steps:"))
        #expect(robot.shows("into the trash"))
        try robot.press("esc")
        robot.terminal.frame.checkInvariants()
    }

    @Test func historyIsFilteredByWordsAndFollowsTheUndo() throws {
        let robot = try Robot(sample: .many(3))
        try robot.press("space d U /")
        robot.type("trash")
        #expect(robot.shows("1 of 5 steps"))
        #expect(!robot.shows("Completed \""))
        try robot.press("enter esc")
        #expect(robot.shows("Completed \"Task number 1\""))
        // Undo works in the view, and the line of now moves.
        let before = try #require(robot.row(" now "))
        try robot.press("u")
        #expect(try #require(robot.row(" now ")) == before + 1)
        #expect(robot.screen.contains { $0.contains("Trashed") && $0.contains("redo") })
        try robot.press("d")
        #expect(robot.message.contains("does not work here; Esc leaves History."))
    }

    @Test func nothingToUndoSaysSo() throws {
        let robot = try Robot(sample: .empty)
        try robot.press("u")
        #expect(robot.message == "There is nothing to undo.")
        try robot.press("ctrl+r")
        #expect(robot.message == "There is nothing to redo.")
    }

    @Test func terminationLeavesWithTheSignalsStatus() throws {
        let robot = try Robot()
        robot.application.handle([.terminationAsked(signal: 15)])
        #expect(robot.application.status == 143)
    }
}
