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

    /// The items of some IDs, their rows in few statements, for work on the values of all.
    func items(_ ids: some Collection<ManagedObjectID>) -> [Item] {
        (try? library.context.objects(Item.self, with: ids, prefetching: [])) ?? []
    }

    /// The items for a command: the marked ones in order, then those that the list does not show;
    /// without marks the selected one.
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
            if marks.isEmpty { return ids }
        }
        return ids + marks.sorted { $0.key < $1.key }
    }

    /// The items for a command that is always one transaction.
    ///
    /// - Throws: `InputError` if they are too many `what`.
    func targets(_ what: String) throws -> [Item] {
        let targets = try targets()
        guard let items = targets.items else { throw Targets.refusal(of: targets.count, what) }
        return items
    }

    /// Those of them that the list shows, for commands on their places in it.
    ///
    /// - Throws: `InputError` if they are too many `what`.
    func shownTargets(_ what: String) throws -> [Item] {
        let items = try targets(what)
        if hiddenMarkCount == 0 { return items }
        let shown = Set(lines.indexes(of: Set(items.map(\.objectID))).compactMap { lines[$0].id })
        return items.filter { shown.contains($0.objectID) }
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
        // The row is shown.
        let hidden = knownHiddenMarks
        if marks.remove(id) == nil {
            marks.insert(id)
            lastMarked = id
        }
        knownHiddenMarks = hidden
    }

    /// Marks all rows, or removes their marks if all have one.
    func markAll() throws {
        try complete()
        let ids = lines.compactMap(\.id)
        if ids.allSatisfy(marks.contains) { marks.subtract(ids) } else { marks.formUnion(ids) }
    }

    /// Marks the rows without a mark, and removes the marks of the others.
    func invertMarks() throws {
        try complete()
        marks.formSymmetricDifference(lines.compactMap(\.id))
    }

    /// Marks the rows from the one that was marked last to the selected one.
    ///
    /// - Returns: how many have got a mark; `nil` without a first row.
    func markRange() -> Int? {
        guard let last = lastMarked, marks.contains(last), let first = lines.index(of: last),
            let selection = list.selection
        else { return nil }
        let before = marks.count
        marks.formUnion(lines[min(first, selection)...max(first, selection)].compactMap(\.id))
        lastMarked = selectedID
        return marks.count - before
    }

    /// How many of the marked items the list does not show.
    ///
    /// - Complexity: O(rows) after a change of the rows or of many marks, else constant.
    var hiddenMarkCount: Int {
        if let knownHiddenMarks { return knownHiddenMarks }
        let count = marks.isEmpty ? 0 : marks.count - lines.count(of: marks)
        knownHiddenMarks = count
        return count
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
        guard hasTree, let line = selectedLine, let id = line.id else { return nil }
        if hasChildren(id) { return id }
        if case .branch(let branch) = line { return branch.blocker }
        return parents[id]
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
