extension KeyValueCoding {
    /// The value at the end of a key path; `nil` if a value on the way is `nil`.
    ///
    /// Arrays and sets on the way are mapped, and collection operators are applied:
    /// `tasks.@sum.estimate`.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey`` if a key does
    ///   not exist, and with ``ObjectGraphError/Code/wrongValueKind`` if an operator meets members
    ///   of the wrong kind.
    /// - Complexity: O(values that the path passes).
    public func value(forKeyPath keyPath: String) throws -> GraphValue {
        try KeyPathPlan(keyPath).value(from: .object(self))
    }

    /// The value of a property as a Swift type; `nil` if there is none or if it is of another kind.
    ///
    ///     let name = try author.value(forKey: "name", as: String.self)
    ///
    /// - Throws: what ``KeyValueCoding/value(forKey:)`` throws.
    public func value<Result: GraphValueConvertible>(
        forKey key: String,
        as type: Result.Type
    ) throws -> Result? {
        Result(value: try value(forKey: key))
    }

    /// The value at the end of a key path as a Swift type; `nil` if there is none or if it is of
    /// another kind.
    ///
    /// - Throws: what ``KeyValueCoding/value(forKeyPath:)`` throws.
    public func value<Result: GraphValueConvertible>(
        forKeyPath keyPath: String,
        as type: Result.Type
    ) throws -> Result? {
        Result(value: try value(forKeyPath: keyPath))
    }

    /// Sets the property at the end of a key path.
    ///
    /// Where the path passes a collection, every member is set.
    ///
    /// A path may lead into a dictionary, and on into dictionaries and objects in it; `nil` removes
    /// an entry.
    ///
    /// - Throws: `ObjectGraphError` for an unknown key, for a value of the wrong kind, and if
    ///   something on the way is `nil`.
    public func setValue(_ value: GraphValue, forKeyPath keyPath: String) throws {
        try setValue(
            value,
            at: keyPath.split(separator: ".", omittingEmptySubsequences: false)[...]
        )
    }

    /// Asks whether a value may be set at the end of a key path; see ``validateValue(_:forKey:)``.
    ///
    /// - Throws: what is wrong with the value, and `ObjectGraphError` if the path does not lead to
    ///   an object that has the last key.
    public func validateValue(_ value: inout GraphValue, forKeyPath keyPath: String) throws {
        let (object, key) = try owner(ofKeyPath: keyPath)
        try object.validateValue(&value, forKey: key)
    }

    /// The object that has the last key of a path, and that key.
    ///
    /// - Throws: `ObjectGraphError` if the path leads to no object.
    package func owner(
        ofKeyPath keyPath: String
    ) throws -> (object: any KeyValueCoding, key: String) {
        guard let dot = keyPath.lastIndex(of: ".") else { return (self, keyPath) }
        let (path, key) = (String(keyPath[..<dot]), String(keyPath[keyPath.index(after: dot)...]))
        switch try value(forKeyPath: path) {
        case .object(let object): return (object, key)
        case let other: throw refuse(path, other.kindName)
        }
    }

    /// The values of several keys at once.
    ///
    /// - Throws: what ``KeyValueCoding/value(forKey:)`` throws for the first key that fails.
    /// - Complexity: O(keys).
    public func dictionaryWithValues(forKeys keys: [String]) throws -> [String: GraphValue] {
        var values: [String: GraphValue] = [:]
        for key in keys { values[key] = try value(forKey: key) }
        return values
    }

    /// Sets several keys at once, in alphabetical order, so that a failure is repeatable.
    ///
    /// The values before the one that fails are set.
    ///
    /// - Throws: what ``KeyValueCoding/setValue(_:forKey:)`` throws for the first key that fails.
    /// - Complexity: O(keys).
    public func setValuesForKeys(_ values: [String: GraphValue]) throws {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            try setValue(value, forKey: key)
        }
    }

    fileprivate func setValue(_ value: GraphValue, at keys: ArraySlice<Substring>) throws {
        guard let first = keys.first else { return }
        let key = String(first)
        let rest = keys.dropFirst()
        if rest.isEmpty { return try setValue(value, forKey: key) }
        let present = try self.value(forKey: key)
        switch present {
        case .null where !entityNames.isEmpty, .dictionary where !entityNames.isEmpty:
            // The elements of a composite attribute have keys of their own.
            let path = keys.joined(separator: ".")
            if (try? self.value(forKey: path)) != nil { return try setValue(value, forKey: path) }
        default: break
        }
        switch present {
        case .object, .array, .set: try present.setInObjects(value, at: rest)
        case .dictionary(let entries):
            if let changed = try entries.setting(value, at: rest, refuse) {
                try setValue(.dictionary(changed), forKey: key)
            }
        case let other: throw refuse(key, other.kindName)
        }
    }

    private func refuse(_ key: String, _ kind: String) -> ObjectGraphError {
        ObjectGraphError(
            .wrongValueKind,
            "The key path cannot be set: \"\(key)\" of \(kindForMessages) is \(kind).",
            recovery: "Give \"\(key)\" an object first.",
            key: key
        )
    }
}

extension GraphValue {
    /// Sets a path in the object, or in those among the members.
    fileprivate func setInObjects(_ value: GraphValue, at keys: ArraySlice<Substring>) throws {
        if case .object(let object) = self { return try object.setValue(value, at: keys) }
        for case .object(let object) in elements ?? [] { try object.setValue(value, at: keys) }
    }
}

extension [String: GraphValue] {
    /// The entries after a path was set in them, where `nil` removes one; `nil` if the path
    /// continues into an object, which has changed instead.
    fileprivate func setting(
        _ value: GraphValue,
        at keys: ArraySlice<Substring>,
        _ refuse: (_ key: String, _ kind: String) -> ObjectGraphError
    ) throws -> [String: GraphValue]? {
        guard let first = keys.first else { return self }
        let (key, rest) = (String(first), keys.dropFirst())
        var entries = self
        if rest.isEmpty {
            if value.isNull { entries.removeValue(forKey: key) } else { entries[key] = value }
            return entries
        }
        switch entries[key] ?? .null {
        case .dictionary(let inner):
            guard let changed = try inner.setting(value, at: rest, refuse) else { return nil }
            entries[key] = .dictionary(changed)
            return entries
        case .object, .array, .set:
            try entries[key]?.setInObjects(value, at: rest)
            return nil
        case let other: throw refuse(key, other.kindName)
        }
    }
}
