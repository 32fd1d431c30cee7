import ObjectGraph

/// A task in the drawing of what waits for what.
struct DependencyBranch: Hashable {
    let id: ManagedObjectID
    /// The task above it, for which it waits; `nil` for one that waits for none of the shown tasks.
    let blocker: ManagedObjectID?
    let depth: Int
    /// Whether it is drawn in another row, with what waits for it.
    let isReference: Bool
    /// Whether another task follows below the same blocker.
    var continues = false
    /// The line of the blocker.
    let above: Int
}

/// Draws tasks below those for which they wait.
///
/// A task that waits for several is whole below the first of them and a reference below the others.
/// Tasks that wait for each other in a circle, which an old or damaged store may have, begin
/// with the first one.
///
/// - Complexity: O(tasks and dependencies).
struct DependencyTree {
    private(set) var branches: [DependencyBranch] = []
    /// The tasks for which others wait.
    private(set) var parents: Set<ManagedObjectID> = []
    /// How many tasks wait for others.
    private(set) var waitingCount = 0

    private var waiting: [ManagedObjectID: [ManagedObjectID]] = [:]
    private var drawn: Set<ManagedObjectID> = []

    /// - Parameters:
    ///   - tasks: the tasks with what they wait for, in order; others that are named are left out.
    ///   - folded: the tasks below which nothing is drawn.
    init(
        _ tasks: [(id: ManagedObjectID, blockers: [ManagedObjectID])],
        folded: Set<ManagedObjectID> = []
    ) {
        let known = Set(tasks.map(\.id))
        var roots: [ManagedObjectID] = []
        for (id, blockers) in tasks {
            let blockers = blockers.filter { known.contains($0) && $0 != id }
            if blockers.isEmpty { roots.append(id) } else { waitingCount += 1 }
            for blocker in blockers { waiting[blocker, default: []].append(id) }
        }
        parents = Set(waiting.keys)
        for id in roots { draw(id, folded) }
        // Those that are left are in circles, or below folded tasks.
        if drawn.count < tasks.count {
            var hidden = below(folded.intersection(drawn))
            for (id, _) in tasks where !drawn.contains(id) && !hidden.contains(id) {
                draw(id, folded)
                hidden.formUnion(below(folded.intersection(drawn)))
            }
        }
    }

    private mutating func draw(_ root: ManagedObjectID, _ folded: Set<ManagedObjectID>) {
        var stack = [
            DependencyBranch(id: root, blocker: nil, depth: 0, isReference: false, above: -1)
        ]
        while let next = stack.popLast() {
            let isFirst = drawn.insert(next.id).inserted
            let below = waiting[next.id] ?? []
            let place = branches.count
            var branch = DependencyBranch(
                id: next.id,
                blocker: next.blocker,
                depth: next.depth,
                isReference: !isFirst,
                above: next.above
            )
            branch.continues = next.continues
            branches.append(branch)
            guard isFirst, !folded.contains(next.id) else { continue }
            for (index, id) in below.enumerated().reversed() {
                var child = DependencyBranch(
                    id: id,
                    blocker: next.id,
                    depth: next.depth + 1,
                    isReference: false,
                    above: place
                )
                child.continues = index < below.count - 1
                stack.append(child)
            }
        }
    }

    /// The tasks below some, at any depth.
    private func below(_ tasks: Set<ManagedObjectID>) -> Set<ManagedObjectID> {
        var found: Set<ManagedObjectID> = []
        var open = Array(tasks)
        while let id = open.popLast() {
            for next in waiting[id] ?? [] where found.insert(next).inserted { open.append(next) }
        }
        return found
    }
}
