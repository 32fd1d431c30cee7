import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph
import TerminalUI

/// A date in words, with the day that they mean; the flag is true if only the day counts.
final class DateEditor: TextEditor {
    private let isDue: Bool
    private let clock: DateContext

    init(_ task: Task, _ key: String, _ label: Phrase, _ clock: DateContext) {
        isDue = key == Task.Keys.due
        self.clock = clock
        super.init(task, key, label, placeholder: "none; like fri 9am")
    }

    override var keys: [String] {
        [key, isDue ? Task.Keys.dueDateOnly : Task.Keys.startDateOnly]
    }

    override func load() {
        let task = item as? Task
        guard let due = isDue ? task?.dueDate : task?.startDate else {
            field.text = ""
            return textDidChange()
        }
        if case .date(let shown) = DateInput(field.text, clock), shown == due { return }
        field.text = DateFormat(context: clock).words(due)
        textDidChange()
    }

    /// The date as numbers, which mean the same on another day; else what was typed.
    override var text: String {
        get {
            guard case .date(let due) = DateInput(field.text, clock) else { return field.text }
            return DateFormat(context: clock).plain(due)
        }
        set {
            if case .date(let due) = DateInput(newValue, clock) {
                field.text = DateFormat(context: clock).words(due)
            } else {
                field.text = newValue
            }
            textDidChange()
        }
    }

    override func textDidChange() {
        problem = nil
        switch DateInput(field.text, clock) {
        case .none: preview = nil
        case .date(let due):
            preview = .plain(DateFormat(context: clock).full(due), .dim)
        case .wrong(let error):
            preview = nil
            problem = error.message
        }
    }

    override var isUnapplied: Bool { problem != nil }
    override var checksItself: Bool { true }

    override var change: ItemChange? {
        switch DateInput(field.text, clock) {
        case .none: isDue ? .due(nil) : .start(nil)
        case .date(let due): isDue ? .due(due) : .start(due)
        case .wrong: nil
        }
    }
}

/// One of a few values, chosen by the arrows, Space or its first letter.
final class ChoiceEditor: FieldEditor {
    struct Choice {
        var value: GraphValue
        var title: String
        var change: ItemChange
    }

    private let choices: [Choice]
    private var selected = 0

    init(_ item: Item, _ key: String, _ label: Phrase, _ choices: [Choice]) {
        self.choices = choices
        super.init(item, key, label)
    }

    override var text: String {
        get { choices[selected].title }
        set { selected = choices.firstIndex { $0.title == newValue } ?? selected }
    }

    override func load() { selected = choices.firstIndex { $0.value == value } ?? 0 }
    override var change: ItemChange? { choices[selected].change }

    override func handle(_ event: InputEvent) -> EditOutcome {
        guard case .key(let key) = event else { return .ignored }
        let count = choices.count
        switch key {
        case .right, .space: selected = (selected + 1) % count
        case .left: selected = (selected + count - 1) % count
        default:
            guard let typed = key.typed?.lowercased(),
                let match = choices.firstIndex(where: { $0.title.hasPrefix(typed) })
            else { return .ignored }
            selected = match
        }
        return .changed
    }

    /// The sign before a choice; a priority has its own.
    private func sign(of index: Int, _ isSelected: Bool, _ look: Look) -> String {
        if look.isASCII { return isSelected ? "(*) " : "( ) " }
        if key == Task.Keys.priority { return look.signs.priorities[min(index, 3)] + " " }
        return isSelected ? "● " : "○ "
    }

    override func render(into canvas: inout Canvas, look: Look, isFocused: Bool) {
        func width(_ index: Int) -> Int {
            DisplayWidth.of(sign(of: index, index == selected, look) + choices[index].title) + 2
        }
        // Where not all fit, the first ones are left out, so that the chosen one is there.
        var first = 0
        while first < selected, (first...selected).reduce(-2, { $0 + width($1) }) > canvas.columns {
            first += 1
        }
        var column = 0
        for (index, choice) in choices.enumerated().dropFirst(first) {
            let isSelected = index == selected
            let mark = sign(of: index, isSelected, look)
            let role: Role = isSelected ? (isFocused ? .inputFocused : .title) : .dim
            if isSelected, isFocused { canvas.cursor = Position(row: 0, column: column) }
            column += canvas.put(
                mark + choice.title,
                at: Position(row: 0, column: column),
                style: look[role]
            )
            column += 2
        }
    }
}

/// A list by its path; a new path creates a list if that is allowed.
final class ListEditor: TextEditor {
    private let known: KnownNames
    private let mayCreate: Bool

    init(_ item: Item, _ label: Phrase, _ known: KnownNames, mayCreate: Bool) {
        self.mayCreate = mayCreate
        self.known = known
        super.init(item, Item.Keys.list, label, placeholder: "none: the inbox")
    }

    override func load() {
        field.text = item.list.map { ListPath.string($0.path) } ?? ""
        textDidChange()
    }

    override var suggestions: Suggestions? {
        isKnown
            ? nil
            : Suggestions(0..<field.text.utf8.count, known.lists(field.text)) {
                ListPath.string($0.path)
            }
    }

    private var isKnown: Bool {
        known.names.lists.contains {
            ListPath.string($0.path).lowercased() == field.text.lowercased()
        }
    }

    override func textDidChange() {
        let text = field.text
        problem = nil
        guard !text.isEmpty else {
            let paths = known.lists("").prefix(6).map { ListPath.string($0.path) }
            preview = paths.isEmpty ? nil : .plain(paths.joined(separator: "  "), .dim)
            return
        }
        if isKnown {
            preview = nil
        } else {
            preview = .plain(localized("new list \(ListPath.string(ListPath.parse(text)))"), .info)
            if !mayCreate {
                problem = localized("There is no list of this name; choose another one.")
            }
        }
    }

    override var isUnapplied: Bool { problem != nil }
    override var checksItself: Bool { true }

    override var change: ItemChange? {
        problem == nil ? .list(.path(ListPath.parse(field.text))) : nil
    }
}

/// A location by its name; a new name creates one.
final class LocationEditor: TextEditor {
    private let known: KnownNames

    init(_ task: Task, _ label: Phrase, _ known: KnownNames) {
        self.known = known
        super.init(task, Task.Keys.location, label, placeholder: "none; like Bank")
    }

    override func load() {
        field.text = (item as? Task)?.location?.name ?? ""
        textDidChange()
    }

    override var suggestions: Suggestions? {
        isKnown
            ? nil
            : Suggestions(0..<field.text.utf8.count, known.locations(field.text)) { $0.name }
    }

    private var isKnown: Bool {
        known.names.locations.contains { $0.name.lowercased() == field.text.lowercased() }
    }

    override func textDidChange() {
        preview = isKnown || field.isEmpty ? nil : .plain(localized("creates a new location"), .dim)
    }

    override var change: ItemChange? { .location(field.text) }
}

/// Tags as words.
final class TagsEditor: TextEditor {
    private let known: KnownNames

    init(_ item: Item, _ label: Phrase, _ known: KnownNames) {
        self.known = known
        super.init(item, Item.Keys.tags, label, placeholder: "none; like bank out")
    }

    override var mergesByParts: Bool { true }

    override func load() {
        let names = item.tags.map(\.name).sorted()
        if TagWords(field.text).added.sorted() != names {
            field.text = names.map(TagWords.written).joined(separator: " ")
        }
        preview = nil
    }

    override var suggestions: Suggestions? {
        let text = field.text
        let words = TagWords(text)
        let name = words.last.name
        guard !name.isEmpty, !known.names.missingTags([name]).isEmpty else { return nil }
        let start = text.utf8.distance(from: text.startIndex, to: words.lastStart)
        return Suggestions(start..<text.utf8.count, known.tags(name), sign: "#") {
            TagWords.written($0.name) + " "
        }
    }

    override func textDidChange() {
        let missing = known.names.missingTags(TagWords(field.text).added).sorted()
        let names = missing.map { "#\($0)" }.joined(separator: " ")
        let word = missing.count == 1 ? localized("new tag") : localized("new tags")
        preview = missing.isEmpty ? nil : .plain("\(word) \(names)", .info)
    }

    override var change: ItemChange? { .onlyTags(TagWords(field.text).added) }
}

/// Minutes, written as `90`, `1h 30m` or `1:30`.
final class EstimateEditor: TextEditor {
    override func load() {
        if case .int(let seconds) = value, seconds > 0 {
            if Estimate.seconds(field.text) != Int(seconds) {
                field.text = Estimate.text(seconds: Int(seconds))
            }
        } else {
            field.text = ""
        }
        textDidChange()
    }

    override func textDidChange() {
        problem =
            field.isEmpty || Estimate.seconds(field.text) != nil
            ? nil : localized("This is not a duration; write 90, 1h 30m or 1:30.")
    }

    override var isUnapplied: Bool { problem != nil }
    override var checksItself: Bool { true }

    override var change: ItemChange? {
        problem == nil ? .estimate(Estimate.seconds(field.text)) : nil
    }
}

/// Reminders in words, with the moments that they mean.
final class RemindEditor: TextEditor {
    private let clock: DateContext
    /// The due date from which the preview counts.
    private var shownDue: DueDate?

    init(_ task: Task, _ label: Phrase, _ clock: DateContext) {
        self.clock = clock
        super.init(task, Task.Keys.remindTimes, label, placeholder: "none; like 1 day before")
    }

    private var task: Task? { item as? Task }
    private var words: String { task?.remindersInWords(in: clock) ?? "" }

    override func load() {
        field.text = words
        textDidChange()
    }

    /// With dates as numbers, which mean the same on another day.
    override var text: String {
        get {
            let text = ReminderInput(field.text, clock).text(DateFormat(context: clock).plain)
            return text.isEmpty ? field.text : text
        }
        set {
            let text = ReminderInput(newValue, clock).text(DateFormat(context: clock).words)
            field.text = text.isEmpty ? newValue : text
            textDidChange()
        }
    }

    override func layout(_ size: Size) {
        // The moments follow the due date, which is another field.
        if shownDue != task?.dueDate { textDidChange() }
        super.layout(size)
    }

    override func textDidChange() {
        shownDue = task?.dueDate
        let input = ReminderInput(field.text, clock)
        problem = input.problem
        preview = input.stored.map { _ in .plain(input.words(due: shownDue, clock), .dim) }
    }

    override var isUnapplied: Bool { problem != nil }
    override var checksItself: Bool { true }

    override var change: ItemChange? {
        // The words may say less than the store has: seconds, texts of other programs.
        problem == nil && field.text != words
            ? .remind(ReminderInput(field.text, clock).stored) : nil
    }
}
