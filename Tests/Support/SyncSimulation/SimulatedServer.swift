package import FoundationEssentials
package import ObjectSync

/// A server of records in memory: versions by object, and a log of changes.
package final class SimulatedServer {
    package struct Entry: Equatable {
        package var version: String
        package var record: SyncRecord?
        /// The number of the last change.
        package var change: Int
    }

    package private(set) var entries: [String: Entry] = [:]
    private var lastChange = 0
    /// How many changes one answer has at most.
    package var partSize = Int.max
    /// Tokens up to this one are forgotten: the answer is complete.
    package var forgotten = -1
    /// The properties that the server cannot store.
    package var unknownProperties: Set<String> = []
    package private(set) var puts = 0

    package init() {}

    package static func href(_ key: SyncKey) -> String { "/\(key.entity)/\(key.name).x" }

    package func remote(
        _ name: String = "server",
        over network: Network = Network()
    ) -> Remote {
        Remote(server: self, name: name, network: network)
    }

    /// The records that are there.
    package var records: [SyncRecord] { entries.values.compactMap(\.record) }

    package func record(_ name: String) -> SyncRecord? {
        entries.values.first { $0.record?.key.name == name }?.record
    }

    /// Somebody else changes a record.
    package func edit(_ name: String, at stamp: Date, _ change: (inout SyncRecord) -> Void) {
        guard let (href, entry) = entries.first(where: { $1.record?.key.name == name }),
            var record = entry.record
        else { return }
        change(&record)
        for (key, value) in record.values where entry.record?.values[key] != value {
            record.stamps[key] = stamp
        }
        store(record, href)
    }

    /// Somebody else makes or deletes a record.
    package func store(_ record: SyncRecord?, _ href: String) {
        lastChange += 1
        var record = record
        for key in unknownProperties { record?.values[key] = nil }
        entries[href] = Entry(version: "v\(lastChange)", record: record, change: lastChange)
    }

    package func changes(since token: String?) -> RemoteChanges {
        let start = token.flatMap { Int($0) } ?? 0
        let isComplete = token == nil || start <= forgotten
        var found = entries.sorted { $0.value.change < $1.value.change }
        if isComplete {
            found.removeAll { $0.value.record == nil }
        } else {
            found.removeAll { $0.value.change <= start }
        }
        let hasMore = !isComplete && found.count > partSize
        if hasMore { found.removeLast(found.count - partSize) }
        var changes = RemoteChanges(isComplete: isComplete, hasMore: hasMore)
        changes.token = String(hasMore ? found.last?.value.change ?? lastChange : lastChange)
        for (href, entry) in found {
            if let record = entry.record {
                changes.items.append(RemoteItem(href: href, version: entry.version, record: record))
            } else {
                changes.removed.append(href)
            }
        }
        return changes
    }

    package func make(_ edit: RemoteEdit) -> RemoteAnswer {
        let href = edit.href ?? SimulatedServer.href(edit.key)
        let present = entries[href].flatMap { $0.record == nil ? nil : $0.version }
        if edit.record == nil, present == nil { return .deleted }
        guard present == edit.version else { return .mismatch }
        puts += 1
        store(edit.record, href)
        return edit.record == nil
            ? .deleted : .stored(href: href, version: entries[href]?.version ?? "")
    }

    /// The way to the server.
    package final class Remote: SyncRemote {
        private let server: SimulatedServer
        package let name: String
        package let network: Network

        init(server: SimulatedServer, name: String, network: Network) {
            (self.server, self.name, self.network) = (server, name, network)
        }

        package func changes(since token: String?) throws -> RemoteChanges {
            try network.call { _ in server.changes(since: token) }
        }

        package func item(_ key: SyncKey, href: String?) throws -> RemoteItem? {
            try network.call { _ in
                let href = href ?? SimulatedServer.href(key)
                guard let entry = server.entries[href], let record = entry.record else {
                    return nil
                }
                return RemoteItem(href: href, version: entry.version, record: record)
            }
        }

        package func push(_ edits: [RemoteEdit]) throws -> [RemoteAnswer] {
            try network.call { isWhole in
                edits.prefix(isWhole ? edits.count : edits.count / 2).map(server.make)
            }
        }
    }
}
