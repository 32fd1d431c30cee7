import DocketCore
import ObjectGraph

// The counts of the lists pane. The first time they are asked from the store, one query at a time
// between events, after the first frame. From then on each event's objects tell what they were
// (their committed values) and what they are, and the difference is added. Where the old values
// are not known — a merge, a rollback, changed tags — the counts are asked anew.

/// How many open items each list has, kept by watching changes.
final class CountsController {
    private let library: Library
    private(set) var counts: [Scope: Int] = [:]
    /// Whether the title line and lists pane have to be drawn anew.
    private(set) var isComplete = false
    private var tasks: [() throws -> Void] = []
    private var pending: [Scope: Int] = [:]
    private var observation: ContextObservation?
    /// What changed items count as since the last save, which is newer than what was saved.
    private var unsaved: [ManagedObjectID: Contribution] = [:]

    private static let counted: [SmartList] = [
        .today, .overdue, .dueSoon, .highPriority, .flagged, .all, .inbox, .trash,
    ]

    init(library: Library) {
        self.library = library
        observation = ContextObservation(
            library.context,
            didSave: { [weak self] _ in self?.didSave() },
            didChange: { [weak self] in self?.note($0) }
        )
        recount()
    }

    /// Whether there is something to do between events.
    var hasWork: Bool { !tasks.isEmpty }

    /// Asks for all counts anew, at the next occasions.
    func recount() {
        unsaved = [:]
        pending = [:]
        tasks = CountsController.counted.map { list in
            { [unowned self] in
                let predicate = try list.predicate(library.clock(), showsDone: false)
                pending[.smart(list)] = try library.count(
                    list == .all || list == .inbox
                        ? .and([predicate, Library.openItems]) : predicate
                )
            }
        }
        tasks.append { [unowned self] in
            for (id, count) in try library.openCountsByList() { pending[.list(id)] = count }
        }
        tasks.append { [unowned self] in
            for (id, count) in try library.openCountsByTag() { pending[.tag(id)] = count }
        }
    }

    /// Does one step of counting.
    /// - Returns: whether the counts are complete with it.
    func work() -> Bool {
        guard !tasks.isEmpty else { return false }
        let task = tasks.removeFirst()
        // A count that cannot be had is left out; the list itself will tell why.
        try? task()
        guard tasks.isEmpty else { return false }
        counts = pending
        isComplete = true
        return true
    }

    // MARK: Watching

    private func note(_ change: ObjectsDidChange) {
        guard isComplete, tasks.isEmpty else {
            // What is being counted may be old already.
            if change.concernsItems { recount() }
            return
        }
        guard change.refreshed.isEmpty, change.deleted.isEmpty, !change.invalidatedAll else {
            if change.concernsItems { recount() }
            return
        }
        let context = library.clock()
        for case let item as Item in change.updated {
            guard item.hasChanges, item.isInserted || item.changedValues()["tags"] == nil else {
                return recount()
            }
            let known = unsaved[item.objectID]
            let old: Contribution? =
                item.isInserted ? known : known ?? Contribution(committed: item, context)
            replace(old, item, context)
        }
        for case let item as Item in change.inserted {
            guard item.isInserted else { return recount() }
            replace(unsaved[item.objectID], item, context)
        }
    }

    /// Counts an item as it is, no longer as it was.
    private func replace(_ old: Contribution?, _ item: Item, _ context: DateContext) {
        let new = Contribution(item, context)
        unsaved[item.objectID] = new
        guard old != new else { return }
        if let old { add(old, -1, item) }
        add(new, 1, item)
    }

    /// What was unsaved is what is saved now, and new lists and tags have their identity.
    private func didSave() {
        unsaved = [:]
        for (scope, count) in counts {
            guard let permanent = permanent(scope), permanent != scope else { continue }
            counts[scope] = nil
            counts[permanent] = count
        }
    }

    private func permanent(_ scope: Scope) -> Scope? {
        switch scope {
        case .list(let id) where id.isTemporaryID:
            .list(library.context.object(with: id).objectID)
        case .tag(let id) where id.isTemporaryID:
            .tag(library.context.object(with: id).objectID)
        default: nil
        }
    }

    private func add(_ contribution: Contribution, _ sign: Int, _ item: Item) {
        for list in contribution.lists { counts[.smart(list), default: 0] += sign }
        guard contribution.isOpen else { return }
        if let list = contribution.list { counts[.list(list), default: 0] += sign }
        for tag in contribution.tags ?? Set(item.tags.map(\.objectID)) {
            counts[.tag(tag), default: 0] += sign
        }
    }
}

extension ObjectsDidChange {
    fileprivate var concernsItems: Bool {
        let isItem = { (object: ManagedObject) in object is Item || object is Tag || object is List
        }
        return invalidatedAll || inserted.contains(where: isItem) || updated.contains(where: isItem)
            || deleted.contains(where: isItem) || refreshed.contains(where: isItem)
    }
}
