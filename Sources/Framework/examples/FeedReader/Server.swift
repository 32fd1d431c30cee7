import ObjectGraph

/// The objects of the entity Server, which knows how many of its items are unread.
///
/// It observes its items from its insertion, or from the moment when its values were read, until it
/// becomes a fault. Code that reads, adds or deletes an item need not update the count.
final class Server: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("name") var name: String

    /// The items not read yet; kept while the server is awake, never stored.
    @Managed("unreadCount") var unreadCount: Int32

    @Managed("items") var items: Set<FeedItem>
    // End of the properties of the model.

    private var unread: ChildCount?

    /// Whether the server listens to changes of its items.
    var isWatching: Bool { unread != nil }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        watch()
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        watch()
    }

    override func didTurnIntoFault() {
        unread = nil
        super.didTurnIntoFault()
    }

    private func watch() {
        unread = try? ChildCount(of: self, \.items, where: \.read == false) {
            [weak self] count in
            self?.unreadCount = Int32(count)
        }
        // The first count is not a change, so the server need not be saved for it.
        setPrimitiveValue(.int(Int64(unread?.value ?? 0)), forKey: "unreadCount")
    }
}
