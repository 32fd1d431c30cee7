import DocketCore
import DocketFormats
import ObjectGraph
import SearchLanguage
import TerminalUI

/// A form for a smart list: name, search, order, groups, and whether the lists pane shows it.
///
/// The search is checked while it is typed; below it is what it means, or what is wrong. The name of
/// a built-in list stays. What a cancelled form had comes back by the key of drafts.
///
/// Split by concern: `+Render`.
final class SmartListForm: FieldForm {
    enum Field: CaseIterable {
        case name
        case query
        case order
        case grouping
        case shown

        var title: String {
            switch self {
            case .name: localized("Name")
            case .query: localized("Search")
            case .order: localized("Order")
            case .grouping: localized("Groups")
            case .shown: localized("Shown")
            }
        }
    }

    /// The list; `nil` for a new one.
    let list: SmartList?
    /// The fields that can be changed.
    let fields: [Field]
    var name: TextField
    var query: TextField
    private(set) var values: SmartListValues
    var focus = 0
    var remark = ""
    var scroll = 0
    var area = Rect(row: 0, column: 0, rows: 0, columns: 0)
    /// The search as it is understood.
    private(set) var filter: ItemFilter?
    /// What the search means, or what is wrong with it.
    private(set) var meaning = RichLine()
    private var original: SmartListValues
    private var history: EditHistory<SmartListValues>
    /// Called after the list was saved.
    private let then: (Workspace) -> Void

    init(
        _ list: SmartList?,
        _ values: SmartListValues,
        in workspace: Workspace,
        then: @escaping (Workspace) -> Void = { _ in }
    ) {
        self.list = list
        self.values = values
        self.then = then
        original = values
        history = EditHistory(values)
        fields = Field.allCases.filter { $0 != .name || list?.isBuiltIn != true }
        name = TextField(values.name, placeholder: localized("a name"))
        query = TextField(
            values.query,
            placeholder: localized("conditions, like due:<7d list:Work")
        )
        if workspace.drafts.smartLists.contains(where: { $0.list == list?.id }) {
            remark = Self.offer
        }
        if list != nil { offer() }
        read(workspace)
    }

    private static var offer: String { localized("A draft is kept: ^T restores it.") }

    var title: String {
        guard let list else { return localized("New smart list") }
        return localized("Smart list \(DisplayWidth.singleLine(list.title))")
    }

    var mode: String { title }

    func hints(_ look: Look) -> [Hint] {
        [
            Hint("^S", "save"), Hint("Esc", "cancel"),
            Hint(look.isASCII ? "Tab" : "⇥", "next field"),
            Hint(look.isASCII ? "Left/Right" : "←→", "choose"), Hint("^Z", "undo"),
        ]
    }

    // MARK: Drafts

    var keepsDrafts: Bool { true }

    /// What was typed and is not in the store; `nil` if nothing was.
    private var draft: SmartListDraft? {
        values == original ? nil : SmartListDraft(of: list, values)
    }

    func addDrafts(to drafts: inout Drafts) {
        if let draft { drafts.keep(draft) }
    }

    func useDraftKey(in workspace: Workspace) {
        guard let kept = workspace.drafts.takeSmartList(list?.id) else {
            remark = localized("No draft is kept.")
            return
        }
        endEdit()
        load(kept.values, workspace)
        endEdit()
        remark = localized("The draft is restored; ^Z removes it.")
    }

    // MARK: Values

    private func offer() {
        switch fields[focus] {
        case .name: name.offer()
        case .query: query.offer()
        case .order, .grouping, .shown: break
        }
    }

    private func load(_ values: SmartListValues, _ workspace: Workspace) {
        self.values = values
        if name.text != values.name { name.text = values.name }
        if query.text != values.query { query.text = values.query }
        read(workspace)
    }

    /// Reads the search.
    private func read(_ workspace: Workspace) {
        values.name = name.text
        values.query = query.text
        filter = try? workspace.search.filter(query.text)
        guard let filter, !query.isEmpty else {
            meaning = .plain("due: tag: list: is: has: priority: created: …", .dim)
            return
        }
        if let refusal = filter.refusal {
            let isOpen = filter.problems.allSatisfy { $0.kind == .incomplete }
            meaning = .plain(refusal, isOpen ? .warning : .error)
        } else {
            meaning = .plain(filter.inWords(workspace.library.clock()), .dim)
        }
    }

    private func endEdit() { history.endEdit(values) }

    func step(back: Bool, in workspace: Workspace) {
        endEdit()
        guard let values = history.step(back: back) else {
            remark = localized(
                "There is nothing to \(back ? localized("undo") : localized("redo")) in this form."
            )
            return
        }
        load(values, workspace)
    }

    // MARK: Input

    func handle(_ event: InputEvent, in workspace: Workspace) throws {
        if case .key(let key) = event, try handle(key, in: workspace) { return }
        if case .mouse = event { return }
        switch fields[focus] {
        case .name: if name.handle(event) != .ignored { remark = "" }
        case .query: if query.handle(event) != .ignored { remark = "" }
        case .order, .grouping, .shown: return
        }
        read(workspace)
    }

    /// - Returns: whether the form has used the key, which the fields do not get then.
    private func handle(_ key: Key, in workspace: Workspace) throws -> Bool {
        if try perform(key, in: workspace) { return true }
        let isChoice = fields[focus] != .name && fields[focus] != .query
        switch key {
        case .ctrl("c"): cancel(in: workspace)
        case .enter where fields[focus] == .shown: try accept(in: workspace)
        case .enter, .down: move(by: 1)
        case .up: move(by: -1)
        case .right where isChoice, .space where isChoice: choose(1)
        case .left where isChoice: choose(-1)
        default: return false
        }
        return true
    }

    func move(by steps: Int) {
        endEdit()
        focus = (focus + steps + fields.count) % fields.count
        offer()
    }

    /// The orders that a list can have; done and trashed items are in their own lists.
    private static let orders: [SortWord] = ItemOrder.allCases.flatMap { order in
        [false, true].map { SortWord(order, isReversed: $0) }
    }

    private func choose(_ step: Int) {
        func next<Value: Equatable>(_ value: Value, in all: [Value]) -> Value {
            let place = all.firstIndex(of: value) ?? 0
            return all[(place + step + all.count) % all.count]
        }
        switch fields[focus] {
        case .order:
            let usual = SortWord(.byHand, isReversed: false)
            values.sort = next(values.sort ?? usual, in: Self.orders)
        case .grouping: values.grouping = next(values.grouping, in: [nil] + ItemGrouping.allCases)
        case .shown: values.isHidden.toggle()
        case .name, .query: break
        }
        remark = ""
    }

    /// The chosen value of a field in words.
    func choice(of field: Field) -> String {
        switch field {
        case .order:
            let sort = values.sort ?? SortWord(.byHand, isReversed: false)
            return sort.order.title.text + (sort.isReversed ? localized(", reversed") : "")
        case .grouping: return values.grouping?.title.text ?? localized("as elsewhere")
        case .shown:
            return values.isHidden
                ? localized("no, only by its key and its name") : localized("in the lists")
        case .name, .query: return ""
        }
    }

    // MARK: Ends

    func cancel(in workspace: Workspace) {
        if let draft {
            workspace.drafts.keep(draft)
            let keys = workspace.draftKeys
            let key = list == nil ? keys.newList : keys.editList
            workspace.tell("Cancelled; nothing was changed. \(key), then ^T restores the text.")
        }
        workspace.close(self)
    }

    func accept(in workspace: Workspace) throws {
        endEdit()
        do {
            let library = workspace.library
            guard let list else {
                let (list, step) = try library.addSmartList(values)
                return try finish(list, step, in: workspace)
            }
            guard let now = try library.smartLists().current(list) else {
                remark = localized("It was deleted elsewhere; ^S again saves it as a new list.")
                workspace.close(self)
                let form = SmartListForm(nil, values, in: workspace, then: then)
                form.remark = remark
                return workspace.open(form)
            }
            let present = SmartListValues(now)
            if present != original, present != values {
                original = present
                remark = localized("Changed elsewhere meanwhile: ^S again replaces that.")
                return
            }
            let step = try library.edit(list, values)
            try finish(now, step, in: workspace)
        } catch {
            remark = (error as? InputError)?.message ?? "\(error)"
            let wrong: Field = name.text.allSatisfy(\.isWhitespace) ? .name : .query
            if let place = fields.firstIndex(of: wrong) { focus = place }
        }
    }

    private func finish(
        _ list: SmartList,
        _ step: SavedStep?,
        in workspace: Workspace
    ) throws {
        workspace.close(self)
        then(workspace)
        workspace.library.context.processPendingChanges()
        try workspace.show(.smart(list))
        workspace.tell(step, unchanged: "The smart list is as it was")
    }
}
