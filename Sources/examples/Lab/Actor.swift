import ObjectGraph

/// The objects of the entity Actor.
///
/// Their properties are in `Actor+Properties.swift`.
final class Actor: ManagedObject {}
