import ObjectGraph

/// The objects of the entity FavouriteThing.
///
/// Their properties are in `FavouriteThing+Properties.swift`.
final class FavouriteThing: ManagedObject {}
