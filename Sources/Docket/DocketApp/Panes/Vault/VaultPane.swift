import DocketCore
import ObjectGraph
import TerminalUI

/// The unlocked vault: credentials by category, and the fields of the selected one beside them.
///
/// It covers the screen, so that nothing of the vault is shown beside other views, and is made again
/// after each unlocking.
final class VaultPane: Pane {
    static let kind = PaneKind(
        id: PaneID(name: "vault"),
        place: .whole,
        title: "Vault",
        keyContext: .vault,
        commands: commands
    ) { VaultPane($0) }

    private enum Line: Hashable {
        case heading(String, count: Int)
        case entry(Int)
    }

    private unowned let workspace: Workspace
    private var session: VaultSession { workspace.vault }
    private var list = ListView()
    private var lines: [Line] = []
    /// What the lines show: the session may have read or found others since the last frame.
    private var entries: [VaultEntry] = []

    init(_ workspace: Workspace) { self.workspace = workspace }

    // MARK: Texts

    var head: String { localized("Vault") }

    var status: [String] {
        let count = session.entries.count
        let what =
            session.query.isEmpty
            ? "\(Phrase(count, "credential"))" : localized("\(count) found")
        return [what]
    }

    // MARK: Rows

    func prepare() throws {
        // Another process may have locked nothing, but time has: the pane is left then.
        if session.isLocked { return workspace.leavePane() }
        let isRead = try session.prepare()
        let isOther = entries.map(\.id) != session.entries.map(\.id)
        guard isRead || isOther || lines.isEmpty else { return }
        let (selectedID, former) = (selected?.id, list.selection)
        entries = session.entries
        makeLines()
        let row = selectedID.flatMap { place(of: $0) }
        list.update(count: lines.count, selection: row ?? former ?? 0)
        skipHeading(down: true)
    }

    private func makeLines() {
        lines = []
        let hasCategories = entries.contains { !$0.category.isEmpty }
        for (index, entry) in entries.enumerated() {
            if hasCategories, index == 0 || entries[index - 1].category != entry.category {
                let count = entries[index...].prefix { $0.category == entry.category }.count
                let name = entry.category.isEmpty ? localized("No category") : entry.category
                lines.append(.heading(DisplayWidth.singleLine(name), count: count))
            }
            lines.append(.entry(index))
        }
    }

    private func place(of id: ManagedObjectID) -> Int? {
        lines.firstIndex { line in
            if case .entry(let index) = line { entries[index].id == id } else { false }
        }
    }

    /// The selected credential.
    var selected: VaultEntry? {
        guard let row = list.selection, lines.indices.contains(row),
            case .entry(let index) = lines[row]
        else { return nil }
        return entries[index]
    }

    /// Selects a credential, as after adding it.
    func select(_ id: ManagedObjectID) throws {
        try prepare()
        if let place = place(of: id) { list.select(place) }
    }

    // MARK: Moving

    func move(by rows: Int) {
        list.move(by: rows)
        skipHeading(down: rows > 0)
        session.hide()
    }

    func page(_ windows: Int) {
        list.page(windows)
        skipHeading(down: windows > 0)
        session.hide()
    }

    func moveToEnd(first: Bool) {
        list.select(first ? 0 : lines.count - 1)
        skipHeading(down: true)
        session.hide()
    }

    private func skipHeading(down: Bool) {
        list.skip(down: down) { if case .heading = lines[$0] { true } else { false } }
    }

    func leaveLevel() -> Bool {
        if session.query.isEmpty { return false }
        session.query = ""
        return true
    }

    var cannotOpen: String? { selected == nil ? localized("There is no credential here.") : nil }

    func open() throws {
        guard let selected else { return }
        // The form masks the password; it must not be readable behind it.
        session.hide()
        workspace.open(try VaultForm(editing: selected.id, in: workspace))
    }

    // MARK: Drawing

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        let look = workspace.look
        guard !entries.isEmpty else {
            list.layout(rows: canvas.rows)
            let add = workspace.key("vault.add")
            let text =
                session.query.isEmpty
                ? localized("The vault is empty; \(add) adds a credential.")
                : localized("No credential has these words; Esc shows all.")
            EmptyView(text: text, look: look).render(into: &canvas)
            return PaneExtent()
        }
        let detail = canvas.columns >= 80 ? canvas.columns * 2 / 5 : 0
        let columns = canvas.columns - detail
        let area = Rect(row: 0, column: 0, rows: canvas.rows, columns: columns)
        list.layout(rows: canvas.rows)
        canvas.draw(in: area) { canvas in
            list.render(into: &canvas, theme: look.theme, isFocused: isFocused) { row, canvas in
                render(lines[row.index], into: &canvas, look)
            }
        }
        let extent = PaneExtent(list, rows: canvas.rows)
        guard detail > 0, let selected else { return extent }
        let line = Rect(row: 0, column: columns, rows: canvas.rows, columns: 1)
        canvas.fill(line, with: canvas.symbols.vertical, style: look[.border])
        let place = Rect(row: 0, column: columns + 2, rows: canvas.rows, columns: detail - 2)
        canvas.draw(in: place) { canvas in
            VaultDetail(entry: selected, session: session, look: look).render(into: &canvas)
        }
        return extent
    }

    private func render(_ line: Line, into canvas: inout Canvas, _ look: Look) {
        switch line {
        case .heading(let name, let count):
            GroupHeadingView(name: name, count: count, look: look).render(into: &canvas)
        case .entry(let index):
            let entry = entries[index]
            canvas.put(
                [
                    TextRun(" \(DisplayWidth.singleLine(entry.name))", look[.text]),
                    TextRun("  \(DisplayWidth.singleLine(entry.userID))", look[.dim]),
                    TextRun("  \(DisplayWidth.singleLine(entry.address))", look[.dim]),
                ],
                at: Position(row: 0, column: 0),
                width: canvas.columns,
                fill: look[.text]
            )
        }
    }

    func select(at position: Position, in area: Rect) -> Bool {
        let before = list.selection
        list.select(at: position, in: area)
        skipHeading(down: true)
        if list.selection != before { session.hide() }
        return list.row(at: position, in: area) != nil
    }

    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        let before = list.selection
        let outcome = list.handle(mouse, in: area)
        skipHeading(down: true)
        if list.selection != before { session.hide() }
        try follow(outcome, in: list)
    }
}

/// The fields of a credential; its password is masked until a key shows it for some seconds.
struct VaultDetail {
    let entry: VaultEntry
    let session: VaultSession
    let look: Look

    private static let label = 10

    func render(into canvas: inout Canvas) {
        var row = 0
        func put(_ label: String, _ text: String, _ role: Role = .text) {
            let columns = max(1, canvas.columns - VaultDetail.label - 1)
            let rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .flatMap {
                    DisplayWidth.wrapped(DisplayWidth.singleLine(String($0)), columns: columns)
                }
            for (place, line) in rows.enumerated() where row < canvas.rows {
                if place == 0 {
                    canvas.put(label, at: Position(row: row, column: 0), style: look[.dim])
                }
                canvas.put(
                    line,
                    at: Position(row: row, column: VaultDetail.label),
                    width: columns,
                    style: look[role]
                )
                row += 1
            }
        }
        put(localized("Name"), entry.name, .title)
        if !entry.userID.isEmpty { put(localized("User id"), entry.userID) }
        put(localized("Password"), password, .text)
        if !entry.address.isEmpty { put(localized("Address"), entry.address, .link) }
        if !entry.category.isEmpty { put(localized("Category"), entry.category) }
        if !entry.notes.isEmpty {
            row += 1
            put(localized("Notes"), entry.notes)
        }
    }

    private var password: String {
        if !entry.hasPassword { return localized("none") }
        if let shown = session.shown, shown.id == entry.id { return shown.password }
        // Of the same length for all: the length says something about the password.
        return String(repeating: look.isASCII ? "*" : "•", count: 8)
    }
}
