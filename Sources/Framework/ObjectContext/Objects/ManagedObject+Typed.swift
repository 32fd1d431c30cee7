import ObjectModel

// What wrappers use beside the accessors by slot.

extension ManagedObject {
    /// The object of a transformable attribute; `nil` if there is none or if it is of another
    /// class.
    package final func object<T: AnyObject>(at slot: Int, as type: T.Type) -> T? {
        guard case .opaque(let object) = read(slot) else { return nil }
        if let object = object as? T { return object }
        guard case .opaque(let object) = opened(.opaque(object), slot) else { return nil }
        return object as? T
    }

    package final func setObject(_ object: AnyObject?, at slot: Int) {
        write(object.map { .opaque($0) } ?? .null, slot)
    }

    /// The objects of a fetched property, with this object as `$FETCH_SOURCE`.
    ///
    /// Fetched at first access and kept until the object is refreshed, merged or becomes a fault:
    /// what is inserted or changed meanwhile neither joins nor leaves, what is deleted does leave. `$FETCHED_PROPERTY` is the property's name; the request's sort order counts. An
    /// object without a context has none.
    ///
    /// - Throws: what the fetch throws.
    package final func fetched<T: ManagedObject>(_ type: T.Type, at slot: Int) throws -> [T] {
        if isProbe {
            _ = read(slot)
            return []
        }
        guard let property = entity.slots[slot] as? FetchedPropertyDescription, let context else {
            return []
        }
        if case .opaque(let kept as FetchedMembers) = read(slot) {
            let objects = context.instances(kept.ids.map(context.resolve))
            // Reading reports those whose rows are gone.
            for object in objects where object.isFault { object.fireFault() }
            return objects.compactMap { $0.isDeleted ? nil : $0 as? T }
        }
        var request = property.fetchRequest
        request.predicate = request.predicate?.withSubstitutionVariables([
            "FETCH_SOURCE": .object(self), "FETCHED_PROPERTY": .string(property.name),
        ])
        let objects = try context.fetchObjects(request)
        if !isFault { slots[slot] = .opaque(FetchedMembers(objects.map(\.objectID))) }
        return objects.compactMap { $0 as? T }
    }
}

/// What a fetched property has found, kept in its slot.
private final class FetchedMembers {
    let ids: [ManagedObjectID]

    init(_ ids: [ManagedObjectID]) { self.ids = ids }
}
