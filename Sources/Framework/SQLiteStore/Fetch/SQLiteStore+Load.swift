import CSQLite
package import ObjectModel
package import ObjectStore

extension SQLiteStore {
    package func load(_ ids: [ManagedObjectID]) throws {
        for id in ids { rows.remove(id) }
        try read(ids, into: rows)
    }

    package func read(_ ids: [ManagedObjectID], into rows: RowCache) throws {
        try readRows(ids, only: nil, into: rows)
    }

    package func read(
        _ ids: [ManagedObjectID],
        only keys: Set<String>,
        into rows: RowCache
    ) throws { try readRows(ids, only: keys, into: rows) }

    private func readRows(
        _ ids: [ManagedObjectID],
        only keys: Set<String>?,
        into rows: RowCache
    ) throws {
        try translatingErrors {
            if ids.count == 1 { return try readRow(ids[0], into: rows) }
            var keysByRoot: [UInt16: [Int64]] = [:]
            for id in ids {
                guard let schema = schema(of: id) else { continue }
                keysByRoot[schema.entity.root.number, default: []].append(id.key)
            }
            for (number, found) in keysByRoot.sorted(by: { $0.key < $1.key }) {
                guard let root = schema.byModelNumber[Int(number)] else { continue }
                let selection = selection(root.entity, only: keys)
                try read(KeyOrder(found), of: root, selection, into: rows)
            }
        }
    }

    private func read(
        _ order: KeyOrder,
        of root: EntitySchema,
        _ selection: RowSelection,
        into rows: RowCache
    ) throws {
        var order = order
        let columns = selection.list("t")
        let table = quoted(root.table.name)
        let chunks = KeyChunks(order.keys).flatMap { chunk in
            chunk.condition(atMostBetween: 1).isRange ? [chunk] : chunk.parts
        }
        for chunk in chunks {
            let condition = chunk.condition(atMostBetween: 1)
            // SQLite would sort a list of keys into a tree of its own before it looks for them.
            let source =
                condition.isRange
                ? "\(table) t WHERE t.Z_PK \(condition.sql) ORDER BY t.Z_PK"
                : "(VALUES \(chunk.rows)) k CROSS JOIN \(table) t ON t.Z_PK = k.column1"
            let statement = try connection.statement("SELECT \(columns) FROM \(source)")
            defer { statement.reset() }
            chunk.bind(condition, to: statement)
            while try statement.step() {
                let key = statement.integer(0)
                if condition.isRange, order.place(of: key) == nil { continue }
                let number = statement.integer(1)
                guard let id = id(number: number, key: key) else { continue }
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
        let saved = owners.indices.filter { !owners[$0].isTemporaryID }
        var order = KeyOrder(saved.map { owners[$0].key })
        // Pairs follow each other by owner: one other between two costs less than to look for both.
        let others: Int64? = if case .joinTable = storage { 1 } else { nil }
        let query = MemberQuery(storage, destination, dialect)
        for chunk in KeyChunks(order.keys) {
            let condition = chunk.condition(atMostBetween: others)
            let statement = try connection.statement(query.select(owners: condition.sql))
            defer { statement.reset() }
            chunk.bind(condition, to: statement)
            var lastOwner: Int64 = 0
            var place: Int?
            while try statement.step() {
                let key = statement.integer(0)
                if key != lastOwner {
                    lastOwner = key
                    place = order.place(of: key).map { saved[$0] }
                }
                guard let place,
                    let id = id(number: statement.integer(2), key: statement.integer(1))
                else { continue }
                result[place].append(id)
            }
        }
        // An owner that is listed twice gets its members twice.
        for (place, first) in order.repetitions { result[saved[place]] = result[saved[first]] }
        return result
    }
}

/// Ascending keys in chunks of a few sizes, so that few different statements serve lists of every
/// length.
struct KeyChunks: Sequence {
    private let keys: [Int64]
    /// The size of the largest chunk.
    private let largest: Int
    /// So many keys are looked for one by one.
    static let few = 64
    /// One is that of a batch of objects: a place without a key costs as much as a key.
    private static let sizes = [1, 8, 64, 512, 1024, 2048]

    init(_ keys: [Int64], atMost largest: Int = 2048) {
        self.keys = keys
        self.largest = largest
    }

    struct Chunk {
        fileprivate let keys: ArraySlice<Int64>
        fileprivate let size: Int

        /// `(?, ?, …)`.
        var marks: String { "(\(list(of: "?")))" }
        /// `(?), (?), …`.
        var rows: String { list(of: "(?)") }
        /// The same keys, few at a time: SQLite takes longer to prepare a thousand rows of `VALUES`
        /// than to read as many of a table.
        var parts: [Chunk] { Array(KeyChunks(Array(keys), atMost: KeyChunks.few)) }

        /// A condition on a column that holds for the keys, and perhaps for some between them.
        struct Condition {
            fileprivate let range: ClosedRange<Int64>?
            fileprivate let chunk: Chunk
            var sql: String { isRange ? "BETWEEN ? AND ?" : "IN \(chunk.marks)" }
            /// Whether it holds for all between the first and the last key.
            var isRange: Bool { range != nil }
        }

        /// That a column has one of the keys, which ascend, or is in their range.
        ///
        /// A range where there are at most `count` others for each key: reading rows that follow
        /// each other is cheaper than looking for each. Without `count` it is never a range.
        func condition(atMostBetween count: Int64?) -> Condition {
            if let count, let first = keys.first, let last = keys.last, keys.count > KeyChunks.few,
                (last - first) / Int64(keys.count) <= count
            {
                return Condition(range: first...last, chunk: self)
            }
            return Condition(range: nil, chunk: self)
        }

        private func list(of mark: String) -> String {
            String(repeating: "\(mark), ", count: size - 1) + mark
        }

        func bind(_ condition: Condition, to statement: Statement) {
            guard let range = condition.range else { return bind(to: statement, from: 1) }
            statement.bind(range.lowerBound, at: 1)
            statement.bind(range.upperBound, at: 2)
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

    func makeIterator() -> Iterator { Iterator(keys: keys, largest: largest, position: 0) }

    struct Iterator: IteratorProtocol {
        let keys: [Int64]
        let largest: Int
        var position: Int

        mutating func next() -> Chunk? {
            let rest = keys.count - position
            if rest <= 0 { return nil }
            let size = Swift.min(KeyChunks.sizes.first { $0 >= rest } ?? largest, largest)
            let end = Swift.min(position + size, keys.count)
            defer { position = end }
            return Chunk(keys: keys[position..<end], size: size)
        }
    }
}
