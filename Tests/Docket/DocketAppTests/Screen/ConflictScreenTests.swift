import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import ObjectSync
import TerminalUI
import Testing

@testable import DocketApp

/// Values that an exchange has not taken, on the screen.
@Suite struct ConflictScreenTests {
    private static let config = "[sync.home]\nurl = \"https://cal.example.org/\"\n"
    private let server = MemoryServer()

    private func robot(
        rows: Int = 40,
        columns: Int = 120,
        isASCII: Bool = false,
        _ fill: @escaping (Library, MemoryServer) throws -> Void
    ) throws -> Robot {
        let server = server
        let robot = try Robot(
            rows: rows,
            columns: columns,
            config: Self.config,
            isASCII: isASCII
        ) { library in try fill(library, server) }
        robot.application.follow(robot.library)
        return robot
    }

    /// Both sides have changed the title, the server later.
    private func titles(isASCII: Bool = false) throws -> Robot {
        try robot(isASCII: isASCII) { library, server in
            let item = try library.addTask(capturing: "Pay rent")
            _ = try library.addTask(capturing: "Buy milk")
            try server.disagree(over: item, in: library, theirs: ["title": .string("Theirs")]) {
                item.title = "Mine"
            }
        }
    }

    @Test func theOtherValueIsMarkedShownSwappedUndoneAndSent() throws {
        let robot = try titles()
        #expect(robot.shows("1 in conflict"), "\(robot.text)")
        try robot.select("Theirs")
        #expect(robot.row("Theirs ⇄") != nil, "\(robot.text)")
        #expect(robot.shows("⇄ title: Mine"), "\(robot.text)")
        #expect(robot.shows("here, not home, "))
        try robot.press("C s")
        #expect(robot.message.hasPrefix("Swapped title of \"Mine\""), "\(robot.message)")
        #expect(robot.shows("⇄ title: Theirs"), "\(robot.text)")
        #expect(robot.shows("  home, "))
        try server.exchange(with: robot.library)
        #expect(try server.title(of: robot.item("Mine")) == .string("Mine"))
        try robot.press("u")
        #expect(robot.selected == "Theirs")
        #expect(robot.shows("⇄ title: Mine"), "\(robot.text)")
    }

    @Test func aForgottenValueIsGoneUntilThatIsUndone() throws {
        let robot = try titles()
        try robot.select("Theirs")
        try robot.press("C d")
        #expect(robot.message.hasPrefix("Dismissed the other title of \"Theirs\""))
        #expect(!robot.shows("⇄") && !robot.shows("in conflict"), "\(robot.text)")
        try robot.press("C d")
        #expect(robot.message.hasPrefix("This item is not in conflict"))
        try robot.press("u")
        #expect(robot.shows("⇄ title: Mine"), "\(robot.text)")
    }

    @Test func severalAreDecidedOneAfterTheOther() throws {
        let robot = try robot { library, server in
            let item = try library.addTask(capturing: "Pay rent 2026-12-01")
            let day = { SyncValue.date(Date(timeIntervalSince1970: 1_796_083_200 + $0 * 86_400)) }
            try server.disagree(
                over: item,
                in: library,
                theirs: ["title": .string("Theirs"), "due": day(2), "priority": .int(1)]
            ) {
                item.title = "Mine"
                item.priority = 3
                item.due = Date(timeIntervalSince1970: 1_796_342_400)
            }
        }
        try robot.select("Theirs")
        #expect(robot.shows("⇄ priority: high"), "\(robot.text)")
        #expect(robot.shows("⇄ due: Fri 4 Dec 2026"), "\(robot.text)")
        let item = try robot.item("Theirs")
        let first = try #require(robot.workspace.conflicts.conflicts(of: item).first)
        try robot.press("C n")
        #expect(robot.message.contains("\(first.field) (1/3)"), "\(robot.message)")
        try robot.press("C n")
        #expect(robot.message.contains("(2/3)"), "\(robot.message)")
        try robot.press("C d C d C d")
        #expect(!robot.shows("in conflict"), "\(robot.text)")
        #expect(try robot.undoSteps().prefix(3).allSatisfy { $0.hasPrefix("Dismissed the other") })
    }

    @Test func twoOfOneFieldAreTakenOneByOne() throws {
        let robot = try robot { library, server in
            let item = try library.addTask(capturing: "Pay rent")
            for number in 1...2 {
                try server.disagree(
                    over: item,
                    in: library,
                    theirs: ["title": .string("Theirs \(number)")]
                ) {
                    item.title = "Mine \(number)"
                }
            }
        }
        // A value that replaces one from the future is later than that.
        try robot.select("Mine 2")
        #expect(robot.shows("⇄ title: Theirs 2") && robot.shows("⇄ title: Mine 1"), "\(robot.text)")
        try robot.press("C s")
        #expect(robot.selected == "Theirs 2")
        #expect(robot.shows("⇄ title: Mine 2") && robot.shows("⇄ title: Mine 1"), "\(robot.text)")
    }

    @Test func nextGoesFromItemToItemAndSaysWhenThereIsNone() throws {
        let robot = try robot { library, server in
            for title in ["a", "b", "c"] { _ = try library.addTask(capturing: title) }
            for title in ["a", "c"] {
                let item = try #require(try library.items(matching: \.title == title).first)
                try server.disagree(over: item, in: library, theirs: ["priority": .int(1)]) {
                    (item as? DocketCore.Task)?.priority = 3
                }
            }
        }
        try robot.select("b")
        try robot.press("C n")
        #expect(robot.selected == "c" && robot.message.hasPrefix("priority: high"))
        try robot.press("C n")
        #expect(robot.selected == "a")
        try robot.press("C d C n C d C n")
        #expect(robot.message == "Nothing is in conflict.")
    }

    @Test func anotherParentThatIsBelowTheTaskIsNotTaken() throws {
        let robot = try robot { library, server in
            let task = try library.addTask(capturing: "Task")
            let (mine, theirs) = (
                try library.addTask(capturing: "Mine"), try library.addTask(capturing: "Theirs")
            )
            try server.exchange(with: library)
            try server.disagree(
                over: task,
                in: library,
                theirs: ["parent": .reference(mine.uuid.uuidString)]
            ) {
                task.parent = theirs
            }
        }
        // The one that was not taken goes below the task.
        let parent = try (robot.item("Task") as? DocketCore.Task)?.parent?.title
        let other = try robot.item(parent == "Mine" ? "Theirs" : "Mine")
        try robot.library.perform(.parent(robot.item("Task").objectID), on: [other])
        try robot.select("Task")
        try robot.press("C s")
        #expect(robot.message.contains("would be below itself"), "\(robot.message)")
        #expect(robot.shows("1 in conflict"), "\(robot.text)")
        let task = try robot.item("Task") as? DocketCore.Task
        #expect(task?.parent?.parent == nil)
    }

    @Test func theSearchFindsThemAndASmartListFollows() throws {
        let robot = try titles()
        try robot.press("/")
        robot.type("is:conflict\n")
        #expect(robot.titles == ["Theirs"])
        try robot.press("C d")
        robot.settle()
        #expect(robot.titles == [])
        try robot.press("u ctrl+x")
        let (list, _) = try robot.library.addSmartList(
            SmartListValues(name: "Disputed", query: "is:conflict")
        )
        try robot.workspace.show(.smart(list))
        robot.settle()
        #expect(robot.titles == ["Theirs"], "\(robot.text)")
        try robot.press("C d")
        robot.settle()
        #expect(robot.titles == [], "\(robot.text)")
    }

    @Test func asciiHasASignToo() throws {
        let robot = try titles(isASCII: true)
        try robot.select("Theirs")
        #expect(robot.row("Theirs &") != nil && robot.shows("& title: Mine"), "\(robot.text)")
        #expect(robot.text.unicodeScalars.allSatisfy { $0.isASCII })
    }

    @Test func whoHasNoServerReadsNothing() throws {
        let server = server
        let robot = try Robot { library in
            let item = try library.addTask(capturing: "Pay rent")
            try server.disagree(over: item, in: library, theirs: ["title": .string("Theirs")]) {
                item.title = "Mine"
            }
        }
        #expect(robot.workspace.conflicts.count == 0 && !robot.shows("⇄"))
    }

    // MARK: Bad weather

    @Test func anotherWindowWasFaster() throws {
        let robot = try titles()
        try robot.select("Theirs")
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        let item = try #require(try other.items(matching: \.title == "Theirs").first)
        try other.settle(other.conflicts(of: [item]), by: .swap)
        try robot.press("C s")
        #expect(robot.message == "The conflict was settled or changed elsewhere meanwhile.")
        #expect(robot.selected == "Mine" && robot.shows("⇄ title: Theirs"), "\(robot.text)")
    }

    @Test func anItemInTheTrashIsNotSwappedAndAPurgedOneIsForgotten() throws {
        let robot = try titles()
        try robot.select("Theirs")
        try robot.press("d g x")
        #expect(!robot.shows("in conflict"), "\(robot.text)")
        #expect(robot.shows("⇄ title: Mine"), "\(robot.text)")
        try robot.press("C s")
        #expect(robot.message.contains("in the trash"), "\(robot.message)")
        #expect(robot.selected == "Theirs")
        try robot.press("X")
        if robot.workspace.modal != nil { try robot.press("enter") }
        robot.settle()
        #expect(robot.workspace.conflicts.count == 0 && !robot.shows("⇄"), "\(robot.text)")
        let left = try robot.library.conflictedItems()
        #expect(left.items.isEmpty)
    }

    @Test func aLongTextAndControlCharactersStayInTheirLines() throws {
        let long = (0..<200_000).map { "line \($0) of the server's text" }.joined(separator: "\n")
        let robot = try robot { library, server in
            let item = try library.addTask(capturing: "Pay rent")
            item.notes = "old"
            try server.disagree(
                over: item,
                in: library,
                at: .distantPast,
                theirs: ["notes": .string(long), "title": .string("a\u{1B}[2Jb\u{202E}\nc")]
            ) {
                item.notes = "ours"
                item.title = "Mine"
            }
        }
        try robot.select("Mine")
        #expect(robot.shows("line 5 of the server's text"), "\(robot.text)")
        #expect(!robot.shows("line 6 of the server's text"))
        #expect(robot.shows("more lines"))
        #expect(!robot.text.contains("\u{1B}") && !robot.text.contains("\u{202E}"))
        let start = ContinuousClock.now
        for _ in 0..<20 { try robot.press("j k") }
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
