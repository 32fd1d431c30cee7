import ObjectModel
public import Observation
import Synchronization

// Objects as the language's own observation sees them: what is read inside of
// `withObservationTracking` is observed by key, once.

/// `withObservationTracking` sees reads of objects whose context says so; see
/// ``ManagedObjectContext/tracksObservation``.
///
///     withObservationTracking {
///         footer = "\(list.name): \(list.openCount)"
///     } onChange: {
///         redrawLater()
///     }
extension ManagedObject: Observable {}

extension ManagedObject {
    /// Every slot as a property, so that it has a key path.
    fileprivate subscript(tracked slot: Int) -> Int { slot }

    /// Tells whoever tracks reads on this thread that a slot is read.
    final func noteTrackedRead(_ slot: Int) {
        guard TrackingProbe.isTracking, let owner, flags & ObjectFlags.detached == 0 else { return }
        owner.trackedReads.reads(of: self).note(slot)
    }
}

extension ManagedObjectContext {
    /// Puts the mark on the objects that are there already, or takes it off.
    func markForTracking() {
        for object in identity.objects {
            object.flags = object.flags & ~ObjectFlags.tracked | readMark
        }
        if !tracksObservation { trackedReads = TrackedObjects() }
    }
}

/// The objects of a context of which somebody tracks reads.
struct TrackedObjects {
    private var byObject: [ObjectIdentifier: TrackedReads] = [:]
    /// At so many, those are looked for that are gone.
    private var limit = 64

    mutating func reads(of object: ManagedObject) -> TrackedReads {
        if let reads = byObject[ObjectIdentifier(object)], reads.object === object { return reads }
        if byObject.count >= limit {
            byObject = byObject.filter { $0.value.object != nil }
            limit = max(64, 2 * byObject.count)
        }
        let reads = TrackedReads(object)
        byObject[ObjectIdentifier(object)] = reads
        return reads
    }

    mutating func remove(_ object: ManagedObject) {
        byObject[ObjectIdentifier(object)] = nil
    }
}

/// The reads of one object that somebody tracks, each observed until it changes.
final class TrackedReads {
    private(set) weak var object: ManagedObject?
    private let registrar = ObservationRegistrar()
    private var observations: [Int: KeyValueObservation?] = [:]
    /// The slots of which it was said that they will change.
    private var announced: Set<Int> = []

    init(_ object: ManagedObject) { self.object = object }

    func note(_ slot: Int) {
        guard let object else { return }
        registrar.access(object, keyPath: \.[tracked: slot])
        if observations[slot] != nil { return }
        // Observing reads the value: that read is known by then.
        observations[slot] = .some(nil)
        let key = object.entity.slots[slot].name
        observations[slot] = try? object.observe(key, options: .prior) {
            [weak self] object, change in
            self?.tell(object, slot, isPrior: change.isPrior)
        }
    }

    /// Who tracks hears once, and looks again; so the observation ends with the first change.
    private func tell(_ object: ManagedObject, _ slot: Int, isPrior: Bool) {
        if isPrior {
            announced.insert(slot)
            return registrar.willSet(object, keyPath: \.[tracked: slot])
        }
        // Of a refresh or a merge it is known only afterwards whether values differ.
        if announced.remove(slot) == nil {
            registrar.willSet(object, keyPath: \.[tracked: slot])
        }
        registrar.didSet(object, keyPath: \.[tracked: slot])
        (observations.removeValue(forKey: slot) ?? nil)?.invalidate()
        if observations.isEmpty {
            object.owner?.trackedReads.remove(object)
        }
    }
}

/// Whether the running code is inside of `withObservationTracking`.
///
/// Observation does not say so. But what is read there goes into a set of key paths, and a set
/// hashes: a key path whose argument is hashed is being tracked. Another thread that tracks at the
/// same moment may be taken for this one; that costs a needless observation, and does no harm.
private final class TrackingProbe: Sendable {
    private struct Argument: Hashable {
        func hash(into hasher: inout Hasher) {
            TrackingProbe.shared.hits.add(1, ordering: .relaxed)
        }
    }

    private final class Subject: Observable, Sendable {
        fileprivate subscript(_ argument: Argument) -> Int { 0 }
    }

    private static let shared = TrackingProbe()

    private let hits = Atomic<Int>(0)
    private let subject = Subject()
    // Constants of an object are read where they are, without counting references.
    private let registrar = ObservationRegistrar()
    // Key paths are immutable.
    nonisolated(unsafe) private let keyPath: KeyPath<Subject, Int> = \.[Argument()]

    static var isTracking: Bool { shared.isTracking }

    private var isTracking: Bool {
        let before = hits.load(ordering: .relaxed)
        registrar.access(subject, keyPath: keyPath)
        return hits.load(ordering: .relaxed) != before
    }
}
