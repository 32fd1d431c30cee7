import FoundationEssentials
import ObjectModel
import ObjectStore

/// The commands that undo and redo offer, as far as a store knows them without asking.
struct KnownSteps {
    private struct Entry {
        var step: HistoryStep
        var state: CommandState
        /// The transaction that brought it to its state: the order of the steps.
        var latest: Int64
    }

    private struct Kind: Hashable {
        let state: CommandState
        let author: String?
    }

    private var entries: [Int64: Entry] = [:]
    /// All commands that were done or redone after this transaction are known.
    private var start: Int64
    /// All commands that were undone after this transaction are known.
    private var undoneStart: Int64
    /// Where this is known from an earlier transaction on, because the steps were read.
    private var starts: [Kind: Int64] = [:]

    init(after number: Int64 = 0) { (start, undoneStart) = (number, number) }

    /// The newest commands in a state, of one author or of all; `nil` if they are not all known.
    func newest(_ limit: Int, _ state: CommandState, by author: String?) -> [HistoryStep]? {
        let start = start(of: Kind(state: state, author: author))
        let known = entries.values
            .filter { entry in
                entry.state == state && entry.latest > start
                    && (author == nil || entry.step.author == author)
            }
            .sorted { $0.latest > $1.latest }
        if known.count < limit, start > 0 { return nil }
        return known.prefix(limit).map(\.step)
    }

    /// Notes commands that were read, the newest first.
    ///
    /// - Parameters:
    ///   - steps: the commands, each with what brought it to its state.
    ///   - state: their state.
    ///   - author: whose they are; `nil` for everybody's.
    ///   - isAll: whether there are no others.
    mutating func note(
        _ steps: [(step: HistoryStep, latest: Int64)],
        _ state: CommandState,
        by author: String?,
        isAll: Bool
    ) {
        for (step, latest) in steps {
            entries[step.command] = Entry(step: step, state: state, latest: latest)
        }
        let kind = Kind(state: state, author: author)
        let first = isAll ? 0 : (steps.last?.latest ?? 1) - 1
        starts[kind] = min(first, start(of: kind))
    }

    private func start(of kind: Kind) -> Int64 {
        starts[kind] ?? (kind.state == .undone ? undoneStart : start)
    }

    /// Follows a transaction of another session, of which the history tells less.
    mutating func add(_ read: HistoryTransaction) {
        if read.kind == .silent { return }
        guard read.kind == .command, read.group == read.number else {
            self = KnownSteps(after: read.number)
            return
        }
        // Whose undone commands it has dropped is not known.
        entries = entries.filter { $0.value.state != .undone }
        starts = starts.filter { $0.key.state != .undone }
        undoneStart = read.number
        let step = HistoryStep(
            command: read.number,
            name: read.groupName,
            date: read.date,
            author: read.author,
            transactions: [read.number]
        )
        entries[read.number] = Entry(step: step, state: .done, latest: read.number)
    }

    /// Follows a transaction of the store itself.
    mutating func add(_ row: HistoryTransactionRow) {
        let info = row.info
        // A command of several transactions, and its undo, are read.
        if info.continues != nil || info.latest != nil {
            self = KnownSteps(after: row.number)
            return
        }
        switch info.kind {
        case .silent: break
        case .command:
            let author = info.keepsUndoneOfOthers ? info.author : nil
            entries = entries.filter {
                $0.value.state != .undone || (author != nil && $0.value.step.author != author)
            }
            let step = HistoryStep(
                command: row.number,
                name: info.groupName,
                date: Date(timeIntervalSinceReferenceDate: row.date),
                author: info.author,
                transactions: [row.number]
            )
            entries[row.number] = Entry(step: step, state: .done, latest: row.number)
        case .undo, .redo:
            guard let command = info.target else { break }
            guard let known = entries.removeValue(forKey: command)?.step else {
                self = KnownSteps(after: row.number)
                return
            }
            if info.drops { break }
            let step = HistoryStep(
                command: command,
                name: known.name,
                date: known.date,
                author: known.author,
                transactions: [row.number]
            )
            let state: CommandState = info.kind == .undo ? .undone : .done
            entries[command] = Entry(step: step, state: state, latest: row.number)
        }
    }
}
