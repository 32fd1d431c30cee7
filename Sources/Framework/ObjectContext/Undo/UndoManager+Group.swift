/// One registered inverse.
final class UndoAction {
    /// Identifies the target also while it ends and can no longer be reached by `target`.
    ///
    /// After that another object may have the same one; so only what may be lost is decided by it.
    private let targetIdentifier: ObjectIdentifier
    private weak let target: AnyObject?
    private let body: (AnyObject) throws -> Void
    /// The records that it undoes, if more can join them; an ``UndoBatch``.
    let batch: AnyObject?
    var isDiscardable = false

    init(
        _ target: AnyObject,
        batch: AnyObject? = nil,
        _ body: @escaping (AnyObject) throws -> Void
    ) {
        self.targetIdentifier = ObjectIdentifier(target)
        self.target = target
        self.batch = batch
        self.body = body
    }

    /// Whether an object is the target, and can still be reached.
    func isAlive(for object: AnyObject) -> Bool { target === object }

    /// Whether it may be removed with an object's actions: it is the object's, or that of a target
    /// which has ended.
    func belongs(to identifier: ObjectIdentifier) -> Bool { targetIdentifier == identifier }

    /// - Returns: whether the target still existed.
    func perform() throws -> Bool {
        guard let target else { return false }
        try body(target)
        return true
    }
}

/// Inverses that are undone together, oldest first.
final class UndoGroup {
    enum Entry {
        case action(UndoAction)
        case group(UndoGroup)
    }

    /// Whether the manager has opened it itself, for an event.
    let isEventGroup: Bool
    var items: [Entry] = []
    /// The name that was given to this group.
    var ownName = ""
    /// The name of the last named group nested in it.
    var nestedName = ""
    var userInfo: [String: Any] = [:]

    init(isEventGroup: Bool = false) {
        self.isEventGroup = isEventGroup
    }

    var name: String { ownName.isEmpty ? nestedName : ownName }

    /// Whether it holds actions, all of them discardable.
    var isDiscardable: Bool { hasActions && !contains { !$0.isDiscardable } }

    /// Whether it or a nested group holds an action.
    var hasActions: Bool { contains { _ in true } }

    private func contains(_ matches: (UndoAction) -> Bool) -> Bool {
        items.contains { item in
            switch item {
            case .action(let action): matches(action)
            case .group(let group): group.contains(matches)
            }
        }
    }

    /// Adds a nested group that was just closed.
    func adopt(_ group: UndoGroup) {
        items.append(.group(group))
        if !group.name.isEmpty { nestedName = group.name }
        userInfo.merge(group.userInfo) { own, _ in own }
    }

    /// Removes a target's actions, and nested groups that lose their last action.
    ///
    /// - Returns: whether this group has lost its last action; a group that was closed empty never
    ///   had one.
    func removeActions(of target: ObjectIdentifier) -> Bool {
        guard hasActions else { return false }
        items.removeAll { item in
            switch item {
            case .action(let action): action.belongs(to: target)
            case .group(let group): group.removeActions(of: target)
            }
        }
        noteNestedName()
        return !hasActions
    }

    /// The name shown is that of the last named group which is still there.
    private func noteNestedName() {
        let names = items.lazy.reversed().compactMap { item -> String? in
            guard case .group(let group) = item, !group.name.isEmpty else { return nil }
            return group.name
        }
        nestedName = names.first ?? ""
    }

    func markDiscardable() {
        for item in items {
            switch item {
            case .action(let action): action.isDiscardable = true
            case .group(let group): group.markDiscardable()
            }
        }
    }

    func putBack(_ group: UndoGroup, at index: Int) {
        items.insert(.group(group), at: min(index, items.count))
        noteNestedName()
    }

    func removeLastGroup() -> UndoGroup? {
        for index in items.indices.reversed() {
            if case .group(let group) = items[index] {
                items.remove(at: index)
                noteNestedName()
                return group
            }
        }
        return nil
    }
}
