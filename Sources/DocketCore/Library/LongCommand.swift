import FoundationEssentials
package import ObjectGraph

/// A command that is too large for one transaction, done in parts that are one step of undo.
///
/// ```
/// running ──advance()…──▶ finished                 the step is in the history as a whole
///    └──cancel()──▶ takingBack ──advance()…──▶ takenBack     nothing is different
/// ```
/// Until it ends, the store says what is under way (``UnfinishedCommand``), so that after a crash
/// it can be finished or taken back as a whole. Parts are saved from contexts of their own: the
/// library's context and the screen hear of nothing until ``Library/takeOverLongCommand()``.
///
/// 1. Doing a part again changes nothing: an item that is as it should be is left alone.
/// 2. The first part writes the marker, the last one takes it away.
/// 3. What others change meanwhile stays; a command that others undo meanwhile stops.
package final class LongCommand {
    package enum State: Sendable {
        case running
        case takingBack
        case finished
        case takenBack
    }

    /// What is done in parts.
    enum Work {
        case change(ItemChange, [ManagedObjectID])
        /// Inverts the transactions of a step, newest first.
        case inversion(HistoryStep, TransactionInfo.Kind)
    }

    /// How many bytes of rows are kept meanwhile: those of a part are not needed again.
    private static let rowBytes = 16 << 20

    private let library: Library
    private let work: Work
    /// As undo calls it: `Complete 1000000 Tasks`.
    package let name: String
    package private(set) var state = State.running
    /// Whether it is small enough for one transaction, which nothing can cut off.
    package let isWhole: Bool
    /// How much is done, of ``total``: items, or transactions of an undo.
    package private(set) var done = 0
    package private(set) var total: Int
    /// How many items were changed.
    package private(set) var changed = 0
    /// What keeps an undo from being done; it is taken back then.
    package private(set) var conflict: HistoryConflict?
    /// What the command is about, for messages.
    let kind: StepSubject.Kind
    private let now: Date
    /// The first transaction of the step that is being written; `nil` before it.
    private var group: Int64?
    /// The transactions written so far, oldest first.
    private var written: [Int64] = []
    /// What is inverted: by an undo, or to take a command back.
    private var inverted: (step: HistoryStep, info: TransactionInfo)?
    /// The group that the marker in the store names.
    private var marked: Int64?
    private var isResumed = false
    private var touched: [ManagedObjectID] = []
    /// The size of the row cache before; `nil` while nothing is prepared.
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
            isWhole = ids.count <= library.largestChange
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

    /// Goes on with a command that was cut off.
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
        // Parts that had nothing to change wrote nothing: at least so many are done.
        let size = isInversion ? 1 : library.partSize
        done = min(written.count * size, total)
        if !isInversion { changed = done }
    }

    package var isEnded: Bool { state == .finished || state == .takenBack }

    /// Whether it undoes or does again, which changes what the step is called.
    package var isInversion: Bool {
        if case .inversion = work { return true }
        return false
    }

    /// The step, once it is finished and has changed something.
    package var step: SavedStep? {
        guard state == .finished, let group, !isInversion, changed > 0 else { return nil }
        let subject = StepSubject(kind, count: changed, title: nil)
        return SavedStep(name: name, transaction: group, subject: subject)
    }

    /// Does the next part; returns whether that was the last.
    ///
    /// - Throws: what a save throws; nothing of this part was written then, and what was done
    ///   before stays until it is taken back.
    package func advance() throws -> Bool {
        try prepare()
        // What others saved is newer than the rows in memory.
        try library.refresh()
        switch state {
        case .running:
            if case .change(let change, let ids) = work {
                try advance(change, ids)
            } else {
                try advanceInversion(.finished)
            }
        case .takingBack: try advanceInversion(.takenBack)
        case .finished, .takenBack: break
        }
        return isEnded
    }

    /// Takes back what was done: the parts that follow do that.
    package func cancel() {
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

    /// What a search has to look at again.
    package enum SearchEffect {
        case none
        /// Which items there are, and the texts of these.
        case items([ManagedObjectID])
        case everything
    }

    package var searchEffect: SearchEffect {
        switch work {
        case .change(let change, let ids):
            switch change {
            case .complete, .reopen, .due, .start, .priority, .flag: return .none
            case .trash, .restore: return .items([])
            case .list, .tags: return .items(ids)
            }
        case .inversion: return isWhole ? .items(touched) : .everything
        }
    }

    /// Does all that is left.
    package func run() throws {
        defer { leave() }
        while try !advance() {}
    }

    /// Ends the use of the store for large saves; to be called if nobody goes on with it.
    package func leave() {
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

    private func advance(_ change: ItemChange, _ ids: [ManagedObjectID]) throws {
        try checkUndisturbed()
        let size = isWhole ? ids.count : library.partSize
        let part = ids[done..<min(done + size, ids.count)]
        let scratch = library.makeScratch()
        guard !part.isEmpty else { return try finish(.finished, 0) }
        let items = try scratch.objects(
            Item.self,
            with: part,
            prefetching: change.readKeyPaths
        )
        let prepared = try change.prepared(in: scratch, now: now)
        for item in items where !item.isDeleted { try prepared.apply(to: item) }
        let isLast = part.endIndex == ids.count
        if !isWhole { try mark(isLast ? nil : .running) }
        let count = items.count(where: \.hasPersistentChangedValues)
        var info = TransactionInfo()
        info.groupName = name
        info.continues = group
        let number = try scratch.save(info)
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
        // What others changed meanwhile stays as they want it when a command is taken back.
        let part = try library.makeScratch().invert(
            step.transactions[done],
            of: step,
            info,
            last == .finished && group == nil && !isResumed ? .refuse : .skip
        )
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
        // A last part that changed nothing wrote nothing, the marker's end included.
        if number == 0, !isWhole { try library.context.coordinator.removeMarker() }
        end(state)
    }

    private func note(_ number: Int64) {
        guard number > 0 else { return }
        group = group ?? number
        written.append(number)
        library.noteSaved(number)
    }

    /// Sets what the store says until the command ends, written by the next save.
    private func mark(_ phase: State?) throws {
        let coordinator = library.context.coordinator
        guard let phase else { return coordinator.setMetadata(nil, for: UnfinishedCommand.key) }
        // The first part writes the number that it will get; another process may be quicker.
        if let group, group == marked { return }
        let number = try group ?? library.latestTransaction() + 1
        marked = number
        var unfinished = UnfinishedCommand(name: name, kind: kind, group: number, now: now)
        unfinished.phase = phase == .takingBack ? .takingBack : .running
        if let inverted {
            unfinished.inverts = (inverted.info.kind, inverted.step.command)
            unfinished.transactions = inverted.step.transactions
            unfinished.drops = inverted.info.drops
        }
        if case .change(let change, let ids) = work, phase == .running {
            unfinished.change = change
            unfinished.ids = ids
        }
        coordinator.setMetadata(unfinished.value, for: UnfinishedCommand.key)
    }

    /// Stops if others saved something and the step is no longer there to be continued.
    private func checkUndisturbed() throws {
        guard let group, let last = written.last, try library.latestTransaction() != last else {
            return
        }
        if try library.undoSteps(limit: 100).contains(where: { $0.command == group }) { return }
        end(.takenBack)
        try library.context.coordinator.removeMarker()
        throw InputError(
            .conflict,
            "\"\(name)\" was undone elsewhere while it ran; it has stopped."
        )
    }
}

extension PersistentStoreCoordinator {
    fileprivate func removeMarker() throws {
        setMetadata(nil, for: UnfinishedCommand.key)
        try writeMetadata()
    }
}
