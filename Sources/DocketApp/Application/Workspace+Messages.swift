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

    /// Tells what a step did and how to take it back: `Completed "Pay rent" · u undoes`; without a
    /// step, what `unchanged` says.
    ///
    /// Only a step offers undo, so that undo never takes back something older. `done` gets what the
    /// step changed: the title, or `3 tasks`.
    func tell(_ step: SavedStep?, unchanged: String, _ done: (String) -> String) {
        guard let step else { return tell(unchanged) }
        let key = keyMap.label(of: "history.undo", ascii: look.isASCII)
        let what = done(name(of: step.subject))
        tell(key.isEmpty ? what : "\(what) \(look.signs.separator) \(key) undoes", .success)
    }

    /// `"Pay rent"`, cut where it is long, or `3 tasks`.
    func name(of subject: StepSubject) -> String {
        subject.title.map(quoted) ?? subject.counted
    }

    /// A title inside a message.
    func quoted(_ title: String) -> String {
        let line = DisplayWidth.singleLine(title)
        return "\"\(DisplayWidth.truncate(line, to: 40, symbols: look.symbols))\""
    }
}
