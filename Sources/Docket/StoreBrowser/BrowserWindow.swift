import Phrases
public import TerminalUI

/// A program around a browser: its terminal, its head and foot, its keys.
///
/// The loop handles all events that arrived together and presents one frame.
public final class BrowserWindow {
    let browser: StoreBrowser
    private let device: any TerminalDevice
    private let theme: Theme
    private let symbols: Symbols
    /// The text being typed as a filter; `nil` if none is.
    private var field: TextField?
    private var message: String?
    private var status: Int32?
    private let actions: [Key: BrowserAction]

    /// - Parameters:
    ///   - browser: the store.
    ///   - device: the terminal.
    ///   - theme: the styles.
    ///   - symbols: the characters for lines.
    public init(
        _ browser: StoreBrowser,
        device: any TerminalDevice,
        theme: Theme,
        symbols: Symbols
    ) {
        self.browser = browser
        self.device = device
        self.theme = theme
        self.symbols = symbols
        var actions: [Key: BrowserAction] = [:]
        for action in BrowserAction.allCases {
            for case let key? in action.keys.map({ try? Key(spelling: $0) }) {
                actions[key] = action
            }
        }
        self.actions = actions
        browser.askForFilter = { [weak self] in
            self?.field = (self?.browser.presentFilter).map { TextField($0) }
        }
    }

    /// Runs until the user quits or the system asks for it.
    ///
    /// - Returns: the exit status.
    public func run() -> Int32 {
        device.setTitle(browser.name)
        var isStale = true
        while true {
            if isStale { present() }
            let events = device.events(until: nil)
            isStale = events.contains { $0 != .timedOut && $0 != .woken }
            for event in events { handle(event) }
            if let status { return status }
        }
    }

    // MARK: Input

    func handle(_ event: TerminalEvent) {
        switch event {
        case .input(.key(let key)):
            message = nil
            telling { try handle(key) }
        case .input(.paste(let text)):
            guard field != nil else { return }
            field?.insert(text)
            browser.follow(filter: field?.text ?? "")
        case .input(.mouse(let mouse)):
            if field == nil { telling { try browser.handle(mouse, in: body) } }
        case .suspensionAsked: device.suspend()
        case .terminationAsked(let signal): status = signal == 0 ? 0 : 128 + signal
        case .input, .resized, .resumed, .woken, .timedOut: break
        }
    }

    private func telling(_ work: () throws -> Void) {
        do { try work() } catch { message = DisplayWidth.singleLine("\(error)") }
    }

    private func handle(_ key: Key) throws {
        if key == .ctrl("c") {
            status = 0
            return
        }
        if field != nil { return try edit(key) }
        if let action = actions[key] { return try browser.perform(action) }
        switch key {
        case Key("q"): status = 0
        case .escape: _ = browser.leaveLevel()
        case .ctrl("l"): device.redraw()
        case Key("j"), .down: browser.move(by: 1)
        case Key("k"), .up: browser.move(by: -1)
        case Key("g"), .home: browser.moveToEnd(first: true)
        case Key("G"), .end: browser.moveToEnd(first: false)
        case .ctrl("d"), .ctrl("f"), .pageDown: browser.page(1)
        case .ctrl("u"), .ctrl("b"), .pageUp: browser.page(-1)
        default: break
        }
    }

    private func edit(_ key: Key) throws {
        switch key {
        case .escape:
            field = nil
            try browser.apply(filter: "")
        case .enter:
            let text = field?.text ?? ""
            field = nil
            try browser.apply(filter: text)
        default:
            _ = field?.handle(key)
            browser.follow(filter: field?.text ?? "")
        }
    }

    // MARK: Drawing

    /// Between head and foot.
    private var body: Rect {
        Rect(device.size).inset(top: min(1, device.size.rows)).inset(
            bottom: device.size.rows > 1 ? 1 : 0
        )
    }

    /// Shows one frame.
    func present() {
        var canvas = Canvas(size: device.size, symbols: symbols)
        drawHead(&canvas)
        canvas.draw(in: body) { browser.render(into: &$0, theme: theme, isFocused: field == nil) }
        if canvas.rows > 1 { drawFoot(&canvas) }
        device.present(canvas)
    }

    private func drawHead(_ canvas: inout Canvas) {
        let area = Rect(row: 0, column: 0, rows: min(1, canvas.rows), columns: canvas.columns)
        let facts = browser.facts.joined(separator: symbols == .ascii ? " - " : " · ") + " "
        canvas.fill(area, style: theme[.statusLine])
        let width = DisplayWidth.of(facts)
        let room = area.columns - 1
        if width + 20 <= room {
            canvas.put(
                facts,
                at: Position(row: 0, column: area.columns - width),
                style: theme[.statusLine]
            )
        }
        canvas.put(
            browser.name,
            at: Position(row: 0, column: 1),
            width: max(0, width + 20 <= room ? room - width - 1 : room),
            style: theme[.statusLine].overlaid(by: theme[.title])
        )
    }

    private func drawFoot(_ canvas: inout Canvas) {
        let row = canvas.rows - 1
        if var field {
            canvas.put(" / ", at: Position(row: row, column: 0), style: theme[.hintKey])
            let place = Rect(row: row, column: 3, rows: 1, columns: max(0, canvas.columns - 3))
            field.layout(columns: place.columns)
            canvas.draw(in: place) { field.render(into: &$0, theme: theme, isFocused: true) }
            return
        }
        if let message {
            canvas.put(
                " \(message)",
                at: Position(row: row, column: 0),
                width: canvas.columns,
                style: theme[.warning]
            )
            return
        }
        var runs: [TextRun] = []
        for (key, text) in hints {
            runs.append(TextRun(" \(key)", theme[.hintKey]))
            runs.append(TextRun(" \(text) ", theme[.hintText]))
        }
        canvas.put(runs, at: Position(row: row, column: 0), width: canvas.columns)
    }

    private var hints: [(String, String)] {
        let signs = symbols == .ascii ? [:] : ["enter": "⏎", "backspace": "⌫"]
        return BrowserAction.allCases.map { action in
            let key = action.keys.first ?? ""
            return (signs[key] ?? key, localized(Phrase(stringLiteral: action.hint)))
        } + [("q", localized("quit"))]
    }
}
