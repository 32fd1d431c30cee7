/// Something that the event loop has to act on.
package enum TerminalEvent: Equatable, Sendable {
    case input(InputEvent)
    /// The screen has another size; draw a canvas of it.
    case resized(Size)
    /// The program is back from being stopped, and the screen's contents are lost: draw again.
    case resumed
    /// Another program asked to stop this one (SIGTSTP): call `suspend()`.
    case suspensionAsked
    /// Leave at once, saving first: SIGTERM, SIGHUP, SIGINT from outside, or the terminal is gone.
    case terminationAsked(signal: Int32)
    /// Somebody called `wake()`.
    case woken
    /// The deadline passed.
    case timedOut
}

/// A screen with a keyboard, as the event loop sees it: the real one, or one for tests.
///
/// One frame for all that came at once: take the events, act on all of them, then present.
package protocol TerminalDevice: AnyObject {
    var size: Size { get }
    /// How many colours there are; 0 without colour.
    var colors: Int { get }
    /// Shows a canvas; only what changed is sent. A canvas of another size is clipped.
    func present(_ canvas: Canvas)
    /// Forgets what the screen shows, so that the next canvas is drawn as a whole.
    func redraw()
    /// Waits for events, at most until the deadline; without one, for as long as it takes.
    func events(until deadline: ContinuousClock.Instant?) -> [TerminalEvent]
    /// Stops the program as the shell's user expects, and returns when it goes on.
    func suspend()
    /// Lends the terminal to another program, an editor for example, and waits for its end.
    /// - Returns: its exit status; 128 and the signal's number when one ended it.
    /// - Throws: an error that says why it could not be started.
    func run(_ arguments: [String]) throws -> Int32
    /// Puts text on the user's clipboard, where the terminal allows it (OSC 52).
    /// - Returns: whether it was sent; false for one that is too long. What the terminal does with it
    ///   is not told.
    func copy(_ text: String) -> Bool
    /// Names the terminal's window.
    func setTitle(_ title: String)
    /// Gives the terminal back; nothing may be called afterwards.
    func close()
}
