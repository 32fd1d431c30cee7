/// An event for the event loop.
public enum TerminalEvent: Equatable, Sendable {
    case input(InputEvent)
    /// The screen has another size; draw a canvas of that size.
    case resized(Size)
    /// The program continues after a stop, and the screen's contents are lost: redraw.
    case resumed
    /// Another program asked to stop this one (SIGTSTP): call `suspend()`.
    case suspensionAsked
    /// Save and end at once: SIGTERM, SIGHUP, SIGINT from outside, or the terminal has closed.
    case terminationAsked(signal: Int32)
    /// `wake()` was called.
    case woken
    /// The deadline has passed.
    case timedOut
}

/// A screen with a keyboard, as the event loop uses it: the real one, or one for tests.
///
/// One frame for all events that arrived together: take the events, handle all of them, then
/// present.
public protocol TerminalDevice: AnyObject {
    var size: Size { get }
    /// The number of colours; 0 without colour.
    var colors: Int { get }
    /// Shows a canvas; only changes are sent. A canvas of another size is clipped.
    func present(_ canvas: Canvas)
    /// Forgets the content of the screen, so that the next canvas is drawn completely.
    func redraw()
    /// Waits for events, at most until the deadline; without a deadline, without limit.
    func events(until deadline: ContinuousClock.Instant?) -> [TerminalEvent]
    /// Stops the program as the user of a shell expects, and returns when it continues.
    func suspend()
    /// Lends the terminal to another program, such as an editor, and waits for its end.
    ///
    /// - Returns: its exit status; 128 plus the signal's number if a signal ended it.
    /// - Throws: an error with the reason why it could not be started.
    func run(_ arguments: [String]) throws -> Int32
    /// Puts text on the user's clipboard, where the terminal allows it (OSC 52).
    ///
    /// - Returns: whether it was sent; false for a text that is too long. The terminal does not
    ///   report what it does with it.
    func copy(_ text: String) -> Bool
    /// Asks how the terminal shows pictures; the answers come as events, or never.
    func askPictures()
    /// Sets the title of the terminal's window.
    func setTitle(_ title: String)
    /// Rings the terminal's bell.
    func ring()
    /// Gives the terminal back; nothing may be called afterwards.
    func close()
}

extension TerminalDevice {
    public func askPictures() {}
}
