import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph

// The unsaved content of a form: kept while it is open, and once after it was cancelled.

extension Form {
    var keepsDrafts: Bool { true }

    /// Whether it has typed text that is not in the store.
    var isChanged: Bool { isFromCapture || fields.map(\.text) != original }

    /// The content of the form; `nil` if nothing was typed.
    var currentDraft: FormDraft? {
        guard isChanged else { return nil }
        let isLoose = isNew || meanwhile.isDeleted
        var draft = FormDraft(
            item: isLoose ? nil : item.uuid,
            isNote: item is Note,
            title: fields.first { $0.key == Item.Keys.title }?.text ?? item.title,
            parent: isNew ? (item as? Task)?.parent?.uuid : nil
        )
        if isNew, let task = item as? Task {
            let blocks = task.blocks.map(\.uuid).sorted { $0.uuidString < $1.uuidString }
            draft.blocks = blocks.isEmpty ? nil : blocks
        }
        for (field, old) in zip(fields, original) where isLoose || field.text != old {
            draft.fields[field.key] = .init(text: field.text, original: old)
        }
        return draft
    }

    func addDrafts(to drafts: inout Drafts) {
        if let draft { drafts.keep(draft) }
        if let currentDraft { drafts.keep(currentDraft) }
    }

    /// Restores the text of a cancelled form, as one edit.
    func restoreDraft() {
        guard let draft else {
            remark = localized("No draft is kept.")
            return
        }
        self.draft = nil
        endEdit()
        remark = localized("The draft is restored; ^Z removes it.")
        for (place, field) in fields.enumerated() {
            guard let kept = draft.fields[field.key], field.text != kept.text else { continue }
            if !isNew, kept.original != original[place] {
                field.meanwhile = .init(text: original[place], by: "")
            }
            registerUndo(to: field.text, at: place)
            field.text = kept.text
            try? field.apply(at: clock)
        }
        if isNew { restoreRelations(of: draft) }
        session.endEdit()
        check()
    }

    /// Restores what has no field; after the fields, because a task cannot wait for what it blocks.
    private func restoreRelations(of draft: FormDraft) {
        func tasks(_ ids: [UUID]) -> [Task] {
            ids.compactMap { id in try? Task.all(in: scratch, where: { $0.uuid == id }).first }
        }
        let parents = tasks([draft.parent].compactMap { $0 })
        let blocks = tasks(draft.blocks ?? []).map(\.shortID)
        for change in parents.map({ ItemChange.parent($0.objectID) }) + [.blocks(blocks)] {
            do { try change.apply(to: item, at: clock) } catch { remark = "\(error)" }
        }
    }

    /// Closes without saving; the typed text stays as a draft, which the next such form offers.
    func cancel(in workspace: Workspace) {
        endEdit()
        if let draft { workspace.drafts.keep(draft) }
        if let draft = currentDraft {
            workspace.drafts.keep(draft)
            let keys = workspace.draftKeys
            let key = draft.item != nil ? keys.edit : draft.isNote ? keys.note : keys.task
            workspace.tell("Cancelled; nothing was changed. \(keys.way(key)).")
        }
        session.cancel()
        workspace.close(self)
    }
}
