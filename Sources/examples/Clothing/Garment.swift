import ObjectGraph

/// The objects of the entity Garment.
///
/// Their properties are in `Garment+Properties.swift`.
final class Garment: ManagedObject {}
