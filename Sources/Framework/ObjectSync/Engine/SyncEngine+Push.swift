import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore

// A push:
//   1. the survey finds what differs from its base: of the objects that have changed since the last
//      survey, by the history, and of those that differed then; without a history of all objects. What
//      is about to be sent is saved beside the base, in batches, with the place of the survey at last;
//   2. it is sent in parts;
//   3. what was answered becomes the base: what was sent, not what is here by then.
// If the answer of 2 is lost, the next pull finds values there that were sent, and takes them for
// agreed.

extension SyncEngine {
    /// Sends what differs from its base.
    ///
    /// - Returns: the edits that the remote has refused because it has another version.
    func push(to remote: some SyncRemote, _ report: inout SyncReport) throws -> [RemoteEdit] {
        let (edits, moment) = try survey(remote.name)
        var refused: [RemoteEdit] = []
        for part in try remote.parts(of: edits) {
            let answers = try remote.push(part)
            guard answers.count == part.count else {
                throw ObjectGraphError(
                    .invalidFormat,
                    "The remote \(remote.name) has answered \(answers.count) of \(part.count) edits."
                )
            }
            let answered = Array(zip(part, answers))
            for start in stride(from: 0, to: answered.count, by: SyncEngine.batch) {
                let end = min(answered.count, start + SyncEngine.batch)
                let batch = Array(answered[start..<end])
                let isLast = end == answered.count
                try retrying {
                    let exchange = Exchange(self, remote.name)
                    try acknowledge(batch, exchange, moment)
                    if isLast {
                        try exchange.setToken(remote.token(afterPush: exchange.token()))
                    }
                    try exchange.saveSilently()
                }
            }
            refused += answered.filter { $0.1 == .mismatch }.map(\.0)
            for (edit, answer) in answered where answer != .mismatch {
                // What the remote does not have and does not get.
                if answer == .deleted, edit.href == nil { continue }
                report.counts[edit.key.entity, default: .init()].sent += 1
            }
        }
        return refused
    }

    /// What differs from its base, and when that was looked up.
    ///
    /// Each batch is a transaction; the last one notes the place of the survey.
    private func survey(_ remote: String) throws -> ([RemoteEdit], Date) {
        let start = Date()
        try retrying { try beforeReading?() }
        let place = try coordinator.currentHistoryToken()
        let (keys, isMoved) = try candidates(Exchange(self, remote))
        let stamps = LocalStamps(coordinator, author: author)
        var edits: [RemoteEdit] = []
        var rest = keys.sorted { $0.name < $1.name }[...]
        repeat {
            let batch = rest.prefix(SyncEngine.batch)
            rest = rest.dropFirst(SyncEngine.batch)
            let isLast = rest.isEmpty
            edits += try retrying {
                let exchange = Exchange(self, remote, stamps: stamps)
                let found = try survey(batch, exchange)
                if isLast, isMoved { try exchange.setSurveyed(place, at: start) }
                try exchange.saveSilently()
                return found
            }
        } while !rest.isEmpty
        return (edits, start)
    }

    /// The objects that may differ from their bases, and whether the place of the survey is to be noted.
    private func candidates(_ exchange: Exchange) throws -> (keys: Set<SyncKey>, isMoved: Bool) {
        if let changed = try changedKeys(exchange) {
            let dirty = try exchange.baseKeys(where: "isDirty", is: .bool(true))
            // A place is a write, so it stays where it is as long as little has happened since.
            let isMoved = !changed.keys.isEmpty || changed.transactions > SyncEngine.reread
            return (changed.keys.union(dirty), isMoved)
        }
        return (Set(try exchange.baseKeys() + exchange.objects.allKeys()), true)
    }

    private func survey(
        _ keys: some Collection<SyncKey>,
        _ exchange: Exchange
    ) throws -> [RemoteEdit] {
        let objects = exchange.objects
        try exchange.findBases(keys)
        try objects.find(keys)
        let ours = try exchange.values(of: keys)
        try exchange.findOthers(keys)
        var edits: [RemoteEdit] = []
        for key in keys {
            let edit = try self.edit(key, ours[key], exchange)
            if let edit { edits.append(edit) }
            if let record = edit?.record {
                let base = try exchange.base(key, kind: record.kind)
                (base.sent, base.isDirty) = (record, true)
            } else if let base = exchange.bases[key] {
                let isHeld = objects[key] == nil && isHeld(base, exchange)
                if edit == nil, objects[key] == nil, base.sent == nil, !isHeld {
                    exchange.dropBase(key)
                    continue
                }
                base.isDirty = edit != nil || isHeld
            }
            try exchange.bases[key]?.store()
        }
        return edits
    }

    /// The objects that were changed here since the last survey; `nil` if the history does not tell.
    private func changedKeys(
        _ exchange: Exchange
    ) throws -> (keys: Set<SyncKey>, transactions: Int)? {
        guard let place = try exchange.surveyed() else { return nil }
        var request = HistoryRequest()
        request.after = place
        let history: HistoryResult
        do {
            history = try coordinator.history(request)
        } catch let error as ObjectGraphError where error.code == .historyExpired {
            return nil
        }
        var keys: Set<SyncKey> = []
        var ids: Set<ManagedObjectID> = []
        var named: Set<ManagedObjectID> = []
        var new: Set<ManagedObjectID> = []
        for transaction in history.transactions
        // What a pull has changed is noted in the bases.
        where transaction.author != author || transaction.contextName != exchange.remote {
            for change in transaction.changes {
                ids.insert(change.objectID)
                if change.kind == .insert { new.insert(change.objectID) }
                let entry = coordinator.model.entity(of: change.objectID)
                    .flatMap { schema.entity(of: $0) }
                if let entry, change.updatedProperties.contains(entry.identity) {
                    named.insert(change.objectID)
                }
                // A change of pairs is reported from one side.
                for members in [change.addedMembers, change.removedMembers] {
                    for list in members.values { ids.formUnion(list) }
                }
                guard change.kind == .delete, !change.isErased,
                    let entry, !entry.isImplied
                else {
                    if change.isErased { return nil }
                    continue
                }
                let name = change.oldValues[entry.identity].flatMap { LocalObjects.name($0) }
                if let name { keys.insert(SyncKey(entity: entry.name, name: name)) }
            }
        }
        // A reference to what had no name counted as none.
        ids.formUnion(try exchange.objects.referring(to: named, orNew: new))
        keys.formUnion(try exchange.objects.keys(of: ids))
        return (keys, history.transactions.count)
    }

    /// The edit of an object that differs from its base; `nil` if it does not.
    private func edit(
        _ key: SyncKey,
        _ values: [String: SyncValue]?,
        _ exchange: Exchange
    ) throws -> RemoteEdit? {
        let base = exchange.bases[key]
        guard let object = exchange.objects[key], let values else {
            guard let base, let version = base.version, !isHeld(base, exchange) else {
                return nil
            }
            return RemoteEdit(key, record: nil, href: base.href, version: version)
        }
        var record = SyncRecord(key, kind: object.entity.name, extra: base?.record.extra)
        var isChanged = base?.version == nil
        var agreed = base?.record ?? SyncRecord(key)
        for (property, rule) in exchange.objects.properties(of: object) {
            let name = property.name
            if base != nil, agreed.values[name] == nil {
                agreed.values[name] = exchange.objects.initial(property, rule)
            }
            isChanged = isChanged || agreed.values[name] != values[name] ?? .null
        }
        for unit in schema.units(of: object.entity) {
            let stamped = try exchange.stamped(unit, values, agreed, key)
            for (property, value) in unit.parts(stamped.value) {
                record.set(property.name, StampedValue(value, stamped.stamp))
            }
        }
        guard isChanged else { return nil }
        let edit = record.compacted()
        return RemoteEdit(key, record: edit, href: base?.href, version: base?.version)
    }

    /// Whether a deletion was followed from another remote that was not asked since.
    ///
    /// Somebody who did not know of it may have brought the object there again.
    private func isHeld(_ base: SyncBase, _ exchange: Exchange) -> Bool {
        guard let followed = base.followed else { return false }
        return abs(exchange.start.timeIntervalSince(followed.date)) < SyncEngine.longestHold
    }

    private func acknowledge(
        _ answers: [(RemoteEdit, RemoteAnswer)],
        _ exchange: Exchange,
        _ moment: Date
    ) throws {
        try exchange.findBases(answers.map(\.0.key))
        for (edit, answer) in answers {
            switch answer {
            case .mismatch: break
            case .deleted: exchange.dropBase(edit.key)
            case .stored(let href, let version):
                guard let record = edit.record else { continue }
                let base = try exchange.base(edit.key, kind: record.kind)
                (base.record, base.sent, base.isDirty) = (record, nil, false)
                (base.href, base.version) = (href, version)
                base.carried = SyncRecord(edit.key)
                base.moment = moment
                try base.store()
            }
        }
    }
}
