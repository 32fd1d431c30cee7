public import FoundationEssentials
public import ObjectModel

/// The base class of stores that fetch objects on demand: from a server, a folder of files, another
/// library.
///
/// The framework asks for three things: which objects meet a request, the values of one object when
/// its fault fires, and the destinations of one relationship. What was read is cached until it is
/// refreshed. A store that can be written also takes the changes of a save.
///
///     final class FolderStore: IncrementalStore {
///         override var type: StoreType { StoreType(rawValue: "Folder") }
///         override func loadMetadata() throws { metadata = … }
///         override func execute(_ request: StoreFetchRequest) throws -> StoreFetchResult {
///             .candidates(try files().map { objectID(for: request.entity, withReferenceObject: .text($0)) })
///         }
///         override func newValues(for id: ManagedObjectID) throws -> IncrementalStoreNode? { … }
///     }
///
/// Calls come one at a time. An error that a method throws reaches the caller of the fetch, of the
/// fault or of the save, and nothing has changed then.
open class IncrementalStore {
    /// The model; it cannot be changed any more.
    public let model: ManagedObjectModel
    /// The part of the model that the store holds; `nil` = all of it.
    public let configurationName: String?
    public let url: URL?
    public let isReadOnly: Bool
    /// The entities that the store can hold, parents included.
    public let entities: [EntityDescription]

    /// The store's metadata, type and identifier among them.
    ///
    /// Set by ``loadMetadata()``.
    public var metadata: StoreMetadata
    /// The meaning of the store's object IDs, once the metadata are loaded.
    var space: IDSpace?
    private var lastReferenceNumber: Int64 = 0

    /// Prepares a store; ``loadMetadata()`` follows.
    public required init(_ setup: StoreSetup) {
        model = setup.model
        configurationName = setup.configurationName
        url = setup.url
        isReadOnly = setup.isReadOnly
        entities = setup.entities
        metadata = setup.metadata
    }

    // MARK: For subclasses to override

    /// The type of the store; it must be the one under which the class is registered.
    ///
    /// By default it is the name of the class.
    open var type: StoreType { StoreType(rawValue: "\(Self.self)") }

    /// Whether stores of this type can be written; true by default.
    ///
    /// A class that does not override `execute(_: StoreSaveRequest)` returns false, so that a refused
    /// save does not advise to open the store for writing.
    open class var canBeWritten: Bool { true }

    /// Reads the metadata of a store without opening it and without a model.
    open class func metadata(ofStoreAt url: URL) throws -> StoreMetadata {
        throw ObjectGraphError(
            .unsupported,
            "\(Self.self) does not read metadata.",
            recovery: "Override metadata(ofStoreAt:)."
        )
    }

    /// Sets ``metadata``: the store's identifier (`NSStoreUUID`, a text), which makes object IDs stay
    /// the same from one opening to the next, and its type (`NSStoreType`).
    ///
    /// The present value is that of a new store, with another identifier at each opening; a store
    /// whose objects do not outlive the process can leave it as it is. If the metadata have version
    /// hashes of the model, they are checked.
    open func loadMetadata() throws {}

    /// Which objects meet a request; without reading their values if that can be avoided.
    ///
    /// A request for an entity is also one for its subentities if
    /// ``StoreFetchRequest/includesSubentities`` is set: the store must include their objects then.
    open func execute(_ request: StoreFetchRequest) throws -> StoreFetchResult {
        throw ObjectGraphError(
            .unsupported,
            "\(Self.self) does not answer requests.",
            recovery: "Override execute(_: StoreFetchRequest)."
        )
    }

    /// Writes the changes of a save, all or none.
    ///
    /// ``metadata`` that a program has set are written too; if nothing else was changed, the request
    /// is empty.
    ///
    /// New objects have their permanent IDs. An object that somebody else has changed meanwhile is
    /// refused by an error with code ``ObjectGraphError/Code/mergeConflict`` and the IDs of all such
    /// objects; the context then applies its merge policy.
    open func execute(_ request: StoreSaveRequest) throws {
        throw ObjectGraphError(
            .cannotWrite,
            "A store of the type \(type.rawValue) cannot be written.",
            recovery: "Open it for reading only."
        )
    }

    /// The values of an object, when its fault fires; `nil` if it does not exist (any more).
    ///
    /// Attributes that the node leaves out are `nil`. A to-one relationship that it leaves out costs
    /// one call of ``newValue(forRelationship:of:)`` now; to-many relationships are asked for at
    /// their first access.
    open func newValues(for id: ManagedObjectID) throws -> IncrementalStoreNode? { nil }

    /// The values of several objects; by default one call of ``newValues(for:)-(ManagedObjectID)`` for each.
    ///
    /// Called only if ``readsInBatches`` is set, or if a request has to be evaluated in memory.
    /// Objects that do not exist are left out.
    open func newValues(for ids: [ManagedObjectID]) throws -> [IncrementalStoreNode] {
        try ids.compactMap { try newValues(for: $0) }
    }

    /// Whether firing the fault of one object that was fetched with others reads all of them.
    ///
    /// False by default: each fault reads its own object. True is right where one query for many
    /// objects costs little more than for one.
    open var readsInBatches: Bool { false }

    /// The destinations of a relationship: one at most for a to-one relationship, and in order if it
    /// is ordered.
    ///
    /// The answer is kept until the object is refreshed.
    open func newValue(
        forRelationship relationship: RelationshipDescription,
        of id: ManagedObjectID
    ) throws -> [ManagedObjectID] { [] }

    /// What the store calls a new object, before it is saved; by default a number.
    ///
    /// It must be unique in the entity's hierarchy. If a program asks for a permanent ID before the
    /// save, `object` has only default values.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/saveFailed`` if there is no
    ///   larger number.
    open func newReferenceObject(for object: StoreObject) throws -> ReferenceObject {
        guard lastReferenceNumber < .max else { throw ObjectGraphError.noKeysLeft(object.entity) }
        lastReferenceNumber += 1
        return .number(lastReferenceNumber)
    }

    /// A number above which ``newReferenceObject(for:)`` goes on; a store with saved numbers sets it.
    public func noteReferenceNumber(_ number: Int64) {
        lastReferenceNumber = max(lastReferenceNumber, number)
    }

    /// Objects of the store are now in use by a context; a store may keep what it knows of them.
    ///
    /// One call for each context. Counted, because several contexts can use one object.
    open func contextDidRegister(_ ids: [ManagedObjectID]) {}

    /// A context does not use the objects any more.
    open func contextDidUnregister(_ ids: [ManagedObjectID]) {}

    /// Called when the store is closed.
    open func willClose() {}
}

// MARK: What a subclass works with

extension IncrementalStore {
    /// The identity of an object by what the store calls it.
    ///
    /// The same reference object leads to the same ID, also after the store was closed and opened.
    /// Its URI ends with `p` and the reference: `p42`, `pnotes.md`.
    ///
    /// - Parameters:
    ///   - entity: the concrete entity of the object.
    ///   - reference: unique in the hierarchy of the entity.
    /// - Returns: a permanent ID.
    public func objectID(
        for entity: EntityDescription,
        withReferenceObject reference: ReferenceObject
    ) -> ManagedObjectID {
        guard let space else {
            preconditionFailure("object IDs exist once loadMetadata() has set the identifier")
        }
        return space.id(entity.number, reference)
    }

    /// What the store calls an object.
    public func referenceObject(for id: ManagedObjectID) -> ReferenceObject {
        space?.reference(id) ?? .number(id.key)
    }

    /// The entity of an object.
    public func entity(of id: ManagedObjectID) -> EntityDescription? {
        model.entity(named: id.entityName)
    }
}
