public import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore

// A copy is the saved state of the store and, in one more transaction of the copy, what is not
// saved. It is built beside its place and moved there when it is complete. The document itself
// stays as it was, so a copy also rescues edits that cannot be saved: the file was removed, the
// disk is full, another program has changed the same values.

extension ManagedDocument {
    /// Writes the document as it is now, unsaved edits included, to another place.
    ///
    /// The document stays where and as it is; open the copy to go on there. At each moment, also
    /// after a crash, the other place has a whole document or is as before.
    ///
    /// - Parameters:
    ///   - url: the other place.
    ///   - saving: whether a document that is there may be replaced.
    /// - Throws: `ObjectGraphError`: an invalid edit, or why the copy cannot be written: the place
    ///   is the document's own, is taken, or is open in this program. Nothing has changed then.
    /// - Complexity: O(bytes of the document).
    public func save(to url: URL, for saving: DocumentSaving = .creating) async throws {
        try await inTurn {
            guard let opened else { throw notOpen }
            let before = board.status
            tell { $0.activity = .copying }
            defer {
                tell { status in
                    status.activity = before.activity
                    status.hasUnsavedChanges = hasEdits
                }
                lookAtFileNews()
            }
            try opened.pushForCopy()
            let value = try options.content?.additionalContent(for: opened.context)
            let copying = DocumentCopying(
                source: opened.store,
                coordinator: coordinator,
                options: options,
                place: opened.place,
                content: opened.content,
                newContent: value
            )
            guard let save = try opened.root.beginDetachedSave(TransactionInfo()) else {
                return try await files.run { try copying.run([], to: url, saving) }
            }
            do {
                try await files.run {
                    save.give { plans in
                        try copying.run(plans.map(\.plan), to: url, saving)
                    }
                }
                _ = try opened.root.proceed(save)
            } catch is DetachedSave.NothingSaved {
                // The copy has the edits; here they are still pending.
            }
        }
    }
}

/// One copy of an open document; runs on the thread for files.
struct DocumentCopying: Sendable {
    let source: StoreReference
    let coordinator: PersistentStoreCoordinator
    let options: DocumentOptions
    let place: DocumentPlace
    /// The folder of additional content of the last save.
    let content: String?
    /// The content of now; `nil` if that is the last one.
    let newContent: (any Sendable)?

    /// Makes the copy.
    ///
    /// - Parameters:
    ///   - plans: what is not saved.
    ///   - url: the place of the copy.
    ///   - saving: whether something may be there.
    /// - Throws: why it cannot be made; nothing is left of it then.
    func run(_ plans: [SavePlan], to url: URL, _ saving: DocumentSaving) throws {
        let target = DocumentPlace(url, options.form)
        if saving == .creating { try target.checkIsFree() }
        if target.path == place.path || DocumentRegistry.isClaimed(target) {
            throw ObjectGraphError(
                .cannotWrite,
                "The document \"\(target.name)\" is open, so a copy cannot replace it.",
                recovery: "Save the copy under another name."
            )
        }
        let stage = try StoreTransferStage(beside: target.url)
        defer { stage.remove() }
        let staged = DocumentPlace(stage.file, options.form)
        try staged.makeFolders()
        let copy = try copyStore(to: staged.store)
        do {
            try write(plans, to: copy, staged)
        } catch {
            copy.close()
            throw error
        }
        copy.close()
        try target.take(from: stage, replacing: saving == .overwriting)
    }

    /// The saved state, in an open store.
    private func copyStore(to url: URL) throws -> any PersistentStore {
        var description = StoreDescription(url: url, options: options.store)
        description.options.isReadOnly = false
        return try coordinator.withOpenStore(source) { store in
            // The file may be gone; what is open can still be read.
            store.readsLostFile = true
            defer { store.readsLostFile = false }
            if store.type == .sqlite {
                try store.backUp(to: url, progress: nil)
                return try coordinator.open(description)
            }
            let copy = try StoreCopy(
                of: store,
                coordinator.model,
                needsStoreWideNumbers: false,
                takesReferences: true
            )
            let target = try coordinator.open(description, newIdentifier: store.identifier)
            do {
                try copy.write(to: target, inParts: false)
            } catch {
                target.close()
                throw error
            }
            return target
        }
    }

    private func write(
        _ plans: [SavePlan],
        to copy: any PersistentStore,
        _ staged: DocumentPlace
    ) throws {
        if let folder = ContentFolder(staged) {
            let former = content.flatMap { name in
                ContentFolder(place)?.url(name)
            }
            var name: String?
            if let newContent, let contents = options.content {
                name = try folder.write { target in
                    try contents.writeAdditionalContent(
                        newContent,
                        to: target,
                        originalContentsURL: former
                    )
                }
            } else if let former {
                name = try folder.write { target in try copyItems(of: former, to: target) }
            }
            copy.metadata[ContentFolder.key] = name.map(GraphValue.string)
        }
        do {
            // Metadata without objects need a save too.
            for var plan in plans.isEmpty ? [SavePlan()] : plans {
                plan.ignoresVersions = true
                plan.beforeWriting = nil
                _ = try copy.save(plan)
            }
        } catch is StoreConflict {
            throw ObjectGraphError(
                .mergeConflict,
                "Another program has deleted an object that was changed here.",
                recovery: "Delete it here too, or revert the document."
            )
        }
    }

    private func copyItems(of folder: URL, to target: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.copyItem(
                at: folder.appending(path: name),
                to: target.appending(path: name)
            )
        }
    }
}
