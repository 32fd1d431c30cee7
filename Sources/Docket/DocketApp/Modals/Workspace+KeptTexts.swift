import Phrases
import TerminalUI

extension Workspace {
    /// Opens a bar; the text of the last one for the same purpose is offered if that was cancelled.
    func open(_ bar: InputBar) {
        modals.append(bar)
        bar.offerKept(in: self)
    }

    func isDraftKey(_ key: Key) -> Bool {
        if case .command("form.draft") = keyMap.meaning(of: [key], in: .form) { return true }
        return false
    }

    /// The hint for the text that a bar offers.
    func keptHint(of bar: InputBar) -> Hint? {
        guard let kept = bar.kept else { return nil }
        let short = DisplayWidth.truncate(DisplayWidth.singleLine(kept), to: 24)
        let keys = keyMap.keys(of: "form.draft").first
        let label = key("form.draft")
        return label.isEmpty ? nil : Hint(label, "restore \"\(short)\"", keys: keys)
    }
}
