import DocketCore
import ObjectGraph

// What a form holds and has not saved: kept while it is open, and once after it was cancelled.

extension Form {
    var keepsDrafts: Bool { true }

    /// Whether something was typed that is not in the store.
    var isChanged: Bool { isFromCapture || fields.map(\.text) != original }

    /// What the form holds; `nil` if nothing was typed.
    var currentDraft: FormDraft? {
        guard isChanged else { return nil }
        let isLoose = isNew || meanwhile.isDeleted
        var draft = FormDraft(
            item: isLoose ? nil : item.uuid,
            isNote: item is Note,
            title: fields.first { $0.key == "title" }?.text ?? item.title,
            parent: isNew ? (item as? Task)?.parent?.uuid : nil,
            location: isNew ? (item as? Task)?.location?.name : nil
        )
        for (field, old) in zip(fields, original) where isLoose || field.text != old {
            draft.fields[field.key] = .init(text: field.text, original: old)
        }
        return draft
    }

    func addDrafts(to drafts: inout Drafts) {
        if let draft { drafts.keep(draft) }
        if let currentDraft { drafts.keep(currentDraft) }
    }

    /// Takes the text of a cancelled form over, as one edit.
    func takeDraft() {
        guard let draft else {
            note = "There is no draft."
            return
        }
        self.draft = nil
        endEdit()
        for (place, field) in fields.enumerated() {
            guard let kept = draft.fields[field.key], field.text != kept.text else { continue }
            if !isNew, kept.original != original[place] {
                field.meanwhile = .init(text: original[place], by: "")
            }
            field.text = kept.text
            try? field.apply()
        }
        session.endEdit()
        note = "The draft is back; ^Z leaves it out."
        check()
    }

    /// Closes without a trace; what was typed stays as a draft, offered once.
    func cancel(in workspace: Workspace) {
        endEdit()
        if let draft = currentDraft {
            workspace.drafts.keep(draft)
            let keys = workspace.draftKeys
            let key = draft.item != nil ? keys.edit : draft.isNote ? keys.note : keys.task
            let way = draft.item != nil ? "offers the text again" : "brings the text back"
            workspace.tell("Cancelled; nothing was changed. \(key) \(way).")
        }
        session.cancel()
        workspace.close(self)
    }
}
