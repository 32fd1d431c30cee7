import TerminalUI

/// The bytes that turn our reports on and off, and those that undo everything after a crash.
struct Modes {
    /// Bracketed paste, focus, mouse, keyboard: written after ncurses' own.
    let on: [UInt8]
    /// The same in reverse.
    let off: [UInt8]

    init(options: TerminalOptions, name: String) {
        var on = "\u{1B}[?2004h\u{1B}[?1004h"
        var off = "\u{1B}[?2004l\u{1B}[?1004l"
        if options.usesMouse {
            on += "\u{1B}[?1002h\u{1B}[?1006h"
            off = "\u{1B}[?1006l\u{1B}[?1002l" + off
        }
        // The Linux console would print the sequences that it does not know.
        if options.usesKeyboardProtocol, !name.hasPrefix("linux") {
            on += "\u{1B}[>1u"
            off = "\u{1B}[<u" + off
        }
        self.on = Array(on.utf8)
        self.off = Array(off.utf8)
    }

    /// The bytes that restore the terminal for the shell: no open update, our reports off, plain
    /// text, a visible cursor, the former keypad mode and screen.
    func restoring() -> [UInt8] {
        var bytes = Array("\u{1B}[?2026l".utf8) + off
        for name in ["sgr0", "cnorm", "rmkx", "rmcup"] {
            bytes += (Capabilities.string(name) ?? []).withoutPadding
        }
        return bytes
    }
}

extension [UInt8] {
    /// A capability without its `$<…>` delays, which only `tputs` understands.
    fileprivate var withoutPadding: [UInt8] {
        var result: [UInt8] = []
        var place = 0
        while place < count {
            if self[place] == 0x24, place + 1 < count, self[place + 1] == 0x3C,
                let end = self[place...].firstIndex(of: 0x3E)
            {
                place = end + 1
            } else {
                result.append(self[place])
                place += 1
            }
        }
        return result
    }
}
