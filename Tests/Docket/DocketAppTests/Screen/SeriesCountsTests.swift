import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import TerminalUI
import Testing

@testable import DocketApp

/// The numbers beside the lists are those of a fresh count, in each window, after every command,
/// undo, foreign save and step of the clock; repeating tasks make and take back items.
@Suite struct SeriesCountsTests {
    /// What a window shows, and what a fresh count of the store would give.
    private func differences(_ window: Window) throws -> [String] {
        let workspace = window.application.workspace
        let library = workspace.library
        let fresh = try CountTally(in: library.context, library.clock()).counts
        var wrong: [String] = []
        for line in workspace.lists.lines {
            guard let scope = line.scope else { continue }
            var wanted = fresh[scope] ?? 0
            if case .smart(let list) = scope {
                if !list.isCounted { continue }
                if list.isCountedBySearch {
                    wanted = try library.count(list.countedCondition(library.clock()))
                }
            }
            let shown = workspace.count(of: scope) ?? 0
            if shown != wanted { wrong.append("\(scope): \(shown) for \(wanted)") }
        }
        return wrong
    }

    /// A window on a store, with its own connection.
    private final class Window {
        let library: Library
        let application: Application

        init(_ folder: URL, _ clock: TestClock) throws {
            library = try Library(url: Robot.store(in: folder), author: "interface") {
                clock.context
            }
            var settings = Settings()
            settings.startList = .all
            application = try Application(
                library: library,
                device: ScriptedTerminal(rows: 40, columns: 110, colors: 256),
                settings: settings
            )
            application.follow(library)
        }

        func press(_ keys: String) throws {
            for key in try Key.sequence(keys) { application.handle([.input(.key(key))]) }
        }

        func settle() {
            application.handle([.woken])
            application.drawFrame()
            var turns = 0
            while application.hasWork || !application.workspace.background.isFree, turns < 10_000 {
                if !application.hasWork { application.workspace.background.wait() }
                application.handle([.timedOut])
                turns += 1
            }
            application.drawFrame()
        }

        deinit { library.close() }
    }

    private static func fill(_ library: Library) throws {
        func add(_ line: String, below parent: DocketCore.Task? = nil) throws -> DocketCore.Task {
            var defaults = ItemDefaults()
            defaults.parent = parent
            return try library.addTask(library.capture(line), defaults).task
        }
        let water = try add("Water the plants today every day +Home #out")
        _ = try add("fill the can today every day", below: water)
        _ = try add("look for lice", below: water)
        let rent = try add("Pay rent yesterday every month #bank !high")
        _ = try add("tell Ana", below: rent)
        _ = try add("Read a book")
        for (name, query) in [
            ("Mine open", "is:open"), ("Mine due", "due:any"), ("Mine out", "tag:out or tag:bank"),
            ("Mine words", "water"), ("Mine repeating", "is:repeating -is:blocked"),
        ] {
            _ = try library.addSmartList(SmartListValues(name: name, query: query))
        }
        _ = try add("Call Mira today 15:00 every week +Work")
    }

    @Test(arguments: SeededRandom.seeds(3))
    func numbersAreThoseOfAFreshCount(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let robot = try Robot(fill: Self.fill)
        let windows = [
            try Window(robot.folder, robot.clock), try Window(robot.folder, robot.clock),
        ]
        let shell = try Library(url: Robot.store(in: robot.folder), author: "shell") {
            robot.clock.context
        }
        defer { shell.close() }
        for window in windows { window.settle() }
        var done: [String] = []
        for _ in 0..<30 {
            let what: String
            let window = random.pick(windows)
            let workspace = window.application.workspace
            switch random.below(8) {
            case 0, 1, 2:
                let rows = workspace.items.lines.compactMap(\.id)
                if let id = random.draw(rows) { workspace.items.select(id) }
                what = "\(workspace.items.selected?.title ?? "-") space"
                try window.press("space")
                if workspace.modal != nil { try window.press(random.pick(["s", "l", "esc"])) }
            case 3, 4:
                what = random.pick(["u", "u u", "ctrl+r", "space u", "u ctrl+r u"])
                try window.press(what)
                if workspace.modal != nil { try window.press("esc") }
            case 5:
                let open = try shell.items(matching: Library.openItems)
                guard let item = random.draw(open) else { continue }
                what = "shell done \(item.title)"
                try shell.complete([item])
            case 6:
                what = "shell undo"
                _ = try shell.undo(onConflict: .skip)
            default:
                what = "an hour later"
                robot.clock.context.now += random.pick([3600, 86_400])
                for window in windows { window.application.takeClockStep = { true } }
            }
            done.append(what)
            for window in windows {
                window.settle()
                window.application.takeClockStep = { false }
            }
            for (number, window) in windows.enumerated() {
                let wrong = try differences(window)
                #expect(wrong.isEmpty, "seed \(seed), window \(number), \(wrong) after \(done)")
                if !wrong.isEmpty { return }
            }
        }
    }
}
