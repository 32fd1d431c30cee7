import DocketCore
import ObjectGraph
import TerminalUI

// Others may save the item while its form is open. For each field there are three texts: what it was
// when the form was opened, what it is in the form, what it is in the store now.
//
//   the store's is the old one           nothing to do
//   the form's is the old one            the store's is taken over
//   both are new and the same            nothing to do
//   both are new and differ              shown beside the field; saving asks once for each such text

/// What others saved of a form's item since it was opened.
struct Meanwhile {
    /// The newest transaction that the form was opened with.
    var opened: Int64 = 0
    /// The newest transaction that was looked at.
    var seen: Int64 = 0
    /// The item as others left it, and the context that it is in.
    var stored: (item: Item, context: ManagedObjectContext)?
    /// Who: `by the shell`.
    var by = ""
    var isDeleted = false
    var isTrashed = false
    /// Whether saving asked about the trash.
    var askedAboutTrash = false
    /// What saving asked about, by key.
    var asked: [String: String] = [:]
}

extension Form {
    /// Looks for what others saved of the item, merges what the form does not edit, and marks the
    /// fields that both changed.
    ///
    /// - Complexity: a step in an index if nobody saved anything.
    func noticeOthers(in library: Library) throws {
        guard !isNew, !meanwhile.isDeleted else { return }
        let latest = try library.latestTransaction()
        guard latest != meanwhile.seen else { return }
        // Names that are being typed are not the item's yet, and the others' not theirs.
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
        try merge(stored.item, library)
    }

    private static func words(_ author: String) -> String {
        switch author {
        case "": ""
        case "shell": "by the shell"
        case "interface": "by another window"
        default: "by \(author)"
        }
    }

    private func texts(_ item: Item, _ library: Library) -> [String] {
        FormFields.fields(for: item, library: library).map { field in
            field.load()
            return field.text
        }
    }

    private func merge(_ theirs: Item, _ library: Library) throws {
        let mine = texts(item, library)
        let stored = texts(theirs, library)
        scratch.refresh(item, mergeChanges: true)
        let merged = texts(item, library)
        for (place, field) in fields.enumerated() {
            let isTyped = field === focused && isEditing || field.isUnapplied
            if stored[place] == original[place] {
                field.meanwhile = nil
            } else if field.mergesByParts {
                field.load()
                setOriginal(stored[place], at: place)
            } else if !isTyped, mine[place] == original[place] {
                if merged[place] != stored[place] { try field.take(from: theirs) }
                field.load()
                setOriginal(stored[place], at: place)
            } else if !isTyped, mine[place] == stored[place] {
                field.meanwhile = nil
                setOriginal(stored[place], at: place)
            } else {
                field.meanwhile = .init(text: stored[place], by: meanwhile.by)
            }
        }
        session.endEdit()
        check()
    }

    /// Takes over what others made of the field with the focus, or else of the first such field.
    func takeOver() throws {
        endEdit()
        let changed = fields.filter { $0.meanwhile != nil }
        guard let field = changed.first(where: { $0 === focused }) ?? changed.first,
            let place = fields.firstIndex(where: { $0 === field }),
            let text = field.meanwhile?.text
        else {
            note = "Nobody changed a field of this item meanwhile."
            return
        }
        field.meanwhile = nil
        if let theirs = meanwhile.stored?.item {
            try field.take(from: theirs)
            field.load()
        } else {
            // Changed before the form was opened: the item has it, the draft has not.
            field.text = text
            try field.apply()
        }
        session.endEdit()
        setOriginal(text, at: place)
        note = "Taken over; ^Z brings yours back."
        check()
    }

    /// What saving has to ask first, or why it is not possible; `nil` if it may go on.
    ///
    /// Each thing is asked once.
    func question() -> String? {
        if let gone { return gone }
        if meanwhile.isTrashed, !meanwhile.askedAboutTrash {
            meanwhile.askedAboutTrash = true
            return "\(trashed ?? "") ^S again saves it there."
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
            ? "Others changed the same field: ^S again overwrites theirs, ^R takes it over." : nil
    }

    private var by: String { meanwhile.by.isEmpty ? "" : " \(meanwhile.by)" }

    /// That the item was deleted.
    var gone: String? {
        guard meanwhile.isDeleted else { return nil }
        return "\"\(item.title)\" was deleted meanwhile\(by). Esc keeps the text; adding a new "
            + "\(item is Note ? "note" : "task") brings it back."
    }

    /// That the item was put into the trash.
    var trashed: String? {
        guard meanwhile.isTrashed else { return nil }
        return "\"\(item.title)\" was moved to the trash meanwhile\(by)."
    }
}

/// What others made of the value that a field edits.
struct FieldMeanwhile: Equatable {
    var text: String
    /// Who: `by the shell`.
    var by: String

    /// The most columns of a value that are shown.
    private static let most = 160

    /// `changed meanwhile by the shell: priority is high now. ^R takes it over`, in as many rows as
    /// that needs.
    func rows(of label: String, columns: Int) -> [String] {
        let who = by.isEmpty ? "" : " \(by)"
        let value = text.isEmpty ? "empty" : DisplayWidth.singleLine(String(text.prefix(1000)))
        let shown = DisplayWidth.truncate(value, to: FieldMeanwhile.most)
        let what = "changed meanwhile\(who): \(label.lowercased()) is \(shown) now."
        let way = "^R takes it over"
        if DisplayWidth.of(what) + 1 + way.count <= columns { return ["\(what) \(way)"] }
        return [what, way].flatMap { DisplayWidth.wrapped($0, columns: max(1, columns)) }
            .map(String.init)
    }
}
