/// The default of an inherited attribute in one entity; see ``EntityDescription/inheritedDefaults``.
public struct InheritedDefault {
    public var value: GraphValue
    /// Makes the default of each new object; see ``AttributeDescription/makeDefault``.
    public var make: (@Sendable () -> GraphValue)?

    public init(_ value: GraphValue, make: (@Sendable () -> GraphValue)? = nil) {
        self.value = value
        self.make = make
    }
}

/// A default that is made for each new object.
package struct MadeDefault: Sendable {
    package let attribute: AttributeDescription
    /// The slot of the attribute; `nil` for a composite one.
    private let slot: Int?
    private let make: @Sendable () -> GraphValue

    /// The entity of the attribute is laid out.
    package init(_ attribute: AttributeDescription, _ make: @escaping @Sendable () -> GraphValue) {
        self.attribute = attribute
        slot = attribute.elements.isEmpty ? attribute.slot : nil
        self.make = make
    }

    /// Sets the slots of attributes, of a composite one those of its elements.
    ///
    /// In one call for all of them, which holds none of them.
    package static func fill(_ slots: UnsafeMutablePointer<GraphValue>, _ defaults: [MadeDefault]) {
        for index in defaults.indices {
            if let slot = defaults[index].slot {
                slots[slot] = defaults[index].make()
            } else {
                defaults[index].fillElements(slots)
            }
        }
    }

    private func fillElements(_ slots: UnsafeMutablePointer<GraphValue>) {
        for part in (try? attribute.decomposed(make())) ?? [] {
            slots[part.attribute.slot] = part.value
        }
    }

    /// A new value for the attribute, or for an element of it.
    package func value(of attribute: AttributeDescription) -> GraphValue {
        if attribute === self.attribute { return make() }
        let parts = (try? self.attribute.decomposed(make())) ?? []
        return parts.first { $0.attribute === attribute }?.value ?? .null
    }
}

extension EntityDescription {
    /// How the default of an attribute, or of an element of one, is made; `nil` for a constant.
    ///
    /// Valid once frozen.
    package func madeDefault(of attribute: AttributeDescription) -> MadeDefault? {
        madeDefaults.first { $0.attribute === attribute.declared }
    }

    /// Whether new objects have a value for an attribute.
    ///
    /// Valid once frozen.
    package func hasDefault(_ attribute: AttributeDescription) -> Bool {
        !defaults[attribute.slot].isNull || madeDefault(of: attribute) != nil
    }

    /// Lays out the defaults; those of the entity itself count before its ancestors'.
    func layOutDefaults() {
        var overrides: [String: InheritedDefault] = [:]
        var current: EntityDescription? = self
        while let entity = current {
            overrides.merge(entity.inheritedDefaults) { nearest, _ in nearest }
            current = entity.superentity
        }
        defaults = slots.map { property in
            guard let attribute = property as? AttributeDescription else { return .null }
            guard let value = overrides[attribute.declared.name]?.value else {
                return attribute.type == .composite ? .null : attribute.defaultValue
            }
            if attribute.declared === attribute {
                return attribute.type == .composite ? .null : value
            }
            let parts = try? (attribute.declared as? AttributeDescription)?.decomposed(value)
            return parts?.first { $0.attribute === attribute }?.value ?? .null
        }
        madeDefaults = attributes.compactMap { attribute in
            let override = overrides[attribute.name]
            let make = override == nil ? attribute.makeDefault : override?.make
            guard let make else { return nil }
            return MadeDefault(attribute, make)
        }
    }
}
