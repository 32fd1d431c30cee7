import ArgumentParser
import CivilTime
import DocketApp
import DocketCore
import DocketFormats
import FileEvents
import FoundationEssentials
import NcursesTerminal
import ObjectGraph
import StoreBrowser
import StoreExploring

/// The interactive interface: opens the library and the terminal and runs the application.
enum Interface {
    enum Purpose: Equatable {
        case work
        /// An item, by what the user calls it, is selected at first.
        case item(String)
        /// Only the line of quick capture is shown.
        case capture
        /// Nothing of it is kept.
        case tour
    }

    /// Runs until the user quits.
    static func run(_ store: StoreLocation, for purpose: Purpose = .work) throws {
        var carried: CarriedOver?
        repeat {
            do {
                carried = try runWindow(store, carried, purpose)
            } catch {
                // Typed text is printed before the reason why it could not be kept.
                for text in carried?.texts ?? [] where !text.isEmpty { Console.note(text) }
                throw error
            }
        } while carried != nil
    }

    /// Runs until the program is to end.
    ///
    /// - Returns: the typed text, if the store is to be opened again instead.
    private static func runWindow(
        _ store: StoreLocation,
        _ carried: CarriedOver?,
        _ purpose: Purpose
    ) throws -> CarriedOver? {
        let environment = ProcessInfo.environment
        let settings = Settings.inTheirLanguage(environment)
        let clock = SystemClock(environment: environment)
        let window = Window(settings)
        defer { window.close() }
        guard let library = try store.open(clock, shownIn: window) else { return nil }
        defer { library.close() }
        if case .item(let id) = purpose { _ = try library.item(ItemReference(id)) }
        try library.welcome()
        let ending: (status: Int32, carried: CarriedOver?, addition: String?)
        do {
            ending = try run(library, window, clock, environment, carried, purpose)
        } catch let error as TerminalError {
            throw InputError(.malformed, "\(error)")
        }
        if purpose != .capture, ending.carried == nil, let words = ending.addition {
            window.close()
            Console.note(words)
        }
        if ending.carried == nil, ending.status != 0 { throw ExitCode(ending.status) }
        if purpose == .capture, ending.carried == nil {
            window.close()
            guard let addition = ending.addition else {
                throw InputError(.malformed, "Nothing was added.")
            }
            try Console.print(addition)
        }
        return ending.carried
    }

    private static func run(
        _ library: Library,
        _ window: Window,
        _ clock: SystemClock,
        _ environment: [String: String],
        _ carried: CarriedOver?,
        _ purpose: Purpose
    ) throws -> (status: Int32, carried: CarriedOver?, addition: String?) {
        let terminal = try window.terminal()
        let settings = window.settings
        let application = try Application(library: library, device: terminal, settings: settings)
        application.editor = editor(environment)
        application.workspace.settingsFile = SettingsFile(environment: environment)
        application.whenSettingsChange = { settings in
            clock.adopt(settings)
            terminal.reportMouse(settings.usesMouse)
        }
        let home = environment["HOME"] ?? ""
        application.launch = { words in
            let arguments = words.dropFirst().map { word in
                word.hasPrefix("~/") ? home + word.dropFirst() : word
            }
            return DetachedProcess.start(arguments, of: words[0]) != nil
        }
        application.keepDrafts(beside: library.path, forCapture: purpose == .capture)
        let state = purpose == .tour ? nil : stateFolder(environment)
        if let state { application.keepState(in: state) }
        application.remind(noting: state)
        application.notify = { DesktopNotification.send($0, waits: false) }
        let waker = terminal.waker
        application.wake = { waker.wake() }
        application.follow(library)
        if purpose != .tour {
            BackgroundSync.connect(application, library, state) { waker.wake() }
        }
        application.takeClockStep = { clock.takeStep() }
        let clockWatcher = ClockWatcher(zoneFile: clock.isZoneFixed ? nil : "/etc/localtime") {
            clock.step()
            waker.wake()
        }
        if settings.isLight == nil { terminal.askBackground() }
        for notice in library.openingNotices { application.warn(notice) }
        if let former = library.former { application.warn(former.upgradeNotice) }
        if let carried {
            try application.restore(carried)
        } else if purpose == .capture {
            application.capture()
        } else if purpose == .tour {
            try application.beginTour()
        } else if case .item(let id) = purpose {
            try application.show(library.item(ItemReference(id)))
        }
        let status = withExtendedLifetime(clockWatcher) { application.run() }
        let left = application.isSynchronizing ? "docket sync goes on in the background." : nil
        let addition = purpose == .capture ? application.addition : left
        return (status, application.carriedOver, addition)
    }

    /// Runs the interface as a conversation in lines, until the user quits or the input ends.
    static func converse(_ store: StoreLocation) throws {
        let environment = ProcessInfo.environment
        let clock = SystemClock(environment: environment)
        let library = try store.open(.reading, clock: clock, author: "interface")
        defer { library.close() }
        if !library.isReadOnly { try library.welcome() }
        let plain = try PlainInterface(
            library: library,
            settings: Settings.inTheirLanguage(environment),
            read: { prompt in
                try? Console.write(Array(prompt.utf8))
                guard (try? Console.flush()) != nil else { return nil }
                return readLine()
            },
            print: { try? Console.print($0) },
            lend: { try ForegroundProgram.run($0) }
        )
        let application = plain.application
        application.editor = editor(environment)
        application.workspace.settingsFile = SettingsFile(environment: environment)
        application.whenSettingsChange = { clock.adopt($0) }
        application.keepDrafts(beside: library.path)
        let state = stateFolder(environment)
        if let state { application.keepState(in: state) }
        BackgroundSync.connect(application, library, state)
        let status = plain.run()
        if status != 0 { throw ExitCode(status) }
    }

    /// Shows a store that `docket inspect` has opened, until the user quits.
    static func browse(_ inspector: StoreInspector) throws {
        var settings = Settings.inTheirLanguage(ProcessInfo.environment)
        let status: Int32
        do {
            var options = TerminalOptions()
            options.usesMouse = settings.usesMouse
            let terminal = try Terminal(options)
            defer { terminal.close() }
            settings.isLight = terminal.environmentIsLight
            let look = settings.look(colors: terminal.colors)
            let browser = try StoreBrowser(inspector, name: inspector.url.lastPathComponent)
            let window = BrowserWindow(
                browser,
                device: terminal,
                theme: look.theme,
                symbols: look.symbols
            )
            status = Language.$current.withValue(settings.time.language) { window.run() }
        } catch let error as TerminalError {
            throw InputError(.malformed, "\(error)")
        }
        if status != 0 { throw ExitCode(status) }
    }

    /// The folder for what the interface remembers; `nil` if there is no place for it.
    static func stateFolder(_ environment: [String: String]) -> String? {
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (state ?? home.map { "\($0)/.local/state" }).map { "\($0)/docket" }
    }

    /// The user's editor: `VISUAL`, else `EDITOR`, else vi; options may follow the name.
    static func editor(_ environment: [String: String]) -> [String] {
        for name in ["VISUAL", "EDITOR"] {
            let words = environment[name]?.split(separator: " ").map(String.init) ?? []
            if !words.isEmpty { return words }
        }
        return ["vi"]
    }
}

extension Settings {
    /// The user's settings, with what is wrong in them in the language that they choose.
    static func inTheirLanguage(_ environment: [String: String]) -> Settings {
        let settings = Settings(environment: environment)
        if settings.problems.isEmpty { return settings }
        return Language.$current.withValue(settings.time.language) {
            Settings(environment: environment)
        }
    }

    /// The settings of the user's file and of the environment.
    init(environment: [String: String]) {
        self.init(SettingsFile(environment: environment), environment: environment)
    }
}

extension NoteTemplates {
    /// Those beside the user's settings.
    static var ofUser: NoteTemplates {
        NoteTemplates(beside: SettingsFile(environment: ProcessInfo.environment))
    }
}
