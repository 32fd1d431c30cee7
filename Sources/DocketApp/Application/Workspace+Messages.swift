import DocketCore
import ObjectGraph
import TerminalUI

extension Workspace {
    func tell(_ text: String, _ kind: MessageBar.Kind = .info) {
        messages.show(text, kind, at: .now)
    }

    /// Shows what went wrong as its own sentence.
    func tell(_ error: any Error) {
        switch error {
        case let error as ObjectGraphError where error.code == .storeReplaced:
            offerReopening(error)
        case let error as InputError: tell(error.message, .warning)
        case let error as ObjectGraphError: tell(error.description, .error)
        default: tell("\(error)", .error)
        }
    }

    /// Tells what a command did and how to take it back: `Completed 1 task · u undoes`.
    func tellDone(_ verb: String, _ items: [Item], _ rest: String = "") {
        guard !items.isEmpty else { return }
        let tasks = items.count { $0 is Task }
        let noun = tasks == items.count ? "task" : tasks == 0 ? "note" : "item"
        let what = "\(verb) \(items.count) \(noun)\(items.count == 1 ? "" : "s")\(rest)"
        tellUndoable(what)
    }

    func tellUndoable(_ what: String) {
        let key = keyMap.label(of: "history.undo", ascii: look.isASCII)
        tell(key.isEmpty ? what : "\(what) \(look.signs.separator) \(key) undoes", .success)
    }
}
