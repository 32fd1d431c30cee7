import TerminalUI

/// The form of keys for people: shorter than the spelling of key maps.
enum KeyLabel {
    private static let signs: [Key.Code: (sign: String, plain: String)] = [
        .character(" "): ("␣", "Space"), .enter: ("⏎", "Enter"), .tab: ("⇥", "Tab"),
        .escape: ("Esc", "Esc"), .backspace: ("⌫", "BkSp"), .delete: ("Del", "Del"),
        .up: ("↑", "Up"), .down: ("↓", "Down"), .left: ("←", "Left"), .right: ("→", "Right"),
        .home: ("Home", "Home"), .end: ("End", "End"), .pageUp: ("PgUp", "PgUp"),
        .pageDown: ("PgDn", "PgDn"),
    ]

    static func of(_ keys: [Key], ascii: Bool) -> String {
        let labels = keys.map { of($0, ascii: ascii) }
        let areShort = labels.allSatisfy { $0.count == 1 }
        return labels.joined(separator: areShort ? "" : " ")
    }

    static func of(_ key: Key, ascii: Bool) -> String {
        var label = ""
        if key.modifiers.contains(.ctrl) { label += "^" }
        if key.modifiers.contains(.alt) { label += ascii ? "Alt-" : "⌥" }
        if key.modifiers.contains(.shift) { label += ascii ? "Shift-" : "⇧" }
        if let sign = signs[key.code] { return label + (ascii ? sign.plain : sign.sign) }
        switch key.code {
        case .character(let character):
            let isControl = key.modifiers.contains(.ctrl)
            return label + (isControl ? String(character).uppercased() : String(character))
        case .function(let number): return label + "F\(number)"
        default: return "\(key)"
        }
    }

    /// The key that a label names; `nil` for one that names several.
    static func key(_ label: String) -> Key? {
        for (prefix, modifier) in [("^", Key.Modifiers.ctrl), ("⌥", .alt), ("Alt-", .alt)] {
            guard label.count > prefix.count, label.hasPrefix(prefix),
                let plain = key(label.dropFirst(prefix.count).lowercased())
            else { continue }
            return Key(plain.code, plain.modifiers.union(modifier))
        }
        if label.first == "F", let number = Int(label.dropFirst()) { return Key(.function(number)) }
        let names = signs.first {
            $0.value.sign == label || $0.value.plain.lowercased() == label.lowercased()
        }
        if let code = names?.key { return Key(code) }
        return label.count == 1 ? label.first.map { Key($0) } : nil
    }
}
