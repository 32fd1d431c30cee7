public import ObjectGraph

/// A condition of searches on other items that an item is connected with.
public enum QueryRelation: CaseIterable, Sendable {
    /// It waits for an open task.
    case blocked
    /// An open task waits for it.
    case blocking
    /// It has a subtask outside the trash.
    case subtasks

    /// The condition for the store.
    public var predicate: FetchPredicate { condition.predicate }

    /// The same condition on items.
    var condition: Condition<Item> {
        switch self {
        case .blocked:
            .task { task in
                task.blockedBy.any { $0.completed == nil && $0.trashed == nil }
            }
        case .blocking:
            .task { task in
                task.blocks.any { $0.completed == nil && $0.trashed == nil }
            }
        case .subtasks: .task { task in task.subtasks.any { $0.trashed == nil } }
        }
    }

    /// The relation of a condition; `nil` for another condition.
    public init?(_ predicate: FetchPredicate) {
        guard let relation = Self.allCases.first(where: { $0.predicate == predicate }) else {
            return nil
        }
        self = relation
    }
}
