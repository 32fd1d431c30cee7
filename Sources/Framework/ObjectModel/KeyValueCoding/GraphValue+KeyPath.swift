extension GraphValue {
    /// The value of a key: an object's property, a dictionary's entry, the values of all members
    /// of an array or a set; `nil` for `nil`.
    ///
    /// Managed objects also answer to `self`, `objectID` and `entity` (the entity's name). Text,
    /// numbers, dates and data answer to Foundation's names, such as `length`.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey`` if the key
    ///   does not exist.
    public func value(forKey key: String) throws -> GraphValue {
        switch self {
        case .null: return .null
        case .object(let object): return try GraphValue.property(key, of: object)
        case .dictionary(let values):
            if let value = values[key] { return value }
            if let result = try operated(key) { return result }
            return key == "self" ? self : .null
        case .array(let values):
            if let result = try operated(key) { return result }
            return .array(try values.map { try $0.value(forKey: key) })
        case .set(let values):
            if key == "allObjects" { return .array(Array(values)) }
            if let result = try operated(key) { return result }
            var result = Set<GraphValue>(minimumCapacity: values.count)
            for value in values { result.insert(try value.value(forKey: key)) }
            return .set(result)
        default:
            if let value = builtInValue(forKey: key) { return value }
            throw undefinedKey(key)
        }
    }

    /// The value at the end of a key path, as ``KeyValueCoding/value(forKeyPath:)``.
    ///
    /// - Throws: what ``KeyValueCoding/value(forKeyPath:)`` throws.
    public func value(forKeyPath keyPath: String) throws -> GraphValue {
        try KeyPathPlan(keyPath).value(from: self)
    }

    @inline(__always)
    private static func property(_ key: String, of object: any KeyValueCoding) throws -> GraphValue
    {
        switch key {
        case "self": return .object(object)
        case "objectID":
            if let id = object.managedObjectID { return .objectID(id) }
        case "entity":
            if let name = object.entityNames.first { return .string(name) }
        default: break
        }
        return try object.value(forKey: key)
    }

    /// A component that starts with `@` and is not an operator is an error, even if there is no
    /// member to which it could apply.
    private func operated(_ key: String) throws -> GraphValue? {
        if !key.utf8.contains(UInt8(ascii: "@")) { return nil }
        guard CollectionOperator(key: key) != nil else { throw undefinedKey(key) }
        return try KeyPathPlan(key).value(from: self)
    }

    package func undefinedKey(_ key: String) -> ObjectGraphError {
        ObjectGraphError(
            .undefinedKey,
            "A value of the kind \(kindName) has no key \"\(key)\".",
            key: key
        )
    }
}
