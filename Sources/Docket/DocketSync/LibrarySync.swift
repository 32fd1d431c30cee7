public import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph
public import ObjectSync

/// Synchronizing a library with a server of calendars.
public enum LibrarySync {
    /// Exchanges everything with a server.
    ///
    /// - Parameters:
    ///   - library: the library; another program may use its store at the same time.
    ///   - remote: the server.
    /// - Returns: what has changed on both sides.
    /// - Throws: ``SyncError``, or the store's error; what was exchanged before stays.
    public static func run(_ library: Library, with remote: CalDAVRemote) throws -> SyncReport {
        let engine = try SyncEngine(library.coordinator, SyncEntities.all)
        engine.beforeSavingPull = { try library.finishPull(in: $0) }
        remote.knownVersions = { try engine.versions(ofRemoteNamed: remote.name) }
        try name(of: library, remote)
        return try engine.synchronize(with: remote, as: "Synchronized with \(remote.name)")
    }

    /// Gives lists that have no identity one: that of the server's list of the same name, else their
    /// own.
    private static func name(of library: Library, _ remote: CalDAVRemote) throws {
        let context = ManagedObjectContext(coordinator: library.coordinator)
        context.undoManager = nil
        let lists = try context.fetch(FetchRequest<List>())
        let nameless = lists.filter { $0.uuid == nil }
        if nameless.isEmpty { return }
        let taken = Set(lists.compactMap { $0.uuid?.uuidString })
        var theirs = try remote.lists().filter { !taken.contains($0.id) }
        for list in nameless.sorted(by: { $0.displayOrder < $1.displayOrder }) {
            if let same = theirs.firstIndex(where: { $0.name == list.name }) {
                list.uuid = UUID(uuidString: theirs.remove(at: same).id)
            } else {
                list.uuid = UUIDText.random()
            }
        }
        var info = TransactionInfo()
        info.kind = .silent
        try context.save(info)
    }
}
