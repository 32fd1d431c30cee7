package import ObjectGraph

/// The objects of the entity Item; its properties are in `Item+Properties.swift`.
package class Item: ManagedObject {}
