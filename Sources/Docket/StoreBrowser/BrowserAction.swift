/// What a key does in a browser besides moving: the same for a program of its own and for a pane of
/// another program.
public enum BrowserAction: String, CaseIterable, Sendable {
    case open
    case back
    case otherPart
    case filter
    case reload

    /// For lists of commands: `Open the object`.
    public var title: String {
        switch self {
        case .open: "Open the object, or what the value leads to"
        case .back: "Close what was opened last"
        case .otherPart: "Go to the entities, or to the objects"
        case .filter: "Filter the entities, or find a text in the objects"
        case .reload: "Read the store again"
        }
    }

    /// The default keys, in the spelling of ``Key/init(spelling:)``.
    public var keys: [String] {
        switch self {
        case .open: ["enter", "right", "l"]
        case .back: ["backspace", "left", "h"]
        case .otherPart: ["tab", "shift+tab"]
        case .filter: ["/"]
        case .reload: ["r"]
        }
    }

    /// A word for the last line of the screen.
    public var hint: String {
        switch self {
        case .open: "open"
        case .back: "back"
        case .otherPart: "other side"
        case .filter: "filter"
        case .reload: "reload"
        }
    }
}

/// Why an action has no effect, one sentence.
public struct BrowserRefusal: Error, CustomStringConvertible {
    public let description: String
}
