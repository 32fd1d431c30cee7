import CivilTime
import DocketCore
import ObjectGraph

/// The query of the items pane, as a value that any thread can use.
struct ItemsQuery: Sendable {
    var scope: Scope
    var showsDone: Bool
    var sorting: ItemSorting
    var clock: DateContext

    func request() -> FetchRequest<Item> {
        var request = FetchRequest<Item>(where: scope.condition(clock, showsDone: showsDone))
        request.order = sorting.keys
        return request
    }

    /// Whether tasks are shown below their parents.
    var isTree: Bool { scope.isTree && sorting.grouping == .none }

    /// Whether an index has the order, so that finding the first items is cheap.
    ///
    /// Items without a value come first from the store, but are last on the screen.
    var hasFirstItems: Bool { sorting.grouping == .none && sorting.order == .byHand }

    /// The parents of the subtasks that the request finds, among the saved objects of a context.
    func parents(in context: ManagedObjectContext) throws -> [ManagedObjectID: ManagedObjectID] {
        guard isTree, let task = context.coordinator.model.entity(named: Task.entityName) else {
            return [:]
        }
        let slot = task.slotByName[Task.key(\.parent)] ?? -1
        var request = FetchRequest<ManagedObjectID>(
            of: Task.self,
            where: try \.parent != nil
                && Condition(inherited: scope.condition(clock, showsDone: showsDone))
        )
        request.includesPendingChanges = false
        var parents: [ManagedObjectID: ManagedObjectID] = [:]
        let ids = try context.fetchIDs(request.description)
        try context.forEachRow(of: ids, keepsRows: false) { id, row in
            parents[id] = row.reference(slot)
        }
        return parents
    }
}
