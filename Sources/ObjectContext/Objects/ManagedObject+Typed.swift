public import ObjectModel

// What generated classes use beside the accessors by slot.

extension KeyValueCoding where Self: ManagedObject {
    /// A request for the objects of this class: `Task.fetchRequest()` fetches tasks.
    public static func fetchRequest() -> FetchRequest<Self> {
        FetchRequest(entityName: entityName)
    }
}

extension ManagedObject {
    /// The object that a transformable attribute holds; `nil` for none or one of another class.
    public final func object<T: AnyObject>(at slot: Int, as type: T.Type) -> T? {
        guard case .opaque(let object) = read(slot) else { return nil }
        return object as? T
    }

    public final func setObject(_ object: AnyObject?, at slot: Int) {
        write(object.map { .opaque($0) } ?? .null, slot)
    }

    /// The objects of a fetched property, with this object as `$FETCH_SOURCE`.
    ///
    /// Fetches anew each time; nothing is kept. An object without a context has none.
    ///
    /// - Throws: what the fetch throws.
    public final func fetched<T: ManagedObject>(_ type: T.Type, at slot: Int) throws -> [T] {
        guard let property = entity.slots[slot] as? FetchedPropertyDescription, let context else {
            return []
        }
        var request = property.fetchRequest
        request.predicate = request.predicate?.withSubstitutionVariables([
            "FETCH_SOURCE": .object(self), "FETCHED_PROPERTY": .string(property.name),
        ])
        return try context.fetch(FetchRequest<T>(request))
    }
}
