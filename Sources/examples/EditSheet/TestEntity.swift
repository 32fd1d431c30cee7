import ObjectGraph

/// The objects of the entity TestEntity.
///
/// Their properties are in `TestEntity+Properties.swift`.
final class TestEntity: ManagedObject {}
