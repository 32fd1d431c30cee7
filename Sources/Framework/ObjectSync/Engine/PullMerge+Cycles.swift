import FoundationEssentials
import ObjectContext
import ObjectModel

// Two replicas may each move an object below the other one, which neither could see. Of the references
// of such a circle the one that was set last is refused: the property loses it, which the next push
// sends, and keeps its former value as a conflict. Every replica that sees the circle refuses the same
// one, because the stamps are those of the records. Of a relationship to many the stamp is that of all
// its references.

/// Where the references of objects lead.
private typealias Ways = [ManagedObject: Set<ManagedObject>]

extension PullMerge {
    /// Breaks the circles in which references that were set take part.
    mutating func breakCycles() throws {
        let schema = exchange.engine.schema
        let kept = linked.filter {
            schema.byName[$0.key.entity]?.acyclic.contains($0.property) == true
        }
        let starts = Dictionary(grouping: kept, by: \.property).sorted { $0.key < $1.key }
        for (property, links) in starts {
            var ways = try ways(from: Set(links.compactMap { exchange.objects[$0.key] }), property)
            // What leads nowhere is in no circle, nor is that to which nothing leads.
            ways = ways.withoutEnds().reversed.withoutEnds().reversed
            if !ways.isEmpty { try breakCycles(property, ways) }
        }
    }

    private func ways(from starts: Set<ManagedObject>, _ property: String) throws -> Ways {
        var ways: Ways = [:]
        var next = starts
        while !next.isEmpty {
            let objects = exchange.objects
            try objects.find(objects.keys(of: Set(next.filter(\.isFault).map(\.objectID))))
            for object in next {
                let hasProperty = object.entity.property(named: property) != nil
                ways[object] = hasProperty ? Set(try objects.members(object, property)) : []
            }
            next = Set(next.flatMap { ways[$0] ?? [] }.filter { ways[$0] == nil })
        }
        return ways
    }

    /// Refuses references, the latest first, until no circle is left.
    private mutating func breakCycles(_ property: String, _ ways: Ways) throws {
        var keys: [SyncKey: ManagedObject] = [:]
        for object in ways.keys { try exchange.objects.key(of: object).map { keys[$0] = object } }
        try exchange.findBases(keys.keys)
        let values = try exchange.values(of: keys.keys)
        var edges: [(source: SyncKey, target: SyncKey, stamp: Date)] = []
        for (key, object) in keys {
            let value = values[key]?[property] ?? .null
            let base = exchange.bases[key]?.record
            let stamp =
                base?.values[property] == value
                ? base?[property].stamp : try exchange.stamp(property, value, key)
            for target in ways[object] ?? [] {
                guard let target = try exchange.objects.key(of: target) else { continue }
                edges.append((key, target, stamp ?? exchange.start))
            }
        }
        var ways = ways
        edges.sort {
            ($0.stamp, $0.source.name, $0.target.name) > ($1.stamp, $1.source.name, $1.target.name)
        }
        for edge in edges {
            guard let source = keys[edge.source], let target = keys[edge.target],
                ways.lead(from: target, to: source)
            else { continue }
            ways[source]?.remove(target)
            try refuse(edge.target, of: source, edge.source, property, edge.stamp)
        }
    }

    private mutating func refuse(
        _ target: SyncKey,
        of object: ManagedObject,
        _ key: SyncKey,
        _ property: String,
        _ stamp: Date
    ) throws {
        let value = try exchange.values(of: [key])[key]?[property] ?? .null
        let rest = value.removing([target.name])
        let members = try exchange.objects.members(object, property)
            .filter { $0 !== exchange.objects[target] }.map { GraphValue.object($0) }
        let relationship = object.entity.property(named: property) as? RelationshipDescription
        let isToMany = relationship?.isToMany ?? false
        try object.setValue(isToMany ? .array(members) : .null, forKey: property)
        if let base = exchange.bases[key] {
            // It is later than what it replaces, also where that comes back from another remote.
            base.carried.set(property, StampedValue(rest, stamp + ValueMerge.step))
            base.isDirty = true
            base.waiting.remove(.init(property: property, name: target.name))
        }
        updated.insert(key)
        add(key, property, StampedValue(value, stamp), isOurs: false)
    }
}

extension Ways {
    /// The same without those that lead nowhere, and without those that lead only to such.
    fileprivate func withoutEnds() -> Ways {
        var (result, sources) = (self, reversed)
        var ends = Array(sources.keys.filter { self[$0]?.isEmpty ?? true })
        ends += keys.filter { sources[$0] == nil && self[$0]?.isEmpty ?? true }
        while let end = ends.popLast() {
            result[end] = nil
            for source in sources.removeValue(forKey: end) ?? [] {
                result[source]?.remove(end)
                if result[source]?.isEmpty ?? false { ends.append(source) }
            }
        }
        return result
    }

    /// The ways back.
    fileprivate var reversed: Ways {
        reduce(into: [:]) { result, way in
            for target in way.value { result[target, default: []].insert(way.key) }
        }
    }

    fileprivate func lead(from start: ManagedObject, to end: ManagedObject) -> Bool {
        var seen: Set<ManagedObject> = [start]
        var next = [start]
        while let object = next.popLast() {
            if object === end { return true }
            next += (self[object] ?? []).filter { seen.insert($0).inserted }
        }
        return false
    }
}
