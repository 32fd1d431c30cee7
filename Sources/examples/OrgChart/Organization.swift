import ObjectGraph

/// The objects of the entity Organization.
///
/// Their properties are in `Organization+Properties.swift`.
final class Organization: ManagedObject {}
