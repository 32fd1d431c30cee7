public import CivilTime
import DocketFormats
public import FoundationEssentials
import Glibc
import ObjectGraph

/// What `docket doctor --repair` has done.
public struct LibraryRepair: Sendable {
    public var repaired: [LibraryFinding] = []
    public var remaining = LibraryInspection()
    /// The copy of the file from before; `nil` if nothing had to be repaired.
    public var backup: String?

    /// Whether pages are left of which nothing says whether they are right.
    public var hasUnverifiedPages: Bool {
        remaining.findings.contains { $0.kind == StoreFinding.Kind.unverifiedPage.rawValue }
    }
}

extension Library {
    /// Repairs a library, after a copy of its file into the folder of backups.
    ///
    /// The steps, each of which the next one needs: the pages; the rows, the history and the search
    /// index, in one transaction; the rules of Docket. Pages of which nothing says whether they are
    /// right are the end, unless the caller accepts them: then only flipped bits are corrected. Changed
    /// values of items are steps of the history, so undo reverts them. The vault beside the library is
    /// repaired in the same way.
    ///
    /// - Parameters:
    ///   - store: the library's file, which nobody has open.
    ///   - clock: the time.
    ///   - acceptsPages: whether pages that nothing verifies get checksums as they are.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the work.
    /// - Returns: what was repaired, and what is found afterwards.
    /// - Throws: `ObjectGraphError` or `InputError`: the store is open elsewhere, cannot be written,
    ///   or is damaged so that it cannot be repaired in place.
    public static func repair(
        _ store: URL,
        clock: @escaping () -> DateContext,
        acceptsPages: Bool = false,
        progress: ((Double) throws -> Void)? = nil
    ) throws -> LibraryRepair {
        var result = try repairItems(store, clock, acceptsPages, progress)
        repairVault(beside: store, acceptsPages, clock, &result)
        return result
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

    static func removeCopy(_ path: String) {
        for suffix in ["", "-wal"] { unlink(path + suffix) }
    }

    /// Copies the file as it is: a backup leaves out what it cannot read.
    static func copy(
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
        // The log of a killed process is part of the file; opening moves it there.
        if isWhole { try? Library(url: store, author: "doctor", clock: clock).close() }
        try copyFile(store.path, to: path)
        if isWhole { folder.prune(BackupPolicy()) }
        return path
    }

    static func copyFile(_ file: String, to path: String) throws {
        do {
            try FileManager.default.copyItem(atPath: file, toPath: path)
            var status = stat()
            if stat(file + "-wal", &status) == 0, status.st_size > 0 {
                try FileManager.default.copyItem(atPath: file + "-wal", toPath: path + "-wal")
            }
        } catch {
            removeCopy(path)
            throw InputError(
                .conflict,
                "The file \"\(file)\" cannot be copied to \"\(path)\", so it was not repaired."
            )
        }
        chmod(path, 0o600)
    }
}
