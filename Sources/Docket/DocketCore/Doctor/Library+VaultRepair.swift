import CivilTime
public import FoundationEssentials
import Glibc
import ObjectGraph

extension LibraryInspection {
    /// Checks the vault beside a library too: its file, rows and history; nothing if there is none.
    ///
    /// It needs no passphrase, and changes nothing. A vault that cannot be opened is one finding.
    ///
    /// - Complexity: O(bytes of the vault).
    public mutating func addVault(beside store: URL) {
        let path = Vault.path(beside: store.path)
        hasVault = access(path, F_OK) == 0
        guard hasVault else { return }
        do {
            let inspection = try Vault.withLockedStore(path, isReadOnly: true) {
                try $0.inspect($1)
            }
            findings += inspection.findings.map { LibraryFinding($0, isOfVault: true) }
            hasChecksums = hasChecksums && inspection.pages.isChecked
        } catch {
            findings.append(LibraryFinding(unusableVault: "\(error)"))
        }
    }
}

extension Library {
    /// Repairs the vault beside a library like the library itself, without its passphrase.
    ///
    /// Before more than flipped bits changes, the vault is copied beside a copy of the library, so
    /// that both can be restored. An error is a finding that is left.
    static func repairVault(
        beside store: URL,
        _ acceptsPages: Bool,
        _ clock: @escaping () -> DateContext,
        _ result: inout LibraryRepair
    ) {
        let url = URL(filePath: Vault.path(beside: store.path))
        var before = LibraryInspection(hasChecksums: true)
        before.addVault(beside: store)
        result.remaining.hasVault = before.hasVault
        if before.isHealthy, before.hasChecksums { return }
        let damage = StoreFinding.Kind.damagedStructure.rawValue
        func settle(_ kinds: StoreFinding.Kind...) {
            let kinds = kinds.map(\.rawValue)
            result.repaired += before.findings.filter { kinds.contains($0.kind) }
        }
        do {
            let pages = try PersistentStoreCoordinator.repairPages(at: url)
            settle(.flippedBit, .damagedChecksum)
            var after = LibraryInspection(hasChecksums: true)
            after.addVault(beside: store)
            let isDoubtful = pages.unverified.count > 0
            let mayChange =
                (acceptsPages || !isDoubtful)
                && after.findings.contains { $0.repair != nil }
                && !after.findings.contains { $0.kind == damage }
            if mayChange {
                try copyVault(url, beside: store, isDoubtful: isDoubtful, clock, &result)
                if isDoubtful {
                    try PersistentStoreCoordinator.repairPages(at: url, adopts: true)
                    settle(.unverifiedPage)
                }
                let repair = try Vault.withLockedStore(url.path, isReadOnly: false) {
                    try $0.repair($1, name: "Repaired the vault", author: "doctor")
                }
                result.repaired += repair.repaired.map { LibraryFinding($0, isOfVault: true) }
            }
            if !pages.isChecked, mayChange || after.isHealthy {
                try PersistentStoreCoordinator.repairPages(at: url, adopts: true)
            }
            result.remaining.addVault(beside: store)
        } catch {
            result.remaining.addVault(beside: store)
            if result.remaining.findings.contains(where: \.isUnusableVault) { return }
            result.remaining.findings.append(LibraryFinding(unusableVault: "\(error)"))
        }
    }

    private static func copyVault(
        _ vault: URL,
        beside store: URL,
        isDoubtful: Bool,
        _ clock: @escaping () -> DateContext,
        _ result: inout LibraryRepair
    ) throws {
        let isNew = result.backup == nil
        let backup =
            try result.backup ?? copy(store, isWhole: true, isDoubtful: isDoubtful, clock)
        do {
            try copyFile(vault.path, to: Vault.path(beside: backup))
        } catch {
            if isNew { removeCopy(backup) }
            throw error
        }
        result.backup = backup
    }
}
