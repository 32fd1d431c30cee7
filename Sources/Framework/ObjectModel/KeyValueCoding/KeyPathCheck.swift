// Checks whether a key path exists, from declarations alone. So a misspelt key is found also behind
// a relationship that is `nil` or empty.

/// The keys of a class of objects, known without an instance.
package protocol KeyDirectory {
    /// Where a key leads to.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey`` if the key
    ///   does not exist.
    func target(ofKey key: String) throws -> KeyTarget
}

/// An object that knows the directory of its keys.
package protocol KeyDirectoryProviding: KeyValueCoding {
    var keyDirectory: any KeyDirectory { get }
}

/// Where a key leads to.
package enum KeyTarget {
    /// Something without declarations; every key may follow.
    case anything
    /// A plain value, of which this is an example.
    case value(GraphValue)
    case object(any KeyDirectory)
    /// A dictionary with these keys: the value of a composite attribute.
    case dictionary(any KeyDirectory)
    /// Several objects.
    case objects(any KeyDirectory)

    package init(_ type: AttributeType) {
        self = type.sample.map { .value($0) } ?? .anything
    }
}

/// The error inside this file for a key path that does not exist.
private struct Astray: Error {
    let error: ObjectGraphError
    /// The keys up to the one that does not exist, without operators.
    let prefix: [String]
}

extension KeyValueCoding {
    /// Checks that a path exists, even where a value on it is `nil` now.
    ///
    /// A class may answer to more keys than it declares. Where there is an object, its own answer
    /// to ``KeyValueCoding/value(forKeyPath:)`` decides; the caller has asked it before.
    func checkKeyPath(_ keyPath: String) throws {
        guard let directory = KeyTarget.directory(of: self) else { return }
        var prefix: [String] = []
        do {
            try KeyPathPlan(keyPath).check(.object(directory), &prefix)
        } catch let astray as Astray {
            if !isAnyoneThere(astray.prefix) { throw astray.error }
        }
    }

    private func isAnyoneThere(_ prefix: [String]) -> Bool {
        var values: [GraphValue] = [.object(self)]
        for key in prefix {
            values = values.flatMap { ((try? $0.value(forKey: key)) ?? .null).leaves }
        }
        return !values.isEmpty
    }
}

extension GraphValue {
    /// The value, or the members of a collection at every depth; nothing for `nil`.
    fileprivate var leaves: [GraphValue] {
        switch self {
        case .null: []
        case .array, .set: (elements ?? []).flatMap(\.leaves)
        default: [self]
        }
    }
}

extension KeyTarget {
    fileprivate static func directory(of object: any KeyValueCoding) -> (any KeyDirectory)? {
        if let object = object as? any KeyDirectoryProviding { return object.keyDirectory }
        return directory(of: type(of: object))
    }

    /// The directory of a class; `nil` for a class without a key table.
    fileprivate static func directory(of type: any KeyValueCoding.Type) -> (any KeyDirectory)? {
        (type as? any KeyTableCoding.Type).map { TableKeys(type: $0) }
    }

    fileprivate init(entry: AnyKeyTable.Entry) {
        if let type = entry.type {
            self = KeyTarget(type.type)
        } else if let target = entry.target, let keys = KeyTarget.directory(of: target) {
            self = entry.isToMany ? .objects(keys) : .object(keys)
        } else {
            self = .anything
        }
    }
}

private struct TableKeys: KeyDirectory {
    let type: any KeyTableCoding.Type

    func target(ofKey key: String) throws -> KeyTarget {
        if key == "self" { return .object(self) }
        if let entry = type.keyTable.entries[key] { return KeyTarget(entry: entry) }
        if let type = type as? any KeyValueObserving.Type, type.declares(key) { return .anything }
        throw ObjectGraphError(
            .undefinedKey,
            "\(type) has no key \"\(key)\".",
            recovery: "It has: \(type.keyTable.keys.joined(separator: ", ")).",
            key: key
        )
    }
}

extension KeyValueObserving {
    /// Whether the class declares dependencies of a key, or notifies for it by hand.
    package static func declares(_ key: String) -> Bool {
        !keyPathsForValuesAffecting(key).isEmpty || !automaticallyNotifiesObservers(forKey: key)
    }
}

extension KeyPathPlan {
    fileprivate func check(_ start: KeyTarget, _ prefix: inout [String]) throws {
        var place = start
        var isMany = false
        for key in keys {
            do {
                switch place {
                case .anything: return
                case .value(let example):
                    guard let value = example.builtInValue(forKey: key) else {
                        throw example.undefinedKey(key)
                    }
                    place = value.isNull ? .anything : .value(value)
                case .objects where key == "allObjects": break
                case .object(let directory), .dictionary(let directory),
                    .objects(let directory):
                    place = try directory.target(ofKey: key)
                }
            } catch let error as ObjectGraphError {
                throw Astray(error: error, prefix: prefix)
            }
            if case .objects = place { isMany = true }
            prefix.append(key)
        }
        guard let operation else { return }
        if case .anything = place { return }
        try check(operation, place, isMany: isMany, &prefix)
    }

    private func check(
        _ operation: Operation,
        _ place: KeyTarget,
        isMany: Bool,
        _ prefix: inout [String]
    ) throws {
        let kind = operation.kind
        if !isMany {
            if !kind.needsKeyPath, case .dictionary = place { return }
            throw Astray(error: operation.nothingToCombine, prefix: prefix)
        }
        if !kind.needsKeyPath { return }
        guard let right = operation.right else {
            throw Astray(error: operation.lacksKeyPath, prefix: prefix)
        }
        if case .objects(let directory) = place {
            try right.check(.object(directory), &prefix)
        } else {
            try right.check(place, &prefix)
        }
    }
}

extension KeyPathPlan.Operation {
    fileprivate var nothingToCombine: ObjectGraphError {
        ObjectGraphError(
            .undefinedKey,
            "The operator \(kind.rawValue) follows a single value, not a collection.",
            recovery: "Write it after a to-many relationship.",
            key: kind.rawValue
        )
    }

    var lacksKeyPath: ObjectGraphError {
        ObjectGraphError(
            .undefinedKey,
            "The operator \(kind.rawValue) needs a key path after it.",
            recovery: "Write \(kind.rawValue).key, or \(kind.rawValue).self.",
            key: kind.rawValue
        )
    }
}
