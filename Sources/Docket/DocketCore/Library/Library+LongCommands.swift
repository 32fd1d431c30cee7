import CivilTime
import DocketFormats
public import ObjectGraph

extension Library {
    /// Prepares a change of the affected items, in parts if they are too many for one transaction.
    public func longCommand(_ change: ItemChange, on affected: Targets) throws -> LongCommand {
        var ids = affected.ids
        // What moves with an item is searched again, too.
        if case .list = change { ids += try subtasksInSameList(as: affected).ids }
        return try longCommand([change], on: ids) { try name(of: spelled(change), on: $0) }
    }

    /// The same for several changes; `name` is that of the step.
    func longCommand(
        _ changes: [ItemChange],
        on affected: [ManagedObjectID],
        named name: (StepSubject) throws -> StepName
    ) throws -> LongCommand {
        try requireOutsideTrash(.many(affected), for: changes)
        let notes = affected.count { $0.entityName == Note.entityName }
        let kind: StepSubject.Kind =
            notes == 0 ? .task : notes == affected.count ? .note : .item
        let subject = StepSubject(kind, count: affected.count, title: nil)
        return LongCommand(
            self,
            .change(changes, affected.sorted { $0.key < $1.key }),
            name: try Language.$current.withValue(.english) { try name(subject).text },
            kind: kind
        )
    }

    /// A change of tags with the spelling of those that exist; only these can be removed.
    private func spelled(_ change: ItemChange) throws -> ItemChange {
        guard case .tags(let added, let removed) = change else { return change }
        let names = try tags().map { ($0.name.lowercased(), $0.name) }
        let known = Dictionary(names) { first, _ in first }
        return .tags(
            adding: added.map { known[$0.lowercased()] ?? $0 },
            removing: removed.compactMap { known[$0.lowercased()] }.sorted()
        )
    }

    /// Prepares undo or redo of the next step if it has several transactions, or changes at least a
    /// given number of objects.
    ///
    /// - Throws: `InputError` if another process is running a long command.
    public func longInversion(
        _ kind: TransactionInfo.Kind,
        from size: Int = .max
    ) throws -> LongCommand? {
        try refresh()
        if let other = unfinishedCommand, other.isUnderWayElsewhere {
            throw InputError(
                .conflict,
                "\(other.title) is running in another window; wait for it, or stop it there."
            )
        }
        let steps = kind == .undo ? try undoSteps(limit: 1) : try redoSteps(limit: 1)
        guard let step = steps.first else { return nil }
        // An interrupted command must not be redone in part.
        let isCutOff =
            kind == .undo
            && unfinishedCommand.map { !$0.isInversion && $0.group == step.command } ?? false
        if step.transactions.count == 1, !isCutOff {
            if try size == .max || context.historySize(of: [step]) < size { return nil }
        }
        return LongCommand(
            self,
            .inversion(step, kind),
            name: step.name ?? "a change",
            kind: .item,
            drops: isCutOff
        )
    }

    /// Updates the context after a long command: all objects are read again.
    ///
    /// Do not use older objects after this call.
    public func takeOverLongCommand() { context.reset() }

    // MARK: After a crash

    /// An interrupted long command.
    public var unfinishedCommand: UnfinishedCommand? {
        UnfinishedCommand(context.coordinator.metadata(UnfinishedCommand.key), in: self)
    }

    /// Continues an interrupted command; with `takingBack` reverts it.
    public func resume(
        _ unfinished: UnfinishedCommand,
        takingBack: Bool
    ) throws -> LongCommand? {
        let command: LongCommand
        if let (kind, number) = unfinished.inverts {
            let step = HistoryStep(
                command: number,
                name: unfinished.name,
                date: unfinished.now,
                author: nil,
                transactions: unfinished.transactions
            )
            command = LongCommand(self, resuming: unfinished, .inversion(step, kind))
        } else if !unfinished.changes.isEmpty {
            let ids = unfinished.ids.sorted { $0.key < $1.key }
            command = LongCommand(self, resuming: unfinished, .change(unfinished.changes, ids))
        } else {
            return nil
        }
        if takingBack { command.cancel() }
        return command
    }

    /// The transactions of an interrupted command, oldest first.
    func transactions(ofUnfinished unfinished: UnfinishedCommand) throws -> [Int64] {
        let steps = try undoSteps(limit: 100) + redoSteps(limit: 100)
        let command = unfinished.inverts?.command ?? unfinished.group
        let step = steps.first { $0.command == command }
        guard let step, step.transactions.last == unfinished.group else { return [] }
        return step.transactions.reversed()
    }

    /// The IDs of rows by their keys.
    func ids(_ entityName: String, _ keys: [Int64]) -> [ManagedObjectID] {
        guard let space = context.coordinator.historySpace,
            let entity = context.model.entity(named: entityName)
        else { return [] }
        return keys.map {
            ManagedObjectID(space: space.number, entity: entity.number, key: $0)
        }
    }
}
