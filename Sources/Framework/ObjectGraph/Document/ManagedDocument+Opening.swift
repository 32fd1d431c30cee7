import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore
import Synchronization

// Opening, on the thread for files:
//   1. claim the place, so that nobody else in the program opens it;
//   2. check that the document is there, or build it beside its place and move it there;
//   3. open the store, after a migration if it needs one; its progress becomes the status;
//   4. remove additional content that no save names; read the one that belongs to the store;
// and then, on the document's thread, the contexts are made.
// A caller whose task is cancelled leaves at once; what was opened by then is closed again.

extension ManagedDocument {
    /// Opens the document; does nothing if it is open.
    ///
    /// Meanwhile ``status`` says what happens, with the progress of a migration. Cancelling the
    /// task ends the call at once, and a migration soon; the file then stays as it was.
    ///
    /// - Throws: `ObjectGraphError`: the document does not exist, is damaged, locked, or of a newer
    ///   version; another document of the program has its place open; or
    ///   ``ObjectGraphError/Code/cancelled``. The error of ``DocumentContent`` comes as it is.
    public func open() async throws { try await open(creating: false) }

    func open(creating: Bool) async throws {
        try await inTurn {
            if opened != nil {
                if creating { throw DocumentPlace(url, options.form).isTaken }
                return
            }
            tell { status in
                status = DocumentStatus()
                status.state = [.closed, .editingDisabled]
                status.activity = .opening
            }
            do {
                let store = try await openStore(creating: creating)
                let new = try takeOver(store)
                opened = new
                new.watch(wake)
                contentChanges = 0
                tell { status in
                    status = DocumentStatus()
                    status.state = .normal
                }
            } catch {
                opened = nil
                tell { status in
                    status = DocumentStatus()
                    status.error = error as? ObjectGraphError
                }
                throw error
            }
            if creating { try await writeChanges() }
        }
    }

    /// Makes the contexts; a store that cannot be used is closed again.
    private func takeOver(_ store: OpenedStore) throws -> OpenDocument {
        do {
            return try OpenDocument(store, coordinator, options, identity)
        } catch {
            try? coordinator.removeStore(store.store)
            DocumentRegistry.release(store.place, of: identity)
            throw error
        }
    }

    /// Called by the watchers, on any thread.
    var wake: @Sendable () -> Void {
        let thread = thread
        return { [weak self] in
            thread.later { [weak self] in self?.assumeIsolated { $0.noteFileNews() } }
        }
    }

    private func openStore(creating: Bool) async throws -> OpenedStore {
        let given = options.store.migration.monitor
        let canceller = Canceller()
        let monitor = MigrationMonitor { [weak self] progress in
            given?.note(progress.fraction, progress.phase)
            if given?.isCancelled ?? false { canceller.cancel() }
            // An opening that nobody waits for any more may still report.
            if canceller.isInUse { self?.noteProgress(progress) }
        }
        canceller.monitor = monitor
        defer { canceller.end() }
        let opening = DocumentOpening(url, options, coordinator, identity, monitor)
        let coordinator = coordinator
        let identity = identity
        return try await files.run {
            monitor.cancel()
        } undo: { unwanted in
            try? coordinator.removeStore(unwanted.store)
            DocumentRegistry.release(unwanted.place, of: identity)
        } _: {
            try opening.run(creating: creating)
        }
    }

    private nonisolated func noteProgress(_ progress: MigrationMonitor.Progress) {
        let isNews = board.update { status in
            guard status.activity == .opening else { return }
            status.state.insert(.progressAvailable)
            status.progress = progress
        }
        if isNews {
            GraphNotificationCenter.default.post(DocumentStatusDidChange(document: self))
        }
    }
}

/// Cancels a migration from its own report.
private final class Canceller: @unchecked Sendable {
    /// Weak, because the monitor's report holds this object.
    ///
    /// Safety: set once, before the monitor is used.
    weak var monitor: MigrationMonitor?
    private let isOver = Atomic(false)

    func end() { isOver.store(true, ordering: .releasing) }

    func cancel() { monitor?.cancel() }

    var isInUse: Bool { !isOver.load(ordering: .acquiring) }
}

/// One opening of a document's store; runs on the thread for files.
struct DocumentOpening: Sendable {
    private let url: URL
    let options: DocumentOptions
    let coordinator: PersistentStoreCoordinator
    private let identity: UUID
    private let monitor: MigrationMonitor?

    init(
        _ url: URL,
        _ options: DocumentOptions,
        _ coordinator: PersistentStoreCoordinator,
        _ identity: UUID,
        _ monitor: MigrationMonitor? = nil
    ) {
        self.url = url
        self.options = options
        self.coordinator = coordinator
        self.identity = identity
        self.monitor = monitor
    }

    func run(creating: Bool) throws -> OpenedStore {
        try checkOptions()
        let place = DocumentPlace(url, options.form)
        try DocumentRegistry.claim(place, for: identity)
        do {
            if creating {
                try create(place)
            } else {
                try place.checkExists()
            }
            return try open(place)
        } catch {
            DocumentRegistry.release(place, of: identity)
            throw error
        }
    }

    private func checkOptions() throws {
        let reason: String
        if options.store.type == .inMemory {
            reason = "A document needs a store with a file, not one in memory."
        } else if options.form == .file, options.content != nil {
            reason = "A document of one file has no place for additional content."
        } else {
            return
        }
        throw ObjectGraphError(
            .invalidRequest,
            reason,
            recovery: "Change the options of the document."
        )
    }

    /// Builds a new document beside its place, and moves it there.
    private func create(_ place: DocumentPlace) throws {
        try place.checkIsFree()
        let stage = try StoreTransferStage(beside: place.url)
        defer { stage.remove() }
        let staged = DocumentPlace(stage.file, options.form)
        try staged.makeFolders()
        try coordinator.open(StoreDescription(url: staged.store, options: options.store)).close()
        try place.take(from: stage, replacing: false)
    }

    /// How often a document is opened whose additional content is replaced while it is read.
    private static let attempts = 100

    /// Opens the store of a document that is there.
    func open(_ place: DocumentPlace) throws -> OpenedStore {
        let folder = ContentFolder(place)
        // Before the store is read: whoever has ended by now names nothing later.
        let ended = options.store.isReadOnly ? [] : folder?.ofEndedProcesses() ?? []
        var description = StoreDescription(url: place.store, options: options.store)
        description.options.migration.monitor = monitor
        let before = fileBeforeReading(place)
        let (store, name) = try openStore(description, place)
        let reference = try coordinator.addOpened(store)
        for other in ended where other != name { folder?.remove(other) }
        return OpenedStore(place: place, store: reference, content: name, fileBefore: before)
    }

    /// The file that an opening is about to read; `nil` if the opening may write to it.
    func fileBeforeReading(_ place: DocumentPlace) -> FileIdentity? {
        options.store.isReadOnly ? FileIdentity(place.store.path) : nil
    }

    /// Opens a store without adding it, and reads the additional content that belongs to it.
    ///
    /// A writer may remove that content meanwhile, because it has saved another one; then both are
    /// read again.
    func openStore(
        _ description: StoreDescription,
        _ place: DocumentPlace
    ) throws -> (store: any PersistentStore, content: String?) {
        var attempt = 0
        while true {
            attempt += 1
            let store = try coordinator.openMigrating(description)
            do {
                return (store, try readContent(of: store, place))
            } catch {
                let name = ContentFolder.name(in: store.metadata)
                store.close()
                let isReplaced =
                    ContentFolder.savedName(of: place, description.options.type) != name
                if !isReplaced || attempt == Self.attempts { throw error }
            }
        }
    }

    /// Reads the additional content that a store names.
    ///
    /// - Returns: the name of its folder; `nil` if there is none.
    private func readContent(
        of store: any PersistentStore,
        _ place: DocumentPlace
    ) throws -> String? {
        var attempt = 0
        while true {
            attempt += 1
            guard let name = ContentFolder.name(in: store.metadata) else { return nil }
            guard let content = options.content, let folder = ContentFolder(place) else {
                return name
            }
            do {
                try folder.read(name, content)
                return name
            } catch {
                // An SQLite store sees what a writer has saved; one that is read as a whole does not.
                _ = try store.foreignMark()
                let isReplaced = ContentFolder.name(in: store.metadata) != name
                if !isReplaced || attempt == Self.attempts { throw error }
            }
        }
    }
}
