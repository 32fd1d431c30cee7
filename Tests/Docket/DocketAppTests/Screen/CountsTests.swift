import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Synchronization
import TerminalUI
import Testing

@testable import DocketApp

/// The counts that follow from what is saved are those that counting everything gives.
@Suite struct CountsTests {
    private func counted(_ robot: Robot) throws -> [Scope: Int] {
        try CountTally(in: robot.library.context, robot.library.clock()).counts
    }

    /// The counts that the lists would show if each asked the store for its own items.
    private func asked(_ robot: Robot) throws -> [Scope: Int] {
        let library = robot.library
        var counts: [Scope: Int] = [:]
        for list in MembershipRules.lists {
            counts[.smart(list)] = try library.count(list.countedCondition(library.clock()))
        }
        for list in try library.lists() {
            counts[.list(list.objectID)] = try library.count(\.list == list && Library.openItems)
        }
        for tag in try library.tags() {
            let tagged = Condition<Item> { $0.tags.contains(tag) }
            counts[.tag(tag.objectID)] = try library.count(tagged && Library.openItems)
        }
        return counts.filter { $0.value != 0 }
    }

    /// A timer that is over would keep the loop running until the other reading ends.
    @Test func countsThatWaitForAnotherReadingSetNoTimer() throws {
        let robot = try Robot(settles: false)
        let gate = Completion()
        let reading = robot.workspace.background.start("test") { _ in gate.wait() }
        #expect(robot.workspace.counts.deadline == nil)
        #expect(!robot.workspace.counts.hasWork)
        reading.cancel()
        #expect(robot.workspace.counts.hasWork, "nobody is told of the end of what is cancelled")
        gate.signal()
        reading.wait()
        robot.settle()
        #expect(robot.count(.smart(.all)) > 0)
    }

    @Test(arguments: SeededRandom.seeds(3))
    func countsOfKeysEqualCountedOnes(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let robot = try Robot()
        let keys = [
            "space", "space", "d", "u", "u", "ctrl+r", "p p", "p 3", "f", "J", "K", "v", "j", "k",
            "j",
            "g a", "g i", "g d", "g x", "r", ".", ">", "<", "V",
        ]
        for step in 0..<40 {
            let key = keys.randomElement(using: &random) ?? "j"
            if step % 9 == 4 {
                let date =
                    ["yesterday", "today 23:00", "fri", "in 3 weeks", ""]
                    .randomElement(using: &random) ?? ""
                try robot.press("D ctrl+u")
                robot.type(date)
                try robot.press("enter")
                try robot.press("esc")
            }
            if step % 9 == 7 {
                try robot.press("a")
                robot.type("new #tag\(random.below(9)) #home +List\(random.below(5))")
                try robot.press("enter")
            }
            try robot.press(key)
            let kept = robot.workspace.counts.counts
            #expect(kept == (try counted(robot)), "seed \(seed), step \(step), key \(key)")
            #expect(kept == (try asked(robot)), "seed \(seed), step \(step), key \(key)")
            if kept != (try counted(robot)) { return }
        }
    }

    @Test(arguments: SeededRandom.seeds(4))
    func countsFollowWhatOthersSave(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let robot = try Robot()
        robot.application.follow(robot.library)
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        for step in 0..<25 {
            for _ in 0...random.below(4) {
                try Library.unlessTrashed { try edit(other, &random) }
            }
            if random.below(3) == 0 { try robot.press("space") }
            robot.application.handle([.woken])
            robot.settle()
            let kept = robot.workspace.counts.counts
            #expect(kept == (try counted(robot)), "seed \(seed), step \(step)")
            if kept != (try counted(robot)) { return }
        }
    }

    private func edit(_ library: Library, _ random: inout SeededRandom) throws {
        let items = try library.items(matching: nil)
        guard let item = items.randomElement(using: &random) else {
            _ = try library.addTask(capturing: "again")
            return
        }
        switch random.below(12) {
        case 0, 1:
            _ = try library.addTask(
                capturing: "new #t\(random.below(4)) +L\(random.below(3)) !\(random.below(4)) today"
            )
        case 2: try library.complete([item])
        case 3: try library.reopen([item])
        case 4: try library.trash([item])
        case 5: try library.restore([item])
        case 6: try library.perform(.priority(random.below(4)), on: [item])
        case 7:
            try library.changeTags(
                of: [item],
                adding: ["t\(random.below(4))"],
                removing: ["t\(random.below(4))"]
            )
        case 8: try library.move([item], to: try library.lists().randomElement(using: &random))
        case 9: try library.setFlagged(!item.flagged, of: [item])
        case 10: _ = try library.undo(onConflict: .skip)
        default:
            if let list = try library.lists().last, random.below(4) == 0 {
                try library.delete(list)
            } else {
                _ = try library.redo(onConflict: .skip)
            }
        }
    }

    @Test func anothersChangeCostsTheSameWithManyTags() throws {
        func statements(tags: Int) throws -> Int {
            let robot = try Robot(fill: { library in
                for number in 0..<tags {
                    _ = try library.addTask(capturing: "Task \(number) #tag\(number) +Home")
                }
            })
            robot.application.follow(robot.library)
            let other = try Robot.open(robot.folder)
            defer { other.close() }
            let item = try #require(try other.items(matching: nil).first)
            try other.complete([item])
            let coordinator = robot.library.context.coordinator
            coordinator.startCounting()
            robot.application.handle([.woken])
            robot.settle()
            #expect(robot.count(.smart(.all)) == tags - 1)
            return coordinator.counters.statements
        }
        let (few, many) = (try statements(tags: 5), try statements(tags: 100))
        #expect(many <= few + 5, "\(few) statements with 5 tags, \(many) with 100")
    }

    @Test func aTaskThatBecomesDueIsCountedAsOverdue() throws {
        let robot = try Robot()
        _ = try robot.library.addTask(capturing: "Soon today 14:30")
        robot.settle()
        let before = robot.count(.smart(.overdue))
        robot.clock.context.now += 30 * 60
        robot.workspace.counts.moveClock()
        #expect(robot.count(.smart(.overdue)) == before + 1)
        #expect(robot.workspace.counts.counts == (try counted(robot)))
    }

    @Test(arguments: [1.0, 7, 9, -1, -20, 400])
    func aStepOfTheClockRefreshesDaysAndCounts(days: Double) throws {
        let robot = try Robot(start: .today)
        for day in ["yesterday", "today 9:00", "today 23:00", "tomorrow", "in 6 days", "in 8 days"]
        {
            _ = try robot.library.addTask(capturing: "Water the plants \(day)")
        }
        robot.settle()
        robot.clock.context.now += days * 86400
        robot.application.takeClockStep = { true }
        robot.application.handle([.woken])
        robot.application.takeClockStep = { false }
        robot.settle()
        let today = try robot.library.count(
            SmartList.today.condition(robot.library.clock(), showsDone: false)
        )
        #expect(robot.titles.count == today)
        if abs(days) < 30 { #expect(robot.workspace.counts.counts == (try counted(robot))) }
    }

    @Test func anotherTimeZoneCountsAllAgain() throws {
        let robot = try Robot()
        _ = try robot.library.addTask(capturing: "Lock the shed today 23:00")
        robot.settle()
        robot.clock.context.zone = ZoneRules(fixed: 12 * 3600, name: "Far east")
        let changes = CountChanges(robot.library)
        var tally = try CountTally(
            in: robot.library.context,
            DateContext(now: Robot.now, zone: .utc)
        )
        #expect(try !changes.move(&tally, to: robot.clock.context))
    }

    /// The store has one connection, and the thread of a document uses it whenever a file changes.
    @Test func countsFollowWhileAnotherThreadAsksTheStore() throws {
        let robot = try Robot()
        let library = robot.library
        let before = try CountTally(in: library.context, library.clock())
        for number in 1...40 { _ = try library.addTask(capturing: "Water plant \(number)") }
        let after = try counted(robot)
        let coordinator = library.context.coordinator
        let (isOver, failures) = (Flag(), Flag())
        let ended = DispatchSemaphore(value: 0)
        Thread {
            while !isOver.isSet {
                do { _ = try coordinator.currentHistoryToken() } catch { failures.set() }
            }
            ended.signal()
        }.start()
        for _ in 1...300 {
            var tally = before
            #expect(try CountChanges(library).bringUpToDate(&tally))
            #expect(tally.counts == after)
        }
        isOver.set()
        ended.wait()
        #expect(!failures.isSet)
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)

        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }

    @Test func countsStandBesideTheLists() throws {
        let robot = try Robot()
        #expect(robot.count(.smart(.overdue)) == 1)
        #expect(robot.count(.smart(.dueSoon)) == 2)
        #expect(robot.count(.smart(.highPriority)) == 1)
        #expect(robot.count(.smart(.all)) == 7)
        #expect(robot.count(.smart(.inbox)) == 1)
    }

    @Test func newListsAndTagsAreCountedAtOnce() throws {
        let robot = try Robot()
        try robot.press("a")
        robot.type("Practice +Music #piano")
        try robot.press("enter")
        let list = try #require(try robot.library.existingList(path: ["Music"]))
        let tag = try Library.tag("piano", in: robot.library.context)
        #expect(robot.count(.list(list.objectID)) == 1)
        #expect(robot.count(.tag(tag.objectID)) == 1)
        try robot.press("space")
        #expect(robot.count(.list(list.objectID)) == 0)
        #expect(robot.count(.tag(tag.objectID)) == 0)
    }
}
