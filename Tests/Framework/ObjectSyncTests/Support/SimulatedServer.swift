import Foundation
import ObjectSync

/// A server of records in memory: versions by object, a log of changes, and a bad network.
final class SimulatedServer {
    /// What the network does with the next calls, one each.
    enum Fault {
        /// The request does not arrive.
        case lostRequest
        /// The request is served, the answer is lost.
        case lostReply
        /// Some edits of the request are made, then the connection ends.
        case brokenOff
        /// The request arrives twice; the answer is that of the first.
        case doubledRequest
    }

    struct Unreachable: Error {}

    struct Entry: Equatable {
        var version: String
        var record: SyncRecord?
        /// The number of the last change.
        var change: Int
    }

    private(set) var entries: [String: Entry] = [:]
    private var lastChange = 0
    /// How many changes one answer has at most.
    var partSize = Int.max
    /// Tokens up to this one are forgotten: the answer is complete.
    var forgotten = -1
    /// The properties that the server cannot store.
    var unknownProperties: Set<String> = []
    private(set) var puts = 0

    static func href(_ key: SyncKey) -> String { "/\(key.entity)/\(key.name).x" }

    func remote(_ name: String = "server") -> Remote { Remote(server: self, name: name) }

    /// The records that are there.
    var records: [SyncRecord] { entries.values.compactMap(\.record) }

    func record(_ name: String) -> SyncRecord? {
        entries.values.first { $0.record?.key.name == name }?.record
    }

    /// Somebody else changes a record.
    func edit(_ name: String, at stamp: Date, _ change: (inout SyncRecord) -> Void) {
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
    func store(_ record: SyncRecord?, _ href: String) {
        lastChange += 1
        var record = record
        for key in unknownProperties { record?.values[key] = nil }
        entries[href] = Entry(version: "v\(lastChange)", record: record, change: lastChange)
    }

    func changes(since token: String?) -> RemoteChanges {
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

    func make(_ edit: RemoteEdit) -> RemoteAnswer {
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
    final class Remote: SyncRemote {
        let server: SimulatedServer
        let name: String
        /// What happens to the next calls.
        var faults: [Fault?] = []
        /// Runs while a call is on its way.
        var meanwhile: () -> Void = {}

        init(server: SimulatedServer, name: String) {
            self.server = server
            self.name = name
        }

        private func call<Answer>(_ body: () -> Answer) throws -> Answer {
            let fault = faults.isEmpty ? nil : faults.removeFirst()
            if case .lostRequest = fault { throw Unreachable() }
            let answer = body()
            if case .doubledRequest = fault { _ = body() }
            meanwhile()
            if case .lostReply = fault { throw Unreachable() }
            return answer
        }

        func changes(since token: String?) throws -> RemoteChanges {
            try call { server.changes(since: token) }
        }

        func item(_ key: SyncKey, href: String?) throws -> RemoteItem? {
            try call {
                let href = href ?? SimulatedServer.href(key)
                guard let entry = server.entries[href], let record = entry.record else {
                    return nil
                }
                return RemoteItem(href: href, version: entry.version, record: record)
            }
        }

        func push(_ edits: [RemoteEdit]) throws -> [RemoteAnswer] {
            if case .brokenOff = faults.first ?? nil {
                faults.removeFirst()
                for edit in edits.prefix(edits.count / 2) { _ = server.make(edit) }
                throw Unreachable()
            }
            return try call { edits.map(server.make) }
        }
    }
}
