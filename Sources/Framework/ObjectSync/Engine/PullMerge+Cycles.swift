import FoundationEssentials
import ObjectContext
import ObjectModel

// Two replicas may each move an object below the other one, which neither could see. Of the references
// of such a circle the one that was set last is refused: it becomes `nil`, which the next push sends,
// and the reference is kept as a conflict. Every replica that sees the circle refuses the same one,
// because the stamps are those of the records.

extension PullMerge {
    /// Breaks the circles in which references that were set take part.
    mutating func breakCycles() throws {
        for (key, property) in linked.sorted(by: { $0.key.name < $1.key.name }) {
            let entry = exchange.engine.schema.byName[key.entity]
            guard entry?.acyclic.contains(property) ?? false else { continue }
            while let circle = try circle(from: key, property) { try refuse(circle, property) }
        }
    }

    /// The objects of the circle to which a reference leads; `nil` if there is none.
    private func circle(from key: SyncKey, _ property: String) throws -> [SyncKey]? {
        var path: [ManagedObject] = []
        var seen: Set<ManagedObject> = []
        var next = exchange.objects[key]
        while let object = next {
            guard seen.insert(object).inserted else {
                let start = path.firstIndex(of: object) ?? 0
                return try path[start...].compactMap { try exchange.objects.key(of: $0) }
            }
            path.append(object)
            if object.entity.property(named: property) == nil { break }
            next = try exchange.objects.members(object, property).first
        }
        return nil
    }

    private mutating func refuse(_ circle: [SyncKey], _ property: String) throws {
        try exchange.objects.find(circle)
        try exchange.findBases(circle)
        var edges: [(key: SyncKey, value: StampedValue)] = []
        for key in circle {
            guard let object = exchange.objects[key] else { continue }
            let value = try exchange.objects.values(of: object)[property] ?? .null
            let base = exchange.bases[key]?.record
            let stamp =
                base?.values[property] == value
                ? base?[property].stamp : try exchange.stamp(property, value, key)
            edges.append((key, StampedValue(value, stamp ?? exchange.start)))
        }
        let last = edges.max {
            $0.value.stamp != $1.value.stamp
                ? $0.value.stamp < $1.value.stamp : $0.key.name < $1.key.name
        }
        guard let last, let object = exchange.objects[last.key] else { return }
        try object.setValue(.null, forKey: property)
        exchange.bases[last.key]?.carried.set(property, StampedValue(.null, last.value.stamp))
        exchange.bases[last.key]?.isDirty = true
        exchange.bases[last.key]?.waiting = (exchange.bases[last.key]?.waiting ?? [])
            .filter { $0.property != property }
        updated.insert(last.key)
        add(last.key, property, last.value, isOurs: false)
    }
}
