import ObjectGraph

/// The objects of the entity Thing.
///
/// Their properties are in `Thing+Properties.swift`.
class Thing: ManagedObject {
    // Properties of the model, written by modelgen.
    // End of the properties of the model.
}
