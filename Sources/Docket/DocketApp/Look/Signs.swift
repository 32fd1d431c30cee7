/// The characters of rows and bars, besides those of frames: Unicode, or ASCII.
public struct Signs: Hashable, Sendable {
    /// Of an open task, by priority: none, low, medium, high.
    var priorities: [String]
    var done: String
    var blocked: String
    var note: String
    var folded: String
    var unfolded: String
    var flag: String
    var separator: String
    var crumb: String
    var bullet: String
    var boxOpen: String
    var boxDone: String
    var quote: String
    var tag: String
    var backlink: String

    public static let unicode = Signs(
        priorities: ["○", "◔", "◑", "●"],
        done: "✓",
        blocked: "⊘",
        note: "✎",
        folded: "▸",
        unfolded: "▾",
        flag: "⚑",
        separator: "·",
        crumb: "›",
        bullet: "•",
        boxOpen: "☐",
        boxDone: "☑",
        quote: "▏",
        tag: "#",
        backlink: "←"
    )

    public static let ascii = Signs(
        priorities: ["o", "-", "=", "#"],
        done: "x",
        blocked: "%",
        note: "\"",
        folded: ">",
        unfolded: "v",
        flag: "*",
        separator: "-",
        crumb: ">",
        bullet: "*",
        boxOpen: "[ ]",
        boxDone: "[x]",
        quote: "|",
        tag: "#",
        backlink: "<-"
    )
}

/// A sign that the settings can change, by its name there.
public enum SignName: String, CaseIterable, Sendable {
    case open
    case low
    case medium
    case high
    case done
    case blocked
    case note
    case folded
    case unfolded
    case flag
    case separator
    case crumb
    case bullet
    case unticked
    case ticked
    case quote

    /// Some characters that suit it, the usual one first.
    var usual: [String] {
        switch self {
        case .open: ["○", "□", "◌", "o", "-"]
        case .low: ["◔", "◦", "-", "↓"]
        case .medium: ["◑", "◐", "=", "→"]
        case .high: ["●", "■", "◆", "#", "!", "↑"]
        case .done: ["✓", "✔", "×", "x", "■"]
        case .blocked: ["⊘", "⊗", "◇", "%", "z"]
        case .note: ["✎", "≡", "¶", "\""]
        case .folded: ["▸", "▶", "+", ">"]
        case .unfolded: ["▾", "▼", "-", "v"]
        case .flag: ["⚑", "★", "*", "!"]
        case .separator: ["·", "|", "-", "∙"]
        case .crumb: ["›", "/", ">", "→"]
        case .bullet: ["•", "‣", "-", "*"]
        case .unticked: ["☐", "□", "○", "o"]
        case .ticked: ["☑", "■", "✓", "x"]
        case .quote: ["▏", "│", "|", ">"]
        }
    }

    func set(_ sign: String, in signs: inout Signs) {
        switch self {
        case .open: signs.priorities[0] = sign
        case .low: signs.priorities[1] = sign
        case .medium: signs.priorities[2] = sign
        case .high: signs.priorities[3] = sign
        case .done: signs.done = sign
        case .blocked: signs.blocked = sign
        case .note: signs.note = sign
        case .folded: signs.folded = sign
        case .unfolded: signs.unfolded = sign
        case .flag: signs.flag = sign
        case .separator: signs.separator = sign
        case .crumb: signs.crumb = sign
        case .bullet: signs.bullet = sign
        case .unticked: signs.boxOpen = sign
        case .ticked: signs.boxDone = sign
        case .quote: signs.quote = sign
        }
    }
}
