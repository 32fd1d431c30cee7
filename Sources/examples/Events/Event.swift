import ObjectGraph

/// The objects of the entity Event.
///
/// Their properties are in `Event+Properties.swift`.
final class Event: ManagedObject {}
