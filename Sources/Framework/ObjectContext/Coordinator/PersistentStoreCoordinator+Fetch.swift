import FoundationEssentials
import ObjectModel
import ObjectStore

extension PersistentStoreCoordinator {
    /// The answers of some stores to a fetch, in the order of the stores.
    func fetch(_ plan: FetchPlan, from stores: [any PersistentStore]) throws -> [FetchAnswer] {
        let answers = try traced("fetch \(plan.entity.name)", counting: \.fetches) {
            try find(plan, in: stores)
        }
        if trace.isOn { tellRest(of: answers, plan) }
        return answers
    }

    private func find(_ plan: FetchPlan, in stores: [any PersistentStore]) throws -> [FetchAnswer] {
        try lock.withLock {
            let wanted = Set(plan.request.affectedStores)
            for name in wanted.sorted()
            where !openStores.contains(where: { $0.identifier.uuidString == name }) {
                throw ObjectGraphError(
                    .invalidRequest,
                    "A fetch of \(plan.entity.name) names the store \(name), which is not open.",
                    recovery: "Name identifiers of open stores, or none."
                )
            }
            return
                try stores
                .filter { wanted.isEmpty || wanted.contains($0.identifier.uuidString) }
                .map { try $0.fetch(plan) }
        }
    }

    /// Traces the work that a store left to memory.
    ///
    /// A line has the part of the predicate that SQL could not express, without its values, or the
    /// order that SQL could not make; each means that more rows were read than requested.
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
