import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

/// Chooses what tasks wait for: a search during typing, whose rows are ticked.
///
/// Without a text it shows what they wait for now, ticked, and the tasks around the selected row.
/// Tab changes a tick; Enter saves the changed ticks as one step, or ticks the selected row if none
/// was changed.
final class BlockersPicker: MenuBox {
    private let library: Library
    private let search: SearchController
    private let look: Look
    /// The tasks that shall wait.
    private let ids: Set<ManagedObjectID>
    private let ordered: [ManagedObjectID]
    /// The open tasks that all of the tasks wait for, or some, when the box was opened.
    private let present: [Task]
    /// How many of the tasks wait for one of these.
    private let counts: [ManagedObjectID: Int]
    private let nearby: [Task]
    private var rows: [Task] = []
    /// The changed ticks.
    private var ticks: [(task: Task, isTicked: Bool)] = []
    /// Whether all other ticks are removed.
    private var isCleared = false

    private static let most = 100
    /// For more tasks than this, what they wait for is not shown.
    private static let mostCompared = 500

    init(_ workspace: Workspace) throws {
        let targets = Targets.items(try workspace.items.targets(localized("for one step"))).tasks
        let tasks = targets.items?.compactMap { $0 as? Task } ?? []
        (library, search, look) = (workspace.library, workspace.search, workspace.look)
        ordered = targets.ids
        ids = Set(ordered)
        var counts: [Task: Int] = [:]
        for task in tasks.count > Self.mostCompared ? [] : tasks {
            for blocker in task.blockedBy where blocker.isOpen { counts[blocker, default: 0] += 1 }
        }
        present = Array(
            counts.keys.sorted { $0.displayOrder < $1.displayOrder }.prefix(Self.most)
        )
        self.counts = Dictionary(uniqueKeysWithValues: counts.map { ($0.objectID, $1) })
        nearby = Self.nearby(workspace.items)
        let title = targets.onlyTask.map { localized("\(workspace.quoted($0.title)) waits for") }
        super.init(
            title.map { "\($0)" } ?? "\(tasks.count) tasks wait for",
            items: [],
            placeholder: "words of a task, or its number",
            filters: false
        )
        queryDidChange()
    }

    /// The open tasks of the rows around the selected one.
    private static func nearby(_ items: ItemsController) -> [Task] {
        guard let place = items.list.selection else { return [] }
        let lines = items.lines[max(0, place - 30)..<min(items.lines.count, place + 30)]
        var seen: Set<ManagedObjectID> = []
        return lines.compactMap { line in
            guard let id = line.id, seen.insert(id).inserted else { return nil }
            return (items.item(id) as? Task).flatMap { $0.isOpen ? $0 : nil }
        }
    }

    override var mode: String { localized("Waits for") }
    override var isOfFixedSize: Bool { true }

    override func hints(_ look: Look) -> [Hint] {
        [
            Hint(look.isASCII ? "Tab" : "⇥", "tick"), Hint(look.isASCII ? "Enter" : "⏎", "save"),
            Hint("^X", "waits for nothing"), Hint(look.isASCII ? "Up/Down" : "↑↓", "move"),
            Hint("Esc", "cancel"),
        ]
    }

    // MARK: Keys

    override func handle(_ event: InputEvent, in workspace: Workspace) throws {
        switch event {
        case .key(.tab):
            toggle()
            _ = menu.handle(.key(.down))
        case .key(.ctrl("x")):
            (isCleared, ticks) = (true, [])
            show()
        // An error leaves the box open.
        case .key(.enter): try accept(in: workspace)
        default:
            let text = menu.query.text
            try super.handle(event, in: workspace)
            if menu.query.text != text { queryDidChange() }
        }
        if !workspace.modals.contains(where: { $0 === self }) { leave(workspace) }
    }

    /// The search of the list, if there is one, runs again: this one has taken its place.
    private func leave(_ workspace: Workspace) {
        if workspace.items.isSearching {
            workspace.markSearchStale()
        } else {
            search.endSearching()
        }
    }

    /// A click changes a tick.
    override func choose(_ index: Int, in workspace: Workspace) throws {
        toggle()
        workspace.open(self)
    }

    private func toggle() {
        guard let row = menu.selected, rows.indices.contains(row) else { return }
        let task = rows[row]
        let isTicked = !isTicked(task)
        ticks.removeAll { $0.task === task }
        if isTicked != wasTicked(task) { ticks.append((task, isTicked)) }
        show()
    }

    private func isTicked(_ task: Task) -> Bool {
        ticks.first { $0.task === task }?.isTicked ?? wasTicked(task)
    }

    private func wasTicked(_ task: Task) -> Bool {
        !isCleared && counts[task.objectID] == ids.count
    }

    private func accept(in workspace: Workspace) throws {
        var changes = ticks
        if changes.isEmpty, !isCleared, let row = menu.selected, rows.indices.contains(row),
            !isTicked(rows[row])
        {
            changes = [(rows[row], true)]
        }
        if changes.isEmpty, !isCleared, rows.isEmpty, !menu.query.isEmpty {
            throw InputError(
                .badReference,
                "No other open task is found by \"\(CaptureText.cleanLine(menu.query.text))\";"
                    + " other words find it, Esc changes nothing."
            )
        }
        let added = changes.filter(\.isTicked).map(\.task.shortID)
        let removed = changes.filter { !$0.isTicked }.map(\.task.shortID)
        try workspace.perform(
            isCleared ? .waits(added) : .blockers(adding: added, removing: removed),
            on: library.targets(ordered),
            unchanged: isCleared
                ? "It waits for nothing" : "It waits for that already"
        )
        workspace.close(self)
    }

    // MARK: Rows

    override func queryDidChange() {
        rows = (try? found()) ?? []
        show()
    }

    /// The rows of the text: the task of a number, then what a search finds.
    private func found() throws -> [Task] {
        let text = menu.query.text.trimmingSpace
        if text.isEmpty { return others(present + nearby) }
        var tasks: [Task] = []
        if let number = try? ShortID.parse(text.hasPrefix("#") ? String(text.dropFirst()) : text) {
            tasks = (try? Library.tasks(numbered: [number], in: library.context)) ?? []
        }
        let filter = try search.filter("\(text) is:task is:open")
        let found =
            search.isReady
            ? try search.search(filter, among: nil).ids
            : try library.itemIDs(of: filter, matching: Library.openItems, limit: Self.most)
        // A few more, because a search with "or" may find others too.
        tasks += try library.existing(Array(found.prefix(2 * Self.most))).compactMap { $0 as? Task }
        return others(tasks)
    }

    private func others(_ tasks: [Task]) -> [Task] {
        var seen = ids
        return Array(
            tasks.filter { $0.isOpen && seen.insert($0.objectID).inserted }.prefix(Self.most)
        )
    }

    private func show() {
        menu.update(
            items: rows.map { task in
                let title = DisplayWidth.singleLine(task.title)
                let sign = isTicked(task) ? look.signs.boxDone : look.signs.boxOpen
                var details = [task.list.map { ListPath.string($0.path) } ?? ""]
                if let count = counts[task.objectID], count < ids.count {
                    details.append(localized("\(count) of \(ids.count) wait for it"))
                }
                return MenuItem(
                    "\(sign) \(title.isEmpty ? localized("(no title)") : title)",
                    detail: details.filter { !$0.isEmpty }.joined(separator: ", "),
                    hint: ShortID.string(task.shortID)
                )
            }
        )
    }
}
