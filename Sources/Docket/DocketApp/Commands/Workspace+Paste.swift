import DocketCore
import TerminalUI

extension Workspace {
    /// Offers pasted text as new tasks: one line opens the capture line with it.
    func receive(pasted text: String) {
        if let noNewItem { return tell("\(noNewItem)", .warning) }
        let lines = PastedLines(text)
        if lines.texts.isEmpty { return tell("The pasted text is empty.") }
        do {
            let bar = CaptureBar(workspace: self)
            bar.field.insert(lines.texts[0])
            try bar.textDidChange(in: self)
            open(bar)
            if lines.texts.count > 1 { bar.ask(about: lines, in: self) }
        } catch {
            tell(error)
        }
    }
}

/// The lines of a pasted text that say something.
struct PastedLines {
    let texts: [String]

    init(_ text: String) {
        texts = text.split(whereSeparator: \.isNewline).map { line in
            var rest = DisplayWidth.singleLine(String(line))[...]
            while rest.first?.isWhitespace ?? false { rest.removeFirst() }
            while rest.last?.isWhitespace ?? false { rest.removeLast() }
            return String(rest)
        }.filter { !$0.isEmpty }
    }
}
