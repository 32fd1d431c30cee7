public import FoundationEssentials
public import ObjectContext
import ObjectModel

/// A value that a merge has not taken, kept until somebody has decided.
public struct SyncConflict: Hashable, Sendable {
    /// The object.
    public let key: SyncKey
    public let property: String
    /// The value that has lost; of a text the whole text as it would be if the other side had won.
    public internal(set) var value: SyncValue
    /// When somebody gave it.
    public let stamp: Date
    /// The remote with which the value was merged.
    public let remote: String
    /// Whether it is the value that was here; else that of the remote.
    public let isOurs: Bool
    /// When it was merged.
    public let date: Date
    /// The stored conflict.
    let id: ManagedObjectID?

    func insert(into context: ManagedObjectContext) throws {
        let row = try context.insert(entityNamed: SyncModel.conflict)
        try row.setValue(.string(remote), forKey: "remote")
        try row.setValue(.string(key.entity), forKey: "entity")
        try row.setValue(.string(key.name), forKey: "name")
        try row.setValue(.string(property), forKey: "property")
        try row.setValue(.data(SyncRecordWriter.data(value)), forKey: "value")
        try row.setValue(.date(stamp), forKey: "stamp")
        try row.setValue(.date(date), forKey: "date")
        try row.setValue(.bool(isOurs), forKey: "isOurs")
    }

    init(
        key: SyncKey,
        property: String,
        value: SyncValue,
        stamp: Date,
        remote: String,
        isOurs: Bool,
        date: Date,
        id: ManagedObjectID?
    ) {
        self.key = key
        self.property = property
        self.value = value
        self.stamp = stamp
        self.remote = remote
        self.isOurs = isOurs
        self.date = date
        self.id = id
    }

    /// A stored conflict.
    package init(_ row: ManagedObject) throws {
        func text(_ key: String) throws -> String {
            if case .string(let text) = try row.value(forKey: key) { text } else { "" }
        }
        func date(_ key: String) throws -> Date {
            if case .date(let date) = try row.value(forKey: key) { date } else { .distantPast }
        }
        key = SyncKey(entity: try text("entity"), name: try text("name"))
        property = try text("property")
        remote = try text("remote")
        if case .data(let data) = try row.value(forKey: "value") {
            value = try SyncRecordReader.value(data)
        } else {
            value = .null
        }
        (stamp, self.date) = (try date("stamp"), try date("date"))
        isOurs = try row.value(forKey: "isOurs") == .bool(true)
        id = row.objectID
    }
}

extension SyncEngine {
    /// The values that were not taken, the newest first; those of objects that are deleted are left
    /// out.
    ///
    /// - Parameters:
    ///   - context: a context over the engine's stores.
    ///   - key: the object; `nil` for all objects.
    /// - Returns: the conflicts.
    /// - Throws: the store's error.
    public func conflicts(
        in context: ManagedObjectContext,
        of key: SyncKey? = nil
    ) throws -> [SyncConflict] {
        let rows = try conflictRows(of: key, in: context)
        let conflicts = try rows.map { try SyncConflict($0) }.filter { key == nil || $0.key == key }
        let objects = LocalObjects(context, schema)
        try objects.find(conflicts.map(\.key))
        return conflicts.filter { objects[$0.key] != nil }
            .sorted { ($1.date, $1.key.name, $1.property) < ($0.date, $0.key.name, $0.property) }
    }

    /// A conflict with the value that its object has, in place of the one that was not taken.
    ///
    /// - Parameters:
    ///   - conflict: one of ``conflicts(in:of:)``.
    ///   - context: the context.
    /// - Returns: the conflict with the other value.
    /// - Throws: the store's error.
    public func present(
        _ conflict: SyncConflict,
        in context: ManagedObjectContext
    ) throws -> SyncConflict {
        let objects = LocalObjects(context, schema)
        try objects.find([conflict.key])
        var present = conflict
        let values = try objects[conflict.key].map { try objects.values(of: $0) }
        present.value = values?[conflict.property] ?? .null
        return present
    }

    /// Gives the property the value that was not taken, and keeps the one that it had instead; with it
    /// the other properties of its group.
    ///
    /// The changes are pending: the program saves them as a step of undo. Swapping twice changes
    /// nothing.
    ///
    /// - Parameters:
    ///   - conflict: one of ``conflicts(in:)``.
    ///   - context: the context.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if the conflict was
    ///   dismissed, the object is deleted, or what the value refers to is.
    public func swap(_ conflict: SyncConflict, in context: ManagedObjectContext) throws {
        let objects = LocalObjects(context, schema)
        try objects.find([conflict.key])
        guard let object = objects[conflict.key] else { throw SyncEngine.over }
        let values = try objects.values(of: object)
        for row in try rows(conflict, context) {
            let other = try SyncConflict(row)
            guard let property = object.entity.property(named: other.property) else {
                throw SyncEngine.over
            }
            if let relationship = property as? RelationshipDescription {
                let keys = other.value.references.compactMap { objects.key($0, of: relationship) }
                try objects.find(keys)
                guard try objects.link(other.value, object, relationship).isEmpty else {
                    throw SyncEngine.over
                }
            } else {
                try objects.write(other.value, object, other.property)
            }
            let former = values[other.property] ?? .null
            try row.setValue(.data(SyncRecordWriter.data(former)), forKey: "value")
            try row.setValue(.bool(!other.isOurs), forKey: "isOurs")
        }
    }

    /// Forgets the value that was not taken, with those of its group; a pending change, as that of
    /// ``swap(_:in:)``.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undoState`` if the conflict was
    ///   dismissed already.
    public func dismiss(_ conflict: SyncConflict, in context: ManagedObjectContext) throws {
        for row in try rows(conflict, context) { context.delete(row) }
    }

    /// The stored conflict, and those that the same merge has made of its group.
    private func rows(
        _ conflict: SyncConflict,
        _ context: ManagedObjectContext
    ) throws -> [ManagedObject] {
        guard let id = conflict.id, let row = try? context.existingObject(with: id) else {
            throw SyncEngine.over
        }
        let group = schema.byName[conflict.key.entity]?.groups.first {
            $0.contains(conflict.property)
        }
        guard let group else { return [row] }
        return try conflictRows(of: conflict.key, in: context).filter { row in
            let other = try SyncConflict(row)
            return other.key == conflict.key && group.contains(other.property)
                && other.remote == conflict.remote && other.date == conflict.date
        }
    }

    private func conflictRows(
        of key: SyncKey?,
        in context: ManagedObjectContext
    ) throws -> [ManagedObject] {
        var request = FetchRequest<ManagedObject>(entityName: SyncModel.conflict)
        if let key {
            let name = FetchExpression.constant(.string(key.name))
            request.predicate = .comparison(FetchComparison(.keyPath("name"), .equal, name))
        }
        return try context.fetch(request)
    }

    private static var over: ObjectGraphError {
        ObjectGraphError(
            .undoState,
            "The conflict is over: it was dismissed, or what it is about is deleted.",
            recovery: "List the conflicts again."
        )
    }
}
