import CTerminal
import TerminalUI

/// The open terminal's description.
enum Capabilities {
    /// A string capability; nil if the terminal does not have it.
    static func string(_ name: String) -> [UInt8]? {
        // The address -1 means a capability of another type.
        guard let text = tigetstr(name), Int(bitPattern: text) != -1 else { return nil }
        let bytes = Array(String(cString: text).utf8)
        return bytes.isEmpty ? nil : bytes
    }

    /// The key strings of the terminal.
    static func keySeeds() -> [KeySeed] {
        KeySeed.capabilities.compactMap { name, key in
            string(name).map { KeySeed(bytes: $0, key: key) }
        }
    }
}
