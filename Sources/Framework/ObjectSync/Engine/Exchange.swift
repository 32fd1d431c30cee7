import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore

/// The work of one transaction with a remote: the objects here, and what was agreed about them.
final class Exchange {
    let engine: SyncEngine
    let remote: String
    let context: ManagedObjectContext
    let objects: LocalObjects
    let stamps: LocalStamps
    /// When the transaction began: what changes here from now on is not part of it.
    let start = Date()
    private(set) var bases: [SyncKey: SyncBase] = [:]
    private var isLookedUp: Set<SyncKey> = []
    /// The earliest date at which one of the bases was agreed.
    private var earliest = Date.distantFuture
    private var stateRow: ManagedObject?
    /// The bases of other remotes.
    private(set) var others: [String: [SyncKey: SyncBase]] = [:]

    /// Several exchanges may have the stamps in common, and so read the history once.
    init(_ engine: SyncEngine, _ remote: String, stamps: LocalStamps? = nil) {
        self.engine = engine
        self.remote = remote
        context = ManagedObjectContext(coordinator: engine.coordinator)
        context.undoManager = nil
        context.mergePolicy = .error
        context.transactionAuthor = engine.author
        context.retainsRegisteredObjects = true
        objects = LocalObjects(context, engine.schema)
        self.stamps = stamps ?? LocalStamps(engine.coordinator, author: engine.author)
    }

    // MARK: Bases

    /// Reads the bases of some objects.
    func findBases(_ keys: some Sequence<SyncKey>) throws {
        let texts = keys.filter { isLookedUp.insert($0).inserted }
            .map { GraphValue.string(SyncBase.text($0, remote)) }
        for start in stride(from: 0, to: texts.count, by: LocalObjects.batch) {
            let part = Array(texts[start..<min(texts.count, start + LocalObjects.batch)])
            _ = try fetchBases(
                .comparison(FetchComparison(.keyPath("key"), .in, .constant(.array(part))))
            )
        }
    }

    /// Reads the bases that meet a condition.
    @discardableResult
    func fetchBases(_ condition: FetchPredicate) throws -> [SyncBase] {
        var request = FetchRequest<ManagedObject>(entityName: SyncModel.base)
        request.predicate = condition
        request.returnsObjectsAsFaults = false
        return try context.fetch(request).map { row in
            let base = try SyncBase(row)
            if let known = bases[base.key] { return known }
            bases[base.key] = base
            isLookedUp.insert(base.key)
            if base.version != nil { earliest = min(earliest, base.moment) }
            return base
        }
    }

    /// Reads all bases of the remote, or those with an attribute that meets a condition.
    @discardableResult
    func fetchBases(
        _ key: String? = nil,
        _ operator: FetchComparison.Operator = .equal,
        _ value: GraphValue = .null
    ) throws -> [SyncBase] {
        try fetchBases(condition(key, `operator`, value))
    }

    private func condition(
        _ key: String?,
        _ operator: FetchComparison.Operator,
        _ value: GraphValue
    ) -> FetchPredicate {
        let own = FetchPredicate.comparison(
            FetchComparison(.keyPath("remote"), .equal, .constant(.string(remote)))
        )
        guard let key else { return own }
        return own && .comparison(FetchComparison(.keyPath(key), `operator`, .constant(value)))
    }

    /// Some attributes of the bases that meet a condition, without the bases.
    func attributes(
        _ names: String...,
        where key: String? = nil,
        _ operator: FetchComparison.Operator = .equal,
        _ value: GraphValue = .null
    ) throws -> [[String: GraphValue]] {
        var request = FetchRequest<[String: GraphValue]>(entityName: SyncModel.base)
        request.predicate = condition(key, `operator`, value)
        request.propertiesToFetch = names.map { .init($0) }
        return try context.fetch(request)
    }

    /// The objects whose bases meet a condition.
    func baseKeys(where key: String? = nil, is value: GraphValue = .null) throws -> [SyncKey] {
        try attributes("key", where: key, .equal, value).compactMap { row in
            guard case .string(let text)? = row["key"] else { return nil }
            return SyncBase.key(text, remote)
        }
    }

    /// Reads what was agreed with other remotes about some objects: who has pulled a value from one
    /// finds there when it was given.
    func findOthers(_ keys: some Collection<SyncKey>) throws {
        for name in try otherRemotes() where others[name] == nil {
            let other = Exchange(engine, name)
            try other.findBases(keys)
            others[name] = other.bases
            try objects.find(other.bases.flatMap { targets(of: $1, in: objects[$0]) })
        }
    }

    private func otherRemotes() throws -> [String] {
        let states = try context.fetch(FetchRequest<ManagedObject>(entityName: SyncModel.state))
        return try states.compactMap { state in
            guard case .string(let name) = try state.value(forKey: "remote") else { return nil }
            return name == remote ? nil : name
        }
    }

    /// Notes that objects were deleted here because the remote has them no more: other remotes get that
    /// later.
    func noteFollowed(_ keys: Set<SyncKey>) throws {
        for (name, bases) in others {
            let texts = keys.filter { bases[$0]?.version != nil }
                .map { GraphValue.string(SyncBase.text($0, name)) }
            for start in stride(from: 0, to: texts.count, by: LocalObjects.batch) {
                let part = Array(texts[start..<min(texts.count, start + LocalObjects.batch)])
                let condition = FetchComparison(.keyPath("key"), .in, .constant(.array(part)))
                try follow((remote, self.start), .comparison(condition)) { _ in true }
            }
        }
    }

    /// Lets other remotes get the deletions that were followed before: the remote was asked again.
    func releaseFollowed() throws {
        if try otherRemotes().isEmpty { return }
        let condition = FetchComparison(.keyPath("carried"), .notEqual, .constant(.null))
        try follow(nil, .comparison(condition)) { $0.followed?.remote == remote }
    }

    private func follow(
        _ followed: (remote: String, date: Date)?,
        _ condition: FetchPredicate,
        _ isMeant: (SyncBase) -> Bool
    ) throws {
        var request = FetchRequest<ManagedObject>(entityName: SyncModel.base)
        request.predicate = condition
        for row in try context.fetch(request) {
            let base = try SyncBase(row)
            guard isMeant(base) else { continue }
            (base.followed, base.isDirty) = (followed, true)
            try base.store()
        }
    }

    /// The base of an object; a new one if there is none.
    func base(_ key: SyncKey, kind: String) throws -> SyncBase {
        if let base = bases[key] { return base }
        let base = try SyncBase(key, kind: kind, remote: remote, in: context)
        bases[key] = base
        isLookedUp.insert(key)
        return base
    }

    func dropBase(_ key: SyncKey) {
        bases.removeValue(forKey: key)?.delete(in: context)
    }

    // MARK: Values

    /// The values of some objects, with references to what does not exist here.
    ///
    /// A reference of the base that a property lacks only because nothing has this name counts as
    /// there: nobody has removed it.
    func values(of keys: some Collection<SyncKey>) throws -> [SyncKey: [String: SyncValue]] {
        var result: [SyncKey: [String: SyncValue]] = [:]
        var absent: [(key: SyncKey, relationship: RelationshipDescription, target: SyncKey)] = []
        for key in keys {
            guard let object = objects[key] else { continue }
            let values = try objects.values(of: object)
            result[key] = values
            guard let base = bases[key] else { continue }
            for (name, value) in base.record.values {
                let missing = value.references
                if missing.isEmpty { continue }
                guard
                    let relationship = object.entity.property(named: name)
                        as? RelationshipDescription,
                    relationship.isToMany || values[name] == .null
                else { continue }
                let present = Set((values[name] ?? .null).references)
                for name in missing where !present.contains(name) {
                    guard let target = target(name, of: relationship, in: base) else { continue }
                    absent.append((key, relationship, target))
                }
            }
        }
        try objects.find(absent.map(\.target))
        for (key, relationship, target) in absent {
            let waiting = SyncBase.WaitingReference(
                property: relationship.name,
                name: target.name
            )
            guard let base = bases[key], isAbsent(target, of: relationship, in: base) else {
                continue
            }
            if base.waiting.insert(waiting).inserted { try base.store() }
            let value = result[key]?[relationship.name] ?? .null
            result[key]?[relationship.name] = value.adding(
                .reference(target.name),
                as: base.record.values[relationship.name] ?? .null
            )
        }
        return result
    }

    /// What a reference of a base leads to, unless a deletion here removes the reference.
    private func target(
        _ name: String,
        of relationship: RelationshipDescription,
        in base: SyncBase
    ) -> SyncKey? {
        guard let target = objects.key(name, of: relationship),
            let entry = engine.schema.byName[target.entity],
            // The deletion of a tag removes it from everything.
            !entry.isImplied,
            !entry.endsReferences
                || base.waiting.contains(.init(property: relationship.name, name: name))
        else { return nil }
        return target
    }

    /// Whether a property lacks a reference of a base only because nothing had its name.
    private func isAbsent(
        _ target: SyncKey,
        of relationship: RelationshipDescription,
        in base: SyncBase
    ) -> Bool {
        objects[target] == nil
            || base.waiting.contains(.init(property: relationship.name, name: target.name))
    }

    /// What the references of a base lead to.
    private func targets(of base: SyncBase, in object: ManagedObject?) -> [SyncKey] {
        [base.record, base.carried].flatMap(\.values).flatMap { name, value -> [SyncKey] in
            let property = object?.entity.property(named: name)
            guard let relationship = property as? RelationshipDescription else { return [] }
            return value.references.compactMap { target($0, of: relationship, in: base) }
        }
    }

    /// Whether a value here is one that a base has, but for references to what does not exist here.
    ///
    /// One remote may have such references that another one has lost.
    private func isSame(
        _ value: SyncValue,
        _ other: SyncValue?,
        _ property: String,
        _ object: ManagedObject,
        _ base: SyncBase
    ) throws -> Bool {
        guard let other, value != other,
            let relationship = object.entity.property(named: property) as? RelationshipDescription
        else { return value == other }
        let members = try objects.members(object, property).compactMap { try objects.key(of: $0) }
        let present = Set(members.map(\.name))
        let absent = other.references.filter { name in
            guard let target = target(name, of: relationship, in: base) else { return false }
            return !present.contains(name) && isAbsent(target, of: relationship, in: base)
        }
        let waiting = value.references.filter { !present.contains($0) }
        return value.removing(waiting) == other.removing(absent)
    }

    /// When a property was changed here.
    func stamp(_ property: String, _ value: SyncValue, _ key: SyncKey) throws -> Date {
        if let base = bases[key], base.carried.values[property] == value {
            return base.carried[property].stamp
        }
        guard let object = objects[key] else { return start }
        let since = bases[key]?.version == nil ? min(earliest, try moment()) : earliest
        var date: Date?
        switch stamps.change(of: property, in: object.objectID, since: since) {
        case .edit(let edited):
            // Whoever changes a value that was given by a clock that is ahead changes it later.
            let known = ([bases[key]] + others.values.map { $0[key] }).compactMap { $0 }
            let now = edited + engine.clockOffset
            let sent = try known.first {
                try $0.record[property].stamp >= now
                    && isSame(value, $0.record.values[property], property, object, $0)
            }
            if let sent { return sent.record[property].stamp }
            let group = engine.schema.group(of: property, in: object.entity)
            return known.flatMap { base in
                group.map { base.record[$0].stamp + ValueMerge.step }
            }.reduce(now, max)
        case .pull(let remote):
            if let base = others[remote]?[key] {
                for record in [base.carried, base.record]
                where try isSame(value, record.values[property], property, object, base) {
                    return record[property].stamp
                }
            }
        case nil: break
        }
        if date == nil, let modified = engine.schema.entity(of: object.entity)?.modified,
            case .date(let stamp) = try object.value(forKey: modified)
        {
            date = stamp
        }
        return (date ?? start) + engine.clockOffset
    }

    /// A value here, and when it was given: what is as it was agreed has the agreed time.
    func stamped(
        _ unit: MergeUnit,
        _ values: [String: SyncValue],
        _ agreed: SyncRecord,
        _ key: SyncKey
    ) throws -> StampedValue {
        try unit.value { name in
            let value = values[name] ?? .null
            if agreed.values[name] == value { return agreed[name] }
            return StampedValue(value, try stamp(name, value, key))
        }
    }

    /// Notes which of the changed objects differ from their bases: the next push sends them.
    func noteWhatDiffers() throws {
        let changed = try context.updatedObjects.compactMap { try objects.key(of: $0) }
        try findBases(changed)
        try objects.find(changed)
        for (key, values) in try values(of: changed) {
            guard let base = bases[key], let object = objects[key], !base.isDirty else { continue }
            base.isDirty = objects.properties(of: object).contains { property, rule in
                let initial = objects.initial(property, rule)
                return (base.record.values[property.name] ?? initial) != values[property.name]
            }
            if base.isDirty { try base.store() }
        }
    }

    // MARK: Saving

    /// The row about the remote itself; a new one if there is none.
    func state() throws -> ManagedObject {
        if let known = stateRow { return known }
        var request = FetchRequest<ManagedObject>(entityName: SyncModel.state)
        request.predicate = .comparison(
            FetchComparison(.keyPath("remote"), .equal, .constant(.string(remote)))
        )
        let saved = try context.fetch(request).first
        let row = try saved ?? context.insert(entityNamed: SyncModel.state)
        if saved == nil { try row.setValue(.string(remote), forKey: "remote") }
        stateRow = row
        return row
    }

    /// The token up to which the remote's changes are known.
    func token() throws -> String? {
        if case .string(let token) = try state().value(forKey: "token") { return token }
        return nil
    }

    /// Where the last survey of what has changed here was; `nil` before the first one.
    func surveyed() throws -> HistoryToken? {
        guard case .data(let data) = try state().value(forKey: "surveyed") else { return nil }
        return try? JSONDecoder().decode(HistoryToken.self, from: data)
    }

    /// When that was: what has no base was made later.
    private func moment() throws -> Date {
        if case .date(let date) = try state().value(forKey: "moment") { return date }
        return .distantPast
    }

    func setSurveyed(_ token: HistoryToken?, at date: Date) throws {
        let data = try token.map { GraphValue.data(try JSONEncoder().encode($0)) }
        try state().setValue(data ?? .null, forKey: "surveyed")
        try state().setValue(token == nil ? .null : .date(date), forKey: "moment")
    }

    func setToken(_ token: String?) throws {
        let value = token.map { GraphValue.string($0) } ?? .null
        if try state().value(forKey: "token") != value {
            try state().setValue(value, forKey: "token")
        }
    }

    /// Saves what is not a user's step.
    func saveSilently() throws {
        var info = TransactionInfo()
        info.kind = .silent
        info.contextName = remote
        try context.save(info)
    }
}

extension SyncValue {
    /// The value with a reference that it lacks: in a list behind what is before it in another one.
    func adding(_ reference: SyncValue, as other: SyncValue) -> SyncValue {
        switch self {
        case .set(let members): return .set(members.union([reference]))
        case .list(let members):
            if members.contains(reference) { return self }
            let before = other.elements.prefix { $0 != reference }.last { members.contains($0) }
            let place = before.flatMap { members.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            return .list(members[..<place] + [reference] + members[place...])
        case .null: return reference
        default: return self
        }
    }

    /// The value without references.
    func removing(_ names: [String]) -> SyncValue {
        let references = Set(names.map { SyncValue.reference($0) })
        return switch self {
        case .set(let members): .set(members.subtracting(references))
        case .list(let members): .list(members.filter { !references.contains($0) })
        default: references.contains(self) ? .null : self
        }
    }
}
