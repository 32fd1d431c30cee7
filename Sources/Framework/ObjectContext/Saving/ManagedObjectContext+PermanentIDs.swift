package import ObjectModel
package import ObjectStore

extension ManagedObjectContext {
    /// Gives new objects their permanent IDs before they are saved.
    ///
    /// Also objects that a child has saved into its parent before the root saves.
    ///
    /// An object keeps its instance; its temporary ID still leads to it in this context. The store
    /// may have a gap in its keys if the object is never saved.
    ///
    /// Cost: one pass over the pending objects, one call of the store for each entity.
    ///
    /// - Throws: `ObjectGraphError` if no store takes an object, or the store's error; then the
    ///   objects keep their temporary IDs.
    public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
        settle()
        processPendingChanges()
        if let parent {
            let pushed = objects.filter {
                $0.owner === self && !$0.isInserted && $0.objectID.isTemporaryID
            }
            let twins = pushed.compactMap { parent.registeredObject(for: $0.objectID) }
            if !twins.isEmpty { try parent.obtainPermanentIDs(for: twins) }
        }
        let new = objects.filter { object in
            object.owner === self && object.isInserted && object.objectID.isTemporaryID
        }
        var given: [(object: ManagedObject, id: ManagedObjectID)] = []
        let ordered = new.sorted { $0.objectID.key < $1.objectID.key }
        for objects in Dictionary(grouping: ordered, by: \.entity).values {
            let entity = objects[0].entity
            let byStore = Dictionary(grouping: objects) { object in
                (try? storeForInsertion(object)).map { ObjectIdentifier($0) }
            }
            for objects in byStore.values {
                let store = try storeForInsertion(objects[0])
                let ids = try coordinator.permanentIDs(objects.count, for: entity, in: store)
                given += zip(objects, ids).map { ($0, $1) }
            }
        }
        give(given)
    }

    /// Gives new objects IDs that the caller knows to be free.
    package func give(_ given: [(object: ManagedObject, id: ManagedObjectID)]) {
        if given.isEmpty { return }
        let old = given.map(\.object.objectID)
        for (object, id) in given {
            registry.noteAlias(object.objectID, id)
            adopt(id, for: object)
        }
        for object in pending.objects { object.adoptPermanentReferences(resolving: resolve) }
        handDown(zip(old, given).map { ($0, $1.id) })
        // For observers that store IDs, such as results controllers.
        for (object, _) in given { pending.refresh(object) }
        endOwnEvent()
    }

    /// Gives an object its permanent identity.
    func adopt(_ id: ManagedObjectID, for object: ManagedObject) {
        let observers = object.liveObservers
        observers?.willChange("objectID")
        defer { observers?.batch.end() }
        registry.remove(object.objectID, object)
        object.objectID = id
        registry.set(id, object)
    }

    /// As ``assign(_:to:)-(_,StoreReference)``, with the store itself; traps if the object is saved
    /// already, or has a permanent ID.
    package func assign(_ object: ManagedObject, to store: any PersistentStore) {
        Misuse.trap(
            unless: object.isInserted && object.objectID.isTemporaryID,
            "\(object) has a store already"
        )
        pending.assign(object, to: store)
    }
}

extension ManagedObject {
    /// Replaces temporary IDs that have become permanent in the object's relationships.
    final func adoptPermanentReferences(resolving resolve: (ManagedObjectID) -> ManagedObjectID) {
        if isFault { return }
        for relationship in entity.relationships {
            switch slots[relationship.slot] {
            case .objectID(let id) where id.isTemporaryID:
                slots[relationship.slot] = .objectID(resolve(id))
            case .opaque(let contents as ToManyContents): contents.adoptPermanentIDs(resolve)
            default: break
            }
        }
    }
}
