package import CivilTime
package import FoundationEssentials
import Glibc
import ObjectGraph

/// What `docket doctor --repair` has done.
package struct LibraryRepair: Sendable {
    package var repaired: [LibraryFinding] = []
    package var remaining = LibraryInspection()
    /// The copy of the file from before; `nil` if nothing had to be repaired.
    package var backup: String?

    /// Whether pages are left of which nothing says whether they are right.
    package var hasUnverifiedPages: Bool {
        remaining.findings.contains { $0.kind == StoreFinding.Kind.unverifiedPage.rawValue }
    }
}

extension Library {
    /// Repairs a library, after a copy of its file into the folder of backups.
    ///
    /// The steps, each of which the next one needs: the pages; the rows, the history and the search
    /// index, in one transaction; the rules of Docket. Pages of which nothing says whether they are
    /// right are the end, unless the caller accepts them: then only flipped bits are corrected. Changed
    /// values of items are steps of the history, so undo reverts them. Of the vault beside the library
    /// the pages are repaired; what is corrected there is what was written, so no copy is made.
    ///
    /// - Parameters:
    ///   - store: the library's file, which nobody has open.
    ///   - clock: the time.
    ///   - acceptsPages: whether pages that nothing verifies get checksums as they are.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the work.
    /// - Returns: what was repaired, and what is found afterwards.
    /// - Throws: `ObjectGraphError` or `InputError`: the store is open elsewhere, cannot be written,
    ///   or is damaged so that it cannot be repaired in place.
    package static func repair(
        _ store: URL,
        clock: @escaping () -> DateContext,
        acceptsPages: Bool = false,
        progress: ((Double) throws -> Void)? = nil
    ) throws -> LibraryRepair {
        var result = try repairItems(store, clock, acceptsPages, progress)
        try repairVault(beside: store, acceptsPages, &result)
        return result
    }

    private static func repairVault(
        beside store: URL,
        _ acceptsPages: Bool,
        _ result: inout LibraryRepair
    ) throws {
        let path = Vault.path(beside: store.path)
        if access(path, F_OK) != 0 { return }
        let report = try PersistentStoreCoordinator.repairPages(
            at: URL(filePath: path),
            adopts: acceptsPages
        )
        func pages(_ count: Int) -> String {
            "\(count) page\(count == 1 ? "" : "s") of the vault"
        }
        if report.corrected.count > 0 {
            result.repaired.append(
                LibraryFinding(
                    .flippedBit,
                    count: report.corrected.count,
                    "\(pages(report.corrected.count)) had a flipped bit.",
                    repair: "The bit gets its former value."
                )
            )
        }
        if report.unverified.count > 0 {
            let finding = LibraryFinding(
                .unverifiedPage,
                count: report.unverified.count,
                "\(pages(report.unverified.count)) may be damaged, or written by another program.",
                repair: "Who trusts them can give them checksums as they are."
            )
            if acceptsPages {
                result.repaired.append(finding)
            } else {
                result.remaining.findings.append(finding)
            }
        }
    }

    private static func repairItems(
        _ store: URL,
        _ clock: @escaping () -> DateContext,
        _ acceptsPages: Bool,
        _ progress: ((Double) throws -> Void)?
    ) throws -> LibraryRepair {
        var result = LibraryRepair()
        let before = try? inspected(store, clock) { try progress?($0 * 0.3) }
        if let before, before.isHealthy, before.hasChecksums {
            result.remaining = before
            return result
        }
        let structure = StoreFinding.Kind.damagedStructure.rawValue
        let isWhole = before.map { !$0.findings.contains { $0.kind == structure } } ?? false
        let corrected: Set<String> = [
            StoreFinding.Kind.damagedChecksum.rawValue, StoreFinding.Kind.flippedBit.rawValue,
        ]
        let pages = corrected.union([StoreFinding.Kind.unverifiedPage.rawValue])
        let doubtful = pages.subtracting([StoreFinding.Kind.damagedChecksum.rawValue])
        let isDoubtful = before?.findings.contains { doubtful.contains($0.kind) } ?? false
        let backup = try copy(store, isWhole: isWhole, isDoubtful: isDoubtful, clock)
        let report: PageReport
        do {
            report = try PersistentStoreCoordinator.repairPages(at: store) {
                try progress?(0.3 + $0 * 0.1)
            }
        } catch {
            // Nothing has changed, so the copy holds nothing of its own.
            removeCopy(backup)
            throw error
        }
        let settled = acceptsPages ? pages : corrected
        result.repaired = before?.findings.filter { settled.contains($0.kind) } ?? []
        if !acceptsPages, report.unverified.count > 0 {
            if report.corrected.count > 0 {
                result.backup = backup
            } else {
                removeCopy(backup)
            }
            result.remaining = try inspected(store, clock) { try progress?(0.4 + $0 * 0.6) }
            if let damage = result.remaining.findings.first(where: { $0.kind == structure }) {
                throw ObjectGraphError(
                    .damagedFile,
                    damage.message,
                    recovery: "Such damage cannot be repaired in place."
                )
            }
            return result
        }
        result.backup = backup
        // A file of an earlier version has no room for checksums yet.
        if acceptsPages, report.isChecked {
            try PersistentStoreCoordinator.repairPages(at: store, adopts: true)
        }
        let library = try Library(url: store, author: "doctor", clock: clock)
        var isOpen = true
        defer { if isOpen { library.close() } }
        let coordinator = library.context.coordinator
        guard let reference = coordinator.persistentStores.first else { return result }
        let repair = try coordinator.repair(
            reference,
            name: "Repaired the store",
            author: "doctor"
        ) { try progress?(0.4 + $0 * 0.4) }
        result.repaired += repair.repaired.map { LibraryFinding($0) }
        library.context.reset()
        let rules = try RuleCheck(library).findings()
        if !rules.isEmpty {
            _ = try RuleCheck(library).repair()
            result.repaired += rules.filter { $0.repair != nil }
        }
        library.close()
        isOpen = false
        if !report.isChecked, repair.remaining.findings(of: .damagedStructure).isEmpty {
            try PersistentStoreCoordinator.repairPages(at: store, adopts: true)
        }
        result.remaining = try inspected(store, clock) { try progress?(0.8 + $0 * 0.2) }
        return result
    }

    private static func inspected(
        _ store: URL,
        _ clock: @escaping () -> DateContext,
        _ progress: @escaping (Double) throws -> Void
    ) throws -> LibraryInspection {
        let library = try Library(url: store, author: "doctor", isReadOnly: true, clock: clock)
        defer { library.close() }
        return try library.inspect(progress: progress)
    }

    private static func removeCopy(_ path: String) {
        for suffix in ["", "-wal"] { unlink(path + suffix) }
    }

    /// Copies the file as it is: a backup leaves out what it cannot read.
    private static func copy(
        _ store: URL,
        isWhole: Bool,
        isDoubtful: Bool,
        _ clock: @escaping () -> DateContext
    ) throws -> String {
        let folder = BackupFolder(store: store.path)
        var path = try folder.newPath(.beforeRepair, at: clock().now)
        // The extension shows that it is no usable backup.
        if !isWhole { path = path.dropLast(".sqlite".count) + ".damaged" }
        if isWhole, isDoubtful { path = BackupFolder.doubtful(path) }
        do {
            // The log of a killed process is part of the file; opening moves it there.
            if isWhole { try Library(url: store, author: "doctor", clock: clock).close() }
            try FileManager.default.copyItem(atPath: store.path, toPath: path)
            var status = stat()
            if stat(store.path + "-wal", &status) == 0, status.st_size > 0 {
                try FileManager.default.copyItem(
                    atPath: store.path + "-wal",
                    toPath: path + "-wal"
                )
            }
        } catch {
            removeCopy(path)
            throw InputError(
                .conflict,
                "The store \"\(store.path)\" cannot be copied to \"\(path)\", so nothing was repaired."
            )
        }
        chmod(path, 0o600)
        if isWhole { folder.prune(BackupPolicy()) }
        return path
    }
}
