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
    var conflict: String

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
        backlink: "←",
        conflict: "⇄"
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
        backlink: "<-",
        conflict: "&"
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
    case conflict

    /// Where it is kept, and some characters that suit it, the usual one first.
    private var row: (path: WritableKeyPath<Signs, String>, usual: [String]) {
        switch self {
        case .open: (\.priorities[0], ["○", "□", "◌", "o", "-"])
        case .low: (\.priorities[1], ["◔", "◦", "-", "↓"])
        case .medium: (\.priorities[2], ["◑", "◐", "=", "→"])
        case .high: (\.priorities[3], ["●", "■", "◆", "#", "!", "↑"])
        case .done: (\.done, ["✓", "✔", "×", "x", "■"])
        case .blocked: (\.blocked, ["⊘", "⊗", "◇", "%", "z"])
        case .note: (\.note, ["✎", "≡", "¶", "\""])
        case .folded: (\.folded, ["▸", "▶", "+", ">"])
        case .unfolded: (\.unfolded, ["▾", "▼", "-", "v"])
        case .flag: (\.flag, ["⚑", "★", "*", "!"])
        case .separator: (\.separator, ["·", "|", "-", "∙"])
        case .crumb: (\.crumb, ["›", "/", ">", "→"])
        case .bullet: (\.bullet, ["•", "‣", "-", "*"])
        case .unticked: (\.boxOpen, ["☐", "□", "○", "o"])
        case .ticked: (\.boxDone, ["☑", "■", "✓", "x"])
        case .quote: (\.quote, ["▏", "│", "|", ">"])
        case .conflict: (\.conflict, ["⇄", "≠", "&", "!"])
        }
    }

    /// Some characters that suit it.
    var usual: [String] { row.usual }

    func set(_ sign: String, in signs: inout Signs) { signs[keyPath: row.path] = sign }
}
