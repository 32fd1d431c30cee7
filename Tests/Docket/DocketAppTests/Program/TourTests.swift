import DocketCore
import Testing

@testable import DocketApp

/// The lesson of `docket tour`: an instruction is followed by the next one.
@Suite struct TourTests {
    private func robot(columns: Int = 110) throws -> Robot {
        let robot = try Robot(columns: columns, fill: { try $0.welcome() })
        try robot.application.beginTour()
        robot.settle()
        return robot
    }

    @Test func eachInstructionIsShownUntilItWasFollowed() throws {
        let robot = try robot()
        #expect(robot.shows("1/14  j and k"))
        try robot.press("G g g")
        #expect(robot.shows("1/14"), "another command does not follow it")
        try robot.press("j")
        #expect(robot.shows("2/14  ␣ marks"))
        try robot.press("space")
        #expect(robot.shows("3/14  u takes it back"))
        try robot.press("u")
        #expect(robot.shows("4/14  a adds a task"))
        try robot.press("a")
        #expect(robot.shows("4/14"), "the line is open")
        try robot.press("esc")
        #expect(robot.shows("4/14"), "nothing was added")
        try robot.press("a")
        robot.type("Pay rent tomorrow 9am #bank\n")
        #expect(robot.shows("5/14  > moves"))
        try robot.press(">")
        try robot.press("K")
        #expect(robot.shows("7/14  e opens"))
        try robot.press("e")
        #expect(robot.shows("7/14"))
        try robot.press("esc")
        #expect(robot.shows("8/14  / searches"))
        try robot.press("/")
        robot.type("rent pay\n")
        #expect(robot.shows("9/14  ga shows"))
        try robot.press("esc")
        try robot.press("g a")
        try robot.press("g A")
        try robot.press("U")
        try robot.press("esc")
        try robot.press(":")
        try robot.press("esc")
        #expect(robot.shows("13/14  ? lists"))
        try robot.press("?")
        try robot.press("esc")
        #expect(robot.shows("14/14") && robot.shows("q ends the tour"))
        try robot.press("f2")
        #expect(robot.shows("14/14"))
    }

    @Test func stepThatIsLeftOutIsFollowedByTheNext() throws {
        let robot = try robot()
        try robot.press("f2")
        #expect(robot.shows("2/14"))
        let other = try Robot()
        try other.press("f2")
        #expect(other.message == "docket tour in the shell begins a tour.")
    }

    @Test(arguments: [1, 10, 30, 60, 200]) func instructionFitsAnyWidth(columns: Int) throws {
        let robot = try robot(columns: columns)
        for rows in [1, 5, 12, 24] { robot.resize(rows: rows, columns: columns) }
        if columns >= 30 { #expect(robot.shows("1/14")) }
    }

    @Test func sampleIsRemovedByItsKeyAndComesBack() throws {
        let robot = try Robot(fill: { try $0.welcome() })
        try robot.press("g W")
        #expect(robot.message == "Deleted 7 items · u undoes")
        #expect(robot.titles.isEmpty)
        try robot.press("g W")
        #expect(robot.message == "The sample is gone already.")
        try robot.press("u")
        #expect(robot.titles.count > 0)
    }
}
