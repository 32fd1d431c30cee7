import Glibc
public import ObjectModel

// Validation. For each property: the object's own `validate(_:forKey:)`, which may replace the
// value, then the rules of the model. It can be called without saving, so that a form can show
// errors.

extension ManagedObject {
    /// Checks a value for a property without setting it.
    ///
    /// - Parameters:
    ///   - value: the candidate; a rule of the class may replace it by a better one.
    ///   - key: the name of the property.
    /// - Throws: `ObjectGraphError` (1550–1680) with object, key, value and the broken rule; code
    ///   1560 with one error for each broken rule, if there are several.
    public final func validateValue(_ value: inout GraphValue, forKey key: String) throws {
        var collector = ErrorCollector()
        collector.run { try validate(&value, forKey: key) }
        collector.run { try checkByModel(value, forKey: key) }
        try collector.finish()
    }

    private final func checkByModel(_ value: GraphValue, forKey key: String) throws {
        guard let property = entity.property(named: key) else {
            throw ManagedObject.undefinedKey(key, entity)
        }
        switch property {
        case let attribute as AttributeDescription:
            try check(value, attribute)
            if let narrow = layout.narrowAttributes.first(where: { $0.slot == attribute.slot }) {
                try check(value, attribute, fits: narrow.values)
            }
        case let relationship as RelationshipDescription:
            let count = relationship.isToMany ? value.elements?.count ?? 0 : value.isNull ? 0 : 1
            try check(count: count, relationship)
        default: break
        }
    }

    /// Checks every property; rules of the class may replace values.
    final func validateProperties() throws {
        var collector = ErrorCollector()
        layout.attributeChecks.withUnsafeBufferPointer { checks in
            guard let first = checks.baseAddress else { return }
            // Without a closure, which would not be inlined.
            for index in checks.indices {
                do { try validate(by: first + index) } catch { collector.add(error) }
            }
        }
        if !layout.narrowAttributes.isEmpty { collector.run { try checkDeclaredTypes() } }
        if !layout.compositeSlots.isEmpty {
            for slot in layout.compositeSlots { collector.run { try validate(compositeAt: slot) } }
        }
        if layout.hasRelationships {
            for relationship in entity.relationshipList where !relationship.isTransient {
                do {
                    try check(count: count(relationship), relationship)
                } catch { collector.add(error) }
            }
        }
        try collector.finish()
    }

    /// Checks one attribute; uses a pointer, so that a valid value is not retained.
    @inline(__always)
    private final func validate(by check: UnsafePointer<AttributeCheck>) throws {
        let slot = check.pointee.slot
        if state.isTransforming, isSealed(slot) { return try validate(sealedBy: check) }
        if state.blocksRead { readSlowly(slot) }
        var value = slots[slot]
        do {
            try validate(&value, forKey: check.pointee.name)
        } catch {
            var collector = ErrorCollector()
            collector.run { throw error }
            collector.run { try self.check(value, at: check) }
            return try collector.finish()
        }
        // Safety: looks at the bytes alone; the same bytes are the same value.
        let isSame = withUnsafePointer(to: &value) {
            memcmp($0, slots + slot, MemoryLayout<GraphValue>.size) == 0
        }
        if !isSame { replace(with: value, at: slot) }
        if !AttributeCheck.passes(check, slots + slot) { try self.check(value, at: check) }
    }

    /// Writes a value that a rule of the class may have replaced.
    @inline(never)
    private final func replace(with value: GraphValue, at slot: Int) {
        if !value.isIdentical(to: slots[slot]) { write(value, slot) }
    }

    /// Checks an attribute's value, which is in its slot unless the class refuses it.
    @inline(never)
    private final func check(_ value: GraphValue, at check: UnsafePointer<AttributeCheck>) throws {
        let slot = check.pointee.slot
        if AttributeCheck.passes(check, slots + slot) { return }
        if let attribute = entity.slots[slot] as? AttributeDescription {
            if value.isNull, isPartOfNothing(attribute) { return }
            try self.check(value, attribute)
        }
    }

    /// Checks that the Swift types of the declared properties can hold the new values.
    final func checkDeclaredTypes() throws {
        var collector = ErrorCollector()
        for (slot, values) in layout.narrowAttributes {
            guard let attribute = entity.slots[slot] as? AttributeDescription,
                isInserted || isChanged(attribute)
            else { continue }
            collector.run { try check(value(at: slot), attribute, fits: values) }
        }
        try collector.finish()
    }

    /// Whether an attribute, or an element of a composite one, has changed since the last save.
    private final func isChanged(_ attribute: AttributeDescription) -> Bool {
        guard let changed = changes?.sinceSave else { return false }
        if changed.contains(attribute.slot) { return true }
        return attribute.type == .composite
            && attribute.leaves.contains { changed.contains($0.slot) }
    }

    private final func check(
        _ value: GraphValue,
        _ attribute: AttributeDescription,
        fits values: PropertyValues
    ) throws {
        // A value of another kind than the attribute's is refused already.
        guard !value.isNull, value.sealed == nil, !values.fits(value), attribute.isStorable(value)
        else { return }
        // So is an element's.
        let isElementRefused =
            attribute.type == .composite
            && attribute.leaves.contains { leaf in
                let value = read(leaf.slot)
                return !value.isNull && !leaf.isStorable(value)
            }
        if isElementRefused { return }
        throw unfitError(value, values.wholeType, attribute.slot)
    }

    /// Checks the plain value of a sealed attribute.
    ///
    /// A saved value, also one that undo or a merge has put back, needs no key: it was checked before
    /// it was saved.
    private final func validate(sealedBy check: UnsafePointer<AttributeCheck>) throws {
        let slot = check.pointee.slot
        guard let attribute = entity.slots[slot] as? AttributeDescription else { return }
        let stored = read(slot)
        var value = stored
        if let sealed = stored.sealed {
            // `checkTransformers` reports it.
            if sealed.isRefused { return }
            do {
                value = try throwingValue(sealed, slot)
            } catch {
                let isUnchanged = !isInserted && changes?.sinceSave.contains(slot) != true
                if sealed.isFromStore || isUnchanged { return }
                throw error
            }
        }
        let plain = value
        do {
            var collector = ErrorCollector()
            collector.run {
                try validate(&value, forKey: check.pointee.name)
                if !value.isIdentical(to: plain) { try setValue(value, at: slot) }
            }
            collector.run { try self.check(value, attribute) }
            try collector.finish()
        } catch let error as ObjectGraphError {
            // The value is secret.
            throw error.mapped { $0.value = nil }
        }
    }

    /// Checks a composite attribute as a whole; its elements are checked as attributes.
    private final func validate(compositeAt slot: Int) throws {
        let old = value(at: slot)
        var value = old
        try validate(&value, forKey: entity.slots[slot].name)
        if value != old { try setValue(value, at: slot) }
        // A value that does not fit the elements is in the attribute's own slot.
        guard let attribute = entity.slots[slot] as? AttributeDescription,
            value.isNull || !slots[slot].isNull
        else { return }
        try check(value, attribute)
    }

    /// The number of destinations; a relationship that is not loaded is loaded only if a rule needs
    /// the number.
    private final func count(_ relationship: RelationshipDescription) -> Int {
        if !relationship.isToMany { return reference(relationship.slot) == nil ? 0 : 1 }
        let needsCount =
            !relationship.isOptional || relationship.minCount > 0 || relationship.maxCount > 1
        return needsCount ? toManyCount(at: relationship.slot) : 0
    }

    /// Checks deny rules: every destination must be deleted too.
    final func validateDeleteRules() throws {
        var collector = ErrorCollector()
        for relationship in entity.relationships where relationship.deleteRule == .deny {
            let remaining = destinationObjects(relationship).filter { !$0.isDeleted }
            if remaining.isEmpty { continue }
            collector.run {
                throw ObjectGraphError(
                    .deleteDenied,
                    "\(entity.name) cannot be deleted while \(relationship.name) leads to"
                        + " \(remaining.count == 1 ? "an object" : "\(remaining.count) objects")"
                        + " of \(relationship.destinationName).",
                    recovery: "Delete or move them first.",
                    objectIDs: [objectID] + remaining.map(\.objectID),
                    key: relationship.name
                )
            }
        }
        try collector.finish()
    }

    /// Checks that every store keeps the new values of the attributes, whatever the rules say.
    final func checkStorable() throws {
        var collector = ErrorCollector()
        for attribute in entity.storedAttributes {
            let isNew = isInserted || changes?.sinceSave.contains(attribute.slot) == true
            if !isNew { continue }
            let value = read(attribute.slot)
            if !attribute.isStorable(value) { collector.run { try check(value, attribute) } }
        }
        try collector.finish()
    }

    final func check(_ value: GraphValue, _ attribute: AttributeDescription) throws {
        do {
            try attribute.validate(value)
        } catch let error as ObjectGraphError {
            throw error.mapped {
                $0.objectIDs = [objectID]
                $0.message = "\(entity.name).\($0.message)"
            }
        }
    }

    private final func check(count: Int, _ relationship: RelationshipDescription) throws {
        func fail(
            _ code: ObjectGraphError.Code,
            _ wanted: String,
            _ rule: ValidationRule
        ) -> ObjectGraphError {
            ObjectGraphError(
                code,
                "\(entity.name).\(relationship.name) needs \(wanted).",
                objectIDs: [objectID],
                key: relationship.name,
                rule: rule
            )
        }
        if count == 0 {
            if relationship.isOptional { return }
            throw relationship.isToMany
                ? fail(
                    .tooFewObjects,
                    "at least \(max(1, relationship.minCount))",
                    .minimumCount(max(1, relationship.minCount))
                )
                : fail(.missingMandatory, "a \(relationship.destinationName)", .required)
        }
        if count < relationship.minCount {
            throw fail(
                .tooFewObjects,
                "at least \(relationship.minCount), it has \(count)",
                .minimumCount(relationship.minCount)
            )
        }
        if relationship.maxCount > 0, count > relationship.maxCount {
            throw fail(
                .tooManyObjects,
                "at most \(relationship.maxCount), it has \(count)",
                .maximumCount(relationship.maxCount)
            )
        }
    }
}

extension ManagedObject {
    /// Checks that the changed values of transformable attributes can be stored, and seals those
    /// that were set past the setters, such as defaults.
    ///
    /// If a transformer refuses a value, a store could only store nothing in its place.
    fileprivate final func checkTransformers() throws {
        var collector = ErrorCollector()
        for slot in entity.transformableSlots {
            guard isInserted || changes?.sinceSave.contains(slot) == true,
                let attribute = entity.slots[slot] as? AttributeDescription
            else { continue }
            let value = read(slot)
            if value.isNull { continue }
            collector.run {
                if isSealed(slot) {
                    guard let sealed = value.sealed else {
                        slots[slot] = try sealedForm(of: value, slot)
                        return
                    }
                    _ = try sealed.storedData()
                } else {
                    try checkTransformer(attribute, value)
                }
            }
        }
        try collector.finish()
    }

    private final func checkTransformer(
        _ attribute: AttributeDescription,
        _ value: GraphValue
    ) throws {
        do {
            _ = try ValueTransformers.data(for: value, transformer: attribute.valueTransformerName)
        } catch {
            throw ObjectGraphError(
                .unsupported,
                "\(entity.name).\(attribute.name) cannot be stored: its transformer refuses "
                    + "the \(value.kindName).",
                recovery: "Set a value that the transformer takes.",
                objectIDs: [objectID],
                key: attribute.name,
                value: value,
                underlying: [error]
            )
        }
    }
}

extension ManagedObjectContext {
    /// Validates every pending object and collects all errors.
    func validateForSave() throws {
        var collector = ErrorCollector()
        for object in pending.objects {
            if settings.isBatch {
                collector.run { try object.checkForBatch() }
            } else if !settings.validates {
                // Whoever set this checks the rules; what no store can keep is refused all the same.
                if !object.isDeleted { collector.run { try object.checkStorable() } }
            } else if object.isDeleted {
                if !object.isInserted {
                    collector.run { try object.validateForDelete() }
                }
            } else if object.isInserted {
                do { try object.validateForInsert() } catch { collector.add(error) }
            } else if object.isUpdated {
                do { try object.validateForUpdate() } catch { collector.add(error) }
            }
            // After the rules of the class, because they may have replaced the value.
            if object.layout.hasTransformables, !object.isDeleted {
                collector.run { try object.checkTransformers() }
            }
        }
        // A rule of the class may have replaced values.
        endOwnEvent()
        try collector.finish()
    }
}
