import DocketCore
import SearchLanguage
import TerminalUI

/// Search during typing; the items pane shows the results.
///
/// Below the text is what it means in words, what completes the word that is being typed, or what is
/// wrong with it. Enter keeps the results and goes to them, Esc ends the search and keeps the
/// selection.
final class SearchBar: InputBar {
    private var filter: ItemFilter?
    private var completion: QueryCompletion?
    /// The place in the last searches that the text comes from; `nil` after it was typed.
    private var recalled: Int?

    /// Whether Enter marks what is found and ends the search.
    private let marks: Bool

    init(workspace: Workspace, marks: Bool = false) {
        self.marks = marks
        super.init(
            marks ? "Mark" : "/",
            text: workspace.session.text,
            placeholder: "words from title, notes, list, tags; or due:<7d tag:home"
        )
        field.offer()
        workspace.search.prepareOrder()
        filter = workspace.session.filter
        show(workspace)
    }

    override var mode: String { marks ? localized("Mark") : localized("Search") }

    override func hints(_ look: Look) -> [Hint] {
        let arrows = look.isASCII ? "Up/Down" : "↑↓"
        return [
            Hint(look.isASCII ? "Enter" : "⏎", marks ? "mark what is found" : "keep"),
            Hint("Esc", "end"),
            Hint(look.isASCII ? "Tab" : "⇥", "everywhere or here"),
            Hint(arrows, field.isEmpty || recalled != nil ? "last searches" : "choose"),
            Hint(look.isASCII ? "Right" : "→", "complete"), Hint("^S", "save as a list"),
        ]
    }

    // MARK: Typing

    override func handle(_ event: InputEvent, in workspace: Workspace) throws {
        if case .key(.right) = event, completion != nil, field.cursor == field.text.utf8.count {
            return try complete(in: workspace)
        }
        try super.handle(event, in: workspace)
        if case .key(let key) = event, key != .enter, key != .escape { look(workspace) }
    }

    private func complete(in workspace: Workspace) throws {
        guard let completion else { return }
        field.text = completion.completed(field.text)
        try textDidChange(in: workspace)
    }

    override func textDidChange(in workspace: Workspace) throws {
        recalled = nil
        try search(in: workspace)
    }

    private func search(in workspace: Workspace) throws {
        let selected = workspace.items.selectedID
        try workspace.search(field.text)
        filter = workspace.session.filter
        // The selection stays on its item while the search finds it.
        if workspace.items.selectedID != selected { try workspace.items.selectEnd(first: true) }
        look(workspace)
    }

    /// Looks for what completes the word at the cursor.
    private func look(_ workspace: Workspace) {
        completion = nil
        if let filter, recalled == nil {
            let names = workspace.search.names
            completion = QueryCompletion(filter, at: field.cursor, names) { id in
                workspace.counts.counts[.tag(id)] ?? workspace.counts.counts[.list(id)]
            }
        }
        show(workspace)
        followWord(in: workspace)
    }

    /// Values of the condition that is being typed.
    ///
    /// Names of conditions are none: every word would open a menu, which takes the arrows from the
    /// results.
    override func suggestions(in workspace: Workspace) -> Suggestions? {
        guard let completion, completion.areValues else { return nil }
        let isLast = completion.range.upperBound == field.text.utf8.count
        return Suggestions(
            completion.range,
            completion.candidates.map { candidate in
                let count = candidate.count.map { $0 > 0 ? localized("\($0) open") : "" } ?? ""
                return (
                    .init(candidate.text, detail: count), candidate.text + (isLast ? " " : "")
                )
            }
        )
    }

    override func accept(in workspace: Workspace) throws {
        workspace.searchHistory.add(field.text)
        workspace.close(self)
        workspace.go(to: .items)
        if marks { try workspace.markFound() }
    }

    override func cancel(in workspace: Workspace) throws { workspace.clearSearch() }

    override func other(_ key: Key, in workspace: Workspace) throws {
        switch key {
        case .tab:
            workspace.session.isEverywhere.toggle()
            try workspace.runSearch()
        case .up where field.isEmpty || recalled != nil: try recall(1, in: workspace)
        case .down where recalled != nil: try recall(-1, in: workspace)
        case .up, .ctrl("p"): workspace.items.move(by: -1)
        case .down, .ctrl("n"): workspace.items.move(by: 1)
        case .ctrl("s"): workspace.saveSearchAsList()
        case .pageUp: workspace.items.page(-1)
        case .pageDown: workspace.items.page(1)
        default: break
        }
    }

    /// Takes an older or a newer one of the last searches; before the newest is the empty text.
    private func recall(_ step: Int, in workspace: Workspace) throws {
        let texts = workspace.searchHistory.texts
        let place = (recalled ?? -1) + step
        guard place < texts.count else { return }
        recalled = place < 0 ? nil : place
        field.text = place < 0 ? "" : texts[place]
        try search(in: workspace)
    }

    // MARK: The line below

    private func show(_ workspace: Workspace) {
        guard let filter else {
            preview = .plain(Self.help, .dim)
            return
        }
        if let problem = filter.problems.first(where: { $0.kind != .incomplete }) {
            preview = .plain(problem.sentence, .error)
            return
        }
        let words = filter.inWords(workspace.library.clock())
        preview = .plain(words.isEmpty ? Self.help : words, .dim)
        // What is offered says what is missing.
        guard completion?.areValues != true, let problem = filter.problems.first else { return }
        preview.runs.append(.init(text: "  " + problem.sentence, role: .warning))
    }

    private static let help =
        localized(
            "due: tag: list: is: has: priority: created: every: title: …  or  -  ( )  \"exact words\""
        )

    /// The number of results at the right of the line.
    var summary = ""

    override func decorate(_ canvas: inout Canvas, _ look: Look) {
        let text = field.text
        guard text.utf8.count < 8 * canvas.columns else { return }
        let used = DisplayWidth.of(text)
        guard used < canvas.columns else { return }
        var end = field.isEmpty ? DisplayWidth.of(field.placeholder) : used
        if !field.isEmpty, let rest = completion?.rest, field.cursor == text.utf8.count {
            let room = canvas.columns - used - 1
            canvas.put(
                rest,
                at: Position(row: 0, column: used),
                width: min(room, DisplayWidth.of(rest)),
                style: look[.input].overlaid(by: look[.placeholder])
            )
            end += DisplayWidth.of(rest)
        }
        if let filter { QueryMarks(filter).render(into: &canvas, over: text, look) }
        // Without the fields and the place if all of it does not fit.
        let count = summary.prefix { $0 != ":" }
        let room = canvas.columns - end - 3
        guard let shown = [summary[...], count].first(where: { DisplayWidth.of($0) < room }),
            !shown.isEmpty
        else { return }
        canvas.put(
            shown,
            at: Position(row: 0, column: canvas.columns - DisplayWidth.of(shown) - 1),
            style: look[.input].overlaid(by: look[.dim])
        )
    }
}
