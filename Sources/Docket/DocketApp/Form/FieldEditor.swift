import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

/// Edits one value of one item, bound by key; there is one editor for each type of value.
///
/// Typed text stays in the editor until ``apply(at:)`` makes a ``change`` of it; the form calls it
/// when an edit ends. Editors of plain text do that immediately, so that rules are checked during
/// typing.
class FieldEditor {
    let item: Item
    let key: String
    let label: String
    /// The meaning of the text or its error, below the field.
    var preview: RichLine?
    /// Why the value is refused, one sentence.
    var problem: String?
    /// Whether the user has edited or left it; before that no problem is shown.
    var isTouched = false
    /// The problem, once the user had a chance to avoid it.
    var shownProblem: String? { isTouched ? problem : nil }
    /// The value that others have saved during the edit.
    var meanwhile: FieldMeanwhile?

    init(_ item: Item, _ key: String, _ label: Phrase) {
        self.item = item
        self.key = key
        self.label = label.text
    }

    /// The text for a draft.
    var text: String {
        get { "" }
        set {}
    }
    /// Whether the text is invalid, so that it does not change the item.
    var isUnapplied: Bool { false }
    /// Whether the editor alone says what is wrong with its text.
    var checksItself: Bool { false }
    /// The wanted number of rows; an editor that ``grows`` may get more.
    var rows: Int { 1 }
    var grows: Bool { false }
    /// Whether the item is changed at each key, so that rules are checked at once.
    var writesDuringTyping: Bool { false }
    /// Whether the meaning of the text may stand in its row, at the right; else it is below.
    var previewsBeside: Bool { rows == 1 }
    /// Whether the editor uses Enter and the arrows itself.
    var takesLines: Bool { false }

    /// Whether the value has parts, so that changes of two people can be combined.
    var mergesByParts: Bool { false }

    /// The keys of the value.
    var keys: [String] { [key] }
    /// What the text makes of the item; `nil` for nothing, and for a text that cannot be used.
    var change: ItemChange? { nil }

    /// Reads the item's value.
    func load() {}
    func apply(at clock: DateContext) throws { try change?.apply(to: item, at: clock) }
    /// Called when the field gets the focus by a key: the first character replaces the value.
    func offer() {}
    /// - Returns: whether the text changed.
    func handle(_ event: InputEvent) -> EditOutcome { .ignored }
    /// Moves what is at the cursor to the right, or to the left by a negative number; ignored where
    /// nothing can be moved.
    func indent(by steps: Int) -> EditOutcome { .ignored }
    func layout(_ size: Size) {}
    func render(into canvas: inout Canvas, look: Look, isFocused: Bool) {}

    var value: GraphValue { (try? item.value(forKey: key)) ?? .null }

    /// What can complete the word at the cursor; `nil` for nothing.
    var suggestions: Suggestions? { nil }
    /// Puts a row of the suggestions in the place of the word.
    func take(_ row: Int) {}

    /// Takes over the value of another object for the same item, also one that nobody can type.
    func copyValue(from other: Item) throws {
        for key in keys {
            let theirs = FieldEditor.portable(try other.value(forKey: key))
            if FieldEditor.portable(try item.value(forKey: key)) != theirs {
                try item.setValue(theirs, forKey: key)
            }
        }
    }

    /// A value with identities in place of objects, which belong to one context.
    private static func portable(_ value: GraphValue) -> GraphValue {
        switch value {
        case .object(let object): object.managedObjectID.map { .objectID($0) } ?? .null
        case .set(let members): .set(Set(members.map(portable)))
        default: value
        }
    }
}

/// One line of text.
class TextEditor: FieldEditor {
    var field: TextField

    init(_ item: Item, _ key: String, _ label: Phrase, placeholder: Phrase = "") {
        field = TextField(placeholder: placeholder.text)
        super.init(item, key, label)
    }

    override var text: String {
        get { field.text }
        set {
            field.text = newValue
            textDidChange()
        }
    }

    override func load() {
        if case .string(let text) = value { field.text = text } else { field.text = "" }
    }

    override func take(_ row: Int) {
        guard let suggestions, suggestions.texts.indices.contains(row) else { return }
        field.replace(suggestions.range, with: suggestions.texts[row])
        textDidChange()
    }

    override func handle(_ event: InputEvent) -> EditOutcome {
        // The arrow to the right takes the first one at the end of the text.
        if case .key(.right) = event, field.cursor == field.text.utf8.count, !field.isEmpty,
            suggestions != nil
        {
            take(0)
            return .changed
        }
        let outcome = field.handle(event)
        if outcome == .changed { textDidChange() }
        return outcome
    }

    /// Brings the meaning of the text and what is wrong with it up to date.
    func textDidChange() {}

    override func layout(_ size: Size) { field.layout(columns: size.columns) }
    override func offer() { field.offer() }

    override func render(into canvas: inout Canvas, look: Look, isFocused: Bool) {
        field.render(into: &canvas, theme: look.theme, isFocused: isFocused)
    }
}

/// Text of many lines.
final class LinesEditor: FieldEditor {
    var area = TextArea()
    private var links: LinkCompletion

    init(
        _ item: Item,
        _ key: String,
        _ label: Phrase,
        titles: @escaping (String) -> [String]
    ) {
        links = LinkCompletion(titles: titles)
        super.init(item, key, label)
    }

    override var text: String {
        get { area.text }
        set { area.replace(with: newValue) }
    }
    override var rows: Int { 3 }
    override var grows: Bool { true }
    override var takesLines: Bool { true }
    override var writesDuringTyping: Bool { true }

    override func load() {
        guard case .string(let text) = value else {
            area.text = ""
            return
        }
        area.replace(with: text)
    }

    override var change: ItemChange? {
        let text = area.isEmpty ? nil : area.text
        return item is Note ? .body(text) : .notes(text)
    }

    override func handle(_ event: InputEvent) -> EditOutcome {
        let outcome: EditOutcome
        if case .key(.right) = event,
            let line = links.completed(area.line, cursor: area.cursor.offset)
        {
            area.line = line
            outcome = .changed
        } else {
            outcome = area.handle(event)
        }
        if outcome != .ignored {
            links.follow(area.line, cursor: area.cursor.offset)
            preview = links.preview
        }
        return outcome
    }

    override func indent(by steps: Int) -> EditOutcome {
        area.indent(by: steps) ? .changed : .ignored
    }

    override func layout(_ size: Size) { area.layout(TextArea.textSize(in: size)) }

    override func render(into canvas: inout Canvas, look: Look, isFocused: Bool) {
        if area.isEmpty, !isFocused {
            canvas.put(
                localized("none"),
                at: Position(row: 0, column: 0),
                style: look[.placeholder]
            )
        } else {
            area.render(into: &canvas, theme: look.theme, isFocused: isFocused)
        }
    }
}
