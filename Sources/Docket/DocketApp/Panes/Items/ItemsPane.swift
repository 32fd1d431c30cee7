import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

/// The items of a list or of a search.
///
/// Split by concern: `+Order`, `+Mouse`.
final class ItemsPane: Pane {
    static let kind = PaneKind(
        id: .items,
        place: .middle,
        content: [.items],
        title: "Items",
        takes: [.window, .history, .list, .items, .marks]
    ) { ItemsPane($0) }

    unowned let workspace: Workspace
    var items: ItemsController { workspace.items }

    init(_ workspace: Workspace) { self.workspace = workspace }

    // MARK: Texts

    var head: String {
        if items.isSearching {
            let text = localized("\"\(workspace.session.text)\"")
            return "\(workspace.listTitle) \(workspace.look.signs.crumb) \(text)"
        }
        let title = workspace.lists.title(of: items.scope)
        guard case .dependencies(let list) = items.scope else { return title }
        return "\(workspace.lists.title(of: list)) \(workspace.look.signs.crumb) \(title)"
    }

    var status: [String] {
        if items.isSearching { return [workspace.searchSummary] }
        if items.scope.isDependencies {
            let count = items.waitingCount
            return [
                count == 1
                    ? localized("\(count) waits for others") : localized("\(count) wait for others")
            ]
        }
        let (order, isReversed) = items.order
        var parts = [counted, order.title.text + (isReversed ? localized(", reversed") : "")]
        if items.grouping != .none { parts.append(items.grouping.title.text) }
        if items.showsDone, items.scope.canShowDone { parts.append(localized("done shown")) }
        return parts
    }

    /// `12 open`, the same number as beside the list.
    private var counted: String {
        if items.isIncomplete { return String(Character(workspace.look.symbols.ellipsis)) }
        if items.scope.isDone || items.scope.isTrash {
            return "\(Phrase(items.total, "item"))"
        }
        return workspace.expectedCount(of: items.scope).map { localized("\($0) open") } ?? ""
    }

    // MARK: Drawing

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        let look = workspace.look
        items.layout(rows: canvas.rows)
        guard !items.lines.isEmpty else {
            EmptyView(text: emptyText, look: look).render(into: &canvas)
            return PaneExtent()
        }
        if workspace.library.isOnServer {
            workspace.readAhead = (.now + .milliseconds(50), { [unowned self] in readAhead() })
        }
        let format = DateFormat(context: workspace.library.clock())
        var rows: [Int: ItemRow] = [:]
        for index in items.list.visible {
            rows[index] = items.row(items.lines[index], format)
        }
        let columns = ItemColumns(
            rows: Array(rows.values),
            width: canvas.columns,
            hasTree: items.hasTree,
            parts: workspace.settings.columns
        )
        items.list.render(into: &canvas, theme: look.theme, isFocused: isFocused) { line, canvas in
            if let row = rows[line.index] {
                ItemRowView(row: row, columns: columns, look: look).render(into: &canvas)
            } else if case .heading(let name, let count) = items.lines[line.index] {
                GroupHeadingView(name: name, count: count, look: look).render(into: &canvas)
            }
        }
        return PaneExtent(items.list, rows: canvas.rows)
    }

    /// Why the pane is empty, and the key that helps.
    private var emptyText: String {
        if items.isIncomplete { return localized("Loading the items.") }
        let key = workspace.key
        if items.isSearching {
            let clear = localized("\(key("search.clear")) ends the search.")
            return workspace.session.isEverywhere
                ? localized("Nothing matches \"\(workspace.session.text)\". \(clear)")
                : localized(
                    "Nothing here matches \"\(workspace.session.text)\"."
                        + " Tab in the search line searches everywhere; \(clear)"
                )
        }
        let scope = items.scope
        let text = scope.emptyText(workspace.library.clock())
        if workspace.hasProblem(scope) {
            return localized("\(text) \(key("list.edit")) changes the search.")
        }
        if scope.isDone || scope.isTrash || workspace.library.isReadOnly { return text }
        if scope.isDependencies {
            return
                localized(
                    "\(text) \(key("back")) returns; \(key("item.waits")) says what a task waits for."
                )
        }
        return localized("\(text) \(key("item.add")) adds a task.")
    }

    // MARK: Moving

    func move(by rows: Int) { items.move(by: rows) }
    func page(_ windows: Int) { items.page(windows) }
    func moveToEnd(first: Bool) throws { try items.selectEnd(first: first) }

    func leaveLevel() -> Bool {
        if !items.marks.isEmpty {
            items.marks = []
        } else if items.isSearching {
            workspace.clearSearch()
        } else if items.scope.isDependencies {
            do { try workspace.toggleDependencies() } catch { workspace.tell(error) }
        } else {
            return false
        }
        return true
    }

    var cannotOpen: String? { workspace.noRow }
    func open() throws {
        if workspace.items.selected is Note { return try workspace.read() }
        try workspace.openForm()
    }
    func edit() throws { try workspace.openForm() }

    var cannotFold: String? {
        if items.foldTarget != nil { return nil }
        return items.scope.isDependencies
            ? localized("Nothing waits for this task.")
            : localized("There are no subtasks here to fold.")
    }
    func toggleFold() { items.toggleFold() }
    var cannotFoldAll: String? {
        items.hasTree ? nil : localized("There are no subtasks in this list to fold.")
    }
    func toggleAllFolds() throws { try items.toggleAllFolds() }
}
