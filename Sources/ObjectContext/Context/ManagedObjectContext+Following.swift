import ObjectModel

// Taking over what others save, for a context that wants it without being asked.

extension ManagedObjectContext {
    func followOrStop() {
        stopFollowing()
        guard automaticallyMergesChangesFromParent else { return }
        guard let parent else {
            let inbox = MergeInbox()
            self.inbox = inbox
            coordinator.add(inbox)
            return
        }
        following = parent.notifications.addObserver(of: ObjectsDidChange.self, from: parent) {
            [weak self] change in self?.follow(change)
        }
    }

    func stopFollowing() {
        if let following { notifications.removeObserver(following) }
        following = nil
        inbox = nil
    }

    private func follow(_ change: ObjectsDidChange) {
        // What this context pushes into the parent is here already.
        if isPushing { return }
        if change.invalidatedAll { return refreshAllObjects() }
        mergeChanges(
            ObjectIDChanges(
                inserted: Set(change.inserted.map(\.objectID)),
                updated: Set(change.updated.union(change.refreshed).map(\.objectID)),
                deleted: Set(change.deleted.map(\.objectID))
            )
        )
    }

    /// Merges what waits in the inbox.
    func takeDeliveries() {
        guard let inbox else { return }
        for changes in inbox.take() { mergeChanges(changes) }
    }
}
