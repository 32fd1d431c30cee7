import ObjectModel
import ObjectStore

/// The objects of a file, while they are read: each is begun, gets its values and ends.
struct FileObjects {
    private let store: AtomicStore
    private var nodes: [AtomicStoreCacheNode] = []
    // The IDs of the references, by their scope.
    private var numbers: [PageTableBox] = []
    private var texts: [Int: [String: ManagedObjectID]] = [:]
    private var pending: [Pending] = []
    /// The references of ``pending``, then those that are to be added to it.
    private var references: [ReferenceObject] = []
    private var usedReferences = 0

    /// The object that has begun.
    private var current: (id: ManagedObjectID, entity: EntityDescription)?
    private var values: [GraphValue] = []
    /// The values of an object that has none, of the entity of the object before.
    private var noValues: [GraphValue] = []

    /// A relationship whose destinations are found when all objects are known.
    private struct Pending {
        /// The place of its object in ``nodes``.
        let node: Int
        let relationship: RelationshipDescription
        let references: Range<Int>
    }

    init(_ store: AtomicStore) { self.store = store }

    /// Whether an object has begun.
    var isOpen: Bool { current != nil }

    /// - Returns: whether no other object has the reference.
    mutating func begin(_ entity: EntityDescription, _ reference: ReferenceObject) -> Bool {
        let id = store.objectID(for: entity, withReferenceObject: reference)
        if noValues.count != entity.slots.count {
            noValues = Array(repeating: .null, count: entity.slots.count)
        }
        current = (id, entity)
        values = noValues
        let scope = scope(entity)
        switch reference {
        case .number(let number):
            while numbers.count <= scope { numbers.append(PageTableBox()) }
            return numbers[scope].words.set(number, UInt(id.raw)) == 0
        case .text(let text): return texts[scope, default: [:]].updateValue(id, forKey: text) == nil
        }
    }

    mutating func set(_ value: GraphValue, at slot: Int) { values[slot] = value }

    /// Adds a destination of the relationship that is set next.
    mutating func add(_ reference: ReferenceObject) { references.append(reference) }

    /// Sets a relationship of the object's entity, with the destinations that were added.
    ///
    /// - Returns: whether the relationship can have so many.
    mutating func set(_ relationship: RelationshipDescription) -> Bool {
        let found = usedReferences..<references.count
        usedReferences = references.count
        if found.isEmpty { return true }
        if !relationship.isToMany, found.count > 1 { return false }
        pending.append(Pending(node: nodes.count, relationship: relationship, references: found))
        return true
    }

    mutating func end() {
        guard let (id, entity) = current.take() else { return }
        nodes.append(AtomicStoreCacheNode(id, entity, values))
        values = []
    }

    /// Gives the store its nodes.
    func fill() throws {
        for relationship in pending { resolve(relationship) }
        try store.addCacheNodes(nodes)
    }

    /// The number of what its references tell apart: all objects of the store, or those of a
    /// hierarchy.
    private func scope(_ entity: EntityDescription) -> Int {
        type(of: store).hasStoreWideNumbers ? 0 : Int(entity.root.number)
    }

    private func resolve(_ pending: Pending) {
        let relationship = pending.relationship
        guard let destination = relationship.destination else { return }
        let scope = scope(destination)
        let ids = references[pending.references].map { reference in
            // An object that does not exist any more: a delete rule without action left it.
            id(of: reference, scope)
                ?? store.objectID(for: destination, withReferenceObject: reference)
        }
        let node = nodes[pending.node]
        if relationship.isToMany {
            node.loadedMembers.append((relationship.slot, ids))
        } else if let id = ids.first {
            node.values[relationship.slot] = .objectID(id)
        }
    }

    private func id(of reference: ReferenceObject, _ scope: Int) -> ManagedObjectID? {
        switch reference {
        case .number(let number):
            let word = scope < numbers.count ? numbers[scope].words.get(number) : 0
            return word == 0 ? nil : ManagedObjectID(raw: UInt64(word))
        case .text(let text): return texts[scope]?[text]
        }
    }
}
