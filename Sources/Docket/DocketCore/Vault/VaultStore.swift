import DocketFormats
import Encryption
import FoundationEssentials
import ObjectGraph
import ObjectGraphEncryption

/// A vault's open store: its objects, its keys, and what others save there.
final class VaultStore {
    let container: PersistentContainer
    let ring: KeyRing
    let follower: StoreFollower
    var context: ManagedObjectContext { container.viewContext }

    private static let envelopeKey = "DocketVaultKeys"

    /// Opens a vault, or makes one.
    ///
    /// - Parameters:
    ///   - path: its file.
    ///   - author: who saves, for the history.
    ///   - isReadOnly: whether nothing is saved.
    ///   - envelope: the keys of a new vault; `nil` opens an existing one.
    /// - Throws: `ObjectGraphError` or `EncryptionError` for a file that is damaged or no vault.
    init(path: String, author: String, isReadOnly: Bool, _ envelope: KeyEnvelope? = nil) throws {
        let known = try envelope ?? VaultStore.envelope(at: path)
        var options = StoreOptions()
        options.configuration = "Vault"
        options.isReadOnly = isReadOnly
        options.keepsSearchIndex = false
        ring = KeyRing(known)
        VaultTransformers.use(ring)
        do {
            container = try PersistentContainer(
                model: DocketModel.ready(),
                classes: DocketModel.classes,
                url: URL(filePath: path),
                options: options
            )
            let context = container.viewContext
            context.tracksObservation = false
            context.transactionAuthor = author
            context.mergePolicy = .error
            follower = try StoreFollower(context, scope: .otherCoordinators)
            if envelope != nil { try write(known) }
        } catch {
            VaultTransformers.forget(ring)
            throw error
        }
    }

    func close() {
        ring.lock()
        container.close()
    }

    /// The keys as the file has them now.
    static func envelope(at path: String) throws -> KeyEnvelope {
        let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: URL(filePath: path))
        guard case .data(let data)? = metadata[envelopeKey] else {
            throw InputError(
                .malformed,
                "The file \"\(path)\" is not a vault: it has no keys. Restore it from a backup."
            )
        }
        return try KeyEnvelope(data: data)
    }

    /// Writes the keys, in one transaction.
    func write(_ envelope: KeyEnvelope) throws {
        try context.coordinator.saveMetadata(.data(envelope.data), for: VaultStore.envelopeKey)
    }

    // MARK: Categories

    /// The categories that every vault has; their labels are not secret.
    private static let seeds = ["Banking", "Email", "Home", "Internet", "Work"]

    /// Adds the categories that are missing after a seed of an earlier version.
    func seed() throws {
        let name = "vault categories"
        let known = try SeedVersion.all(in: context).first { $0.name == name }
        if known?.version ?? 0 >= 1 { return }
        let labels = Set(try Category.all(in: context).compactMap(\.seed))
        for (place, label) in VaultStore.seeds.enumerated() where !labels.contains(label) {
            let category = Category(context: context)
            category.seed = label
            category.displayOrder = Int64(place)
        }
        let version = known ?? SeedVersion(context: context)
        version.name = name
        version.version = 1
        var info = TransactionInfo()
        info.kind = .silent
        try advisingRepair { _ = try context.save(info) }
    }
}

extension Vault {
    /// Opens a vault for work that needs no keys, such as checks of its file, and closes it.
    ///
    /// - Throws: as ``VaultStore/init(path:author:isReadOnly:_:)``, and what the work throws.
    static func withLockedStore<Result>(
        _ path: String,
        isReadOnly: Bool,
        _ body: (PersistentStoreCoordinator, StoreReference) throws -> Result
    ) throws -> Result {
        let vault = try VaultStore(path: path, author: "doctor", isReadOnly: isReadOnly)
        defer {
            VaultTransformers.forget(vault.ring)
            vault.close()
        }
        let coordinator = vault.context.coordinator
        return try body(coordinator, coordinator.persistentStores[0])
    }
}
