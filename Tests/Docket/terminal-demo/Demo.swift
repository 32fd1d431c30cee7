import Glibc
import NcursesTerminal
import TerminalUI

/// Writes to standard error.
func complain(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// The state of the demonstration and its loop.
struct Demo {
    static let samples = [
        "plain text", "会議の議事録", "Cafe\u{301} a\u{308}\u{323}", "👍🏽 ok", "家族 👨‍👩‍👧‍👦 dinner", "🇯🇵 trip",
        "한국어 문서", "tab\there", "bell\u{7}here", "\u{1FAE8} new",
    ]

    let terminal: Terminal
    let theme: Theme
    let mailbox: Mailbox<String>
    var list = ListView(count: 100)
    var field = TextField()
    var isTyping = false
    var last = "none"
    var note = ""
    var frames = 0

    init(terminal: Terminal) {
        self.terminal = terminal
        theme = .suited(colors: terminal.colors, isLight: false, noColor: terminal.colors == 0)
        let waker = terminal.waker
        mailbox = Mailbox { waker.wake() }
    }

    /// Runs until the program is asked to end.
    mutating func run() -> Int32 {
        while true {
            present()
            for event in terminal.events(until: nil) {
                if let status = act(on: event) { return status }
            }
        }
    }

    private mutating func present() {
        frames += 1
        list.layout(rows: terminal.size.rows - 3)
        var canvas = Canvas(size: terminal.size)
        render(into: &canvas)
        terminal.present(canvas)
    }

    private func render(into canvas: inout Canvas) {
        let columns = canvas.columns
        let size = "\(canvas.rows)x\(columns)"
        canvas.put(
            "demo \(size) colors \(terminal.colors)",
            at: Position(row: 0, column: 0),
            width: columns,
            style: theme[.statusLine]
        )
        let rows = max(0, canvas.rows - 3)
        canvas.draw(in: Rect(row: 1, column: 0, rows: rows, columns: columns)) { canvas in
            list.render(into: &canvas, theme: theme, isFocused: !isTyping) { row, canvas in
                let text = "\(row.index) \(Demo.samples[row.index % Demo.samples.count])|"
                canvas.put(
                    text,
                    at: Position(row: 0, column: 0),
                    width: canvas.columns,
                    style: theme[row.index == 1 ? .priorityHigh : .text]
                )
            }
        }
        canvas.put(
            "last: \(last) note: \(note)",
            at: Position(row: canvas.rows - 2, column: 0),
            width: columns
        )
        canvas.draw(in: Rect(row: canvas.rows - 1, column: 0, rows: 1, columns: columns)) {
            field.render(into: &$0, theme: theme, isFocused: isTyping)
        }
    }

    /// Returns the exit status when the program is to end.
    private mutating func act(on event: TerminalEvent) -> Int32? {
        switch event {
        case .input(let input): return act(on: input)
        case .resized(let size): note = "resized \(size.rows)x\(size.columns)"
        case .resumed: note = "resumed"
        case .suspensionAsked: suspend()
        case .terminationAsked(let signal): return 128 + signal
        case .woken: note = mailbox.take().joined(separator: ",")
        case .timedOut: note = "timed out"
        }
        return nil
    }

    private mutating func act(on input: InputEvent) -> Int32? {
        switch input {
        case .key(let key):
            last = "\(key)"
            if isTyping, key != .escape, key != .enter {
                _ = field.handle(key)
                return nil
            }
            return act(on: key)
        case .paste(let text):
            last = "paste \(text.utf8.count)"
            if isTyping { _ = field.handle(input) }
        case .mouse(let event):
            last = "mouse \(event.kind) \(event.position.row),\(event.position.column)"
            let area = Rect(
                row: 1,
                column: 0,
                rows: terminal.size.rows - 3,
                columns: terminal.size.columns
            )
            _ = list.handle(event, in: area)
        case .focus(let has): last = has ? "focus" : "blur"
        case .report(let report): last = "report \(report)"
        }
        return nil
    }

    private mutating func act(on key: Key) -> Int32? {
        switch key {
        case Key("q"): return 0
        case Key("i"): isTyping = true
        case .escape, .enter: isTyping = false
        case .ctrl("z"): suspend()
        case Key("e"): edit()
        case Key("w"): work()
        case Key("b"): terminal.askBackground()
        case Key("c"): note = "copied \(terminal.copy("Grüße"))"
        case Key("t"): terminal.setTitle("demo title")
        case Key("x"): complain("an error line\n")
        case Key("!"): crash()
        case Key("@"): raise(SIGABRT)
        case Key("&"): note = "\(overflow(1))"
        case Key("$"): exit(7)
        default: _ = list.handle(key)
        }
        return nil
    }

    private mutating func suspend() {
        terminal.suspend()
        note = "back"
    }

    private mutating func edit() {
        let editor = getenv("EDITOR").map { String(cString: $0) } ?? "vi"
        do {
            let words = editor.split(separator: " ").map(String.init)
            note = "editor \(try terminal.run(words))"
        } catch {
            note = "\(error)"
        }
    }

    /// Three messages from other threads.
    private func work() {
        let mailbox = mailbox
        Task.detached {
            for number in 1...3 { mailbox.post("message \(number)") }
        }
    }

    private func crash() {
        let empty: [Int] = []
        _ = empty[frames]
    }

    private func overflow(_ depth: Int) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
            bytes[0] = UInt8(truncatingIfNeeded: depth)
            return depth == .max ? 0 : overflow(depth + 1) + Int(bytes[0])
        }
    }
}
