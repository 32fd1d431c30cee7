import ObjectModel
import ObjectStore

/// What is asked of a store that may be closed.
enum StoreUse: String {
    case reading = "read"
    case writing = "written"
}

/// The open stores of a coordinator, in the order in which they were added.
///
/// Guarded by the coordinator's locks.
struct StoreSet {
    private(set) var all: [any PersistentStore] = []
    /// The numbers of their ID spaces, in the same order.
    private var spaceNumbers: [UInt16] = []
    /// The ID spaces of every store that is or was here.
    private var spaces: Set<UInt16> = []
    /// The stores that were closed, and not opened again since.
    private var closed: [StoreReference] = []

    init(_ stores: [any PersistentStore] = []) {
        for store in stores { add(store) }
    }

    mutating func add(_ store: any PersistentStore) {
        all.append(store)
        closed.removeAll { $0.identifier == store.identifier }
        spaceNumbers.append(store.space.number)
        spaces.insert(store.space.number)
    }

    /// Removes a store; its IDs stay known.
    mutating func remove(_ store: any PersistentStore) {
        all.removeAll { $0 === store }
        spaceNumbers = all.map(\.space.number)
        closed.append(StoreReference(store))
    }

    /// The error of reading or writing an entity's objects, or of reading anything at all, of which
    /// only closed stores know; `nil` if a store is open that can be asked, or if none ever was.
    func refusal(
        of use: StoreUse,
        _ entity: EntityDescription?,
        of model: ManagedObjectModel
    ) -> ObjectGraphError? {
        if closed.isEmpty { return nil }
        if let entity {
            if all.contains(where: { Self.holds($0.configurationName, entity, model) }) {
                return nil
            }
        } else if !all.isEmpty {
            return nil
        }
        let store = closed.last { store in
            entity.map { Self.holds(store.configuration, $0, model) } ?? true
        }
        return store.map {
            ObjectGraphError.closed($0, entity.map { "\($0.name) objects" } ?? "its history", use)
        }
    }

    /// The error of reading or writing an object; `nil` if its store is open, or was never here.
    func refusal(of use: StoreUse, _ id: ManagedObjectID) -> ObjectGraphError? {
        if id.isTemporaryID || spaceNumbers.contains(id.spaceNumber) { return nil }
        let identifier = IDSpace.at(id.spaceNumber).storeIdentifier
        let store = closed.last { $0.identifier == identifier }
        return store.map { ObjectGraphError.closed($0, id.uri, use, [id]) }
    }

    private static func holds(
        _ configuration: String?,
        _ entity: EntityDescription,
        _ model: ManagedObjectModel
    ) -> Bool {
        guard let members = model.entities(inConfiguration: configuration) else { return false }
        return members.contains { $0 === entity || $0.isKind(of: entity) }
    }

    /// Whether a permanent ID belongs to a store that is or was here.
    func knows(_ id: ManagedObjectID) -> Bool { spaces.contains(id.spaceNumber) }

    /// The store that holds an object; `nil` for a new one.
    func store(of id: ManagedObjectID) -> (any PersistentStore)? {
        id.isTemporaryID ? nil : spaceNumbers.lastIndex(of: id.spaceNumber).map { all[$0] }
    }

    func holding(_ entity: EntityDescription, of model: ManagedObjectModel) -> [any PersistentStore]
    {
        all.filter { Self.holds($0.configurationName, entity, model) }
    }

    /// The ID for a text, if it names one of the stores.
    func id(uri: String) -> ManagedObjectID? {
        for store in all {
            if let id = store.space.id(uri: uri) { return id }
        }
        return nil
    }
}

extension ObjectGraphError {
    fileprivate static func closed(
        _ store: StoreReference,
        _ what: String,
        _ use: StoreUse,
        _ objectIDs: [ManagedObjectID] = []
    ) -> ObjectGraphError {
        ObjectGraphError(
            .storeClosed,
            "The store \(store.name) is closed, so \(what) cannot be \(use.rawValue).",
            recovery: "Open it again, and release the contexts that are not needed any more.",
            objectIDs: objectIDs
        )
    }
}
