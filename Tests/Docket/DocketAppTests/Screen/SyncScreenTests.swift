import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import Synchronization
import TerminalUI
import Testing

@testable import DocketApp

/// Exchanges with servers beside a window, and how the last ones have ended.
@Suite struct SyncScreenTests {
    private static let config = """
        [sync.home]
        url = "https://cal.example.org/"
        [sync.work]
        url = "https://work.example.org/"

        """

    /// What a started exchange calls at its end.
    private final class Started: Sendable {
        let ends = Mutex<[@Sendable (SyncEnd) -> Void]>([])
        var count: Int { ends.withLock(\.count) }
        func end(isDone: Bool = true, _ output: String = "") {
            let last = ends.withLock(\.last)
            last?(SyncEnd(isDone: isDone, output: output))
        }
    }

    private let started = Started()

    private func robot(config: String = SyncScreenTests.config) throws -> Robot {
        let robot = try Robot(config: config, settles: false, sample: .many(3))
        robot.application.follow(robot.library)
        let started = started
        robot.application.synchronize(noting: robot.folder.path) { end in
            started.ends.withLock { $0.append(end) }
        }
        return robot
    }

    private func note(
        _ end: SyncNote.End,
        _ server: String = "home",
        in robot: Robot,
        at date: Date = Date(),
        problem: String = "",
        _ change: (inout SyncNote) -> Void = { _ in }
    ) {
        var note = SyncNote(end, date, problem: problem)
        change(&note)
        let path = SyncNote.path(
            ofServer: server,
            store: robot.library.path,
            in: robot.folder.path
        )
        note.write(to: path)
    }

    private func wake(_ robot: Robot) {
        robot.application.handle([.woken])
        robot.settle()
    }

    @Test func theStateIsInTheTitleLine() throws {
        let robot = try robot()
        note(.done, in: robot, at: Robot.now - 3600)
        robot.settle()
        #expect(robot.screen[0].contains("not synchronized yet"), "\(robot.screen[0])")
        note(.done, "work", in: robot, at: Robot.now - 7200)
        wake(robot)
        #expect(robot.screen[0].contains("synchronized 12:05"), "\(robot.screen[0])")
        note(.offline, "work", in: robot, at: Robot.now)
        wake(robot)
        #expect(robot.screen[0].contains("offline · synchronized 12:05"), "\(robot.screen[0])")
        #expect(robot.message == "")
    }

    @Test func aFailureOfATimerIsToldOnce() throws {
        let robot = try robot()
        robot.settle()
        note(.failed, in: robot, problem: "The server does not accept the password.")
        wake(robot)
        #expect(robot.message == "home: The server does not accept the password.")
        #expect(robot.screen[0].contains("home not synchronized"), "\(robot.screen[0])")
        try robot.press("j")
        wake(robot)
        #expect(robot.message == "")
        note(.done, in: robot)
        wake(robot)
        #expect(!robot.screen[0].contains("home not synchronized"))
    }

    @Test func anExchangeIsStartedOnceAndItsEndIsTold() throws {
        let robot = try robot()
        robot.settle()
        try robot.press("ctrl+s")
        #expect(robot.message == "Synchronizing with home and work")
        #expect(robot.screen[0].contains("synchronizing"), "\(robot.screen[0])")
        try robot.press("ctrl+s")
        #expect(started.count == 1 && robot.message == "Synchronizing is under way")
        #expect(robot.application.isSynchronizing)
        note(.done, in: robot) { ($0.sent, $0.inserted) = (3, 2) }
        note(.offline, "work", in: robot)
        started.end(isDone: false)
        wake(robot)
        #expect(
            robot.message
                == "home: 3 sent, 2 new · work is not reached; what is new goes out next time"
        )
        #expect(!robot.application.isSynchronizing)
        try robot.press("ctrl+s")
        #expect(started.count == 2)
    }

    @Test func whatHasFailedIsShownUntilAKey() throws {
        let robot = try robot()
        robot.settle()
        try robot.press("ctrl+s")
        note(.done, in: robot)
        note(.failed, "work", in: robot, problem: "The keyring has no password for work.")
        wake(robot)
        #expect(robot.message != "home: nothing has changed", "it is not over")
        started.end(isDone: false)
        wake(robot)
        #expect(
            robot.message
                == "home: nothing has changed · work: The keyring has no password for work."
        )
        #expect(robot.workspace.messages.deadline == nil)
    }

    @Test func aProgramThatNotesNothingIsNotSilent() throws {
        let robot = try robot()
        robot.settle()
        try robot.press("ctrl+s")
        started.end(isDone: false, "docket: [sync.home] has no url.\n")
        wake(robot)
        #expect(robot.message == "[sync.home] has no url.")
        try robot.press("ctrl+s")
        started.end(isDone: false)
        wake(robot)
        #expect(robot.message == "docket sync has ended without a result.")
    }

    @Test func withoutAServerASentenceSaysWhatToDo() throws {
        let robot = try robot(config: "theme = \"dusk\"\n")
        robot.settle()
        try robot.press("ctrl+s")
        #expect(robot.message == "No server is set; \"docket help sync\" in a shell says how.")
        #expect(started.count == 0 && !robot.screen[0].contains("synchronized"))
    }

    @Test func theTourIsNotSynchronized() throws {
        let robot = try Robot(config: Self.config)
        try robot.press("ctrl+s")
        #expect(robot.message == "The items of the tour are not synchronized.")
        #expect(!robot.screen[0].contains("synchronized"), "\(robot.screen[0])")
    }
}
