/// The inboxes of the contexts that follow the saves of others.
///
/// Guarded by the coordinator's lock.
struct InboxList {
    private struct WeakInbox {
        weak var inbox: MergeInbox?
    }

    private var inboxes: [WeakInbox] = []

    /// Those of contexts that still exist.
    var living: [MergeInbox] { inboxes.compactMap(\.inbox) }

    mutating func add(_ inbox: MergeInbox) {
        inboxes.removeAll { $0.inbox == nil }
        inboxes.append(WeakInbox(inbox: inbox))
    }
}
