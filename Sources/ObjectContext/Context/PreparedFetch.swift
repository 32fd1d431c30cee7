import ObjectModel
import ObjectStore

/// A fetch that was planned for what is pending now.
struct PreparedFetch {
    let description: FetchDescription
    let plan: FetchPlan
    let stores: [any PersistentStore]
    /// The possible results that pending changes can have moved; `nil` if it may be any.
    let touched: Set<ManagedObject>?

    /// What a child asks of its parent.
    var requestToParent: FetchDescription {
        var request = plan.request
        if !plan.appliesWindow { (request.limit, request.offset) = (0, 0) }
        return request
    }

    /// What a parent found, as an answer.
    func answer(ofParent ids: [ManagedObjectID]) -> FetchAnswer {
        var answer = FetchAnswer()
        answer.ids = ids
        let hasWindow = plan.request.limit > 0 || plan.request.offset > 0
        answer.isWindowed = !hasWindow || plan.appliesWindow
        return answer
    }

    /// Whether an answer to another fetch serves this one as well.
    func asksTheSame(as other: PreparedFetch) -> Bool {
        (touched == nil) == (other.touched == nil)
            && plan.appliesWindow == other.plan.appliesWindow
            && plan.request.limit <= other.plan.request.limit
            && plan.request.offset == other.plan.request.offset
    }
}
