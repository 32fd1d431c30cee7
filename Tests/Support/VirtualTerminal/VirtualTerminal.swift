import CVirtualTerminal
import ChildProcess
import Glibc

/// Why a wait on a program ended without what was waited for.
package struct VirtualTerminalError: Error, CustomStringConvertible {
    package let description: String
}

/// A program on a pseudo terminal, and what a terminal emulator makes of its output.
///
/// Tests wait on conditions with a deadline and never sleep: each wait takes in output until the
/// condition holds, and fails with the screen's contents.
package final class VirtualTerminal {
    package private(set) var rows: Int
    package private(set) var columns: Int
    /// All bytes that the program wrote.
    package private(set) var output: [UInt8] = []
    private let terminal: OpaquePointer

    /// Starts a program in a pinned environment: TERM, LC_ALL, TZ, HOME and PATH, changed and added
    /// to by `environment`; an empty value takes a variable away.
    package init(
        _ path: String,
        arguments: [String] = [],
        environment: [String: String] = [:],
        rows: Int = 24,
        columns: Int = 80
    ) throws {
        var variables = [
            "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": "/nonexistent",
            // The backtracer asks questions on a terminal.
            "SWIFT_BACKTRACE": "enable=no",
            // Built with a sanitizer, a program must end with the code of its own.
            "LSAN_OPTIONS": getenv("LSAN_OPTIONS").map { String(cString: $0) } ?? "",
            "PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin",
        ]
        variables.merge(environment) { $1 }
        let words = variables.filter { !$0.value.isEmpty }.map { "\($0.key)=\($0.value)" }
        self.rows = rows
        self.columns = columns
        let started = withWords([path] + arguments) { arguments in
            withWords(words.sorted()) { environment in
                virtual_spawn(path, arguments, environment, Int32(rows), Int32(columns))
            }
        }
        guard let started else {
            throw VirtualTerminalError(description: "\(path) could not be started")
        }
        terminal = started
    }

    deinit { virtual_close(terminal) }

    /// The path of an executable that the package builds, beside the running tests.
    package static func product(_ name: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(
            decoding: buffer[..<max(0, count)].map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return (folder + [name[...]]).joined(separator: "/")
    }

    // MARK: Waiting

    /// Takes in output until a condition holds.
    /// - Throws: `VirtualTerminalError` with the screen when it does not in time.
    package func wait(
        for what: String,
        within limit: Duration = .seconds(20),
        until condition: () -> Bool
    ) throws {
        let deadline = ContinuousClock.now + limit
        while !condition() {
            guard ContinuousClock.now < deadline else {
                throw VirtualTerminalError(
                    description: "waited in vain for \(what); the screen shows:\n"
                        + screen.joined(separator: "\n")
                )
            }
            pump(milliseconds: 20)
        }
    }

    /// Takes in output until a text shows somewhere on the screen.
    package func wait(forText text: String, within limit: Duration = .seconds(20)) throws {
        try wait(for: "“\(text)”", within: limit) { screen.contains { $0.contains(text) } }
    }

    /// Takes in output until the program ends.
    /// - Returns: its exit status, or minus the signal that ended it.
    package func waitForEnd(within limit: Duration = .seconds(20)) throws -> Int {
        var status: Int32 = 0
        try wait(for: "the program's end", within: limit) { virtual_ended(terminal, &status) }
        while pump(milliseconds: 0) > 0 {}
        return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : -Int(status & 0x7F)
    }

    @discardableResult
    private func pump(milliseconds: Int32) -> Int {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Int(virtual_pump(terminal, milliseconds, &buffer, buffer.count))
        if count > 0 { output += buffer[..<count] }
        return count
    }

    // MARK: Typing

    /// Sends bytes, taking in output while the program does not read.
    package func send(_ bytes: [UInt8]) throws {
        let deadline = ContinuousClock.now + .seconds(20)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBufferPointer {
                virtual_send(terminal, $0.baseAddress, $0.count)
            }
            guard count >= 0, ContinuousClock.now < deadline else {
                throw VirtualTerminalError(description: "the program does not read its input")
            }
            sent += count
            pump(milliseconds: count == 0 ? 10 : 0)
        }
    }

    /// Types text; escape sequences are sent as they are.
    package func type(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Pastes text as a terminal with bracketed paste does.
    package func paste(_ text: String) throws {
        try type("\u{1B}[200~\(text)\u{1B}[201~")
    }

    package func resize(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
        virtual_resize(terminal, Int32(rows), Int32(columns))
    }

    /// Sends a signal to the program.
    package func signal(_ number: Int32) {
        // Zero and below would mean whole groups of processes.
        precondition(process > 0, "the program was never started")
        kill(process, number)
    }

    /// Takes the terminal away, as closing its window does.
    package func hangUp() {
        virtual_hang_up(terminal)
    }

    package var process: Int32 { virtual_process(terminal) }

    /// The tty's modes, to be compared.
    package var modes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = virtual_modes(terminal, &bytes, bytes.count)
        return Array(bytes[..<count])
    }

    // MARK: The screen

    package struct Cell: Equatable {
        package enum Color: Equatable {
            case standard
            case indexed(Int)
            case rgb(Int)
        }

        package var text: String
        package var width: Int
        package var foreground: Color
        package var background: Color
        package var bold: Bool
        package var italic: Bool
        package var underline: Bool
        package var reverse: Bool
    }

    package func cell(row: Int, column: Int) -> Cell {
        var cell = virtual_cell()
        virtual_get_cell(terminal, Int32(row), Int32(column), &cell)
        return Cell(
            text: text(of: cell),
            width: Int(cell.width),
            foreground: color(cell.foreground_kind, cell.foreground),
            background: color(cell.background_kind, cell.background),
            bold: cell.bold,
            italic: cell.italic,
            underline: cell.underline,
            reverse: cell.reverse
        )
    }

    private func text(of cell: virtual_cell) -> String {
        var scalars = String.UnicodeScalarView()
        withUnsafeBytes(of: cell.scalars) { bytes in
            for value in bytes.bindMemory(to: UInt32.self) where value != 0 {
                guard let scalar = Unicode.Scalar(value) else { return }
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    private func color(_ kind: Int32, _ value: Int32) -> Cell.Color {
        switch Int(kind) {
        case VIRTUAL_COLOR_INDEXED: .indexed(Int(value))
        case VIRTUAL_COLOR_RGB: .rgb(Int(value))
        default: .standard
        }
    }

    /// A row's text, without the blanks at its end.
    package func row(_ row: Int) -> String {
        var text = ""
        var column = 0
        while column < columns {
            let cell = cell(row: row, column: column)
            text += cell.text.isEmpty ? " " : cell.text
            column += max(1, cell.width)
        }
        while text.last == " " { text.removeLast() }
        return text
    }

    package var screen: [String] { (0..<rows).map(row) }

    /// The cursor's row and column, or nil while it is hidden.
    package var cursor: (row: Int, column: Int)? {
        let state = state
        return state.visible ? (Int(state.row), Int(state.column)) : nil
    }

    /// Whether the alternate screen shows.
    package var isAlternate: Bool { state.alternate }
    /// Whether the program asked for mouse reports.
    package var reportsMouse: Bool { state.reports_mouse }

    private var state: virtual_state {
        var state = virtual_state()
        virtual_get_state(terminal, &state)
        return state
    }
}
