import DocketCore
import ObjectGraph
import TerminalUI

extension ItemsController {
    var selectedLine: ItemsLine? {
        list.selection.flatMap { lines.indices.contains($0) ? lines[$0] : nil }
    }

    var selectedID: ManagedObjectID? { selectedLine?.id }

    var selected: Item? { selectedID.flatMap(item) }

    /// The item of an ID, kept for the frame; `nil` if it was deleted.
    func item(_ id: ManagedObjectID) -> Item? {
        if let known = objects[id] { return known }
        let item = try? library.context.existingObject(with: id) as? Item
        objects[id] = item
        return item
    }

    /// The items for a command: the marked ones in order, else the selected one.
    ///
    /// Cost: a few statements for marked items.
    func targets() throws -> Targets { try library.targets(targetIDs) }

    /// The identities of the same.
    var targetIDs: [ManagedObjectID] {
        var marks = targetMarks
        if marks.isEmpty { return selectedID.map { [$0] } ?? [] }
        var ids: [ManagedObjectID] = []
        ids.reserveCapacity(marks.count)
        for line in lines {
            // An agenda may have an item twice.
            if let id = line.id, marks.remove(id) != nil { ids.append(id) }
        }
        return ids
    }

    /// The items for a command that is always one transaction.
    ///
    /// - Throws: `InputError` if they are too many `what`.
    func targets(_ what: String) throws -> [Item] {
        let targets = try targets()
        guard let items = targets.items else { throw Targets.refusal(of: targets.count, what) }
        return items
    }

    /// Selects an item if it is shown.
    ///
    /// - Returns: whether it is shown.
    @discardableResult
    func select(_ id: ManagedObjectID) -> Bool {
        guard let index = lines.index(of: id) else { return false }
        list.select(index)
        return true
    }

    func move(by rows: Int) {
        list.move(by: rows)
        skipHeading(down: rows > 0)
    }

    func page(_ windows: Int) {
        list.page(windows)
        skipHeading(down: windows > 0)
    }

    func selectEnd(first: Bool) throws {
        if !first { try complete() }
        list.select(first ? 0 : lines.count - 1)
        skipHeading(down: true)
    }

    /// A heading cannot be selected.
    func skipHeading(down: Bool) { list.skip(down: down) { lines[$0].isHeading } }

    // MARK: Marks

    func toggleMark() {
        guard let id = selectedID else { return }
        if marks.remove(id) == nil { marks.insert(id) }
    }

    func markAll() throws {
        try complete()
        let ids = Set(lines.compactMap(\.id))
        marks = marks == ids ? [] : ids
    }

    /// The marks, if the pane with the focus takes them.
    var targetMarks: Set<ManagedObjectID> { takesMarks() ? marks : [] }

    /// Removes the marks after a command on the marked items.
    func clearTargets() {
        if takesMarks() { marks = [] }
    }

    // MARK: Folding

    /// The row that a fold of the selected one hides the rows below, itself or its parent.
    var foldTarget: ManagedObjectID? {
        guard hasTree, let id = selectedID else { return nil }
        return hasChildren(id) ? id : parents[id]
    }

    func toggleFold() {
        guard let target = foldTarget else { return }
        if folded.remove(target) == nil {
            folded.insert(target)
            wanted = target
        }
        isStale = true
    }

    /// Folds everything, or unfolds it if something is folded.
    func toggleAllFolds() throws {
        try complete()
        if folded.isEmpty {
            folded = parentIDs
            wanted = topAncestor(of: selectedID)
        } else {
            folded = []
        }
        isStale = true
    }

    private func topAncestor(of id: ManagedObjectID?) -> ManagedObjectID? {
        guard let id, let index = lines.index(of: id) else { return nil }
        return lines[...index].last {
            if case .item(_, let depth) = $0 { return depth == 0 }
            return false
        }?.id
    }
}

extension ItemsController {
    /// Unfolds what is above an item, and selects it.
    ///
    /// - Returns: whether the list has it.
    func uncover(_ id: ManagedObjectID) throws -> Bool {
        try complete()
        let before = folded
        var parent = (item(id) as? Task)?.parent
        var seen: Set<ManagedObjectID> = []
        while let task = parent, seen.insert(task.objectID).inserted {
            folded.remove(task.objectID)
            parent = task.parent
        }
        if folded != before { makeLines(keeping: true) }
        return select(id)
    }
}
