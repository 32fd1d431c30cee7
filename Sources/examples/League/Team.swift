import ObjectGraph

/// The objects of the entity Team.
///
/// Their properties are in `Team+Properties.swift`.
final class Team: ManagedObject {}
