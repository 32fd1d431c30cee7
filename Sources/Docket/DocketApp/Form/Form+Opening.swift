import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

extension Workspace {
    /// Opens the form of the selected item.
    func openForm() throws {
        if let id = items.selectedID { try openForm(of: id) }
    }

    /// Opens the form of an item.
    func openForm(of id: ManagedObjectID) throws {
        // Read first: the form checks all saves after this point before it saves.
        let seen = try library.latestTransaction()
        try library.refresh()
        let scratch = library.makeScratch()
        guard let item = try scratch.existingObject(with: id) as? Item else { return }
        if item.trashed != nil { throw Library.refusal(ofTrashed: item) }
        try open(item, isNew: false, scratch, seen: seen)
    }

    /// Opens a form for a new note or task.
    func openForm(newNote: Bool, _ captured: CapturedItem = CapturedItem()) throws {
        let scratch = library.makeScratch()
        let item: Item = newNote ? scratch.insert(Note.self) : scratch.insert(Task.self)
        try library.give(captured, captureDefaults, to: item)
        try open(item, isNew: true, scratch)
    }

    /// Opens a form for a new task with the text captured so far.
    func openForm(_ captured: CapturedItem, _ defaults: ItemDefaults) throws {
        let scratch = library.makeScratch()
        let task = scratch.insert(Task.self)
        try library.give(captured, defaults, to: task)
        try open(task, isNew: true, offersDraft: false, scratch).isFromCapture = true
    }

    @discardableResult
    private func open(
        _ item: Item,
        isNew: Bool,
        offersDraft: Bool = true,
        _ scratch: ManagedObjectContext,
        seen transaction: Int64 = 0
    ) throws -> Form {
        let form = Form(
            item: item,
            isNew: isNew,
            scratch: scratch,
            fields: FormFields.fields(for: item, library, knownNames),
            clock: library.clock(),
            seen: transaction
        )
        if offersDraft {
            form.draft = drafts.takeForm(of: isNew ? nil : item.uuid, isNote: item is Note)
        }
        open(form)
        return form
    }

    /// Called after a form was saved: selects the item if it is shown.
    func formDidSave(_ form: Form, _ step: SavedStep?) {
        library.context.processPendingChanges()
        if form.isNew {
            reveal(form.item.objectID, step)
        } else {
            items.isStale = true
            let unchanged: Phrase = "Nothing changed in \(quoted(form.item.title))"
            tell(step, unchanged: unchanged)
        }
    }

    /// Lends an item's text to the user's editor.
    func editTextOutside(of item: Item) {
        let (id, title, before) = (item.objectID, item.title, item.text)
        requests.append(
            .edit(text: before, suffix: ".md") { [weak self] text in
                guard let self else { return }
                if text == before { return tell("Nothing changed in \(quoted(title))") }
                try library.refresh()
                guard let item = try? library.context.existingObject(with: id) as? Item else {
                    throw InputError(.malformed, "\"\(title)\" was deleted.")
                }
                if item.text == text { return }
                guard item.text == before else {
                    throw InputError(
                        .malformed,
                        "The text of \"\(title)\" was changed by somebody else; that change stays."
                    )
                }
                let step = try library.setText(text, of: item)
                library.context.processPendingChanges()
                let unchanged: Phrase = "Nothing changed in \(quoted(item.title))"
                tell(step, unchanged: unchanged)
            }
        )
    }
}

/// The fields of a form by kind of item.
enum FormFields {
    static func fields(
        for item: Item,
        _ library: Library,
        _ known: KnownNames
    ) -> [FieldEditor] {
        let clock = library.clock()
        let titles = { (text: String) in (try? library.titles(beginning: text)) ?? [] }
        let title = TitleEditor(item, "Title", titles: titles)
        let mayCreate = library.newLists != .no
        let list = ListEditor(item, "List", known, mayCreate: mayCreate)
        let tagsEditor = TagsEditor(item, "Tags", known)
        let flags = [false, true].map {
            ChoiceEditor.Choice(
                value: .bool($0),
                title: $0 ? localized("yes") : localized("no"),
                change: .flag($0)
            )
        }
        let flag = ChoiceEditor(item, Item.Keys.flagged, "Flag", flags)
        if let note = item as? Note, note.isEncrypted {
            // A form keeps drafts in plain text; the encrypted text has an editor of its own.
            return [title, list, tagsEditor, flag]
        }
        guard let task = item as? Task else {
            return [
                title, list, tagsEditor, flag,
                LinesEditor(item, Note.Keys.body, "Text", titles: titles),
            ]
        }
        let priorities = (0...3).map { level in
            ChoiceEditor.Choice(
                value: .int(Int64(level)),
                title: ItemChange.priorityName(level).text,
                change: .priority(level)
            )
        }
        return [
            title, list, DateEditor(task, Task.Keys.due, "Due", clock),
            DateEditor(task, Task.Keys.start, "Start", clock),
            ChoiceEditor(task, Task.Keys.priority, "Priority", priorities),
            tagsEditor, RuleEditor(task, "Repeats", clock), RemindEditor(task, "Remind", clock),
            EstimateEditor(task, Task.Keys.estimate, "Estimate", placeholder: "none; like 1h 30m"),
            BlockersEditor(task, "Waits for"), LocationEditor(task, "Location", known),
            flag, LinesEditor(task, Item.Keys.notes, "Notes", titles: titles),
        ]
    }
}
