import FoundationEssentials

extension ManagedObjectModel {
    /// A text that differs between versions of the model that store differently, and is the same for
    /// one version in every process: it says which model is meant, for stages of a migration.
    ///
    /// - Complexity: O(properties).
    public var versionChecksum: String {
        ManagedObjectModel.checksum(ofHashes: entityVersionHashes())
    }

    /// The checksum of the model that a store was made with, from its metadata.
    ///
    /// - Returns: `nil` if the metadata have no version hashes.
    package static func checksum(ofStore metadata: [String: GraphValue]) -> String? {
        guard case .dictionary(let values)? = metadata["NSStoreModelVersionHashes"] else {
            return nil
        }
        var hashes: [String: Data] = [:]
        for case (let name, .data(let hash)) in values { hashes[name] = hash }
        return checksum(ofHashes: hashes)
    }

    private static func checksum(ofHashes hashes: [String: Data]) -> String {
        var bytes: [UInt8] = []
        for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) {
            bytes += Array(name.utf8) + [0] + Array(hash)
        }
        return Data(SHA256.digest(bytes)).base64EncodedString()
    }

    /// Whether a store has exactly the stored entities of a configuration, with their ancestors.
    ///
    /// Freezes the model.
    public func matches(
        storeMetadata metadata: [String: GraphValue],
        configuration: String? = nil
    ) -> Bool {
        guard case .dictionary(let hashes)? = metadata["NSStoreModelVersionHashes"],
            configuration == nil || configurations[configuration ?? ""] != nil,
            (try? freeze()) != nil
        else { return false }
        let members = storedEntities(in: configuration)
        return members.count == hashes.count
            && members.allSatisfy { hashes[$0.name] == .data($0.versionHash) }
    }

    /// The model, among several versions, that a store was made with.
    ///
    ///     let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: url)
    ///     let model = ManagedObjectModel.version(of: metadata, among: [first, second, third])
    ///
    /// Freezes the models that it looks at.
    ///
    /// - Returns: the first that fits as a whole, or with one of its configurations; `nil` if none
    ///   does.
    /// - Complexity: O(properties).
    public static func version(
        of metadata: [String: GraphValue],
        among models: [ManagedObjectModel]
    ) -> ManagedObjectModel? {
        models.first { model in
            let names: [String?] = [nil] + model.configurations.keys.sorted()
            return names.contains { model.matches(storeMetadata: metadata, configuration: $0) }
        }
    }
}
