import Phrases
import StoreExploring
public import TerminalUI

extension StoreBrowser {
    /// Reads what is on the screen, and draws it.
    public func render(into canvas: inout Canvas, theme: Theme, isFocused: Bool) {
        let layout = BrowserLayout(canvas.size, focus)
        loadRows(layout)
        if let area = layout.entities {
            canvas.draw(in: area) {
                drawEntities(&$0, theme, isFocused: isFocused && focus == .entities)
            }
        }
        if let area = layout.divider {
            canvas.fill(area, with: canvas.symbols.vertical, style: theme[.border])
        }
        if var area = layout.entities?.inset(top: 1) {
            if layout.divider != nil { area.columns += 1 }
            canvas.draw(in: area) { drawScroll(of: entityList, into: &$0, theme) }
        }
        if let area = layout.content {
            canvas.draw(in: area) {
                drawContent(&$0, theme, isFocused: isFocused && focus == .content)
            }
        }
    }

    private func loadRows(_ layout: BrowserLayout) {
        if let area = layout.entities { entityList.layout(rows: max(1, area.rows - 1)) }
        let header = contentHeader
        changeList { $0.layout(rows: max(1, (layout.content?.rows ?? 2) - header)) }
        guard layout.content != nil, case .rows(var view)? = stack.last, view.problem == nil else {
            return
        }
        do { try view.pages.load(view.list.visible) } catch {
            // Not tried again at each frame; reading the store again makes other rows.
            view.problem = DisplayWidth.singleLine("\(error)")
        }
        stack[stack.count - 1] = .rows(view)
    }

    // MARK: Entities

    private func drawEntities(_ canvas: inout Canvas, _ theme: Theme, isFocused: Bool) {
        let title =
            entityFilter.isEmpty
            ? localized("Entities") : localized("Entities with \"\(entityFilter)\"")
        drawTitle(&canvas, title, theme, isFocused: isFocused)
        let area = Rect(row: 1, column: 0, rows: canvas.rows - 1, columns: canvas.columns)
        if entities.isEmpty {
            canvas.put(
                " \(localized("No entity; Esc shows all."))",
                at: area.origin,
                width: canvas.columns,
                style: theme[.dim]
            )
            return
        }
        canvas.draw(in: area) { canvas in
            entityList.render(into: &canvas, theme: theme, isFocused: isFocused) { row, canvas in
                let entity = entities[row.index]
                let count = String(entity.rows)
                let room = canvas.columns - 2
                let indent = String(repeating: "  ", count: min(entity.depth, 8))
                let name = indent + DisplayWidth.singleLine(entity.name)
                canvas.put(
                    name,
                    at: Position(row: 0, column: 1),
                    width: max(0, room - count.utf8.count - 1),
                    style: theme[entity.isAbstract ? .dim : .text]
                )
                canvas.put(
                    count,
                    at: Position(row: 0, column: max(0, canvas.columns - count.utf8.count)),
                    style: theme[.dim]
                )
            }
        }
    }

    private func draw(
        _ list: ListView,
        in area: Rect,
        of canvas: inout Canvas,
        _ theme: Theme,
        isFocused: Bool,
        _ row: (ListRow, inout Canvas) -> Void
    ) {
        canvas.draw(in: area) { canvas in
            list.render(into: &canvas, theme: theme, isFocused: isFocused, draw: row)
            drawScroll(of: list, into: &canvas, theme)
        }
    }

    /// In the last column, which is the line between the parts where there is one.
    private func drawScroll(of list: ListView, into canvas: inout Canvas, _ theme: Theme) {
        Scrollbar.render(
            into: &canvas,
            total: list.count,
            first: list.first,
            visible: list.visibleRows,
            theme: theme
        )
    }

    private func drawTitle(
        _ canvas: inout Canvas,
        _ title: String,
        _ theme: Theme,
        isFocused: Bool
    ) {
        canvas.put(
            " \(title)",
            at: Position(row: 0, column: 0),
            width: canvas.columns,
            style: theme[isFocused ? .borderFocused : .heading]
        )
    }

    // MARK: Content

    private func drawContent(_ canvas: inout Canvas, _ theme: Theme, isFocused: Bool) {
        switch stack.last {
        case .rows(let view)?: drawRows(&canvas, view, theme, isFocused: isFocused)
        case .object(let view)?: drawObject(&canvas, view, theme, isFocused: isFocused)
        case nil: break
        }
    }

    private func drawRows(
        _ canvas: inout Canvas,
        _ view: RowsView,
        _ theme: Theme,
        isFocused: Bool
    ) {
        var title = "\(DisplayWidth.singleLine(view.title))  \(view.pages.count)"
        if !view.filter.isEmpty { title += localized(" with \"\(view.filter)\"") }
        drawTitle(&canvas, title, theme, isFocused: isFocused)
        let area = Rect(row: 2, column: 0, rows: canvas.rows - 2, columns: canvas.columns)
        if let text = view.instead {
            let lines = DisplayWidth.wrapped(text, columns: max(1, canvas.columns - 2))
            for (row, line) in lines.enumerated() where row + 1 < canvas.rows {
                canvas.put(
                    line,
                    at: Position(row: row + 1, column: 1),
                    style: theme[view.problem == nil ? .dim : .warning]
                )
            }
            if isFocused { canvas.cursor = Position(row: min(1, canvas.rows - 1), column: 0) }
            return
        }
        let columns = RowColumns(view.entity, room: canvas.columns - 2).columns
        drawCells(&canvas, row: 1, columns.map { ($0, $0.name, theme[.dim]) })
        draw(view.list, in: area, of: &canvas, theme, isFocused: isFocused) { row, canvas in
            guard let object = view.pages[row.index] else {
                canvas.put(
                    " \(localized("gone"))",
                    at: Position(row: 0, column: 0),
                    width: canvas.columns,
                    style: theme[.dim]
                )
                return
            }
            drawCells(&canvas, row: 0, columns.map { cell($0, object, view.entity, theme) })
        }
    }

    private func cell(
        _ column: RowColumns.Column,
        _ object: InspectedObject,
        _ entity: StoreOverview.Entity?,
        _ theme: Theme
    ) -> (RowColumns.Column, String, Style) {
        if column.name.isEmpty {
            let short = InspectedValue.short(object.identifier)
            let text = entity == nil ? short : String(short.split(separator: " ").last ?? "")
            return (column, text, theme[.dim])
        }
        guard let value = object.values.first(where: { $0.name == column.name })?.value else {
            return (column, "", theme[.dim])
        }
        if case .null = value { return (column, "–", theme[.dim]) }
        return (column, value.shown, theme[value.isLink ? .link : .text])
    }

    private func drawCells(
        _ canvas: inout Canvas,
        row: Int,
        _ cells: [(column: RowColumns.Column, text: String, style: Style)]
    ) {
        var start = 1
        for (column, text, style) in cells {
            let text =
                column.isRight
                ? DisplayWidth.pad(
                    text,
                    to: column.width,
                    alignment: .trailing,
                    symbols: canvas.symbols
                ) : text
            canvas.put(
                text,
                at: Position(row: row, column: start),
                width: column.width,
                style: style
            )
            start += column.width + 1
        }
    }

    private func drawObject(
        _ canvas: inout Canvas,
        _ view: ObjectView,
        _ theme: Theme,
        isFocused: Bool
    ) {
        drawTitle(
            &canvas,
            InspectedValue.short(view.object.identifier),
            theme,
            isFocused: isFocused
        )
        let names = view.object.values.map { DisplayWidth.of($0.name) }.max() ?? 0
        let width = min(names, max(8, canvas.columns / 3))
        let area = Rect(row: 1, column: 0, rows: canvas.rows - 1, columns: canvas.columns)
        draw(view.list, in: area, of: &canvas, theme, isFocused: isFocused) { row, canvas in
            let (name, value) = view.object.values[row.index]
            canvas.put(
                DisplayWidth.singleLine(name),
                at: Position(row: 0, column: 1),
                width: width,
                style: theme[.dim]
            )
            var style = theme[value.isLink ? .link : .text]
            if case .null = value { style = theme[.dim] }
            canvas.put(
                value.shown,
                at: Position(row: 0, column: width + 3),
                width: max(0, canvas.columns - width - 3),
                style: style
            )
        }
    }
}
