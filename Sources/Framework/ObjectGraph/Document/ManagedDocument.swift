public import FoundationEssentials
public import ObjectContext
public import ObjectModel

/// A file of the user with an object graph in it: it is opened, edited, saved and closed without
/// waiting for a disk.
///
///     let document = try await ManagedDocument.shared(at: url, for: Book.self)
///     try await document.open()
///     try await document.perform(as: "Add Book") { context in
///         context.insert(Book.self).title = "Emma"
///     }
///     try await document.close()
///
/// Edits happen inside ``perform(as:_:)``, on the document's own thread; the compiler keeps objects
/// in there. A second thread does everything with files. So edits go on while a save is written,
/// and no call does anything with a disk on the thread of its caller.
///
/// The document saves itself when it was left alone for ``DocumentOptions/autosaveDelay``, and when
/// it is closed. A document that is released with unsaved edits lives until its autosave; without
/// one they are lost. Releasing an open document closes its store where that happens, so close it
/// before. See <doc:Documents>.
///
/// Calls that open, save, revert, copy or close run one after the other, in the order in which they
/// come.
public actor ManagedDocument {
    /// Where the document is, as its program has named it.
    public nonisolated let url: URL
    /// The stack below the document; its store is open while the document is.
    public nonisolated let coordinator: PersistentStoreCoordinator

    /// How it keeps its objects.
    public nonisolated let options: DocumentOptions
    nonisolated let board = DocumentBoard()
    nonisolated let files: DocumentThread
    nonisolated let thread: ContextThread
    /// Its identity among the documents that claim a place.
    nonisolated let identity = UUID()
    nonisolated let timer: (any QuietTimer)?

    /// What it has while it is open.
    var opened: OpenDocument?
    /// Changes of the additional content since the last save.
    var contentChanges = 0
    /// Whether a task waits for the quiet moment.
    var isAutosaving = false
    /// Whether the files have changed while they were not looked at.
    var hasFileNews = false
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The thread, as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    /// A document for classes; it is not opened, and nothing is read.
    ///
    /// Use ``shared(at:for:options:)`` unless only one part of the program opens the document:
    /// opening a place that another document of the program has open fails.
    ///
    /// - Parameters:
    ///   - url: its place; it need not exist.
    ///   - classes: the classes of the objects, as in ``PersistentContainer``.
    ///   - options: see ``DocumentOptions``.
    /// - Throws: `ObjectGraphError` if the classes contradict each other.
    public init(
        at url: URL,
        for classes: ManagedObject.Type...,
        options: DocumentOptions = DocumentOptions()
    ) throws {
        let model = try ManagedObjectModel(for: classes)
        let all = ManagedObjectModel.classes(with: classes)
        let byName = try PersistentStoreCoordinator.byEntity(all)
        try self.init(at: url, model: model, classes: byName, options: options)
    }

    /// A document for a model; it is not opened, and nothing is read.
    ///
    /// - Throws: `ObjectGraphError` if the model contradicts itself or the classes.
    public init(
        at url: URL,
        model: ManagedObjectModel,
        classes: [String: ManagedObject.Type] = [:],
        options: DocumentOptions = DocumentOptions()
    ) throws {
        self.url = url
        self.options = options
        coordinator = try PersistentStoreCoordinator(model: model, classes: classes)
        thread = ContextThread(name: "document")
        files = DocumentThread("document files")
        timer = options.timer
    }

    /// The one document of a place in this program.
    ///
    /// Everybody who asks for the same place, by whatever links, gets the same instance while
    /// anybody holds it, so all see each other's edits.
    ///
    /// - Parameters:
    ///   - url: its place; it need not exist.
    ///   - classes: the classes of the objects; ignored if the document is there already.
    ///   - options: likewise.
    /// - Returns: the document, which may be open already.
    /// - Throws: `ObjectGraphError` if the classes contradict each other.
    public static func shared(
        at url: URL,
        for classes: ManagedObject.Type...,
        options: DocumentOptions = DocumentOptions()
    ) async throws -> ManagedDocument {
        // Following links asks the disk, which can take long.
        let place = try await DocumentThread("document place").run {
            DocumentPlace(url, options.form)
        }
        return try DocumentRegistry.shared(at: place) {
            let model = try ManagedObjectModel(for: classes)
            let all = ManagedObjectModel.classes(with: classes)
            let byName = try PersistentStoreCoordinator.byEntity(all)
            return try ManagedDocument(at: url, model: model, classes: byName, options: options)
        }
    }

    // MARK: What it is

    /// The name for people: that of the file or folder, without its extension.
    public nonisolated var localizedName: String {
        url.deletingPathExtension().lastPathComponent
    }

    /// What the document can do, does, and what went wrong; never waits.
    public nonisolated var status: DocumentStatus { board.status }

    /// The states alone: `document.state == .normal`.
    public nonisolated var state: DocumentState { board.status.state }

    /// Whether something would be lost without a save.
    public nonisolated var hasUnsavedChanges: Bool { board.status.hasUnsavedChanges }

    /// The present status, then each new one in order, until the document is released.
    public nonisolated var statuses: AsyncStream<DocumentStatus> { board.stream() }

    func tell(_ change: (inout DocumentStatus) -> Void) {
        guard board.update(change) else { return }
        GraphNotificationCenter.default.post(DocumentStatusDidChange(document: self))
    }

    // MARK: Editing

    /// Runs work with the context of the document, as one step of undo.
    ///
    /// The work runs on the document's thread, while a save may be written on the other one; only
    /// the commit itself and work that reads rows wait for each other. Objects stay in there;
    /// return values or IDs. Saving the context makes the edits part of the next save of the
    /// document, as the end of the work does anyway.
    ///
    ///     let count = try await document.perform { try Book.count(in: $0) }
    ///
    /// - Parameters:
    ///   - name: the name of the step for a menu, such as "Add Book".
    ///   - body: the work.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; `ObjectGraphError` with code
    ///   ``ObjectGraphError/Code/documentClosed`` if the document is not open.
    @discardableResult
    public func perform<Result: Sendable>(
        as name: String? = nil,
        _ body: @Sendable (ManagedObjectContext) throws -> Result
    ) throws -> Result {
        let opened = try usable()
        return try opened.root.puttingOffCommit {
            defer {
                opened.context.endEvent(as: name)
                noteEdits()
            }
            return try body(opened.context)
        }
    }

    /// Runs work with the context of the document, and blocks the caller's thread until it ends.
    ///
    /// For programs with an event loop; a task uses ``perform(as:_:)``.
    ///
    /// - Throws: as ``perform(as:_:)``.
    @discardableResult
    public nonisolated func performAndWait<Result: Sendable>(
        as name: String? = nil,
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) throws -> Result {
        let outcome = Outcome<Result, any Error>()
        thread.wait {
            self.assumeIsolated { document in
                outcome.result = Swift.Result { try document.perform(as: name, body) }
            }
        }
        guard let result = outcome.result else {
            preconditionFailure("the work has ended without a result")
        }
        return try result.get()
    }

    /// Begins work that awaits the document's calls, and does not wait for it.
    ///
    /// For programs with an event loop. All of it runs on the document's threads, which sleep while
    /// there is nothing to do; the threads that a detached task would use are woken every second
    /// from their first use on.
    ///
    ///     document.begin { document in
    ///         try? await document.open()
    ///         wakeEventLoop()
    ///     }
    ///
    /// - Parameter work: called on the document's thread; it must not block.
    /// - Returns: the task, for cancelling it or waiting for its end.
    @discardableResult
    public nonisolated func begin(
        _ work: @escaping @Sendable (ManagedDocument) async -> Void
    ) -> Task<Void, Never> {
        Task.detached(executorPreference: thread.tasks) { await work(self) }
    }

    /// A further context over the document's store, where the caller is.
    ///
    /// It reads what is saved, and saves at once: no autosave, no unsaved changes. The document and
    /// it merge each other's saves. For a program whose commands are saved one by one. Use it while
    /// the document is open.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/documentClosed``.
    public nonisolated func newContext() throws -> ManagedObjectContext {
        if status.state.contains(.closed) { throw notOpen }
        let context = ManagedObjectContext(coordinator: coordinator)
        context.confineWhereMade()
        context.mergePolicy = options.mergePolicy
        context.automaticallyMergesChangesFromParent = true
        return context
    }

    /// Notes that the additional content has changed, so that it is saved.
    ///
    /// Edits of objects need no call.
    public func updateChangeCount() throws {
        _ = try usable()
        contentChanges += 1
        noteEdits()
    }

    // MARK: Order of calls

    /// What the document has while it may be edited.
    func usable() throws -> OpenDocument {
        guard let opened, !board.status.state.contains(.editingDisabled) else { throw notOpen }
        return opened
    }

    nonisolated var notOpen: ObjectGraphError {
        let name = url.lastPathComponent
        let isBusy = !status.state.contains(.closed)
        return ObjectGraphError(
            .documentClosed,
            isBusy
                ? "The document \"\(name)\" cannot be edited at the moment: \(status)."
                : "The document \"\(name)\" is not open.",
            recovery: isBusy ? "Wait until its state is normal." : "Open it first."
        )
    }

    /// Runs a call that must not run together with another one.
    func inTurn<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        // In one step: on the way into the closure another call may have its turn, and end.
        await withCheckedContinuation { turn in
            if isBusy {
                waiting.append(turn)
            } else {
                isBusy = true
                turn.resume()
            }
        }
        defer {
            // The next one takes over, so nobody comes in between.
            if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
        }
        return try await body()
    }
}
