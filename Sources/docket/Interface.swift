import DocketApp
import DocketCore
import FoundationEssentials
import Glibc
import NcursesTerminal

/// The interactive interface: opens the library and the terminal and runs the application.
enum Interface {
    static func run(_ store: StoreLocation) throws {
        let environment = ProcessInfo.processInfo.environment
        let settings = Settings(environment: environment)
        let clock = SystemClock(environment: environment)
        let library = try store.open(.reading, author: "interface", clock: clock)
        try library.welcome()
        let status: Int32
        do {
            status = try run(library, store.file().path, clock, settings, environment)
        } catch let error as TerminalError {
            library.close()
            throw InputError(.malformed, "\(error)")
        }
        library.close()
        if status != 0 { Glibc.exit(status) }
    }

    private static func run(
        _ library: Library,
        _ path: String,
        _ clock: SystemClock,
        _ settings: Settings,
        _ environment: [String: String]
    ) throws -> Int32 {
        var options = TerminalOptions()
        options.usesMouse = settings.usesMouse
        let terminal = try Terminal(options)
        defer { terminal.close() }
        var settings = settings
        settings.isLight = terminal.environmentIsLight
        let application = try Application(library: library, device: terminal, settings: settings)
        application.editor = editor(environment)
        application.follow(library)
        application.keepDrafts(beside: path)
        let waker = terminal.waker
        application.wake = { waker.wake() }
        let watcher = StoreWatcher(path: path) { waker.wake() }
        application.looksAtInput = watcher == nil
        application.takeClockStep = { clock.takeStep() }
        let clockWatcher = ClockWatcher(zoneFile: clock.isZoneFixed ? nil : "/etc/localtime") {
            clock.step()
            waker.wake()
        }
        if settings.isLight == nil { terminal.askBackground() }
        return withExtendedLifetime((watcher, clockWatcher)) { application.run() }
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
        let folder =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? "\(environment["HOME"] ?? "")/.config"
        let url = URL(filePath: "\(folder)/docket/config.toml")
        if let bytes = try? Data(contentsOf: url) {
            read(String(decoding: bytes, as: UTF8.self), name: "config.toml")
        }
        noColor = !(environment["NO_COLOR"] ?? "").isEmpty
        let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? ""
        // The plain C locale promises no more than ASCII.
        if environment["DOCKET_ASCII"] != nil || locale == "C" || locale == "POSIX" {
            isASCII = true
        }
    }
}
