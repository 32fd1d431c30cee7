import Glibc

/// Why a terminal cannot be used for drawing, or why a program could not be run in it.
public enum TerminalError: Error, Equatable, CustomStringConvertible {
    /// Standard input or output is a file or a pipe.
    case notATerminal(stream: String)
    /// The terminal cannot place the cursor: TERM is missing, `dumb` or the like.
    case dumb(name: String)
    /// Neither the terminal's own description nor that of xterm-256color is installed.
    case unknownTerminal(name: String)
    /// The system refused what the terminal needs.
    case system(operation: String, code: Int32)
    /// A program could not be started.
    case cannotRun(program: String, code: Int32)

    public var description: String {
        switch self {
        case .notATerminal(let stream):
            "Standard \(stream) is not a terminal: start the program in a terminal, without "
                + "redirecting its input or output."
        case .dumb(let name):
            "The terminal \(name.isEmpty ? "has no name (TERM is not set)" : "“\(name)”") cannot "
                + "place the cursor: set TERM to the terminal's real name, xterm-256color for "
                + "example."
        case .unknownTerminal(let name):
            "The terminal “\(name)” is unknown, and so is xterm-256color: install the package "
                + "ncurses-base or ncurses-term."
        case .system(let operation, let code):
            "The terminal cannot be used because \(operation) failed: \(reason(code))."
        case .cannotRun(let program, let code):
            "“\(program)” cannot be run: \(reason(code)). Check that it is installed and in PATH."
        }
    }

    private func reason(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
