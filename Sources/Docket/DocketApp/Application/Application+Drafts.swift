import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph
import TerminalUI

// Typed text is written beside the store when typing pauses: once, so that an idle program is not
// woken, and at the latest some seconds after it began. It is written at once before the program
// ends, stops or lends the terminal.

extension Application {
    private static let pause: Duration = .seconds(1)
    private static let longest: Duration = .seconds(5)

    /// Keeps unsaved typed text beside a store's file, and offers the text of windows that have
    /// ended.
    ///
    /// - Parameters:
    ///   - store: the path of the store.
    ///   - forCapture: whether only the line of quick capture will be shown.
    public func keepDrafts(beside store: String, forCapture: Bool = false) {
        guard !workspace.library.isReadOnly else { return }
        let file = DraftFile(store: store)
        draftFile = file
        var found = file.adopt()
        guard !found.isEmpty else { return }
        let library = workspace.library
        func item(_ uuid: UUID) -> Item? { try? library.item(.uuid(uuid)) }
        let lists = (try? library.smartLists().all) ?? []
        found.release({ item($0) != nil }, lists: { id in lists.contains { $0.id == id } })
        workspace.drafts.keep(found)
        writeDrafts()
        let (drafts, keys) = (workspace.drafts, workspace.draftKeys)
        let whole = drafts.offer(keys) { uuid in
            let found = item(uuid)
            return localized("\"\(found?.title ?? "")\"")
                + (found?.trashed == nil ? "" : localized(" in the trash"))
        }
        guard let offer = forCapture ? drafts.offerInCapture(keys.restore) : whole else { return }
        let before = workspace.messages
        let after = before.text.map { "\n\($0)" } ?? ""
        workspace.messages.show(
            offer + after,
            before.kind ?? .info,
            at: .now,
            staysUntilKey: true
        )
    }

    /// After input: sets the moment at which drafts are written, or writes them if typing has
    /// paused.
    func followDrafts() {
        guard draftFile != nil else { return }
        guard workspace.modals.contains(where: \.keepsDrafts) else { return writeDrafts() }
        let now = ContinuousClock.now
        let beginning = draftBeginning ?? now
        draftBeginning = beginning
        draftDeadline = min(now + Application.pause, beginning + Application.longest)
    }

    func writeDraftsIfDue() {
        if let draftDeadline, draftDeadline <= .now { writeDrafts() }
    }

    /// Writes the typed text, if it differs from the written one.
    func writeDrafts() {
        draftDeadline = nil
        draftBeginning = nil
        guard let draftFile else { return }
        var drafts = workspace.drafts
        for modal in workspace.modals { modal.addDrafts(to: &drafts) }
        guard drafts != writtenDrafts else { return }
        do {
            try draftFile.write(drafts)
            writtenDrafts = drafts
            draftFailure = nil
        } catch {
            // Reported once, not at each pause.
            guard draftFailure != "\(error)" else { return }
            draftFailure = "\(error)"
            workspace.tell(error)
        }
    }
}

extension Workspace {
    var draftKeys: Drafts.Keys {
        func label(_ id: String) -> String { keyMap.label(of: id, ascii: look.isASCII) }
        return Drafts.Keys(
            capture: label("item.add"),
            subtask: label("item.addSubtask"),
            task: label("item.addForm"),
            note: label("item.addNote"),
            edit: label("item.edit"),
            newList: label("list.save"),
            editList: label("list.edit"),
            restore: label("form.draft")
        )
    }
}
