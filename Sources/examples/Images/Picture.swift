import ObjectGraph

/// The objects of the entity Picture.
///
/// Their properties are in `Picture+Properties.swift`.
final class Picture: ManagedObject {}
