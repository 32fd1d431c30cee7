public import FoundationEssentials
public import ObjectModel

/// The base class of stores that hold all objects in memory and read and write a file as a whole.
///
/// A subclass reads its format in ``load()`` and writes it in ``save()``. Requests, relationships,
/// uniqueness, undo and conflicts are the framework's work and the same as in every other store.
/// History is kept while the store is open.
///
///     final class NotesStore: AtomicStore {
///         override class func metadata(ofStoreAt url: URL) throws -> StoreMetadata { … }
///         override var type: StoreType { StoreType(rawValue: "Notes") }
///         override func load() throws {
///             guard let file = try contents(of: location) else { return }
///             // For each object: objectID(for:withReferenceObject:), a node, addCacheNodes(_:).
///         }
///         override func save() throws { try replaceContents(of: location, with: bytes()) }
///     }
///     try PersistentStoreCoordinator.register(NotesStore.self, as: StoreType(rawValue: "Notes"))
///
/// The metadata have the archive of the model, by which the store is migrated when it is opened with
/// another version. Then a new instance with the new model gets all objects by
/// ``newCacheNode(for:)`` and ``save()`` writes them, without ``load()``; ``metadata`` are those of
/// the new version. The same is done for a backup, at another place.
///
/// Calls come one at a time. A call that throws refuses the opening or the save; the objects in
/// memory are then as they were before.
open class AtomicStore {
    /// The model; it cannot be changed any more.
    public let model: ManagedObjectModel
    /// The part of the model that the store holds; `nil` = all of it.
    public let configurationName: String?
    /// The place of the store.
    public let url: URL?
    public let isReadOnly: Bool
    /// The entities that the store can hold, parents included.
    public let entities: [EntityDescription]

    /// The metadata: those of the store's place, or of a new store.
    ///
    /// ``save()`` writes them. Type, identifier and version hashes must come back as they are here.
    public internal(set) var metadata: StoreMetadata

    /// The number that the next new object gets from ``newReferenceObject(for:)``.
    ///
    /// It is above all numbers of the loaded objects. A format may keep it, and set it in ``load()``,
    /// so that the number of a deleted object is not given again.
    public var nextReferenceNumber: Int64 = 1

    /// Whether nodes are kept between calls.
    ///
    /// The framework's own stores make them when they are
    /// needed, because their nodes hold nothing but the values of the rows.
    package final var keepsNodes = true
    package internal(set) var nodes: [ManagedObjectID: AtomicStoreCacheNode] = [:]
    /// The nodes that were added, in this order, until the engine has them.
    var loadedNodes: [AtomicStoreCacheNode] = []
    /// The engine that answers requests; `nil` until everything is loaded.
    weak var engine: InMemoryStore?
    let space: IDSpace
    var files: [URL: StoreDataFile] = [:]
    /// Whether a file that was not read is replaced.
    var overwrites = false

    /// Prepares a store; ``load()`` follows.
    public required init(_ setup: StoreSetup) {
        model = setup.model
        configurationName = setup.configurationName
        url = setup.url
        isReadOnly = setup.isReadOnly
        entities = setup.entities
        metadata = setup.metadata
        space = IDSpace.space(
            for: setup.metadata.storeIdentifier ?? UUID(),
            entityNames: setup.model.entityNames
        )
        space.useReferences()
    }

    // MARK: For subclasses to override

    /// The type of the store; it must be the one under which the class is registered.
    ///
    /// By default it is the name of the class.
    open var type: StoreType { StoreType(rawValue: "\(Self.self)") }

    /// Reads the metadata of a store without opening it and without a model.
    ///
    /// A store that is opened is not asked if nothing is at its place, or an empty file.
    ///
    /// - Throws: `ObjectGraphError` if the place holds no such store.
    open class func metadata(ofStoreAt url: URL) throws -> StoreMetadata {
        throw ObjectGraphError(
            .unsupported,
            "\(Self.self) does not read metadata.",
            recovery: "Override metadata(ofStoreAt:)."
        )
    }

    /// The model of a store as far as its file shows it, for looking at a store without its model.
    ///
    /// The store can be opened with it. By default there is none.
    ///
    /// - Returns: a model that is not frozen; `nil` if the file shows nothing.
    /// - Throws: `ObjectGraphError` if the place holds no such store.
    open class func deducedModel(ofStoreAt url: URL) throws -> ManagedObjectModel? { nil }

    /// Refuses a model that the format cannot hold; called before ``load()``.
    ///
    /// - Throws: `ObjectGraphError`.
    open func checkModel() throws {}

    /// Reads the file, and adds a node for each object; nothing for a new store.
    ///
    /// - Throws: `ObjectGraphError`; the store is not opened then.
    open func load() throws {
        throw ObjectGraphError(
            .unsupported,
            "\(Self.self) does not read its file.",
            recovery: "Override load()."
        )
    }

    /// Writes all nodes and the metadata; called once for a new store, and by each save.
    ///
    /// ``replaceContents(of:with:)`` replaces a file in one step.
    ///
    /// - Throws: `ObjectGraphError`; the save is refused then. The file must be as it was.
    open func save() throws {
        throw ObjectGraphError(
            .unsupported,
            "\(Self.self) does not write its file.",
            recovery: "Override save()."
        )
    }

    /// The node for a new object; by default it has the object's values.
    open func newCacheNode(for object: StoreObject) throws -> AtomicStoreCacheNode {
        AtomicStoreCacheNode(object.objectID, object.entity, object.values)
    }

    /// Brings a node up to date with its changed object; by default it takes the object's values.
    ///
    /// It must not change the node itself in any other way: the values are those that requests see.
    open func updateCacheNode(_ node: AtomicStoreCacheNode, from object: StoreObject) throws {
        node.values = object.values
    }

    /// Called before the nodes of deleted objects are removed.
    open func willRemoveCacheNodes(_ nodes: Set<AtomicStoreCacheNode>) throws {}

    /// What the store calls a new object; by default the next number.
    ///
    /// It must be unique in the entity's hierarchy, and stay the same from then on. A program may
    /// ask for the permanent ID of an object before it is saved; then `object` has only default
    /// values.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/saveFailed`` if the numbers are
    ///   used up.
    open func newReferenceObject(for object: StoreObject) throws -> ReferenceObject {
        guard nextReferenceNumber < .max else { throw ObjectGraphError.noKeysLeft(object.entity) }
        defer { nextReferenceNumber += 1 }
        return .number(nextReferenceNumber)
    }

    /// Whether a number is the reference object of one object at most, of whatever entity.
    ///
    /// By default it is so within a hierarchy of entities only, and objects of a store that becomes
    /// one of this type keep their numbers.
    open class var hasStoreWideNumbers: Bool { false }

    /// Called when the store is closed.
    open func willClose() {}
}
