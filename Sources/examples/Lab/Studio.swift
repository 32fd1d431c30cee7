import ObjectGraph

/// The objects of the entity Studio.
///
/// Their properties are in `Studio+Properties.swift`.
final class Studio: ManagedObject {}
