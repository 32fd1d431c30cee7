import ObjectGraph

/// The objects of the entity LaunchCounter.
///
/// Their properties are in `LaunchCounter+Properties.swift`.
final class LaunchCounter: ManagedObject {}
