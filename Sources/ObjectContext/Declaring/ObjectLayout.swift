import ObjectModel

/// Where the objects of an entity keep what their class declares: the entity's slot of each
/// declared property.
///
/// A wrapper finds its slot by its own address: the probe of the class has, at the same offset, the
/// index of the property.
final class ObjectLayout: @unchecked Sendable {
    let entity: EntityDescription
    /// Descriptions do not hold each other; so an object keeps the whole model.
    private let model: ManagedObjectModel?
    /// The address of the class's probe, which is never freed.
    private let probe: UnsafeRawPointer?
    /// Slots by index; `.max` for a property that the entity does not have.
    private let slots: [UInt8]
    /// The declared attributes whose Swift type cannot hold all that the attribute takes.
    let narrowAttributes: [(slot: Int, values: PropertyType.Values)]

    /// The layout of an entity's objects of a class.
    init(_ entity: EntityDescription, _ declaration: ClassDeclaration?) {
        self.entity = entity
        model = entity.model
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

    /// The slot of the property whose wrapper lies at an offset from its object.
    func slot(at offset: Int) -> UInt8 {
        guard let probe else { return .max }
        let index = Int(probe.load(fromByteOffset: offset, as: UInt8.self))
        return index < slots.count ? slots[index] : .max
    }
}

extension ManagedObject {
    /// The slot of the property whose wrapper has an address, which keeps it from now on.
    ///
    /// Traps for an object whose class was not given to its container.
    @usableFromInline
    final func findSlot(_ wrapper: UnsafeMutableRawPointer) -> UInt8 {
        // Addresses alone: nothing is read through them.
        let offset =
            UnsafeRawPointer(wrapper)
            - UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        let slot = layout.slot(at: offset)
        Misuse.trap(
            unless: slot != .max,
            "\(type(of: self)) is not the class of \(entity.name)"
        )
        wrapper.storeBytes(of: slot, as: UInt8.self)
        return slot
    }
}
