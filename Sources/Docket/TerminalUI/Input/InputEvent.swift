/// An event from the terminal.
public enum InputEvent: Equatable, Sendable {
    case key(Key)
    /// A bracketed paste: text, never commands. Line ends are `\n`; control characters are removed.
    case paste(String)
    case mouse(MouseEvent)
    /// The terminal's window has got or lost the focus.
    case focus(Bool)
    case report(TerminalReport)
}

/// The terminal's answer to a question.
public enum TerminalReport: Equatable, Sendable {
    /// Its background colour (OSC 11).
    case background(Color)
    /// Its foreground colour (OSC 10).
    case foreground(Color)
    /// The flags of the kitty keyboard protocol that are on.
    case keyboardFlags(Int)
    /// A mode's state (DECRPM): 0 unknown, 1 set, 2 reset, 3 always set, 4 always reset.
    case mode(Int, state: Int)
    /// It has the graphics protocol of kitty.
    case pictures
    /// Its attributes (DA1), of which 4 are pictures in the sixel format.
    case attributes([Int])
    /// The pixels of a cell.
    case cell(Size)
}

/// A mouse button or wheel.
public struct MouseEvent: Equatable, Sendable {
    public enum Kind: Hashable, Sendable {
        case press
        case release
        /// Moved with a button held.
        case drag
        case move
        case wheelUp
        case wheelDown
        case wheelLeft
        case wheelRight
    }

    public enum Button: Hashable, Sendable {
        case left
        case middle
        case right
        case none
    }

    public var kind: Kind
    public var button: Button
    public var position: Position
    public var modifiers: Key.Modifiers
    /// When the bytes came; two presses within some 400 ms at one place are a double click.
    public var time: ContinuousClock.Instant

    public init(
        _ kind: Kind,
        button: Button = .none,
        at position: Position,
        modifiers: Key.Modifiers = [],
        time: ContinuousClock.Instant
    ) {
        self.kind = kind
        self.button = button
        self.position = position
        self.modifiers = modifiers
        self.time = time
    }
}
