import Glibc
import ObjectModel
import ObjectStore

// What has to hold whenever an event is over, as ARCHITECTURE.md lists it. Debug builds look at it
// after each event; a violation is a fault of the framework.

extension ManagedObjectContext {
    /// The most pending objects that the check after each event looks at; of more, the last ones.
    private static let checkLimit = 256

    /// Whether a violation ends the program, as in the tests; else it is reported on standard error.
    private static let traps = getenv("OBJECTGRAPH_CHECK").map { String(cString: $0) } == "trap"

    /// Looks for pending objects that break a rule.
    ///
    /// Cost: O(members of their relationships in memory).
    func checkInvariants() {
        let objects = pending.objects
        let isMany = objects.count > Self.checkLimit
        let problems = invariantViolations(among: isMany ? objects.suffix(32) : objects[...])
        if problems.isEmpty { return }
        let text = problems.joined(separator: "\n")
        precondition(!Self.traps, text)
        let line = "ObjectGraph: \(label) is inconsistent, a fault of the framework: \(text)\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }

    /// What is wrong with any object of the context, or with its lists.
    package func invariantViolations() -> [String] {
        var problems: [String] = []
        if Set(pending.objects).count != pending.objects.count {
            problems.append("An object is pending twice.")
        }
        for object in pending.objects where !object.state.isListed {
            problems.append("\(object) is among the pending objects and does not know it.")
        }
        return problems + invariantViolations(among: registry.objects[...])
    }

    private func invariantViolations(among objects: ArraySlice<ManagedObject>) -> [String] {
        var problems: [String] = []
        for object in objects where object.owner === self {
            for problem in object.invariantViolations(in: self) {
                problems.append("\(object): \(problem)")
            }
        }
        return problems
    }
}

extension ManagedObject {
    fileprivate final func invariantViolations(in context: ManagedObjectContext) -> [String] {
        var problems: [String] = []
        func require(_ holds: Bool, _ problem: @autoclosure () -> String) {
            if !holds { problems.append(problem()) }
        }
        require(context.registry.get(objectID) === self, "its ID leads to another instance")
        require(isFault == (slots == ManagedObject.noSlots), "a fault has values")
        require(!isFault || changes == nil, "a fault has changes")
        require(!isPending || state.isListed, "it is pending, and no save would write it")
        require(!(isInserted && isUpdated), "it is both inserted and updated")
        require(!state.isDetached, "it has a context and is marked as having none")
        require(
            !isUpdated || state.isInaccessible || changes?.snapshot != nil,
            "it is updated, and what was read is not known"
        )
        if context.pending.event.isEmpty, !context.pending.isEnding {
            require(!state.isInsertedInEvent, "the event of its insertion is over")
            require(!state.isChangedInEvent, "the event of its changes is over")
            require(changes?.event.isEmpty ?? true, "it holds changes of an event that is over")
            require(!(isInserted && isDeleted), "it is new and deleted, and still in its context")
        }
        if isFault || isDeleted || state.isInaccessible { return problems }
        for relationship in entity.relationships where !relationship.isTransient {
            if case .opaque(let contents as ToManyContents) = slots[relationship.slot] {
                problems += contents.invariantViolations.map { "\(relationship.name): \($0)" }
            }
            guard let inverse = relationship.inverse else { continue }
            let isPair = !relationship.isToMany && !inverse.isToMany
            for id in knownDestinations(relationship) {
                guard let other = context.registry.get(context.resolve(id)), !other.isFault,
                    !other.isDeleted, !other.state.isInaccessible
                else { continue }
                // Two clean sides may be of different moments until others' saves are merged.
                // Of a pair, others may have paired the clean side anew. What led to a restored object
                // before leads to it no more in the store.
                let isNew = other.isInserted && other.objectID.isTemporaryID
                guard
                    hasPending(relationship, id)
                        || !isPair && (isNew || other.hasPendingLink(inverse, objectID))
                else { continue }
                if relationship.isToMany, !inverse.isToMany, !hasPending(relationship, id),
                    other.savedReference(inverse.slot) != objectID
                {
                    continue
                }
                let leadsBack = other.leads(to: self, by: inverse)
                require(
                    leadsBack,
                    "\(relationship.name) leads to \(other), which leads to "
                        + "\(other.knownDestinations(inverse)) by \(inverse.name)"
                )
            }
        }
        return problems
    }

    /// The destinations of a relationship, without reading any.
    private final func knownDestinations(
        _ relationship: RelationshipDescription
    ) -> [ManagedObjectID] {
        switch slots[relationship.slot] {
        case .objectID(let id): return [id]
        case .opaque(let contents as ToManyContents):
            return Array(contents.isLoaded ? contents.members : contents.added)
        default: return []
        }
    }

    /// Whether a pending change decides that a relationship leads to an object, or does not.
    private final func hasPending(
        _ relationship: RelationshipDescription,
        _ id: ManagedObjectID
    ) -> Bool {
        isInserted || hasPendingLink(relationship, id)
    }

    private final func hasPendingLink(
        _ relationship: RelationshipDescription,
        _ id: ManagedObjectID
    ) -> Bool {
        if case .opaque(let contents as ToManyContents) = slots[relationship.slot] {
            return contents.added.contains(id) || contents.removed.contains(id)
        }
        guard let snapshot = changes?.snapshot else { return false }
        return !slots[relationship.slot].isIdentical(to: snapshot[relationship.slot])
    }

    private final func leads(
        to object: ManagedObject,
        by relationship: RelationshipDescription
    ) -> Bool {
        switch slots[relationship.slot] {
        case .opaque(let contents as ToManyContents):
            return contents.contains(object.objectID) != false
        case .objectID(let id): return owner?.resolve(id) == object.objectID
        default: return relationship.isToMany
        }
    }
}

extension ToManyContents {
    fileprivate var invariantViolations: [String] {
        var problems: [String] = []
        if !added.isDisjoint(with: removed) { problems.append("added and removed overlap") }
        if !eventAdded.isDisjoint(with: eventRemoved) {
            problems.append("added and removed of the event overlap")
        }
        guard isLoaded else { return problems }
        if !added.isSubset(of: members) { problems.append("an added member is none") }
        if !removed.isDisjoint(with: members) { problems.append("a removed member is one") }
        if isOrdered, Set(order) != members || order.count != members.count {
            problems.append("its order is \(order), its members are \(members)")
        }
        return problems
    }
}
