import TerminalUI

extension Workspace {
    /// Opens a bar, with the text of the last one for the same purpose if that was cancelled.
    func open(_ bar: InputBar) {
        modals.append(bar)
        guard let purpose = bar.purpose, let text = keptTexts.removeValue(forKey: purpose) else {
            return
        }
        do { try bar.restore(text, in: self) } catch { tell(error) }
    }

    /// Keeps what was typed in a bar that is cancelled; it comes back once.
    func keepText(of bar: InputBar) {
        guard let purpose = bar.purpose, !bar.field.isEmpty, bar.field.text != bar.original else {
            return
        }
        keptTexts[purpose] = bar.field.text
    }
}
