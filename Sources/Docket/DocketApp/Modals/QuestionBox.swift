import CivilTime
import Phrases
import TerminalUI

/// A question with a few answers, each given by one key; Esc does nothing.
final class QuestionBox: Modal {
    struct Answer {
        let key: Character
        let title: String
        let choose: (Workspace) throws -> Void
    }

    let title: String
    private let question: String
    private let answers: [Answer]
    private let note: String
    private var selected = 0
    private var area = Rect(row: 0, column: 0, rows: 0, columns: 0)

    /// A `note` is shown below the answers.
    init(_ title: Phrase, _ question: Phrase, _ answers: [Answer], note: Phrase = "") {
        self.title = title.text
        self.question = question.text
        self.answers = answers
        self.note = note.text
    }

    var mode: String { title }

    func hints(_ look: Look) -> [Hint] {
        answers.map { Hint(String($0.key), "\($0.title)") } + [Hint("Esc", "nothing happens")]
    }

    func handle(_ event: InputEvent, in workspace: Workspace) throws {
        switch event {
        case .key(.escape), .key(.ctrl("c")), .key(.ctrl("g")): workspace.close(self)
        case .key(.enter): try choose(selected, in: workspace)
        case .key(.down), .key(.tab): selected = (selected + 1) % answers.count
        case .key(.up): selected = (selected + answers.count - 1) % answers.count
        case .key(let key):
            guard let index = answers.firstIndex(where: { Key($0.key) == key }) else { return }
            try choose(index, in: workspace)
        case .mouse(let mouse):
            guard mouse.kind == .press, mouse.button == .left else { return }
            if !area.contains(mouse.position) { return workspace.close(self) }
            guard let place = Dialog(title: title).inside(area).local(mouse.position),
                answers.indices.contains(place.row - firstAnswer)
            else { return }
            try choose(place.row - firstAnswer, in: workspace)
        case .paste, .focus, .report: break
        }
    }

    private func choose(_ index: Int, in workspace: Workspace) throws {
        workspace.close(self)
        try answers[index].choose(workspace)
    }

    /// The row of the first answer in the box.
    private var firstAnswer: Int { lines.question.count + 1 }
    private var lines: (question: [Substring], note: [Substring]) = ([], [])

    /// Wraps what is asked, and returns the size that it takes.
    private func content(in bounds: Rect) -> Size {
        let widest =
            answers.map { DisplayWidth.of($0.title) + 4 } + [question, note].map(DisplayWidth.of)
        let columns = min(76, widest.max() ?? 0, max(1, bounds.columns - 4))
        lines.question = DisplayWidth.wrapped(question, columns: columns)
        lines.note = note.isEmpty ? [] : DisplayWidth.wrapped(note, columns: columns)
        let rows = firstAnswer + answers.count + (note.isEmpty ? 0 : lines.note.count + 1)
        return Size(rows: rows, columns: columns)
    }

    func layout(in bounds: Rect) {
        area = Dialog(title: title).area(content: content(in: bounds), in: bounds)
    }

    func render(into canvas: inout Canvas, look: Look) {
        let content = content(in: canvas.bounds)
        Dialog(title: title).render(into: &canvas, theme: look.theme, content: content) { canvas in
            let columns = canvas.columns
            for (row, line) in lines.question.enumerated() {
                canvas.put(line, at: Position(row: row, column: 0), style: look[.text])
            }
            for (row, line) in lines.note.enumerated() {
                let place = Position(row: firstAnswer + answers.count + 1 + row, column: 0)
                canvas.put(line, at: place, style: look[.dim])
            }
            for (index, answer) in answers.enumerated() {
                let role: Role = index == selected ? .selection : .text
                let row = Rect(row: firstAnswer + index, column: 0, rows: 1, columns: columns)
                if row.endRow > canvas.rows { break }
                canvas.fill(row, style: look[role])
                if index == selected { canvas.cursor = row.origin.offset(columns: 1) }
                canvas.put(
                    " \(answer.key)  \(answer.title)",
                    at: row.origin,
                    width: columns,
                    style: look[role]
                )
            }
        }
    }
}
