import DocketCore
import ObjectGraph
import TerminalUI

/// A row of the waiting tasks.
enum WaitingLine: Hashable {
    /// The task for which those below it wait.
    case heading(String, count: Int)
    case task(ManagedObjectID, blocker: ManagedObjectID)
}

/// The waiting tasks, grouped by what they wait for; both in the order by hand.
struct WaitingTasks {
    private(set) var lines: [WaitingLine] = []
    /// The number of tasks, each counted once.
    private(set) var count = 0

    init() {}

    /// - Throws: the store's error.
    /// - Complexity: a constant number of statements.
    init(_ library: Library) throws {
        let waiting = Condition<Item>.task { task in
            task.blockedBy.any { $0.completed == nil && $0.trashed == nil }
        }
        let ids = try library.itemIDs(matching: waiting && Library.openItems)
        count = ids.count
        let found = try library.items(withIDs: ids)
        var groups: [Task: [ManagedObjectID]] = [:]
        for id in ids {
            guard let task = found[id] as? Task else { continue }
            for blocker in task.openBlockers { groups[blocker, default: []].append(id) }
        }
        for blocker in groups.keys.sorted(by: { $0.displayOrder < $1.displayOrder }) {
            let ids = groups[blocker] ?? []
            let title = DisplayWidth.singleLine(blocker.title)
            lines.append(.heading(title.isEmpty ? "(no title)" : title, count: ids.count))
            lines += ids.map { .task($0, blocker: blocker.objectID) }
        }
    }

    /// The place of a task in its group; if it has left that, in another one.
    func place(of line: WaitingLine) -> Int? {
        if let place = lines.firstIndex(of: line) { return place }
        guard case .task(let id, _) = line else { return nil }
        return lines.firstIndex { if case .task(id, _) = $0 { true } else { false } }
    }
}
