import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// Done tasks leave the lists after some days.
@Suite struct ArchiveTests {
    private func robot() throws -> Robot {
        let robot = try Robot { library in
            let now = library.clock().now
            for (title, days) in [("Fresh", 0.0), ("Aged", 7), ("Old", 8)] {
                let task = try library.addTask(capturing: title)
                task.completed = now.addingTimeInterval(-days * 86_400)
            }
            _ = try library.addTask(capturing: "Open")
            try library.context.save(as: "Edited")
        }
        try robot.press(".")
        return robot
    }

    @Test func whatWasDoneLongAgoIsAmongDoneThingsAlone() throws {
        let robot = try robot()
        #expect(Set(robot.titles) == ["Fresh", "Aged", "Open"])
        #expect(robot.message == "Done tasks of 7 days are shown.")
        try robot.press("g d")
        #expect(Set(robot.titles) == ["Fresh", "Aged", "Old"])
        try robot.press("g A /")
        robot.type("is:done old")
        #expect(robot.titles == ["Old"])
    }

    @Test func aTaskLeavesAtMidnight() throws {
        let robot = try robot()
        robot.clock.context.now += 86_400
        robot.application.nextChange = .now
        robot.application.handle([.timedOut])
        robot.settle()
        #expect(Set(robot.titles) == ["Fresh", "Open"])
    }

    @Test func withoutAnArchiveEverythingStays() throws {
        let robot = try robot()
        robot.clock.context.settings.archiveDays = nil
        try robot.press("g i g A")
        #expect(Set(robot.titles) == ["Fresh", "Aged", "Old", "Open"])
    }
}
