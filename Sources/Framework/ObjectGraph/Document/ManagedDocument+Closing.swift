import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore

extension ManagedDocument {
    /// Saves what has changed, and closes the document; does nothing if it is closed.
    ///
    /// It waits for a save that is running. From its begin on edits are refused. Contexts of
    /// ``newContext()`` cannot be used afterwards. The document can be opened again.
    ///
    /// - Parameter discarding: whether unsaved edits are dropped instead.
    /// - Throws: the error of the save. Then the document stays open, with its edits.
    public func close(discardingChanges discarding: Bool = false) async throws {
        try await inTurn {
            guard let closing = opened else { return }
            tell { status in
                status.activity = .closing
                status.state.insert(.editingDisabled)
            }
            if !discarding {
                do {
                    try await writeChanges()
                } catch {
                    tell { status in
                        status.activity = nil
                        status.state.remove(.editingDisabled)
                    }
                    throw error
                }
            }
            opened = nil
            contentChanges = 0
            let release = Release(closing)
            try await files.run { release.run() }
            tell { $0 = DocumentStatus() }
        }
    }

    /// Drops what is not saved, and reads the document again.
    ///
    /// Also after its file was replaced: the document then has the content of the new file. Edits
    /// are refused meanwhile. Undo is empty afterwards.
    ///
    /// - Throws: `ObjectGraphError` if the document cannot be opened again; it then stays as it
    ///   was, edits included.
    public func revert() async throws { try await readAgain(disablingEdits: true) }

    private func readAgain(disablingEdits: Bool) async throws {
        try await inTurn {
            guard let opened else { throw notOpen }
            let before = board.status
            tell { status in
                status.activity = .reverting
                if disablingEdits { status.state.insert(.editingDisabled) }
            }
            do {
                let opening = DocumentOpening(url, options, coordinator, identity)
                let (place, store) = (opened.place, opened.store)
                let again = try await files.run { try opening.openAgain(place) }
                // Here, where no work is running: one that reads finds either of the two.
                try coordinator.removeStore(store)
                coordinator.add(again.store)
                try opened.replace(with: again.opened, wake)
            } catch {
                tell { status in
                    status = before
                    status.error = error as? ObjectGraphError
                }
                throw error
            }
            contentChanges = 0
            tell { status in
                status.activity = nil
                status.error = nil
                status.state = .normal
                status.hasUnsavedChanges = hasEdits
            }
            lookAtFileNews()
        }
    }

    /// The closing of a store, for the thread for files.
    ///
    /// Safety: the document has given up its reference, and waits.
    private final class Release: @unchecked Sendable {
        private let document: OpenDocument

        init(_ document: OpenDocument) { self.document = document }

        func run() { document.release() }
    }

    // MARK: What others do

    /// The files have changed, or the saves of others have arrived.
    func noteFileNews() {
        hasFileNews = true
        if board.status.activity == nil { lookAtFileNews() }
    }

    func lookAtFileNews() {
        guard hasFileNews, let opened, board.status.activity == nil else { return }
        hasFileNews = false
        do {
            if try opened.catchUp() { try takeOthersContent(opened) }
            tell { $0.hasUnsavedChanges = hasEdits }
        } catch let error as ObjectGraphError
            where error.code == .storeReplaced && options.store.isReadOnly
        {
            // There are no edits that the new file could contradict.
            Task {
                do {
                    try await self.readAgain(disablingEdits: false)
                } catch {
                    if self.opened != nil { self.note(error) }
                }
            }
        } catch {
            note(error)
        }
    }

    /// Reads the additional content that another program has saved.
    private func takeOthersContent(_ opened: OpenDocument) throws {
        guard let content = options.content, let folder = ContentFolder(opened.place),
            opened.store.type == .sqlite
        else { return }
        while let name = ContentFolder.savedName(of: opened.place, .sqlite),
            name != opened.content, contentChanges == 0
        {
            do {
                try folder.read(name, content)
                opened.content = name
            } catch {
                // A writer may have replaced it again meanwhile.
                if ContentFolder.savedName(of: opened.place, .sqlite) == name { throw error }
            }
        }
    }
}

extension DocumentOpening {
    /// A store that does not belong to the coordinator yet.
    ///
    /// Safety: the thread for files has opened it, and gives it away.
    struct Reopened: @unchecked Sendable {
        let store: any PersistentStore
        let opened: OpenedStore
    }

    /// Opens the store of a document that is open once more.
    func openAgain(_ place: DocumentPlace) throws -> Reopened {
        try place.checkExists()
        let before = fileBeforeReading(place)
        let (store, name) = try openStore(
            StoreDescription(url: place.store, options: options.store),
            place
        )
        let opened = OpenedStore(
            place: place,
            store: StoreReference(store),
            content: name,
            fileBefore: before
        )
        return Reopened(store: store, opened: opened)
    }
}
