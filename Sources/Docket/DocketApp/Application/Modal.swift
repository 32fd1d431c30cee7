import TerminalUI

/// A view that takes the input while it is open: a bar at the foot of the screen or a box above the
/// panes.
///
/// A modal closes itself with ``Workspace/close(_:)``. It draws from its own state only.
protocol Modal: AnyObject {
    /// The word for the title line.
    var mode: String { get }
    /// The number of rows that it needs at the foot of a screen of so many columns; 0 for a box.
    func barRows(columns: Int) -> Int
    /// The key context of its commands, which come before its own keys; `nil` if it has none.
    var keyContext: KeyContext? { get }
    /// The hints for its own keys; those of its commands come from the command table.
    func hints(_ look: Look) -> [Hint]
    func handle(_ event: InputEvent, in workspace: Workspace) throws
    /// Fits the modal to its place; called before each frame.
    func layout(in bounds: Rect)
    func render(into canvas: inout Canvas, look: Look)
    /// Whether typed text in it must survive a crash.
    var keepsDrafts: Bool { get }
    /// Adds the typed text that is not saved.
    func addDrafts(to drafts: inout Drafts)
}

extension Modal {
    func barRows(columns: Int) -> Int { 0 }
    var keyContext: KeyContext? { nil }
    func hints(_ look: Look) -> [Hint] { [] }
    func layout(in bounds: Rect) {}
    var keepsDrafts: Bool { false }
    func addDrafts(to drafts: inout Drafts) {}
}

/// A request that only the running application can do, because it owns the terminal.
enum Request {
    case quit
    /// Ends this window and opens one on the store that is at the path now.
    case reopen
    case suspend
    case redraw
    /// Continues with the settings that the workspace has now.
    case adoptSettings
    /// Lends the terminal to the user's editor, then passes on the edited text.
    case edit(text: String, suffix: String, apply: (String) throws -> Void)
    case copy(String)
    /// Opens an address or a file by the program that the system has for it.
    case show(address: String)
    /// Puts a secret on the clipboard, which is emptied after some time.
    case copySecret(String)
    /// Removes what was shown of the vault from the screen and the memory.
    /// Words of a hook, beside the message of the command.
    case say(String)
    case forgetSecrets
}
