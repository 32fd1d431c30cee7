import CivilTime
import DocketFormats
import FoundationEssentials
public import ObjectGraph

/// A command that is too large for one transaction; its parts are one step of undo.
///
/// ```
/// running ──advance()…──▶ finished                 the step is in the history as a whole
///    └──cancel()──▶ takingBack ──advance()…──▶ takenBack     nothing is different
/// ```
/// Until it ends, the store has a record of it (``UnfinishedCommand``), so that after a crash it
/// can be finished or reverted as a whole. Each part is saved from a new context: the library's
/// context and the screen do not change until ``Library/takeOverLongCommand()``.
///
/// 1. Repeating a part changes nothing: an item that already has the wanted state is skipped.
/// 2. The first part writes the marker, the last one removes it.
/// 3. Changes of others in the meantime stay; the command stops if others undo it in the meantime.
public final class LongCommand {
    public enum State: Sendable {
        case running
        case takingBack
        case finished
        case takenBack
    }

    /// The work that is divided into parts.
    enum Work {
        case change([ItemChange], [ManagedObjectID])
        /// Inverts the transactions of a step, newest first.
        case inversion(HistoryStep, TransactionInfo.Kind)
    }

    /// How many bytes of rows are kept during the command: the rows of a part are not needed again.
    static let rowBytes = 16 << 20

    private let library: Library
    private let work: Work
    /// The name of the step: `Completed 1000000 tasks`; for an undo or redo that of the inverted
    /// step.
    public let name: String
    public private(set) var state = State.running
    /// Whether it is small enough for one transaction, which cannot be interrupted.
    public let isWhole: Bool
    /// The finished part of ``total``: items, or transactions of an undo.
    public private(set) var done = 0
    public private(set) var total: Int
    /// How many items were changed.
    public private(set) var changed = 0
    /// The conflict that prevents an undo; the command is then reverted.
    public private(set) var conflict: HistoryConflict?
    /// The kind of things that the command changes, for messages.
    let kind: StepSubject.Kind
    private let now: Date
    /// The first transaction of the step that is being written; `nil` before that.
    private var group: Int64?
    /// The transactions written so far, oldest first.
    private var written: [Int64] = []
    /// The step to invert: by an undo, or to revert a command.
    private var inverted: (step: HistoryStep, info: TransactionInfo)?
    /// The group in the store's marker.
    private var marked: Int64?
    private var isResumed = false
    private var touched: [ManagedObjectID] = []
    /// The former size of the row cache; `nil` while nothing is prepared.
    private var rowCacheLimit: Int?

    init(
        _ library: Library,
        _ work: Work,
        name: String,
        kind: StepSubject.Kind,
        drops: Bool = false
    ) {
        self.library = library
        self.work = work
        self.name = name
        self.kind = kind
        now = library.now
        switch work {
        case .change(_, let ids):
            total = ids.count
            isWhole = !library.isTooMuch(ids.count)
        case .inversion(let step, let kind):
            total = step.transactions.count
            isWhole = total == 1 && !drops
            var info = TransactionInfo()
            info.kind = kind
            info.target = step.command
            info.drops = drops
            inverted = (step, info)
        }
    }

    /// Continues an interrupted command.
    init(_ library: Library, resuming unfinished: UnfinishedCommand, _ work: Work) {
        self.library = library
        self.work = work
        isWhole = false
        name = unfinished.name
        kind = unfinished.kind
        now = unfinished.now
        group = unfinished.group
        switch work {
        case .change(_, let ids): total = ids.count
        case .inversion(let step, let kind):
            total = step.transactions.count
            var info = TransactionInfo()
            info.kind = kind
            info.target = step.command
            info.drops = unfinished.phase == .takingBack
            inverted = (step, info)
            if unfinished.phase == .takingBack { state = .takingBack }
        }
        written = (try? library.transactions(ofUnfinished: unfinished)) ?? []
        isResumed = true
        marked = group
        // Parts without a change wrote nothing: this is the least number of finished items.
        let size = isInversion ? 1 : library.partSize
        done = min(written.count * size, total)
        if !isInversion { changed = done }
    }

    public var isEnded: Bool { state == .finished || state == .takenBack }

    /// What it is doing, as the subject of a sentence: `Completing 23 tasks`, or
    /// `Undoing "Completed 23 tasks"`.
    public var title: String {
        guard case .inversion(_, let kind) = work else { return StepName.running(name) }
        return StepName.running(name, inverting: kind)
    }

    /// What it did, after it has finished: `Completed 23 tasks`, or `Undid: completed 23 tasks`.
    public var sentence: String {
        guard case .inversion(let step, let kind) = work else { return name }
        return step.sentence(undone: kind == .undo)
    }

    /// Whether it undoes or redoes.
    public var isInversion: Bool {
        if case .inversion = work { return true }
        return false
    }

    /// The step, after it has finished and changed something.
    public var step: SavedStep? {
        guard state == .finished, let group, !isInversion, changed > 0 else { return nil }
        let subject = StepSubject(kind, count: changed, title: nil)
        return SavedStep(name: name, transaction: group, subject: subject)
    }

    /// Runs the next part; returns whether it was the last.
    ///
    /// - Throws: the error of a save; nothing of this part was written then, and earlier parts stay
    ///   until they are reverted.
    public func advance() throws -> Bool {
        library.requireOutsideChange()
        try prepare()
        // The saves of others are newer than the rows in memory.
        try library.refresh()
        switch state {
        case .running:
            if case .change(let changes, let ids) = work {
                try advance(changes, ids)
            } else {
                try advanceInversion(.finished)
            }
        case .takingBack: try advanceInversion(.takenBack)
        case .finished, .takenBack: break
        }
        return isEnded
    }

    /// Reverts the finished parts: the following parts do that.
    public func cancel() {
        guard state == .running else { return }
        guard let group, !written.isEmpty else { return end(.takenBack) }
        let step = HistoryStep(
            command: inverted?.step.command ?? group,
            name: name,
            date: now,
            author: nil,
            transactions: written.reversed()
        )
        var info = TransactionInfo()
        info.target = step.command
        switch inverted?.info.kind {
        case nil:
            info.kind = .undo
            info.drops = true
        case .undo?:
            info.kind = .redo
            info.latest = inverted?.step.transactions.last
        default:
            info.kind = .undo
            info.latest = inverted?.step.transactions.last
        }
        inverted = (step, info)
        self.group = nil
        written = []
        done = 0
        total = step.transactions.count
        state = .takingBack
    }

    /// The data that a search has to read again.
    public enum SearchEffect {
        case none
        /// The set of items, and the texts of these.
        case items([ManagedObjectID])
        case everything
    }

    public var searchEffect: SearchEffect {
        switch work {
        case .change(let changes, let ids):
            var effect = SearchEffect.none
            for change in changes {
                switch change {
                case .due, .start, .shiftDue, .shiftStart, .postpone, .priority, .flag, .review,
                    .remind:
                    break
                // Next occurrences come and go.
                case .complete, .reopen, .trash, .restore, .purge: effect = .items([])
                default: return .items(ids)
                }
            }
            return effect
        case .inversion: return isWhole ? .items(touched) : .everything
        }
    }

    /// Runs all remaining parts; what is refused in words reverts those before.
    public func run() throws {
        defer { leave() }
        do {
            while try !advance() {}
        } catch let refusal as InputError where state == .running {
            cancel()
            while try !advance() {}
            throw refusal
        }
    }

    /// Ends the preparation of the store for large saves; call it if the command is not continued.
    public func leave() {
        guard let limit = rowCacheLimit else { return }
        rowCacheLimit = nil
        let coordinator = library.context.coordinator
        coordinator.rowCacheLimit = limit
        try? coordinator.setImporting(false)
    }

    // MARK: Parts

    private func prepare() throws {
        guard rowCacheLimit == nil, !isEnded, !isWhole else { return }
        let coordinator = library.context.coordinator
        try coordinator.setImporting(true)
        rowCacheLimit = coordinator.rowCacheLimit
        coordinator.rowCacheLimit = LongCommand.rowBytes
    }

    private func end(_ state: State) {
        self.state = state
        leave()
    }

    private func advance(_ changes: [ItemChange], _ ids: [ManagedObjectID]) throws {
        try checkUndisturbed()
        let size = isWhole ? ids.count : library.partSize
        let part = ids[done..<min(done + size, ids.count)]
        let scratch = library.makeScratch()
        guard !part.isEmpty else { return try finish(.finished, 0) }
        let items = try scratch.objects(
            Item.self,
            with: part,
            prefetching: changes.flatMap(\.readKeyPaths)
        )
        var clock = library.clock()
        clock.now = now
        try library.carryOut(changes, on: library.existing(items), in: scratch, at: clock)
        let isLast = part.endIndex == ids.count
        try library.runHooks(in: scratch)
        if !isWhole { try mark(isLast ? nil : .running) }
        let count = items.count { $0.hasPersistentChangedValues || $0.isDeleted }
        _ = try library.followLinks(in: scratch)
        var info = TransactionInfo()
        info.groupName = name
        info.continues = group
        // Next occurrences have numbers, which others may have taken.
        let number: Int64
        do {
            number = try library.save(scratch, info)
        } catch is Library.OccurrenceMovedOn {
            // The next call does this part on what the other program has saved.
            _ = try library.mergeOthers()
            return
        }
        note(number)
        changed += count
        done = part.endIndex
        if isLast { try finish(.finished, number) }
    }

    private func advanceInversion(_ last: State) throws {
        guard let (step, usual) = inverted else { return end(last) }
        let isLast = done + 1 >= step.transactions.count
        guard step.transactions.indices.contains(done) else { return try finish(last, 0) }
        var info = usual
        info.continues = group
        if !isWhole { try mark(isLast ? nil : state) }
        // While a command is reverted, the changes of others stay.
        let scratch = library.makeScratch()
        let policy: HistoryConflictPolicy =
            last == .finished && group == nil && !isResumed ? .refuse : .skip
        let part = try library.inverting(in: scratch) {
            try scratch.invert(step.transactions[done], of: step, info, policy)
        }
        if last == .finished, !isResumed, let first = part.conflicts.telling {
            conflict = first
            if part.transaction == nil, written.isEmpty {
                if !isWhole { try library.context.coordinator.removeMarker() }
                return end(.takenBack)
            }
            note(part.transaction ?? 0)
            return cancel()
        }
        note(part.transaction ?? 0)
        changed += part.touched.count
        if isWhole { touched = part.touched }
        done += 1
        if isLast { try finish(last, part.transaction ?? 0) }
    }

    private func finish(_ state: State, _ number: Int64) throws {
        // A last part without changes wrote nothing, so the marker is still there.
        if number == 0, !isWhole { try library.context.coordinator.removeMarker() }
        end(state)
    }

    private func note(_ number: Int64) {
        guard number > 0 else { return }
        group = group ?? number
        written.append(number)
    }

    /// Sets the store's record of the command; the next save writes it.
    private func mark(_ phase: State?) throws {
        let coordinator = library.context.coordinator
        guard let phase else { return coordinator.setMetadata(nil, for: UnfinishedCommand.key) }
        // The first part writes its expected number; another process may be faster.
        if let group, group == marked { return }
        // The save refuses a number behind the last one.
        let number = try group ?? library.latestTransaction() &+ 1
        marked = number
        var unfinished = UnfinishedCommand(name: name, kind: kind, group: number, now: now)
        unfinished.phase = phase == .takingBack ? .takingBack : .running
        if let inverted {
            unfinished.inverts = (inverted.info.kind, inverted.step.command)
            unfinished.transactions = inverted.step.transactions
            unfinished.drops = inverted.info.drops
        }
        if case .change(let changes, let ids) = work, phase == .running {
            (unfinished.changes, unfinished.ids) = (changes, ids)
        }
        coordinator.setMetadata(unfinished.value, for: UnfinishedCommand.key)
    }

    /// Stops if others have saved and the step can no longer be continued.
    private func checkUndisturbed() throws {
        guard let group, let last = written.last, try library.latestTransaction() != last else {
            return
        }
        if try library.undoSteps(limit: 100).contains(where: { $0.command == group }) { return }
        end(.takenBack)
        try library.context.coordinator.removeMarker()
        throw InputError(
            .conflict,
            "\(title) was undone by another program while it was running; it has stopped."
        )
    }
}

extension PersistentStoreCoordinator {
    fileprivate func removeMarker() throws {
        setMetadata(nil, for: UnfinishedCommand.key)
        try writeMetadata()
    }
}
