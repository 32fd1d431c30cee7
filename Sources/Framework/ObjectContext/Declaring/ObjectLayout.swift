import ObjectModel
import ObjectStore

/// Where the objects of an entity keep what their class declares: the entity's slot of each
/// declared property.
///
/// A wrapper finds its slot by its own address: the probe of the class has, at the same offset, the
/// index of the property.
///
/// Safety: immutable.
final class ObjectLayout: @unchecked Sendable {
    let entity: EntityDescription
    /// Descriptions do not hold each other; so an object keeps the whole model.
    private let model: ManagedObjectModel?
    /// The address of the class's probe.
    ///
    /// Safety: never freed, and nothing is written there.
    private let probe: UnsafeRawPointer?
    /// Slots by index; `.max` for a property that the entity does not have.
    private let slots: [UInt8]
    /// The declared attributes whose Swift type cannot hold all that the attribute takes.
    let narrowAttributes: [(slot: Int, values: PropertyType.Values)]
    /// What is made for each new object: the model's, but where the class declares it.
    let madeDefaults: [MadeDefault]
    /// The slots of the stored ones of an entity with a uniqueness constraint: a new object that turns
    /// out to be a stored one does not overwrite a value with one that was made.
    let upsertDefaults: [Int]
    /// Those of transient attributes, which no store keeps: made whenever an object is filled.
    private let transientDefaults: [MadeDefault]

    /// The layout of an entity's objects of a class.
    init(_ entity: EntityDescription, _ declaration: ClassDeclaration?) {
        self.entity = entity
        model = entity.model
        madeDefaults = ObjectLayout.madeDefaults(entity, declaration)
        transientDefaults = madeDefaults.filter(\.attribute.isTransient)
        upsertDefaults = ObjectLayout.upsertDefaults(entity, madeDefaults)
        // Safety: the address alone; the list of declarations holds the probe for ever.
        probe = declaration.map { UnsafeRawPointer(Unmanaged.passUnretained($0.probe).toOpaque()) }
        slots = (declaration?.properties ?? []).map { property in
            UInt8(clamping: entity.slotByName[property.name] ?? Int(UInt8.max))
        }
        narrowAttributes = (declaration?.properties ?? []).compactMap { property in
            guard let attribute = entity.property(named: property.name) as? AttributeDescription,
                !attribute.isDerived, let values = property.type.values,
                values.isNarrower(than: attribute)
            else { return nil }
            return (attribute.slot, values)
        }
    }

    /// The layout of plain objects of an entity, which are to hold what those of another layout can.
    init(plain other: ObjectLayout) {
        entity = other.entity
        model = other.model
        madeDefaults = other.madeDefaults
        transientDefaults = other.transientDefaults
        upsertDefaults = other.upsertDefaults
        probe = nil
        slots = []
        narrowAttributes = other.narrowAttributes
    }

    private static func madeDefaults(
        _ entity: EntityDescription,
        _ declaration: ClassDeclaration?
    ) -> [MadeDefault] {
        // Kept in structures: a function that passes through a generic container gains a call.
        var own: [String: InheritedDefault] = [:]
        var ancestors: [ClassDeclaration] = []
        var current = declaration
        while let here = current {
            ancestors.append(here)
            current = here.parent
        }
        for ancestor in ancestors.reversed() {
            for property in ancestor.ownProperties {
                own[property.name] = InheritedDefault(.null, make: property.options.makeDefault)
            }
            own.merge(ancestor.inheritedDefaults.filter { $0.value.make != nil }) { $1 }
        }
        var made = entity.madeDefaults.filter { own[$0.attribute.name]?.make == nil }
        for attribute in entity.attributes {
            if let make = own[attribute.name]?.make { made.append(MadeDefault(attribute, make)) }
        }
        return made
    }

    private static func upsertDefaults(
        _ entity: EntityDescription,
        _ madeDefaults: [MadeDefault]
    ) -> [Int] {
        if UniquenessConstraint.all(of: entity).isEmpty { return [] }
        return madeDefaults.filter { !$0.attribute.isTransient }
            .flatMap(\.attribute.leaves)
            .map(\.slot)
            .filter { entity.defaults[$0].isNull }
    }

    /// Sets what is made for each object.
    @inline(__always)
    func makeDefaults(in slots: UnsafeMutablePointer<GraphValue>, onlyTransient: Bool) {
        let defaults = onlyTransient ? transientDefaults : madeDefaults
        if !defaults.isEmpty { MadeDefault.fill(slots, defaults) }
    }

    /// The slot of the property whose wrapper lies at an offset from its object.
    func slot(at offset: Int) -> UInt8 {
        guard let probe else { return .max }
        let index = Int(probe.load(fromByteOffset: offset, as: UInt8.self))
        return index < slots.count ? slots[index] : .max
    }
}

extension ManagedObject {
    /// Keeps what was made for a new object.
    @inline(never)
    final func noteMadeDefaults() {
        let changes = ObjectChanges(count: slotCount)
        self.changes = changes
        changes.made = layout.upsertDefaults.map { ($0, slots[$0]) }
    }

    /// Whether an attribute of a new object has a value, and another one than its default.
    final func hasOwnValue(at slot: Int) -> Bool {
        let value = read(slot)
        let made = changes?.made.first { $0.slot == slot }?.value
        return !value.isNull && !value.isIdentical(to: made ?? entity.defaults[slot])
    }

    /// The slot of the property whose wrapper has an address, which keeps it from now on.
    ///
    /// Traps for an object whose class was not given to its container.
    @usableFromInline
    final func findSlot(_ wrapper: UnsafeMutableRawPointer) -> UInt8 {
        // Safety: addresses alone; nothing is read through them.
        let offset =
            UnsafeRawPointer(wrapper)
            - UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        let slot = layout.slot(at: offset)
        if slot == .max { trapForClass() }
        wrapper.storeBytes(of: slot, as: UInt8.self)
        return slot
    }

    @inline(never)
    private final func trapForClass() -> Never {
        Misuse.trap("\(type(of: self)) is not the class of \(entity.name)")
    }
}
