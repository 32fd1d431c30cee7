package import ObjectGraph

/// The objects of the entity Credential; its properties are in `Credential+Properties.swift`.
package final class Credential: ManagedObject {}
