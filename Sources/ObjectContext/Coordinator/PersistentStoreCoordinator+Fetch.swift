import FoundationEssentials
import ObjectModel
import ObjectStore

extension PersistentStoreCoordinator {
    /// The answers of some stores to a fetch, in their order.
    func fetch(_ plan: FetchPlan, from stores: [any PersistentStore]) throws -> [FetchAnswer] {
        let answers = try traced("fetch \(plan.entity.name)", counting: \.fetches) {
            try find(plan, in: stores)
        }
        if trace.isOn { tellRest(of: answers, plan) }
        return answers
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

    /// Tells what a store left of a fetch to memory, if somebody watches.
    ///
    /// The part of the predicate that SQL could not say, without its values, and the order that
    /// it could not make; each means that more rows were read than were asked for.
    private func tellRest(of answers: [FetchAnswer], _ plan: FetchPlan) {
        let name = plan.entity.name
        for answer in answers {
            if let rest = answer.remainder ?? answer.evaluated {
                trace.tell("left to memory of fetch \(name): \(rest.formatWithoutValues)")
            }
            if !answer.isSorted {
                let keys = plan.request.sortDescriptors.map(\.keyPath).joined(separator: ", ")
                trace.tell("left to memory of fetch \(name): order by \(keys)")
            }
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
