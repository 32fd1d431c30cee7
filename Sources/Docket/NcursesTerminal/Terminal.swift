import CTerminal
import Glibc
public import TerminalUI

/// The real terminal: all of ncurses, the signals and the descriptors behind one object.
///
/// It belongs to the thread that opened it; other threads use its ``waker`` only. A process has at
/// most one, because ncurses, signals and standard input belong to the process.
///
/// ```
///  open ─→ drawing ⇄ lent (suspend, run) ─→ closed
/// ```
/// *Drawing* means: raw modes, alternate screen, our reports on, standard error held, crash
/// handlers armed. `enter()` does the whole change from lent to drawing, `leave()` the change back.
public final class Terminal: TerminalDevice {
    public private(set) var size = Size(rows: 24, columns: 80)
    public var colors: Int { pairs.colors }
    public internal(set) var options: TerminalOptions
    /// Whether the background is light, according to the environment (COLORFGBG).
    public let environmentIsLight: Bool?
    /// For other threads.
    public let waker: Waker

    /// One byte for each signal can be read here.
    let signals: Int32
    var pairs: ColorPairs
    var decoder: InputDecoder
    /// The content of the screen; nil if unknown.
    var shown: Canvas?
    var cursorIsVisible: Bool?
    /// The pictures of the protocol of kitty that the terminal has, and where it shows them.
    var placements: Set<PicturePlacement> = []
    var isDrawing = false
    var reportsAreOn = false
    /// Whether the size has changed without an event yet.
    var sizeIsNews = false
    /// Signals that were read at a moment when they could not be handled.
    var pendingSignals: [Int32] = []
    /// Whether an answer to a question may still come.
    var questionTime: ContinuousClock.Instant?
    var modes: Modes

    /// Opens the terminal on standard input and output, and starts drawing.
    ///
    /// - Throws: `TerminalError`, before anything is written.
    public init(_ options: TerminalOptions = TerminalOptions()) throws(TerminalError) {
        try Terminal.check()
        Terminal.setCharacters()
        guard cterminal_save_modes() else {
            throw .system(operation: "reading its modes", code: errno)
        }
        cterminal_set_width { Int32(DisplayWidth.ofScalar($0)) }
        try Terminal.start()
        let signals = cterminal_signals_install()
        let event = cterminal_make_event()
        guard signals >= 0, event >= 0 else {
            let code = errno
            endwin()
            throw .system(operation: "making its descriptors", code: code)
        }
        var options = options
        if let value = Terminal.environment("NO_COLOR"), !value.isEmpty {
            options.isMonochrome = true
        }
        self.options = options
        self.signals = signals
        waker = Waker(descriptor: event)
        pairs = ColorPairs(isMonochrome: options.isMonochrome)
        decoder = InputDecoder(seeds: Capabilities.keySeeds())
        modes = Modes(options: options, name: Terminal.environment("TERM") ?? "")
        environmentIsLight = Terminal.environment("COLORFGBG").flatMap {
            TerminalBackground.isLight(colorFGBG: $0)
        }
        Terminal.setModes()
        enter()
        sizeIsNews = false
    }

    deinit { close() }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    private static func check() throws(TerminalError) {
        if isatty(STDIN_FILENO) == 0 { throw .notATerminal(stream: "input") }
        if isatty(STDOUT_FILENO) == 0 { throw .notATerminal(stream: "output") }
        let name = environment("TERM") ?? ""
        if name.isEmpty || name == "dumb" || name == "unknown" { throw .dumb(name: name) }
    }

    /// Characters are UTF-8, whatever the locale says.
    private static func setCharacters() {
        setlocale(LC_CTYPE, "")
        if let name = nl_langinfo(Int32(CODESET)), String(cString: name) != "UTF-8" {
            setlocale(LC_CTYPE, "C.UTF-8")
        }
    }

    /// Opens the screen as the terminal's name says, else as xterm's.
    ///
    /// Uses `newterm`, because `initscr` ends the process if TERM is unknown, and a minimal Debian
    /// does not know kitty and foot. A system without any description gets one from here.
    private static func start() throws(TerminalError) {
        guard cterminal_open(nil) || cterminal_open("xterm-256color") || openWithOwnDescription()
        else {
            throw .unknownTerminal(name: environment("TERM") ?? "")
        }
        guard Capabilities.string("cup") != nil else {
            endwin()
            throw .dumb(name: environment("TERM") ?? "")
        }
    }

    /// Opens it with the description in `Resources/Terminals`, which ncurses reads from a variable
    /// (`infocmp -Q2` has written it); other programs do not get the variable.
    private static func openWithOwnDescription() -> Bool {
        let former = environment("TERMINFO")
        let own = PackageResources.xterm_256color_terminfo
        setenv("TERMINFO", String(decoding: own, as: UTF8.self), 1)
        defer { if let former { setenv("TERMINFO", former, 1) } else { unsetenv("TERMINFO") } }
        return cterminal_open("xterm-256color")
    }

    private static func setModes() {
        let screen = cterminal_screen()
        // Otherwise refresh polls the keyboard and may stop in the middle of a frame.
        typeahead(-1)
        raw()
        noecho()
        nonl()
        keypad(screen, true)
        intrflush(screen, false)
        idlok(screen, false)
        leaveok(screen, false)
    }

    /// Takes over the tty's size.
    ///
    /// - Returns: whether it has changed.
    @discardableResult
    func measure() -> Bool {
        var rows: Int32 = 0
        var columns: Int32 = 0
        if cterminal_size(&rows, &columns) {
            resize_term(rows, columns)
        } else {
            // A serial line has no size: use the one from the environment or the terminal's
            // description.
            rows = cterminal_lines()
            columns = cterminal_columns()
        }
        let now = Size(rows: Int(rows), columns: Int(columns))
        guard now != size else { return false }
        size = now
        return true
    }
}
