import ObjectGraph

/// The objects of the entity Canvas.
///
/// Their properties are in `Canvas+Properties.swift`.
final class Canvas: ManagedObject {}
