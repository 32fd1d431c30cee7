import FoundationEssentials
import ObjectContext
import ObjectModel

// A push, for each batch of edits:
//   1. what is about to be sent is saved beside the base;
//   2. it is sent;
//   3. what was answered becomes the base: what was sent, not what is here by then.
// If the answer of 2 is lost, the next pull finds values there that were sent, and takes them for
// agreed.

extension SyncEngine {
    /// Sends what differs from its base.
    ///
    /// - Returns: the edits that the remote has refused because it has another version.
    func push(to remote: some SyncRemote, _ report: inout SyncReport) throws -> [RemoteEdit] {
        let (edits, moment) = try retrying { try survey(remote.name) }
        var refused: [RemoteEdit] = []
        for start in stride(from: 0, to: edits.count, by: SyncEngine.batch) {
            let part = Array(edits[start..<min(edits.count, start + SyncEngine.batch)])
            try retrying { try noteSent(part, remote.name) }
            let answers = try remote.push(part)
            guard answers.count == part.count else {
                throw ObjectGraphError(
                    .invalidFormat,
                    "The remote \(remote.name) has answered \(answers.count) of \(part.count) edits."
                )
            }
            let answered = Array(zip(part, answers))
            try retrying { try acknowledge(answered, remote.name, moment) }
            refused += answered.filter { $0.1 == .mismatch }.map(\.0)
            report.sent += answered.count { $0.1 != .mismatch }
        }
        return refused
    }

    /// What differs from its base, and when that was looked up.
    private func survey(_ remote: String) throws -> ([RemoteEdit], Date) {
        let exchange = Exchange(self, remote)
        try exchange.fetchBases()
        let objects = exchange.objects
        let keys = try objects.all().compactMap { try objects.key(of: $0) }
        let ours = try exchange.values(of: keys)
        var edits: [RemoteEdit] = []
        for key in keys.sorted(by: { $0.name < $1.name }) {
            guard let object = objects[key], let values = ours[key] else { continue }
            let base = exchange.bases[key]
            var record = SyncRecord(key, kind: object.entity.name, extra: base?.record.extra)
            var isChanged = base?.version == nil
            for (property, rule) in objects.properties(of: object) {
                let name = property.name
                let value = values[name] ?? .null
                if let base, (base.record.values[name] ?? objects.initial(property, rule)) == value {
                    record.set(name, StampedValue(value, base.record[name].stamp))
                } else {
                    record.set(name, StampedValue(value, try exchange.stamp(name, value, key)))
                    isChanged = true
                }
            }
            guard isChanged else { continue }
            let edit = record.compacted()
            edits.append(RemoteEdit(key, record: edit, href: base?.href, version: base?.version))
        }
        for (key, base) in exchange.bases where objects[key] == nil {
            if let version = base.version {
                edits.append(RemoteEdit(key, record: nil, href: base.href, version: version))
            } else if base.sent == nil {
                exchange.dropBase(key)
            }
        }
        try exchange.saveSilently()
        return (edits, exchange.start)
    }

    private func noteSent(_ edits: [RemoteEdit], _ remote: String) throws {
        let exchange = Exchange(self, remote)
        try exchange.findBases(edits.map(\.key))
        for edit in edits {
            guard let record = edit.record else { continue }
            let base = try exchange.base(edit.key, kind: record.kind)
            base.sent = record
            try base.store()
        }
        try exchange.saveSilently()
    }

    private func acknowledge(
        _ answers: [(RemoteEdit, RemoteAnswer)],
        _ remote: String,
        _ moment: Date
    ) throws {
        let exchange = Exchange(self, remote)
        try exchange.findBases(answers.map(\.0.key))
        for (edit, answer) in answers {
            switch answer {
            case .mismatch: break
            case .deleted: exchange.dropBase(edit.key)
            case .stored(let href, let version):
                guard let record = edit.record else { continue }
                let base = try exchange.base(edit.key, kind: record.kind)
                (base.record, base.sent) = (record, nil)
                (base.href, base.version) = (href, version)
                base.carried = SyncRecord(edit.key)
                base.moment = moment
                try base.store()
            }
        }
        try exchange.saveSilently()
    }
}
