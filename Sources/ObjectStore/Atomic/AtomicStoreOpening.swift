package import FoundationEssentials
import Glibc
package import ObjectModel

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
    ///   - ignoresVersions: whether the model may be another one than that of the store.
    /// - Returns: the open store.
    /// - Throws: `ObjectGraphError`, as `PersistentStoreCoordinator.addStore(_:)` lists them.
    package static func open(
        _ storeClass: AtomicStore.Type,
        as type: StoreType,
        url: URL,
        model: ManagedObjectModel,
        configuration: String?,
        isReadOnly: Bool,
        newIdentifier: UUID? = nil,
        ignoresVersions: Bool = false
    ) throws -> any PersistentStore {
        try model.freeze()
        try model.checkConfiguration(configuration)
        try model.checkTransformers(configuration)
        let isNew = try isNew(url, mayCreate: !isReadOnly)
        let metadata =
            isNew
            ? StoreMetadata.new(
                type,
                model,
                configuration,
                format: 1,
                identifier: newIdentifier
            )
            : try storeClass.metadata(ofStoreAt: url)
        try StoreCheck(url, model, configuration)
            .check(metadata, type, ignoresVersions: ignoresVersions)
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
        try store.load()
        let engine = InMemoryStore(
            type: type,
            model: model,
            configuration: configuration,
            metadata: metadata,
            identifier: store.space.storeIdentifier,
            url: url,
            isReadOnly: isReadOnly,
            backing: AtomicBacking(store)
        )
        try engine.fill(store)
        store.engine = engine
        if isNew { try store.save() }
        return engine
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
