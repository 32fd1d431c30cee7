import DocketCore
import ObjectGraph

// All is counted once, on another thread after the first frame. From then on the history tells what
// changed, and the clock what has become due; see `CountChanges`. Only where the history cannot
// tell, or tells more than counting again would cost, is all counted again, and until that is done
// the counts stay as they are.

/// How many open items each list has, kept true by what is saved, here and elsewhere.
final class CountsController {
    private let library: Library
    private let background: Background
    private(set) var counts: [Scope: Int] = [:]
    private var tally: CountTally?
    private var counting: SnapshotTask<CountTally>?
    /// Whether something may have been saved since the tally was made.
    private var isStale = false
    /// When all is counted next, if that is necessary.
    private var nextCount: ContinuousClock.Instant? = .now
    private var observation: ContextObservation?

    /// The pause between one count of everything and the next.
    private static let pause = Duration.seconds(1)

    init(library: Library, background: Background) {
        self.library = library
        self.background = background
        observation = ContextObservation(
            library.context,
            didSave: { [weak self] _ in self?.isStale = true },
            didChange: { [weak self] _ in self?.isStale = true }
        )
    }

    /// Whether there is something to do between events.
    var hasWork: Bool {
        if let counting { return counting.isDone }
        guard let nextCount else { return false }
        return nextCount <= .now && background.isFree
    }

    /// When there will be something to do.
    var deadline: ContinuousClock.Instant? { counting == nil ? nextCount : nil }

    /// How many items a scope shows, roughly; `nil` where that is not counted, or not yet.
    func expectedCount(of scope: Scope) -> Int? {
        guard tally != nil else { return nil }
        if case .smart(let list) = scope, !CountTally.lists.contains(list) { return nil }
        return counts[scope] ?? 0
    }

    /// Begins to count everything, or takes what was counted.
    func work() {
        guard let counting else { return begin() }
        guard let result = counting.result else { return }
        self.counting = nil
        // Counts that cannot be had are left out; the lists themselves will tell why.
        guard case .success(let tally) = result else { return }
        self.tally = tally
        isStale = true
        update()
    }

    private func begin() {
        nextCount = nil
        let clock = library.clock()
        counting = background.start("counts") { try CountTally(in: $0, clock) }
    }

    /// Counts everything again as soon as there is time.
    private func recount() {
        if counting == nil { nextCount = nextCount ?? .now + Self.pause }
    }

    /// Adds what was saved since the last time, here or elsewhere.
    ///
    /// Cost: none if nothing was.
    func update() {
        guard isStale else { return }
        isStale = false
        change { changes, tally, clock in
            let counted = tally.transaction
            guard try changes.bringUpToDate(&tally) else { return false }
            // What was saved may be due by the moment that the rest is counted for.
            return counted == tally.transaction ? true : try changes.move(&tally, to: clock)
        }
    }

    /// Counts what has become due meanwhile.
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
        guard var tally, let changes = CountChanges(library) else { return }
        guard (try? body(changes, &tally, library.clock())) ?? false else { return recount() }
        self.tally = tally
        counts = tally.counts
    }
}
