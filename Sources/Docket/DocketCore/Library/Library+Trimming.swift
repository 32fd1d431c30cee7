import CivilTime
import DocketFormats
import FoundationEssentials
import Glibc
import ObjectGraph

extension Library {
    /// Deletes the history beyond a policy's limits; items do not change.
    ///
    /// - Throws: the store's error; nothing is deleted then.
    public func trimHistory(_ policy: HistoryPolicy) throws -> TrimOutcome {
        var outcome = TrimOutcome()
        try rest()
        guard let before = try historyExtent() else { return outcome }
        let size = Library.fileSize(path)
        if !policy.isUnlimited {
            var limit = HistoryLimit(keepsBytes: policy.bytes, keepsSteps: 0)
            limit.mostSteps = policy.steps
            limit.keepsSince = policy.days.map {
                now.addingTimeInterval(-86_400 * Double(min($0, 1 << 20)))
            }
            _ = try context.coordinator.withFirstStore { try $0.trimHistory(limit) }
        }
        let after: HistoryExtent
        do {
            try rest()
            after = try historyExtent() ?? before
        } catch {
            throw DoneBefore(
                "The history was shortened.",
                error,
                next: "`docket history` shows what is left of it."
            )
        }
        outcome.forgotten = before.steps - after.steps
        outcome.steps = after.steps
        outcome.oldest = after.oldest
        outcome.freed = max(0, size - Library.fileSize(path))
        return outcome
    }

    private func historyExtent() throws -> HistoryExtent? {
        try context.coordinator.withFirstStore { try $0.historyExtent() }
    }

    private static func fileSize(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The result of trimming, in a sentence or two.
    public func sentence(of outcome: TrimOutcome) -> String {
        let dates = DateFormat(context: clock())
        func steps(_ count: Int) -> String { "\(Phrase(count, "step"))" }
        var text =
            outcome.forgotten == 0
            ? localized("Nothing was forgotten") : localized("Forgot \(steps(outcome.forgotten))")
        if let oldest = outcome.oldest {
            text += localized(
                "; undo reaches back \(steps(outcome.steps)), to \(dates.ago(oldest))"
            )
        } else {
            text += localized("; there is nothing to undo")
        }
        if outcome.forgotten > 0 || outcome.freed > 0 {
            text += localized("; the store is \(HistoryPolicy.size(outcome.freed)) smaller")
        }
        return text + "."
    }
}
