import CTerminal
import TerminalUI

/// The open terminal's description.
enum Capabilities {
    /// A string capability; nil when the terminal lacks it.
    static func string(_ name: String) -> [UInt8]? {
        // A capability of another type is told by the address -1.
        guard let text = tigetstr(name), Int(bitPattern: text) != -1 else { return nil }
        let bytes = Array(String(cString: text).utf8)
        return bytes.isEmpty ? nil : bytes
    }

    /// What the terminal's keys send.
    static func keySeeds() -> [KeySeed] {
        KeySeed.capabilities.compactMap { name, key in
            string(name).map { KeySeed(bytes: $0, key: key) }
        }
    }
}
