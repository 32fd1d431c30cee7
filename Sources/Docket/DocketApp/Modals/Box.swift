import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

/// A box with a menu: a list that typing filters.
class MenuBox: Modal {
    let title: String
    var menu: Menu
    private var area = Rect(row: 0, column: 0, rows: 0, columns: 0)
    private var shownNoteRows = 0

    init(_ title: Phrase, items: [MenuItem], placeholder: Phrase, filters: Bool = true) {
        self.title = title.text
        menu = Menu(items: items, placeholder: placeholder.text, filters: filters)
    }

    var mode: String { title }

    func hints(_ look: Look) -> [Hint] {
        [
            Hint(look.isASCII ? "Enter" : "⏎", "choose"),
            Hint(look.isASCII ? "Up/Down" : "↑↓", "move"), Hint("Esc", "close"),
        ]
    }

    /// Called with the chosen item, after the box closed.
    func choose(_ index: Int, in workspace: Workspace) throws {}
    /// Called when the user chooses a disabled item.
    func refuse(_ index: Int, in workspace: Workspace) {
        workspace.tell("\(menu.items[index].disabledReason ?? "")", .warning)
    }
    /// Called after each change of the query or the selection.
    func queryDidChange() {}
    /// The number of rows below the menu for a note on the selected item.
    var noteRows: Int { 0 }
    /// Draws that note.
    func renderNote(into canvas: inout Canvas, look: Look) {}

    /// The number of rows for a note on a screen of this size.
    private func noteRows(in bounds: Rect) -> Int { bounds.rows < 14 ? 0 : noteRows }

    func handle(_ event: InputEvent, in workspace: Workspace) throws {
        let rows = Dialog(title: title).inside(area).inset(top: 1, bottom: shownNoteRows)
        let outcome: MenuOutcome
        if case .mouse(let mouse) = event {
            outcome = menu.handle(mouse, in: rows)
            if outcome == .ignored, mouse.kind == .press, !area.contains(mouse.position) {
                workspace.close(self)
            }
        } else {
            outcome = menu.handle(event)
        }
        switch outcome {
        case .chosen(let index):
            workspace.close(self)
            try choose(index, in: workspace)
        case .disabled(let index): refuse(index, in: workspace)
        case .cancelled: workspace.close(self)
        case .changed: queryDidChange()
        case .ignored: break
        }
    }

    /// Whether it keeps its size, because its rows change during typing.
    var isOfFixedSize: Bool { false }

    private var content: Size {
        if isOfFixedSize { return Size(rows: 16, columns: 76) }
        let widest =
            menu.items.map {
                DisplayWidth.of($0.title) + DisplayWidth.of($0.detail) + DisplayWidth.of($0.hint)
                    + 8
            }.max() ?? 0
        let columns = min(80, max(noteRows > 0 ? 72 : 40, widest))
        return Size(rows: min(18, menu.items.count + 1), columns: columns)
    }

    private func content(in bounds: Rect) -> Size {
        var size = content
        size.rows += noteRows(in: bounds)
        return size
    }

    func layout(in bounds: Rect) {
        let dialog = Dialog(title: title)
        area = dialog.area(content: content(in: bounds), in: bounds)
        shownNoteRows = noteRows(in: bounds)
        menu.layout(rows: dialog.inside(area).rows - shownNoteRows)
    }

    func render(into canvas: inout Canvas, look: Look) {
        let note = noteRows(in: canvas.bounds)
        let size = content(in: canvas.bounds)
        Dialog(title: title).render(into: &canvas, theme: look.theme, content: size) { canvas in
            let inside = canvas.bounds
            canvas.draw(in: inside.inset(bottom: note)) { canvas in
                menu.render(into: &canvas, theme: look.theme)
            }
            if note == 0 { return }
            canvas.draw(in: inside.inset(top: inside.rows - note)) { canvas in
                renderNote(into: &canvas, look: look)
            }
        }
    }
}

/// Chooses one of the commands, with or without a key, or a list to go to; commands used last come
/// first, those that cannot be run now come last and say why.
final class Palette: MenuBox {
    private let commands: [Command]
    /// The lists and tags of the user, in the rows after the commands.
    private let places: [(name: String, scope: Scope)]

    init(workspace: Workspace) {
        let rows = Palette.rows(in: workspace)
        let places = Palette.places(in: workspace)
        commands = rows.map(\.command)
        self.places = places
        let items = Palette.items(rows, in: workspace)
        super.init(
            "Commands",
            items: items + places.map { MenuItem(localized("Go to \($0.name)")) },
            placeholder: "what to do, or a list"
        )
    }

    /// A command, and why it cannot be run now.
    private typealias Row = (command: Command, reason: String?)

    private static func rows(in workspace: Workspace) -> [Row] {
        let all = CommandTable.all.filter { $0.context != .form && $0.id != "app.palette" }
        let rows = all.map { Row(command: $0, reason: $0.reason(in: workspace)) }
        func place(_ row: Row) -> Int {
            if row.reason != nil { return .max }
            if let use = workspace.usedCommands.firstIndex(of: row.command.id) { return use }
            // Motions have keys that everybody knows.
            return Workspace.mostUsed + (row.command.category == .move ? 1 : 0)
        }
        return rows.enumerated().sorted {
            (place($0.element), $0.offset) < (place($1.element), $1.offset)
        }.map(\.element)
    }

    private static func items(_ rows: [Row], in workspace: Workspace) -> [MenuItem] {
        rows.map { command, reason in
            MenuItem(
                command.title,
                detail: command.reasonBesideTitle(in: workspace) ?? command.help,
                hint: workspace.key(command.id),
                disabledReason: reason,
                synonyms: command.synonyms
            )
        }
    }

    /// The built-in lists have commands.
    private static func places(in workspace: Workspace) -> [(name: String, scope: Scope)] {
        let saved = workspace.lists.smartLists.all.filter { !$0.isBuiltIn }
        let lists = (try? workspace.library.lists()) ?? []
        let tags = (try? workspace.library.tags()) ?? []
        return saved.map { ($0.title, .smart($0)) }
            + lists.map { (ListPath.string($0.path), .list($0.objectID)) }
            + tags.map { ("#\($0.name)", .tag($0.objectID)) }
    }

    override func choose(_ index: Int, in workspace: Workspace) throws {
        if index < commands.count { return commands[index].perform(in: workspace) }
        try workspace.show(places[index - commands.count].scope)
        workspace.go(to: .items)
    }
}

/// Chooses the list to which items move; a new name creates one.
final class ListPicker: MenuBox {
    private let ids: [ManagedObjectID]
    private let lists: [List?]
    private var offersNew = false

    init(workspace: Workspace) throws {
        ids = workspace.items.targetIDs
        let lists: [List?] = [nil] + (try workspace.library.lists())
        self.lists = lists
        super.init(
            "Move to",
            items: ListPicker.entries(lists),
            placeholder: "a list, or a new name"
        )
    }

    private static func entries(_ lists: [List?]) -> [MenuItem] {
        lists.map { MenuItem($0.map { ListPath.string($0.path) } ?? localized("Inbox")) }
    }

    override func queryDidChange() {
        let name = menu.query.text
        let isKnown = menu.items.prefix(lists.count).contains {
            $0.title.lowercased() == name.lowercased()
        }
        let wantsNew = !name.isEmpty && !isKnown
        guard wantsNew || offersNew else { return }
        offersNew = wantsNew
        var entries = ListPicker.entries(lists)
        if wantsNew { entries.append(MenuItem(name, detail: localized("new list"))) }
        menu.update(items: entries)
    }

    override func choose(_ index: Int, in workspace: Workspace) throws {
        let target: ItemChange.ListTarget
        let name: String
        if index < lists.count {
            let list = lists[index]
            target = list.map { .list($0.objectID) } ?? .inbox
            name = list.map { ListPath.string($0.path) } ?? localized("the inbox")
        } else {
            let path = ListPath.parse(menu.query.text)
            target = path.isEmpty ? .inbox : .path(path)
            name = path.isEmpty ? localized("the inbox") : ListPath.string(path)
        }
        let targets = try workspace.library.targets(ids)
        try workspace.perform(.list(target), on: targets, unchanged: "Already in \(name)")
    }
}

extension Workspace {
    func openListPicker() throws { open(try ListPicker(workspace: self)) }
}
