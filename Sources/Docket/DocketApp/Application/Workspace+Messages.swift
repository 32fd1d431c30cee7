import CivilTime
import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

extension Workspace {
    /// Does what one key or one click asks for, tells its error, and ends the event.
    func respond(_ work: () throws -> Void) {
        library.event { do { try work() } catch { tell(error) } }
        library.context.processPendingChanges()
    }

    func tell(_ phrase: Phrase, _ kind: MessageBar.Kind = .info) {
        messages.show(phrase.text, kind, at: .now)
    }

    /// Tells what others have done, unless an own message is still to be read.
    func tellNews() {
        guard let news, messages.text == nil || messages.text == shownNews else { return }
        self.news = nil
        messages.show(news.text, at: .now)
        shownNews = messages.text
    }

    /// Shows the sentence of an error.
    func tell(_ error: any Error) {
        switch error {
        case let error as ObjectGraphError where error.code == .storeReplaced:
            offerReopening(error)
        case let error as InputError: tell("\(error.message)", .warning)
        case let error as ObjectGraphError:
            let sentences = [error.message, error.recovery].filter { !$0.isEmpty }
            tell("\(sentences.map(Phrase.step).joined(separator: " "))", .error)
        default: tell("\(error)", .error)
        }
    }

    /// Reports a step by its name and how to undo it: `Completed "Pay rent" · u undoes`; without a
    /// step shows `unchanged`.
    ///
    /// Only with a step the message offers undo, so that the user does not undo something older.
    func tell(_ step: SavedStep?, unchanged: Phrase, also rest: String = "") {
        guard let step else { return tell(unchanged) }
        let key = isForOneBar ? "" : self.key("history.undo")
        let what = Phrase.step(step.name) + rest
        tell(
            key.isEmpty ? "\(what)" : "\(what) \(look.signs.separator) \(key) undoes",
            .success
        )
    }

    /// Items inside a message: the title of one, `3 items`.
    func named(_ items: [Item]) -> String {
        items.count == 1 ? quoted(items[0].title) : "\(Phrase(items.count, "item"))"
    }

    /// A title inside a message.
    func quoted(_ title: String) -> String {
        let line = DisplayWidth.singleLine(title)
        return localized("\"\(DisplayWidth.truncate(line, to: 40, symbols: look.symbols))\"")
    }
}
