import DocketCore
import TerminalUI

extension SmartListForm {
    private static let labelWidth = 8
    private static let columns = 74

    private var dialog: Dialog { Dialog(title: title) }

    /// The fields, the meaning below the search, and the remark.
    private var content: Size { Size(rows: fields.count + 3, columns: Self.columns) }

    /// The meaning has a row below the search.
    private func row(of place: Int) -> Int {
        let search = fields.firstIndex(of: .query) ?? 0
        return place + (place > search ? 1 : 0)
    }

    func layout(in bounds: Rect) {
        area = dialog.area(content: content, in: bounds)
        let inside = dialog.inside(area)
        let columns = max(1, inside.columns - Self.labelWidth)
        name.layout(columns: columns)
        query.layout(columns: columns)
        let rows = max(1, inside.rows - remarkRows(inside.columns).count)
        let bottom = row(of: focus) + (fields[focus] == .query ? 2 : 1)
        scroll = min(max(0, bottom - rows), row(of: focus))
    }

    private func remarkRows(_ columns: Int) -> [Substring] {
        remark.isEmpty
            ? [] : Array(DisplayWidth.wrapped(remark, columns: max(1, columns)).prefix(3))
    }

    func render(into canvas: inout Canvas, look: Look) {
        dialog.render(into: &canvas, theme: look.theme, content: content) { canvas in
            let remarks = remarkRows(canvas.columns)
            canvas.drawScrolled(by: scroll, above: remarks.count) {
                renderFields(into: &$0, look: look)
            }
            for (index, text) in remarks.enumerated() {
                let place = Position(row: canvas.rows - remarks.count + index, column: 0)
                canvas.put(text, at: place, width: canvas.columns, style: look[.warning])
            }
        }
    }

    private func renderFields(into canvas: inout Canvas, look: Look) {
        let columns = max(1, canvas.columns - Self.labelWidth)
        for (place, field) in fields.enumerated() {
            let row = row(of: place)
            let isFocused = place == focus
            canvas.putLabel(field.title, row: row, columns: Self.labelWidth, isFocused, look)
            let area = Rect(row: row, column: Self.labelWidth, rows: 1, columns: columns)
            canvas.draw(in: area) { canvas in
                switch field {
                case .name: name.render(into: &canvas, theme: look.theme, isFocused: isFocused)
                case .query: renderQuery(into: &canvas, look: look, isFocused: isFocused)
                case .order, .grouping, .shown:
                    renderChoice(choice(of: field), into: &canvas, look: look, isFocused: isFocused)
                }
            }
            guard field == .query else { continue }
            canvas.put(
                meaning.textRuns(look),
                at: Position(row: row + 1, column: Self.labelWidth),
                width: columns,
                fill: look[.text]
            )
        }
    }

    private func renderQuery(into canvas: inout Canvas, look: Look, isFocused: Bool) {
        query.render(into: &canvas, theme: look.theme, isFocused: isFocused)
        guard let filter, query.text.utf8.count < 8 * canvas.columns,
            DisplayWidth.of(query.text) < canvas.columns
        else { return }
        QueryMarks(filter).render(into: &canvas, over: query.text, look)
    }

    private func renderChoice(
        _ text: String,
        into canvas: inout Canvas,
        look: Look,
        isFocused: Bool
    ) {
        let shown = isFocused ? (look.isASCII ? "< \(text) >" : "‹ \(text) ›") : text
        canvas.put(
            shown,
            at: Position(row: 0, column: 0),
            width: canvas.columns,
            style: look[isFocused ? .inputFocused : .text]
        )
        if isFocused { canvas.cursor = Position(row: 0, column: 0) }
    }
}
