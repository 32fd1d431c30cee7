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
    /// The most properties that a class can declare, its ancestors' included.
    static let propertyLimit = Int(UInt8.max)

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
    let narrowAttributes: [(slot: Int, values: PropertyValues)]
    /// What is made for each new object: the model's, but where the class declares it.
    let madeDefaults: [MadeDefault]
    /// The slots of the stored ones of an entity with a uniqueness constraint: a new object that turns
    /// out to be a stored one does not overwrite a value with one that was made.
    let upsertDefaults: [Int]
    /// Those of transient attributes, which no store keeps: made whenever an object is filled.
    private let transientDefaults: [MadeDefault]
    // What is asked for each object; the entity's own would cost a check of exclusive access.
    let hasRelationships: Bool
    let hasTransformables: Bool
    let slotCount: Int
    let defaults: [GraphValue]
    let attributeChecks: [AttributeCheck]
    let compositeSlots: [Int]

    /// With the address of the class's probe, which is never freed, and the slots of the declared
    /// properties by index.
    init(
        _ entity: EntityDescription,
        madeDefaults: [MadeDefault],
        narrowAttributes: [(slot: Int, values: PropertyValues)],
        probe: UnsafeRawPointer? = nil,
        slots: [UInt8] = []
    ) {
        self.entity = entity
        model = entity.model
        hasRelationships = !entity.relationshipList.isEmpty
        hasTransformables = !entity.transformableSlots.isEmpty
        slotCount = entity.slots.count
        defaults = entity.defaults
        attributeChecks = entity.attributeChecks
        compositeSlots = entity.compositeSlots
        self.madeDefaults = madeDefaults
        transientDefaults = madeDefaults.filter(\.attribute.isTransient)
        upsertDefaults = ObjectLayout.upsertDefaults(entity, madeDefaults)
        self.narrowAttributes = narrowAttributes
        self.probe = probe
        self.slots = slots
    }

    /// The layout of plain objects of an entity, which are to hold what those of another layout can.
    convenience init(plain other: ObjectLayout) {
        self.init(
            other.entity,
            madeDefaults: other.madeDefaults,
            narrowAttributes: other.narrowAttributes
        )
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
