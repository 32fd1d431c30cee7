public import CivilTime
import DocketFormats
import FoundationEssentials
public import ObjectGraph
import ObjectSync

/// An item or a list with values that were not taken.
public struct ConflictedObject {
    public let object: ManagedObject
    /// The newest first.
    public var conflicts: [ItemConflict]
    private let engine: SyncEngine

    public var item: Item? { object as? Item }
    public var list: List? { object as? List }
    /// The title of an item, the path of a list.
    public var name: String { item?.title ?? list.map { ListPath.string($0.path) } ?? "" }

    init(_ object: ManagedObject, _ conflicts: [ItemConflict], _ engine: SyncEngine) {
        (self.object, self.conflicts, self.engine) = (object, conflicts, engine)
    }

    /// The value that was not taken, in words; of a text all of it.
    public func other(_ conflict: ItemConflict, _ format: DateFormat) -> String {
        conflict.words(in: object, format)
    }

    /// The value that the object has, in words.
    ///
    /// - Throws: the store's error.
    public func value(of conflict: ItemConflict, _ format: DateFormat) throws -> String {
        guard let context = object.context else { return "" }
        let parts = try conflict.parts.map { try engine.present($0, in: context) }
        guard let first = parts.first else { return "" }
        return ItemConflict(conflict.field, parts, first).words(in: object, format)
    }
}

extension Library {
    /// All items and lists with values that were not taken, those with the newest first.
    ///
    /// - Throws: the store's error.
    /// - Complexity: all conflicts are read, and all lists if there are any.
    public func conflictedObjects() throws -> [ConflictedObject] {
        let engine = try SyncEngine(coordinator, SyncEntities.all)
        let stored = try engine.conflicts(in: context)
        if stored.isEmpty { return [] }
        let names = Set(stored.compactMap { UUID(uuidString: $0.key.name) })
        let items = try Item.all(in: context, where: Condition { $0.uuid.in(Array(names)) })
        var objects: [SyncKey: ManagedObject] = [:]
        for item in items {
            objects[SyncKey(entity: SyncEntities.item, name: item.uuid.uuidString)] = item
        }
        for list in try List.all(in: context) {
            guard let uuid = list.uuid else { continue }
            objects[SyncKey(entity: SyncEntities.list, name: uuid.uuidString)] = list
        }
        var order: [SyncKey] = []
        for conflict in stored where !order.contains(conflict.key) { order.append(conflict.key) }
        let byKey = Dictionary(grouping: stored, by: \.key)
        return order.compactMap { key in
            let conflicts = ItemConflict.all(byKey[key] ?? [])
            guard let object = objects[key], !conflicts.isEmpty else { return nil }
            return ConflictedObject(object, conflicts, engine)
        }
    }

    /// Swaps or forgets values of items, or of one list, as one step.
    ///
    /// - Parameters:
    ///   - found: those of ``conflictedObjects()``, or some of them.
    ///   - decision: what becomes of them.
    /// - Returns: the step; `nil` for no conflicts.
    /// - Throws: `InputError` if somebody else was faster, or for what cannot be changed.
    @discardableResult
    public func settle(
        _ found: [ConflictedObject],
        by decision: ConflictDecision
    ) throws -> SavedStep? {
        guard let one = found.first, let list = one.list else {
            return try settle(
                found.compactMap { one in one.item.map { (item: $0, conflicts: one.conflicts) } },
                by: decision
            )
        }
        return try change {
            let engine = try SyncEngine(coordinator, SyncEntities.all)
            let known = Set(try engine.conflicts(in: context))
            let subject = StepSubject(list)
            for part in one.conflicts.flatMap(\.parts) {
                guard known.contains(part) else {
                    throw InputError(
                        .conflict,
                        "The conflict was settled or changed elsewhere meanwhile."
                    )
                }
                switch decision {
                case .dismiss: try engine.dismiss(part, in: context)
                case .swap: try swap(part, of: list, engine)
                }
            }
            let field = one.conflicts.count == 1 ? one.conflicts[0].field : nil
            return switch decision {
            case .swap: StepName(.swapped, part: "\(field ?? "conflicts") of", subject)
            case .dismiss:
                StepName(
                    .dismissed,
                    part: field.map { "the other \($0) of" } ?? "conflicts of",
                    subject
                )
            }
        }
    }

    private func swap(_ part: SyncConflict, of list: List, _ engine: SyncEngine) throws {
        let former = list.name
        try engine.swap(part, in: context)
        let name = list.name
        if name == former { return }
        // Searches of smart lists that name it follow.
        list.name = former
        let other = try Library.existingList(name, below: list.parent, in: context)
        if let other, other !== list {
            throw InputError(
                .conflict,
                "There is a list with the name \(StepName.quoted(other.name)) already; rename one first."
            )
        }
        try rename(list, keepingSearches: name)
    }
}
