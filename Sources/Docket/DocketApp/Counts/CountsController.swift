import CivilTime
import DocketCore
import FoundationEssentials
import ObjectGraph

// Everything is counted once, on another thread after the first frame. Later changes come from the
// history, and from the clock; see `CountChanges`. Everything is counted again only if the history
// does not reach back, or if reading it would cost more. Until that has ended the counts do not
// change.

/// The number of open items of each list, updated after saves here and elsewhere.
final class CountsController: ChangeFollower {
    private let library: Library
    private let background: Background
    private lazy var changes = CountChanges(library)
    private(set) var counts: [Scope: Int] = [:]
    private var tally: CountTally?
    /// The moment for which the lists with dates are counted; `nil` before that has begun.
    var clock: DateContext? { tally?.clock ?? firstClock }
    private var firstClock: DateContext?
    private var counting: SnapshotTask<CountTally>?
    /// A time in which no date of a task passes that a list compares with the moment; `nil` if that is
    /// not known.
    var quietTime: Range<Date>?
    /// Whether something may have been saved since the tally was made.
    private var isStale = false
    /// When everything is counted next, if that is necessary.
    private var nextCount: ContinuousClock.Instant? = .now

    /// The pause between two counts of everything.
    private static let pause = Duration.seconds(1)

    init(library: Library, background: Background) {
        self.library = library
        self.background = background
    }

    func follow(_ change: ObjectsDidChange) { isStale = true }
    func follow(_ save: ContextDidSave) { isStale = true }

    /// Whether there is work between events.
    var hasWork: Bool {
        if let counting { return counting.isDone }
        guard let nextCount else { return false }
        return nextCount <= .now && background.isFree
    }

    /// When there will be work; `nil` also while something else is read, whose end wakes the loop.
    var deadline: ContinuousClock.Instant? {
        counting == nil && background.isFree ? nextCount : nil
    }

    /// The approximate number of items of a scope; `nil` if it is not counted, or not yet.
    func expectedCount(of scope: Scope) -> Int? {
        guard tally != nil else { return nil }
        if case .smart(let list) = scope, !list.isCounted || list.isCountedBySearch { return nil }
        return counts[scope] ?? 0
    }

    /// Starts counting everything, or takes the result; returns whether there is one.
    func work() -> Bool {
        guard let result = counting?.result else {
            if counting == nil { begin() }
            return false
        }
        counting = nil
        // An error leaves counts out; the lists themselves report it. A server comes back.
        guard case .success(let tally) = result else {
            if library.isOnServer { recount() }
            return false
        }
        self.tally = tally
        isStale = true
        update()
        return true
    }

    private func begin() {
        nextCount = nil
        let clock = library.clock()
        firstClock = firstClock ?? clock
        counting = background.start("counts") { try CountTally(in: $0, clock) }
    }

    /// Counts everything again as soon as possible.
    private func recount() {
        if counting == nil { nextCount = nextCount ?? .now + Self.pause }
    }

    /// Adds the saves since the last call, here or elsewhere.
    ///
    /// Cost: nothing if there were none.
    func update() {
        guard isStale else { return }
        isStale = false
        change { changes, tally, clock in
            let counted = tally.transaction
            guard try changes.bringUpToDate(&tally) else { return false }
            if let quietTime, quietTime.contains(tally.clock.now), quietTime.contains(clock.now),
                clock.zone.isSame(as: tally.clock.zone)
            {
                tally.clock = clock
                return true
            }
            // A saved item may be due at the moment for which the rest is counted.
            return counted == tally.transaction ? true : try changes.move(&tally, to: clock)
        }
    }

    /// Counts the items that have become due since.
    func moveClock() {
        isStale = false
        change { changes, tally, clock in
            guard try changes.bringUpToDate(&tally) else { return false }
            return try changes.move(&tally, to: clock)
        }
    }

    private func change(
        _ body: (CountChanges, inout CountTally, DateContext) throws -> Bool
    ) {
        guard var tally else { return }
        guard (try? body(changes, &tally, library.clock())) ?? false else { return recount() }
        self.tally = tally
        counts = tally.counts
    }
}
