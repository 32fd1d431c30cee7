public import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph
public import ObjectSync

/// Synchronizing a library with a server.
public enum LibrarySync {
    /// How many bytes of rows stay in memory: an exchange needs most of them once.
    private static let rowBytes = 16 << 20

    /// Exchanges everything with a server.
    ///
    /// - Parameters:
    ///   - library: the library; another program may use its store at the same time.
    ///   - remote: the server.
    /// - Returns: what has changed on both sides.
    /// - Throws: ``SyncError``, or the store's error; what was exchanged before stays.
    public static func run(_ library: Library, with remote: CalDAVRemote) throws -> SyncReport {
        library.coordinator.rowCacheLimit = rowBytes
        let engine = try SyncEngine(
            library.coordinator,
            SyncEntities.all(calendarIn: library.clock())
        )
        engine.beforeSavingPull = { try library.finishPull(in: $0) }
        remote.knownVersions = { try engine.versions(ofRemoteNamed: remote.name) }
        remote.knownPlaces = { try engine.places(of: $0, onRemoteNamed: remote.name) }
        engine.beforeReading = { try name(of: library, remote) }
        return try engine.synchronize(with: remote, as: "Synchronized with \(remote.name)")
    }

    /// Exchanges everything with a server of Taskwarrior 3.
    ///
    /// - Parameters:
    ///   - library: the library; another program may use its store at the same time.
    ///   - remote: the server.
    /// - Returns: what has changed on both sides.
    /// - Throws: ``SyncError``, or the store's error; what was exchanged before stays.
    public static func run(
        _ library: Library,
        with remote: TaskChampionRemote
    ) throws -> SyncReport {
        library.coordinator.rowCacheLimit = rowBytes
        let engine = try SyncEngine(
            library.coordinator,
            SyncEntities.all(calendarIn: nil)
        )
        engine.beforeSavingPull = { try library.finishPull(in: $0) }
        remote.knownVersions = { try engine.versions(ofRemoteNamed: remote.name) }
        remote.lists = { try lists(at: $0, of: library) }
        engine.beforeReading = { _ = try lists(at: [], of: library) }
        remote.path = { uuid in
            let context = ManagedObjectContext(coordinator: library.coordinator)
            return try List.first(in: context, where: \.uuid == uuid)?.path ?? []
        }
        return try engine.synchronize(with: remote, as: "Synchronized with \(remote.name)")
    }

    /// What an exchange has changed, for people: `3 items and 1 list sent, 1 item new`.
    ///
    /// - Parameter report: what `run` has returned.
    /// - Returns: the words, without a full stop.
    public static func words(_ report: SyncReport) -> String {
        func part(_ count: (SyncReport.Counts) -> Int, _ what: String) -> String? {
            let things = [(SyncEntities.item, "item"), (SyncEntities.list, "list")]
            let words = things.compactMap { entity, noun -> String? in
                let number = report.counts[entity].map(count) ?? 0
                return number == 0 ? nil : "\(number) \(noun)\(number == 1 ? "" : "s")"
            }
            return words.isEmpty ? nil : "\(words.joined(separator: " and ")) \(what)"
        }
        let parts = [
            part(\.sent, "sent"), part(\.inserted, "new"), part(\.updated, "changed"),
            part(\.deleted, "deleted"),
            report.conflicts == 0 ? nil : "\(report.conflicts) in conflict",
        ].compactMap(\.self)
        return parts.isEmpty ? "nothing has changed" : parts.joined(separator: ", ")
    }

    /// The identities of the lists at some paths; missing lists are made, and every list gets an
    /// identity.
    private static func lists(
        at paths: Set<[String]>,
        of library: Library
    ) throws -> [[String]: UUID] {
        let context = ManagedObjectContext(coordinator: library.coordinator)
        context.undoManager = nil
        var result: [[String]: UUID] = [:]
        var found: [[String]: List] = [:]
        for path in paths.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            found[path] = try Library.list(path: path, in: context)
        }
        for list in try List.all(in: context, where: \.uuid == nil) {
            list.uuid = UUIDText.random()
        }
        if context.hasChanges {
            var info = TransactionInfo()
            info.kind = .silent
            try context.save(info)
        }
        for (path, list) in found { result[path] = list.uuid }
        return result
    }

    /// Gives lists that have no identity one: that of the server's list of the same name, else their
    /// own.
    private static func name(of library: Library, _ remote: CalDAVRemote) throws {
        let context = ManagedObjectContext(coordinator: library.coordinator)
        context.undoManager = nil
        let nameless = try List.all(in: context, where: \.uuid == nil)
        if nameless.isEmpty { return }
        let taken = Set(try List.all(in: context).compactMap { $0.uuid?.uuidString })
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
