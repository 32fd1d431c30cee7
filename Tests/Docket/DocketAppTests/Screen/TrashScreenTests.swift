import DocketCore
import LibraryVerbs
import Testing

@testable import DocketApp

/// The trash on the screen: one item, marked ones, all.
@Suite struct TrashScreenTests {
    private func robot() throws -> Robot {
        let robot = try Robot { library in
            let items = try ["One", "Two", "Three", "Kept"].map {
                try library.addTask(capturing: "\\\($0)")
            }
            _ = try library.trash(Array(items.prefix(3)))
        }
        try robot.press("g x")
        return robot
    }

    @Test func oneItemIsDeletedAndComesBack() throws {
        let robot = try robot()
        try robot.select("Two")
        try robot.press("X")
        #expect(robot.shows("Deleted \"Two\" from the trash") && robot.row(" Two") == nil)
        try robot.press("u")
        #expect(robot.row(" Two") != nil)
    }

    @Test func emptyingAsksOnceWithTheCountAndIsOneStep() throws {
        let robot = try robot()
        try robot.press("g X")
        #expect(robot.shows("3 items in the trash will be deleted."))
        try robot.press("esc")
        #expect(robot.row(" Three") != nil)
        try robot.press("g X y")
        #expect(robot.shows("Deleted 3 tasks from the trash") && robot.shows("The trash is empty."))
        try robot.press("u")
        #expect(robot.row(" Three") != nil && robot.row(" One") != nil)
    }

    @Test func whatIsNotInTheTrashIsNotDeleted() throws {
        let robot = try robot()
        try robot.press("g A")
        try robot.select("Kept")
        try robot.press("X")
        #expect(robot.shows("Only what is in the trash is deleted"))
        #expect(try robot.item("Kept").title == "Kept")
    }
}
