import DocketCore
import DocketFormats
import Foundation
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// Commands that are too large for one transaction: parts, a progress bar, one step of undo.
@Suite struct LongCommandTests {
    /// A store on which more than three items are many, and more than five very many.
    private func robot(_ count: Int = 23) throws -> Robot {
        let robot = try Robot(rows: 40, sample: .many(count))
        robot.workspace.followed = 3
        robot.library.largestChange = 5
        robot.library.partSize = 4
        return robot
    }

    private func transactions(_ robot: Robot) throws -> Int64 {
        try robot.library.latestTransaction()
    }

    /// Does one part of what is under way and draws.
    private func step(_ robot: Robot) {
        robot.application.handle([.timedOut])
        robot.application.drawFrame()
    }

    /// Presses keys without letting the work between events end.
    private func press(_ keys: String, _ robot: Robot) throws {
        for key in try Key.sequence(keys) { robot.send(.key(key)) }
    }

    @Test func partsAreOneStepOfUndoAndRedo() throws {
        let robot = try robot()
        let before = try robot.everything()
        let (first, steps) = (try transactions(robot), try robot.undoSteps())
        try robot.press("V space")
        #expect(robot.message == "Completed 23 tasks · u undoes")
        #expect(robot.titles.isEmpty)
        #expect(try transactions(robot) == first + 6)
        #expect(try robot.undoSteps() == ["Completed 23 tasks"] + steps)
        #expect(robot.library.unfinishedCommand == nil)
        #expect(robot.count(.smart(.all)) == 0)
        try robot.press("u")
        #expect(robot.message == "Undid: completed 23 tasks")
        #expect(try robot.undoSteps() == steps)
        #expect(try robot.everything() == before)
        #expect(robot.titles.count == 23)
        #expect(robot.count(.smart(.all)) == 23)
        try robot.press("ctrl+r")
        #expect(robot.message == "Redid: completed 23 tasks")
        #expect(robot.titles.isEmpty)
        try robot.press("u")
        #expect(try robot.everything() == before)
    }

    @Test func progressShowsAndMovingGoesOn() throws {
        let robot = try robot()
        try press("V space", robot)
        #expect(robot.workspace.modal is ProgressBar)
        step(robot)
        step(robot)
        #expect(robot.shows("Completing 23 tasks"))
        #expect(robot.shows("34 %"))
        #expect(robot.footer.contains("stop and undo it"))
        try press("j j", robot)
        #expect(robot.selected == "Task number 3")
        try press("a", robot)
        #expect(robot.workspace.modal is ProgressBar)
        #expect(robot.message == "Completing 23 tasks is running; Esc stops and undoes it.")
        robot.settle()
        #expect(robot.message == "Completed 23 tasks · u undoes")
    }

    @Test(arguments: 0...6) func escapeTakesBackWhatWasDone(parts: Int) throws {
        let robot = try robot()
        let before = try robot.everything()
        let steps = try robot.undoSteps()
        try press("V space", robot)
        for _ in 0..<parts { step(robot) }
        try press("esc", robot)
        robot.settle()
        #expect(robot.workspace.longRun == nil)
        if parts < 6 {
            #expect(robot.message == "Completing 23 tasks was undone; nothing has changed.")
        } else {
            try robot.press("u")
        }
        #expect(try robot.everything() == before)
        #expect(try robot.undoSteps() == steps)
        #expect(robot.library.unfinishedCommand == nil)
        // What was taken back is not offered to redo.
        #expect(try robot.library.redoSteps(limit: 5).isEmpty == (parts < 6))
    }

    @Test(arguments: ["u", "ctrl+r"], 1...5)
    func escapeTakesAnUndoOrRedoBack(key: String, parts: Int) throws {
        let robot = try robot()
        let empty = try robot.everything()
        try robot.press("V p 3")
        let full = try robot.everything()
        if key == "ctrl+r" { try robot.press("u") }
        let before = try robot.everything()
        let (undo, redo) = (try robot.undoSteps(), try robot.library.redoSteps(limit: 9).count)
        try press(key, robot)
        for _ in 0..<parts { step(robot) }
        try press("esc", robot)
        robot.settle()
        #expect(try robot.everything() == before)
        #expect(try robot.undoSteps() == undo)
        #expect(try robot.library.redoSteps(limit: 9).count == redo)
        // The whole command can be undone and done again as if nothing had been.
        if key == "u" {
            try robot.press("u")
            #expect(try robot.everything() == empty)
        }
        try robot.press("ctrl+r")
        #expect(try robot.everything() == full)
    }

    @Test func everyChangeComesOutAsInOneTransaction() throws {
        for keys in ["space", "d", "p 3", "f", "D ctrl+u f r i enter", "S f r i enter"]
            + ["t h o t enter", "m W o r k enter", "m N e w enter"]
        {
            let small = try robot()
            small.workspace.followed = 1000
            small.library.largestChange = 1000
            let whole = try robot()
            whole.library.largestChange = 1000
            let before = try state(small)
            try small.press("V " + keys)
            let (message, titles) = (small.message, small.titles)
            for large in [whole, try robot()] {
                try large.press("V " + keys)
                #expect(message == large.message, "\(keys)")
                #expect(try small.undoSteps() == large.undoSteps(), "\(keys)")
                #expect(titles == large.titles, "\(keys)")
                let (one, two) = (try state(small), try state(large))
                #expect(one == two, "\(keys)")
                let words = ["h o t": "#hot", "W o r k": "Work", "N e w": "New"]
                for (typed, word) in words where keys.contains(typed) {
                    for robot in [small, large] {
                        try robot.press("/")
                        robot.type(word)
                    }
                    #expect(small.titles.count == large.titles.count, "\(keys): \(word)")
                    for robot in [small, large] { try robot.press("esc") }
                }
                try large.press("u")
                #expect(large.titles.count == 23, "\(keys)")
                #expect(try state(large) == before, "\(keys)")
                try large.press("/ n u m b e r enter")
                #expect(large.titles.count == 23, "\(keys)")
            }
        }
    }

    /// What a person sees of all items.
    private func state(_ robot: Robot) throws -> [String] {
        try robot.library.items(matching: nil).map { item in
            let record = robot.library.record(of: item)
            return "\(record.title) \(record.list) \(record.tags) \(String(describing: record.due))"
                + " \(String(describing: record.start)) \(record.priority) \(record.flagged)"
                + " \(record.trashed) \(String(describing: record.completed))"
        }
    }

    @Test(arguments: 1...5) func whatACrashCutOffIsFinishedOrTakenBack(parts: Int) throws {
        for key in ["f", "t"] {
            let robot = try robot()
            let before = try robot.everything()
            try press("V space", robot)
            for _ in 0..<parts { step(robot) }
            let again = try Robot(reopening: robot)
            again.library.partSize = 4
            #expect(again.shows("Completing 23 tasks was interrupted."))
            try again.press(key)
            again.settle()
            #expect(again.library.unfinishedCommand == nil)
            #expect(again.workspace.modal == nil)
            if key == "f" {
                #expect(again.titles.isEmpty)
                #expect(try again.undoSteps().first == "Completed 23 tasks")
                try again.press("u")
            }
            #expect(try again.everything() == before, "\(key) after \(parts)")
        }
    }

    @Test(arguments: 1...4) func anUndoThatACrashCutOffIsFinishedOrTakenBack(parts: Int) throws {
        for key in ["f", "t"] {
            let robot = try robot()
            let before = try robot.everything()
            try robot.press("V p 3")
            let after = try robot.everything()
            try press("u", robot)
            for _ in 0..<parts { step(robot) }
            let again = try Robot(reopening: robot)
            try again.press(key)
            again.settle()
            #expect(again.library.unfinishedCommand == nil)
            #expect(try again.everything() == (key == "f" ? before : after), "\(key) \(parts)")
            try again.press(key == "f" ? "ctrl+r" : "u")
            #expect(try again.everything() == (key == "f" ? after : before), "\(key) \(parts)")
        }
    }

    @Test func whatOthersChangedMeanwhileStays() throws {
        let robot = try robot()
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        try press("V p 3", robot)
        for _ in 0..<3 { step(robot) }
        try other.edit(other.item(.number(1)), [FieldChange("priority=1")])
        try press("esc", robot)
        robot.settle()
        #expect(try robot.task("Task number 1").priority == 1)
        #expect(try robot.task("Task number 2").priority == 0)
    }

    @Test func anUndoElsewhereStopsTheCommand() throws {
        let robot = try robot()
        let before = try robot.everything()
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        try press("V p 3", robot)
        for _ in 0..<3 { step(robot) }
        _ = try other.undo()
        robot.settle()
        #expect(robot.workspace.longRun == nil)
        #expect(robot.message.contains("was undone by another program"))
        #expect(try robot.everything() == before)
        #expect(robot.library.unfinishedCommand == nil)
    }

    @Test func anUndoThatMeetsAnothersChangeIsTakenBackAsAWhole() throws {
        let robot = try robot()
        try robot.press("V p 3")
        let steps = try robot.undoSteps()
        let other = try Robot.open(robot.folder)
        // Housekeeping is not a step: the long command stays the next one.
        (try other.item(.number(2)) as? DocketCore.Task)?.priority = 1
        var info = TransactionInfo()
        info.kind = .silent
        try other.context.save(info)
        other.close()
        try robot.press("u")
        #expect(
            robot.message == "\"Task number 2\" was changed since (priority); nothing was changed."
        )
        #expect(try robot.undoSteps() == steps)
        #expect(try robot.task("Task number 23").priority == 3)
        #expect(try robot.task("Task number 2").priority == 1)
        #expect(try robot.library.redoSteps(limit: 5).isEmpty)
    }
}
