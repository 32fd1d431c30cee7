import ObjectGraph

/// The objects of the entity Person.
///
/// Their properties are in `Person+Properties.swift`.
final class Person: ManagedObject {}
