import ObjectGraph

/// The objects of the entity Part.
///
/// Their properties are in `Component+Properties.swift`.
final class Component: Thing {
    // Properties of the model, written by modelgen.
    // End of the properties of the model.

    override class var entityName: String { "Part" }
}
