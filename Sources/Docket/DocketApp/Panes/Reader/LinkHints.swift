import Phrases
import TerminalUI

/// A letter on each link of the screen; typing it follows the link.
final class LinkHints: Modal {
    private let links: [(label: String, target: RichLine.Target, position: Position)]
    private var typed = ""

    private static let letters = Array("asdfghjklqwertyuiopzxcvbnm")

    init(_ links: [(target: RichLine.Target, position: Position)]) {
        let letters = Self.letters
        // With more links than letters, all labels have two.
        let isLong = links.count > letters.count
        self.links = links.prefix(letters.count * letters.count).enumerated().map { number, link in
            let second = String(letters[number % letters.count])
            let label = isLong ? String(letters[number / letters.count]) + second : second
            return (label, link.target, link.position)
        }
    }

    var mode: String { "Links" }

    func hints(_ look: Look) -> [Hint] { [Hint("a–z", "follow"), Hint("Esc", "back")] }

    func handle(_ event: InputEvent, in workspace: Workspace) throws {
        guard case .key(let key) = event else { return }
        guard let letter = key.typed, key != .escape else { return workspace.close(self) }
        typed += letter.lowercased()
        let left = links.filter { $0.label.hasPrefix(typed) }
        guard let first = left.first else {
            workspace.close(self)
            return workspace.tell("No link has the letters \(workspace.quoted(typed)).", .warning)
        }
        guard first.label == typed else { return }
        workspace.close(self)
        try (workspace.pane as? ReaderPane)?.follow(first.target)
    }

    func render(into canvas: inout Canvas, look: Look) {
        for link in links where link.label.hasPrefix(typed) {
            canvas.put(
                link.label,
                at: link.position,
                style: look[.selection].with(.bold)
            )
        }
    }
}
