import ObjectGraph

/// The objects of the entity Photographer.
///
/// Their properties are in `Photographer+Properties.swift`.
final class Photographer: ManagedObject {}
