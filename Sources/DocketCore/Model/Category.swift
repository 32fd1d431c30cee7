package import ObjectGraph

/// The objects of the entity Category; its properties are in `Category+Properties.swift`.
package final class Category: ManagedObject {}
