import ObjectContext
import ObjectModel
import ObjectStore

extension SyncEngine {
    /// Merges changes of a remote in one transaction, which continues the step of the report.
    ///
    /// An object that the model refuses is left out, and the token stays where it is, so that the next
    /// pull tries again.
    ///
    /// - Parameters:
    ///   - changes: what has changed there.
    ///   - remote: the remote's name.
    ///   - name: the name of the step.
    ///   - token: the place after the changes; `nil` leaves it as it is.
    ///   - isFirst: whether a pull begins with them.
    ///   - report: gets what has changed here.
    /// - Throws: the store's error; nothing has changed then.
    func apply(
        _ changes: RemoteChanges,
        of remote: String,
        as name: String?,
        token: String?,
        isFirst: Bool = false,
        _ report: inout SyncReport
    ) throws {
        while true {
            let former = report
            do {
                report = try retrying {
                    try beforeReading?()
                    return try applied(changes, of: remote, as: name, token: token, isFirst, former)
                }
                return
            } catch let refusal as Refusal {
                report.refused.merge(refusal.reasons) { first, _ in first }
                if report.refused.count == former.refused.count { throw refusal.error }
            }
        }
    }

    /// Objects of a pull that the model refuses, with the reasons.
    private struct Refusal: Error {
        let reasons: [SyncKey: String]
        let error: ObjectGraphError
    }

    private func applied(
        _ changes: RemoteChanges,
        of remote: String,
        as name: String?,
        token: String?,
        _ isFirst: Bool,
        _ former: SyncReport
    ) throws -> SyncReport {
        var report = former
        let exchange = Exchange(self, remote)
        if isFirst { try exchange.releaseFollowed() }
        var pull = PullMerge(exchange)
        try pull.take(changes, without: Set(report.refused.keys))
        do {
            try pull.merge()
        } catch let error as ObjectGraphError {
            guard let key = pull.current, error.code.isRefusal else { throw error }
            throw Refusal(reasons: [key: error.message], error: error)
        }
        if report.refused.isEmpty, let token, token != (try exchange.token()) {
            try exchange.setToken(token)
        }
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
        do {
            let number = try exchange.context.save(info)
            if report.step == nil, number > 0 { report.step = number }
            return report
        } catch let error as ObjectGraphError where error.code.isRefusal {
            throw Refusal(reasons: exchange.objects.reasons(of: error), error: error)
        }
    }
}

extension ObjectGraphError.Code {
    /// Whether the model refuses a value: the rules of attributes and relationships, several of them,
    /// and values of another kind.
    fileprivate var isRefusal: Bool {
        (ObjectGraphError.Code.validation.rawValue..<1700).contains(rawValue)
            || self == .wrongValueKind || self == .invalidFormat
    }
}
