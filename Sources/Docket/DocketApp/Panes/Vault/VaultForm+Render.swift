import DocketCore
import Encryption
import TerminalUI

extension VaultForm {
    private static let labelWidth = 11
    private static let noteRows = 5
    private static let columns = 70

    private var dialog: Dialog { Dialog(title: title) }

    /// The fields, the strength below the password, the suggestions below the category, the remark.
    private var content: Size {
        Size(rows: lines.count + VaultForm.noteRows + 4, columns: VaultForm.columns)
    }

    private func row(of place: Int) -> Int { place + (place > 2 ? 1 : 0) + (place > 4 ? 1 : 0) }

    func layout(in bounds: Rect) {
        area = dialog.area(content: content, in: bounds)
        let inside = dialog.inside(area)
        let columns = max(1, inside.columns - VaultForm.labelWidth)
        for place in lines.indices { lines[place].layout(columns: columns) }
        let size = Size(rows: VaultForm.noteRows, columns: columns)
        notes.layout(TextArea.textSize(in: size))
        let top = row(of: focus)
        let bottom = top + (focus == lines.count ? VaultForm.noteRows : 2)
        scroll = min(scroll, top)
        scroll = max(scroll, bottom - (inside.rows - 1))
    }

    func render(into canvas: inout Canvas, look: Look) {
        dialog.render(into: &canvas, theme: look.theme, content: content) { canvas in
            let rows = canvas.rows
            canvas.drawScrolled(by: scroll, above: 1) { renderFields(into: &$0, look: look) }
            canvas.put(
                remark,
                at: Position(row: rows - 1, column: 0),
                width: canvas.columns,
                style: look[remark == VaultForm.promise ? .dim : .warning]
            )
        }
    }

    private func renderFields(into canvas: inout Canvas, look: Look) {
        for (place, field) in fields.enumerated() {
            let row = row(of: place)
            let isFocused = place == focus
            canvas.putLabel(field.title, row: row, columns: Self.labelWidth, isFocused, look)
            let rows = place == lines.count ? VaultForm.noteRows : 1
            let columns = max(1, canvas.columns - VaultForm.labelWidth)
            let area = Rect(row: row, column: VaultForm.labelWidth, rows: rows, columns: columns)
            canvas.draw(in: area) { canvas in
                if place < lines.count {
                    lines[place].render(into: &canvas, theme: look.theme, isFocused: isFocused)
                } else {
                    notes.render(into: &canvas, theme: look.theme, isFocused: isFocused)
                }
            }
        }
        renderStrength(into: &canvas, look: look)
        guard fields[focus] == .category else { return }
        let place = Position(row: row(of: 4) + 1, column: VaultForm.labelWidth)
        let width = max(0, canvas.columns - VaultForm.labelWidth)
        let names = suggestions.map { DisplayWidth.singleLine($0) }.joined(separator: ", ")
        canvas.put(
            names.isEmpty ? localized("a new category") : names,
            at: place,
            width: width,
            style: look[.dim]
        )
    }

    /// A bar of twenty cells for a hundred bits, and the number in words.
    private func renderStrength(into canvas: inout Canvas, look: Look) {
        guard let strength else { return }
        let place = Position(row: row(of: 2) + 1, column: VaultForm.labelWidth)
        let filled = min(20, Int(strength.bits / 5))
        let (full, empty) = look.isASCII ? ("#", ".") : ("█", "░")
        let role: Role =
            strength.grade < .fair ? .error : strength.grade == .fair ? .warning : .success
        canvas.put(
            [
                TextRun(String(repeating: full, count: filled), look[role]),
                TextRun(String(repeating: empty, count: 20 - filled), look[.dim]),
                TextRun(
                    localized(
                        " \(Int(strength.bits)) bits, \(Phrase(stringLiteral: strength.grade.words))"
                    ),
                    look[.dim]
                ),
            ],
            at: place,
            width: max(0, canvas.columns - VaultForm.labelWidth)
        )
    }
}
