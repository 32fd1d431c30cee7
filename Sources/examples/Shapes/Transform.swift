import ObjectGraph

/// The objects of the entity Transform.
///
/// Their properties are in `Transform+Properties.swift`.
final class Transform: ManagedObject {}
