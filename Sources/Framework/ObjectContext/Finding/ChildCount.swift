import ObjectModel

/// Keeps the number of an object's children up to date by listening to the context's changes.
///
/// A class keeps it while its object is awake:
///
///     override func awakeFromFetch() {
///         super.awakeFromFetch()
///         unread = try? ChildCount(of: self, \.articles, where: \.isRead == false) { … }
///     }
///     override func didTurnIntoFault() { unread = nil; super.didTurnIntoFault() }
///
/// It counts again when an object of the children's entity was inserted, changed, deleted, merged
/// or refreshed, so children that were deleted meanwhile, here or by somebody else, are missed
/// out. It stops when its parent becomes a fault or goes, and when it is let go; it does not keep
/// the parent alive.
///
/// - Complexity: O(children) for each event that concerns the children's entity; without a
///   predicate no child is read.
public final class ChildCount {
    /// The children that count, as of the last end of event.
    public private(set) var value = 0
    private weak var parent: ManagedObject?
    private let relationship: RelationshipDescription
    private let predicate: FetchPredicate?
    private let didChange: (Int) -> Void
    private var observation:
        (center: GraphNotificationCenter, token: GraphNotificationCenter.Token)?

    /// Counts now, and starts to listen.
    ///
    /// - Parameters:
    ///   - parent: an object of a context.
    ///   - members: its to-many relationship.
    ///   - condition: which children count; `nil` for all.
    ///   - didChange: called with each new number, not with the first.
    /// - Throws: `ObjectGraphError` if the key path does not lead to a to-many relationship, the
    ///   parent has no context, or its store is closed and the children were not read before.
    public init<Parent: ManagedObject, Members: Collection>(
        of parent: Parent,
        _ members: RequestKeyPath<Parent, Members>,
        where condition: Condition<Members.Element>? = nil,
        didChange: @escaping (Int) -> Void = { _ in }
    ) throws where Members.Element: ManagedObject {
        let key = members.path().modelKeyPath
        let predicate = condition?.predicate
        guard let relationship = parent.entity.property(named: key) as? RelationshipDescription,
            relationship.isToMany
        else {
            throw ObjectGraphError(
                .undefinedKey,
                "\(parent.entity.name) has no to-many relationship \"\(key)\".",
                key: key
            )
        }
        guard let context = parent.context else {
            throw ObjectGraphError(
                .invalidRequest,
                "\(parent) belongs to no context, so its \(key) cannot be counted.",
                recovery: "Take an object that was not deleted.",
                objectIDs: [parent.objectID],
                key: key
            )
        }
        if parent.hasFault(forRelationshipNamed: key) {
            try context.coordinator.checkCanRead(parent.objectID)
        }
        self.parent = parent
        self.relationship = relationship
        self.predicate = predicate
        self.didChange = didChange
        value = try count(parent)
        let token = context.notifications.addObserver(
            of: ObjectsDidChange.self,
            from: context
        ) { [weak self] in self?.take($0) }
        observation = (context.notifications, token)
    }

    deinit { stop() }

    /// Stops listening; the number stays as it is.
    public func stop() {
        if let (center, token) = observation { center.removeObserver(token) }
        observation = nil
    }

    private func take(_ change: ObjectsDidChange) {
        guard let parent, !parent.isFault, parent.context != nil, !change.invalidatedAll else {
            return stop()
        }
        guard concerns(change, parent), let count = try? count(parent), count != value else {
            return
        }
        value = count
        didChange(count)
    }

    private func concerns(_ change: ObjectsDidChange, _ parent: ManagedObject) -> Bool {
        guard let destination = relationship.destination else { return false }
        return [change.inserted, change.updated, change.deleted, change.refreshed]
            .contains { objects in
                objects.contains { $0 === parent || $0.entity.isKind(of: destination) }
            }
    }

    private func count(_ parent: ManagedObject) throws -> Int {
        guard let predicate else { return parent.toManyCount(at: relationship.slot) }
        let children = parent.orderedToMany(ManagedObject.self, at: relationship.slot)
        return try children.count { child in
            try !child.isDeleted && predicate.evaluate(with: .object(child))
        }
    }
}
