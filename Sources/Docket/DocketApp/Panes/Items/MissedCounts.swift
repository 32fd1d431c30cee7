import CivilTime
import DocketCore
import FoundationEssentials
import ObjectGraph

/// How many occurrences of the shown tasks have passed, remembered from frame to frame: a rule costs
/// more to read than a row to draw.
struct MissedCounts {
    /// What a count depends on.
    private struct Basis: Hashable {
        let rule: String
        let anchor: Int16
        let due: DueDate
        /// Occurrences pass at whole minutes.
        let minute: Int
    }

    private var counts: [ManagedObjectID: (basis: Basis, count: Int)] = [:]

    /// The greatest number that is counted.
    private static let most = 999
    /// More than fit on any screen.
    private static let mostTasks = 1000

    /// The count in words, `2 missed`; empty if nothing was missed.
    ///
    /// Cost: no statement, for a task whose row was read.
    mutating func words(for task: Task, in context: DateContext) -> String {
        guard let rule = task.rule, let due = task.repeatedDate, due.isOverdue(in: context),
            task.completed == nil
        else { return "" }
        let minute = Int((context.now.timeIntervalSinceReferenceDate / 60).rounded(.down))
        let basis = Basis(rule: rule, anchor: task.anchor, due: due, minute: minute)
        let count: Int
        if let known = counts[task.objectID], known.basis == basis {
            count = known.count
        } else {
            count = task.missed(in: context, atMost: MissedCounts.most + 1)
            if counts.count >= MissedCounts.mostTasks { counts = [:] }
            counts[task.objectID] = (basis, count)
        }
        if count == 0 { return "" }
        return localized(
            "\(min(count, MissedCounts.most))\(count > MissedCounts.most ? "+" : "") missed"
        )
    }
}
