import ObjectModel
import ObjectStore

/// The open stores of a coordinator, in the order in which they were added.
///
/// Guarded by the coordinator's locks.
struct StoreSet {
    private(set) var all: [any PersistentStore] = []
    private var bySpace: [UInt16: any PersistentStore] = [:]
    /// The ID spaces of every store that is or was here.
    private var spaces: Set<UInt16> = []

    init(_ stores: [any PersistentStore] = []) {
        for store in stores { add(store) }
    }

    mutating func add(_ store: any PersistentStore) {
        all.append(store)
        bySpace[store.space.number] = store
        spaces.insert(store.space.number)
    }

    /// Removes a store; its IDs stay known.
    mutating func remove(_ store: any PersistentStore) {
        all.removeAll { $0 === store }
        bySpace[store.space.number] = nil
    }

    /// Whether a permanent ID belongs to a store that is or was here.
    func knows(_ id: ManagedObjectID) -> Bool { spaces.contains(id.spaceNumber) }

    /// The store that holds an object; `nil` for a new one.
    func store(of id: ManagedObjectID) -> (any PersistentStore)? {
        id.isTemporaryID ? nil : bySpace[id.spaceNumber]
    }

    /// The stores that hold an entity of a model.
    func holding(_ entity: EntityDescription, of model: ManagedObjectModel) -> [any PersistentStore]
    {
        all.filter { store in
            guard let members = model.entities(inConfiguration: store.configurationName) else {
                return false
            }
            return members.contains { $0 === entity || $0.isKind(of: entity) }
        }
    }

    /// The ID for a text, if it names one of the stores.
    func id(uri: String) -> ManagedObjectID? {
        for store in all {
            if let id = store.space.id(uri: uri) { return id }
        }
        return nil
    }
}
