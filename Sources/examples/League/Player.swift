import ObjectGraph

/// The objects of the entity Player.
///
/// Their properties are in `Player+Properties.swift`.
final class Player: ManagedObject {}
