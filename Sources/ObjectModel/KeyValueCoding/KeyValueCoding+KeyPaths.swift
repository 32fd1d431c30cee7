extension KeyValueCoding {
    /// The value at the end of a key path; `nil` anywhere on the way makes it `nil`.
    ///
    /// Arrays and sets on the way are mapped, collection operators are carried out
    /// (contract 1.12): `tasks.@sum.estimate`.
    public func value(forKeyPath keyPath: String) throws -> Value {
        try KeyPathPlan(keyPath).value(from: .object(self))
    }

    /// The value of a property as a Swift type; `nil` for none, and for a value of another kind.
    ///
    ///     let name = try author.value(forKey: "name", as: String.self)
    public func value<Result: ValueConvertible>(
        forKey key: String,
        as type: Result.Type
    ) throws -> Result? {
        Result(value: try value(forKey: key))
    }

    /// The value at the end of a key path as a Swift type; `nil` for none, and for a value of
    /// another kind.
    public func value<Result: ValueConvertible>(
        forKeyPath keyPath: String,
        as type: Result.Type
    ) throws -> Result? {
        Result(value: try value(forKeyPath: keyPath))
    }

    /// Sets the property at the end of a key path, in every member where the path goes through a
    /// collection.
    ///
    /// - Throws: `ObjectGraphError` for an unknown key, for a value of the wrong kind, and if
    ///   something on the way is `nil`.
    public func setValue(_ value: Value, forKeyPath keyPath: String) throws {
        try setValue(
            value,
            at: keyPath.split(separator: ".", omittingEmptySubsequences: false)[...]
        )
    }

    /// The values of several keys at once.
    public func dictionaryWithValues(forKeys keys: [String]) throws -> [String: Value] {
        var values: [String: Value] = [:]
        for key in keys { values[key] = try value(forKey: key) }
        return values
    }

    /// Sets several keys at once, in the order of the keys, so that a failure is repeatable.
    public func setValuesForKeys(_ values: [String: Value]) throws {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            try setValue(value, forKey: key)
        }
    }

    private func setValue(_ value: Value, at keys: ArraySlice<Substring>) throws {
        guard let first = keys.first else { return }
        let key = String(first)
        let rest = keys.dropFirst()
        if rest.isEmpty { return try setValue(value, forKey: key) }
        let present = try self.value(forKey: key)
        switch present {
        case .null, .dictionary:
            // The elements of a composite attribute have keys of their own.
            let path = keys.joined(separator: ".")
            if (try? self.value(forKey: path)) != nil { return try setValue(value, forKey: path) }
        default: break
        }
        switch present {
        case .object(let object): try object.setValue(value, at: rest)
        case .array(let values):
            for case .object(let object) in values { try object.setValue(value, at: rest) }
        case .set(let values):
            for case .object(let object) in values { try object.setValue(value, at: rest) }
        case .dictionary(var values):
            guard rest.count == 1, let last = rest.first else {
                return try refuse(key, "a dictionary")
            }
            values[String(last)] = value
            try setValue(.dictionary(values), forKey: key)
        case let other: try refuse(key, other.kindName)
        }
    }

    private func refuse(_ key: String, _ kind: String) throws {
        throw ObjectGraphError(
            .wrongValueKind,
            "The key path cannot be set: \"\(key)\" of \(kindForMessages) is \(kind).",
            recovery: "Give \"\(key)\" an object first.",
            key: key
        )
    }
}
