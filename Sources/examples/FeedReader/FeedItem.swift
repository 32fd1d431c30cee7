import ObjectGraph

/// The objects of the entity FeedItem.
///
/// Their properties are in `FeedItem+Properties.swift`.
final class FeedItem: ManagedObject {}
