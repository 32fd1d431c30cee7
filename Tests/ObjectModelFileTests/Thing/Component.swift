import ObjectGraph

/// The objects of the entity Part.
///
/// Their properties are in `Component+Properties.swift`.
final class Component: Thing {
    override class var entityName: String { "Part" }
}
