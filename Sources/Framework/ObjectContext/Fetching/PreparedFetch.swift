import ObjectModel
import ObjectStore

/// A fetch that was planned for the present pending changes.
struct PreparedFetch {
    let description: FetchDescription
    let plan: FetchPlan
    let stores: [any PersistentStore]
    /// The possible results whose place pending changes may have changed; `nil` if every object may
    /// be one.
    let touched: Set<ManagedObject>?

    /// The request of a child to its parent.
    var requestToParent: FetchDescription {
        var request = plan.request
        if !plan.appliesWindow { (request.limit, request.offset) = (0, 0) }
        return request
    }

    /// The results of a parent, as the answer of a store.
    func answer(ofParent ids: [ManagedObjectID]) -> FetchAnswer {
        var answer = FetchAnswer()
        answer.ids = ids
        let hasWindow = plan.request.limit > 0 || plan.request.offset > 0
        answer.isWindowed = !hasWindow || plan.appliesWindow
        return answer
    }

    /// Whether an answer to another fetch is also an answer to this one.
    func asksTheSame(as other: PreparedFetch) -> Bool {
        (touched == nil) == (other.touched == nil)
            && plan.appliesWindow == other.plan.appliesWindow
            && plan.request.limit <= other.plan.request.limit
            && plan.request.offset == other.plan.request.offset
    }
}
