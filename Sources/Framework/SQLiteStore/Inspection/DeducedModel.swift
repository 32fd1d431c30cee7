import ObjectModel
import ObjectStore

/// Makes a model from the tables of a file that has no other.
///
/// A file in Core Data's layout says which entities there are, with their parents. Their columns have
/// the names of properties in upper case; of the columns of a hierarchy, which all are in the table of
/// its root, the file does not say which entity has them, so the root gets all.
///
/// A relationship is reported only where there is no doubt:
///
/// - to one, with `Z<n>_NAME` beside `ZNAME`: the entity's numbers in that column say whose rows the
///   keys are;
/// - to one, with an index and the name of an entity, and with keys of rows of that entity only;
/// - to many without an inverse: `Z<n>NAME` in the table of the members, where n is the owner;
/// - to many on both sides: a join table `Z_<n>NAME`, whose columns name both sides.
///
/// Every other key is reported as the number that it is.
struct DeducedModel {
    /// How many values of a column are looked at before it counts as proven.
    static let sample = 1000
    /// Entities with higher numbers are of Apple's history.
    private static let lastNumber: Int64 = 16_000

    fileprivate struct Column {
        let name: String
        let type: String
    }

    private struct Entity {
        let number: Int64
        let name: String
        let parent: Int64
    }

    private let connection: Connection
    private var entities: [Int64: Entity] = [:]
    /// By the name in upper case.
    private var columns: [String: [Column]] = [:]
    private var indexes: Set<String> = []
    private var made: [Int64: EntityDescription] = [:]

    init(_ connection: Connection) throws {
        self.connection = connection
        let rows = try connection.statement("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY")
        defer { rows.reset() }
        while try rows.step() {
            let number = rows.integer(0)
            let name = rows.text(1)
            guard number > 0, number < DeducedModel.lastNumber, !name.isEmpty else { continue }
            entities[number] = Entity(number: number, name: name, parent: rows.integer(2))
        }
        let tables = try connection.statement(
            "SELECT m.name, p.name, p.type FROM sqlite_master m, pragma_table_info(m.name) p"
                + " WHERE m.type = 'table' AND m.name LIKE 'Z%'"
        )
        defer { tables.reset() }
        while try tables.step() {
            let column = Column(name: tables.text(1).uppercased(), type: tables.text(2))
            columns[tables.text(0).uppercased(), default: []].append(column)
        }
        let found = try connection.statement("SELECT name FROM sqlite_master WHERE type = 'index'")
        defer { found.reset() }
        while try found.step() { indexes.insert(found.text(0).uppercased()) }
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile`` if there are no
    ///   entities.
    mutating func model() throws -> ManagedObjectModel {
        let model = ManagedObjectModel()
        var names: Set<String> = []
        for entity in entities.values.sorted(by: { $0.number < $1.number }) {
            guard let root = root(of: entity), columns[table(of: root)] != nil else { continue }
            if !names.insert(entity.name).inserted { continue }
            let parent = entity.number == root.number ? nil : entities[entity.parent]?.name
            let description = EntityDescription(entity.name, superentity: parent)
            made[entity.number] = description
            model.add(description)
        }
        for (number, description) in made.sorted(by: { $0.key < $1.key })
        where description.superentityName == nil {
            try addColumns(to: description, number)
        }
        for (table, columns) in columns.sorted(by: { $0.key < $1.key }) {
            addJoin(table, columns)
        }
        if model.entities.isEmpty {
            throw ObjectGraphError(
                .damagedFile,
                "The store names no entity that has a table.",
                recovery: "Keep a copy of it and restore a backup."
            )
        }
        return model
    }

    // MARK: Entities

    private func table(of root: Entity) -> String { "Z" + root.name.uppercased() }

    /// The topmost ancestor; `nil` for an entity whose parents are missing or form a circle.
    private func root(of entity: Entity) -> Entity? {
        var current = entity
        for _ in 0...entities.count {
            if current.parent <= 0 { return current }
            guard let parent = entities[current.parent] else { return nil }
            current = parent
        }
        return nil
    }

    private func members(of root: Entity) -> Set<Int64> {
        Set(entities.values.filter { self.root(of: $0)?.number == root.number }.map(\.number))
    }

    private func hasSubentities(_ number: Int64) -> Bool {
        entities.values.contains { $0.parent == number }
    }

    // MARK: Columns

    private func addColumns(to entity: EntityDescription, _ number: Int64) throws {
        guard let root = entities[number] else { return }
        let table = table(of: root)
        let all = columns[table] ?? []
        var used: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
        for column in all where !used.contains(column.name) {
            guard column.isKey, let suffixed = all.first(where: { $0.isEntity(of: column.name) }),
                let target = try destination(of: suffixed, in: table)
            else { continue }
            used.formUnion([column.name, suffixed.name])
            let name = DeducedModel.property(column.name.dropFirst())
            entity.add(RelationshipDescription(name, to: target))
        }
        for column in all where !used.contains(column.name) {
            if column.name.hasPrefix("Z_FOK_") || !column.name.hasPrefix("Z") { continue }
            if column.isKey, let owner = owner(of: column) {
                let name = DeducedModel.property(owner.name)
                let list = RelationshipDescription(name, to: entity.name, toMany: true)
                list.isOrdered = all.contains { $0.name == "Z_FOK_" + column.name.dropFirst() }
                if let description = made[owner.number], !has(name, in: owner.number) {
                    description.add(list)
                    continue
                }
            }
            let name = DeducedModel.property(column.name.dropFirst())
            if name.isEmpty { continue }
            if column.isKey, let target = try namesake(of: column, in: table) {
                entity.add(RelationshipDescription(name, to: target))
            } else {
                entity.add(AttributeDescription(name, column.attributeType))
            }
        }
    }

    /// The name of a property whose form in upper case is known.
    private static func property(_ upper: some StringProtocol) -> String {
        let lower = upper.lowercased()
        return lower.uppercased() == upper ? lower : String(upper)
    }

    private func has(_ name: String, in number: Int64) -> Bool {
        guard let entity = entities[number], let root = root(of: entity) else { return true }
        return members(of: root).contains { member in
            made[member]?.ownProperties.contains { $0.name == name } ?? false
        }
    }

    /// The destination of a to-one relationship by the column with its entities' numbers.
    private func destination(of column: Column, in table: String) throws -> String? {
        let found = try connection.statement(
            "SELECT DISTINCT n FROM (SELECT \(quoted(column.name)) AS n FROM \(quoted(table))"
                + " WHERE n NOT NULL LIMIT \(DeducedModel.sample))"
        )
        defer { found.reset() }
        var numbers: Set<Int64> = []
        while try found.step() { numbers.insert(found.integer(0)) }
        let named = column.numbered(after: "Z").flatMap { entities[$0.number] }
        if let named, numbers.isSubset(of: descendants(of: named)) {
            return hasSubentities(named.number) ? made[named.number]?.name : nil
        }
        // A migration has left an old number in the name.
        guard let any = numbers.first.flatMap({ entities[$0] }), let root = root(of: any),
            numbers.isSubset(of: members(of: root)), hasSubentities(root.number)
        else { return nil }
        return made[root.number]?.name
    }

    private func descendants(of entity: Entity) -> Set<Int64> {
        var result: Set<Int64> = [entity.number]
        for other in entities.values.sorted(by: { $0.number < $1.number }) {
            var current = other
            for _ in 0...entities.count {
                if current.number == entity.number {
                    result.insert(other.number)
                    break
                }
                guard let parent = entities[current.parent] else { break }
                current = parent
            }
        }
        return result
    }

    /// The owner of a list without inverse whose key is in a column, with the list's name.
    private func owner(of column: Column) -> (number: Int64, name: String)? {
        guard let (number, name) = column.numbered(after: "Z"), made[number] != nil,
            let first = name.first, first != "_"
        else { return nil }
        return (number, String(name))
    }

    /// The entity that has the name of an indexed column, if all of its values are keys of that.
    private func namesake(of column: Column, in table: String) throws -> String? {
        let upper = column.name.dropFirst()
        guard indexes.contains("\(table)_\(column.name)_INDEX"),
            let entity = entities.values.first(where: { $0.name.uppercased() == upper }),
            let target = made[entity.number], !hasSubentities(entity.number),
            let root = root(of: entity)
        else { return nil }
        let destination = quoted(self.table(of: root))
        let statement = try connection.statement(
            "SELECT COUNT(*), COUNT(d.Z_PK) FROM (SELECT \(quoted(column.name)) AS k"
                + " FROM \(quoted(table)) WHERE k NOT NULL LIMIT \(DeducedModel.sample))"
                + " LEFT JOIN \(destination) d ON d.Z_PK = k AND d.Z_ENT = ?"
        )
        defer { statement.reset() }
        statement.bind(entity.number, at: 1)
        guard try statement.step(), statement.integer(0) > 0,
            statement.integer(0) == statement.integer(1)
        else { return nil }
        return target.name
    }

    // MARK: Join tables

    private func addJoin(_ table: String, _ columns: [Column]) {
        let plain = columns.filter { !$0.name.hasPrefix("Z_FOK_") }
        guard Column(name: table, type: "").numbered(after: "Z_") != nil, plain.count == 2,
            let first = plain[0].numbered(after: "Z_"), let second = plain[1].numbered(after: "Z_"),
            let owner = made[first.number], let member = made[second.number]
        else { return }
        // The first column has the keys of owners and is named after the inverse.
        let isOwnInverse = owner === member && second.name == first.name + "1"
        let name = DeducedModel.property(isOwnInverse ? first.name : second.name)
        let inverseName = DeducedModel.property(first.name)
        if has(name, in: first.number) || has(inverseName, in: second.number) { return }
        func isOrdered(_ column: Column) -> Bool {
            columns.contains { $0.name == "Z_FOK_" + column.name.dropFirst(2) }
        }
        let list = RelationshipDescription(
            name,
            to: member.name,
            inverse: inverseName,
            toMany: true,
            ordered: isOrdered(plain[1])
        )
        owner.add(list)
        if isOwnInverse { return }
        member.add(
            RelationshipDescription(
                inverseName,
                to: owner.name,
                inverse: name,
                toMany: true,
                ordered: isOrdered(plain[0])
            )
        )
    }
}

extension DeducedModel.Column {
    /// Whether the column can hold keys.
    fileprivate var isKey: Bool { type == "INTEGER" && name.hasPrefix("Z") }

    /// Whether the column has the entities of the keys in another one: `Z1_BOOK` of `ZBOOK`.
    fileprivate func isEntity(of other: String) -> Bool {
        guard type == "INTEGER", let (_, rest) = numbered(after: "Z") else { return false }
        return rest.first == "_" && rest.dropFirst() == other.dropFirst()
    }

    /// The number behind a prefix, and the rest of the name, which is not empty.
    fileprivate func numbered(after prefix: String) -> (number: Int64, name: Substring)? {
        guard name.hasPrefix(prefix) else { return nil }
        let rest = name.dropFirst(prefix.count)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        let tail = rest.dropFirst(digits.count)
        guard let number = Int64(digits), !tail.isEmpty else { return nil }
        return (number, tail)
    }

    fileprivate var attributeType: AttributeType {
        let type = type.uppercased()
        if type == "TIMESTAMP" { return .date }
        if type == "DECIMAL" { return .decimal }
        if type.contains("INT") { return .integer64 }
        if type.contains("CHAR") || type.contains("TEXT") { return .string }
        if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") {
            return .double
        }
        return .binary
    }
}
