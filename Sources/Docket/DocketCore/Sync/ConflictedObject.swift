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
}
