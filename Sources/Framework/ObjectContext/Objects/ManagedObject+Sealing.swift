public import FoundationEssentials
import ObjectModel

// Attributes whose transformer keeps values sealed (`SealedValue`), such as encrypted ones.
//
//   set → sealed once → slot, undo, snapshot, plan, row, history: the same data everywhere
//   get ← opened at each access
//
// So no plain value stays in an object, and without a key an object can still be saved, undone and
// merged: only access to the value fails.

extension ManagedObject {
    /// The value that a program sees in place of what a slot holds: a sealed one is opened.
    ///
    /// If that fails the sealed value itself, and the context keeps the error.
    @inline(__always)
    final func opened(_ value: GraphValue, _ slot: Int) -> GraphValue {
        guard case .opaque = value else { return value }
        return openedSlowly(value, slot)
    }

    @inline(never)
    private final func openedSlowly(_ value: GraphValue, _ slot: Int) -> GraphValue {
        guard let sealed = value.sealed else { return value }
        do {
            return try sealed.open()
        } catch {
            owner?.lastFaultError = unreadable(error, slot)
            return value
        }
    }

    /// What a slot holds in place of plain text, numbers and the like: the opened value if it holds
    /// a sealed one, else `nil`.
    ///
    /// For typed getters that have found no value of their type.
    @inline(__always)
    final func opened(at slot: Int) -> GraphValue? {
        guard case .opaque = slots[slot] else { return nil }
        let value = openedSlowly(slots[slot], slot)
        if case .opaque = value { return nil }
        return value
    }

    /// The opened value of a slot.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/valuesLocked`` or
    ///   ``ObjectGraphError/Code/unreadableValue``.
    final func throwingValue(_ sealed: SealedValue, _ slot: Int) throws -> GraphValue {
        do {
            return try sealed.open()
        } catch {
            throw unreadable(error, slot)
        }
    }

    /// Whether the transformer of a slot keeps values sealed.
    final func isSealed(_ slot: Int) -> Bool { sealing(slot) != nil }

    private final func sealing(_ slot: Int) -> (any ValueTransformer, String?)? {
        guard entity.transformableSlots.contains(slot),
            let attribute = entity.slots[slot] as? AttributeDescription,
            let transformer = ValueTransformers.named(attribute.valueTransformerName),
            transformer.keepsValuesSealed
        else { return nil }
        return (transformer, attribute.valueTransformerName)
    }

    /// What to keep in a slot for a value.
    ///
    /// Setting an equal value changes nothing: it keeps the form that the slot or the snapshot has.
    /// - Throws: `ObjectGraphError` if the value cannot be sealed; `nil` neither may take the place
    ///   of a value while that is so.
    final func sealedForm(of value: GraphValue, _ slot: Int) throws -> GraphValue {
        guard value.sealed == nil, let (transformer, name) = sealing(slot) else { return value }
        if isFault { fireFault() }
        do {
            if value.isNull {
                if !slots[slot].isNull { _ = try transformer.data(for: .null) }
                return value
            }
            for known in [slots[slot], changes?.snapshot?[slot]] {
                if let sealed = known?.sealed, let current = try? sealed.open(),
                    current.isIdentical(to: value)
                {
                    return .opaque(sealed)
                }
            }
            return .opaque(SealedValue(try transformer.data(for: value), transformer: name))
        } catch {
            throw ObjectGraphError.unsealable(error, entity.slots[slot], of: entity, [objectID])
        }
    }

    /// The same for code that cannot throw: what cannot be sealed is refused, and a save reports it.
    @inline(never)
    final func sealedOrRefused(_ value: GraphValue, _ slot: Int) -> GraphValue {
        do {
            return try sealedForm(of: value, slot)
        } catch {
            owner?.lastFaultError = error
            let attribute = entity.slots[slot] as? AttributeDescription
            let name = attribute?.valueTransformerName
            return .opaque(SealedValue(refusing: error, transformer: name))
        }
    }

    /// Takes a sealed value of another object as it is, for a migration, which needs no key then.
    ///
    /// - Returns: false if the two attributes are not of one transformer, or if there is no such
    ///   value.
    package final func takeSealedValue(
        forKey key: String,
        of other: ManagedObject,
        forKey otherKey: String
    ) -> Bool {
        guard let slot = entity.slotByName[key], let source = other.entity.slotByName[otherKey],
            let own = entity.slots[slot] as? AttributeDescription,
            let theirs = other.entity.slots[source] as? AttributeDescription,
            own.type == .transformable, theirs.type == .transformable,
            own.valueTransformerName == theirs.valueTransformerName,
            let sealed = other.read(source).sealed
        else { return false }
        write(.opaque(sealed), slot)
        return true
    }

    /// Seals the value of an attribute again, if its stored data want it; returns whether they did.
    ///
    /// - Throws: `ObjectGraphError` if the value cannot be opened or sealed.
    public final func resealValue(
        forKey key: String,
        if isOutdated: (Data) -> Bool
    ) throws -> Bool {
        guard let slot = entity.slotByName[key], let (transformer, name) = sealing(slot),
            let sealed = read(slot).sealed, isOutdated(try sealed.storedData())
        else { return false }
        let value = try throwingValue(sealed, slot)
        do {
            let data = try transformer.data(for: value)
            write(.opaque(SealedValue(data, transformer: name)), slot)
        } catch {
            throw ObjectGraphError.unsealable(error, entity.slots[slot], of: entity, [objectID])
        }
        return true
    }

    private final func unreadable(_ error: any Error, _ slot: Int) -> ObjectGraphError {
        .unreadable(error, entity.slots[slot], of: entity, [objectID])
    }
}
