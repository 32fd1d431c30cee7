import DocketApp
import DocketCore
import NcursesTerminal
import Synchronization
import TerminalUI

/// The terminal of the interface, which is taken when there is something to show.
final class Window {
    /// The user's settings; after the terminal was taken also what it reports.
    private(set) var settings: Settings
    private var taken: Terminal?
    private let alarm = Alarm()

    /// Wakes the terminal once there is one.
    private final class Alarm: Sendable {
        let body = Mutex<@Sendable () -> Void>({})
    }

    init(_ settings: Settings) { self.settings = settings }

    /// Wakes whoever waits for events of the terminal; may be called from any thread.
    var wake: @Sendable () -> Void {
        let alarm = alarm
        return { alarm.body.withLock { $0 }() }
    }

    /// The terminal; the first call takes it.
    func terminal() throws -> Terminal {
        if let taken { return taken }
        var options = TerminalOptions()
        options.usesMouse = settings.usesMouse
        let terminal = try Terminal(options)
        taken = terminal
        settings.isLight = terminal.environmentIsLight
        let waker = terminal.waker
        alarm.body.withLock { $0 = { waker.wake() } }
        return terminal
    }

    /// Gives the terminal back.
    func close() {
        alarm.body.withLock { $0 = {} }
        taken?.close()
        taken = nil
    }

    /// Waits until a library is open; shows what is done if that takes longer than a moment.
    ///
    /// - Returns: false if the user has left before.
    func wait(for opening: LibraryOpening, name: String) throws -> Bool {
        if opening.wait(atMost: .milliseconds(40)) { return true }
        let terminal = try terminal()
        terminal.setTitle("Docket")
        return OpeningScreen(device: terminal, settings: settings, name: name).run(opening)
    }
}
