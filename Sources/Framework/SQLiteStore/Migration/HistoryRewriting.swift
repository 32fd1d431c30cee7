import FoundationEssentials
import ObjectModel
import ObjectStore

// What a migration does to the history:
//   1. renamed entities and properties have their new names in all changes;
//   2. the values of removed properties are deleted, and so are those of removed entities;
//   3. deletions record the default values of new attributes, so that undo restores whole objects;
//   4. undo and redo end at the newest step that changed something that is gone. Such a step, and
//      those before it, could only be inverted in part; the log still lists them.

/// Makes the history of a store one of the new model.
struct HistoryRewriting {
    private let plan: MigrationPlan
    private let connection: Connection
    private let monitor: MigrationMonitor
    private var names = HistoryNames()
    /// The newest change that concerns something that is gone.
    private var lastLost: Int64 = 0

    /// A batch of changes: at most this many rows, and about this many bytes.
    private static let rows = 500
    private static let bytes = 4 << 20

    init(_ plan: MigrationPlan, _ connection: Connection, _ monitor: MigrationMonitor) {
        self.plan = plan
        self.connection = connection
        self.monitor = monitor
    }

    /// How the changes of an entity are rewritten.
    private struct EntityRule {
        /// `nil` if the entity is removed.
        var name: String?
        var properties: [String: PropertyRule] = [:]
        /// Values that a deletion records if it has none, as encoded entries of the new model.
        var fillings: [(name: String, value: () -> GraphValue, column: RowLayout.Column)] = []
    }

    private enum PropertyRule {
        case rename(String)
        case remove
        /// A to-one relationship has become to-many.
        case members(String)
        /// A relationship is not ordered any more.
        case unordered(String)
    }

    mutating func run() throws {
        guard try HistoryTables.exist(in: connection) else { return }
        let rules = makeRules()
        if rules.isEmpty { return }
        var last: Int64 = 0
        while let batch = try read(after: last), let end = batch.last {
            try monitor.check()
            for change in batch { try rewrite(change, rules) }
            last = end.id
        }
        if lastLost > 0 { try endUndo() }
    }

    // MARK: Rules

    /// The rules by the old names of entities; empty if nothing changes.
    private func makeRules() -> [String: EntityRule] {
        var rules: [String: EntityRule] = [:]
        var isNeeded = false
        for schema in plan.old.entities {
            let entity = schema.entity
            guard let after = plan.correspondence.destination(of: entity),
                let entry = plan.correspondence.entry(of: after),
                let new = plan.new.schema(of: after)
            else {
                rules[entity.name] = EntityRule()
                isNeeded = true
                continue
            }
            var rule = EntityRule(name: after.name)
            if after.name != entity.name { isNeeded = true }
            let successors = Dictionary(
                entry.properties.map { ($0.value.name, $0.key) },
                uniquingKeysWith: { first, _ in first }
            )
            for property in entity.persistentSlots {
                let successor = successors[property.name].flatMap { after.property(named: $0) }
                let wanted = HistoryRewriting.rule(property, successor)
                if case .rename(property.name) = wanted { continue }
                rule.properties[property.name] = wanted
                isNeeded = true
            }
            rule.fillings = fillings(entry, new)
            if !rule.fillings.isEmpty { isNeeded = true }
            rules[entity.name] = rule
        }
        return isNeeded ? rules : [:]
    }

    private static func rule(
        _ old: PropertyDescription,
        _ new: PropertyDescription?
    ) -> PropertyRule {
        guard let new else { return .remove }
        if let old = old as? AttributeDescription, let new = new as? AttributeDescription,
            old.allowsExternalStorage != new.allowsExternalStorage
        {
            // The history holds these values in the form of the column.
            return .remove
        }
        if let old = old as? RelationshipDescription, let new = new as? RelationshipDescription {
            if !old.isToMany, new.isToMany { return .members(new.name) }
            if old.isOrdered, !new.isOrdered { return .unordered(new.name) }
        }
        return .rename(new.name)
    }

    private func fillings(
        _ entry: ModelCorrespondence.Entity,
        _ schema: EntitySchema
    ) -> [(name: String, value: () -> GraphValue, column: RowLayout.Column)] {
        let entity = entry.destination
        return entity.storedAttributes.compactMap { attribute in
            let origin = entry.properties[attribute.name]
            let isNew = origin == nil || (origin?.isOptional == true && !attribute.isOptional)
            let index = schema.layout.columnBySlot[attribute.slot]
            guard isNew, !attribute.isDerived, entity.hasDefault(attribute), index >= 0 else {
                return nil
            }
            let constant = entity.defaults[attribute.slot]
            let made = constant.isNull ? entity.madeDefault(of: attribute) : nil
            return (
                attribute.name, { made?.value(of: attribute) ?? constant },
                schema.layout.columns[index]
            )
        }
    }

    // MARK: Changes

    private struct Change {
        let id: Int64
        let entity: Int64
        let kind: HistoryChange.Kind
        let data: [UInt8]?
    }

    private func read(after last: Int64) throws -> [Change]? {
        let statement = try connection.statement(
            "SELECT id, ent, kind, data FROM OG_CHANGE WHERE id > ? ORDER BY id"
                + " LIMIT \(HistoryRewriting.rows)"
        )
        defer { statement.reset() }
        statement.bind(last, at: 1)
        var result: [Change] = []
        var size = 0
        while size < HistoryRewriting.bytes, try statement.step() {
            let bytes = statement.isNull(3) ? nil : [UInt8](statement.bytes(3))
            size += bytes?.count ?? 0
            result.append(
                Change(
                    id: statement.integer(0),
                    entity: statement.integer(1),
                    kind: HistoryChange.Kind(rawValue: statement.integer(2)) ?? .insert,
                    data: bytes
                )
            )
        }
        return result.isEmpty ? nil : result
    }

    private mutating func rewrite(_ change: Change, _ rules: [String: EntityRule]) throws {
        guard let name = try names.name(change.entity, in: connection), let rule = rules[name]
        else { return }
        guard let newName = rule.name else {
            lastLost = change.id
            try write(change, entity: change.entity, change.data == nil ? nil : erased)
            return
        }
        let entity = try names.number(newName, in: connection)
        guard let data = change.data else {
            if entity != change.entity { try write(change, entity: entity, nil) }
            return
        }
        var writer = HistoryBytesWriter()
        var isLost = false
        try data.withUnsafeBytes { bytes in
            var reader = HistoryBytesReader(bytes)
            var filled: Set<String> = []
            while let (entry, number) = reader.entry() {
                if entry == .erased {
                    writer.entry(.erased, name: 0)
                    return
                }
                let name = try names.name(number, in: connection) ?? "?"
                let successor = try copy(entry, name, rule, rules, &reader, &writer)
                if let successor {
                    filled.insert(successor)
                } else if change.kind == .update {
                    isLost = true
                }
            }
            guard change.kind == .delete else { return }
            for filling in rule.fillings where !filled.contains(filling.name) {
                writer.entry(
                    .deletedValue,
                    name: try names.number(filling.name, in: connection)
                )
                let value = filling.value()
                if filling.column.externalFolder != nil {
                    try RowWriter.encoded(value, filling.column).withUnsafeBytes {
                        writer.raw($0)
                    }
                } else {
                    try writer.value(value, filling.column)
                }
            }
        }
        if isLost { lastLost = change.id }
        if entity == change.entity, writer.bytes == data { return }
        try write(change, entity: entity, writer.bytes.isEmpty ? erased : writer.bytes)
    }

    private var erased: [UInt8] {
        var writer = HistoryBytesWriter()
        writer.entry(.erased, name: 0)
        return writer.bytes
    }

    private func write(_ change: Change, entity: Int64, _ data: [UInt8]?) throws {
        let statement = try connection.statement(
            "UPDATE OG_CHANGE SET ent = ?, data = ? WHERE id = ?"
        )
        statement.bind(entity, at: 1)
        if let data { try statement.bind(data, at: 2) } else { try statement.bind(.null, at: 2) }
        statement.bind(change.id, at: 3)
        try statement.run()
    }

    /// Copies one entry.
    ///
    /// - Returns: the new name of its property; `nil` if the entry is dropped.
    private mutating func copy(
        _ entry: HistoryEntry,
        _ name: String,
        _ rule: EntityRule,
        _ rules: [String: EntityRule],
        _ reader: inout HistoryBytesReader,
        _ writer: inout HistoryBytesWriter
    ) throws -> String? {
        let property = rule.properties[name] ?? .rename(name)
        switch entry {
        case .update, .deletedValue:
            let first = reader.rawValue()
            let second = entry == .update ? reader.rawValue() : nil
            switch property {
            case .remove: return nil
            case .members(let newName):
                let number = try names.number(newName, in: connection)
                try writeMember(.removedMembers, number, first, rules, &writer)
                if let second { try writeMember(.addedMembers, number, second, rules, &writer) }
                return newName
            case .rename(let newName), .unordered(let newName):
                writer.entry(entry, name: try names.number(newName, in: connection))
                try write(first, rules, &writer)
                if let second { try write(second, rules, &writer) }
                return newName
            }
        case .addedMembers, .removedMembers, .oldOrder, .newOrder:
            let members = reader.members()
            switch property {
            case .remove: return nil
            case .unordered(let newName) where entry == .oldOrder || entry == .newOrder:
                return newName
            case .rename(let newName), .members(let newName), .unordered(let newName):
                writer.entry(entry, name: try names.number(newName, in: connection))
                writer.number(UInt64(members.count))
                for member in members {
                    writer.member(entity: try newNumber(member.entity, rules), key: member.key)
                }
                return newName
            }
        case .erased: return name
        }
    }

    private mutating func write(
        _ value: HistoryRawValue,
        _ rules: [String: EntityRule],
        _ writer: inout HistoryBytesWriter
    ) throws {
        switch value {
        case .bytes(let bytes): writer.copy(bytes)
        case .reference(let entity, let key):
            writer.reference(entity: try newNumber(entity, rules), key: key)
        }
    }

    private mutating func writeMember(
        _ entry: HistoryEntry,
        _ name: Int64,
        _ value: HistoryRawValue,
        _ rules: [String: EntityRule],
        _ writer: inout HistoryBytesWriter
    ) throws {
        guard case .reference(let entity, let key) = value else { return }
        writer.entry(entry, name: name)
        writer.number(1)
        writer.member(entity: try newNumber(entity, rules), key: key)
    }

    /// The number of an entity's new name; a removed one keeps its own, which no model has.
    private mutating func newNumber(
        _ number: Int64,
        _ rules: [String: EntityRule]
    ) throws -> Int64 {
        guard let name = try names.name(number, in: connection), let rule = rules[name],
            let newName = rule.name, newName != name
        else { return number }
        return try names.number(newName, in: connection)
    }

    /// Takes away the steps that cannot be inverted as a whole any more.
    private func endUndo() throws {
        let last = try connection.integer(
            "SELECT MAX(number) FROM OG_TRANSACTION WHERE first <= ?",
            .integer(lastLost)
        )
        guard let last else { return }
        try connection.statement(
            "UPDATE OG_TRANSACTION SET state = \(CommandState.dropped.rawValue)"
                + " WHERE state IN (\(CommandState.done.rawValue), \(CommandState.undone.rawValue))"
                + " AND latest <= ?"
        ).run(.integer(last))
    }
}

extension HistoryTables {
    /// Whether a file has a history.
    static func exist(in connection: Connection) throws -> Bool {
        try connection.integer(
            "SELECT COUNT(*) FROM sqlite_master WHERE name = 'OG_CHANGE' AND type = 'table'"
        ) == 1
    }
}
