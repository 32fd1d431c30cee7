import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import ScreenReading
import TerminalUI
import Testing

@testable import DocketApp

/// A store inside the interface: asked for, browsed, left.
@Suite struct InspectorTests {
    /// Opens a file in the inspector, as a user types it.
    private func inspect(_ robot: Robot, _ path: String) throws {
        try robot.press("g e")
        robot.type(path)
        try robot.press("enter")
    }

    /// Presses Esc until the inspector is left, at most a few times.
    private func leave(_ robot: Robot) throws {
        for _ in 0..<5 where robot.workspace.focus == inspector { try robot.press("esc") }
    }

    /// A store of another program, with people and a label that has control characters.
    private func makeStore(at url: URL, people: Int = 3, name: String = "Person") throws {
        let person = EntityDescription(
            name,
            [
                AttributeDescription("fullName", .string),
                RelationshipDescription("boss", to: name, inverse: "staff"),
                RelationshipDescription("staff", to: name, inverse: "boss", toMany: true),
            ]
        )
        let container = try PersistentContainer(model: ManagedObjectModel([person]), url: url)
        let context = container.viewContext
        var boss: ManagedObject?
        for number in 0..<people {
            let object = try context.insert(entityNamed: name)
            try object.setValue(.string("person \u{1b}[31m\u{7} \(number)"), forKey: "fullName")
            if let boss { try object.setValue(.object(boss), forKey: "boss") }
            boss = boss ?? object
        }
        try context.save()
        container.close()
    }

    private var inspector: PaneID { InspectorPane.kind.id }

    @Test(arguments: [(120, 256), (80, 256), (50, 256), (120, 8), (120, 0)])
    func theBarCoversTheWholeRow(columns: Int, colors: Int) throws {
        let robot = try Robot(columns: columns, colors: colors)
        try robot.press("g e enter")
        for keys in ["home down down down", "enter", "down", "enter", "down down down"] {
            try robot.press(keys)
            let frame = robot.terminal.frame
            let cursor = try #require(frame.cursor)
            let cells = frame.cells(cursor.row)
            // The part with the focus: between the lines around the cursor.
            let vertical = String(Character(frame.symbols.vertical))
            let first = cells[..<cursor.column].lastIndex { $0.text == vertical } ?? -1
            let end = cells[cursor.column...].firstIndex { $0.text == vertical }
            let part = cells[(first + 1)..<(end ?? cells.count)]
                .filter { $0.text != String(Character(frame.symbols.thumb)) }
            let bars = Set(
                part.map { cell in
                    [cell.style.background.isStandard, cell.style.attributes.contains(.reverse)]
                }
            )
            #expect(bars.count == 1, "\(keys): \(bars)\n\(robot.text)")
            #expect(bars != [[true, false]], "\(keys): no bar\n\(robot.text)")
        }
    }

    @Test func ownLibraryIsOfferedAndEscapeReturnsToTheSelection() throws {
        let robot = try Robot(columns: 120)
        try robot.select("Read a book")
        let before = robot.text
        try robot.press("g e")
        #expect(robot.shows(robot.library.path))
        try robot.press("enter")
        #expect(robot.workspace.focus == inspector && robot.workspace.modal == nil)
        #expect(robot.screen[0].contains("Store store.sqlite"))
        #expect(robot.screen[0].contains("SQLite") && robot.screen[0].contains("read only"))
        #expect(robot.shows("Entities") && robot.shows("SavedSearch"))
        let steps = try robot.undoSteps()
        try robot.press("u ctrl+r")
        #expect(try robot.undoSteps() == steps, "the library is not in sight")
        #expect(robot.message.contains("does not work here; Esc leaves Store."))
        try robot.press("/")
        robot.type("task")
        try robot.press("enter enter")
        #expect(robot.shows("Read a book"))
        try robot.press("enter")
        #expect(robot.shows("displayOrder"))
        try robot.press("esc esc esc")
        #expect(robot.workspace.focus == inspector && robot.shows("SavedSearch"))
        try robot.press("esc")
        #expect(robot.selected == "Read a book")
        #expect(robot.text == before)
    }

    @Test func leavingByAnyWayClosesTheStore() throws {
        let robot = try Robot()
        let url = robot.folder.appendingPathComponent("people.sqlite")
        try makeStore(at: url)
        func isOpen() throws -> Bool {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains { name in
                let path = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/\(name)"
                )
                return path == url.resolvingSymlinksInPath().path
            }
        }
        for way in ["esc", "g h", "g w"] {
            try inspect(robot, url.path)
            #expect(try isOpen(), "before \(way)")
            try robot.press(way)
            #expect(try !isOpen(), "\(way)")
            #expect(robot.workspace.focus != inspector)
            try robot.press("esc")
        }
    }

    @Test func relationshipsAreFollowedAndBackspaceReturns() throws {
        let robot = try Robot(columns: 120)
        let url = robot.folder.appendingPathComponent("people.sqlite")
        try makeStore(at: url)
        try inspect(robot, url.path)
        #expect(robot.screen[0].contains("3 objects"))
        try robot.press("enter j enter")
        #expect(robot.shows("Person p2"))
        try robot.press("enter")
        #expect(robot.shows("Person p1") && robot.shows("2 objects"))
        try robot.press("j enter")
        #expect(robot.message == "fullName does not lead to an object.")
        try robot.press("j enter")
        #expect(robot.shows("Person p1.staff  2"))
        try robot.press("backspace backspace")
        #expect(robot.shows("Person p2"))
        try robot.press("h")
        #expect(robot.shows("Person  3"))
        try robot.press("/")
        robot.type("PERSON")
        try robot.press("enter")
        #expect(robot.shows("Person  3 with \"PERSON\""))
        try robot.press("esc tab")
        #expect(robot.footer.contains("filter") && robot.footer.contains("reload"))
    }

    @Test func whatIsNotAStoreIsToldAndChangesNothing() throws {
        let robot = try Robot(columns: 200)
        func file(_ name: String) -> String { robot.folder.appendingPathComponent(name).path }
        try Data("hello".utf8).write(to: URL(filePath: file("letter.txt")))
        try Data().write(to: URL(filePath: file("empty")))
        try Data(repeating: 7, count: 8192).write(to: URL(filePath: file("bad\u{1b}[31mname")))
        try Data("age-encryption.org/v1\n-> scrypt x 18\n".utf8)
            .write(to: URL(filePath: file("sealed.age")))
        #expect(mkfifo(file("pipe"), 0o600) == 0)
        let paths =
            ["letter.txt", "empty", "bad\u{1b}[31mname", "sealed.age", "pipe", "absent"]
            .map(file) + [robot.folder.path, "/dev/null", "/dev/zero", "no/such/place", " "]
        let before = robot.workspace.focus
        for path in paths {
            try robot.press("g e ctrl+u")
            robot.paste(path)
            try robot.press("enter")
            #expect(robot.workspace.focus == before, "\(path)")
            #expect(robot.workspace.modal is InspectBar, "\(path)")
            #expect(!robot.message.isEmpty, "\(path)")
            #expect(!robot.message.unicodeScalars.contains { $0.value < 32 || $0.value == 127 })
            #expect(!robot.text.contains("\u{1b}"))
            try robot.press("esc")
            #expect(robot.workspace.modal == nil)
        }
        try robot.press("g e ctrl+u enter")
        #expect(robot.message == "The file needs a name; write one.")
    }

    @Test func controlCharactersInNamesAndValuesNeverReachTheTerminal() throws {
        let robot = try Robot(columns: 120)
        let url = robot.folder.appendingPathComponent("odd\u{1b}]0;x\u{7}\u{9b}name.sqlite")
        try makeStore(at: url)
        try robot.press("g e")
        robot.paste(url.path)
        try robot.press("enter")
        // A paste takes no control characters, so the file is opened as a program would do it.
        try robot.press("esc")
        try robot.workspace.inspect(url.path)
        robot.settle()
        try robot.press("enter enter")
        for frame in [
            robot.text,
            {
                try? robot.press("backspace")
                return robot.text
            }(),
        ] {
            #expect(!frame.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
            #expect(!frame.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) })
        }
        #expect(robot.shows("person"))
    }

    @Test(arguments: [(24, 80), (10, 40), (3, 20), (1, 1), (60, 200)])
    func everySizeShowsTheStore(rows: Int, columns: Int) throws {
        let robot = try Robot(rows: 24, columns: 80)
        let url = robot.folder.appendingPathComponent("people.sqlite")
        try makeStore(at: url)
        try inspect(robot, url.path)
        robot.resize(rows: rows, columns: columns)
        robot.terminal.frame.checkInvariants()
        if rows >= 10 { #expect(robot.shows("Person")) }
        try robot.press("enter")
        if rows >= 10 { #expect(robot.shows("person") && robot.shows("p1")) }
        try robot.press("enter j tab / x esc r")
        robot.terminal.frame.checkInvariants()
        robot.resize(rows: 24, columns: 80)
        try leave(robot)
        #expect(robot.workspace.focus == .items && robot.shows("Read a book"))
    }

    @Test func clickSelectsAndDoubleClickOpens() throws {
        let robot = try Robot(columns: 120)
        let url = robot.folder.appendingPathComponent("people.sqlite")
        try makeStore(at: url)
        try inspect(robot, url.path)
        let row = try #require(robot.screen.firstIndex { $0.contains("p2") })
        let time = ContinuousClock.now
        for milliseconds in [0, 1000, 1200] {
            #expect(!robot.shows("Person p2"))
            robot.send(
                .mouse(
                    MouseEvent(
                        .press,
                        button: .left,
                        at: Position(row: row, column: 60),
                        time: time + .milliseconds(milliseconds)
                    )
                )
            )
        }
        #expect(robot.shows("Person p2"))
    }

    @Test func aStoreThatIsChangedOrRemovedIsToldAndReloaded() throws {
        let robot = try Robot(columns: 120)
        let url = robot.folder.appendingPathComponent("people.sqlite")
        try makeStore(at: url, people: 1000)
        try inspect(robot, url.path)
        try robot.press("enter")
        try makeStore(at: url, people: 5)
        try robot.press("G")
        #expect(robot.workspace.focus == inspector)
        try robot.press("r")
        #expect(robot.screen[0].contains("1005 objects"))
        let away = URL(filePath: url.path + "-away")
        try FileManager.default.moveItem(at: url, to: away)
        try robot.press("r")
        #expect(robot.message.contains("people.sqlite"), "\(robot.message)")
        #expect(robot.screen[0].contains("1005 objects"))
        try robot.press("tab enter G enter k")
        #expect(robot.workspace.focus == inspector)
        try FileManager.default.moveItem(at: away, to: url)
        try robot.press("r")
        #expect(robot.shows("Person"))
        try leave(robot)
        #expect(robot.workspace.focus == .items)
    }

    @Test func ownLibraryKeepsItsLocksAndShowsWhatIsSavedMeanwhile() throws {
        let robot = try Robot(columns: 120)
        func locks() throws -> Int {
            let path = robot.library.path
            let file = try #require(
                FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
            )
            // Of this process alone: what is read of /proc/locks misses a lock or has it twice while
            // other processes lock files.
            let files = "/proc/self/fdinfo"
            return try FileManager.default.contentsOfDirectory(atPath: files)
                .compactMap { try? String(contentsOfFile: "\(files)/\($0)", encoding: .utf8) }
                .flatMap { $0.split(separator: "\n") }
                .count { $0.hasPrefix("lock:") && $0.contains(":\(file) ") }
        }
        let before = try locks()
        try #require(before > 0)
        for _ in 0..<2 {
            try robot.press("g e enter")
            #expect(robot.workspace.focus == inspector)
            #expect(try locks() >= before)
            _ = try robot.library.addTask(capturing: "Buy ink")
            try robot.press("r")
            try robot.press("/")
            robot.type("task")
            try robot.press("enter enter / B u y enter")
            #expect(robot.shows("Buy ink"))
            try leave(robot)
            #expect(robot.workspace.focus == .items)
            #expect(try locks() == before)
        }
    }

    @Test func aLongListReadsOnlyWhatIsShown() throws {
        let robot = try Robot(columns: 120)
        let url = robot.folder.appendingPathComponent("people.sqlite")
        try makeStore(at: url, people: 10_000)
        try inspect(robot, url.path)
        try robot.press("enter G")
        #expect(robot.shows("p10000"))
        try robot.press("pageup g g")
        #expect(robot.shows("p1 "))
        #expect(robot.terminal.frame.rows == 24)
    }

    @Test func helpAndPaletteListTheInspector() throws {
        let robot = try Robot(rows: 600, columns: 120)
        try robot.press("?")
        #expect(robot.shows("Inspect a store") && robot.shows("Read the store again"))
        try robot.press("esc :")
        robot.type("core data")
        try robot.press("enter")
        #expect(robot.workspace.modal is InspectBar)
    }
}
