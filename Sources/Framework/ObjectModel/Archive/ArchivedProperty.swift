import FoundationEssentials

/// A property in a model archive; what it holds beyond the common part says its kind.
struct ArchivedProperty: Codable {
    private let name: String
    /// The flags that do not have their usual value.
    private let flags: [String]?
    private let renamingIdentifier: String?
    private let versionHashModifier: String?
    private let userInfo: [String: String]?

    private var attribute: ArchivedAttribute?
    private var relationship: ArchivedRelationship?
    private var request: ArchivedRequest?

    init(_ property: PropertyDescription, of entity: String, _ notes: inout ArchiveNotes) {
        name = property.name
        flags =
            ArchivedProperty.flags.filter {
                property[keyPath: $0.path] != $0.usual
            }.map(\.name).nonEmpty
        renamingIdentifier = property.renamingIdentifier
        versionHashModifier = property.versionHashModifier
        userInfo = property.userInfo.nonEmpty
        let place = "\(entity).\(property.name)"
        switch property {
        case let property as AttributeDescription:
            attribute = ArchivedAttribute(property, at: place, &notes)
        case let property as RelationshipDescription:
            relationship = ArchivedRelationship(property)
        case let property as FetchedPropertyDescription:
            request = ArchivedRequest(property.fetchRequest, at: place, &notes)
        default: notes.leaveOut("\(place): a property of an unknown kind")
        }
    }

    func property(withConditions: Bool) throws -> PropertyDescription {
        let property: PropertyDescription
        if let attribute {
            property = try attribute.attribute(name, withConditions: withConditions)
        } else if let relationship {
            property = relationship.relationship(name)
        } else if let request {
            property = FetchedPropertyDescription(
                name,
                try request.request(withConditions: withConditions)
            )
        } else {
            throw ObjectGraphError(
                .damagedFile,
                "The archive of a model has the property \(name) without a kind.",
                recovery: "Use the model itself, or a backup."
            )
        }
        for flag in ArchivedProperty.flags {
            property[keyPath: flag.path] = flag.usual != (flags?.contains(flag.name) ?? false)
        }
        property.renamingIdentifier = renamingIdentifier
        property.versionHashModifier = versionHashModifier
        property.userInfo = userInfo ?? [:]
        return property
    }

    private typealias Flag = (
        name: String, path: ReferenceWritableKeyPath<PropertyDescription, Bool>, usual: Bool
    )

    private static var flags: [Flag] {
        [
            ("required", \.isOptional, true),
            ("transient", \.isTransient, false),
            ("indexed", \.isIndexed, false),
            ("searched", \.isSearched, false),
        ]
    }
}

extension ArchiveNotes {
    /// A default value; `nil` if there is none, or after noting the place of one that is left out.
    mutating func value(
        _ value: GraphValue,
        ofDefault attribute: AttributeDescription,
        _ place: String
    ) -> ArchivedValue? {
        if value.isNull { return nil }
        if attribute.type == .transformable,
            ValueTransformers.named(attribute.valueTransformerName)?.keepsValuesSealed == true
        {
            leaveOut("\(place): a default value that is stored encrypted only")
            return nil
        }
        let archived = ArchivedValue(value)
        if archived == nil { leaveOut("\(place): a default value that is an object") }
        return archived
    }
}

struct ArchivedAttribute: Codable {
    private let type: Int
    private let defaultValue: ArchivedValue?
    private let rules: [ArchivedRule]?
    /// The flags that are set.
    private let flags: [String]?
    private let valueTransformerName: String?
    private let valueClassName: String?
    private let derivation: String?
    private let compositeName: String?

    init(_ attribute: AttributeDescription, at place: String, _ notes: inout ArchiveNotes) {
        type = attribute.type.rawValue
        defaultValue = notes.value(attribute.defaultValue, ofDefault: attribute, place)
        var rules: [ArchivedRule] = []
        for rule in attribute.rules {
            if let archived = ArchivedRule(rule, at: place, &notes) { rules.append(archived) }
        }
        self.rules = rules.nonEmpty
        flags = ArchivedAttribute.flags.filter { attribute[keyPath: $0.path] }.map(\.name).nonEmpty
        valueTransformerName = attribute.valueTransformerName
        valueClassName = attribute.valueClassName
        derivation = attribute.derivation
        compositeName = attribute.compositeName
    }

    func attribute(_ name: String, withConditions: Bool) throws -> AttributeDescription {
        guard let type = AttributeType(rawValue: type) else {
            throw ObjectGraphError(
                .damagedFile,
                "The archive of a model has the attribute \(name) of an unknown type.",
                recovery: "Use the model itself, or a newer version of this program."
            )
        }
        let attribute = AttributeDescription(name, type)
        attribute.defaultValue = try defaultValue?.value ?? .null
        attribute.rules = try (rules ?? []).compactMap {
            try $0.rule(withConditions: withConditions)
        }
        for flag in ArchivedAttribute.flags where flags?.contains(flag.name) == true {
            attribute[keyPath: flag.path] = true
        }
        attribute.valueTransformerName = valueTransformerName
        attribute.valueClassName = valueClassName
        attribute.derivation = derivation
        attribute.compositeName = compositeName
        return attribute
    }

    private typealias Flag = (
        name: String, path: ReferenceWritableKeyPath<AttributeDescription, Bool>
    )

    private static var flags: [Flag] {
        [
            ("external", \.allowsExternalStorage),
            ("preserved", \.preservesValueOnDeletion),
            ("encrypted", \.allowsCloudEncryption),
            ("scalar", \.usesScalarType),
        ]
    }
}

struct ArchivedRelationship: Codable {
    private let destination: String
    private let inverse: String?
    private let deleteRule: Int
    private let minCount: Int
    private let maxCount: Int
    private let isOrdered: Bool?

    init(_ relationship: RelationshipDescription) {
        destination = relationship.destinationName
        inverse = relationship.inverseName
        deleteRule = relationship.deleteRule.rawValue
        minCount = relationship.minCount
        maxCount = relationship.maxCount
        isOrdered = relationship.isOrdered.flag
    }

    func relationship(_ name: String) -> RelationshipDescription {
        let relationship = RelationshipDescription(name, to: destination, inverse: inverse)
        relationship.deleteRule = DeleteRule(rawValue: deleteRule) ?? .nullify
        relationship.minCount = minCount
        relationship.maxCount = maxCount
        relationship.isOrdered = isOrdered ?? false
        return relationship
    }
}

struct ArchivedRule: Codable {
    private enum Kind: String, Codable {
        case required, minimum, maximum, minimumLength, maximumLength, pattern
        case minimumCount, maximumCount, predicate
    }

    private let kind: Kind
    private var bound: ArchivedValue?
    private var count: Int?
    private var text: String?
    private var message: String?

    init?(_ rule: ValidationRule, at place: String, _ notes: inout ArchiveNotes) {
        switch rule {
        case .required: kind = .required
        case .minimum(let value): (kind, bound) = (.minimum, ArchivedValue(value))
        case .maximum(let value): (kind, bound) = (.maximum, ArchivedValue(value))
        case .minimumLength(let length): (kind, count) = (.minimumLength, length)
        case .maximumLength(let length): (kind, count) = (.maximumLength, length)
        case .pattern(let pattern): (kind, text) = (.pattern, pattern)
        case .minimumCount(let number): (kind, count) = (.minimumCount, number)
        case .maximumCount(let number): (kind, count) = (.maximumCount, number)
        case .predicate(let predicate, let message):
            guard let text = notes.text(of: predicate, at: place) else { return nil }
            (kind, self.text, self.message) = (.predicate, text, message)
        }
    }

    /// `nil` for a condition that is not wanted.
    func rule(withConditions: Bool) throws -> ValidationRule? {
        switch kind {
        case .required: return .required
        case .minimum: return .minimum(try bound?.value ?? .null)
        case .maximum: return .maximum(try bound?.value ?? .null)
        case .minimumLength: return .minimumLength(count ?? 0)
        case .maximumLength: return .maximumLength(count ?? 0)
        case .pattern: return .pattern(text ?? "")
        case .minimumCount: return .minimumCount(count ?? 0)
        case .maximumCount: return .maximumCount(count ?? 0)
        case .predicate:
            guard withConditions else { return nil }
            return .predicate(try FetchPredicate(archived: text ?? ""), message: message ?? "")
        }
    }
}
