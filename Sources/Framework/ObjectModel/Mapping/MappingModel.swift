public import FoundationEssentials

/// How the objects of one version of a model become those of another.
///
/// A mapping model is inferred from two models, built in code, or read from a file (``data()``):
///
///     var mapping = try MappingModel.inferred(from: old, to: new)
///     mapping["CircleToEllipse"]?.policyName = "CirclePolicy"
///
/// An inferred mapping that was not changed is carried out inside the SQLite file. Any other needs a
/// `MigrationManager`, which makes a new store from the old one.
public struct MappingModel: Hashable {
    /// One entry for each entity whose objects are made, copied or left out, in the order in which
    /// the migration works on them.
    public var entityMappings: [EntityMapping]

    public init(_ entityMappings: [EntityMapping] = []) { self.entityMappings = entityMappings }

    /// The mapping of a name; setting `nil` removes it, setting another one adds it at the end.
    public subscript(name: String) -> EntityMapping? {
        get { entityMappings.first { $0.name == name } }
        set {
            let place = entityMappings.firstIndex { $0.name == name }
            switch (place, newValue) {
            case (let place?, let mapping?): entityMappings[place] = mapping
            case (let place?, nil): entityMappings.remove(at: place)
            case (nil, let mapping?): entityMappings.append(mapping)
            case (nil, nil): break
            }
        }
    }
}

/// How the objects of one entity become objects of another.
public struct EntityMapping: Hashable {
    /// What happens to the objects, with Core Data's numbers.
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// As ``transform``: what happens is left to the policy.
        case undefined = 0
        /// The policy decides; see `EntityMigrationPolicy`.
        case custom = 1
        /// The entity is new and has no objects yet.
        case add = 2
        /// The objects are left out.
        case remove = 3
        /// The entity has not changed.
        case copy = 4
        /// Each object becomes one of the destination entity, by the property mappings.
        case transform = 5
    }

    /// A name of its own among the mappings of a model, by which others refer to it.
    public var name: String
    public var kind: Kind
    /// `nil` for ``Kind/add``.
    public var sourceEntityName: String?
    /// `nil` for ``Kind/remove``.
    public var destinationEntityName: String?
    /// The version hash that the source entity must have; `nil` for any.
    public var sourceVersionHash: Data?
    /// The version hash that the destination entity must have; `nil` for any.
    public var destinationVersionHash: Data?
    /// Which source objects there are; `nil` for all of exactly the source entity.
    ///
    /// The expression gives objects, or a request for them, which is read in batches:
    ///
    ///     FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Person", "age > 17")
    public var sourceExpression: FetchExpression?
    /// How the attributes of the new object get their values; others keep their default values.
    public var attributeMappings: [PropertyMapping]
    /// How the relationships of the new object are connected.
    public var relationshipMappings: [PropertyMapping]
    /// The registered name of the policy that does the work; `nil` for the usual one.
    public var policyName: String?
    public var userInfo: [String: String] = [:]

    public init(
        _ name: String,
        _ kind: Kind,
        from sourceEntityName: String? = nil,
        to destinationEntityName: String? = nil,
        attributes: [PropertyMapping] = [],
        relationships: [PropertyMapping] = [],
        policy: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.sourceEntityName = sourceEntityName
        self.destinationEntityName = destinationEntityName
        attributeMappings = attributes
        relationshipMappings = relationships
        policyName = policy
    }
}

/// How one property of a new object gets its value.
public struct PropertyMapping: Hashable {
    /// The property of the destination entity.
    public var name: String
    /// The value; `nil` leaves the property to the policy.
    ///
    /// It may use the variables `$source`, `$destination`, `$manager`, `$entityMapping`,
    /// `$entityPolicy` and `$context` (the destination context), and all functions of predicates:
    /// `$source.firstName`, `$source.width / 2`. A relationship takes destination objects, such as
    ///
    ///     FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
    ///         "author", $source.author)
    public var valueExpression: FetchExpression?
    public var userInfo: [String: String] = [:]

    public init(_ name: String, _ valueExpression: FetchExpression?) {
        self.name = name
        self.valueExpression = valueExpression
    }

    /// A mapping with an expression in text form.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidFormat``.
    public init(_ name: String, format: String) throws {
        self.init(name, try FetchExpression(format: format, argumentArray: []))
    }
}

// Safety: immutable; constants in expressions are values that do not change.
extension MappingModel: @unchecked Sendable {}
