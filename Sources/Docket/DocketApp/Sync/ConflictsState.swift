import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

/// The values that exchanges have not taken, as a window shows them: which items have some, and those
/// of the selected one.
///
/// A window without servers reads nothing.
final class ConflictsState {
    private let library: Library
    private var items: Set<ManagedObjectID> = []
    private var trashed: Set<ManagedObjectID> = []
    private var isStale = false
    /// Whether the settings have servers.
    private var isOn = false
    private var shown: ConflictedObject?
    /// The lines of those that were drawn, by their places: a text may be long.
    private var lines: [Int: (lines: [String], more: Int)] = [:]
    /// How many lines of a text are shown.
    private static let mostLines = 6
    /// Which of those of the selected item a key is about.
    private var place = 0
    private var last: ManagedObjectID?
    /// So many are read again after each change; more only after one that concerns them.
    private static let few = 200

    init(library: Library) { self.library = library }

    /// How many items outside of the trash have some.
    var count: Int { items.count - trashed.count }

    func contains(_ id: ManagedObjectID) -> Bool { items.contains(id) }

    /// Reads them from now on.
    func begin() {
        isOn = true
        markStale()
    }

    /// Notes that others have saved, or that a step was undone.
    func markStale() { (isStale, shown) = (isOn, nil) }

    func follow(_ change: ObjectsDidChange) {
        if isStale || !isOn { return }
        shown = nil
        let isConflict = { (object: ManagedObject) in object.entity.name == "SyncConflict" }
        let isFew = !items.isEmpty && items.count <= Self.few
        isStale =
            isFew || change.invalidatedAll || change.inserted.contains(where: isConflict)
            || change.updated.contains(where: isConflict)
            || change.refreshed.contains(where: isConflict)
            || change.deleted.contains { isConflict($0) || items.contains($0.objectID) }
    }

    /// Reads which items have some, if that may have changed.
    ///
    /// - Returns: whether it has.
    func update() throws -> Bool {
        guard isStale else { return false }
        isStale = false
        let former = items
        (items, trashed) = try library.conflictedItems()
        return items != former
    }

    /// Those of an item, the newest first.
    func conflicts(of item: Item) throws -> [ItemConflict] {
        let id = item.objectID
        guard items.contains(id) else { return [] }
        if let shown, shown.object === item { return shown.conflicts }
        if last != id { (last, place) = (id, 0) }
        (shown, lines) = (try library.conflicts(of: [item]).first, [:])
        return shown?.conflicts ?? []
    }

    /// The one that keys are about, and its number.
    func current(of item: Item) throws -> (conflict: ItemConflict, index: Int, count: Int)? {
        let all = try conflicts(of: item)
        if all.isEmpty { return nil }
        place = min(place, all.count - 1)
        return (all[place], place, all.count)
    }

    /// An item with the one that keys are about.
    func chosen(of item: Item) throws -> ConflictedObject? {
        guard let current = try current(of: item), var chosen = shown else { return nil }
        chosen.conflicts = [current.conflict]
        return chosen
    }

    /// What one of an item says, see ``ItemConflict/lines(in:_:most:)``.
    func lines(_ index: Int, of item: Item) throws -> (lines: [String], more: Int) {
        let all = try conflicts(of: item)
        if let known = lines[index] { return known }
        let format = DateFormat(context: library.clock())
        let found = all[index].lines(in: item, format, most: Self.mostLines)
        lines[index] = found
        return found
    }

    /// Goes to the next one of an item.
    ///
    /// - Returns: whether there is another one.
    func advance(in item: Item) throws -> Bool {
        guard try place + 1 < conflicts(of: item).count else { return false }
        place += 1
        return true
    }
}
