/// A property that holds a value.
public final class AttributeDescription: PropertyDescription, @unchecked Sendable {
    // Safety: immutable once the model is frozen.

    @exclusivity(unchecked) public var type: AttributeType { didSet { assertMutable() } }
    public var defaultValue: GraphValue = .null { didSet { assertMutable() } }
    /// Makes the default of each new object, such as an identifier of its own or the time.
    ///
    /// It counts instead of ``defaultValue``, which a class declares too if every call gives the same
    /// value. A migration that makes the attribute required calls it for each row without a value.
    /// It is code: files and archives of models do not have it, and comparisons of models leave it out.
    public var makeDefault: (@Sendable () -> GraphValue)? { didSet { assertMutable() } }
    /// The rules that a value must follow beyond its type: bounds, lengths, pattern.
    public var rules: [ValidationRule] = [] { didSet { assertMutable() } }
    /// The registered name of a transformable attribute's transformer; `nil` for the default.
    public var valueTransformerName: String? { didSet { assertMutable() } }
    /// The class that a transformable attribute holds, as the editor names it.
    public var valueClassName: String? { didSet { assertMutable() } }
    /// Whether an SQLite store keeps data of more than 128 KiB in files beside it; other stores keep
    /// all data in themselves.
    ///
    /// The files of `name.sqlite` are in the hidden folder `.name_SUPPORT/_EXTERNAL_DATA`, as in Core
    /// Data: move and copy it with the store. Stores of one folder whose names differ only in the
    /// extension share it; what one of them does not use any more is then kept.
    public var allowsExternalStorage = false { didSet { assertMutable() } }
    /// Kept for Apple's framework; the history here keeps no values of deleted objects.
    public var preservesValueOnDeletion = false { didSet { assertMutable() } }
    public var allowsCloudEncryption = false { didSet { assertMutable() } }
    /// Whether generated accessors use a scalar type even though the attribute is optional.
    public var usesScalarType = false { didSet { assertMutable() } }
    /// The expression by which the store computes the attribute; an attribute with one is derived.
    public var derivation: String? { didSet { assertMutable() } }
    /// The name of a composite attribute's type.
    public var compositeName: String? { didSet { assertMutable() } }

    /// What a composite attribute consists of: attributes named `attribute.element`, each stored,
    /// undone and searched on its own; empty for other attributes.
    ///
    /// Valid once the model is frozen.
    public internal(set) var elements: [AttributeDescription] = []
    /// The composite attribute that this is an element of.
    ///
    /// Valid once the model is frozen. Safety: that attribute clears this when it is released.
    @exclusivity(unchecked)
    public internal(set) unowned(unsafe) var composite: AttributeDescription?

    public init(
        _ name: String,
        _ type: AttributeType,
        optional: Bool = true,
        default value: GraphValue = .null
    ) {
        self.type = type
        super.init(name: name)
        isOptional = optional
        defaultValue = value
    }

    deinit {
        for element in elements { element.composite = nil }
    }

    override func leaveEntity() {
        super.leaveEntity()
        for element in elements { element.leaveEntity() }
    }

    public var isDerived: Bool { derivation != nil }

    /// Whether a store keeps a value of its own for the attribute.
    package var isStored: Bool { !isTransient && type != .composite }

    package override var declared: PropertyDescription { composite?.declared ?? self }

    package override func copy() -> PropertyDescription {
        let other = AttributeDescription(name, type)
        copyCommon(to: other)
        other.defaultValue = defaultValue
        other.makeDefault = makeDefault
        other.rules = rules
        other.valueTransformerName = valueTransformerName
        other.valueClassName = valueClassName
        other.allowsExternalStorage = allowsExternalStorage
        other.preservesValueOnDeletion = preservesValueOnDeletion
        other.allowsCloudEncryption = allowsCloudEncryption
        other.usesScalarType = usesScalarType
        other.derivation = derivation
        other.compositeName = compositeName
        return other
    }
}
