import Phrases
import StoreExploring
public import TerminalUI

extension StoreBrowser {
    /// The most objects that a filter lists.
    static let filterLimit = 100_000

    /// Does what a key asks for.
    ///
    /// - Throws: the store's error, or a ``BrowserRefusal``; then nothing has changed.
    public func perform(_ action: BrowserAction) throws {
        switch action {
        case .open:
            if focus == .content {
                try open()
            } else if selectedEntity != nil {
                focus = .content
            }
        case .back: _ = leaveLevel()
        case .otherPart: focus = focus == .entities ? .content : .entities
        case .filter: askForFilter()
        case .reload: try reload()
        }
    }

    // MARK: Moving

    public func move(by rows: Int) { changeFocused { $0.move(by: rows) } }
    public func page(_ windows: Int) { changeFocused { $0.page(windows) } }
    public func moveToEnd(first: Bool) {
        changeFocused { $0.select(first ? 0 : $0.count - 1) }
    }

    private func changeFocused(_ body: (inout ListView) -> Void) {
        guard focus == .entities else { return changeList(body) }
        let before = entityList.selection
        body(&entityList)
        if entityList.selection != before { showEntity() }
    }

    func changeList(_ body: (inout ListView) -> Void) {
        guard let top = stack.popLast() else { return }
        switch top {
        case .rows(var view):
            body(&view.list)
            stack.append(.rows(view))
        case .object(var view):
            body(&view.list)
            stack.append(.object(view))
        }
    }

    // MARK: Opening

    /// Opens the selected object, or what the selected value leads to.
    private func open() throws {
        switch stack.last {
        case .rows(var view)?:
            guard let object = try view.selected() else {
                throw BrowserRefusal(description: localized("This object does not exist any more."))
            }
            stack.append(.object(ObjectView(object)))
        case .object(let view)?: try follow(view)
        case nil: return
        }
    }

    private func follow(_ view: ObjectView) throws {
        guard let row = view.list.selection else { return }
        let (name, value) = view.object.values[row]
        switch value {
        case .object(let identifier):
            guard let object = try inspector.object(at: identifier) else {
                throw BrowserRefusal(
                    description: localized("\(InspectedValue.short(identifier)) does not exist.")
                )
            }
            stack.append(.object(ObjectView(object)))
        case .objects(_, let count) where count > 0:
            let ids = try inspector.destinations(of: name, at: view.object.identifier)
            let names = Set(ids.compactMap { $0.split(separator: "/").dropLast().last })
            var entity: StoreOverview.Entity?
            if names.count == 1, let name = names.first {
                entity = self.entity(named: String(name))
            }
            let short = InspectedValue.short(view.object.identifier)
            let pages = ObjectPages(.objects(ids), count: ids.count, inspector)
            stack.append(.rows(RowsView(title: "\(short).\(name)", entity: entity, pages: pages)))
        default:
            throw BrowserRefusal(
                description: localized(
                    "\(DisplayWidth.singleLine(name)) does not lead to an object."
                )
            )
        }
    }

    /// Closes what was opened last, then a filter, then goes to the entities.
    ///
    /// - Returns: false if there was nothing of these; then the browser itself can be left.
    public func leaveLevel() -> Bool {
        if focus == .content {
            if stack.count > 1 {
                stack.removeLast()
            } else if case .rows(let view)? = stack.last, !view.filter.isEmpty {
                showEntity()
            } else {
                focus = .entities
            }
            return true
        }
        if entityFilter.isEmpty { return false }
        follow(filter: "")
        return true
    }

    // MARK: Filter

    /// The text of the filter of the part with the focus.
    public var presentFilter: String {
        if focus == .entities { return entityFilter }
        if case .rows(let view)? = stack.last { return view.filter }
        return ""
    }

    /// Takes what is being typed.
    ///
    /// Entities follow each key; objects are looked for at the end, because that reads all of them.
    public func follow(filter: String) {
        guard focus == .entities else { return }
        entityFilter = filter
        filterEntities()
    }

    /// Takes what was typed; without a text everything is shown.
    ///
    /// - Throws: the store's error; then nothing has changed.
    /// - Complexity: O(objects of the entity) for a text.
    public func apply(filter text: String) throws {
        guard focus == .content else { return follow(filter: text) }
        guard let entity = selectedEntity, text != presentFilter else { return }
        if text.isEmpty { return showEntity() }
        let found = try inspector.identifiers(
            of: entity.name,
            containing: text,
            limit: StoreBrowser.filterLimit
        )
        let pages = ObjectPages(.objects(found), count: found.count, inspector)
        stack = [.rows(RowsView(title: entity.name, entity: entity, pages: pages, filter: text))]
    }

    // MARK: Mouse

    /// A click selects and takes the focus there, a second one opens, the wheel scrolls.
    ///
    /// - Parameters:
    ///   - mouse: the event.
    ///   - area: the place of what ``render(into:theme:isFocused:)`` draws.
    /// - Throws: as ``perform(_:)``.
    public func handle(_ mouse: MouseEvent, in area: Rect) throws {
        var mouse = mouse
        mouse.position.row -= area.row
        mouse.position.column -= area.column
        let layout = BrowserLayout(area.size, focus)
        if let place = layout.entities, place.contains(mouse.position) {
            let before = entityList.selection
            let outcome = entityList.handle(mouse, in: place.inset(top: 1))
            if entityList.selection != before { showEntity() }
            if mouse.kind == .press { focus = .entities }
            if case .doubleClicked = outcome { try perform(.open) }
        } else if let place = layout.content, place.contains(mouse.position) {
            var outcome = ListOutcome.ignored
            let header = contentHeader
            changeList { outcome = $0.handle(mouse, in: place.inset(top: header)) }
            if mouse.kind == .press { focus = .content }
            if case .doubleClicked = outcome { try perform(.open) }
        }
    }

    /// The rows above the list of what is shown.
    var contentHeader: Int {
        if case .rows? = stack.last { return 2 }
        return 1
    }
}
