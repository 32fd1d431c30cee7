package import FoundationEssentials
import Glibc
package import ObjectModel
import Synchronization

/// Opens stores of the subclasses of ``AtomicStore``.
package enum AtomicStoreOpening {
    /// Opens a store, or creates it if there is nothing at its place.
    ///
    /// - Parameters:
    ///   - storeClass: the class of the store.
    ///   - type: under which the class is registered.
    ///   - url: the place of the store.
    ///   - model: the model; it cannot be changed any more.
    ///   - configuration: the part of the model that the store holds; `nil` = all of it.
    ///   - isReadOnly: whether it is never written.
    ///   - newIdentifier: of a store that is created; `nil` for a new one.
    ///   - readableBy: what can read a store that is created, for messages of what cannot.
    ///   - ignoresVersions: whether the model may be another one than that of the store.
    /// - Returns: the open store, and the engine that works for it.
    /// - Throws: `ObjectGraphError`, as `PersistentStoreCoordinator.addStore(_:)` lists them.
    package static func open(
        _ storeClass: AtomicStore.Type,
        as type: StoreType,
        url: URL,
        model: ManagedObjectModel,
        configuration: String?,
        isReadOnly: Bool,
        newIdentifier: UUID? = nil,
        readableBy: String? = nil,
        ignoresVersions: Bool = false
    ) throws -> (store: AtomicStore, engine: InMemoryStore) {
        try model.freeze()
        try model.checkConfiguration(configuration)
        try model.checkTransformers(configuration)
        let check = StoreCheck(url, model, configuration)
        var attempt = 1
        while true {
            let isNew = try isNew(url, mayCreate: !isReadOnly)
            let before = FileIdentity(FilePlace.resolved(url.path))
            var metadata: StoreMetadata
            if isNew {
                metadata = .new(type, model, configuration, format: 1, identifier: newIdentifier)
                metadata[StoreMetadataKey.readableBy] = readableBy.map { .string($0) }
            } else {
                metadata = try storeClass.metadata(ofStoreAt: url)
            }
            try check.check(metadata, type, ignoresVersions: ignoresVersions)
            let store = storeClass.init(
                StoreSetup(
                    type: type,
                    model: model,
                    configurationName: configuration,
                    url: url,
                    isReadOnly: isReadOnly,
                    metadata: metadata
                )
            )
            try StoreCheck.check(store.type, of: storeClass, registeredAs: type)
            try store.checkModel()
            let loading = Result { try store.load() }
            // Metadata and objects are read one after the other, and a writer may have come between.
            if !isNew, attempt < attempts, FileIdentity(FilePlace.resolved(url.path)) != before {
                attempt += 1
                continue
            }
            try loading.get()
            return (store, try engine(opening: store, isNew: isNew))
        }
    }

    /// How often a store is read that is written meanwhile.
    private static let attempts = 20

    private static func engine(opening store: AtomicStore, isNew: Bool) throws -> InMemoryStore {
        let isOfModel = store.model
            .versionDifferences(from: store.metadata, store.configurationName).isEmpty
        let engine = engine(
            of: store,
            keepsModel: isOfModel && store.metadata[StoreMetadataKey.format] != nil
        )
        try engine.fill(store)
        // The history of a session goes on above the numbers of all earlier ones, which end with them.
        if let file = store.url.flatMap({ FileIdentity(FilePlace.resolved($0.path)) }), !isNew {
            engine.state.log = MemoryHistory(after: SessionNumbers.start(for: file))
        }
        store.engine = engine
        if isNew { try engine.writeAll() }
        return engine
    }

    /// An engine without objects, which is not yet that of the store.
    static func engine(of store: AtomicStore, keepsModel: Bool) -> InMemoryStore {
        if keepsModel, store.metadata[StoreMetadataKey.model] == nil {
            store.metadata[StoreMetadataKey.model] = .data(ModelArchive(store.model).data)
        }
        let engine = InMemoryStore(
            type: store.type,
            model: store.model,
            configuration: store.configurationName,
            metadata: store.metadata,
            identifier: store.space.storeIdentifier,
            url: store.url,
            isReadOnly: store.isReadOnly,
            backing: AtomicBacking(store)
        )
        let storeClass = Swift.type(of: store)
        engine.writeCopy = { try write($0, as: storeClass, to: $1, overwrites: true) }
        return engine
    }

    /// Writes the objects of an engine, as a store of a class.
    ///
    /// - Parameters:
    ///   - engine: has the model, the metadata and the objects.
    ///   - storeClass: the class of the store.
    ///   - url: its place.
    ///   - files: what is known of the files there; they must not have changed since.
    ///   - overwrites: whether a file of which nothing is known may be replaced.
    /// - Throws: `ObjectGraphError`: the class cannot hold the model, or what its `save` throws.
    static func write(
        _ engine: InMemoryStore,
        as storeClass: AtomicStore.Type,
        to url: URL,
        files: [URL: StoreDataFile] = [:],
        overwrites: Bool = false
    ) throws {
        let store = storeClass.init(
            StoreSetup(
                type: engine.type,
                model: engine.model,
                configurationName: engine.configurationName,
                url: url,
                isReadOnly: false,
                metadata: engine.metadata
            )
        )
        try store.checkModel()
        store.files = files
        store.overwrites = overwrites
        let target = Self.engine(of: store, keepsModel: true)
        target.state = engine.state
        store.engine = target
        try target.checkPlace()
        try target.writeAll()
    }

    /// Whether nothing is at a place, or an empty file.
    private static func isNew(_ url: URL, mayCreate: Bool) throws -> Bool {
        let path = FilePlace.resolved(url.path)
        if let file = FileIdentity(path) { return file.size == 0 && mayCreate }
        try FilePlace.checkAbsence(path, errno, mayCreate: mayCreate)
        return true
    }
}

/// Checks a store's metadata before it is opened.
package struct StoreCheck {
    private let name: String
    private let model: ManagedObjectModel
    private let configuration: String?

    /// The newest version of our own additions to metadata.
    private static let newestFormat: Int64 = 1

    package init(_ url: URL?, _ model: ManagedObjectModel, _ configuration: String?) {
        name = url?.lastPathComponent ?? ""
        self.model = model
        self.configuration = configuration
    }

    /// - Throws: `ObjectGraphError`: ``ObjectGraphError/Code/storeTypeMismatch``,
    ///   ``ObjectGraphError/Code/incompatibleVersion``, ``ObjectGraphError/Code/damagedFile``, or
    ///   ``ObjectGraphError/Code/cannotOpen`` for a store of a newer version.
    package func check(
        _ metadata: StoreMetadata,
        _ type: StoreType,
        ignoresVersions: Bool = false
    ) throws {
        if metadata.storeType != type {
            throw ObjectGraphError(
                .storeTypeMismatch,
                "The store \"\(name)\" is of type \(metadata.storeType?.rawValue ?? "unknown"),"
                    + " not \(type.rawValue).",
                recovery: "Open it with its own type."
            )
        }
        if metadata.storeIdentifier == nil {
            throw AtomicStore.damaged(name, "its metadata have no valid identifier")
        }
        if case .int(let format)? = metadata[StoreMetadataKey.format],
            format > StoreCheck.newestFormat
        {
            throw ObjectGraphError(
                .cannotOpen,
                "The store \"\(name)\" was made by a newer version of this program.",
                recovery: "Use that version, or a backup."
            )
        }
        if ignoresVersions { return }
        let different = model.versionDifferences(from: metadata, configuration)
        if different.isEmpty { return }
        let names = different.prefix(5).joined(separator: ", ")
        let more = different.count > 5 ? " and \(different.count - 5) more" : ""
        throw ObjectGraphError(
            .incompatibleVersion,
            "The store \"\(name)\" was made with another version of the model"
                + " (different: \(names)\(more)).",
            recovery: "Migrate it to this version, or open it with the model it was made with."
        )
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/storeTypeMismatch``.
    package static func check(
        _ found: StoreType,
        of storeClass: AnyClass,
        registeredAs type: StoreType
    ) throws {
        if found == type { return }
        throw ObjectGraphError(
            .storeTypeMismatch,
            "\(storeClass) is registered for the type \(type.rawValue), but its type is"
                + " \(found.rawValue).",
            recovery: "Register it under its own type."
        )
    }
}

/// Where the histories of sessions begin.
private enum SessionNumbers {
    private static let last = Mutex<Int64>(0)

    /// A number above those of all earlier sessions: the time of the file, in nanoseconds, or more if
    /// this process has had a session within the same tick of the clock.
    static func start(for file: FileIdentity) -> Int64 {
        last.withLock { last in
            last = max(Int64(file.changed), last + 1 << 16)
            return last
        }
    }
}
