import DocketCore
import LibraryVerbs
import ObjectGraph
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

    @Test(
        arguments: [
            "space", ">", "z t", "f", "p p", "D", "S", "R", "w", "@", "m", "t", "=", "A", "T", "E",
            "e", "enter", "o e",
        ]
    )
    func whatIsInTheTrashIsNotChangedThere(keys: String) throws {
        let robot = try robot()
        try robot.select("Two")
        let before = try robot.undoSteps()
        try robot.press(keys)
        #expect(robot.message == "\"Two\" is in the trash; restore it to change it.")
        #expect(try robot.workspace.modal == nil && robot.undoSteps() == before)
        try robot.press("g x")
        try robot.select("Two")
        try robot.press("r")
        #expect(try robot.item("Two").trashed == nil)
    }

    @Test func markedItemsOfWhichSomeAreInTheTrashAreNotChanged() throws {
        let robot = try robot()
        try robot.press("V")
        for keys in ["space", ">", "f"] {
            try robot.press(keys)
            #expect(
                robot.message
                    == "3 of the items are in the trash; restore them to change them."
            )
        }
        #expect(try robot.task("One").due == nil && !robot.task("One").isDone)
    }

    @Test func whatIsReadAndCopiedThereStays() throws {
        let robot = try robot()
        try robot.select("Two")
        try robot.press("o")
        #expect(robot.screen[0].contains("in the trash"))
        try robot.press("esc y")
        #expect(robot.message == "Copied \"Two\"")
        try robot.press("c")
        #expect(robot.message.hasPrefix("Duplicated \"Two\""))
    }

    @Test func aDialogSaysThatItsItemWasTrashedMeanwhile() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("D")
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        try other.trash(other.items(matching: \.title == "Read a book"))
        robot.type("fri")
        try robot.press("enter")
        #expect(robot.message == "\"Read a book\" is in the trash; restore it to change it.")
        #expect(try robot.task("Read a book").due == nil)
        // The menu of suggestions, then the line.
        try robot.press("esc esc")
        try robot.library.restore([robot.item("Read a book")])
        robot.settle()
        try robot.select("Read a book")
        try robot.press("D")
        #expect(robot.footer.contains("restore \"fri\""), "the typed text is kept")
    }

    @Test(arguments: ["h", "l l", "g s", "g a"])
    func theTrashIsEmptiedWhereverTheFocusIs(keys: String) throws {
        let robot = try robot()
        try robot.press(keys)
        try robot.press("g X")
        #expect(robot.shows("3 items in the trash will be deleted."), "\(robot.message)")
        try robot.press("y")
        try robot.press("g X")
        #expect(robot.message == "The trash is empty")
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
