import CivilTime
import DocketCore
import Foundation
import ObjectGraph
import ScreenReading
import TerminalUI

@testable import DocketApp

/// A user in front of the interface: presses keys and reads the screen.
///
/// Everything that could vary is pinned: the time is Saturday, 21 November 2026, 14:05 UTC.
final class Robot {
    static let now = Date(timeIntervalSince1970: 1_795_269_900)

    let folder: URL
    let clock: TestClock
    let library: Library
    let terminal: ScriptedTerminal
    let application: Application
    var workspace: Workspace { application.workspace }

    /// Opens the interface on a copy of a sample, by default of the household, to which `fill` adds;
    /// with `fill` alone the store is empty before.
    ///
    /// With `server`, the library is at that address instead, and the interface follows it.
    init(
        rows: Int = 24,
        columns: Int = 110,
        colors: Int = 256,
        start: SmartList? = .all,
        config: String = "",
        isASCII: Bool = false,
        noColor: Bool = false,
        settles: Bool = true,
        itemsAtOnce: Int = 10_000,
        sample: Sample? = nil,
        server: URL? = nil,
        fill: ((Library) throws -> Void)? = nil
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("docket-app-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let clock = TestClock()
        self.clock = clock
        let place = server ?? Robot.store(in: folder)
        if server == nil {
            let sample = sample ?? (fill == nil ? .home : .empty)
            try sample.file().write(to: place)
        }
        library = try Library(url: place, author: "test") { clock.context }
        library.context.coordinator.answersFromMemory = server != nil
        try fill?(library)
        library.context.processPendingChanges()
        terminal = ScriptedTerminal(rows: rows, columns: columns, colors: colors)
        var settings = Settings()
        settings.read(config, name: "config.toml")
        settings.isLight = false
        if let start { settings.startList = start }
        settings.isASCIIForced = isASCII
        settings.noColor = noColor
        application = try Application(
            library: library,
            device: terminal,
            settings: settings,
            itemsAtOnce: itemsAtOnce
        )
        if !config.isEmpty {
            try config.write(to: configURL, atomically: true, encoding: .utf8)
        }
        application.workspace.settingsFile = SettingsFile(configURL.path)
        if server != nil { application.follow(library) }
        if settles { settle() }
    }

    /// Opens the interface on what another one left behind, as after a crash.
    init(reopening other: Robot) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("docket-app-\(UUID().uuidString)")
        // The log after the file that it belongs to, as it is after a crash.
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: other.folder.path).sorted()
        {
            try FileManager.default.copyItem(
                at: other.folder.appendingPathComponent(name),
                to: folder.appendingPathComponent(name)
            )
        }
        let clock = TestClock()
        self.clock = clock
        library = try Library(url: Robot.store(in: folder), author: "test") { clock.context }
        terminal = ScriptedTerminal(rows: 40, columns: 110, colors: 256)
        application = try Application(library: library, device: terminal, settings: Settings())
        settle()
    }

    deinit {
        library.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Opens the store a second time, as another window does.
    static func open(_ folder: URL) throws -> Library {
        try Library(url: store(in: folder), author: "test") { DateContext(now: now, zone: .utc) }
    }

    /// The file of the settings.
    var configURL: URL { folder.appendingPathComponent("config.toml") }
    /// What it has; empty if there is none.
    var config: String { (try? String(contentsOf: configURL, encoding: .utf8)) ?? "" }

    static func store(in folder: URL) -> URL { folder.appendingPathComponent("store.sqlite") }

    // MARK: Acting

    /// Presses keys, given by their spellings with blanks between: `j j space`.
    func press(_ spelling: String) throws {
        for key in try Key.sequence(spelling) { send(.key(key)) }
        finishWork()
    }

    /// Types a text, key by key.
    func type(_ text: String) {
        for character in text { send(.key(character == "\n" ? .enter : Key(character))) }
        finishWork()
    }

    func send(_ event: InputEvent) {
        application.handle([.input(event)])
        application.drawFrame()
    }

    func paste(_ text: String) {
        send(.paste(text))
        finishWork()
    }

    func resize(rows: Int, columns: Int) {
        terminal.size = Size(rows: rows, columns: columns)
        application.handle([.resized(terminal.size)])
        settle()
    }

    /// Draws, lets the work between events be done, and draws what came of it.
    func settle() {
        application.drawFrame()
        finishWork()
    }

    /// Lets the work be done that is left after a frame, and draws again if there was any.
    private func finishWork() {
        var turns = 0
        // What ends while this is asked is work that is left: the second question finds it.
        while !workspace.background.isFree || application.hasWork, turns < 10_000 {
            // What is left may need what is being read; on a busy machine that takes many turns.
            if !application.hasWork || turns % 64 == 63 { workspace.background.wait() }
            let message = workspace.messages
            application.handle([.timedOut])
            // On a busy machine its time is over before the work is done.
            if workspace.messages.text == nil { workspace.messages = message }
            turns += 1
        }
        if turns > 0 { application.drawFrame() }
    }

    /// Lets a search load all its texts.
    func finish(_ search: SearchController) {
        while !workspace.background.isFree || search.hasWork {
            if !search.hasWork { workspace.background.wait() }
            search.work()
        }
    }

    // MARK: Reading

    var screen: [String] { terminal.frame.lines }
    var text: String { screen.joined(separator: "\n") }
    func shows(_ text: String) -> Bool { screen.contains { $0.contains(text) } }

    /// The first row with a text, outside the detail pane.
    func row(_ text: String) -> Int? { rows.firstIndex { $0.contains(text) } }

    /// The screen without the detail pane.
    private var rows: [String] {
        guard workspace.focus != .detail, let detail = application.layout.panes[.detail] else {
            return screen
        }
        return (0..<terminal.frame.rows).map { row in
            terminal.frame.cells(row).prefix(detail.area.column).map(\.text).joined()
        }
    }

    /// The line of the last row: hints and the message.
    var footer: String { screen.last ?? "" }
    var message: String { workspace.messages.text ?? "" }

    /// The titles in the items pane, from top to bottom.
    var titles: [String] {
        workspace.items.lines.compactMap { line in
            line.id.flatMap { workspace.items.item($0)?.title }
        }
    }

    var selected: String { workspace.items.selected?.title ?? "" }

    /// Selects an item by its title.
    func select(_ title: String) throws {
        let id = workspace.items.lines.compactMap(\.id).first {
            workspace.items.item($0)?.title == title
        }
        guard let id else { throw RobotError(what: "no row is called \(title)", screen: text) }
        workspace.focus = .items
        workspace.items.select(id)
        settle()
    }

    func item(_ title: String) throws -> Item {
        let found = try library.items(
            matching: \.title == title,
            limit: 1
        )
        guard let item = found.first else {
            throw RobotError(what: "no item is called \(title)", screen: text)
        }
        return item
    }

    func task(_ title: String) throws -> DocketCore.Task {
        guard let task = try item(title) as? DocketCore.Task else {
            throw RobotError(what: "\(title) is not a task", screen: text)
        }
        return task
    }

    func undoSteps() throws -> [String] {
        try library.undoSteps(limit: 50).map { $0.name ?? "" }
    }

    /// The count that the lists pane shows for a list.
    func count(_ scope: Scope) -> Int { workspace.counts.counts[scope] ?? 0 }
}

/// The time of a robot's world.
final class TestClock {
    var context = DateContext(now: Robot.now, zone: .utc)
}

struct RobotError: Error, CustomStringConvertible {
    let what: String
    let screen: String
    var description: String { "\(what); the screen shows:\n\(screen)" }
}
