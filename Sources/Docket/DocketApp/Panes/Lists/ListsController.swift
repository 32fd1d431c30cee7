import CivilTime
import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

/// The state of the lists pane: smart lists, lists as a tree, tags, trash.
final class ListsController: ChangeFollower {
    let library: Library
    var list = ListView()
    private(set) var lines: [ListLine] = []
    /// The built-in and the saved lists.
    private(set) var smartLists = SmartLists.unchanged
    private var folded: Set<ManagedObjectID> = []
    /// The lists that have others below them.
    private(set) var parentIDs: Set<ManagedObjectID> = []
    /// The lists and tags of the lines, held so that what others change in them is told.
    private var shown: [ManagedObject] = []
    private var isStale = true
    /// The language of the titles.
    private var language = Language.current
    private let folders: [FolderPlace]

    init(library: Library, folders: [FolderPlace] = []) {
        self.library = library
        self.folders = folders
    }

    func follow(_ change: ObjectsDidChange) {
        let concerned = { (object: ManagedObject) in
            object is List || object is Tag || object is SavedSearch
        }
        isStale =
            isStale || change.invalidatedAll || change.inserted.contains(where: concerned)
            || change.deleted.contains(where: concerned)
            || [change.updated, change.refreshed].contains { changed in
                changed.contains { concerned($0) && change.changesItself($0) }
            }
    }

    /// Notes that the searches of smart lists mean something else.
    func markStale() { isStale = true }

    var isOnVault: Bool {
        list.selection.map { lines.indices.contains($0) && lines[$0] == .vault } ?? false
    }

    /// The selected folder of files.
    var selectedFolder: FolderPlace? {
        guard let row = list.selection, lines.indices.contains(row),
            case .folder(let index) = lines[row]
        else { return nil }
        return folders[index]
    }

    var selectedScope: Scope? {
        list.selection.flatMap { lines.indices.contains($0) ? lines[$0].scope : nil }
    }

    /// The selected or current list, for commands on lists.
    func list(of scope: Scope?) -> List? {
        guard case .list(let id)? = scope else { return nil }
        return try? library.context.existingObject(with: id) as? List
    }

    /// Updates the lines; the selection stays on its list.
    func prepare() throws {
        guard isStale || language != .current else { return }
        let former = list.selection.flatMap { lines.indices.contains($0) ? lines[$0] : nil }
        try makeLines()
        // Lines that could not be read are made at the next frame.
        (isStale, language) = (false, .current)
        // A list may have another name or depth by now.
        let index = former.flatMap { line in
            line.scope.map { place(of: $0) } ?? lines.firstIndex(of: line)
        }
        list.update(count: lines.count, selection: index ?? list.selection)
        skipSeparator(down: true)
    }

    /// The line of a scope, or that of the list whose fold hides it.
    private func place(of scope: Scope) -> Int? {
        var scope = scope
        // Lists may form a circle in a damaged store.
        for _ in 0...lines.count {
            if let index = lines.firstIndex(where: { $0.scope == scope }) { return index }
            guard let parent = list(of: scope)?.parent else { return nil }
            scope = .list(parent.objectID)
        }
        return nil
    }

    private func makeLines() throws {
        // Assigned at once: an error keeps the lines to which the selection belongs.
        var lines: [ListLine] = []
        let smartLists = try library.smartLists()
        func addSmartLists(_ section: SmartList.Section) {
            for list in smartLists.shown(in: section) {
                let title = DisplayWidth.singleLine(list.title)
                lines.append(.scope(.smart(list), title: title, depth: 0, fold: nil))
            }
        }
        addSmartLists(.focus)
        lines.append(.separator)
        addSmartLists(.places)
        try library.readAheadOfListsAndTags()
        let lists = try library.lists()
        var children: [ManagedObjectID: [List]] = [:]
        var roots: [List] = []
        let known = Set(lists.map(\.objectID))
        for list in lists {
            if let parent = list.parent?.objectID, known.contains(parent), parent != list.objectID {
                children[parent, default: []].append(list)
            } else {
                roots.append(list)
            }
        }
        parentIDs = Set(children.keys)
        for root in roots { add(root, depth: 0, children, to: &lines) }
        lines += folders.indices.map { .folder($0) }
        let tags = try library.tags()
        if !tags.isEmpty {
            lines.append(.separator)
            lines += tags.map {
                .scope(.tag($0.objectID), title: $0.name, depth: 0, fold: nil)
            }
        }
        lines.append(.separator)
        addSmartLists(.archive)
        lines.append(.vault)
        self.lines = lines
        shown = lists + tags
        self.smartLists = smartLists
    }

    private func add(
        _ list: List,
        depth: Int,
        _ children: [ManagedObjectID: [List]],
        to lines: inout [ListLine]
    ) {
        let below = children[list.objectID] ?? []
        let isFolded = folded.contains(list.objectID)
        lines.append(
            .scope(
                .list(list.objectID),
                title: DisplayWidth.singleLine(list.name),
                depth: depth,
                fold: below.isEmpty ? nil : isFolded ? .folded : .unfolded
            )
        )
        guard !isFolded, depth < 32 else { return }
        for child in below { add(child, depth: depth + 1, children, to: &lines) }
    }

    /// The name of a scope, for titles.
    func title(of scope: Scope) -> String {
        switch scope {
        case .smart(let list): DisplayWidth.singleLine(list.title)
        case .list: list(of: scope).map { ListPath.string($0.path) } ?? localized("List")
        case .tag(let id):
            "#"
                + ((try? library.context.existingObject(with: id) as? Tag)?.name ?? localized("tag"))
        case .days(let span): span.isOfMonth ? localized("Month") : localized("Agenda")
        case .dependencies: localized("Dependencies")
        }
    }

    /// Whether a scope still exists.
    func exists(_ scope: Scope) -> Bool {
        switch scope {
        case .smart(let list): smartLists.current(list) != nil
        case .days: true
        case .dependencies(let scope): exists(scope)
        case .list(let id), .tag(let id): (try? library.context.existingObject(with: id)) != nil
        }
    }

    /// A scope as it is now: a smart list may have been changed.
    func current(_ scope: Scope) -> Scope {
        if case .dependencies(let list) = scope { return .dependencies(current(list)) }
        guard case .smart(let list) = scope, let now = smartLists.current(list) else {
            return scope
        }
        return .smart(now)
    }

    /// The smart lists whose lines are in sight.
    var smartListsInSight: [SmartList] {
        list.visible.compactMap { row in
            guard lines.indices.contains(row), case .smart(let list)? = lines[row].scope else {
                return nil
            }
            return list
        }
    }

    // MARK: Selection

    func select(_ scope: Scope) {
        guard let index = lines.firstIndex(where: { $0.scope == scope }) else { return }
        list.select(index)
    }

    func select(_ folder: FolderPlace) {
        guard let place = folders.firstIndex(where: { $0 === folder }),
            let index = lines.firstIndex(of: .folder(place))
        else { return }
        list.select(index)
    }

    func move(by rows: Int) {
        list.move(by: rows)
        skipSeparator(down: rows > 0)
    }

    func page(_ windows: Int) {
        list.page(windows)
        skipSeparator(down: windows > 0)
    }

    func selectEnd(first: Bool) {
        list.select(first ? 0 : lines.count - 1)
        skipSeparator(down: first)
    }

    private func skipSeparator(down: Bool) { list.skip(down: down) { lines[$0] == .separator } }

    var selectedHasChildren: Bool {
        if case .list(let id)? = selectedScope { return parentIDs.contains(id) }
        return false
    }

    func toggleFold() {
        guard case .list(let id)? = selectedScope else { return }
        if folded.remove(id) == nil { folded.insert(id) }
        isStale = true
    }

    /// Folds everything, or unfolds it if something is folded.
    func toggleAllFolds() {
        folded = folded.isEmpty ? parentIDs : []
        isStale = true
    }
}
