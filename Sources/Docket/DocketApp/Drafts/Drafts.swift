import DocketCore
import FoundationEssentials

/// The typed text of forms and capture lines that is not saved.
///
/// It is neither in the store nor in undo. It is kept in memory while the program runs and, by
/// ``DraftFile``, beside the store.
struct Drafts: Codable, Equatable {
    /// Oldest first; one for each existing item, any number for new ones.
    private(set) var forms: [FormDraft] = []
    /// Oldest first.
    private(set) var captures: [CaptureDraft] = []
    /// Oldest first; one for each smart list, any number for new ones.
    ///
    /// A file of an older version has none.
    private var lists: [SmartListDraft]?

    var isEmpty: Bool { forms.isEmpty && captures.isEmpty && smartLists.isEmpty }

    var smartLists: [SmartListDraft] {
        get { lists ?? [] }
        set { lists = newValue.isEmpty ? nil : newValue }
    }

    /// Keeps the text of a form; an older draft of the same fields of the item is removed.
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

    /// The same, as the last one that is offered.
    mutating func keepFirst(_ draft: CaptureDraft) {
        if !captures.contains(draft) { captures.insert(draft, at: 0) }
    }

    mutating func keep(_ draft: SmartListDraft) {
        smartLists.removeAll { $0 == draft || draft.list != nil && $0.list == draft.list }
        smartLists.append(draft)
    }

    mutating func keep(_ others: Drafts) {
        for draft in others.forms { keep(draft) }
        for draft in others.captures { keep(draft) }
        for draft in others.smartLists { keep(draft) }
    }

    /// Removes and returns the newest draft for a smart list, or for a new one.
    mutating func takeSmartList(_ list: String?) -> SmartListDraft? {
        let place = smartLists.lastIndex { $0.list == list }
        return place.map { smartLists.remove(at: $0) }
    }

    /// Removes and returns the newest draft for an item, or for a new one if there is no item.
    mutating func takeForm(of item: UUID?, isNote: Bool) -> FormDraft? {
        let place = forms.lastIndex { $0.item == item && $0.isNote == isNote }
        return place.map { forms.remove(at: $0) }
    }

    /// Whether the form of a new task is kept.
    var hasNewTask: Bool { forms.contains(where: \.isOfNewTask) }

    /// Removes and returns the newest capture, for a subtask of a task or for a new item.
    mutating func takeCapture(parent: UUID?) -> CaptureDraft? {
        let place = captures.lastIndex { $0.parent == parent }
        return place.map { captures.remove(at: $0) }
    }

    /// Turns drafts of deleted items and lists, and of subtasks of deleted tasks, into drafts of new
    /// ones.
    mutating func release(_ exists: (UUID) -> Bool, lists isList: (String) -> Bool) {
        for place in smartLists.indices {
            if let list = smartLists[place].list, !isList(list) { smartLists[place].list = nil }
        }
        for place in forms.indices {
            if let item = forms[place].item, !exists(item) { forms[place].item = nil }
            if let parent = forms[place].parent, !exists(parent) { forms[place].parent = nil }
            forms[place].blocks = forms[place].blocks?.filter(exists)
        }
        for place in captures.indices {
            if let parent = captures[place].parent, !exists(parent) { captures[place].parent = nil }
        }
    }
}

/// The text of a form.
struct FormDraft: Codable, Equatable {
    struct Field: Codable, Equatable {
        var text: String
        /// The item's value when the form was opened.
        var original: String
    }

    /// The item; `nil` for a new one.
    var item: UUID?
    var isNote: Bool
    /// The title of the item, for messages.
    var title: String
    /// The parent task of a new subtask.
    var parent: UUID?
    /// The tasks that wait for a new task, which has no field for them; a file of an older version
    /// has none.
    var blocks: [UUID]?
    /// By key: the edited fields of an item, all fields of a new one.
    var fields: [String: Field] = [:]

    var isOfNewTask: Bool { item == nil && !isNote }
}

/// The text of a capture line.
struct CaptureDraft: Codable, Equatable {
    var text: String
    /// The parent task of a new subtask.
    var parent: UUID?
}

/// The content of the form of a smart list.
struct SmartListDraft: Codable, Equatable {
    /// The ID of the list; `nil` for a new one.
    var list: String?
    var name: String
    var query: String
    var order: String?
    var groups: String?
    var isHidden: Bool

    init(of list: SmartList?, _ values: SmartListValues) {
        self.list = list?.id
        name = values.name
        query = values.query
        order = values.sort?.text
        groups = values.grouping?.rawValue
        isHidden = values.isHidden
    }

    var values: SmartListValues {
        SmartListValues(
            name: name,
            query: query,
            sort: SortWord(order),
            grouping: groups.flatMap(ItemGrouping.init),
            isHidden: isHidden
        )
    }
}

extension Drafts {
    /// The keys that restore drafts, in their written form.
    struct Keys {
        var capture: String
        var subtask: String
        var task: String
        var note: String
        var edit: String
        var newList: String
        var editList: String
        /// The key in what these open.
        var restore: String

        /// `a, then ^T restores the text`.
        func way(_ key: String) -> String { localized("\(key), then \(restore) restores the text") }
    }

    /// The message about kept drafts and how to restore them; `nil` if there are none.
    ///
    /// `place` describes the place of an item: `"Pay rent"`, `"Pay rent" in the trash`.
    func offer(_ keys: Keys, place: (UUID) -> String) -> String? {
        let parts: [(text: String, way: String)] =
            captures.map { draft in
                (
                    draft.text,
                    draft.parent.map { localized("\(keys.subtask) on \(place($0))") }
                        ?? keys.capture
                )
            }
            + forms.map { draft in
                let key = draft.isNote ? keys.note : keys.task
                return (
                    draft.title, draft.item.map { localized("\(keys.edit) on \(place($0))") } ?? key
                )
            }
            + smartLists.map { draft in
                let key =
                    draft.list == nil ? keys.newList : localized("\(keys.editList) on that list")
                return (draft.name.isEmpty ? draft.query : draft.name, key)
            }
        guard let first = parts.first else { return nil }
        if parts.count == 1 {
            let text = Drafts.short(first.text)
            return
                localized(
                    "Typed last time: \"\(text)\" is kept; \(first.way), then \(keys.restore) restores it."
                )
        }
        var ways: [String] = []
        for part in parts where !ways.contains(part.way) { ways.append(part.way) }
        return localized(
            "Typed last time: \(parts.count) texts are kept; these keys, then \(keys.restore) "
                + "restore them: \(ways.joined(separator: ", "))."
        )
    }

    /// The same in the line of quick capture alone: what its own key restores.
    func offerInCapture(_ restore: String) -> String? {
        let texts =
            captures.filter { $0.parent == nil }.map(\.text)
            + forms.filter(\.isOfNewTask).map(\.title)
        guard let first = texts.first else { return nil }
        if texts.count > 1 {
            return localized(
                "Typed last time: \(texts.count) texts are kept; \(restore) restores them."
            )
        }
        return localized(
            "Typed last time: \"\(Drafts.short(first))\" is kept; \(restore) restores it."
        )
    }

    private static func short(_ text: String) -> String {
        text.count > 40 ? text.prefix(39) + "…" : text
    }
}
