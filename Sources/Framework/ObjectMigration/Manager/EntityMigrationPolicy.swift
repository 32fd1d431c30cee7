public import ObjectContext
public import ObjectModel
import Synchronization

/// How an entity mapping makes its objects; subclass it for what expressions cannot say.
///
///     final class CirclePolicy: EntityMigrationPolicy {
///         override func createDestinationInstances(
///             for circle: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
///         ) throws {
///             let ellipse = try manager.destinationContext.insert(entityNamed: "Ellipse")
///             let radius = try circle.value(forKey: "radius")
///             try ellipse.setValue(radius, forKey: "width")
///             try ellipse.setValue(radius, forKey: "height")
///             try manager.associate(circle, with: ellipse, for: mapping)
///         }
///     }
///     MigrationPolicies.register("CirclePolicy") { CirclePolicy() }
///
/// The manager makes one policy for each mapping, and calls in this order: ``begin(_:manager:)``,
/// ``createDestinationInstances(for:in:manager:)`` for each source object,
/// ``endInstanceCreation(for:manager:)``; when all mappings are there,
/// ``createRelationships(for:in:manager:)`` for each new object,
/// ``endRelationshipCreation(for:manager:)``; then ``performCustomValidation(for:manager:)`` and
/// ``end(_:manager:)``. Objects are saved in between: do not keep them, keep their IDs.
open class EntityMigrationPolicy: KeyValueCoding {
    public init() {}

    /// Called before the first object of the mapping.
    open func begin(_ mapping: EntityMapping, manager: MigrationManager) throws {}

    /// Makes the destination objects for one source object, without relationships, and associates
    /// them with it.
    ///
    /// The usual policy makes one object with the values of the attribute mappings. One that makes
    /// none leaves the source object out.
    open func createDestinationInstances(
        for source: ManagedObject,
        in mapping: EntityMapping,
        manager: MigrationManager
    ) throws {
        guard let name = mapping.destinationEntityName else { return }
        let object = try manager.destinationContext.insert(entityNamed: name)
        try manager.setAttributes(of: object, from: source, policy: self)
        try manager.associate(source, with: object, for: mapping)
    }

    /// Called when every source object of the mapping had its turn.
    open func endInstanceCreation(for mapping: EntityMapping, manager: MigrationManager) throws {}

    /// Connects one new object with others, by the relationship mappings.
    open func createRelationships(
        for destination: ManagedObject,
        in mapping: EntityMapping,
        manager: MigrationManager
    ) throws {
        let source = try manager.sourceInstances(
            forEntityMapping: mapping.name,
            destinationInstances: [destination]
        ).first
        try manager.setRelationships(of: destination, from: source, policy: self)
    }

    /// Called when every object of the mapping is connected.
    open func endRelationshipCreation(for mapping: EntityMapping, manager: MigrationManager) throws
    {}

    /// Checks the new objects of the mapping beyond the rules of the model, which are checked next.
    open func performCustomValidation(for mapping: EntityMapping, manager: MigrationManager) throws
    {
    }

    /// Called at the end, for what the mapping has to tidy up.
    open func end(_ mapping: EntityMapping, manager: MigrationManager) throws {}

    /// The value of a key of `$entityPolicy` in an expression; a subclass can answer.
    open func value(forKey key: String) throws -> GraphValue { try value(forUndefinedKey: key) }

    open func setValue(_ value: GraphValue, forKey key: String) throws {
        try setValue(value, forUndefinedKey: key)
    }
}

/// The policies of the program, by the names that mappings use.
public enum MigrationPolicies {
    private static let makers = Mutex<[String: @Sendable () -> EntityMigrationPolicy]>([:])

    /// Registers a policy; a second registration under the name replaces the first.
    public static func register(
        _ name: String,
        _ make: @escaping @Sendable () -> EntityMigrationPolicy
    ) {
        makers.withLock { $0[name] = make }
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/migrationPolicy`` if the
    ///   mapping names a policy that is not registered.
    static func policy(of mapping: EntityMapping) throws -> EntityMigrationPolicy {
        guard let name = mapping.policyName else { return EntityMigrationPolicy() }
        if let make = makers.withLock({ $0[name] }) { return make() }
        throw ObjectGraphError(
            .migrationPolicy,
            "The mapping \(mapping.name) names the policy \(name), which is not registered.",
            recovery: "Register it with MigrationPolicies before the store is opened."
        )
    }
}
