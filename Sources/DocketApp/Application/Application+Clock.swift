import DocketCore
import FoundationEssentials
import ObjectGraph

// Without input nothing wakes the program, except the moments at which lists change because of the
// time: midnight, and the next due time of a task.

extension Application {
    /// Fetches lists that depend on the time, and computes when that is necessary next.
    func refreshClock() {
        guard let next = nextChange, next <= .now else { return }
        isStale = true
        do {
            try workspace.items.refetch()
        } catch {
            workspace.tell(error)
        }
        workspace.counts.moveClock()
        scheduleClock()
    }

    /// Finds the next moment at which a list changes because of the time.
    func scheduleClock() {
        let context = workspace.library.clock()
        let midnight = context.zone.moment(context.today.adding(days: 1))
        let next = try? Task.first(
            in: workspace.library.context,
            where: { task in
                let isOpen = task.completed == nil && task.trashed == nil
                return isOpen && task.dueDateOnly == false && task.due > context.now
                    && task.due < midnight
            },
            sortedBy: \.due
        )
        let due = next?.due
        let seconds = min(midnight, due ?? midnight).timeIntervalSince(context.now)
        nextChange = .now + .seconds(max(1, seconds + 0.5))
    }
}
