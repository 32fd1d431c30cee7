import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

extension Form {
    func handle(_ event: InputEvent, in workspace: Workspace) throws {
        remark = ""
        if case .mouse = event {} else { isScrolledByWheel = false }
        switch event {
        case .key(let key): try handle(key, in: workspace)
        case .paste(let text):
            guard focused?.takesLines == true, let files = PastedFiles(text) else {
                return edit(event)
            }
            let links = try files.paths.map(Library.fileLink).joined(separator: "\n")
            workspace.open(
                QuestionBox(
                    "Paste",
                    "The pasted text names \(files.words).",
                    [
                        .init(key: "a", title: localized("Attach by a link")) { [self] _ in
                            edit(.paste(links))
                        },
                        .init(key: "t", title: localized("Put the text itself here")) { [self] _ in
                            edit(event)
                        },
                    ]
                )
            )
        case .mouse(let mouse): try handle(mouse, in: workspace)
        case .focus, .report: break
        }
    }

    private func handle(_ key: Key, in workspace: Workspace) throws {
        if focus >= fields.count {
            try handleButton(key, in: workspace)
            return
        }
        if handleMenu(key) { return }
        let takesLines = focused?.takesLines ?? false
        if !takesLines, key == .enter || key == .down { return moveFocus(by: 1) }
        if !takesLines, key == .up { return moveFocus(by: -1) }
        edit(.key(key))
    }

    private func handleButton(_ key: Key, in workspace: Workspace) throws {
        switch key {
        case .enter, .space:
            if focus == saveStop {
                try accept(in: workspace)
            } else {
                cancel(in: workspace)
            }
        case .left, .up: moveFocus(by: -1)
        case .right, .down: moveFocus(by: 1)
        default: break
        }
    }

    private func edit(_ event: InputEvent) {
        // A long text has many steps of undo: a line, a paste, what was typed before the cursor moved.
        let isLong = focused.map { $0.takesLines && $0.text.utf8.count < Self.longest } ?? false
        if isLong, isEditing, event.beginsStep { endEdit() }
        let outcome = edit { $0.handle(event) }
        if isLong, isEditing, outcome == .moved { endEdit() }
    }

    /// The most bytes of a text whose every line is a step: each step keeps the text.
    private static let longest = 65_536

    /// Moves an item of a list in a text to the right or to the left.
    ///
    /// - Returns: whether there is one at the cursor.
    func indent(by steps: Int) -> Bool { edit { $0.indent(by: steps) } == .changed }

    @discardableResult
    private func edit(_ work: (FieldEditor) -> EditOutcome) -> EditOutcome {
        guard let field = focused else { return .ignored }
        let before = field.text
        let outcome = work(field)
        guard outcome == .changed else { return outcome }
        textBeforeEdit = textBeforeEdit ?? before
        field.isTouched = true
        if field.writesDuringTyping { try? field.apply(at: clock) }
        followWord()
        check()
        return outcome
    }

    // MARK: Suggestions

    /// Offers what completes the word at the cursor.
    private func followWord() {
        let suggestions = focused?.suggestions
        menu.show(suggestions?.rows ?? [], from: suggestions?.range.lowerBound ?? 0)
    }

    /// Lets the open menu have a key; returns whether it took it.
    ///
    /// Tab goes on to the next field unless a row is selected.
    func handleMenu(_ key: Key) -> Bool {
        switch menu.handle(key, takesFirst: false) {
        case .ignored: return false
        case .changed: return true
        case .taken(let row):
            guard let field = focused else { return false }
            textBeforeEdit = textBeforeEdit ?? field.text
            field.take(row)
            field.isTouched = true
            if field.writesDuringTyping { try? field.apply(at: clock) }
            menu = SuggestionMenu()
            check()
            return true
        }
    }

    private func handle(_ mouse: MouseEvent, in workspace: Workspace) throws {
        guard let place = dialog.inside(area).local(mouse.position) else { return }
        let row = Position(row: place.row + scroll, column: place.column)
        let stop = places.firstIndex { $0.contains(row) }
        if mouse.kind == .wheelDown || mouse.kind == .wheelUp {
            return turn(mouse.kind == .wheelDown ? 3 : -3, over: stop)
        }
        guard mouse.kind == .press, mouse.button == .left, let stop else { return }
        isScrolledByWheel = false
        moveFocus(to: stop)
        (focused as? TextEditor)?.field.keep()
        if stop == saveStop { try accept(in: workspace) }
        if stop == saveStop + 1 { cancel(in: workspace) }
    }

    /// Scrolls the text below the pointer, or else the whole form; the focus stays.
    private func turn(_ rows: Int, over stop: Int?) {
        if let stop, stop < fields.count, let lines = fields[stop] as? LinesEditor {
            lines.area.scroll(by: rows)
        } else {
            scroll += rows
            isScrolledByWheel = true
        }
    }

    /// Lends the longest text to the user's editor.
    func editOutside(in workspace: Workspace) {
        guard let field = fields.first(where: { $0.takesLines }) else { return }
        endEdit()
        workspace.requests.append(
            .edit(text: field.text, suffix: ".md") { [weak self] text in
                guard let self, field.text != text else { return }
                if let place = fields.firstIndex(where: { $0 === field }) {
                    registerUndo(to: field.text, at: place)
                }
                field.text = text
                try field.apply(at: clock)
                session.endEdit()
                check()
            }
        )
    }
}

extension InputEvent {
    /// Whether what it types is a step of undo apart from what was typed before.
    fileprivate var beginsStep: Bool {
        switch self {
        case .key(.enter), .paste: true
        default: false
        }
    }
}
