package import FoundationEssentials
public import ObjectModel

/// A store's metadata: property-list values by key.
public typealias StoreMetadata = [String: GraphValue]

/// The keys of metadata that the framework writes itself: those of Core Data, and our own.
package enum StoreMetadataKey {
    package static let type = "NSStoreType"
    package static let identifier = "NSStoreUUID"
    package static let hashes = "NSStoreModelVersionHashes"
    package static let hashesVersion = "NSStoreModelVersionHashesVersion"
    package static let modelIdentifiers = "NSStoreModelVersionIdentifiers"
    /// The version of our own format; only stores that this framework made have it.
    package static let format = "OGFormatVersion"
    /// The identifiers of the stores from which migrations with a mapping model have made this one.
    package static let formerIdentifiers = "OGFormerIdentifiers"
    /// The folder of a document's additional content, which belongs to its objects.
    package static let additionalContent = "OGAdditionalContent"
    /// The archive of the model, in the metadata of an atomic store.
    package static let model = "OGModel"
    /// The checksums of the models that the store has had before.
    package static let lineage = "OGModelLineage"
    /// What can read the store, as a program names it.
    package static let readableBy = "OGReadableBy"

    /// The keys that a program cannot change.
    package static let kept = [type, identifier, hashes, hashesVersion, format]
}

extension StoreMetadata {
    /// The metadata of a new store.
    package static func new(
        _ type: StoreType,
        _ model: ManagedObjectModel,
        _ configuration: String?,
        format: Int64? = nil,
        identifier: UUID? = nil
    ) -> StoreMetadata {
        var metadata: StoreMetadata = [
            StoreMetadataKey.type: .string(type.rawValue),
            StoreMetadataKey.identifier: .string((identifier ?? UUID()).uuidString),
            StoreMetadataKey.hashesVersion: .int(3),
        ]
        metadata[StoreMetadataKey.hashes] = .dictionary(
            model.storedVersionHashes(configuration).mapValues { .data($0) }
        )
        metadata[StoreMetadataKey.modelIdentifiers] = .array(
            model.versionIdentifiers.sorted().map { .string($0) }
        )
        if let format { metadata[StoreMetadataKey.format] = .int(format) }
        return metadata
    }

    /// The store's own UUID; `nil` if there is none, or none that can be read.
    package var storeIdentifier: UUID? {
        guard case .string(let text)? = self[StoreMetadataKey.identifier] else { return nil }
        return UUID(uuidString: text)
    }

    package var storeType: StoreType? {
        guard case .string(let name)? = self[StoreMetadataKey.type] else { return nil }
        return StoreType(rawValue: name)
    }

    /// The entries that do not belong to the framework, for another store.
    package var ofPrograms: StoreMetadata { filter { key, _ in !Self.isOwn(key) } }

    private static func isOwn(_ key: String) -> Bool {
        if key == StoreMetadataKey.additionalContent { return false }
        return StoreMetadataKey.kept.contains(key) || key == StoreMetadataKey.modelIdentifiers
            || key.hasPrefix("OG") || key.hasPrefix("_NS")
    }

    /// The same with other entries of programs.
    package func replacingEntries(ofPrograms entries: StoreMetadata) -> StoreMetadata {
        let additional = StoreMetadataKey.additionalContent
        return entries.merging(
            filter { key, _ in Self.isOwn(key) || key == additional }
        ) { _, own in own }
    }

    /// Notes in the metadata of a new store from which one its objects come, under other IDs.
    package mutating func noteFormer(_ source: StoreMetadata) {
        var former: [GraphValue] = []
        if case .array(let known)? = source[StoreMetadataKey.formerIdentifiers] { former = known }
        if let identifier = source[StoreMetadataKey.identifier] { former.append(identifier) }
        self[StoreMetadataKey.formerIdentifiers] = .array(former)
    }

    /// Takes the framework's own entries from the former metadata, whatever was set.
    package mutating func keepOwnEntries(of former: StoreMetadata) {
        for key in StoreMetadataKey.kept where self[key] != former[key] { self[key] = former[key] }
    }
}

extension ManagedObjectModel {
    /// The version hashes of a configuration's entities, as a store's metadata hold them.
    package func storedVersionHashes(_ configuration: String?) -> [String: Data] {
        let hashes = storedEntities(in: configuration).map { ($0.name, $0.versionHash) }
        return Dictionary(hashes) { first, _ in first }
    }

    /// Whether a store that this model made, in this version and with this configuration, has such
    /// metadata; so it can be opened without a migration.
    ///
    ///     let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: file)
    ///     let needsMigration = try !model.isConfiguration(nil, compatibleWithStoreMetadata: metadata)
    ///
    /// The model is immutable from now on.
    ///
    /// - Parameters:
    ///   - configuration: the part of the model that the store holds; `nil` = all of it.
    ///   - metadata: of the store.
    /// - Returns: whether all entities of the configuration are the same.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidModel`` if the model
    ///   contradicts itself, ``ObjectGraphError/Code/invalidRequest`` if it does not have the
    ///   configuration.
    /// - Complexity: O(entities).
    public func isConfiguration(
        _ configuration: String?,
        compatibleWithStoreMetadata metadata: StoreMetadata
    ) throws -> Bool {
        try freeze()
        try checkConfiguration(configuration)
        return versionDifferences(from: metadata, configuration).isEmpty
    }

    /// The entities that differ from those that a store was made with, by name.
    ///
    /// Apple's hash is not documented. So for a store that another framework made this compares the
    /// names of the entities, and such a store may be opened for some of them only.
    package func versionDifferences(
        from metadata: StoreMetadata,
        _ configuration: String?
    ) -> [String] {
        guard case .dictionary(let theirs)? = metadata[StoreMetadataKey.hashes] else { return [] }
        let own = storedVersionHashes(configuration)
        if metadata[StoreMetadataKey.format] == nil {
            return own.keys.filter { theirs[$0] == nil }.sorted()
        }
        return Set(own.keys).union(theirs.keys).sorted().filter { name in
            own[name].map { .data($0) } != theirs[name]
        }
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest``.
    package func checkConfiguration(_ name: String?) throws {
        guard let name, configurations[name] == nil else { return }
        throw ObjectGraphError(
            .invalidRequest,
            "The model has no configuration \"\(name)\".",
            recovery: "Name one of the model's configurations, or none."
        )
    }

    /// Refuses a model whose transformable attributes name transformers that do not exist, or that
    /// would show sealed values.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidModel``.
    package func checkTransformers(_ configuration: String?) throws {
        for entity in storedEntities(in: configuration) { try ValueTransformers.check(entity) }
    }
}
