import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

/// A row of the history.
enum HistoryLine: Hashable {
    case step(HistoryStep, isUndone: Bool)
    /// Where the items are.
    case now
    /// Before the oldest step that is kept.
    case beginning

    var step: HistoryStep? {
        if case .step(let step, _) = self { return step }
        return nil
    }
}

/// The steps that can be undone and redone.
struct HistorySteps {
    /// The next one to undo first, with those of others on a server.
    var done: [HistoryStep] = []
    /// The next one to redo first.
    var undone: [HistoryStep] = []
    /// Whether there are more to undo than these.
    var isCut = false

    init() {}

    init(_ library: Library, limit: Int) throws {
        done = try library.undoSteps(limit: limit, ofEveryone: true)
        undone = try library.redoSteps(limit: limit)
        isCut = done.count == limit
    }

    /// Newest first; with words only the steps whose sentence has each of them.
    func lines(matching words: String) -> [HistoryLine] {
        let words = words.lowercased().split(separator: " ")
        func matches(_ step: HistoryStep) -> Bool {
            let name = step.title.lowercased()
            return words.allSatisfy { name.contains($0) }
        }
        if !words.isEmpty {
            return undone.reversed().filter(matches).map { .step($0, isUndone: true) }
                + done.filter(matches).map { .step($0, isUndone: false) }
        }
        if done.isEmpty, undone.isEmpty { return [] }
        return undone.reversed().map { .step($0, isUndone: true) } + [.now]
            + done.map { .step($0, isUndone: false) } + (isCut || done.isEmpty ? [] : [.beginning])
    }
}

/// Draws one row of the history: `14:02  Completed "measure the beds"          here`.
struct HistoryLineView {
    private let line: HistoryLine
    private let format: DateFormat
    private let isOwn: Bool
    private let look: Look

    private static let time = 8

    init(_ line: HistoryLine, _ format: DateFormat, isOwn: Bool, _ look: Look) {
        self.line = line
        self.format = format
        self.isOwn = isOwn
        self.look = look
    }

    func render(into canvas: inout Canvas) {
        switch line {
        case .now: rule(localized("now"), into: &canvas)
        case .beginning:
            canvas.put(
                localized("before all of this"),
                at: Position(row: 0, column: Self.time),
                width: max(0, canvas.columns - Self.time),
                style: look[.dim]
            )
        case .step(let step, let isUndone): render(step, isUndone, into: &canvas)
        }
    }

    private func rule(_ title: String, into canvas: inout Canvas) {
        canvas.fill(
            canvas.bounds.inset(right: 1),
            with: canvas.symbols.horizontal,
            style: look[.border]
        )
        canvas.put("  \(title)  ", at: Position(row: 0, column: Self.time - 2), style: look[.title])
    }

    private func render(_ step: HistoryStep, _ isUndone: Bool, into canvas: inout Canvas) {
        let time = isUndone ? "" : format.moment(step.date)
        let pad = max(0, Self.time - 2 - DisplayWidth.of(time))
        canvas.put(time, at: Position(row: 0, column: pad), style: look[.dim])
        let origin = isUndone ? localized("redo") : origin(of: step)
        let width = DisplayWidth.of(origin)
        let room = canvas.columns - Self.time - width - 3
        let isShown = room >= 20
        canvas.put(
            DisplayWidth.singleLine(step.title),
            at: Position(row: 0, column: Self.time),
            width: max(0, isShown ? room : canvas.columns - Self.time - 1),
            style: look[isUndone ? .dim : .text]
        )
        guard isShown else { return }
        let column = canvas.columns - width - 2
        canvas.put(origin, at: Position(row: 0, column: column), style: look[.dim])
    }

    /// Who made the step: `here` for one of this window.
    private func origin(of step: HistoryStep) -> String {
        if isOwn { return localized("here") }
        switch step.author {
        case "interface"?: return localized("a window")
        case let author?: return DisplayWidth.singleLine(author)
        case nil: return ""
        }
    }
}

/// What going to a step would change, in words.
struct HistoryPreviewText {
    let line: HistoryLine?
    private let rows: [String]

    /// A preview costs as much as the undo; for more objects than this only their number is shown.
    private static let largest = 1000

    init(_ line: HistoryLine?, _ library: Library, _ steps: [HistoryStep], isRedo: Bool) {
        self.line = line
        rows = Self.rows(library, steps, isRedo: isRedo)
    }

    private static func rows(
        _ library: Library,
        _ steps: [HistoryStep],
        isRedo: Bool
    ) -> [String] {
        let count = steps.count
        if count == 0 { return [localized("Nothing would change.")] }
        let head =
            "\(isRedo ? localized("Redoing") : localized("Undoing")) \(Phrase(count, "step"))"
        do {
            let size = try library.context.historySize(of: steps)
            if size > largest { return [localized("\(head) changes up to \(size) things.")] }
            let preview =
                isRedo
                ? try library.previewRedo(steps: count) : try library.previewUndo(steps: count)
            guard let preview else { return [] }
            if let conflict = preview.conflicts.first {
                return [
                    localized("\(head) is not possible:"), "\(library.sentence(of: conflict)).",
                ]
            }
            let lines = library.lines(of: preview).map(\.text)
            return lines.isEmpty
                ? [localized("\(head) changes nothing visible.")] : ["\(head):"] + lines
        } catch {
            return ["\(error)"]
        }
    }

    private static func ascii(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1 == "→" ? "->" : $1 == "…" ? "..." : String($1) }
    }

    func render(into canvas: inout Canvas, look: Look) {
        canvas.fill(
            Rect(row: 0, column: 0, rows: 1, columns: canvas.columns),
            with: canvas.symbols.horizontal,
            style: look[.border]
        )
        var shown = rows
        if shown.count > canvas.rows - 1 {
            let left = shown.count - canvas.rows + 2
            shown = Array(shown.prefix(canvas.rows - 2)) + [localized("… and \(left) more")]
        }
        for (row, text) in shown.enumerated() {
            let text = look.isASCII ? Self.ascii(text) : text
            canvas.put(
                DisplayWidth.singleLine(text),
                at: Position(row: row + 1, column: 2),
                width: max(0, canvas.columns - 3),
                style: look[row == 0 ? .dim : .text]
            )
        }
    }
}
