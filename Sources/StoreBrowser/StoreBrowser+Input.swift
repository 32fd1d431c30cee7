import StoreInspection
import TerminalUI

extension StoreBrowser {
    /// The most objects that a filter lists.
    static let filterLimit = 100_000

    func handle(_ key: Key) {
        if key == .ctrl("c") { return quit() }
        if field != nil { return edit(key) }
        switch key {
        case Key("q"): quit()
        case Key("/"): field = TextField(presentFilter)
        case Key("r"): reload()
        case .tab, .backTab: focus = focus == .entities ? .content : .entities
        case .ctrl("l"): device.redraw()
        default:
            if focus == .entities { handleEntities(key) } else { handleContent(key) }
        }
    }

    private var presentFilter: String {
        if focus == .entities { return entityFilter }
        if case .rows(let view)? = stack.last { return view.filter }
        return ""
    }

    private func handleEntities(_ key: Key) {
        switch key {
        case .enter, .right, Key("l"): if selectedEntity != nil { focus = .content }
        case .escape:
            entityFilter = ""
            filterEntities()
        default:
            let before = entityList.selection
            move(&entityList, key)
            if entityList.selection != before { showEntity() }
        }
    }

    private func handleContent(_ key: Key) {
        switch key {
        case .enter, .right, Key("l"): open()
        case .backspace, .left, .escape, Key("h"): back()
        default: changeList { move(&$0, key) }
        }
    }

    private func move(_ list: inout ListView, _ key: Key) {
        switch key {
        case Key("j"): list.move(by: 1)
        case Key("k"): list.move(by: -1)
        case Key("g"): list.select(0)
        case Key("G"): list.select(list.count - 1)
        case .ctrl("d"): list.page(1)
        case .ctrl("u"): list.page(-1)
        default: _ = list.handle(key)
        }
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
    func open() {
        do {
            switch stack.last {
            case .rows(var view)?:
                guard let object = try view.selected() else { return }
                stack.append(.object(ObjectView(object)))
            case .object(let view)?: try follow(view)
            case nil: return
            }
        } catch { tell(error) }
    }

    private func follow(_ view: ObjectView) throws {
        guard let row = view.list.selection else { return }
        let (name, value) = view.object.values[row]
        switch value {
        case .object(let identifier):
            guard let object = try inspector.object(at: identifier) else {
                message = "\(InspectedValue.short(identifier)) does not exist."
                return
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
        default: message = "\(DisplayWidth.singleLine(name)) does not lead to an object."
        }
    }

    /// Closes what was opened last; the last thing gives the focus to the entities.
    func back() {
        if stack.count > 1 {
            stack.removeLast()
        } else if case .rows(let view)? = stack.last, !view.filter.isEmpty {
            showEntity()
        } else {
            focus = .entities
        }
    }

    // MARK: Filter

    private func edit(_ key: Key) {
        switch key {
        case .escape:
            field = nil
            if focus == .entities {
                entityFilter = ""
                filterEntities()
            }
        case .enter:
            let text = field?.text ?? ""
            field = nil
            if focus == .content { filterRows(text) }
        default:
            _ = field?.handle(key)
            followField()
        }
    }

    /// Entities follow each key; objects are looked for at the end, because that reads all of them.
    func followField() {
        guard focus == .entities, let field else { return }
        entityFilter = field.text
        filterEntities()
    }

    private func filterRows(_ text: String) {
        guard let entity = selectedEntity else { return }
        if text.isEmpty { return showEntity() }
        do {
            let found = try inspector.identifiers(
                of: entity.name,
                containing: text,
                limit: StoreBrowser.filterLimit
            )
            let pages = ObjectPages(.objects(found), count: found.count, inspector)
            stack = [
                .rows(RowsView(title: entity.name, entity: entity, pages: pages, filter: text))
            ]
        } catch { tell(error) }
    }

    // MARK: Mouse

    func handle(_ mouse: MouseEvent) {
        if field != nil { return }
        let layout = BrowserLayout(device.size, focus)
        if let area = layout.entities, area.contains(mouse.position) {
            let before = entityList.selection
            if case .clicked = entityList.handle(mouse, in: layout.listArea(of: area, header: 1)) {
                focus = .entities
            }
            if entityList.selection != before { showEntity() }
        } else if let area = layout.content, area.contains(mouse.position) {
            var isClick = false
            let header = contentHeader
            changeList { list in
                let before = list.selection
                let list2 = list.handle(mouse, in: layout.listArea(of: area, header: header))
                isClick = list2 != .moved && list2 != .ignored && before == list.selection
            }
            if mouse.kind == .press { focus = .content }
            // A second click on the selected row opens it.
            if isClick { open() }
        }
    }

    /// The rows above the list of what is shown.
    var contentHeader: Int {
        if case .rows? = stack.last { return 2 }
        return 1
    }
}
