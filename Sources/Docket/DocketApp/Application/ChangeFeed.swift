import DocketCore
import ObjectGraph

/// The one subscription of a window; passes changes on in the order of its parameters.
///
/// The order is that of reading: a follower comes after those whose state it reads.
final class ChangeFeed {
    private let center: GraphNotificationCenter
    private var tokens: [GraphNotificationCenter.Token] = []

    /// The window is told last, after everything that it shows.
    init(
        _ context: ManagedObjectContext,
        items: ItemsController,
        lists: ListsController,
        search: SearchController,
        counts: CountsController,
        window: any ChangeFollower
    ) {
        center = context.notifications
        let followers: [any ChangeFollower] = [items, lists, search, counts]
        tokens = [
            center.addObserver(of: ObjectsDidChange.self, from: context) { [weak window] change in
                for follower in followers { follower.follow(change) }
                window?.follow(change)
            },
            center.addObserver(of: ContextDidSave.self, from: context) { save in
                for follower in followers { follower.follow(save) }
            },
        ]
    }

    deinit { for token in tokens { center.removeObserver(token) } }
}

extension ObjectsDidChange {
    /// Whether the event may have changed more of a list or a tag than what is in it.
    func changesItself(_ object: ManagedObject) -> Bool {
        guard let keys = changedKeys(of: object) else { return true }
        // A list that comes below another one has changed itself.
        let contents = [List.Keys.items, List.Keys.children, List.Keys.openCount, Tag.Keys.items]
        return !keys.isSubset(of: contents)
    }
}
