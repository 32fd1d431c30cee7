import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore

// A save:
//   1. here: the context's edits become pending changes of the root, which checks and plans them;
//   2. on the thread for files: the additional content is written, then the store's transaction;
//      here, edits go on meanwhile, in the context;
//   3. here: the root takes the outcome, and plans again after a conflict that the policy decides.
// After a failure the edits are pending in the root or the context; the next save has them too.

extension ManagedDocument {
    /// Saves what has changed, or creates the document.
    ///
    /// Edits that are made during the save are part of the next one.
    ///
    /// - Parameters:
    ///   - saving: `.overwriting` saves an open document; `.creating` makes a closed one at its
    ///     place, where nothing may be yet, and opens it.
    ///   - policy: what happens to values that another program has changed too; by default that of
    ///     ``DocumentOptions/mergePolicy``.
    /// - Throws: `ObjectGraphError`: validation, conflicts, or the error of the disk. Nothing is
    ///   saved then, neither objects nor additional content, and nothing is lost: the edits stay,
    ///   and the error is in ``status``.
    public func save(
        for saving: DocumentSaving = .overwriting,
        resolvingConflictsBy policy: MergePolicy? = nil
    ) async throws {
        if saving == .creating { return try await open(creating: true) }
        try await inTurn {
            guard opened != nil else { throw notOpen }
            try await writeChanges(policy)
        }
    }

    /// Writes everything that is not saved; within a turn.
    func writeChanges(_ policy: MergePolicy? = nil) async throws {
        guard let opened else { return }
        let taken = contentChanges
        let activity = board.status.activity
        var isWriting = false
        do {
            let policy = policy ?? options.mergePolicy
            try opened.decide(policy)
            try opened.push(policy)
            opened.root.mergePolicy = policy
            let content = try contentWriting(opened)
            if let content { opened.root.beforeWriting = { try content.check() } }
            defer {
                opened.root.beforeWriting = nil
                opened.root.mergePolicy = options.mergePolicy
            }
            let save = try opened.root.beginDetachedSave(TransactionInfo())
            if save != nil || content != nil {
                isWriting = true
                if activity == nil { tell { $0.activity = .saving } }
                try await write(save, content, opened)
                opened.noteOwnWrite()
            } else if coordinator.hasDueMetadata {
                isWriting = true
                try await files.run { [coordinator] in try coordinator.writeMetadata() }
                opened.noteOwnWrite()
            }
        } catch {
            note(error) { $0.activity = activity }
            lookAtFileNews()
            throw error
        }
        contentChanges -= taken
        tell { status in
            status.activity = activity
            status.error = nil
            status.state.subtract([.savingError, .inConflict])
            if isWriting { status.saveCount += 1 }
            status.hasUnsavedChanges = hasEdits
        }
        lookAtFileNews()
    }

    private func write(
        _ save: DetachedSave?,
        _ content: ContentWriting?,
        _ opened: OpenDocument
    ) async throws {
        do {
            if let save {
                repeat {
                    try await files.run { save.write { try content?.prepare() } }
                } while try !opened.root.proceed(save)
            } else if let content {
                try await files.run {
                    try content.prepare()
                    try content.saveName()
                }
            }
        } catch {
            if let content { try? await files.run { content.cancel() } }
            throw error
        }
        guard let content else { return }
        opened.content = content.written
        try await files.run { content.finish() }
    }

    private func contentWriting(_ opened: OpenDocument) throws -> ContentWriting? {
        guard !options.store.isReadOnly, let content = options.content,
            let folder = ContentFolder(opened.place),
            let value = try content.additionalContent(for: opened.context)
        else { return nil }
        return ContentWriting(
            content,
            value,
            in: folder,
            former: opened.content,
            opened.store,
            coordinator
        )
    }

    var hasEdits: Bool {
        contentChanges > 0 || opened.map { $0.hasChanges || coordinator.hasDueMetadata } ?? false
    }

    /// Reports the state that an error leads to.
    func note(_ error: any Error, _ change: (inout DocumentStatus) -> Void = { _ in }) {
        let known =
            error as? ObjectGraphError
            ?? ObjectGraphError(
                .operationFailed,
                "The document \"\(url.lastPathComponent)\" could not be saved.",
                recovery: "See the error behind it.",
                underlying: [error]
            )
        let isConflict = known.code == .mergeConflict || known.code == .storeReplaced
        tell { status in
            change(&status)
            status.error = known
            status.state.insert(isConflict ? .inConflict : .savingError)
            status.hasUnsavedChanges = hasEdits
        }
    }

    // MARK: Autosave

    /// After each edit.
    func noteEdits() {
        let hasEdits = hasEdits
        tell { $0.hasUnsavedChanges = hasEdits }
        guard hasEdits, let timer else { return }
        timer.note()
        if isAutosaving { return }
        isAutosaving = true
        // Holds the document until its edits are saved.
        Task {
            try? await timer.waitUntilQuiet()
            await self.autosave()
        }
    }

    private func autosave() async {
        isAutosaving = false
        await inTurn {
            guard opened != nil, hasEdits else { return }
            // The error is in the status; the next edit starts the timer again.
            try? await writeChanges()
        }
    }
}
