import ObjectGraph

/// The objects of the entity Thing.
///
/// Their properties are in `Thing+Properties.swift`.
class Thing: ManagedObject {}
