import ObjectModel

// Composite attributes: a dictionary over the slots of their elements.

extension ManagedObject {
    /// The value of an attribute in some slots; a composite one is built from its elements.
    final func value(
        of attribute: AttributeDescription,
        in values: UnsafeMutablePointer<GraphValue>
    ) -> GraphValue {
        attribute.composed { values[$0.slot] }
    }

    /// Sets the elements of a composite attribute, all or none.
    ///
    /// Elements that the dictionary does not name become `nil`.
    final func set(_ value: GraphValue, composite attribute: AttributeDescription) throws {
        let parts: [(attribute: AttributeDescription, value: GraphValue)]
        do {
            parts = try attribute.decomposed(value)
        } catch var error as ObjectGraphError {
            error.objectIDs = [objectID]
            error.message = "\(entity.name).\(error.message)"
            throw error
        }
        guard let owner else { return set(parts, of: attribute) }
        owner.observed.together {
            touchObservers(attribute.slot, .setting)
            set(parts, of: attribute)
        }
    }

    private final func set(
        _ parts: [(attribute: AttributeDescription, value: GraphValue)],
        of attribute: AttributeDescription
    ) {
        if !read(attribute.slot).isNull { write(.null, attribute.slot) }
        for part in parts where !part.value.isIdentical(to: read(part.attribute.slot)) {
            write(part.value, part.attribute.slot)
        }
    }

    /// Whether an element without a value belongs to an optional composite attribute without any
    /// value, so that its own rules do not apply.
    final func isPartOfNothing(_ element: AttributeDescription) -> Bool {
        var composite = element.composite
        while let attribute = composite {
            if attribute.isOptional, value(of: attribute, in: slots).isNull { return true }
            composite = attribute.composite
        }
        return false
    }
}
