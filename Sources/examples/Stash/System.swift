import ObjectGraph

/// The objects of the entity System.
///
/// Their properties are in `System+Properties.swift`.
final class System: ManagedObject {}
