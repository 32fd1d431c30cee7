/// The keys of a plain Swift class: each with its getter and setter, declared once.
///
///     final class Person: KeyTableCoding {
///         var name = ""
///         var age: Int? = nil
///
///         static let keyTable: AnyKeyTable = KeyTable<Person> {
///             $0.key("name", \.name)
///             $0.key("age", \.age)
///         }
///     }
///
/// A class with subclasses declares `class var keyTable: AnyKeyTable { table }` over a static
/// constant; a subclass overrides it with a table that extends the first.
///
/// Values convert as ``GraphValueConvertible`` says. A value of the wrong kind is refused. Setting `nil`
/// for a property that cannot be `nil` calls ``KeyValueCoding/setNilValue(forKey:)``.
public final class KeyTable<Root: KeyValueCoding>: AnyKeyTable, @unchecked Sendable {
    // Safety: immutable; its functions use the object that they are given, where that is used.

    /// A table with the keys that `declare` adds.
    public init(_ declare: (Declaration) -> Void) {
        let declaration = Declaration([:])
        declare(declaration)
        super.init(declaration.entries)
    }

    /// A table with the keys of a superclass and those that `declare` adds or replaces.
    public init(extending base: AnyKeyTable, _ declare: (Declaration) -> Void) {
        let declaration = Declaration(base.entries)
        declare(declaration)
        super.init(declaration.entries)
    }

    /// Collects the keys of a table.
    public final class Declaration {
        fileprivate var entries: [String: Entry]

        fileprivate init(_ entries: [String: Entry]) { self.entries = entries }

        /// A property that can be read and set.
        public func key<Property: GraphValueConvertible>(
            _ name: String,
            _ path: ReferenceWritableKeyPath<Root, Property>
        ) {
            key(name, get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
        }

        /// A property that can only be read.
        public func key<Property: GraphValueConvertible>(
            _ name: String,
            readOnly path: KeyPath<Root, Property>
        ) {
            key(name) { $0[keyPath: path] }
        }

        /// A property by closures; without a setter it can only be read.
        public func key<Property: GraphValueConvertible>(
            _ name: String,
            get: @escaping (Root) -> Property,
            set: ((Root, Property) -> Void)? = nil
        ) {
            entries[name] = Entry(
                type: PlainType(Property.self),
                get: { get(KeyTable.cast($0)).value },
                set: set.map { set in
                    { object, value in
                        guard let property = Property(value: value) else { return false }
                        set(KeyTable.cast(object), property)
                        return true
                    }
                }
            )
        }

        /// A relationship to one object.
        public func toOne<Target: KeyValueCoding>(
            _ name: String,
            _ path: ReferenceWritableKeyPath<Root, Target?>
        ) {
            entries[name] = Entry(
                type: nil,
                get: { KeyTable.cast($0)[keyPath: path].map { .object($0) } ?? .null },
                set: { object, value in
                    switch value {
                    case .null: KeyTable.cast(object)[keyPath: path] = nil
                    case .object(let target):
                        guard let target = target as? Target else { return false }
                        KeyTable.cast(object)[keyPath: path] = target
                    default: return false
                    }
                    return true
                },
                target: Target.self
            )
        }

        /// A relationship to several objects in order.
        public func toMany<Target: KeyValueCoding>(
            _ name: String,
            _ path: ReferenceWritableKeyPath<Root, [Target]>
        ) {
            entries[name] = Entry(
                type: nil,
                get: { .array(KeyTable.cast($0)[keyPath: path].map { .object($0) }) },
                set: { object, value in
                    guard let members = value.elements else { return false }
                    var targets: [Target] = []
                    for member in members {
                        guard case .object(let target) = member, let target = target as? Target
                        else { return false }
                        targets.append(target)
                    }
                    KeyTable.cast(object)[keyPath: path] = targets
                    return true
                },
                target: Target.self,
                isToMany: true
            )
        }
    }

    /// A table is asked only about instances of the class that declares it.
    fileprivate static func cast(_ object: AnyObject) -> Root {
        guard let root = object as? Root else {
            preconditionFailure("the key table of \(Root.self) met a \(type(of: object))")
        }
        return root
    }
}

/// A ``KeyTable`` without its class as a type parameter.
public class AnyKeyTable: @unchecked Sendable {
    // Safety: as for `KeyTable`.

    struct Entry {
        /// `nil` for a key that is not an attribute.
        let type: PlainType?
        let get: (AnyObject) -> GraphValue
        /// Returns `false` for a value of the wrong kind.
        let set: ((AnyObject, GraphValue) -> Bool)?
        /// The class of the objects that a relationship leads to.
        var target: (any KeyValueCoding.Type)?
        var isToMany = false
    }

    let entries: [String: Entry]

    init(_ entries: [String: Entry]) { self.entries = entries }

    /// The declared keys, sorted.
    public var keys: [String] { entries.keys.sorted() }
}

/// A plain class that answers to the keys of its ``KeyTable``.
public protocol KeyTableCoding: KeyValueCoding {
    /// The table of the class; keep it in a static constant.
    static var keyTable: AnyKeyTable { get }
}

extension KeyTableCoding {
    /// The value of a declared key.
    ///
    /// - Throws: what ``KeyValueCoding/value(forUndefinedKey:)`` throws, for a key that is not
    ///   declared.
    public func value(forKey key: String) throws -> GraphValue {
        if let entry = type(of: self).keyTable.entries[key] { return entry.get(self) }
        return try value(forUndefinedKey: key)
    }

    /// Sets a declared key; a value of another kind is refused.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/wrongValueKind`` for a value
    ///   of the wrong kind, and what ``KeyValueCoding/setValue(_:forUndefinedKey:)`` throws for a
    ///   key that is not declared or can only be read.
    public func setValue(_ value: GraphValue, forKey key: String) throws {
        try setTableValue(value, forKey: key)
    }

    func setTableValue(_ value: GraphValue, forKey key: String) throws {
        guard let set = type(of: self).keyTable.entries[key]?.set else {
            return try setValue(value, forUndefinedKey: key)
        }
        if set(self, value) { return }
        if value.isNull { return try setNilValue(forKey: key) }
        throw ObjectGraphError(
            .wrongValueKind,
            "The property \"\(key)\" of \(type(of: self)) does not take \(value.kindWithArticle).",
            key: key,
            value: value
        )
    }
}
