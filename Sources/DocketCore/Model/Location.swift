package import ObjectGraph

/// The objects of the entity Location; its properties are in `Location+Properties.swift`.
package final class Location: ManagedObject {}
