package import ObjectGraph

/// The objects of the entity Attachment; its properties are in `Attachment+Properties.swift`.
package final class Attachment: ManagedObject {}
