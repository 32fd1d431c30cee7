package import ObjectGraph

/// The objects of the entity Tag; its properties are in `Tag+Properties.swift`.
package final class Tag: ManagedObject {}
