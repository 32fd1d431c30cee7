import ObjectGraph

/// The objects of the entity CategorySeed.
///
/// Their properties are in `CategorySeed+Properties.swift`.
final class CategorySeed: ManagedObject {}
