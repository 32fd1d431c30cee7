import ObjectGraph

/// The objects of the entity Vertex.
///
/// Their properties are in `Vertex+Properties.swift`.
final class Vertex: ManagedObject {}
