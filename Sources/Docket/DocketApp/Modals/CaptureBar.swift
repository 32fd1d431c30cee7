import CivilTime
import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI
import TimeLanguage

/// Quick capture: one line, in which dates, tags, priority and list are recognised during typing,
/// highlighted in the text and shown in words below.
///
/// Text that is not added is offered again the next time.
final class CaptureBar: InputBar {
    private let defaults: ItemDefaults
    private let context: DateContext
    private var captured = CapturedItem()
    /// The lists, tags and locations that can be named.
    private let known: KnownNames
    private var names: QueryNames { known.names }
    private var completion: CaptureCompletion?
    /// Reads the titles that begin like a text, for links.
    private let titles: (String) -> [String]

    /// - Parameters:
    ///   - workspace: where the task is added.
    ///   - parent: the task of which it is a part.
    ///   - list: its list, if the text names none; `nil` for that of the parent or of the screen.
    init(workspace: Workspace, parent: Task? = nil, list: List? = nil) {
        var defaults = list == nil ? workspace.captureDefaults : ItemDefaults()
        defaults.parent = parent
        if parent != nil || list != nil { defaults.list = list ?? parent?.list }
        self.defaults = defaults
        context = workspace.library.clock()
        known = workspace.knownNames
        titles = { [weak workspace] in (try? workspace?.library.titles(beginning: $0)) ?? [] }
        super.init(
            parent == nil ? "Add" : "Add subtask",
            placeholder: "a task, like Pay rent tomorrow 9am +Home #bank !high"
        )
        show()
    }

    /// What would be added now; `nil` without a title.
    var added: CapturedItem? { captured.title.isEmpty ? nil : captured }

    override var keepsDrafts: Bool { true }
    /// It is kept as a draft, also beyond the end of the program.
    override var purpose: String? { nil }

    override func keptText(in workspace: Workspace) -> String? {
        workspace.drafts.captures.last { $0.parent == defaults.parent?.uuid }?.text
    }

    override func keep(_ text: String?, in workspace: Workspace) {
        let parent = defaults.parent?.uuid
        _ = workspace.drafts.takeCapture(parent: parent)
        // Behind the others, so that the key goes through all that is kept.
        if let text { workspace.drafts.keepFirst(CaptureDraft(text: text, parent: parent)) }
    }

    override func addDrafts(to drafts: inout Drafts) {
        guard field.text.contains(where: { !$0.isWhitespace }) else { return }
        drafts.keep(CaptureDraft(text: field.text, parent: defaults.parent?.uuid))
    }

    /// Opens the form of a new task whose draft is kept.
    override func restoreOther(in workspace: Workspace) throws -> Bool {
        guard defaults.parent == nil, workspace.drafts.hasNewTask else { return false }
        addDrafts(to: &workspace.drafts)
        try workspace.openForm(newNote: false)
        (workspace.modal as? Form)?.restoreDraft()
        workspace.close(self)
        return true
    }

    override func cancel(in workspace: Workspace) throws {
        guard isTyped else { return }
        addDrafts(to: &workspace.drafts)
        let keys = workspace.draftKeys
        let key = defaults.parent == nil ? keys.capture : keys.subtask
        workspace.tell("Nothing was added. \(keys.way(key)).")
    }

    override func hints(_ look: Look) -> [Hint] {
        [
            Hint(look.isASCII ? "Enter" : "⏎", "add"),
            Hint(look.isASCII ? "Alt-Enter" : "⌥⏎", "add and continue"),
            Hint(look.isASCII ? "Tab" : "⇥", "all fields"), Hint("Esc", "keep for later"),
            Hint(look.isASCII ? "Up" : "↑", "coloured word as text"), Hint("\\", "plain word"),
        ]
    }

    override func textDidChange(in workspace: Workspace) throws {
        captured = CaptureParser(context: context).read(field.text)
        show()
    }

    override func suggestions(in workspace: Workspace) -> Suggestions? {
        let found = CaptureCompletion(
            field.text,
            at: field.cursor,
            names,
            uses: known.uses,
            titles: titles
        )
        if found != completion {
            completion = found
            show()
        }
        return found.flatMap { found in
            let rows = zip(found.arguments, found.uses).map { text, uses in
                let detail = uses.map { $0 > 0 ? localized("\($0) open") : "" } ?? ""
                return SuggestionMenu.Row(text, detail: detail)
            }
            return Suggestions(found.range, zip(rows, found.candidates).map { ($0, $1 + " ") })
        }
    }

    override func accept(in workspace: Workspace) throws {
        try adding(in: workspace) { [self] in
            try add(in: $0)
            $0.close(self)
        }
    }

    /// Runs what adds the item; first asks whether to create its list, if that is wanted.
    private func adding(
        in workspace: Workspace,
        _ add: @escaping (Workspace) throws -> Void
    ) throws {
        guard workspace.library.newLists == .ask, isListNew else { return try add(workspace) }
        let name = ListPath.string(captured.list)
        workspace.open(
            QuestionBox(
                "New list",
                "The list \(name) does not exist.",
                [
                    .init(key: "y", title: localized("Create it and add the item")) { workspace in
                        try workspace.library.creatingLists { try add(workspace) }
                    }
                ]
            )
        )
    }

    /// Whether the list that the text names does not exist.
    private var isListNew: Bool {
        let path = captured.list.map { $0.lowercased() }
        return !path.isEmpty && !names.lists.contains { $0.path.map { $0.lowercased() } == path }
    }

    override func other(_ key: Key, in workspace: Workspace) throws {
        switch key {
        case .tab:
            try workspace.openForm(captured, defaults)
            workspace.close(self)
        case .up:
            makePlain()
        case Key(.enter, .alt):
            try adding(in: workspace) { [self] in
                try add(in: $0)
                field.text = ""
                captured = CapturedItem()
                show()
            }
        default: break
        }
    }

    /// Puts backslashes before the words of the recognised part at the cursor, or of the last one
    /// before it, until nothing of it is recognised.
    private func makePlain() {
        guard
            let token = captured.tokens.last(where: {
                $0.kind != .escape && $0.kind != .impossibleDate
                    && $0.range.lowerBound < field.cursor
            }) ?? captured.tokens.first(where: { $0.kind != .escape && $0.kind != .impossibleDate })
        else { return }
        var range = token.range
        var bytes = Array(field.text.utf8)
        while let next = captured.tokens.first(where: {
            $0.kind != .escape && $0.kind != .impossibleDate && $0.range.overlaps(range)
        }) {
            bytes.insert(UInt8(ascii: "\\"), at: next.range.lowerBound)
            range = range.lowerBound..<range.upperBound + 1
            captured = CaptureParser(context: context).read(bytes)
        }
        field.text = String(decoding: bytes, as: UTF8.self)
        show()
    }

    // MARK: Several lines

    override func handle(_ event: InputEvent, in workspace: Workspace) throws {
        if case .paste(let text) = event {
            let lines = PastedLines(text)
            if lines.texts.count > 1 { return ask(about: lines, in: workspace) }
        }
        // As in a form, the arrow to the right completes.
        if case .key(.right) = event, let completion, let first = completion.candidates.first,
            field.cursor == field.text.utf8.count
        {
            field.text = completion.completed(field.text, with: first)
            try textDidChange(in: workspace)
            return followWord(in: workspace)
        }
        try super.handle(event, in: workspace)
    }

    /// Asks whether pasted lines are a task each; without an answer nothing happens to the text.
    func ask(about lines: PastedLines, in workspace: Workspace) {
        let count = lines.texts.count
        if count > CaptureBar.mostLines {
            let way = localized("docket import reads files of any size")
            return workspace.tell("\(count) lines are too many to paste; \(way).", .warning)
        }
        workspace.open(
            QuestionBox(
                "Paste",
                "The pasted text has \(count) lines.",
                [
                    .init(key: "t", title: localized("Add \(count) tasks, one for each line")) {
                        [self] in
                        try add(lines.texts, in: $0)
                    },
                    .init(key: "o", title: localized("Put them into this one line")) { [self] in
                        field.insert(lines.texts.joined(separator: " "))
                        try textDidChange(in: $0)
                    },
                ]
            )
        )
    }

    private static let mostLines = 1000

    private func add(_ texts: [String], in workspace: Workspace) throws {
        let parser = CaptureParser(context: context)
        let captured = try texts.map { try parser.capture($0) }
        let (tasks, step) = try workspace.library.addTasks(captured, defaults)
        workspace.library.context.processPendingChanges()
        workspace.close(self)
        if let first = tasks.first { workspace.reveal(first.objectID, step) }
    }

    private func add(in workspace: Workspace) throws {
        let captured = try CaptureParser(context: context).capture(field.text)
        let (task, step) = try workspace.library.addTask(captured, defaults)
        workspace.library.context.processPendingChanges()
        workspace.reveal(task.objectID, step)
    }

    /// What is not understood, since the end of the line may be cut off; the title that will remain,
    /// every value in words, and the next occurrences.
    private func show() {
        preview = RichLine()
        func add(_ text: String, _ role: Role) {
            if !preview.runs.isEmpty { preview.runs.append(.init(text: "  ", role: .text)) }
            preview.runs.append(.init(text: text, role: role))
        }
        if let completion {
            add(completion.candidates[0], .text)
            for candidate in completion.candidates.dropFirst() { add(candidate, .dim) }
        }
        let parts = parts()
        let isPlain = captured.tokens.isEmpty && parts.isEmpty && !defaults.isFlagged
        if isPlain, captured.remarks.isEmpty, completion == nil {
            preview = .plain(
                localized("dates, #tag, !high, +List, @Place and \"every week\" are recognised"),
                .dim
            )
            return
        }
        for remark in captured.remarks { add(remark, .warning) }
        // Not dimmer than what was recognised.
        if !captured.title.isEmpty { add(captured.title, .heading) }
        for part in parts { add(part.text, role(of: part.kind)) }
        if defaults.isFlagged { add(localized("flagged"), .marked) }
        if let date = captured.due ?? captured.start, let repetition = captured.repetition {
            let format = DateFormat(context: context)
            let next = repetition.dueDates(after: date, count: 2, in: context).map(format.absolute)
            if !next.isEmpty { add(localized("then \(next.joined(separator: ", "))"), .dim) }
        }
    }

    /// What was recognised, with the values that the shown list gives to a new item.
    private func parts() -> [CapturedItem.Part] {
        var item = captured
        item.due = captured.due ?? defaults.due
        item.start = captured.start ?? defaults.start
        if item.list.isEmpty, let list = defaults.list { item.list = list.path }
        item.tags += defaults.tags.filter { !item.tags.contains($0) }
        item.priority = max(captured.priority, defaults.priority)
        item.location = captured.location ?? defaults.location
        let newTags = names.missingTags(captured.tags)
        return item.parts(context, isListNew: isListNew, newTags: newTags)
    }

    /// Highlights the recognised words, while the whole text is visible.
    override func decorate(_ canvas: inout Canvas, _ look: Look) {
        let text = field.text
        guard text.utf8.count < 8 * canvas.columns, captured.text == text,
            DisplayWidth.of(text) < canvas.columns
        else { return }
        let utf8 = text.utf8
        for token in captured.tokens {
            let start = utf8.index(utf8.startIndex, offsetBy: token.range.lowerBound)
            let end = utf8.index(start, offsetBy: token.range.count)
            let area = Rect(
                row: 0,
                column: DisplayWidth.of(text[..<start]),
                rows: 1,
                columns: DisplayWidth.of(text[start..<end])
            )
            var style = look[role(of: token.kind)]
            // Where a theme has no colour for it, bold would not show in the bold field.
            if style.foreground == .standard, token.kind != .escape {
                style = style.with(.reverse)
            }
            canvas.overlay(area, with: style)
        }
    }

    private func role(of kind: CapturedItem.TokenKind) -> Role {
        switch kind {
        case .list: .list
        case .tag: .tag
        case .location: .location
        case .priority: .priorityHigh
        case .due, .start, .recurrence, .estimate, .reminder: .dueSoon
        case .waits, .blocks: .dim
        case .escape: .dim
        case .impossibleDate: .warning
        }
    }
}

extension Workspace {
    /// The defaults for a new item from the shown list.
    var captureDefaults: ItemDefaults { captureDefaults(in: items.scope) }

    private func captureDefaults(in scope: Scope) -> ItemDefaults {
        var defaults = ItemDefaults()
        switch scope {
        case .dependencies(let list): return captureDefaults(in: list)
        case .list: defaults.list = lists.list(of: scope)
        case .tag:
            let title = lists.title(of: scope)
            defaults.tags = [String(title.dropFirst())]
        case .smart(let list): return list.defaults(in: library)
        case .days: defaults.due = items.selectedDay.map { DueDate(day: $0) }
        }
        return defaults
    }

    /// Selects a new item if it is shown, else reports where it is.
    func reveal(_ id: ManagedObjectID, _ step: SavedStep?) {
        clearSearchIfHiding(id)
        items.makeLines(keeping: true)
        let isShown = items.select(id)
        let list = items.item(id)?.list.map { ListPath.string($0.path) } ?? localized("the inbox")
        tell(step, unchanged: "Nothing was added", also: isShown ? "" : " to \(list)")
    }

    private func clearSearchIfHiding(_ id: ManagedObjectID) {
        // What was found is older than the item.
        if items.isSearching { do { try runSearch() } catch { tell(error) } }
        guard let found = items.found, !found.ids.contains(id) else { return }
        clearSearch()
    }
}
