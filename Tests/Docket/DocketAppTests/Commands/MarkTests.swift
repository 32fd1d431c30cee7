import DocketCore
import DocketFormats
import LibraryVerbs
import ObjectGraph
import SeededRandom
import TerminalUI
import Testing

@testable import DocketApp

/// Marks: ranges, searches, other lists, and what commands do with them.
@Suite struct MarkTests {
    private func marked(_ robot: Robot) -> [String] {
        robot.workspace.items.marks.compactMap { robot.workspace.items.item($0)?.title }.sorted()
    }

    @Test func aRangeIsMarkedFromTheLastMarkedRowToTheSelectedOne() throws {
        let robot = try Robot(sample: .many(9))
        try robot.press("M r")
        #expect(robot.message.contains("v marks the first row"))
        try robot.press("j v j j j M r")
        #expect(marked(robot) == (2...6).map { "Task number \($0)" })
        #expect(robot.message == "Marked 4 more rows")
        // Upwards, from where the range has ended.
        try robot.press("k k M r")
        #expect(robot.message == "All rows from there to here are marked already")
        try robot.press("g g M r")
        #expect(marked(robot).count == 6)
    }

    @Test func invertingMarksTheOthers() throws {
        let robot = try Robot(sample: .many(4))
        try robot.press("v M i")
        #expect(marked(robot) == ["Task number 2", "Task number 3", "Task number 4"])
        try robot.press("M i")
        #expect(marked(robot) == ["Task number 1"])
    }

    @Test func aSearchMarksEverythingThatItFindsAndEnds() throws {
        let robot = try Robot()
        try robot.press("M /")
        robot.type("plan")
        try robot.press("enter")
        #expect(!robot.workspace.items.isSearching)
        #expect(marked(robot) == ["Plan the garden", "draw a plan"])
        #expect(robot.message == "Marked 2 items; Mc removes the marks.")
        // Another one adds to them; one that is cancelled does not.
        try robot.press("M /")
        robot.type("rent")
        try robot.press("esc")
        #expect(marked(robot).count == 2)
        try robot.press("M /")
        robot.type("rent")
        try robot.press("enter M /")
        robot.type("nowhere")
        try robot.press("enter")
        #expect(robot.message == "Nothing was found, so nothing was marked.")
        #expect(marked(robot).count == 3)
    }

    @Test func marksStayInOtherListsAndTheTitleLineCountsThoseThatAreNotShown() throws {
        let robot = try Robot(columns: 120)
        try robot.select("Read a book")
        try robot.press("v")
        let home = try #require(try robot.library.existingList(path: ["Home"]))
        try robot.workspace.show(.list(home.objectID))
        robot.settle()
        #expect(robot.screen[0].contains("1 marked, 1 not shown"))
        try robot.select("Pay rent")
        try robot.press("v")
        #expect(robot.screen[0].contains("2 marked, 1 not shown"))
        try robot.press("p 3")
        #expect(robot.message == "Set priority of 2 tasks to high · u undoes")
        #expect(try robot.task("Read a book").priority == 3)
        #expect(marked(robot).isEmpty && !robot.screen[0].contains("marked"))
    }

    @Test func commandsOnPlacesMoveOnlyWhatIsShown() throws {
        let robot = try Robot()
        try robot.select("Read a book")
        try robot.press("v g h")
        #expect(robot.titles == ["Call the Ämter"])
        let before = try robot.library.latestTransaction()
        for key in ["J", "i", "I"] {
            try robot.press(key)
            #expect(robot.message.hasPrefix("None of the marked items is shown here"), "\(key)")
        }
        #expect(try robot.library.latestTransaction() == before)
        try robot.press("M c")
        #expect(marked(robot).isEmpty)
    }

    @Test func markedItemsAreChangedFromAnEmptyListToo() throws {
        let robot = try Robot(columns: 120)
        try robot.select("Read a book")
        try robot.press("v g f")
        #expect(robot.titles.isEmpty)
        #expect(robot.screen[0].contains("1 marked, 1 not shown"))
        try robot.press("f")
        #expect(robot.titles == ["Read a book"])
    }

    @Test func whatAnotherWindowDeletesIsNotChanged() throws {
        let robot = try Robot()
        robot.application.follow(robot.library)
        try robot.press("V")
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        let book = try other.items(matching: \.title == "Read a book")
        try other.trash(book)
        try other.perform(.purge, on: book)
        robot.application.handle([.woken])
        robot.settle()
        let count = robot.workspace.items.marks.count
        try robot.press("g h f")
        #expect(robot.message == "Flagged \(count) items · u undoes")
    }

    /// A key costs the same with many marks as with one, and reads nothing.
    @Test func aMarkIsToggledAsFastWithManyMarks() throws {
        let robot = try Robot { library in
            let lines = (1...6_000).map { "Task \($0)" }.joined(separator: "\n")
            _ = try library.importItems(.todotxt, from: Array(lines.utf8))
        }
        let coordinator = robot.library.context.coordinator
        /// Marks a row, removes the mark again, and draws each time.
        func cost() throws -> Double {
            try robot.press("v k v k")
            return try processorSeconds { for _ in 0..<10 { try robot.press("v k v k") } }
        }
        try robot.press("j v")
        let few = try cost()
        try robot.press("V")
        #expect(robot.workspace.items.marks.count == 6_000)
        coordinator.startCounting()
        let many = try cost()
        #expect(coordinator.counters.statements == 0)
        #expect(many < few * 3, "\(many) s with all marks, \(few) s with one")
    }

    /// The marks are those of a set that has the same operations, and the number of those that are
    /// not shown is that of a count.
    @Test(arguments: SeededRandom.seeds(8))
    func marksAreASet(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let robot = try Robot()
        let items = robot.workspace.items
        var wanted: Set<ManagedObjectID> = []
        for step in 0..<60 {
            let shown = items.lines.compactMap(\.id)
            switch random.below(8) {
            case 0:
                try robot.press("V")
                if shown.allSatisfy(wanted.contains) {
                    wanted.subtract(shown)
                } else {
                    wanted.formUnion(shown)
                }
            case 1:
                try robot.press("M i")
                if !shown.isEmpty { wanted.formSymmetricDifference(shown) }
            case 2: try robot.press(random.pick(["g h", "g A", "g s", "g f", "_", "-"]))
            case 3:
                try robot.press("M c")
                wanted = []
            default:
                if let id = items.selectedID {
                    wanted.formSymmetricDifference([id])
                    try robot.press("v")
                }
                try robot.press(random.pick(["j", "k", "G", "g g"]))
            }
            let now = Set(items.lines.compactMap(\.id))
            try #require(items.marks == wanted, "seed \(seed), step \(step)")
            #expect(
                items.hiddenMarkCount == wanted.subtracting(now).count,
                "seed \(seed), step \(step)"
            )
        }
    }
}
