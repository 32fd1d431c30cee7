import ObjectGraph

/// The objects of the entity Category.
///
/// Their properties are in `Category+Properties.swift`.
final class Category: ManagedObject {}
