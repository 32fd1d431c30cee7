import ObjectGraph

/// The objects of the entity Reading.
///
/// Their properties are in `Reading+Properties.swift`.
final class Reading: ManagedObject {}
