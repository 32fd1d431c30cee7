public import ObjectModel

/// An object as a save gives it to a store of yours.
///
/// It is valid during the call that gets it.
public struct StoreObject {
    /// The object's identity; temporary only where a store is asked for a permanent one.
    public let objectID: ManagedObjectID
    public let entity: EntityDescription
    /// The stored properties that the save changes; all of them for a new object.
    public let changedKeys: Set<String>
    /// The columns by slot; the others are `nil`.
    package let values: [GraphValue]
    private let members: (RelationshipDescription) throws -> [ManagedObjectID]

    package init(
        objectID: ManagedObjectID,
        entity: EntityDescription,
        changedKeys: Set<String>,
        values: [GraphValue],
        members: @escaping (RelationshipDescription) throws -> [ManagedObjectID]
    ) {
        self.objectID = objectID
        self.entity = entity
        self.changedKeys = changedKeys
        self.values = values
        self.members = members
    }

    /// The value of a stored attribute, the object ID of a to-one relationship, or the array of the
    /// object IDs of a to-many relationship, in order if it is ordered.
    ///
    /// The value of an encrypted attribute is its encrypted data, `.data`; the store gives the same
    /// data back.
    ///
    /// - Parameter key: the name of a stored property.
    /// - Returns: the value after the save.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey`` for any other
    ///   name, also that of a transient property, or the error of reading a relationship.
    public func value(forKey key: String) throws -> GraphValue {
        guard let property = entity.property(named: key), property.isInStore else {
            throw ObjectGraphError.notStored(key, entity)
        }
        if let relationship = property as? RelationshipDescription, relationship.isToMany {
            return .array(try members(relationship).map { .objectID($0) })
        }
        return try values[property.slot].dataIfSealed()
    }
}

extension GraphValue {
    /// The data of a sealed value, for a store class of a program; any other value as it is.
    ///
    /// - Throws: why a value that was set could not be sealed.
    func dataIfSealed() throws -> GraphValue {
        if case .opaque = self, let sealed { return .data(try sealed.storedData()) }
        return self
    }
}

extension PropertyDescription {
    /// The value of the property that a store class of a program gives.
    ///
    /// - Returns: a sealed value for the data of an attribute that keeps its values sealed; `nil` if
    ///   the attribute does not take the value.
    func taken(_ value: GraphValue) -> GraphValue? {
        guard let attribute = self as? AttributeDescription else { return .none }
        guard attribute.type == .transformable, value.sealed == nil, !value.isNull,
            ValueTransformers.named(attribute.valueTransformerName)?.keepsValuesSealed == true
        else {
            // Not in one expression: `nil` would be the null value.
            if attribute.accepts(value) { return value }
            return .none
        }
        guard case .data(let data) = value else { return .none }
        let name = attribute.valueTransformerName
        return .opaque(SealedValue(data, transformer: name, isFromStore: true))
    }
}

extension PropertyDescription {
    /// Whether a store holds the property.
    package var isInStore: Bool {
        if isTransient { return false }
        if let attribute = self as? AttributeDescription { return attribute.isStored }
        return self is RelationshipDescription
    }
}

extension EntityDescription {
    /// The attributes and relationships that a store holds, in the order of their slots.
    package var storedProperties: [PropertyDescription] { slots.filter(\.isInStore) }
}

extension ObjectGraphError {
    /// A key that is not the name of a stored property.
    package static func notStored(_ key: String, _ entity: EntityDescription) -> ObjectGraphError {
        ObjectGraphError(
            .undefinedKey,
            "\(entity.name) has no stored property \"\(key)\".",
            recovery: "Use one of: "
                + entity.storedProperties.map(\.name).joined(separator: ", ") + ".",
            key: key
        )
    }
}
