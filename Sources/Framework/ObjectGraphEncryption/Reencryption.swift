public import Encryption
import FoundationEssentials
public import ObjectContext
import ObjectModel

/// Encrypts the stored values of an attribute again with the current key of its ring, after
/// ``KeyEnvelope/addingKey(passphrase:)``.
///
/// Every value carries the number of its key, so the work can stop anywhere, also by a crash, and goes
/// on at the next call. Values of the old keys stay readable meanwhile.
///
///     try Reencryption(of: "password", in: "Credential", with: ring).run { makeContext() }
///
/// The history keeps values of the old keys; trim it before these are removed from the envelope.
public struct Reencryption: Sendable {
    private let entityName: String
    private let key: String
    private let ring: KeyRing

    /// - Parameters:
    ///   - key: the encrypted attribute.
    ///   - entityName: its entity.
    ///   - ring: its keys, unlocked.
    public init(of key: String, in entityName: String, with ring: KeyRing) {
        self.key = key
        self.entityName = entityName
        self.ring = ring
    }

    /// Encrypts again what is not encrypted with the current key, in batches of one save each.
    ///
    /// - Parameters:
    ///   - batchSize: the objects of a save.
    ///   - makeContext: a new context without pending changes, for each batch.
    /// - Returns: how many values were encrypted again.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/valuesLocked``, or what fetching
    ///   and saving throw; the batches before are saved.
    @discardableResult
    public func run(
        batchSize: Int = 500,
        _ makeContext: () throws -> ManagedObjectContext
    ) throws -> Int {
        let context = try makeContext()
        let ids = try context.fetchIDs(FetchDescription(entityName: entityName))
        var count = 0
        var start = 0
        while start < ids.count {
            let end = min(ids.count, start + max(1, batchSize))
            count += try reseal(ids[start..<end], in: makeContext())
            start = end
        }
        return count
    }

    private func reseal(
        _ ids: ArraySlice<ManagedObjectID>,
        in context: ManagedObjectContext
    ) throws -> Int {
        var count = 0
        for id in ids {
            do {
                let object = try context.existingObject(with: id)
                let isOutdated = ring.isSealedWithOldKey
                if try object.resealValue(forKey: key, if: isOutdated) { count += 1 }
            } catch let error as ObjectGraphError where error.code == .referentialIntegrity {
                // Deleted meanwhile.
                continue
            }
        }
        if count > 0 { try context.save() }
        return count
    }
}
