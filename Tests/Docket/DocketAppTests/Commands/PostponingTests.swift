import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// The keys that move the dates of items.
@Suite struct PostponingTests {
    @Test func markedItemsMoveEachFromItsOwnDateAndStayMarked() throws {
        let robot = try Robot { library in
            for line in ["One mon", "Two tue 9:00", "Three"] {
                _ = try library.addTask(capturing: line)
            }
            _ = try library.addNote(capturing: "A note")
        }
        try robot.press("V 2 >")
        #expect(robot.message == "Moved 3 tasks 2 days later · u undoes")
        let format = DateFormat(context: robot.library.clock())
        func dates() throws -> [String] {
            try ["One", "Two", "Three"].map { title in
                try robot.task(title).dueDate.map(format.plain) ?? ""
            }
        }
        #expect(try dates() == ["2026-11-25", "2026-11-26T09:00", "2026-11-23"])
        #expect(robot.workspace.items.marks.count == 4)
        try robot.press("2 <")
        #expect(try dates() == ["2026-11-23", "2026-11-24T09:00", "2026-11-21"])
        try robot.press("u u")
        #expect(try dates() == ["2026-11-23", "2026-11-24T09:00", ""])
    }

    @Test func whatCannotMoveSaysWhy() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("<")
        #expect(robot.message == "It has no date; > gives it tomorrow.")
        try robot.press("z s")
        #expect(robot.message == "No date already")
        try robot.select("Soil test results")
        try robot.press(">")
        #expect(robot.message == "This is a note; only tasks have this.")
        try robot.press(".")
        try robot.select("measure the beds")
        try robot.press("}")
        #expect(robot.message == "\"measure the beds\" is done; ␣ reopens.")
    }

    @Test func theKeyForSnoozingShowsWhatFollows() throws {
        let robot = try Robot()
        try robot.press("z")
        for name in ["this evening", "tomorrow", "the weekend", "next week", "someday"] {
            #expect(robot.shows("Snooze until \(name)"))
        }
    }

    @Test func afterTenTheEveningIsOver() throws {
        let robot = try Robot()
        robot.clock.context.now.addTimeInterval(8 * 3600)
        try robot.select("Pay rent")
        try robot.press("z e")
        #expect(robot.message == "The evening is over; z t means tomorrow.")
    }
}
