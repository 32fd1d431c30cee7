import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// A message offers undo for the step that was made, and for nothing else.
@Suite struct StepMessageTests {
    /// What is done, on the item "Pay rent", and what the message says.
    struct Case: CustomTestStringConvertible, Sendable {
        let keys: [String]
        let message: String
        var testDescription: String { keys.joined(separator: " ") }
    }

    /// Keys and, after a colon, text.
    private func act(_ keys: [String], _ robot: Robot) throws {
        for key in keys {
            if key.hasPrefix(":"), key.count > 1 {
                robot.type(String(key.dropFirst()))
            } else {
                try robot.press(key)
            }
        }
    }

    static let nothings = [
        Case(keys: ["p 2"], message: "Priority medium already"),
        Case(keys: ["t", ":bank", "enter"], message: "Tagged like this already"),
        Case(keys: ["t", ":-nowhere #BANK", "enter"], message: "Tagged like this already"),
        Case(keys: ["D", "enter"], message: "Due tomorrow 9:00 already"),
        Case(keys: ["S", "enter"], message: "Start: no date already"),
        Case(keys: ["m", ":Home", "enter"], message: "Already in Home"),
        Case(keys: ["e", "ctrl+s"], message: "Nothing changed in \"Pay rent\""),
        Case(keys: ["z t"], message: "\"Pay rent\" is on that day already"),
        Case(keys: ["K"], message: "It is the first one here."),
        Case(keys: ["E"], message: "Nothing changed in \"Pay rent\""),
        Case(keys: ["L n", ":Home", "enter"], message: "The list \"Home\" exists already"),
    ]

    @Test(arguments: nothings)
    func whatChangesNothingOffersNoUndo(_ example: Case) throws {
        let robot = try Robot()
        try robot.select("Pay rent")
        let before = try robot.library.latestTransaction()
        try act(example.keys, robot)
        #expect(robot.message == example.message)
        #expect(try robot.library.latestTransaction() == before)
    }

    static let somethings = [
        Case(keys: ["p 3"], message: "Set priority of \"Pay rent\" to high"),
        Case(keys: ["t", ":out bank", "enter"], message: "Tagged \"Pay rent\" #out"),
        Case(
            keys: ["D", "ctrl+u", ":fri", "enter"],
            message: "Set due of \"Pay rent\" to Fri 27 Nov"
        ),
        Case(keys: ["D", "ctrl+u", "enter"], message: "Cleared due of \"Pay rent\""),
        Case(keys: ["m", ":Work", "enter"], message: "Moved \"Pay rent\" to Work"),
        Case(keys: [">"], message: "Moved \"Pay rent\" to Mon 23 Nov 9:00"),
        Case(keys: ["3", "{"], message: "Moved \"Pay rent\" to Sun 1 Nov 9:00"),
        Case(keys: ["z e"], message: "Moved \"Pay rent\" to Sat 21 Nov 18:00"),
        Case(keys: ["z n"], message: "Moved \"Pay rent\" to Mon 23 Nov 9:00"),
        Case(keys: ["z w"], message: "Moved \"Pay rent\" to Sat 28 Nov 9:00"),
        Case(keys: ["z s"], message: "Moved \"Pay rent\" to someday"),
        Case(keys: ["f"], message: "Flagged \"Pay rent\""),
        Case(keys: ["space"], message: "Completed \"Pay rent\", next Tue 22 Dec 9:00"),
        Case(keys: ["c"], message: "Duplicated \"Pay rent\""),
        Case(keys: ["d"], message: "Trashed \"Pay rent\""),
        Case(keys: ["J"], message: "Moved \"Pay rent\" after \"Plan the garden\""),
        Case(keys: ["L n", ":Music", "enter"], message: "Added the list \"Music\""),
    ]

    @Test(arguments: somethings)
    func whatIsDoneIsToldAndUndoneByTheNextUndo(_ example: Case) throws {
        let robot = try Robot()
        try robot.select("Pay rent")
        let before = try robot.undoSteps()
        let text = try robot.everything()
        try act(example.keys, robot)
        #expect(robot.message == example.message + " · u undoes")
        #expect(try robot.undoSteps().count == before.count + 1)
        try robot.press("u")
        #expect(try robot.undoSteps() == before)
        #expect(try robot.everything() == text)
    }

    @Test func onlyItemsThatChangedAreCounted() throws {
        let robot = try Robot(sample: .many(3))
        try robot.press("p 2 v v v p 2")
        #expect(robot.message == "Set priority of 2 tasks to medium · u undoes")
        #expect(try robot.undoSteps().first == "Set priority of 2 tasks to medium")
        try robot.press("V p 2")
        #expect(robot.message == "Priority medium already")
        try robot.press("g g space V space")
        #expect(robot.message == "Completed 2 tasks · u undoes")
    }

    @Test func listsTellWhatHappenedToThem() throws {
        let robot = try Robot()
        let work = try #require(try robot.library.existingList(path: ["Work"]))
        robot.workspace.focus = .lists
        robot.workspace.lists.select(.list(work.objectID))
        let before = try robot.library.latestTransaction()
        try robot.press("J")
        #expect(robot.message == "It is the last one here.")
        try robot.press("L r enter")
        #expect(robot.message == "The list has the name \"Work\" already")
        #expect(try robot.library.latestTransaction() == before)
        try robot.press("K")
        #expect(robot.message == "Moved the list \"Work\" up · u undoes")
        try robot.press("L r ctrl+u")
        robot.type("Office")
        try robot.press("enter")
        #expect(robot.message == "Renamed the list \"Work\" to \"Office\" · u undoes")
    }
}

extension Robot {
    /// All items as JSON, without the times of modification.
    func everything() throws -> String {
        var bytes: [UInt8] = []
        _ = try library.export(.json) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
            .replacing(/"modified":"[^"]*"/, with: "")
    }
}
