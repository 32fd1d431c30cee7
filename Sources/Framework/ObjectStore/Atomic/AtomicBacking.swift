import ObjectModel

/// Lets an ``AtomicStore`` keep the rows of an in-memory store.
final class AtomicBacking: MemoryBacking {
    private let store: AtomicStore

    init(_ store: AtomicStore) { self.store = store }

    func newID(for object: StoreObject) throws -> ManagedObjectID {
        store.objectID(
            for: object.entity,
            withReferenceObject: try store.newReferenceObject(for: object)
        )
    }

    func noteID(_ id: ManagedObjectID) { store.noteID(id) }

    func checkPlace() throws { try store.checkFiles() }

    func close() { store.willClose() }

    /// Brings the nodes up to date and lets the store write them.
    ///
    /// After an error the nodes are as before.
    func commit(_ changes: MemoryChanges) throws {
        if !store.keepsNodes { return try commitRows() }
        let former = Former(store, changes)
        do {
            if let engine = store.engine { store.metadata = engine.metadata }
            let removed = changes.deleted.compactMap { store.cacheNode(for: $0) }
            if !removed.isEmpty { try store.willRemoveCacheNodes(Set(removed)) }
            for node in removed { store.remove(node.objectID) }
            for object in changes.inserted { try insert(object) }
            for object in changes.updated {
                if let node = store.cacheNode(for: object.objectID) {
                    try store.updateCacheNode(node, from: object)
                } else {
                    try insert(object)
                }
            }
            try store.save()
        } catch {
            former.restore()
            throw error
        }
    }

    /// Lets a store write that makes its nodes from the rows.
    private func commitRows() throws {
        let former = store.metadata
        do {
            if let engine = store.engine { store.metadata = engine.metadata }
            try store.save()
        } catch {
            store.metadata = former
            throw error
        }
    }

    private func insert(_ object: StoreObject) throws {
        let node = try store.newCacheNode(for: object)
        precondition(node.objectID == object.objectID, "a node has the ID of its object")
        store.insert(node)
    }

    /// The nodes that a save changes, as they were.
    private struct Former {
        private let store: AtomicStore
        private let metadata: StoreMetadata
        private var nodes: [(node: AtomicStoreCacheNode, values: [GraphValue])] = []
        private let inserted: [ManagedObjectID]

        init(_ store: AtomicStore, _ changes: MemoryChanges) {
            self.store = store
            metadata = store.metadata
            inserted = (changes.inserted + changes.updated).map(\.objectID)
            for id in changes.updated.map(\.objectID) + changes.deleted {
                if let node = store.cacheNode(for: id) { nodes.append((node, node.values)) }
            }
        }

        func restore() {
            store.metadata = metadata
            for id in inserted { store.remove(id) }
            for (node, values) in nodes {
                node.values = values
                store.insert(node)
            }
        }
    }
}
