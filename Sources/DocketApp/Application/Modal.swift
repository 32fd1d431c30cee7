import TerminalUI

/// Something that takes the input while it is open: a bar at the foot of the screen or a box above
/// the panes.
///
/// A modal closes itself by ``Workspace/close(_:)``. It draws from its own state only.
protocol Modal: AnyObject {
    /// The word for the title line.
    var mode: String { get }
    /// How many rows it takes at the foot of the screen; 0 for a box.
    var barRows: Int { get }
    /// Where its commands' keys are looked up, before it gets a key itself; `nil` if it has none.
    var keyContext: KeyContext? { get }
    /// What its own keys do; those of its commands come from the command table.
    func hints(_ look: Look) -> [Hint]
    func handle(_ event: InputEvent, in workspace: Workspace) throws
    /// Fits the modal to where it will be drawn; called before each frame.
    func layout(in bounds: Rect)
    func render(into canvas: inout Canvas, look: Look)
    /// Whether text is typed into it that is to survive whatever happens.
    var keepsDrafts: Bool { get }
    /// Adds what was typed and is not saved.
    func addDrafts(to drafts: inout Drafts)
}

extension Modal {
    var barRows: Int { 0 }
    var keyContext: KeyContext? { nil }
    func hints(_ look: Look) -> [Hint] { [] }
    func layout(in bounds: Rect) {}
    var keepsDrafts: Bool { false }
    func addDrafts(to drafts: inout Drafts) {}
}

/// What only the running application can do, since it owns the terminal.
enum Request {
    case quit
    /// Ends this window for one on what is at the store's path now.
    case reopen
    case suspend
    case redraw
    /// Lends the terminal to the user's editor, then hands the edited text over.
    case edit(text: String, suffix: String, apply: (String) throws -> Void)
    case copy(String)
}
