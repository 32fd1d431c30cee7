import DocketCore
import ObjectGraph
import TerminalUI

extension Application {
    /// Draws one frame.
    func present() {
        workspace.prepare()
        var canvas = Canvas(size: device.size, symbols: workspace.look.symbols)
        render(into: &canvas)
        device.present(canvas)
    }

    func render(into canvas: inout Canvas) {
        let barRows = workspace.modal?.barRows ?? 0
        layout = ScreenLayout(size: canvas.size, focus: workspace.focus, barRows: barRows)
        let look = workspace.look
        if let area = layout.title {
            canvas.draw(in: area) { titleLine.render(into: &$0, look: look) }
        }
        if let area = layout.crumbs {
            canvas.draw(in: area) { CrumbsView(parts: crumbs, look: look).render(into: &$0) }
        }
        for pane in Pane.allCases {
            guard let area = layout.panes[pane] else { continue }
            render(pane, in: area, into: &canvas)
        }
        if let area = layout.footer {
            let view = FooterView(
                hints: dispatcher.hints,
                message: workspace.messages,
                look: look
            )
            canvas.draw(in: area) { view.render(into: &$0) }
        }
        renderModal(into: &canvas)
        if let footer = layout.footer {
            MessageView(message: workspace.messages, look: look)
                .render(into: &canvas, above: layout.bar?.row ?? footer.row)
        }
        WhichKey(workspace: workspace).render(into: &canvas)
    }

    private func renderModal(into canvas: inout Canvas) {
        guard let modal = workspace.modal else { return }
        let look = workspace.look
        if let bar = layout.bar {
            if let search = modal as? SearchBar { search.summary = searchBarSummary }
            modal.layout(in: bar)
            canvas.draw(in: bar) { modal.render(into: &$0, look: look) }
        } else {
            let area = canvas.bounds.inset(
                top: layout.title?.rows ?? 0,
                bottom: layout.footer?.rows ?? 0
            )
            modal.layout(in: Rect(area.size))
            canvas.draw(in: area) { modal.render(into: &$0, look: look) }
        }
    }

    private var searchBarSummary: String {
        let place =
            workspace.searchedIDs == nil
            ? "everywhere" : "in \(workspace.lists.title(of: workspace.items.scope))"
        let summary = workspace.searchSummary
        return summary.isEmpty ? place : "\(summary) \(workspace.look.signs.separator) \(place)"
    }

    private var titleLine: TitleLine {
        let context = workspace.library.clock()
        let mode = workspace.modal?.mode ?? markedMode
        return TitleLine(
            mode: mode,
            undoSteps: workspace.undoCount,
            undoIsCut: workspace.undoCount >= Workspace.undoLimit,
            date: DateFormat(context: context).today,
            isReadOnly: workspace.library.isReadOnly
        )
    }

    private var markedMode: String {
        let count = workspace.items.marks.count
        return count == 0 ? "" : "\(count) marked"
    }

    private var crumbs: [String] {
        var parts = ["Lists"]
        if workspace.focus != .lists { parts.append(itemsTitle) }
        if workspace.focus == .detail { parts.append(workspace.items.selected?.title ?? "") }
        return parts
    }

    // MARK: Panes

    private func render(_ pane: Pane, in area: Rect, into canvas: inout Canvas) {
        let isFocused = workspace.focus == pane
        let inside = PaneView.inside(area)
        let title: String
        switch pane {
        case .lists: title = "Lists"
        case .items: title = itemsTitle
        case .detail: title = detailTitle
        }
        PaneView(title: title, isFocused: isFocused, look: workspace.look)
            .render(into: &canvas, area: area)
        canvas.draw(in: inside) { canvas in
            switch pane {
            case .lists: renderLists(into: &canvas, isFocused: isFocused)
            case .items: renderItems(into: &canvas, isFocused: isFocused)
            case .detail: renderDetail(into: &canvas, isFocused: isFocused)
            }
        }
    }

    private func renderLists(into canvas: inout Canvas, isFocused: Bool) {
        let lists = workspace.lists
        lists.list.layout(rows: canvas.rows)
        let scope = workspace.items.scope
        let look = workspace.look
        lists.list.render(into: &canvas, theme: look.theme, isFocused: isFocused) { row, canvas in
            let line = lists.lines[row.index]
            ListLineView(
                line: line,
                count: line.scope.flatMap { workspace.counts.counts[$0] },
                isCurrent: line.scope == scope,
                look: look
            ).render(into: &canvas)
        }
    }

    private func renderItems(into canvas: inout Canvas, isFocused: Bool) {
        let items = workspace.items
        let look = workspace.look
        items.layout(rows: canvas.rows)
        guard !items.lines.isEmpty else {
            EmptyView(text: emptyText, look: look).render(into: &canvas)
            return
        }
        let format = DateFormat(context: workspace.library.clock())
        let visible = items.list.visible
        var rows: [Int: ItemRow] = [:]
        for index in visible {
            guard case .item(let id, let depth) = items.lines[index] else { continue }
            rows[index] = items.row(id, depth: depth, format)
        }
        let columns = ItemColumns(
            rows: Array(rows.values),
            width: canvas.columns,
            hasTree: items.hasTree
        )
        items.list.render(into: &canvas, theme: look.theme, isFocused: isFocused) { line, canvas in
            if let row = rows[line.index] {
                ItemRowView(row: row, isMarked: line.isMarked, columns: columns, look: look)
                    .render(into: &canvas)
            } else if case .heading(let name, let count) = items.lines[line.index] {
                GroupHeadingView(name: name, count: count, look: look).render(into: &canvas)
            }
        }
    }

    private func renderDetail(into canvas: inout Canvas, isFocused: Bool) {
        let look = workspace.look
        guard let item = workspace.items.selected else {
            workspace.detail.clear()
            EmptyView(text: "nothing selected", look: look).render(into: &canvas)
            return
        }
        let detail = workspace.detail
        let columns = max(1, canvas.columns - 1)
        let lines = detail.lines(of: item, columns: columns, look: look)
        detail.layout(rows: canvas.rows, count: lines.count)
        for row in 0..<canvas.rows where detail.first + row < lines.count {
            canvas.put(
                lines[detail.first + row].textRuns(look),
                at: Position(row: row, column: 0),
                width: columns
            )
        }
        if isFocused { canvas.cursor = Position(row: 0, column: 0) }
        Scrollbar.render(
            into: &canvas,
            total: lines.count,
            first: detail.first,
            visible: canvas.rows,
            theme: look.theme
        )
    }

    // MARK: Texts

    private var detailTitle: String {
        switch workspace.items.selected {
        case is Note: "Note"
        case is Task: "Task"
        default: "Detail"
        }
    }

    private var itemsTitle: String {
        let items = workspace.items
        let separator = workspace.look.signs.separator
        if items.isSearching {
            return "Search \(separator) \(workspace.searchSummary)"
        }
        let name = workspace.lists.title(of: items.scope)
        let total = items.total
        let count =
            items.isIncomplete ? String(Character(workspace.look.symbols.ellipsis)) : "\(total)"
        var title = "\(name) \(separator) \(count) item\(total == 1 ? "" : "s")"
        let (order, isReversed) = items.order
        title += " \(separator) \(order.title)\(isReversed ? ", reversed" : "")"
        if items.grouping != .none { title += ", \(items.grouping.title)" }
        if items.showsDone { title += ", done shown" }
        return title
    }

    private var emptyText: String {
        let items = workspace.items
        if items.isIncomplete { return "Loading…" }
        if items.isSearching {
            return workspace.searchIsEverywhere
                ? "Nothing found. Fewer letters find more."
                : "Nothing found here. Tab searches everywhere."
        }
        switch items.scope {
        case .smart(.trash): return "The trash is empty."
        case .smart(.done): return "Nothing done yet."
        case .smart(.overdue): return "Nothing is overdue. Well done."
        case .smart(.today): return "Nothing is due today."
        default:
            let key = workspace.keyMap.label(of: "item.add", ascii: workspace.look.isASCII)
            return "Nothing here. \(key) adds a task."
        }
    }
}
