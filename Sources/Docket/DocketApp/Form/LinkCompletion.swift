import DocketCore
import ObjectGraph
import TerminalUI

/// Completes `[[title]]` at the cursor of a text in a form, as the capture line does.
struct LinkCompletion {
    /// Reads the titles that begin like a text.
    let titles: (String) -> [String]
    private var found: CaptureCompletion?

    init(titles: @escaping (String) -> [String]) { self.titles = titles }

    /// Looks for what completes the line with the cursor.
    mutating func follow(_ line: String, cursor: Int) {
        found = CaptureCompletion(link: line, at: cursor, titles: titles)
    }

    /// The line with the first candidate, which the arrow to the right makes at the end.
    func completed(_ line: String, cursor: Int) -> String? {
        guard cursor == line.utf8.count, let found, found.range.upperBound == cursor else {
            return nil
        }
        return found.completed(line, with: found.candidates[0])
    }

    /// The candidates as a menu.
    var suggestions: Suggestions? {
        found.flatMap { found in
            Suggestions(found.range, found.candidates.map { (.init($0), $0 + " ") })
        }
    }

    var preview: RichLine? {
        found.map { found in
            RichLine(
                runs: found.candidates.enumerated().map { index, text in
                    .init(text: index == 0 ? text : "  \(text)", role: index == 0 ? .text : .dim)
                }
            )
        }
    }
}

/// One line of text in which `[[title]]` links to another item.
final class TitleEditor: TextEditor {
    private var links: LinkCompletion

    init(_ item: Item, _ label: Phrase, titles: @escaping (String) -> [String]) {
        links = LinkCompletion(titles: titles)
        super.init(item, Item.Keys.title, label, placeholder: "what it is called")
    }

    override var change: ItemChange? { .title(field.text) }

    override var writesDuringTyping: Bool { true }
    override func load() {
        super.load()
        textDidChange()
    }

    override var suggestions: Suggestions? { links.suggestions }

    override func textDidChange() { links.follow(field.text, cursor: field.cursor) }
}
