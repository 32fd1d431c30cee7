import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ScreenReading
import StoreExploring
import TerminalUI
import Testing
import VirtualTerminal

@testable import StoreBrowser

/// A terminal that keeps the last frame.
private final class TestTerminal: TerminalDevice {
    var size: Size
    let colors = 0
    private(set) var frame: Canvas
    private(set) var frames = 0

    init(rows: Int, columns: Int) {
        size = Size(rows: rows, columns: columns)
        frame = Canvas(rows: rows, columns: columns)
    }

    func present(_ canvas: Canvas) {
        frame = canvas
        frames += 1
    }

    func redraw() {}
    func events(until deadline: ContinuousClock.Instant?) -> [TerminalEvent] { [.timedOut] }
    func suspend() {}
    func run(_ arguments: [String]) throws -> Int32 { 0 }
    func copy(_ text: String) -> Bool { false }
    func setTitle(_ title: String) {}
    func ring() {}
    func close() {}
}

/// A store with lists and tasks, and the browser on it.
private final class Bench {
    let folder: URL
    let terminal: TestTerminal
    let window: BrowserWindow
    var browser: StoreBrowser { window.browser }

    init(tasks: Int = 3, rows: Int = 12, columns: Int = 90) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appending(path: "tasks.sqlite")
        try Bench.make(at: url, tasks: tasks)
        terminal = TestTerminal(rows: rows, columns: columns)
        window = BrowserWindow(
            try StoreBrowser(StoreInspector(url), name: "tasks.sqlite"),
            device: terminal,
            theme: .mono,
            symbols: .unicode
        )
        window.present()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static func make(at url: URL, tasks: Int) throws {
        let task = EntityDescription(
            "Task",
            [
                AttributeDescription("title", .string), AttributeDescription("due", .date),
                RelationshipDescription("list", to: "List", inverse: "tasks"),
            ]
        )
        let list = EntityDescription(
            "List",
            [
                AttributeDescription("name", .string),
                RelationshipDescription("tasks", to: "Task", inverse: "list", toMany: true),
            ]
        )
        let model = ManagedObjectModel([
            task, EntityDescription("Chore", superentity: "Task"), list,
        ])
        let container = try PersistentContainer(model: model, url: url)
        let context = container.viewContext
        let home = try context.insert(entityNamed: "List")
        try home.setValue(.string("Home"), forKey: "name")
        for number in 0..<tasks {
            let task = try context.insert(entityNamed: "Task")
            try task.setValue(.string("task \(number)"), forKey: "title")
            try task.setValue(.object(home), forKey: "list")
        }
        try context.save()
        container.close()
    }

    func press(_ keys: Key...) {
        for key in keys { window.handle(.input(.key(key))) }
        window.present()
    }

    func type(_ text: String) {
        for character in text { window.handle(.input(.key(Key(character)))) }
        window.present()
    }

    var screen: String {
        terminal.frame.checkInvariants()
        return terminal.frame.lines.joined(separator: "\n")
    }
}

@Suite struct StoreBrowserTests {
    @Test func entitiesAndTheObjectsOfTheSelectedOneAreShown() throws {
        let bench = try Bench()
        #expect(bench.screen.contains("tasks.sqlite"))
        #expect(bench.screen.contains("SQLite · 4 objects"))
        #expect(bench.screen.contains("List"))
        #expect(bench.screen.contains("Home"))
        bench.press(.down)
        #expect(bench.screen.contains("task 0") && bench.screen.contains("task 2"))
        #expect(bench.screen.contains("List p1"))
        bench.press(.down)
        #expect(bench.screen.contains("No objects of exactly this entity."))
    }

    @Test func anObjectIsOpenedAndItsRelationshipsAreFollowed() throws {
        let bench = try Bench()
        bench.press(.down, .enter, .down, .enter)
        #expect(bench.screen.contains("Task p2"))
        #expect(bench.screen.contains("title  task 1"))
        bench.press(.down, .enter)
        #expect(bench.screen.contains("List p1") && bench.screen.contains("name   Home"))
        bench.press(.down, .enter)
        #expect(bench.screen.contains("List p1.tasks  3") && bench.screen.contains("task 2"))
        bench.press(.backspace)
        #expect(bench.screen.contains("name   Home"))
        bench.press(.backspace)
        #expect(bench.screen.contains("title  task 1"))
        bench.press(.backspace)
        #expect(bench.screen.contains("task 0"))
        bench.press(.backspace, .up)
        #expect(bench.screen.contains("Home"))
    }

    @Test func aFilterFindsEntitiesAndObjects() throws {
        let bench = try Bench(tasks: 300)
        bench.type("/chor")
        #expect(!bench.screen.contains("List  "))
        bench.press(.escape)
        #expect(bench.screen.contains("List"))
        bench.press(.up, .enter)
        bench.type("/TASK 25")
        bench.press(.enter)
        #expect(bench.screen.contains("Task  11 with \"TASK 25\""))
        #expect(bench.screen.contains("task 250"))
        bench.press(.backspace)
        #expect(bench.screen.contains("Task  300"))
        bench.type("/nothing")
        bench.press(.enter)
        #expect(bench.screen.contains("No object has this text"))
    }

    @Test func aNarrowScreenShowsOnePartAtATime() throws {
        let bench = try Bench(columns: 40)
        #expect(bench.screen.contains("Entities") && !bench.screen.contains("Home"))
        bench.press(.enter)
        #expect(!bench.screen.contains("Entities") && bench.screen.contains("Home"))
        bench.press(.backspace)
        #expect(bench.screen.contains("Entities"))
        for (rows, columns) in [(1, 1), (2, 3), (3, 10), (4, 59), (5, 60), (200, 400)] {
            bench.terminal.size = Size(rows: rows, columns: columns)
            bench.press(.tab)
            bench.press(.tab)
            #expect(bench.terminal.frame.rows == rows)
        }
    }

    @Test func onlyThePagesOnTheScreenAreInMemory() throws {
        let bench = try Bench(tasks: 5000)
        bench.press(.down, .enter)
        func loaded() -> Int {
            if case .rows(let view)? = bench.browser.stack.last {
                view.pages.loadedCount
            } else {
                -1
            }
        }
        #expect(loaded() == ObjectPages.pageSize)
        bench.press(Key("G"))
        #expect(bench.screen.contains("task 4999"))
        for _ in 0..<200 { bench.press(.pageUp) }
        #expect(loaded() <= 8 * ObjectPages.pageSize)
        bench.press(Key("g"))
        #expect(bench.screen.contains("task 0 "))
    }

    @Test func whatOthersWriteIsShownAfterAReload() throws {
        let bench = try Bench()
        try Bench.make(at: bench.folder.appending(path: "tasks.sqlite"), tasks: 2)
        bench.press(Key("r"))
        #expect(bench.screen.contains("SQLite · 7 objects"))
    }

    @Test func keysThatDoNothingChangeNothing() throws {
        let bench = try Bench()
        let before = bench.screen
        bench.press(Key("x"), .function(5), .insert, Key("é"))
        #expect(bench.screen == before)
    }

    @Test func theProgramBrowsesOnARealTerminal() throws {
        let bench = try Bench(tasks: 40)
        let terminal = try VirtualTerminal(
            VirtualTerminal.product("docket"),
            arguments: [
                "inspect", "--browse", bench.folder.appending(path: "tasks.sqlite").path,
            ],
            environment: ["HOME": bench.folder.path],
            rows: 16,
            columns: 100
        )
        try terminal.wait(forText: "Home")
        #expect(terminal.isAlternate)
        try terminal.type("j")
        try terminal.wait(forText: "task 5")
        // One frame for a key: what is unchanged is not written again.
        let before = terminal.output.count
        try terminal.type("\r")
        try terminal.wait(forText: "back")
        try terminal.type("j")
        try terminal.type("\r")
        try terminal.wait(forText: "Task p2")
        #expect(terminal.output.count - before < 6000)
        terminal.resize(rows: 8, columns: 50)
        try terminal.wait(forText: "task 1")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        #expect(!terminal.isAlternate)
    }
}

extension Key {
    fileprivate static func function(_ number: Int) -> Key { Key(.function(number)) }
    fileprivate static let insert = Key(.insert)
}
