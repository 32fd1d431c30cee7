/// Consecutive records of one group: one action undoes all of them.
final class UndoBatch<Record> {
    fileprivate(set) var records: [Record]
    fileprivate weak var group: UndoGroup?

    fileprivate init(_ record: Record, in group: UndoGroup) {
        records = [record]
        self.group = group
    }
}

extension UndoManager {
    /// Registers a record of changes that `inverse` undoes, together with those that were
    /// registered for the target directly before it in the same group, oldest first.
    ///
    /// So a long run of small events costs one action, not one each.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if no group is
    ///   open and ``groupsByEvent`` is off.
    func register<Target: AnyObject, Record>(
        _ record: Record,
        withTarget target: Target,
        inverse: @escaping (Target, [Record]) throws -> Void
    ) throws {
        guard isUndoRegistrationEnabled else { return }
        if let action = lastAction, action.isAlive(for: target),
            let batch = action.batch as? UndoBatch<Record>,
            let group = batch.group, group === openGroups.last
        {
            batch.records.append(record)
            return
        }
        try register { group in
            let batch = UndoBatch(record, in: group)
            return UndoAction(target, batch: batch) { object in
                guard let target = object as? Target else { return }
                try inverse(target, batch.records)
            }
        }
    }
}
