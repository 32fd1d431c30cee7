package import DocketCore
package import FoundationEssentials
import ObjectGraph
package import ObjectSync

/// A server in memory, with which a library gets values that were not taken.
package final class MemoryServer: SyncRemote {
    package let name: String
    private var records: [SyncKey: RemoteItem] = [:]
    private var version = 0

    package init(_ name: String = "home") { self.name = name }

    // MARK: What a person does elsewhere

    /// Changes properties of an item there.
    ///
    /// - Parameters:
    ///   - item: an item that was exchanged.
    ///   - date: when; the later change wins.
    ///   - change: the change of the values.
    package func edit(
        _ item: Item,
        at date: Date = .distantFuture,
        _ change: (inout [String: SyncValue]) -> Void
    ) {
        let key = SyncKey(entity: "Item", name: item.uuid.uuidString)
        guard let old = records[key] else { return }
        var record = old.record
        change(&record.values)
        for (property, value) in record.values where value != old.record.values[property] {
            record.stamps[property] = date
        }
        store(record)
    }

    package func title(of item: Item) -> SyncValue? {
        records[SyncKey(entity: "Item", name: item.uuid.uuidString)]?.record.values["title"]
    }

    /// Exchanges everything with a library.
    @discardableResult
    package func exchange(with library: Library) throws -> SyncReport {
        let engine = try SyncEngine(library.coordinator, SyncEntities.all)
        engine.beforeSavingPull = { try library.finishPull(in: $0) }
        let report = try engine.synchronize(with: self, as: "Synchronized with \(name)")
        try library.mergeOthers()
        return report
    }

    /// Exchanges, changes an item on both sides, and exchanges again.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - library: its library.
    ///   - date: when the server's values were given.
    ///   - theirs: the server's values.
    ///   - ours: the change here.
    /// - Throws: the store's error, and that of the change.
    package func disagree(
        over item: Item,
        in library: Library,
        at date: Date = .distantFuture,
        theirs: [String: SyncValue],
        ours: () throws -> Void
    ) throws {
        _ = try library.context.save()
        try exchange(with: library)
        edit(item, at: date) { $0.merge(theirs) { $1 } }
        try ours()
        _ = try library.context.save()
        try exchange(with: library)
    }

    // MARK: SyncRemote

    private func store(_ record: SyncRecord) {
        version += 1
        records[record.key] = RemoteItem(
            href: record.key.name,
            version: "\(version)",
            record: record
        )
    }

    package func changes(since token: String?) throws -> RemoteChanges {
        RemoteChanges(items: Array(records.values), isComplete: true)
    }

    package func item(_ key: SyncKey, href: String?) throws -> RemoteItem? { records[key] }

    package func push(_ edits: [RemoteEdit]) throws -> [RemoteAnswer] {
        edits.map { edit in
            if records[edit.key]?.version != edit.version { return .mismatch }
            guard let record = edit.record else {
                records[edit.key] = nil
                return .deleted
            }
            store(record)
            return .stored(href: record.key.name, version: "\(version)")
        }
    }
}
