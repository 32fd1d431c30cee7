import FoundationEssentials

/// What was typed into forms and capture lines and is not saved.
///
/// Nothing of it is in the store or in undo. It is kept in memory while the program runs and, by
/// ``DraftFile``, beside the store.
struct Drafts: Codable, Equatable {
    /// Oldest first; one for each item that there is, any number of new ones.
    private(set) var forms: [FormDraft] = []
    /// Oldest first.
    private(set) var captures: [CaptureDraft] = []

    var isEmpty: Bool { forms.isEmpty && captures.isEmpty }

    /// Keeps what a form held; what an earlier one held of the same fields of the item goes.
    mutating func keep(_ draft: FormDraft) {
        guard let item = draft.item, let place = forms.firstIndex(where: { $0.item == item }) else {
            if !forms.contains(draft) { forms.append(draft) }
            return
        }
        forms[place].title = draft.title
        forms[place].fields.merge(draft.fields) { $1 }
    }

    mutating func keep(_ draft: CaptureDraft) {
        if !captures.contains(draft) { captures.append(draft) }
    }

    mutating func keep(_ others: Drafts) {
        for draft in others.forms { keep(draft) }
        for draft in others.captures { keep(draft) }
    }

    /// Takes out what was typed last for an item; for a new one without an item.
    mutating func takeForm(of item: UUID?, isNote: Bool) -> FormDraft? {
        let place = forms.lastIndex { $0.item == item && $0.isNote == isNote }
        return place.map { forms.remove(at: $0) }
    }

    /// Takes out what was captured last, for a subtask of a task or by itself.
    mutating func takeCapture(parent: UUID?) -> CaptureDraft? {
        let place = captures.lastIndex { $0.parent == parent }
        return place.map { captures.remove(at: $0) }
    }

    /// Makes new items of the edits of items, and captures of subtasks of tasks, that are gone.
    mutating func release(_ exists: (UUID) -> Bool) {
        for place in forms.indices {
            if let item = forms[place].item, !exists(item) { forms[place].item = nil }
            if let parent = forms[place].parent, !exists(parent) { forms[place].parent = nil }
        }
        for place in captures.indices {
            if let parent = captures[place].parent, !exists(parent) { captures[place].parent = nil }
        }
    }
}

/// What a form held.
struct FormDraft: Codable, Equatable {
    struct Field: Codable, Equatable {
        var text: String
        /// What the item had when the form was opened.
        var original: String
    }

    /// The item; `nil` for a new one.
    var item: UUID?
    var isNote: Bool
    /// What the item is called, for messages.
    var title: String
    /// The task of which a new one was to be a part.
    var parent: UUID?
    /// What was captured and has no field.
    var location: String?
    /// By key: of an item those that were edited, of a new one all.
    var fields: [String: Field] = [:]
}

/// What a capture line held.
struct CaptureDraft: Codable, Equatable {
    var text: String
    /// The task of which the new one was to be a part.
    var parent: UUID?
}

extension Drafts {
    /// The keys that bring drafts back, as people read them.
    struct Keys {
        var capture: String
        var subtask: String
        var task: String
        var note: String
        var edit: String
    }

    /// Says what is kept and how it comes back; `nil` if there is nothing.
    ///
    /// `place` says where an item is now: `"Pay rent"`, `"Pay rent" in the trash`.
    func offer(_ keys: Keys, place: (UUID) -> String) -> String? {
        let parts: [(text: String, way: String)] =
            captures.map { draft in
                (draft.text, draft.parent.map { "\(keys.subtask) on \(place($0))" } ?? keys.capture)
            }
            + forms.map { draft in
                let key = draft.isNote ? keys.note : keys.task
                return (draft.title, draft.item.map { "\(keys.edit) on \(place($0))" } ?? key)
            }
        guard let first = parts.first else { return nil }
        if parts.count == 1 {
            let text = Drafts.short(first.text)
            return "Typed last time: \"\(text)\" is kept; \(first.way) brings it back."
        }
        var ways: [String] = []
        for part in parts where !ways.contains(part.way) { ways.append(part.way) }
        return "Typed last time: \(parts.count) texts are kept; these keys bring them back: "
            + "\(ways.joined(separator: ", "))."
    }

    private static func short(_ text: String) -> String {
        text.count > 40 ? text.prefix(39) + "…" : text
    }
}
