import ObjectGraph

/// The objects of the entity Thing; its properties are in `Thing+Properties.swift`.
class Thing: ManagedObject {}
