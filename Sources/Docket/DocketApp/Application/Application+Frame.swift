import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

extension Application {
    /// Draws one frame.
    func drawFrame() {
        var canvas = Canvas(size: device.size, symbols: workspace.look.symbols)
        inItsLanguage {
            workspace.prepare()
            render(into: &canvas)
        }
        device.present(canvas)
        if workspace.pictures.takeQuestion() { device.askPictures() }
        scheduleTimer()
    }

    func render(into canvas: inout Canvas) {
        let barRows = workspace.modal?.barRows(columns: canvas.columns) ?? 0
        layout = ScreenLayout(
            size: canvas.size,
            focus: workspace.focus,
            columns: workspace.panes.columns,
            panes: workspace.panes.kind,
            barRows: barRows,
            tourRows: tourRows(columns: canvas.columns).count,
            widths: workspace.widths.columns
        )
        let look = workspace.look
        // The selected item is read with the rows, before a head or the detail asks for it.
        if let place = layout.panes[.items] { workspace.items.layout(rows: place.body.rows) }
        workspace.showsHeads = layout.panes.values.contains { $0.head != nil }
        if workspace.isForOneBar { return renderBar(into: &canvas) }
        let extents = layout.panes.map { ($1, render($0, $1, into: &canvas)) }
        if let row = workspace.drag?.row {
            canvas.overlay(row, with: Style(attributes: .underline))
        }
        // What the panes have read can be told in the same frame.
        workspace.library.tellDoubts()
        for divider in layout.dividers {
            canvas.fill(divider, with: canvas.symbols.vertical, style: look[.border])
        }
        for (place, extent) in extents { renderScroll(of: extent, place, into: &canvas) }
        if let area = layout.title {
            canvas.draw(in: area) { titleLine.render(into: &$0, look: look) }
        }
        renderBar(into: &canvas)
        dispatcher.continuations?.render(into: &canvas)
        if let area = layout.tour {
            let lines = tourRows(columns: area.columns).prefix(area.rows)
            for (offset, line) in lines.enumerated() {
                let start = Position(row: area.row + offset, column: 1)
                canvas.put(line, at: start, width: area.columns - 2, style: look[.title])
            }
        }
    }

    private func tourRows(columns: Int) -> [String] {
        workspace.tour?.rows(columns: columns, key: workspace.key) ?? []
    }

    /// The open bar or box, and the message above the footer.
    private func renderBar(into canvas: inout Canvas) {
        let look = workspace.look
        if let area = layout.footer {
            let view = footerView
            canvas.draw(in: area) { view.render(into: &$0) }
        }
        renderModal(into: &canvas)
        if let footer = layout.footer {
            MessageView(message: workspace.messages, look: look)
                .render(into: &canvas, above: layout.bar?.row ?? footer.row)
        }
    }

    private func render(
        _ id: PaneID,
        _ place: ScreenLayout.Place,
        into canvas: inout Canvas
    ) -> PaneExtent {
        let pane = workspace.panes[id]
        let look = workspace.look
        let isFocused = workspace.focus == id
        if let head = place.head {
            canvas.put(
                DisplayWidth.singleLine(pane.head),
                at: Position(row: head.row, column: head.column + 1),
                width: max(0, head.columns - 2),
                style: look[isFocused ? .title : .heading]
            )
        }
        return canvas.draw(in: place.body) { pane.render(into: &$0, isFocused: isFocused) }
    }

    /// Draws the scroll position on the line at the right of a pane, or in the last column of the
    /// pane that has no line there.
    private func renderScroll(
        of extent: PaneExtent,
        _ place: ScreenLayout.Place,
        into canvas: inout Canvas
    ) {
        var area = place.body
        if layout.dividers.contains(where: { $0.column == area.endColumn }) { area.columns += 1 }
        // Beside the rows alone, not beside what a pane has below them.
        area.rows = min(area.rows, extent.visible)
        canvas.draw(in: area) { canvas in
            Scrollbar.render(
                into: &canvas,
                total: extent.total,
                first: extent.first,
                visible: extent.visible,
                theme: workspace.look.theme
            )
        }
    }

    private func renderModal(into canvas: inout Canvas) {
        guard let modal = workspace.modal else { return }
        let look = workspace.look
        if let bar = layout.bar {
            if let search = modal as? SearchBar { search.summary = workspace.searchBarSummary }
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

    var footerView: FooterView {
        FooterView(hints: dispatcher.hints, message: workspace.messages, look: workspace.look)
    }

    private var titleLine: TitleLine {
        let date = DateFormat(context: workspace.library.clock()).today
        return TitleLine(crumbs: crumbs, status: statusWords + workspace.quietSyncStatus + [date])
    }

    /// What is shown, from outside to inside.
    private var crumbs: [String] {
        if workspace.paneKind.place == .whole { return [workspace.pane.head] }
        let columns = workspace.panes.columns
        // A pane in place of the lists has a name of its own.
        guard layout.isNarrow else {
            let first = workspace.content == .month ? 0 : 1
            return columns[first...1].map { workspace.panes[$0].head }
        }
        let last = columns.firstIndex(of: workspace.focus) ?? 0
        return columns[...last].map { workspace.panes[$0].head }
    }

    private var statusWords: [String] {
        var parts: [String] = []
        if let mode = workspace.modal?.mode {
            parts.append(mode)
        } else if !workspace.items.marks.isEmpty {
            let hidden = workspace.items.hiddenMarkCount
            let rest = hidden == 0 ? "" : localized(", \(hidden) not shown")
            parts.append(localized("\(workspace.items.marks.count) marked\(rest)"))
        }
        if let status = workspace.importStatus { parts.append(status) }
        parts += workspace.urgentSyncStatus
        if workspace.focus != FocusPane.kind.id, let timer = workspace.timerWords {
            parts.append(timer)
        }
        parts += workspace.vault.status
        if workspace.library.isReadOnly { parts.append(localized("read only")) }
        let isWhole = workspace.paneKind.place == .whole
        return parts + workspace.panes[isWhole ? workspace.focus : workspace.panes.middle].status
    }
}
