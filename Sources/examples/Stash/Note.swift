import ObjectGraph

/// The objects of the entity Note.
///
/// Their properties are in `Note+Properties.swift`.
final class Note: ManagedObject {}
