import ObjectGraph
import TerminalUI

extension Form {
    private static let labelWidth = 11

    var dialog: Dialog { Dialog(title: session.name) }

    private var content: Size { Size(rows: wantedRows, columns: 74) }

    /// All rows: each field with what stands below it, then the buttons.
    private var wantedRows: Int {
        fields.reduce(0) { $0 + ($1.grows ? 10 : $1.rows) + below($1) } + 3
    }

    private func below(_ field: FieldEditor) -> Int {
        let isFocused = field === focused
        return field.problem != nil || (isFocused && field.preview != nil) ? 1 : 0
    }

    func layout(in bounds: Rect) {
        area = dialog.area(content: content, in: bounds)
        let inside = dialog.inside(area)
        let fixed = fields.reduce(3) { $0 + ($1.grows ? 0 : $1.rows) + below($1) }
        let growing = fields.count { $0.grows }
        let room = max(3, (inside.rows - fixed) / max(1, growing))
        places = []
        var row = 0
        let lead = min(Form.labelWidth, inside.columns / 3)
        for field in fields {
            let rows = field.grows ? room : field.rows
            let columns = max(1, inside.columns - lead)
            places.append(Rect(row: row, column: lead, rows: rows, columns: columns))
            field.layout(Size(rows: rows, columns: columns))
            row += rows + below(field)
        }
        row += 1
        places.append(Rect(row: row, column: lead, rows: 1, columns: 8))
        places.append(Rect(row: row, column: lead + 10, rows: 1, columns: 10))
        keepFocusInSight(rows: inside.rows, total: row + 2)
    }

    private func keepFocusInSight(rows: Int, total: Int) {
        let place = places[min(focus, places.count - 1)]
        let end = min(place.endRow + (focused.map(below) ?? 1), place.row + rows)
        scroll = min(scroll, place.row)
        scroll = max(scroll, end - rows)
        scroll = min(max(0, scroll), max(0, total - rows))
    }

    func render(into canvas: inout Canvas, look: Look) {
        dialog.render(into: &canvas, theme: look.theme, content: content) { canvas in
            let shifted = Rect(
                row: -scroll,
                column: 0,
                rows: canvas.rows + scroll,
                columns: canvas.columns
            )
            canvas.draw(in: shifted) { canvas in
                for (index, field) in fields.enumerated() {
                    render(field, at: places[index], into: &canvas, look: look)
                }
                renderButtons(into: &canvas, look: look)
            }
        }
    }

    private func render(
        _ field: FieldEditor,
        at place: Rect,
        into canvas: inout Canvas,
        look: Look
    ) {
        let isFocused = field === focused
        canvas.put(
            field.label,
            at: Position(row: place.row, column: 0),
            width: max(0, place.column - 1),
            style: look[isFocused ? .title : .dim]
        )
        canvas.draw(in: place) { canvas in
            field.render(into: &canvas, look: look, isFocused: isFocused)
        }
        let below = Position(row: place.endRow, column: place.column)
        if let problem = field.problem {
            canvas.put(
                "\(String(Character(canvas.symbols.warning))) \(problem)",
                at: below,
                width: place.columns,
                style: look[.warning]
            )
        } else if isFocused, let preview = field.preview {
            canvas.put(preview.textRuns(look), at: below, width: place.columns)
        }
    }

    private func renderButtons(into canvas: inout Canvas, look: Look) {
        guard places.count == stops else { return }
        let problem = firstProblem
        func button(_ stop: Int, _ title: String, _ role: Role) {
            let isFocused = focus == stop
            canvas.put(
                "[ \(title) ]",
                at: places[stop].origin,
                style: look[isFocused ? .selection : role]
            )
            if isFocused { canvas.cursor = places[stop].origin.offset(columns: 2) }
        }
        button(saveStop, "Save", problem == nil ? .text : .disabled)
        button(saveStop + 1, "Cancel", .text)
        let column = places[saveStop + 1].endColumn + 2
        let row = places[saveStop].row
        let offer = draft == nil ? "" : "A draft is kept: ^T takes it back."
        let text = !note.isEmpty ? note : problem ?? offer
        let role: Role = problem != nil || !note.isEmpty ? .warning : .info
        canvas.put(
            text,
            at: Position(row: row, column: column),
            width: max(0, canvas.columns - column),
            style: look[role]
        )
    }
}
