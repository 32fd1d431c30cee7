import FoundationEssentials
import Glibc
import ObjectModel

/// The log of an in-memory store, with the state of each command.
struct MemoryHistory {
    enum State {
        case done
        case undone
        /// Undone, and then a new command followed: redo no longer reaches it.
        case dropped
    }

    private struct LoggedStep {
        var number: Int64
        var state: State
        /// The transactions that brought the command to its present state, oldest first.
        var latest: [Int64]
    }

    private var transactions: [HistoryTransaction] = []
    private var commands: [LoggedStep] = []
    /// How many of the oldest transactions were deleted.
    private var trimmed: Int64

    /// The log of a new session, which goes on after the number of the last transaction.
    init(after last: Int64) { trimmed = last }

    /// The number of the newest transaction.
    var latest: Int64 { trimmed + Int64(transactions.count) }

    /// Adds a transaction and moves its command to the new state.
    mutating func append(_ info: TransactionInfo, _ changes: [HistoryChange]) -> Int64 {
        let number = latest + 1
        transactions.append(
            HistoryTransaction(
                number: number,
                date: Date(),
                author: info.author,
                contextName: info.contextName,
                processIdentifier: getpid(),
                kind: info.kind,
                groupName: info.groupName,
                group: info.continues ?? number,
                target: info.target,
                changes: changes
            )
        )
        switch info.kind {
        case .silent: break
        case .command:
            if let first = info.continues,
                let index = commands.firstIndex(where: { $0.number == first })
            {
                commands[index].latest.append(number)
            } else {
                for index in commands.indices
                where commands[index].state == .undone
                    && (!info.keepsUndoneOfOthers || author(commands[index]) == info.author)
                {
                    commands[index].state = .dropped
                }
                commands.append(LoggedStep(number: number, state: .done, latest: [number]))
            }
        case .undo: change(info, to: info.drops ? .dropped : .undone, by: number)
        case .redo: change(info, to: .done, by: number)
        }
        return number
    }

    /// Checks whether a command can be undone or redone.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if it cannot.
    func check(_ info: TransactionInfo) throws {
        guard info.continues == nil, let target = info.target,
            info.kind == .undo || info.kind == .redo
        else { return }
        let wanted = info.kind == .undo ? State.done : .undone
        if commands.contains(where: { $0.number == target && $0.state == wanted }) { return }
        throw ObjectGraphError.cannotInvert(info.kind)
    }

    private mutating func change(_ info: TransactionInfo, to state: State, by number: Int64) {
        guard let index = commands.firstIndex(where: { $0.number == info.target }) else { return }
        commands[index].state = state
        if let latest = info.latest {
            commands[index].latest = transactions.filter { $0.group == latest }.map(\.number)
            return
        }
        if info.continues == nil { commands[index].latest = [] }
        commands[index].latest.append(number)
    }

    /// The transactions after a token.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/historyExpired`` if some were
    ///   deleted.
    func transactions(after token: Int64, limit: Int) throws -> [HistoryTransaction] {
        if token > 0, token < trimmed { throw ObjectGraphError.historyExpired(after: token) }
        return Array(transactions.dropFirst(Int(max(0, token - trimmed))).prefix(limit))
    }

    /// Deletes the oldest transactions; the newest stays.
    ///
    /// Sizes are ignored here.
    ///
    /// - Returns: the number of deleted transactions.
    mutating func trim(_ limit: HistoryLimit) -> Int {
        var cut = limit.keepsAfter ?? 0
        if let date = limit.keepsSince {
            cut = max(cut, transactions.prefix { $0.date < date }.last?.number ?? 0)
        }
        let all = commands.filter { $0.state == .done }
        if let most = limit.mostSteps, all.count > most {
            let kept = all.suffix(most).flatMap { [$0.number] + $0.latest }
            cut = max(cut, (kept.min() ?? .max) - 1)
        }
        let needed = all.suffix(limit.keepsSteps).flatMap { [$0.number] + $0.latest }.min() ?? .max
        let count = Int(min(cut, needed - 1) - trimmed)
        let going = min(count, transactions.count - 1)
        if going <= 0 { return 0 }
        transactions.removeFirst(going)
        trimmed += Int64(going)
        commands.removeAll { command in
            ([command.number] + command.latest).contains { $0 <= trimmed }
        }
        return going
    }

    func transaction(_ number: Int64) -> HistoryTransaction? {
        let index = Int(number - trimmed) - 1
        return transactions.indices.contains(index) ? transactions[index] : nil
    }

    private func author(_ command: LoggedStep) -> String? { transaction(command.number)?.author }

    func steps(_ state: State, _ limit: Int, _ author: String?) -> [HistoryStep] {
        // Undo starts with the newest command, redo with the one that was undone last.
        let offered = commands.filter {
            $0.state == state && (author == nil || self.author($0) == author)
        }
        let ordered = offered.sorted { ($0.latest.first ?? 0) > ($1.latest.first ?? 0) }
        return ordered.prefix(limit).compactMap { command in
            transaction(command.number).map { first in
                HistoryStep(
                    command: command.number,
                    name: first.groupName,
                    date: first.date,
                    author: first.author,
                    transactions: command.latest.reversed()
                )
            }
        }
    }
}
