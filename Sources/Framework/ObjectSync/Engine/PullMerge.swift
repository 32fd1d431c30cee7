import FoundationEssentials
import ObjectContext
import ObjectModel

// A pull, in this order, because later steps need what earlier ones have made:
//   1. `take`: which objects have changed there; those whose version is known are left out;
//   2. `merge`: what is new is made, attributes are merged and set;
//   3. references are set, once everything that they may lead to is there; what they lead to and is
//      not there waits, and what waited for something that is there now is linked;
//   4. what is gone there and unchanged here is deleted;
//   5. circles are broken (`PullMerge+Cycles`).

/// Merges changes of a remote into the objects of a context.
struct PullMerge {
    let exchange: Exchange
    private var items: [SyncKey: RemoteItem] = [:]
    private var gone: Set<SyncKey> = []
    private var links: [(SyncKey, RelationshipDescription, SyncValue)] = []
    /// Objects that were deleted here and are there again, because they were changed there.
    private var revived: Set<SyncKey> = []
    /// What the object that is being merged gets.
    private var merged: [String: SyncValue] = [:]
    /// The object that is being merged.
    private(set) var current: SyncKey?
    /// The references that were set and may be part of a circle.
    var linked: [(key: SyncKey, property: String)] = []

    var inserted: Set<SyncKey> = []
    var updated: Set<SyncKey> = []
    var deleted: Set<SyncKey> = []
    var conflicts: [SyncConflict] = []

    var hasChanged: Bool {
        inserted.count + updated.count + deleted.count + conflicts.count > 0
    }

    init(_ exchange: Exchange) { self.exchange = exchange }

    private var objects: LocalObjects { exchange.objects }

    // MARK: 1

    /// Leaves out what the model has refused: it stays as it is.
    mutating func take(_ changes: RemoteChanges, without refused: Set<SyncKey>) throws {
        for item in changes.items { items[item.record.key] = item }
        try exchange.findBases(items.keys)
        if changes.isComplete {
            try exchange.fetchBases("version", .notEqual)
        } else if !changes.removed.isEmpty {
            for start in stride(from: 0, to: changes.removed.count, by: LocalObjects.batch) {
                let end = min(changes.removed.count, start + LocalObjects.batch)
                let hrefs = changes.removed[start..<end].map { GraphValue.string($0) }
                try exchange.fetchBases("href", .in, .array(hrefs))
            }
        }
        let removed = Set(changes.removed)
        for (key, base) in exchange.bases where items[key] == nil && base.version != nil {
            if changes.isComplete || base.href.map(removed.contains) ?? false { gone.insert(key) }
        }
        // A version may be made of the content alone, so that a moved object has the same.
        items = items.filter { key, item in
            !refused.contains(key)
                && exchange.bases[key].map { $0.version != item.version || $0.href != item.href }
                    ?? true
        }
        let keys = gone.union(items.keys)
        try objects.find(keys)
        var targets: [SyncKey] = []
        for item in items.values {
            let entity = exchange.context.model.entity(named: item.record.kind)
            for (name, value) in item.record.values {
                let relationship = entity?.property(named: name) as? RelationshipDescription
                guard let relationship else { continue }
                targets += value.references.compactMap { objects.key($0, of: relationship) }
            }
        }
        try objects.find(targets)
        if changes.hasMore { return }
        // What was sent, did not arrive and was deleted here meanwhile.
        for base in try exchange.fetchBases("version", .equal) where base.sent != nil {
            try objects.find([base.key])
            if objects[base.key] == nil, items[base.key] == nil { exchange.dropBase(base.key) }
        }
    }

    // MARK: 2

    mutating func merge() throws {
        let keys = gone.union(items.keys)
        let ours = try exchange.values(of: keys)
        try exchange.findOthers(keys)
        for (key, item) in items.sorted(by: { $0.key.name < $1.key.name }) {
            current = key
            try merge(item, ours[key] ?? [:])
        }
        current = nil
        try link()
        try linkWhatWaited()
        for key in gone.sorted(by: { $0.name < $1.name }) { try remove(key, ours[key] ?? [:]) }
        try exchange.noteFollowed(deleted)
        try breakCycles()
        for base in exchange.bases.values { try base.store() }
        for conflict in conflicts { try conflict.insert(into: exchange.context) }
    }

    private mutating func merge(_ item: RemoteItem, _ ours: [String: SyncValue]) throws {
        let key = item.record.key
        let known = exchange.bases[key]
        let object = objects[key]
        let entity = object?.entity ?? exchange.context.model.entity(named: item.record.kind)
        let properties = exchange.engine.schema.properties(of: entity)
        let units = exchange.engine.schema.units(of: entity)
        var theirs = item.record
        var old = known?.record ?? SyncRecord(key)
        var silent: Set<String> = []
        for (property, rule) in properties {
            let name = property.name
            if let value = theirs.values[name] {
                theirs.values[name] = try objects.normal(value, property)
                if old.values[name] == nil { old.values[name] = objects.initial(property, rule) }
            } else {
                // It says nothing about the property.
                silent.insert(name)
                if old.values[name] != nil { theirs.set(name, old[name]) }
            }
        }
        // What we have sent is what they have: the answer was lost.
        for unit in units {
            let names = unit.properties.map(\.name).filter { !silent.contains($0) }
            guard let sent = known?.sent, names.allSatisfy({ sent.values[$0] == theirs.values[$0] })
            else { continue }
            for name in names { old.set(name, theirs[name]) }
        }
        let isChanged = theirs.values.contains { old.values[$0] != $1 }
        var isDirty = false
        merged = [:]
        if object == nil, known != nil, !isChanged {
            // It was deleted here, and nobody has changed it there.
            isDirty = true
        } else if let object {
            let base = try exchange.base(key, kind: theirs.kind)
            base.carried = try merge(units, object, old, ours, theirs)
            isDirty = properties.contains { property, _ in
                guard let their = theirs.values[property.name] else { return false }
                return their != (merged[property.name] ?? ours[property.name])
            }
        } else {
            if known != nil { revived.insert(key) }
            known?.followed = nil
            let object = try objects.make(key, kind: theirs.kind)
            inserted.insert(key)
            for (property, rule) in properties {
                guard let value = theirs.values[property.name] else { continue }
                if value == objects.initial(property, rule) { continue }
                try write(value, object, property, key)
            }
        }
        let base = try exchange.base(key, kind: theirs.kind)
        (base.record, base.sent, base.isDirty) = (theirs, nil, isDirty)
        (base.href, base.version) = (item.href, item.version)
        base.moment = exchange.start
    }

    /// Merges the properties of an object that is here and there.
    ///
    /// - Returns: the values that neither side had with that stamp.
    private mutating func merge(
        _ units: [MergeUnit],
        _ object: ManagedObject,
        _ old: SyncRecord,
        _ ours: [String: SyncValue],
        _ theirs: SyncRecord
    ) throws -> SyncRecord {
        let key = theirs.key
        var carried = SyncRecord(key)
        for var unit in units {
            unit.properties.removeAll {
                theirs.values[$0.name] == nil || ours[$0.name] == nil
            }
            if unit.properties.isEmpty { continue }
            let (base, their) = (unit.value { old[$0] }, unit.value { theirs[$0] })
            let mine = unit.value { StampedValue(ours[$0] ?? .null, .distantPast) }.value
            if mine == their.value { continue }
            if mine == base.value, isStale(their, base, key) {
                // It comes from another remote that has an older value.
                for (property, value) in unit.parts(mine) {
                    carried.set(property.name, StampedValue(value, base.stamp))
                    merged[property.name] = value
                }
                if unit.rule == .value || unit.rule == .text {
                    add(key, unit, their, isOurs: false)
                }
                continue
            }
            let isPending = mine != base.value
            let isConflict = isPending && their.value != base.value
            let merge = ValueMerge(
                base: base.value,
                ours: isPending
                    ? try exchange.stamped(unit, ours, old, key)
                    : StampedValue(mine, .distantPast),
                theirs: their,
                rule: isConflict ? rule(unit, base.value, mine, their.value, key) : unit.rule
            )
            if let loser = merge.loser { add(key, unit, loser, isOurs: merge.isLoserOurs) }
            for (property, value) in unit.parts(merge.merged.value) {
                let name = property.name
                // What is agreed is so from now on; what is not sent yet was changed before.
                if isPending, merge.merged.value != their.value {
                    carried.set(name, StampedValue(value, merge.merged.stamp))
                }
                merged[name] = value
                if value != ours[name] {
                    try write(value, object, property, key)
                    updated.insert(key)
                } else if isConflict {
                    linked.append((key, name))
                }
            }
        }
        return carried
    }

    /// Whether a remote's value is older than the one that it has replaced.
    ///
    /// A program with a slow clock does that; only where values go from one remote to another do they
    /// come back.
    private func isStale(_ value: StampedValue, _ former: StampedValue, _ key: SyncKey) -> Bool {
        hasOthers(key) && former.isLater(than: value)
    }

    /// Whether another remote has an object too.
    private func hasOthers(_ key: SyncKey) -> Bool {
        exchange.others.values.contains { $0[key] != nil }
    }

    /// The rule for what both sides have changed.
    ///
    /// Between remotes that share several stores an element or a line that was removed and the same one
    /// that was not would follow each other for ever: then the later value counts, as a whole.
    private func rule(
        _ unit: MergeUnit,
        _ base: SyncValue,
        _ mine: SyncValue,
        _ their: SyncValue,
        _ key: SyncKey
    ) -> MergeRule {
        guard hasOthers(key) else { return unit.rule }
        switch unit.rule {
        case .set, .list:
            let kept = Set(mine.elements).intersection(their.elements)
            return kept.isSuperset(of: base.elements) ? unit.rule : .value
        case .text:
            guard case .string(let old) = base else { return .text }
            let isKept = [mine, their].allSatisfy { value in
                if case .string(let text) = value {
                    TextMerge.keepsLines(of: old, text)
                } else {
                    false
                }
            }
            return isKept ? .text : .value
        case .value, .latest: return unit.rule
        }
    }

    private mutating func write(
        _ value: SyncValue,
        _ object: ManagedObject,
        _ property: PropertyDescription,
        _ key: SyncKey
    ) throws {
        if let relationship = property as? RelationshipDescription {
            links.append((key, relationship, value))
        } else {
            try objects.write(value, object, property.name)
        }
    }

    private mutating func add(
        _ key: SyncKey,
        _ unit: MergeUnit,
        _ loser: StampedValue,
        isOurs: Bool
    ) {
        for (property, value) in unit.parts(loser.value) {
            add(key, property.name, StampedValue(value, loser.stamp), isOurs: isOurs)
        }
    }

    mutating func add(_ key: SyncKey, _ property: String, _ loser: StampedValue, isOurs: Bool) {
        conflicts.append(
            SyncConflict(
                key: key,
                property: property,
                value: loser.value,
                stamp: loser.stamp,
                remote: exchange.remote,
                isOurs: isOurs,
                date: exchange.start,
                id: nil
            )
        )
    }

    // MARK: 3

    private mutating func link() throws {
        for (key, relationship, value) in links {
            guard let object = objects[key] else { continue }
            let missing = try objects.link(value, object, relationship)
            linked.append((key, relationship.name))
            guard let base = exchange.bases[key] else { continue }
            base.waiting = base.waiting.filter { $0.property != relationship.name }
            for name in missing {
                base.waiting.insert(.init(property: relationship.name, name: name))
            }
        }
    }

    /// Links what could not be linked before and can be now.
    private mutating func linkWhatWaited() throws {
        try exchange.fetchBases("waiting", .notEqual)
        if !revived.isEmpty {
            // A deletion here has taken the references to the object away.
            for base in try exchange.fetchBases() {
                for (property, value) in base.record.values {
                    let names = value.references.filter { name in
                        revived.contains { $0.name == name }
                    }
                    for name in names where items[base.key] == nil {
                        base.waiting.insert(.init(property: property, name: name))
                    }
                }
            }
        }
        let waiting = exchange.bases.values.filter { !$0.waiting.isEmpty }
        try objects.find(waiting.map(\.key))
        var due: [(SyncBase, SyncBase.WaitingReference, RelationshipDescription, SyncKey)] = []
        for base in waiting {
            guard let object = objects[base.key] else { continue }
            for reference in base.waiting.sorted(by: { $0.name < $1.name }) {
                let property = object.entity.property(named: reference.property)
                guard let relationship = property as? RelationshipDescription,
                    let target = objects.key(reference.name, of: relationship),
                    base.record.values[reference.property]?.references.contains(reference.name)
                        ?? false
                else {
                    // Somebody has replaced the reference.
                    base.waiting.remove(reference)
                    continue
                }
                due.append((base, reference, relationship, target))
            }
        }
        try objects.find(due.map(\.3))
        for (base, reference, relationship, target) in due {
            guard objects[target] != nil, let object = objects[base.key] else { continue }
            base.waiting.remove(reference)
            let now = try objects.values(of: object)[relationship.name] ?? .null
            let old = base.record.values[relationship.name] ?? .null
            let new = now.adding(.reference(reference.name), as: old)
            if new == now { continue }
            _ = try objects.link(new, object, relationship)
            linked.append((base.key, relationship.name))
            updated.insert(base.key)
        }
    }

    // MARK: 4

    private mutating func remove(_ key: SyncKey, _ ours: [String: SyncValue]) throws {
        guard let base = exchange.bases[key] else { return }
        guard let object = objects[key] else { return exchange.dropBase(key) }
        let properties = objects.properties(of: object)
        let isEdited = properties.contains { property, rule in
            let old = base.record.values[property.name] ?? objects.initial(property, rule)
            return ours[property.name] != old
        }
        if isEdited {
            // It comes back whole with the next push.
            base.record = SyncRecord(key, kind: base.record.kind, extra: base.record.extra)
            (base.href, base.version, base.sent, base.isDirty) = (nil, nil, nil, true)
            return
        }
        let referring = try objects.referring(to: object).filter { !gone.contains($0.key) }
        try exchange.findBases(referring.map(\.key))
        for (key, property) in referring {
            exchange.bases[key]?.waiting.insert(.init(property: property, name: base.key.name))
        }
        try objects.delete(key)
        exchange.dropBase(key)
        deleted.insert(key)
    }
}
