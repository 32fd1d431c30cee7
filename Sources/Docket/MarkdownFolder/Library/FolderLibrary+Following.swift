import FileEvents
import ObjectGraph

// Changes of files by others. The watcher reports names; the folder is listed again, and what differs
// from the rows is merged like a save of another program.
extension FolderLibrary {
    /// Up to how many changes the rows follow one by one; for more, reading again costs less.
    private static let mostChanges = 1000

    /// Brings objects and rows up to date with the files.
    ///
    /// - Returns: whether a row or an object has changed.
    /// - Throws: `ObjectGraphError` if the folder itself is gone, or cannot be read any more.
    /// - Complexity: lists each folder in which something has happened once; nothing if nothing has.
    @discardableResult
    public func catchUp() throws -> Bool {
        let changes = watcher?.take() ?? FolderWatcher.Changes(isIncomplete: true)
        if changes.isEmpty, isWatching { return false }
        hasChanged = false
        let all = try withStore { try differences(changes, $0) }
        if !all.isEmpty {
            merge(all)
            hasChanged = true
        }
        return hasChanged
    }

    /// What differs from the rows that are followed.
    private func differences(
        _ changes: FolderWatcher.Changes,
        _ store: MarkdownFolderStore
    ) throws -> ObjectIDChanges {
        var all = ObjectIDChanges()
        var unreadable: [ManagedObjectID] = []
        for (folder, place) in followed {
            guard let path = store.path(folder) else { continue }
            let names = place.watch.flatMap { changes.names[$0] } ?? []
            let isGone = place.watch.map { changes.gone.contains($0) } ?? false
            // Of a folder without a watch nothing is known.
            let isUnknown = changes.isIncomplete || place.watch == nil
            guard isUnknown || isGone || !names.isEmpty else { continue }
            let old = Set(place.rows.objectIDs)
            var new: Set<ManagedObjectID> = []
            do {
                let found = try store.list(path)
                new = Set(
                    try found.map { try store.id($0.path, $0.isFolder ? .folder : .document) }
                )
                // The same path can be another folder by now.
                if isGone { followed[folder]?.watch = watcher?.watch(store.disk.systemPath(path)) }
            } catch {
                if path == .root { throw error }
                // The folder above shows whether it is gone.
                unreadable.append(folder)
            }
            all.inserted.formUnion(new.subtracting(old))
            all.deleted.formUnion(old.subtracting(new))
            let same = old.intersection(new)
            if isUnknown {
                all.updated.formUnion(same)
            } else {
                for name in names {
                    let entry = path.appending(name)
                    for kind in [MarkdownFolderStore.Kind.document, .folder] {
                        let id = try store.id(entry, kind)
                        if same.contains(id) { all.updated.insert(id) }
                    }
                }
            }
        }
        for folder in unreadable { stopFollowing(folder) }
        // A document that has changed has another text.
        func texts(_ ids: Set<ManagedObjectID>) throws -> [ManagedObjectID] {
            try ids.filter { $0.entityName == MarkdownFolderStore.Kind.document.rawValue }
                .compactMap(store.path).map { try store.id($0, .text) }
        }
        all.updated.formUnion(try texts(all.updated.union(all.inserted)))
        all.deleted.formUnion(try texts(all.deleted))
        return all
    }

    private func merge(_ changes: ObjectIDChanges) {
        for folder in changes.deleted { stopFollowing(folder) }
        let count = changes.inserted.count + changes.updated.count + changes.deleted.count
        if count <= FolderLibrary.mostChanges {
            return ManagedObjectContext.mergeChanges(changes, into: [context])
        }
        // Where nothing is registered, merging only forgets the rows.
        ManagedObjectContext.mergeChanges(changes, into: [container.newContext()])
        forgetShown()
        context.reset()
        for place in followed.values { try? place.rows.performFetch() }
    }
}
