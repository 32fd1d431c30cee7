import CivilTime
import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

/// What was changed, newest first: each step by its sentence, when, and by whom.
///
/// A line shows where the items are now; what is above it was undone. Enter goes to the state just after a step; `p` shows what that would change. On a server what others have done since stays.
final class HistoryPane: Pane {
    static let kind = PaneKind(
        id: PaneID(name: "history"),
        place: .whole,
        title: "History",
        keyContext: .history,
        commands: commands
    ) { HistoryPane($0) }

    private unowned let workspace: Workspace
    private var library: Library { workspace.library }
    private var list = ListView()
    private var lines: [HistoryLine] = []
    private var steps = HistorySteps()
    private var limit = HistoryPane.page
    private var filter = ""
    private var preview: HistoryPreviewText?
    private var showsPreview = false
    private var seen: Int64?

    private static let page = 500
    private static let previewRows = 8

    init(_ workspace: Workspace) { self.workspace = workspace }

    // MARK: Texts

    var head: String {
        filter.isEmpty
            ? localized("History")
            : localized("History \(workspace.look.signs.crumb) \"\(filter)\"")
    }

    var status: [String] {
        var parts = [localized("\(steps.done.count)\(steps.isCut ? "+" : "") steps")]
        if !filter.isEmpty {
            parts = [localized("\(lines.count { $0.step != nil }) of \(parts[0])")]
        }
        if !steps.undone.isEmpty { parts.append(localized("\(steps.undone.count) undone")) }
        return parts
    }

    // MARK: Rows

    func prepare() throws {
        let newest = try library.latestTransaction()
        if seen != newest { try load(newest) }
        if steps.isCut, let selection = list.selection,
            selection + HistoryPane.page / 4 > lines.count
        {
            limit *= 2
            try load(newest)
        }
        if showsPreview { describeSelection() }
    }

    private func load(_ newest: Int64) throws {
        let selected = selectedStep?.command
        let isFirst = seen == nil
        seen = newest
        preview = nil
        steps = try HistorySteps(library, limit: limit)
        arrange()
        if isFirst {
            list = ListView(count: lines.count)
            list.select(lines.firstIndex { $0 == .now } ?? 0)
            list.move(by: 1)
        } else {
            list.update(
                count: lines.count,
                selection: lines.firstIndex { $0.step?.command == selected && selected != nil }
            )
        }
    }

    private func arrange() {
        lines = steps.lines(matching: filter)
        list.update(count: lines.count)
    }

    private var selectedStep: HistoryStep? { selectedLine?.step }

    private var selectedLine: HistoryLine? {
        list.selection.flatMap { lines.indices.contains($0) ? lines[$0] : nil }
    }

    // MARK: Moving

    func move(by rows: Int) { list.move(by: rows) }
    func page(_ windows: Int) { list.page(windows) }
    func moveToEnd(first: Bool) { list.select(first ? 0 : lines.count - 1) }

    func leaveLevel() -> Bool {
        if showsPreview {
            showsPreview = false
        } else if !filter.isEmpty {
            show(filter: "")
        } else {
            return false
        }
        return true
    }

    var cannotOpen: String? {
        if let reason = workspace.readOnly { return reason }
        switch selectedLine {
        case nil: return localized("There is no step here.")
        case .now?: return localized("This is the present state.")
        case .step?, .beginning?: break
        }
        return way.count == 0 ? localized("The items are in that state already.") : nil
    }

    /// Undoes, or redoes, what lies between the present state and the one just after the step.
    func open() throws {
        let way = way
        var outcomes: [HistoryOutcome] = []
        defer {
            library.context.processPendingChanges()
            // An error of the store is told by the next frame.
            try? prepare()
            list.select(lines.firstIndex(of: .now) ?? 0)
        }
        do {
            while outcomes.count < way.count,
                let outcome = way.isRedo ? try library.redo() : try library.undo()
            {
                outcomes.append(outcome)
            }
        } catch let error as InputError where !outcomes.isEmpty {
            let count = outcomes.count
            let done =
                "\(way.isRedo ? localized("Redid") : localized("Undid")) \(Phrase(count, "step"))"
            return workspace.tell("\(done), then stopped: \(error.message)", .warning)
        }
        guard let last = outcomes.last else {
            return workspace.tell(
                "There is nothing to \(way.isRedo ? localized("redo") : localized("undo"))."
            )
        }
        let sentence = last.step.sentence(undone: !way.isRedo)
        let more = outcomes.count > 1 ? localized(" and \(outcomes.count - 1) more") : ""
        workspace.tell("\(sentence)\(more)", .success)
    }

    /// The steps between the present state and the one just after the selected step.
    private var way: (count: Int, isRedo: Bool) {
        switch selectedLine {
        case .step(let step, isUndone: true):
            (1 + (steps.undone.firstIndex { $0.command == step.command } ?? -1), true)
        case .step(let step, isUndone: false):
            (steps.done.prefix { $0.command != step.command }.count(where: library.canUndo), false)
        case .beginning: (steps.done.count(where: library.canUndo), false)
        case .now, nil: (0, false)
        }
    }

    // MARK: What it would change

    func togglePreview() {
        showsPreview.toggle()
        describeSelection()
    }

    private func describeSelection() {
        guard preview?.line != selectedLine else { return }
        let way = way
        preview = HistoryPreviewText(
            selectedLine,
            library,
            Array(
                (way.isRedo ? steps.undone : steps.done.filter(library.canUndo)).prefix(way.count)
            ),
            isRedo: way.isRedo
        )
    }

    // MARK: Filter

    func show(filter: String) {
        self.filter = filter
        arrange()
    }

    /// Asks for words that the sentences of the shown steps have.
    func openFilter() {
        workspace.open(
            FilterBar(text: filter, show: { [weak self] text in self?.show(filter: text) })
        )
    }

    // MARK: Drawing

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        let look = workspace.look
        var area = canvas.bounds
        if showsPreview, let preview, area.rows > HistoryPane.previewRows + 3 {
            area = area.inset(bottom: HistoryPane.previewRows)
            let place = Rect(
                row: area.rows,
                column: 0,
                rows: HistoryPane.previewRows,
                columns: canvas.columns
            )
            canvas.draw(in: place) { preview.render(into: &$0, look: look) }
        }
        let format = DateFormat(context: library.clock())
        return canvas.draw(in: area) { canvas in
            list.layout(rows: canvas.rows)
            guard !lines.isEmpty else {
                let text =
                    filter.isEmpty
                    ? localized("Nothing was changed yet.")
                    : localized("No step matches \"\(filter)\". Esc shows all.")
                EmptyView(text: text, look: look).render(into: &canvas)
                return PaneExtent()
            }
            list.render(into: &canvas, theme: look.theme, isFocused: isFocused) { row, canvas in
                let line = lines[row.index]
                let isOwn = line.step.map(library.isOwn) ?? false
                HistoryLineView(line, format, isOwn: isOwn, look).render(into: &canvas)
            }
            return PaneExtent(list, rows: canvas.rows)
        }
    }

    func select(at position: Position, in area: Rect) -> Bool {
        list.select(at: position, in: area)
        return list.row(at: position, in: area) != nil
    }

    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        try follow(list.handle(mouse, in: area), in: list)
    }
}
