import ObjectContext
import ObjectModel
import SeededRandom
import Testing

/// What a path shows, by way of an observer, and what it would show to one who looks.
private final class Watched {
    let object: ManagedObject
    let path: String
    private var token: KeyValueObservation?
    /// What the observer was told last, put together from the changes.
    private(set) var shown: Shown
    /// What does not fit together in what was told.
    private(set) var faults: [String] = []
    private(set) var tellings = 0
    /// Whether the object has left its context, so that nothing can be told.
    private var isAway = false
    /// What was seen: a fault that nobody holds is another instance next time.
    private var seen: [any KeyValueCoding] = []

    init(_ object: ManagedObject, _ path: String) throws {
        self.object = object
        self.path = path
        let value = try object.value(forKeyPath: path)
        shown = Shown(value)
        keep(value)
        token = try object.observe(path, options: [.old, .new]) { [weak self] _, change in
            self?.take(change)
        }
    }

    private func keep(_ value: GraphValue) {
        if case .object(let object) = value { seen.append(object) }
        for member in value.elements ?? [] { keep(member) }
    }

    private func take(_ change: KeyValueChange) {
        tellings += 1
        keep(change.newValue ?? .null)
        let before = shown
        switch change.kind {
        case .setting:
            shown = Shown(change.newValue ?? .null)
            let old = Shown(change.oldValue ?? .null)
            if old != before { faults.append("\(change.kind): old is \(old), shown was \(before)") }
        case .insertion: shown.insert(Shown(change.newValue ?? .null), change.indexes)
        case .removal: shown.remove(Shown(change.oldValue ?? .null), change.indexes)
        case .replacement:
            shown.remove(Shown(change.oldValue ?? .null), change.indexes)
            shown.insert(Shown(change.newValue ?? .null), change.indexes)
        }
    }

    /// Looks: what differs from what was shown, if anything.
    func check(in context: ManagedObjectContext) throws -> [String] {
        defer { faults = [] }
        guard object.context === context, !object.isDeleted else {
            isAway = true
            return []
        }
        let value = try object.value(forKeyPath: path)
        keep(value)
        let now = Shown(value)
        if isAway {
            // What happened meanwhile was not told.
            isAway = false
            shown = now
            return []
        }
        var found = faults
        if now != shown { found.append("shown \(shown), but is \(now)") }
        shown = now
        return found.map { "\(object.entity.name).\(path): \($0)" }
    }
}

/// A value by the instances in it, which stay the same when identities become permanent.
private enum Shown: Equatable, CustomStringConvertible {
    case one(String)
    case ordered([Shown])
    case unordered([String])

    init(_ value: GraphValue) {
        switch value {
        case .object(let object):
            self = .one("\(UInt(bitPattern: ObjectIdentifier(object).hashValue))")
        case .array(let values): self = .ordered(values.map { Shown($0) })
        case .set(let values): self = .unordered(values.map { "\(Shown($0))" }.sorted())
        default: self = .one("\(value)")
        }
    }

    var description: String {
        switch self {
        case .one(let text): text
        case .ordered(let members): "(\(members.map(\.description).joined(separator: ", ")))"
        case .unordered(let members): "{\(members.joined(separator: ", "))}"
        }
    }

    mutating func insert(_ new: Shown, _ indexes: RangeSet<Int>?) {
        switch (self, new) {
        case (.ordered(var members), .ordered(let joined)):
            let places = (indexes ?? RangeSet()).ranges.flatMap { Array($0) }
            for (place, member) in zip(places, joined) where place <= members.count {
                members.insert(member, at: place)
            }
            self = .ordered(members)
        case (.unordered(let members), .unordered(let joined)):
            self = .unordered((members + joined).sorted())
        default: self = .one("insertion into \(self)")
        }
    }

    mutating func remove(_ old: Shown, _ indexes: RangeSet<Int>?) {
        switch (self, old) {
        case (.ordered(let members), .ordered(let left)):
            let places = indexes ?? RangeSet()
            let kept = members.indices.filter { !places.contains($0) }.map { members[$0] }
            let gone = members.indices.filter { places.contains($0) }.map { members[$0] }
            self = gone == left ? .ordered(kept) : .one("removal of \(left) from \(self)")
        case (.unordered(var members), .unordered(let left)):
            for member in left {
                guard let index = members.firstIndex(of: member) else { continue }
                members.remove(at: index)
            }
            self = .unordered(members)
        default: self = .one("removal from \(self)")
        }
    }
}

/// Random key paths along a model.
private struct RandomPaths {
    var random: SeededRandom

    mutating func path(from start: EntityDescription) -> String {
        var entity = start
        var keys: [String] = []
        var isMany = false
        // Of members of members, operators get collections, of which no number can be made.
        var isNested = false
        for _ in 0..<random.below(4) {
            let relationships = entity.relationships.filter { $0.destination != nil }
            guard let next = random.draw(relationships), let destination = next.destination else {
                break
            }
            keys.append(next.name)
            isNested = isNested || isMany && next.isToMany
            isMany = isMany || next.isToMany
            entity = destination
        }
        let attributes = entity.attributes.filter { !$0.isTransient }
        let numbers = attributes.filter { $0.type.isNumeric }.map(\.name)
        switch random.below(4) {
        case 0 where isMany: keys.append("@count")
        case 1 where isMany && !isNested && !numbers.isEmpty:
            keys += [random.pick(["@sum", "@avg", "@min", "@max"]), random.pick(numbers)]
        case 2 where isMany && !isNested && !attributes.isEmpty:
            keys += ["@distinctUnionOfObjects", random.pick(attributes.map(\.name))]
        case 3 where !keys.isEmpty: break
        default: keys.append(random.pick(entity.slotNames))
        }
        return keys.joined(separator: ".")
    }
}

extension EntityDescription {
    /// The attributes that stores keep, and the relationships.
    fileprivate var slotNames: [String] {
        attributes.filter { !$0.isTransient }.map(\.name) + relationships.map(\.name)
    }
}

@Suite("Random observations")
struct ObservingPropertyTests {
    /// Random graphs, paths and edits, with undo, refresh, deletion, saves and merges: whoever
    /// looks after each event sees what the observers were told, and each change says what was
    /// shown before.
    @Test(arguments: SeededRandom.seeds(40))
    func observersAreToldOfEveryDifference(_ seed: UInt64) throws { _ = try tellings(seed) }

    /// What would make the test above say nothing.
    @Test func observersAreToldAtAll() throws {
        #expect(try (1...10).reduce(0) { try $0 + tellings($1) } > 100)
    }

    /// Runs one seed; returns how often observers were told.
    private func tellings(_ seed: UInt64) throws -> Int {
        let context = try TestGraph.context()
        context.mergePolicy = .mergeByPropertyObjectTrump
        context.undoManager = UndoManager()
        var graph = RandomGraph(context, seed: seed)
        for _ in 0..<6 { try graph.edit() }
        try context.save()
        var paths = RandomPaths(random: SeededRandom(seed: seed &+ 11))
        var watched: [Watched] = []
        var tellings = 0
        for step in 0..<40 {
            while watched.count < 25 {
                let living = graph.objects.filter { $0.context === context && !$0.isDeleted }
                guard let object = paths.random.draw(living) else { break }
                watched.append(try Watched(object, paths.path(from: object.entity)))
            }
            let name = try act(&graph, &paths.random)
            for one in watched {
                let found = try one.check(in: context)
                #expect(found == [], "seed \(seed), step \(step): \(name)")
            }
            watched.removeAll { one in
                guard paths.random.chance(8) else { return false }
                tellings += one.tellings
                return true
            }
        }
        return tellings + watched.reduce(0) { $0 + $1.tellings }
    }

    /// One event; returns what it was.
    private func act(_ graph: inout RandomGraph, _ random: inout SeededRandom) throws -> String {
        let context = graph.context
        switch random.below(14) {
        case 0:
            try context.undo()
            return "undo"
        case 1:
            try context.redo()
            return "redo"
        case 2:
            let living = graph.objects.filter { $0.context === context }
            guard let object = random.draw(living) else { return "nothing" }
            // Dropping changes brings links to objects back whose deletion is still pending.
            let merges = random.chance(2) || !context.deletedObjects.isEmpty
            context.refresh(object, mergeChanges: merges)
            context.processPendingChanges()
            return "refresh of \(object), merging: \(merges)"
        case 3:
            context.refreshAllObjects()
            return "refresh of all"
        case 4:
            context.rollback()
            return "rollback"
        case 5, 6:
            do {
                try context.save()
            } catch let error as ObjectGraphError {
                // An object that somebody else has deleted, and of which nothing was read here.
                context.rollback()
                return "save that was refused: \(error.message)"
            }
            return "save"
        case 7, 8:
            return try merge(graph, &random)
        default:
            try graph.edit()
            context.processPendingChanges()
            context.undoManager?.endEvent()
            return "edit"
        }
    }

    /// Another context changes and saves something; this one takes it over.
    private func merge(_ graph: RandomGraph, _ random: inout SeededRandom) throws -> String {
        let other = graph.context.sibling()
        let saved = try other.all("Employee")
        guard let employee = random.draw(saved) else { return "nothing" }
        employee["name"] = .string("m\(random.below(5))")
        if random.chance(2) {
            let department = random.draw(try other.all("Department"))
            employee["department"] = department.map { .object($0) } ?? .null
        }
        if random.chance(4), let gone = random.draw(try other.all("Project")) { other.delete(gone) }
        let center = other.notifications
        let token = center.addObserver(of: ContextDidSave.self, from: other) {
            graph.context.mergeChanges(from: $0)
        }
        defer { center.removeObserver(token) }
        try other.save()
        return "merge"
    }
}
