import ObjectContext
import ObjectModel
import ObjectStore

extension SyncEngine {
    /// Merges changes of a remote in one transaction, which continues the step of the report.
    ///
    /// - Parameters:
    ///   - changes: what has changed there.
    ///   - remote: the remote's name.
    ///   - name: the name of the step.
    ///   - token: the place after the changes; `nil` leaves it as it is.
    ///   - report: gets what has changed here.
    /// - Throws: the store's error; nothing has changed then.
    func apply(
        _ changes: RemoteChanges,
        of remote: String,
        as name: String?,
        token: String?,
        _ report: inout SyncReport
    ) throws {
        report = try retrying {
            try beforeReading?()
            var report = report
            let exchange = Exchange(self, remote)
            var pull = PullMerge(exchange)
            try pull.take(changes)
            try pull.merge()
            if let token, token != (try exchange.token()) { try exchange.setToken(token) }
            var info = TransactionInfo()
            info.contextName = remote
            guard pull.hasChanged else {
                info.kind = .silent
                try exchange.context.save(info)
                return report
            }
            if let beforeSavingPull {
                try beforeSavingPull(exchange.context)
                try exchange.noteWhatDiffers()
            }
            for key in pull.inserted { report.counts[key.entity, default: .init()].inserted += 1 }
            for key in pull.updated { report.counts[key.entity, default: .init()].updated += 1 }
            for key in pull.deleted { report.counts[key.entity, default: .init()].deleted += 1 }
            report.conflicts += pull.conflicts.count
            info.groupName = name ?? "Pull from \(remote)"
            info.continues = report.step
            let number = try exchange.context.save(info)
            if report.step == nil, number > 0 { report.step = number }
            return report
        }
    }
}
