import CivilTime
import FoundationEssentials
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
        context.coordinator.setMetadata(
            .array(items.map { .uuid($0.uuid) }),
            for: Library.sampleKey
        )
        let count = StepSubject(.item, count: items.count, title: nil).counted
        return StepName(.added, StepSubject(.list, count: 1, title: list?.name), " (\(count))")
    }

    /// The store's record of what ``welcome()`` has added.
    private static let sampleKey = "DocketSample"

    /// What is left of the items that ``welcome()`` has added.
    ///
    /// Cost: one statement.
    ///
    /// - Throws: the store's error.
    public func sample() throws -> [Item] {
        let uuids = context.coordinator.metadata(Library.sampleKey)?.elements ?? []
        let known = Set(uuids.compactMap { if case .uuid(let uuid) = $0 { uuid } else { nil } })
        return try known.isEmpty ? [] : Item.all(in: context, where: { $0.uuid.in(known) })
    }

    /// Deletes what is left of the items that ``welcome()`` has added, one step; their list and tags
    /// go with them if nothing else uses these, and subtasks of the user's stay.
    ///
    /// - Returns: the step; `nil` if nothing is left.
    /// - Throws: the store's error.
    @discardableResult
    public func removeSample() throws -> SavedStep? {
        try change {
            let items = try sample()
            let subject = StepSubject(items)
            let lists = Set(items.compactMap(\.list)).filter { $0.name == "Welcome" }
            let tags = Set(items.flatMap(\.tags))
            if !items.isEmpty { try carryOut([.trash, .purge], on: items, at: clock()) }
            for list in lists
            where list.children.isEmpty && list.items.allSatisfy(\.isDeleted) {
                context.delete(list)
            }
            for tag in tags where tag.items.allSatisfy(\.isDeleted) { context.delete(tag) }
            return StepName(.deleted, subject)
        }
    }
}
