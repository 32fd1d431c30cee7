import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import PostgreSQLAtHand
import PostgreSQLStore
import TerminalUI
import Testing

@testable import DocketApp

/// How often a window on a library on a server waits for the answer to a key.
@Suite(.enabled(if: PostgreSQLAtHand.isThere), .serialized)
struct WireTests {
    /// A window on many tasks, of which the seventh has three subtasks, and somebody else.
    private final class Window {
        let server: PostgreSQLAtHand
        let schema = "wire-\(UUID().uuidString.prefix(13).lowercased())"
        let robot: Robot
        let other: Library
        private let store: PostgreSQLStore

        init() throws {
            server = try #require(PostgreSQLAtHand.shared)
            try PostgreSQLStores.register()
            let url = server.url(schema)
            other = try Library(url: url, author: "test") { TestClock().context }
            var parent: DocketCore.Task?
            for number in 1...2_003 {
                let task = DocketCore.Task(context: other.context)
                (task.title, task.shortID) = ("Task \(number)", Int64(number))
                task.displayOrder = Int64(number) * Ranks.spacing
                if number == 7 { parent = task }
                if number > 2_000 { task.parent = parent }
            }
            try other.context.save()
            robot = try Robot(itemsAtOnce: 100, server: url)
            let coordinator = robot.library.context.coordinator
            store = try #require(coordinator.openStores.first as? PostgreSQLStore)
            // A busy machine may keep the watch from looking for longer.
            store.watched.patience = .seconds(60)
            robot.application.remind(noting: robot.folder.path)
            robot.application.scheduleClock()
            rest()
        }

        deinit {
            other.close()
            server.drop(schema)
        }

        /// Lets a condition come true that follows from what the watch of the store sees.
        private func wait(until isSo: () -> Bool) {
            let end = ContinuousClock.now + .seconds(20)
            while !isSo(), ContinuousClock.now < end { sched_yield() }
        }

        /// Does the work that is left, also what the last frame has asked for.
        private func rest() {
            robot.settle()
            while robot.application.hasWork || robot.workspace.readAhead != nil {
                robot.application.handle([.timedOut])
            }
            wait { store.isCurrent }
        }

        /// The round trips until the frame after an event is there, and those behind it.
        private func trips(_ event: TerminalEvent) -> [Int] {
            let start = store.roundTrips
            robot.application.handle([event])
            robot.application.drawFrame()
            let shown = store.roundTrips
            rest()
            return [shown - start, store.roundTrips - shown]
        }

        /// Those of a key.
        func press(_ spelling: String) throws -> [Int] {
            let key = try #require(try Key.sequence(spelling).first)
            return trips(.input(.key(key)))
        }

        /// Those of showing what somebody else has done.
        func show(_ work: (Library) throws -> Void) throws -> [Int] {
            try work(other)
            wait { !store.isCurrent }
            return trips(.woken)
        }

        func select(_ title: String) throws {
            let found = try robot.library.items(matching: \.title == title, limit: 1)
            robot.workspace.items.select(found[0].objectID)
            rest()
        }
    }

    @Test func aKeyThatChangesSomethingTakesTwoRoundTrips() throws {
        let window = try Window()
        for key in ["J", "Space", "u", "j", "j", "Space", "u", "J", "J", "K", "f", "u"] {
            let trips = try window.press(key)
            #expect(trips[0] == (key == "j" ? 0 : 2) && trips[1] <= 1, "\(key): \(trips)")
        }
        let titles = ["Task 2", "Task 1", "Task 3", "Task 5", "Task 4"]
        #expect(Array(window.robot.titles.prefix(5)) == titles, "\(window.robot.text)")
    }

    @Test func aKeyThatShowsOtherRowsTakesNoRoundTrip() throws {
        let window = try Window()
        for key in ["PageDown", "PageDown", "G", "g g", "G", "PageUp"] {
            let trips = try window.press(key)
            #expect(trips[0] == 0 && trips[1] <= 2, "\(key): \(trips)")
        }
    }

    @Test func aTaskIsAddedInTwoRoundTrips() throws {
        let window = try Window()
        #expect(try window.press("Space")[0] == 2)
        for (text, most) in [
            ("Pay rent", 2), ("Feed the cat tomorrow 9am #home +Garden !high", 3),
            ("Feed the dog #home +Garden", 2),
        ] {
            #expect(try window.press("a")[0] == 0)
            for letter in text {
                #expect(try window.press(letter == " " ? "Space" : String(letter))[0] == 0)
            }
            let trips = try window.press("Enter")
            #expect(trips[0] <= most && trips[1] <= 2, "\(text): \(trips)")
        }
        #expect(window.robot.shows("Feed the dog"))
    }

    @Test func aTaskIsCompletedWithItsSubtasksInTwoRoundTrips() throws {
        let window = try Window()
        try window.select("Task 7")
        #expect(try window.press("Space")[0] == 0)
        #expect(window.robot.shows("3 open subtasks"))
        #expect(try window.press("s")[0] == 2)
        #expect(try window.robot.task("Task 2003").isDone)
        #expect(try window.press("u")[0] == 2)
        #expect(try window.robot.task("Task 2003").isOpen && window.robot.shows("0/3"))
    }

    @Test func whatSomebodyElseHasSavedIsShownInThreeRoundTrips() throws {
        let window = try Window()
        func find(_ title: String, _ library: Library) throws -> [Item] {
            try library.items(matching: \.title == title, limit: 1)
        }
        let steps: [(String, (Library) throws -> Void)] = [
            ("title", { _ = try $0.perform(.title("Now"), on: find("Task 4", $0)) }),
            ("done", { _ = try $0.complete(find("Task 9", $0)) }),
            ("done far away", { _ = try $0.complete(find("Task 1500", $0)) }),
            ("new", { _ = try $0.addTask(capturing: "Theirs") }),
            (
                "due",
                { library in
                    let soon = DueDate(moment: Robot.now.addingTimeInterval(3600))
                    _ = try library.perform(.due(soon), on: find("Task 10", library))
                }
            ),
            ("tag", { _ = try $0.changeTags(of: find("Task 11", $0), adding: ["theirs"]) }),
            (
                "trash",
                { library in
                    let task = try #require(try find("Task 7", library).first as? DocketCore.Task)
                    _ = try library.trash([task] + task.subtasks)
                }
            ),
        ]
        for (name, step) in steps {
            let trips = try window.show(step)
            #expect(trips[0] <= 3 && trips[1] <= 1, "\(name): \(trips)")
        }
        #expect(window.robot.shows("Now") && window.robot.shows("#theirs"))
        #expect(!window.robot.shows("Task 7") && !window.robot.shows("Task 9 "))
        // What they have not changed is known as before.
        #expect(try window.press("Space")[0] == 2)
    }

    @Test func aStepOfAnotherSessionIsUndoneInTwoRoundTrips() throws {
        let window = try Window()
        window.other.context.transactionAuthor = window.robot.library.context.transactionAuthor
        _ = try window.show { library in
            let found = try library.items(matching: \.title == "Task 7", limit: 1)
            let task = try #require(found.first as? DocketCore.Task)
            _ = try library.trash([task] + task.subtasks)
        }
        #expect(!window.robot.shows("Task 7"))
        #expect(try window.press("u")[0] == 2)
        #expect(window.robot.shows("Task 7") && window.robot.shows("0/3"))
    }
}
