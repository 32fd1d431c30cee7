import CSQLite
package import ObjectModel
package import ObjectStore

extension SQLiteStore {
    package func load(_ ids: [ManagedObjectID]) throws {
        for id in ids { rows.remove(id) }
        try read(ids, into: rows)
    }

    package func read(_ ids: [ManagedObjectID], into rows: RowCache) throws {
        try translatingErrors {
            if ids.count == 1 { return try readRow(ids[0], into: rows) }
            var keys: [UInt16: [Int64]] = [:]
            for id in ids {
                guard let schema = schema(of: id) else { continue }
                keys[schema.entity.root.number, default: []].append(id.key)
            }
            for (number, keys) in keys.sorted(by: { $0.key < $1.key }) {
                guard let root = schema.byModelNumber[Int(number)] else { continue }
                try read(keys, of: root, into: rows)
            }
        }
    }

    private func read(_ keys: [Int64], of root: EntitySchema, into rows: RowCache) throws {
        let selection = selection(root.entity, withDescendants: true)
        for chunk in KeyChunks(keys) {
            let statement = try connection.statement(
                "SELECT \(selection.list("t")) FROM \(quoted(root.table.name)) t"
                    + " WHERE t.Z_PK IN \(chunk.marks)"
            )
            defer { statement.reset() }
            chunk.bind(to: statement, from: 1)
            while try statement.step() {
                let number = statement.integer(1)
                guard let id = id(number: number, key: statement.integer(0)) else { continue }
                selection.replace(statement, as: id, number: Int(number), in: rows, idBases)
            }
        }
    }

    /// Reads one row by a statement that stays prepared.
    func readRow(_ id: ManagedObjectID, into rows: RowCache) throws {
        let index = Int(id.entityNumber)
        guard let schema = schema(of: id) else { return }
        let selection = selection(schema.entity, withDescendants: false)
        let statement: Statement
        if let known = loadStatements[index] {
            statement = known
        } else {
            statement = try Statement(
                "SELECT \(selection.list("t")) FROM \(quoted(schema.table.name)) t"
                    + " WHERE t.Z_PK = ? AND t.Z_ENT = \(schema.number)",
                on: connection
            )
            loadStatements[index] = statement
        }
        defer { statement.reset() }
        statement.bind(id.key, at: 1)
        guard try statement.step() else { return }
        selection.replace(statement, as: id, number: Int(schema.number), in: rows, idBases)
    }

    package func destinations(
        of relationship: RelationshipDescription,
        owners: [ManagedObjectID]
    ) throws -> [[ManagedObjectID]] {
        try translatingErrors { try readDestinations(of: relationship, owners: owners) }
    }

    func readDestinations(
        of relationship: RelationshipDescription,
        owners: [ManagedObjectID]
    ) throws -> [[ManagedObjectID]] {
        var result = [[ManagedObjectID]](repeating: [], count: owners.count)
        guard let entity = relationship.entity, let owner = schema.schema(of: entity),
            let destination = relationship.destination.flatMap({ schema.schema(of: $0) }),
            let storage = owner.toMany[relationship.slot]
        else { return result }
        var places: [Int64: Int] = [:]
        for (index, owner) in owners.enumerated() where !owner.isTemporaryID {
            places[owner.key] = index
        }
        for chunk in KeyChunks(owners.filter { !$0.isTemporaryID }.map(\.key)) {
            let statement = try connection.statement(
                MemberQuery(storage, destination).select(owners: chunk.marks)
            )
            defer { statement.reset() }
            chunk.bind(to: statement, from: 1)
            var lastOwner: Int64 = 0
            var place = 0
            while try statement.step() {
                let key = statement.integer(0)
                if key != lastOwner {
                    lastOwner = key
                    place = places[key] ?? 0
                }
                guard let id = id(number: statement.integer(2), key: statement.integer(1)) else {
                    continue
                }
                result[place].append(id)
            }
        }
        // An owner that is listed twice gets its members twice.
        for (index, owner) in owners.enumerated() where !owner.isTemporaryID {
            if let place = places[owner.key], place != index { result[index] = result[place] }
        }
        return result
    }
}

/// The query for the members of a to-many relationship: owner, key and entity number of each.
struct MemberQuery {
    private let from: String
    private let owner: String
    private let columns: String
    private let order: String

    init(_ storage: ToManyStorage, _ destination: EntitySchema) {
        let table = quoted(destination.table.name)
        switch storage {
        case .memberKey(let column, let place, _):
            owner = "m.\(quoted(column))"
            from = "\(table) m"
            columns = "\(owner), m.Z_PK, m.Z_ENT"
            let places = place.map { "m.\(quoted($0)) IS NULL, m.\(quoted($0)), " } ?? ""
            order = "\(owner), \(places)m.Z_PK"
        case .joinTable(let side):
            owner = "j.\(quoted(side.owner))"
            from =
                "\(quoted(side.table)) j CROSS JOIN \(table) m ON m.Z_PK = j.\(quoted(side.member))"
            columns = "\(owner), m.Z_PK, m.Z_ENT"
            let places = side.order.map { "j.\(quoted($0)) IS NULL, j.\(quoted($0)), " } ?? ""
            order = "\(owner), \(places)j.\(quoted(side.member))"
        }
    }

    func select(owners: String) -> String {
        "SELECT \(columns) FROM \(from) WHERE \(owner) IN \(owners) ORDER BY \(order)"
    }
}

/// Keys in chunks of a few sizes, so that few different statements serve lists of every length.
struct KeyChunks: Sequence {
    private let keys: [Int64]

    init(_ keys: [Int64]) { self.keys = keys }

    struct Chunk {
        fileprivate let keys: ArraySlice<Int64>
        fileprivate let size: Int

        /// `(?, ?, …)`.
        var marks: String {
            "(" + String(repeating: "?, ", count: size - 1) + "?)"
        }

        /// Binds the keys; the rest of the list stays NULL, which equals nothing.
        func bind(to statement: Statement, from first: Int32) {
            var index = first
            for key in keys {
                statement.bind(key, at: index)
                index += 1
            }
            while index < first + Int32(size) {
                sqlite3_bind_null(statement.handle, index)
                index += 1
            }
        }
    }

    func makeIterator() -> Iterator { Iterator(keys: keys, position: 0) }

    struct Iterator: IteratorProtocol {
        let keys: [Int64]
        var position: Int

        mutating func next() -> Chunk? {
            let rest = keys.count - position
            if rest <= 0 { return nil }
            // The largest chunk is larger than a batch of objects, so that a batch is one
            // statement.
            let size = rest > 512 ? 2048 : rest > 64 ? 512 : rest > 8 ? 64 : rest > 1 ? 8 : 1
            let end = Swift.min(position + size, keys.count)
            defer { position = end }
            return Chunk(keys: keys[position..<end], size: size)
        }
    }
}
