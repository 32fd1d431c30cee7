import CivilTime
import ObjectGraph

extension Library {
    /// Fills a store that has never held an item with a list that explains the keys; one step.
    ///
    /// Only the interface calls it. A store whose items were all deleted stays empty.
    public func welcome() throws {
        guard !isReadOnly, try latestTransaction() == 0, try count(nil) == 0 else { return }
        do {
            try change { try fillWithWelcome() }
        } catch let error as ObjectGraphError where error.code == .constraintConflict {
            // Another window was opened at the same moment, and was quicker.
            try refresh()
        }
    }

    private func fillWithWelcome() throws -> StepName {
        let list = try Library.list(path: ["Welcome"], in: context)
        let plan = Seeds.welcome(today: DueDate(day: clock().today), now: now)
        let items = try plan.apply(to: context).compactMap { $0 as? Item }
        for item in items { item.list = list }
        try assignNumbers(to: items)
        return StepName(.added, StepSubject(.list, count: 1, title: list?.name))
    }
}
