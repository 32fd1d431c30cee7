public import ObjectModel

extension ManagedObjectContext {
    /// The object for an ID as one of its class, never a fault.
    ///
    ///     let book = try context.existingObject(with: id, as: Book.self)
    ///
    /// - Throws: `ObjectGraphError` with code 133000 if the row does not exist, with code
    ///   ``ObjectGraphError/Code/invalidRequest`` if the object is of another class, or the store's
    ///   error.
    public func existingObject<T: ManagedObject>(
        with id: ManagedObjectID,
        as type: T.Type
    ) throws -> T {
        let object = try existingObject(with: id)
        guard let result = object as? T else {
            throw ObjectGraphError(
                .invalidRequest,
                "\(id.uri) is a \(id.entityName), which is not a \(T.self).",
                recovery: "Ask for its own class.",
                objectIDs: [id]
            )
        }
        return result
    }

    /// The instance for an ID as one of its class, a fault if it is not registered yet; `nil` if it
    /// is of another class.
    public func object<T: ManagedObject>(with id: ManagedObjectID, as type: T.Type) -> T? {
        object(with: id) as? T
    }
}
