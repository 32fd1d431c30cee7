package import FoundationEssentials
package import ObjectModel

/// The model of a store, as far as its file shows.
public struct StoredModel {
    /// Where a model was found.
    public enum Origin: Sendable {
        /// The caller has given it.
        case given
        /// The archive in a store of this framework: everything but code.
        case archive
        /// The compiled model in a store of Apple's framework (`Z_MODELCACHE`).
        case cache
        /// The tables: names in lower case, types as they are stored, and of the relationships those
        /// that the names and the rows leave no doubt about.
        case tables
    }

    package let model: ManagedObjectModel
    package let origin: Origin

    package init(_ model: ManagedObjectModel, _ origin: Origin) {
        self.model = model
        self.origin = origin
    }

    /// The model of a store that is read as a whole: the archive that its metadata keep, or what its
    /// file shows.
    ///
    /// - Returns: `nil` if the file shows nothing.
    /// - Throws: `ObjectGraphError` if the place holds no such store.
    package init?(of storeClass: AtomicStore.Type, at url: URL) throws {
        let metadata = try storeClass.metadata(ofStoreAt: url)
        // Another program may have written another version, and kept an archive that it does not know.
        if case .data(let data)? = metadata[StoreMetadataKey.model],
            let archived = try? ModelArchive(data: data).storedModel(),
            archived.isVersion(of: metadata)
        {
            self.init(archived, .archive)
        } else if let deduced = try storeClass.deducedModel(ofStoreAt: url) {
            self.init(deduced, .tables)
        } else {
            return nil
        }
    }
}

extension ManagedObjectModel {
    /// Whether the store was made with this model, or with a part of it.
    fileprivate func isVersion(of metadata: StoreMetadata) -> Bool {
        guard (try? freeze()) != nil else { return false }
        let parts: [String?] = [nil] + configurations.keys.map { $0 }
        return parts.contains { versionDifferences(from: metadata, $0).isEmpty }
    }
}
