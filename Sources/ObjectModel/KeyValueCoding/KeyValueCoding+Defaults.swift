extension KeyValueCoding {
    public var managedObjectID: ManagedObjectID? { nil }

    public var entityNames: [String] { [] }

    public func value(forUndefinedKey key: String) throws -> Value {
        throw ObjectGraphError(
            .undefinedKey,
            "\(kindForMessages) has no key \"\(key)\".",
            key: key
        )
    }

    public func setValue(_ value: Value, forUndefinedKey key: String) throws {
        throw ObjectGraphError(
            .undefinedKey,
            "\(kindForMessages) has no key \"\(key)\" that could be set.",
            key: key
        )
    }

    public func setNilValue(forKey key: String) throws {
        throw ObjectGraphError(
            .wrongValueKind,
            "The property \"\(key)\" of \(kindForMessages) cannot be nil.",
            recovery: "Set a value, or replace setNilValue(forKey:).",
            key: key,
            value: .null
        )
    }

    public func validateValue(_ value: inout Value, forKey key: String) throws {
        // No rules; but the key has to be there.
        _ = try self.value(forKey: key)
    }

    /// What the object is called within a sentence: its entity's name, or its class's.
    var kindForMessages: String { entityNames.first ?? "\(type(of: self))" }
}
