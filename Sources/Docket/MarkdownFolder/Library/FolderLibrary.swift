import FileEvents
public import FoundationEssentials
public import ObjectGraph

/// An open folder of Markdown files: its objects, and what happens to the files meanwhile.
///
///     let notes = try FolderLibrary(url: URL(filePath: "/home/ana/notes")) { loop.wake() }
///     let rows = try notes.entries(of: notes.root())
///     for case let document as Document in rows.fetchedObjects { print(document.title) }
///
/// Nothing is read before it is asked for: opening looks whether the folder exists, ``entries(of:)``
/// lists one folder, ``Document/title`` reads the beginning of one file, ``text(of:)`` one text, of
/// which one at a time is kept.
///
/// When files change, `wake` is called on another thread; ``catchUp()`` then brings the objects and
/// the rows up to date.
public final class FolderLibrary {
    public let url: URL
    public let container: PersistentContainer
    /// The context of all objects; like every context it stays on its thread.
    public var context: ManagedObjectContext { container.viewContext }

    /// A folder whose rows are kept up to date.
    struct Followed {
        var rows: FetchedResultsController<FolderEntry>
        var watch: Int32?
    }

    let store: StoreReference
    let watcher: FolderWatcher?
    var followed: [ManagedObjectID: Followed] = [:]
    /// Whether a row has changed since the last ``catchUp()``.
    var hasChanged = false
    private var shown: DocumentText?

    /// Opens a folder; it is not read yet.
    ///
    /// - Parameters:
    ///   - url: the folder.
    ///   - wake: called on another thread when files of a listed folder have changed.
    /// - Throws: `ObjectGraphError` if there is no such folder.
    public init(url: URL, wake: @escaping @Sendable () -> Void = {}) throws {
        self.url = url
        try PersistentStoreCoordinator.register(
            MarkdownFolderStore.self,
            as: MarkdownFolderStore.storeType
        )
        var options = StoreOptions()
        options.type = MarkdownFolderStore.storeType
        options.isReadOnly = true
        container = try PersistentContainer(
            model: ManagedObjectModel(for: MarkdownFolderStore.classes),
            classes: MarkdownFolderStore.classes,
            url: url,
            options: options
        )
        container.viewContext.undoManager = nil
        store = container.coordinator.persistentStores[0]
        watcher = FolderWatcher(wake: wake)
    }

    deinit { watcher?.stop() }

    /// Why there is no folder at a URL, one sentence; `nil` if there is one.
    ///
    /// Nothing in it is read. May be called on any thread.
    public static func problem(at url: URL) -> String? {
        do {
            _ = try MarkdownFolderStore.metadata(ofStoreAt: url)
            return nil
        } catch let error as ObjectGraphError {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    /// Closes the store; its objects cannot be read any more.
    public func close() {
        watcher?.stop()
        followed = [:]
        container.close()
    }

    /// Whether changes of files are noticed by themselves; if not, ``catchUp()`` lists the folders
    /// without a watch again.
    public var isWatching: Bool { watcher != nil && followed.values.allSatisfy { $0.watch != nil } }

    // MARK: Entries

    /// The folder itself.
    ///
    /// - Throws: `ObjectGraphError` if it does not exist any more.
    public func root() throws -> Folder {
        if let root = try entry(at: "") as? Folder { return root }
        throw missing("The folder \"\(url.path)\"")
    }

    /// The document or folder at a path such as `recipes/soup.md`.
    ///
    /// - Returns: `nil` if there is none, or if it is hidden.
    /// - Throws: `ObjectGraphError` if the folder cannot be read.
    public func entry(at path: String) throws -> FolderEntry? {
        try context.fetch(FetchRequest<FolderEntry>(where: \.path == path)).first
    }

    /// What is in a folder: folders first, then documents, each by name; follows the files from now
    /// on.
    ///
    /// - Throws: `ObjectGraphError` if the folder cannot be read.
    /// - Complexity: the first call for a folder lists it once; no file is opened.
    public func entries(of folder: Folder) throws -> FetchedResultsController<FolderEntry> {
        let id = folder.objectID
        if let known = followed[id] { return known.rows }
        let rows = try FetchedResultsController(
            request: FetchRequest<FolderEntry>(
                where: Condition { $0.parent == id },
                sortedBy: \.isFolder.descending,
                \.name.localizedStandard
            ),
            context: context
        )
        // Watched first: what changes while the folder is listed is noticed.
        let watch = try watch(id)
        rows.didChange = { [weak self] _ in self?.hasChanged = true }
        do {
            try rows.performFetch()
        } catch {
            if let watch { watcher?.unwatch(watch) }
            throw error
        }
        followed[id] = Followed(rows: rows, watch: watch)
        return rows
    }

    private func watch(_ id: ManagedObjectID) throws -> Int32? {
        guard let watcher else { return nil }
        return try withStore { store -> Int32? in
            guard let path = store.path(id) else { return nil }
            return watcher.watch(store.disk.systemPath(path))
        }
    }

    /// Ends following a folder, such as one that is folded.
    public func stopFollowing(_ folder: ManagedObjectID) {
        guard let place = followed.removeValue(forKey: folder) else { return }
        if let watch = place.watch, !followed.values.contains(where: { $0.watch == watch }) {
            watcher?.unwatch(watch)
        }
    }

    /// Calls the body with the store, while nobody else uses it.
    func withStore<Result>(_ body: (MarkdownFolderStore) throws -> Result) throws -> Result {
        try container.coordinator.withStore(store, as: MarkdownFolderStore.self, body)
    }

    // MARK: Texts

    /// The text of a document.
    ///
    /// The text of the document before it is dropped, so memory holds one.
    ///
    /// - Throws: `ObjectGraphError` if the file does not exist any more, or cannot be read.
    public func text(of document: Document) throws -> DocumentText {
        // A document whose file is gone has no name any more, but its ID has it.
        let name = try withStore { $0.path(document.objectID)?.name ?? "" }
        guard let content = document.content else { throw missing("The file \"\(name)\"") }
        if content !== shown { dropText() }
        do {
            guard let found = try context.existingObject(with: content.objectID) as? DocumentText
            else { throw missing("The file \"\(name)\"") }
            shown = found
            return found
        } catch let error as ObjectGraphError where error.code == .referentialIntegrity {
            throw missing("The file \"\(name)\"")
        }
    }

    /// Drops the text that was read last.
    public func dropText() {
        guard let text = shown else { return }
        shown = nil
        // With this interval refreshing an object also removes its row from memory.
        let interval = context.stalenessInterval
        context.stalenessInterval = .zero
        context.refresh(text, mergeChanges: false)
        context.stalenessInterval = interval
    }

    func forgetShown() { shown = nil }

    private func missing(_ what: String) -> ObjectGraphError {
        ObjectGraphError(.cannotOpen, "\(what) does not exist any more.")
    }
}
