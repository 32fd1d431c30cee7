import ObjectModel
public import Observation
import Synchronization

// Objects and Swift's Observation: a property that is read inside `withObservationTracking` is
// observed by key, once.

/// `withObservationTracking` tracks reads of objects whose context permits it; see
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

    /// Reports the read of a slot to the tracking code on this thread.
    final func noteTrackedRead(_ slot: Int) {
        guard TrackingProbe.isTracking, let owner, !state.isDetached else { return }
        owner.tracked.reads(of: self).note(slot)
    }
}

extension ManagedObjectContext {
    /// Whether `withObservationTracking` tracks reads of this context's objects, and reports their
    /// changes.
    ///
    /// False by default; true for a container's `viewContext`.
    ///
    /// Each property that was read is tracked: an edit, undo, merge or refresh of it is reported,
    /// an edit before it happens. Members that join or leave a to-many relationship change that
    /// relationship; changed values of its members do not.
    ///
    /// Cost: about 10 ns more for each read of a property, tracked or not; nothing elsewhere.
    public var tracksObservation: Bool {
        get { settings.tracksReads }
        set {
            if newValue == settings.tracksReads { return }
            settings.tracksReads = newValue
            tracked = TrackedObjects()
            for object in registry.objects { object.state.setTracksReads(newValue) }
        }
    }
}

/// The objects of a context with tracked reads.
struct TrackedObjects {
    private var byObject: [ObjectIdentifier: TrackedReads] = [:]
    /// At this number, released objects are removed.
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

/// The tracked reads of one object; each is observed until it changes.
final class TrackedReads {
    private(set) weak var object: ManagedObject?
    private let registrar = ObservationRegistrar()
    private var observations: [Int: KeyValueObservation?] = [:]
    /// The slots whose coming change was reported.
    private var announced: Set<Int> = []

    init(_ object: ManagedObject) { self.object = object }

    func note(_ slot: Int) {
        guard let object else { return }
        registrar.access(object, keyPath: \.[tracked: slot])
        if observations[slot] != nil { return }
        // Observing reads the value, and that read must not be tracked again.
        observations[slot] = .some(nil)
        let key = object.entity.slots[slot].name
        observations[slot] = try? object.observe(key, options: .prior) {
            [weak self] object, change in
            self?.tell(object, slot, isPrior: change.isPrior)
        }
    }

    /// The tracking code is notified once and then reads again, so the observation ends with the
    /// first change.
    private func tell(_ object: ManagedObject, _ slot: Int, isPrior: Bool) {
        if isPrior {
            announced.insert(slot)
            return registrar.willSet(object, keyPath: \.[tracked: slot])
        }
        // Only after a refresh or a merge is it known whether values differ.
        if announced.remove(slot) == nil {
            registrar.willSet(object, keyPath: \.[tracked: slot])
        }
        registrar.didSet(object, keyPath: \.[tracked: slot])
        (observations.removeValue(forKey: slot) ?? nil)?.invalidate()
        if observations.isEmpty {
            object.owner?.tracked.remove(object)
        }
    }
}

/// Whether the running code is inside `withObservationTracking`.
///
/// Observation does not offer this. But it collects the tracked reads in a set of key paths, and a
/// set hashes: a key path whose argument is hashed is being tracked. Tracking on another thread at
/// the same moment may be confused with this one; that costs an unneeded observation, and does no
/// harm.
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
    // Constants of an object are read in place, without counting references.
    private let registrar = ObservationRegistrar()
    // Safety: key paths are immutable.
    nonisolated(unsafe) private let keyPath: KeyPath<Subject, Int> = \.[Argument()]

    static var isTracking: Bool { shared.isTracking }

    private var isTracking: Bool {
        let before = hits.load(ordering: .relaxed)
        registrar.access(subject, keyPath: keyPath)
        return hits.load(ordering: .relaxed) != before
    }
}
