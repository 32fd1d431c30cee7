import FoundationEssentials
import ObjectModel
import ObjectStore

extension PersistentStoreCoordinator {
    /// The answers of some stores to a fetch, in their order.
    func fetch(_ plan: FetchPlan, from stores: [any PersistentStore]) throws -> [FetchAnswer] {
        try traced("fetch \(plan.entity.name)", counting: \.fetches) {
            try find(plan, in: stores)
        }
    }

    private func find(
        _ plan: FetchPlan,
        in stores: [any PersistentStore]
    ) throws -> [FetchAnswer] {
        try lock.withLock {
            let wanted = Set(plan.request.affectedStores)
            return
                try stores
                .filter { wanted.isEmpty || wanted.contains($0.identifier.uuidString) }
                .map { try $0.fetch(plan) }
        }
    }
}

extension PersistentStoreCoordinator {
    /// Several reads that see one state of a store.
    func reading<Result>(
        _ store: any PersistentStore,
        _ body: () throws -> Result
    ) throws -> Result {
        try lock.withLock { try store.reading(body) }
    }
}
