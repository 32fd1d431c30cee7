import ObjectGraph

/// The objects of the entity Movie.
///
/// Their properties are in `Movie+Properties.swift`.
final class Movie: ManagedObject {}
