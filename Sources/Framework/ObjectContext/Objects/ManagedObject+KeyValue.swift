public import ObjectModel
import ObjectStore

// Key access over the slots.

extension ManagedObject {
    /// The value of a slot for key-value coding: relationships as objects.
    final func value(at slot: Int) -> GraphValue {
        guard let relationship = entity.slots[slot] as? RelationshipDescription else {
            if entity.slots[slot] is FetchedPropertyDescription { return fetchedValue(at: slot) }
            let value = opened(read(slot), slot)
            guard value.isNull, let attribute = entity.slots[slot] as? AttributeDescription else {
                return value
            }
            return self.value(of: attribute, in: slots)
        }
        if !relationship.isToMany {
            return toOne(ManagedObject.self, at: slot).map { .object($0) } ?? .null
        }
        let objects = orderedToMany(ManagedObject.self, at: slot)
        return relationship.isOrdered
            ? .array(objects.map { .object($0) }) : .set(Set(objects.map { GraphValue.object($0) }))
    }

    /// A fetched property by key; `nil` if the fetch fails; the context keeps the error.
    private final func fetchedValue(at slot: Int) -> GraphValue {
        do {
            return .array(try fetched(ManagedObject.self, at: slot).map { .object($0) })
        } catch {
            owner?.lastFaultError = error
            return .null
        }
    }

    /// Sets a slot by key-value coding, after converting the value to the attribute's type.
    final func setValue(_ value: GraphValue, at slot: Int) throws {
        switch entity.slots[slot] {
        case let attribute as AttributeDescription:
            if attribute.type == .composite { return try set(value, composite: attribute) }
            if value.isNull, attribute.usesScalarType, !attribute.isOptional {
                return try setNilValue(forKey: attribute.name)
            }
            guard let coerced = attribute.coerced(value) else {
                throw ObjectGraphError(
                    .wrongValueKind,
                    "\(entity.name).\(attribute.name) takes \(attribute.type.nameWithArticle), "
                        + "not \(value.kindWithArticle).",
                    objectIDs: [objectID],
                    key: attribute.name,
                    value: value
                )
            }
            write(state.isTransforming ? try sealedForm(of: coerced, slot) : coerced, slot)
        case let relationship as RelationshipDescription:
            try set(value, relationship)
        default:
            throw ObjectGraphError(
                .wrongValueKind,
                "\(entity.name).\(entity.slots[slot].name) cannot be set."
            )
        }
    }

    /// Sets an attribute for a typed setter, which cannot throw: a value that the attribute does
    /// not take is kept, and validation reports it.
    ///
    /// Traps if the slot does not belong to an attribute.
    final func setForValidation(_ value: GraphValue, at slot: Int) {
        if isProbe { return }
        do {
            try setValue(value, at: slot)
        } catch {
            Misuse.trap(unless: entity.slots[slot] is AttributeDescription, "\(error)")
            write(value, slot)
        }
    }

    private final func set(_ value: GraphValue, _ relationship: RelationshipDescription) throws {
        if !relationship.isToMany {
            setToOne(
                try value.isNull ? nil : destination(value, relationship),
                at: relationship.slot
            )
            return
        }
        guard let members = value.isNull ? [] : value.elements else {
            throw ObjectGraphError(
                .wrongValueKind,
                "\(entity.name).\(relationship.name) takes several \(relationship.destinationName) "
                    + "objects, not \(value.kindWithArticle).",
                objectIDs: [objectID],
                key: relationship.name,
                value: value
            )
        }
        let objects = try members.map { try destination($0, relationship) }
        if relationship.isOrdered {
            setOrderedToMany(objects, at: relationship.slot)
        } else {
            setToMany(Set(objects), at: relationship.slot)
        }
    }

    final func destination(
        _ value: GraphValue,
        _ relationship: RelationshipDescription
    ) throws -> ManagedObject {
        let object: ManagedObject? =
            switch value {
            case .object(let object as ManagedObject): object
            case .objectID(let id): try owner?.instance(with: id)
            default: nil
            }
        if let object, object.context !== owner || owner == nil {
            throw ObjectGraphError(
                .invalidRequest,
                foreignDestination(object, relationship),
                objectIDs: [objectID, object.objectID],
                key: relationship.name
            )
        }
        guard let object, let destination = relationship.destination,
            object.entity.isKind(of: destination)
        else {
            throw ObjectGraphError(
                .wrongValueKind,
                "\(entity.name).\(relationship.name) takes"
                    + " \(relationship.destinationName.withArticle), not"
                    + " \(object?.entity.name.withArticle ?? value.kindWithArticle).",
                objectIDs: [objectID],
                key: relationship.name,
                value: value
            )
        }
        return object
    }

    /// The message about an object that belongs to another context.
    final func foreignDestination(
        _ object: ManagedObject,
        _ relationship: RelationshipDescription
    ) -> String {
        "\(entity.name).\(relationship.name): \(object) belongs to \(object.home), not to"
            + " \(home) of \(self). Pass its objectID and take the object from there."
    }

    /// The value of a property without firing the fault or recording anything.
    ///
    /// For code below the change tracking, such as a custom accessor.
    public final func primitiveValue(forKey key: String) -> GraphValue {
        guard let slot = entity.slotByName[key], !isFault else { return .null }
        if slots[slot].isNull, let attribute = entity.slots[slot] as? AttributeDescription {
            return value(of: attribute, in: slots)
        }
        return opened(slots[slot], slot)
    }

    /// Sets an attribute without marking the object as changed: undo and observers do not notice
    /// it.
    ///
    /// It is not among the ``changedValues()`` either. The next save that writes the object for
    /// another reason writes it too, as in `willSave`.
    public final func setPrimitiveValue(_ value: GraphValue, forKey key: String) {
        guard let slot = entity.slotByName[key] else { return }
        if isFault { fireFault() }
        if let attribute = entity.slots[slot] as? AttributeDescription, attribute.type == .composite
        {
            for part in (try? attribute.decomposed(value)) ?? [] {
                setPrimitiveValue(part.value, at: part.attribute.slot)
            }
        } else {
            setPrimitiveValue(value, at: slot)
        }
    }

    private final func setPrimitiveValue(_ value: GraphValue, at slot: Int) {
        let counts = !isInserted && !state.isUntracked
        if counts, !entity.slots[slot].isTransient {
            let changes = trackChanges()
            if !changes.sinceSave.contains(slot) {
                changes.sinceSave.insert(slot)
                changes.primitive.insert(slot)
            }
        }
        slots[slot] = state.isTransforming ? sealedOrRefused(value, slot) : value
    }

    /// The changes since the object was read or saved: key → current value.
    ///
    /// Compares by value, so a property that has its old value again is left out. A property of a
    /// saved object that was only set by ``setPrimitiveValue(_:forKey:)`` is left out too. A new
    /// object has every value that differs from its default.
    public final func changedValues() -> [String: GraphValue] {
        changedProperties.reduce(into: [:]) { $0[$1.name] = value(at: $1.slot) }
    }

    /// The keys of ``changedValues()``.
    ///
    /// Cost: reads no value, so it makes no object at the other end of a relationship.
    public final var changedKeys: [String] { changedProperties.map(\.name) }

    private final var changedProperties: [PropertyDescription] {
        if isInserted { return entity.slots.filter { differsFromDefault($0) } }
        guard let changes, let snapshot = changes.snapshot else { return [] }
        var result: [PropertyDescription] = []
        for slot in changes.sinceSave
        where !changes.primitive.contains(slot) && isChanged(slot, from: snapshot) {
            let property = entity.slots[slot].declared
            if !result.contains(where: { $0 === property }) { result.append(property) }
        }
        return result
    }

    private final func differsFromDefault(_ property: PropertyDescription) -> Bool {
        if property is FetchedPropertyDescription || property.declared !== property { return false }
        if case .opaque(let contents as ToManyContents) = slots[property.slot] {
            return !contents.members.isEmpty
        }
        if let attribute = property as? AttributeDescription, attribute.type == .composite {
            let initial = attribute.composed { entity.defaults[$0.slot] }
            return value(of: attribute, in: slots) != initial
        }
        return slots[property.slot] != entity.defaults[property.slot]
    }

    /// The changes since the last end of event: key → value before.
    public final func changedValuesForCurrentEvent() -> [String: GraphValue] {
        var result: [String: GraphValue] = [:]
        let old = changes?.oldValues ?? []
        for (slot, value) in old {
            let property = entity.slots[slot].declared
            if property.slot == slot {
                result[property.name] = opened(value, slot)
            } else if let attribute = property as? AttributeDescription {
                result[property.name] = attribute.composed { element in
                    old.first { $0.0 == element.slot }?.1 ?? slots[element.slot]
                }
            }
        }
        return result
    }

    /// The values that were last read or saved; for a new object the defaults.
    ///
    /// `nil` is `.null`.
    public final func committedValues(forKeys keys: [String]? = nil) -> [String: GraphValue] {
        if isFault { fireFault() }
        var result: [String: GraphValue] = [:]
        for key in keys ?? entity.slots.filter({ $0.declared === $0 }).map(\.name) {
            guard let slot = entity.slotByName[key],
                !(entity.slots[slot] is FetchedPropertyDescription)
            else { continue }
            if let attribute = entity.slots[slot] as? AttributeDescription {
                result[key] = attribute.composed { attribute in
                    if isInserted { return entity.defaults[attribute.slot] }
                    let value = changes?.snapshot?[attribute.slot] ?? slots[attribute.slot]
                    return opened(value, attribute.slot)
                }
            } else if isInserted {
                result[key] = entity.defaults[slot]
            } else {
                let value = changes?.snapshot?[slot] ?? slots[slot]
                if let relationship = entity.slots[slot] as? RelationshipDescription,
                    relationship.isToMany
                {
                    guard let contents = loadedContents(slot) else { continue }
                    let ids = contents.members.subtracting(contents.added).union(contents.removed)
                    result[key] =
                        relationship.isOrdered
                        ? .array((contents.savedOrder ?? contents.order).map { .objectID($0) })
                        : .set(Set(ids.map { .objectID($0) }))
                } else {
                    result[key] = value
                }
            }
        }
        return result
    }

    /// Whether a persistent property differs from the value that was read or saved.
    ///
    /// If only transient properties have changed, the object has changes, but this is false.
    public final var hasPersistentChangedValues: Bool {
        if isInserted { return true }
        guard isUpdated, let changes, let snapshot = changes.snapshot else {
            return false
        }
        return changes.sinceSave.contains { slot in
            !entity.slots[slot].isTransient && isChanged(slot, from: snapshot)
        }
    }

    final func isChanged(_ slot: Int, from snapshot: UnsafeMutablePointer<GraphValue>) -> Bool {
        if case .opaque(let contents as ToManyContents) = slots[slot] {
            return contents.isChangedSinceSave
        }
        return !slots[slot].isIdentical(to: snapshot[slot])
    }
}
