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

    private let ids: [ManagedObjectID]
    /// The places of the tasks that wait for the one of a place, in order.
    private var waiting: [[Int]]
    private var drawn: [Bool]

    /// - Parameters:
    ///   - tasks: the tasks with what they wait for, in order; others that are named are left out.
    ///   - folded: the tasks below which nothing is drawn.
    init(
        _ tasks: [(id: ManagedObjectID, blockers: [ManagedObjectID])],
        folded: Set<ManagedObjectID> = []
    ) {
        ids = tasks.map(\.id)
        waiting = Array(repeating: [], count: ids.count)
        drawn = Array(repeating: false, count: ids.count)
        let places = Dictionary(zip(ids, ids.indices)) { first, _ in first }
        let folded = Set(folded.compactMap { places[$0] })
        var roots: [Int] = []
        for (place, task) in tasks.enumerated() {
            let blockers = task.blockers.compactMap { places[$0] }.filter { $0 != place }
            if blockers.isEmpty { roots.append(place) } else { waitingCount += 1 }
            for blocker in blockers { waiting[blocker].append(place) }
        }
        for (id, waiting) in zip(ids, waiting) where !waiting.isEmpty { parents.insert(id) }
        for root in roots { draw(root, folded) }
        // Those that are left are in circles, or below folded tasks.
        var hidden = below(folded.filter { drawn[$0] })
        for place in ids.indices where !drawn[place] && !hidden.contains(place) {
            draw(place, folded)
            hidden.formUnion(below(folded.filter { drawn[$0] }))
        }
    }

    private mutating func draw(_ root: Int, _ folded: Set<Int>) {
        var stack = [(place: root, above: -1, continues: false)]
        while let next = stack.popLast() {
            let above = next.above < 0 ? nil : branches[next.above]
            let line = branches.count
            branches.append(
                DependencyBranch(
                    id: ids[next.place],
                    blocker: above?.id,
                    depth: above.map { $0.depth + 1 } ?? 0,
                    isReference: drawn[next.place],
                    continues: next.continues,
                    above: next.above
                )
            )
            let isFirst = !drawn[next.place]
            drawn[next.place] = true
            guard isFirst, !folded.contains(next.place) else { continue }
            let below = waiting[next.place]
            for (index, place) in below.enumerated().reversed() {
                stack.append((place, line, index < below.count - 1))
            }
        }
    }

    /// The places of the tasks below some, at any depth.
    private func below(_ tasks: Set<Int>) -> Set<Int> {
        var found: Set<Int> = []
        var open = Array(tasks)
        while let place = open.popLast() {
            for next in waiting[place] where found.insert(next).inserted { open.append(next) }
        }
        return found
    }
}
