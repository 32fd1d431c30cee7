import ArgumentParser
import DocketApp
import DocketCore
import DocketFormats
import FileEvents
import FoundationEssentials
import Glibc
import NcursesTerminal
import ObjectGraph
import StoreBrowser
import StoreExploring

/// The interactive interface: opens the library and the terminal and runs the application.
enum Interface {
    /// Runs until the user quits; with `capturesOnly` only the line of quick capture is shown.
    static func run(_ store: StoreLocation, capturesOnly: Bool = false) throws {
        var carried: CarriedOver?
        repeat {
            do {
                carried = try runWindow(store, carried, capturesOnly: capturesOnly)
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
        capturesOnly: Bool
    ) throws -> CarriedOver? {
        let environment = ProcessInfo.environment
        let settings = Settings(environment: environment)
        let clock = SystemClock(environment: environment)
        let window = Window(settings)
        defer { window.close() }
        guard let library = try store.open(clock, shownIn: window) else { return nil }
        defer { library.close() }
        try library.welcome()
        let ending: (status: Int32, carried: CarriedOver?, addition: String?)
        do {
            ending = try run(library, window, clock, environment, carried, capturesOnly)
        } catch let error as TerminalError {
            throw InputError(.malformed, "\(error)")
        }
        if ending.carried == nil, ending.status != 0 {
            library.close()
            window.close()
            Glibc.exit(ending.status)
        }
        if capturesOnly, ending.carried == nil {
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
        _ capturesOnly: Bool
    ) throws -> (status: Int32, carried: CarriedOver?, addition: String?) {
        let terminal = try window.terminal()
        let settings = window.settings
        let application = try Application(library: library, device: terminal, settings: settings)
        application.editor = editor(environment)
        let home = environment["HOME"] ?? ""
        application.launch = { words in
            let arguments = words.dropFirst().map { word in
                word.hasPrefix("~/") ? home + word.dropFirst() : word
            }
            return DetachedProcess.start(arguments, of: words[0]) != nil
        }
        application.keepDrafts(beside: library.path)
        let state = stateFolder(environment)
        if let state { application.keepState(in: state) }
        application.remind(noting: state)
        application.notify = { DesktopNotification.send($0, waits: false) }
        let waker = terminal.waker
        application.wake = { waker.wake() }
        application.follow(library)
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
        } else if capturesOnly {
            application.capture()
        }
        let status = withExtendedLifetime(clockWatcher) { application.run() }
        return (status, application.carriedOver, application.addition)
    }

    /// Shows a store that `docket inspect` has opened, until the user quits.
    static func browse(_ inspector: StoreInspector) throws {
        var settings = Settings(environment: ProcessInfo.environment)
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
            status = window.run()
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
    private static func editor(_ environment: [String: String]) -> [String] {
        for name in ["VISUAL", "EDITOR"] {
            let words = environment[name]?.split(separator: " ").map(String.init) ?? []
            if !words.isEmpty { return words }
        }
        return ["vi"]
    }
}

extension Settings {
    /// The settings of the user's file and of the environment.
    init(environment: [String: String]) {
        self.init()
        let path = Settings.path(environment)
        do {
            let file = try PlainFile(path)
            if file.size > Settings.longestFile {
                refuse("config.toml", "is not read: it has more than a megabyte.")
            } else {
                let bytes = try Data(contentsOf: URL(filePath: path))
                read(String(decoding: bytes, as: UTF8.self), name: "config.toml")
            }
        } catch let error as PlainFile.Problem where error.isMissing {
            // Without a file the defaults count.
        } catch let error as PlainFile.Problem {
            refuse("config.toml", "is not read: it \(error.reason).")
        } catch {
            refuse("config.toml", "cannot be read.")
        }
        noColor = !(environment["NO_COLOR"] ?? "").isEmpty
        let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? ""
        // The C locale guarantees only ASCII.
        if environment["DOCKET_ASCII"] != nil || locale == "C" || locale == "POSIX" {
            isASCII = true
        }
    }

    /// The path of the user's file.
    static func path(_ environment: [String: String]) -> String {
        let folder =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? "\(environment["HOME"] ?? "")/.config"
        return "\(folder)/docket/config.toml"
    }
}
