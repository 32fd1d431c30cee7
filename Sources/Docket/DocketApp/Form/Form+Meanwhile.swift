import DocketCore
import ObjectGraph
import TerminalUI

// Others may save the item while its form is open. For each field there are three texts: the one
// when the form was opened, the one in the form, and the one in the store now.
//
//   the store's is the old one           nothing to do
//   the form's is the old one            the store's is used
//   both are new and the same            nothing to do
//   both are new and differ              shown beside the field; saving asks once for each such text

extension Form {
    /// Looks for saves of the item by others, merges the fields that the form does not edit, and
    /// marks the fields that both have changed.
    ///
    /// - Complexity: a step in an index if nobody saved anything.
    func noticeOthers(in library: Library) throws {
        guard !isNew, !meanwhile.isDeleted else { return }
        let latest = try library.latestTransaction()
        guard latest != meanwhile.seen else { return }
        // Names that are being typed do not belong to the item yet.
        if isEditing, focused is TagsEditor { return }
        let authors = try library.authors(changing: item.objectID, after: meanwhile.seen)
        meanwhile.seen = latest
        guard let author = authors.last else { return }
        meanwhile.by = Form.words(author)
        guard let stored = try library.stored(item.objectID) else {
            meanwhile.isDeleted = true
            return
        }
        meanwhile.stored = stored
        meanwhile.isTrashed =
            stored.item.trashed != nil && item.trashed == nil || meanwhile.isTrashed
        meanwhile.isCompleted = isCompleted(in: stored.item)
        try merge(stored.item, library)
    }

    /// Whether others have completed this occurrence: there is another one now, which the form does
    /// not edit.
    private func isCompleted(in stored: Item) -> Bool {
        guard let task = item as? Task, let stored = stored as? Task else { return false }
        return stored.isDone && (meanwhile.isCompleted || !task.isDone) && stored.rule != nil
    }

    private static func words(_ author: String) -> String {
        switch author {
        case "": ""
        case "shell": localized("by the shell")
        case "interface": localized("by another window")
        default: localized("by \(author)")
        }
    }

    private func texts(_ item: Item, _ library: Library) -> [String] {
        FormFields.fields(for: item, library, KnownNames(library)).map { field in
            field.load()
            return field.text
        }
    }

    private func merge(_ theirs: Item, _ library: Library) throws {
        let mine = texts(item, library)
        let stored = texts(theirs, library)
        scratch.refresh(item, mergeChanges: true)
        let merged = texts(item, library)
        // What others have done is no edit of this form.
        scratch.processPendingChanges()
        session.undoManager.disableUndoRegistration()
        defer { try? session.undoManager.enableUndoRegistration() }
        for (place, field) in fields.enumerated() {
            let isTyped = field === focused && isEditing || field.isUnapplied
            if stored[place] == original[place] {
                field.meanwhile = nil
            } else if field.mergesByParts {
                field.load()
                setOriginal(stored[place], at: place)
            } else if !isTyped, mine[place] == original[place] {
                if merged[place] != stored[place] { try field.copyValue(from: theirs) }
                field.load()
                setOriginal(stored[place], at: place)
            } else if !isTyped, mine[place] == stored[place] {
                field.meanwhile = nil
                setOriginal(stored[place], at: place)
            } else {
                field.meanwhile = .init(text: stored[place], by: meanwhile.by)
            }
        }
        scratch.processPendingChanges()
        check()
    }

    /// Accepts the value of others for the field with the focus, or else for the first such field.
    func acceptTheirs() throws {
        endEdit()
        let changed = fields.filter { $0.meanwhile != nil }
        guard let field = changed.first(where: { $0 === focused }) ?? changed.first,
            let place = fields.firstIndex(where: { $0 === field }),
            let text = field.meanwhile?.text
        else {
            remark = localized("No field of this item was changed by somebody else.")
            return
        }
        field.meanwhile = nil
        registerUndo(to: field.text, at: place)
        if let theirs = meanwhile.stored?.item {
            try field.copyValue(from: theirs)
            field.load()
        } else {
            // Changed before the form was opened: the item has it, the draft does not.
            field.text = text
            try field.apply(at: clock)
        }
        session.endEdit()
        setOriginal(text, at: place)
        remark = localized("Accepted; ^Z restores your text.")
        check()
    }

    /// The question before saving, or the reason why it is not possible; `nil` if it may continue.
    ///
    /// Each question is asked once.
    func question() -> String? {
        if let gone { return gone }
        if meanwhile.isTrashed, !meanwhile.askedAboutTrash {
            meanwhile.askedAboutTrash = true
            return localized("\(trashed ?? "") ^S again saves it there.")
        }
        if meanwhile.isCompleted, !meanwhile.askedAboutCompletion {
            meanwhile.askedAboutCompletion = true
            return localized("\(completed ?? "") ^S again changes only the one that is done.")
        }
        var asks = false
        for (place, field) in fields.enumerated() {
            guard let text = field.meanwhile?.text, meanwhile.asked[field.key] != text else {
                continue
            }
            meanwhile.asked[field.key] = text
            if !asks { moveFocus(to: place) }
            asks = true
        }
        return asks
            ? localized("Others changed the same field: ^S again overwrites theirs, ^R accepts it.")
            : nil
    }

    private var by: String { meanwhile.by.isEmpty ? "" : " \(meanwhile.by)" }

    /// The message that the item was deleted.
    var gone: String? {
        guard meanwhile.isDeleted else { return nil }
        return localized(
            "\"\(item.title)\" was deleted\(by). Esc keeps the text; adding a new "
                + "\(item is Note ? localized("note") : localized("task")) restores it."
        )
    }

    /// The message that the item was put into the trash.
    var trashed: String? {
        guard meanwhile.isTrashed else { return nil }
        return localized("\"\(item.title)\" was moved to the trash\(by).")
    }

    /// The message that the occurrence was completed.
    var completed: String? {
        guard meanwhile.isCompleted else { return nil }
        return localized("This occurrence was completed\(by).")
    }
}
