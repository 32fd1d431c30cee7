import DocketCore
import ObjectGraph
import TerminalUI

extension Form {
    /// As wide as the labels, and at least so that forms are alike.
    private var labelWidth: Int {
        max(11, 1 + (fields.map { DisplayWidth.of($0.label) }.max() ?? 0))
    }

    /// The columns of the labels in a form of a width.
    private func lead(_ columns: Int) -> Int { min(labelWidth, 2 * columns / 5) }

    var dialog: Dialog { Dialog(title: session.name) }

    /// The text of a note gets the screen, as wide as lines are read well; other forms are as high as
    /// their fields.
    private var content: Size {
        let isText = item is Note && fields.contains(where: \.grows)
        return isText
            ? Size(rows: Form.most, columns: labelWidth + Form.readableColumns)
            : Size(rows: wantedRows, columns: 74)
    }

    private static let readableColumns = 90
    private static let most = 1000

    /// All rows: each field with the rows below it, then the buttons.
    private var wantedRows: Int {
        fields.reduce(0) { $0 + ($1.grows ? 10 : $1.rows) + below($1) } + 3 + remarkRows.count
    }

    private func below(_ field: FieldEditor) -> Int {
        let isFocused = field === focused
        let hasPreview = isFocused && field.preview != nil && !isBeside(field)
        let hasLine = field.shownProblem != nil || hasPreview
        return (hasLine ? 1 : 0) + meanwhileRows(field).count
    }

    /// Whether the meaning of a field is in its row, at the right of its text.
    private func isBeside(_ field: FieldEditor) -> Bool {
        let columns = dialog.inside(area).columns - labelWidth
        return field.previewsBeside && field.preview != nil && columns >= Form.besideColumn + 24
    }

    /// Where the meaning of a field begins.
    private static let besideColumn = 30

    private func meanwhileRows(_ field: FieldEditor) -> [String] {
        let columns = dialog.inside(area).columns
        let lead = lead(columns)
        return field.meanwhile?.rows(of: field.label, columns: columns - lead) ?? []
    }

    // MARK: The remark

    /// The message of the form: the answer to the last key, else an error, else an offer.
    private var shownRemark: (text: String, role: Role) {
        if !remark.isEmpty { return (remark, .warning) }
        if let problem = gone ?? trashed ?? completed ?? shownProblem { return (problem, .warning) }
        return (draft == nil ? "" : localized("A draft is kept: ^T restores it."), .info)
    }

    /// The remark if it is too long for its place beside the buttons: below everything, and not
    /// scrolled.
    private var remarkRows: [Substring] {
        let inside = dialog.inside(area)
        let buttons = Form.buttons.reduce(0) { $0 + DisplayWidth.of($1) + 2 }
        let beside = inside.columns - lead(inside.columns) - buttons
        let fits = DisplayWidth.of(shownRemark.text) <= beside && !isScrolled
        if fits || shownRemark.text.isEmpty { return [] }
        let rows = DisplayWidth.wrapped(shownRemark.text, columns: max(1, inside.columns))
        return Array(rows.prefix(max(1, inside.rows / 2)))
    }

    func layout(in bounds: Rect) {
        area = dialog.area(content: content, in: bounds)
        // The remark's rows depend on the width, and the height depends on them.
        area = dialog.area(content: content, in: bounds)
        let inside = dialog.inside(area).inset(bottom: remarkRows.count)
        let fixed = fields.reduce(3) { $0 + ($1.grows ? 0 : $1.rows) + below($1) }
        let growing = fields.count { $0.grows }
        let room = max(3, (inside.rows - fixed) / max(1, growing))
        places = []
        var row = 0
        let lead = lead(inside.columns)
        for field in fields {
            let rows = field.grows ? room : field.rows
            let columns = max(1, inside.columns - lead)
            places.append(Rect(row: row, column: lead, rows: rows, columns: columns))
            let room = isBeside(field) ? Form.besideColumn - 2 : columns
            field.layout(Size(rows: rows, columns: room))
            row += rows + below(field)
        }
        row += 1
        var column = lead
        for width in Form.buttons.map(DisplayWidth.of) {
            places.append(Rect(row: row, column: column, rows: 1, columns: width))
            column += width + 2
        }
        isScrolled = row + 1 > inside.rows
        keepFocusInSight(rows: inside.rows, total: row + 2)
    }

    /// Save and Cancel.
    private static var buttons: [String] {
        [localized("Save"), localized("Cancel")].map { "[ \($0) ]" }
    }

    private func keepFocusInSight(rows: Int, total: Int) {
        if !isScrolledByWheel {
            let place = places[min(focus, places.count - 1)]
            let end = min(place.endRow + (focused.map(below) ?? 1), place.row + rows)
            scroll = min(scroll, place.row)
            scroll = max(scroll, end - rows)
        }
        scroll = min(max(0, scroll), max(0, total - rows))
    }

    func render(into canvas: inout Canvas, look: Look) {
        dialog.render(into: &canvas, theme: look.theme, content: content) { canvas in
            let remarks = remarkRows
            canvas.drawScrolled(by: scroll, above: remarks.count) { canvas in
                for (index, field) in fields.enumerated() {
                    render(field, at: places[index], into: &canvas, look: look)
                }
                renderButtons(into: &canvas, look: look)
                renderMenu(into: &canvas, look: look)
            }
            for (index, row) in remarks.enumerated() {
                let place = Position(row: canvas.rows - remarks.count + index, column: 0)
                canvas.put(row, at: place, style: look[shownRemark.role])
            }
        }
    }

    /// Draws the menu below the field with the focus, or above where there is no room.
    private func renderMenu(into canvas: inout Canvas, look: Look) {
        guard menu.isOpen, places.indices.contains(focus), let field = focused as? TextEditor else {
            return
        }
        let place = places[focus]
        let rows = menu.rows.count
        let end = scroll + dialog.inside(area).rows - remarkRows.count
        let row = place.endRow + rows <= end ? place.endRow : max(scroll, place.row - rows)
        let word = String(decoding: field.text.utf8.prefix(menu.start), as: UTF8.self)
        let column = min(place.columns, DisplayWidth.of(word))
        let target = Rect(row: row, column: place.column, rows: rows, columns: place.columns)
        canvas.draw(in: target) { canvas in
            menu.render(into: &canvas, from: column, theme: look.theme)
        }
    }

    private func render(
        _ field: FieldEditor,
        at place: Rect,
        into canvas: inout Canvas,
        look: Look
    ) {
        let isFocused = field === focused
        canvas.putLabel(field.label, row: place.row, columns: place.column, isFocused, look)
        var editing = place
        if isBeside(field), let preview = field.preview {
            editing.columns = Form.besideColumn - 2
            canvas.put(
                preview.textRuns(look),
                at: Position(row: place.row, column: place.column + Form.besideColumn),
                width: max(0, place.columns - Form.besideColumn)
            )
        }
        canvas.draw(in: editing) { canvas in
            field.render(into: &canvas, look: look, isFocused: isFocused)
        }
        var below = Position(row: place.endRow, column: place.column)
        for row in meanwhileRows(field) {
            canvas.put(row, at: below, width: place.columns, style: look[.warning])
            below.row += 1
        }
        if let problem = field.shownProblem {
            canvas.put(
                "\(String(Character(canvas.symbols.warning))) \(problem)",
                at: below,
                width: place.columns,
                style: look[.warning]
            )
        } else if isFocused, !isBeside(field), let preview = field.preview {
            canvas.put(preview.textRuns(look), at: below, width: place.columns)
        }
    }

    private func renderButtons(into canvas: inout Canvas, look: Look) {
        guard places.count == stops else { return }
        for (place, title) in Form.buttons.enumerated() {
            let stop = saveStop + place
            let isFocused = focus == stop
            let role: Role = place == 0 && shownProblem != nil ? .disabled : .text
            canvas.put(
                title,
                at: places[stop].origin,
                style: look[isFocused ? .selection : role]
            )
            if isFocused { canvas.cursor = places[stop].origin.offset(columns: 2) }
        }
        guard remarkRows.isEmpty else { return }
        let column = places[saveStop + 1].endColumn + 2
        canvas.put(
            shownRemark.text,
            at: Position(row: places[saveStop].row, column: column),
            width: max(0, canvas.columns - column),
            style: look[shownRemark.role]
        )
    }
}
