import ObjectGraph

/// The objects of the entity ImportMarker.
///
/// Their properties are in `ImportMarker+Properties.swift`.
final class ImportMarker: ManagedObject {}
