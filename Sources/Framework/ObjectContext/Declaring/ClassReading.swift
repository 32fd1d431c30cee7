import FoundationEssentials
import Glibc
public import ObjectModel
public import Synchronization

/// The reading of a class: one instance of it is made, its *probe*, whose wrappers note what they
/// declare.
///
/// Wrappers run their initialisers for every object, so all that these do for other objects is one
/// test of ``isActive``.
@usableFromInline
enum ClassReading {
    /// The thread that reads a class; 0 for none.
    @usableFromInline static let thread = Atomic<UInt>(0)

    /// Whether a class is being read, on this thread or another.
    @inlinable
    @inline(__always)
    static var isActive: Bool { thread.load(ordering: .relaxed) != 0 }

    /// What the probe's wrappers have declared so far.
    ///
    /// Safety: used by the reading thread alone, which holds the lock of the declarations.
    nonisolated(unsafe) private static var declared: [PropertyDeclaration] = []

    /// Makes an instance and collects what it declares.
    ///
    /// The caller holds the registry's lock.
    static func read(
        _ make: () -> ManagedObject
    ) -> (probe: ManagedObject, properties: [PropertyDeclaration]) {
        // What a class does while it is made may ask for another class.
        let (outer, reader) = (declared, thread.load(ordering: .relaxed))
        declared = []
        thread.store(pthread_self(), ordering: .relaxed)
        let probe = make()
        thread.store(reader, ordering: .relaxed)
        defer { declared = outer }
        return (probe, declared)
    }

    /// Notes a property, if this thread reads a class.
    ///
    /// - Returns: the property's index, or `.max` for an object that another thread makes meanwhile.
    static func declare(_ property: PropertyDeclaration) -> UInt8 {
        guard thread.load(ordering: .relaxed) == pthread_self() else { return .max }
        property.index = declared.count
        declared.append(property)
        return UInt8(clamping: property.index)
    }
}

// What wrappers say. The property's type comes as a closure, so that nothing looks at it before it
// is asked for: `Set<Book>` costs the runtime a look for the conformance among all of the program's.
extension ClassReading {
    @usableFromInline
    static func declarePlain(
        _ type: PropertyType,
        _ swiftType: @autoclosure @escaping () -> Any.Type
    ) -> UInt8 { declare(PropertyDeclaration("", type, swiftType, PropertyOptions())) }

    @usableFromInline
    static func declareAttribute(
        _ type: PropertyType,
        _ swiftType: @autoclosure @escaping () -> Any.Type,
        _ name: StaticString,
        _ makeDefault: (@Sendable () -> GraphValue)?,
        _ unique: Bool,
        _ indexed: Bool,
        _ searched: Bool,
        _ transient: Bool,
        _ externalStorage: Bool,
        _ derived: DerivedValue?,
        _ rules: [ValidationRule],
        _ transformer: StaticString,
        _ renamedFrom: StaticString
    ) -> UInt8 {
        var options = PropertyOptions()
        options.makeDefault = makeDefault
        options.isUnique = unique
        options.isIndexed = indexed
        options.isSearched = searched
        options.isTransient = transient
        options.storesExternally = externalStorage
        options.derivation = derived
        options.rules = rules
        options.transformerName = transformer.text
        options.renamedFrom = renamedFrom.text
        return declare(PropertyDeclaration(name.description, type, swiftType, options))
    }

    @usableFromInline
    static func declareRelationship(
        _ type: PropertyType,
        _ swiftType: @autoclosure @escaping () -> Any.Type,
        _ name: StaticString,
        _ inverse: Inverse?,
        _ deleteRule: DeleteRule,
        _ required: Bool,
        _ minCount: Int,
        _ maxCount: Int,
        _ transient: Bool,
        _ renamedFrom: StaticString
    ) -> UInt8 {
        var options = PropertyOptions()
        options.inverse = inverse
        options.deleteRule = deleteRule
        options.isRequired = required
        options.minCount = minCount
        options.maxCount = maxCount
        options.isTransient = transient
        options.renamedFrom = renamedFrom.text
        return declare(PropertyDeclaration(name.description, type, swiftType, options))
    }
}

extension StaticString {
    /// The text; `nil` if it is empty.
    var text: String? { utf8CodeUnitCount == 0 ? nil : description }
}

/// What a wrapper says of its property.
final class PropertyDeclaration {
    /// The name in the model; read off the class's fields where the declaration gives none.
    var name: String
    let type: PropertyType
    private let makeSwiftType: () -> Any.Type
    var swiftType: Any.Type { makeSwiftType() }
    /// What the declaration says beyond name and type.
    private(set) var options: PropertyOptions
    /// The place among the properties of the class and its ancestors, in the order of the fields.
    var index = 0

    init(
        _ name: String,
        _ type: PropertyType,
        _ swiftType: @escaping () -> Any.Type,
        _ options: PropertyOptions
    ) {
        self.name = name
        self.type = type
        self.makeSwiftType = swiftType
        self.options = options
    }

    /// Finds out whether the default is a constant, by making it twice.
    func findDefault() {
        guard let make = options.makeDefault else { return }
        (options.sample, options.defaultValue) = InheritedDefault.values(make)
    }
}

extension InheritedDefault {
    /// What an expression gives, and the same as a constant: `nil` if it gives another value each
    /// time.
    static func values(
        _ make: @Sendable () -> GraphValue
    ) -> (sample: GraphValue, constant: GraphValue) {
        let sample = make()
        // An object belongs to one object, and no model holds it.
        if case .opaque = sample { return (sample, .null) }
        // A clock could give the same time twice.
        let start = Date()
        while Date() == start {}
        return (sample, make().isIdentical(to: sample) ? sample : .null)
    }
}

/// The arguments of a declaration beyond name and type.
struct PropertyOptions {
    /// Makes the default of each object.
    var makeDefault: (@Sendable () -> GraphValue)?
    /// The default, if it is a constant.
    var defaultValue = GraphValue.null
    /// A default.
    var sample = GraphValue.null
    var rules: [ValidationRule] = []
    var isUnique = false
    var isIndexed = false
    var isSearched = false
    var isTransient = false
    var storesExternally = false
    var derivation: DerivedValue?
    var renamedFrom: String?
    var transformerName: String?
    /// The relationship's other side.
    var inverse: Inverse?
    var deleteRule = DeleteRule.nullify
    var isRequired = false
    var minCount = 0
    var maxCount = 0
    /// What a fetched property finds; asked for when all classes are read.
    var fetch: (() -> FetchDescription)?
}

/// The other side of a relationship: what reads it, or that there is none.
@usableFromInline
struct Inverse {
    private let read: ((ManagedObject) -> Any)?

    @usableFromInline
    init<Target: ManagedObject, Other>(_ read: @escaping (Target) -> Other) {
        self.read = { object in (object as? Target).map { read($0) as Any } ?? object }
    }

    @usableFromInline
    init?(_ rule: InverseRule) {
        if rule == .inferred { return nil }
        read = nil
    }

    /// Whether the declaration says that there is no other side.
    var isNone: Bool { read == nil }

    /// The name of the relationship in a class; `nil` if it is not a declared property.
    func name(in target: ManagedObject.Type) -> String? {
        read.flatMap { ClassDeclaration.of(target).nameOfProperty(read: $0) }
    }
}
