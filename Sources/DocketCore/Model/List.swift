package import ObjectGraph

/// The objects of the entity List; its properties are in `List+Properties.swift`.
package final class List: ManagedObject {}
