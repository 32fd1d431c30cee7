extension KeyValueCoding {
    public var managedObjectID: ManagedObjectID? { nil }

    public var entityNames: [String] { [] }

    /// Refuses the key.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey``.
    public func value(forUndefinedKey key: String) throws -> GraphValue {
        throw ObjectGraphError(
            .undefinedKey,
            "\(kindForMessages) has no key \"\(key)\".",
            key: key
        )
    }

    /// Refuses the key.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey``.
    public func setValue(_ value: GraphValue, forUndefinedKey key: String) throws {
        throw ObjectGraphError(
            .undefinedKey,
            "\(kindForMessages) has no key \"\(key)\" that could be set.",
            key: key
        )
    }

    /// Refuses `nil`.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/wrongValueKind``.
    public func setNilValue(forKey key: String) throws {
        throw ObjectGraphError(
            .wrongValueKind,
            "The property \"\(key)\" of \(kindForMessages) cannot be nil.",
            recovery: "Set a value, or replace setNilValue(forKey:).",
            key: key,
            value: .null
        )
    }

    /// Accepts every value of a key that exists.
    ///
    /// - Throws: what ``KeyValueCoding/value(forKey:)`` throws for a key that does not exist.
    public func validateValue(_ value: inout GraphValue, forKey key: String) throws {
        // There are no rules, but the key must exist.
        _ = try self.value(forKey: key)
    }

    /// What the object is called within a sentence: its entity's name, or its class's.
    var kindForMessages: String { entityNames.first ?? "\(type(of: self))" }
}
