package import ObjectModel

/// Answers a request from the rows of a store without a query language.
///
/// The caller, who has the objects, evaluates what needs more than stored values: closures,
/// transient properties, keys of a class.
package struct RequestEvaluation {
    private let plan: FetchPlan
    private let store: any PersistentStore
    private let view: StoredObjects

    package init(plan: FetchPlan, store: any PersistentStore, model: ManagedObjectModel) {
        self.plan = plan
        self.store = store
        view = StoredObjects(store, model)
    }

    /// The answer, given the IDs of all objects of the entity in their natural order.
    ///
    /// Cost: O(n) evaluations of the predicate, O(n log n) comparisons if it is to be sorted.
    package func answer(from all: [ManagedObjectID]) throws -> FetchAnswer {
        let request = plan.request
        var answer = FetchAnswer()
        if request.resultType == .dictionaries {
            answer.dictionaries = try dictionaries(from: all)
            return answer
        }
        answer.ids = all
        if let predicate = request.predicate {
            if let ids = try matchingIDs(predicate, in: all) {
                answer.ids = ids
            } else {
                answer.remainder = predicate
            }
        }
        if request.resultType == .count, answer.remainder == nil {
            answer.ids = window(answer.ids)
            answer.count = answer.ids.count
            return answer
        }
        try sort(&answer)
        let hasWindow = request.limit > 0 || request.offset > 0
        answer.isWindowed =
            !hasWindow || plan.appliesWindow && answer.isSorted && answer.remainder == nil
        if hasWindow, answer.isWindowed { answer.ids = window(answer.ids) }
        if plan.loadsRows { try view.prepare(answer.ids) }
        return answer
    }

    /// The objects that meet a predicate.
    ///
    /// `nil` if the caller must evaluate it: where it needs more than stored values, or fails on a
    /// stored row. The caller may have other values for that row.
    private func matchingIDs(
        _ predicate: FetchPredicate,
        in all: [ManagedObjectID]
    ) throws -> [ManagedObjectID]? {
        guard KeyPathUse(predicate).isStored(in: plan.entity) else { return nil }
        do {
            return try matching(predicate, in: all).map(\.id)
        } catch let error as ObjectGraphError where error.code == .cannotEvaluate {
            return nil
        }
    }

    private func dictionaries(from all: [ManagedObjectID]) throws -> [[String: GraphValue]] {
        let request = try DictionaryRequest(plan.request, plan.entity)
        return try request.results(try matching(plan.request.predicate, in: all))
    }

    private func matching(
        _ predicate: FetchPredicate?,
        in ids: [ManagedObjectID]
    ) throws -> [StoredObject] {
        try view.prepare(ids)
        let objects = ids.compactMap { view.object($0) }
        guard let predicate else { return objects }
        let compiled = CompiledPredicate(predicate)
        guard let monitor = plan.monitor else {
            return try objects.filter { try compiled.evaluate(with: .object($0)) }
        }
        var found = 0
        return try objects.filter { object in
            try monitor.check()
            guard try compiled.evaluate(with: .object(object)) else { return false }
            found += 1
            monitor.note(found)
            return true
        }
    }

    private func sort(_ answer: inout FetchAnswer) throws {
        let descriptors = plan.request.sortDescriptors
        if descriptors.isEmpty { return }
        guard answer.remainder == nil, !descriptors.contains(where: { $0.comparator != nil }),
            KeyPathUse(nil, descriptors).isStored(in: plan.entity)
        else {
            answer.isSorted = false
            return
        }
        try view.prepare(answer.ids)
        let objects: [any KeyValueCoding] = answer.ids.compactMap { view.object($0) }
        answer.ids = try objects.sorted(using: descriptors).compactMap(\.managedObjectID)
    }

    private func window(_ ids: [ManagedObjectID]) -> [ManagedObjectID] {
        guard plan.appliesWindow else { return ids }
        let window = plan.request.window(of: ids.count)
        return window.count == ids.count ? ids : Array(ids[window])
    }
}
