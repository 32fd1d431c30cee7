public import FoundationEssentials
public import ObjectModel

/// What a store of your own class is opened with.
public struct StoreSetup {
    /// The type under which the class was registered.
    public let type: StoreType
    /// The model; it cannot be changed any more.
    public let model: ManagedObjectModel
    /// The part of the model that the store holds; `nil` = all of it.
    public let configurationName: String?
    /// The place of the store; `nil` for a store without one.
    public let url: URL?
    public let isReadOnly: Bool
    /// The metadata of the store: as they were read from its place, or those of a new store.
    package let metadata: StoreMetadata

    /// The entities that the store can hold, parents included, in the order of their numbers.
    public var entities: [EntityDescription] { model.storedEntities(in: configurationName) }
}
