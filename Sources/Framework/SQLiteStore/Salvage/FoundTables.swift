import ObjectStore

/// Which pages of a damaged file belong to which table.
///
/// The tables and their first pages are in the schema, which starts in page 1; the tree leads from
/// there to the leaves. A leaf to which no tree leads, because a page above it is lost, belongs to the
/// table whose entity its rows name.
struct FoundTables {
    struct Table {
        /// In the order of a record.
        var columns: [String]
        var leaves: [Int] = []
        /// Pages of the tree that are no pages of a table.
        var lostPages: [Int] = []
    }

    private(set) var tables: [String: Table] = [:]
    /// Whether the list of tables could be read.
    private(set) var hasSchema = false

    init(_ reader: CellReader, _ layout: StoreSchema) throws {
        let file = reader.file
        var owners: Set<Int> = []
        var roots: [(name: String, root: Int, sql: String)] = []
        var master = Table(columns: [])
        FoundTables.walk(1, reader, &owners, &master)
        for leaf in master.leaves {
            guard let page = file.page(leaf) else { continue }
            for row in reader.rows(page, leaf).rows where row.values.count == 5 {
                guard case .text("table") = row.values[0], case .text(let name) = row.values[1],
                    case .integer(let root) = row.values[3], case .text(let sql) = row.values[4],
                    root > 1
                else { continue }
                roots.append((name, Int(clamping: root), sql))
            }
        }
        hasSchema = !roots.isEmpty
        let memory = try Connection("", .readWrite)
        defer { memory.close() }
        for (name, root, sql) in roots where name.hasPrefix("Z") || name.hasPrefix("OG_") {
            guard let columns = FoundTables.columns(name, sql, memory) else { continue }
            var table = Table(columns: columns)
            FoundTables.walk(root, reader, &owners, &table)
            tables[name.uppercased()] = table
        }
        addUnreached(reader, layout, owners)
    }

    private static func columns(_ name: String, _ sql: String, _ memory: Connection) -> [String]? {
        // One statement: a file can hold anything.
        guard sql.hasPrefix("CREATE TABLE"), let creation = try? Statement(sql, on: memory),
            (try? creation.run()) != nil,
            let statement = try? Statement("PRAGMA table_info(\(quoted(name)))", on: memory)
        else { return nil }
        defer { statement.finish() }
        var columns: [String] = []
        while (try? statement.step()) == true { columns.append(statement.text(1).uppercased()) }
        return columns
    }

    private static func walk(
        _ root: Int,
        _ reader: CellReader,
        _ owners: inout Set<Int>,
        _ table: inout Table
    ) {
        var open = [root]
        while let number = open.popLast() {
            guard owners.insert(number).inserted else { continue }
            guard let page = reader.file.page(number),
                let kind = CellReader.kind(page, number)
            else {
                table.lostPages.append(number)
                continue
            }
            switch kind {
            case .leaf: table.leaves.append(number)
            case .interior: open += reader.children(page, number).reversed()
            }
        }
    }

    /// Gives leaves to which no tree leads to the tables whose entities they name.
    private mutating func addUnreached(
        _ reader: CellReader,
        _ layout: StoreSchema,
        _ owners: Set<Int>
    ) {
        for number in 1...max(1, reader.file.pageCount) where !owners.contains(number) {
            guard let page = reader.file.page(number),
                CellReader.kind(page, number) == .leaf
            else { continue }
            let rows = reader.rows(page, number).rows
            guard let row = rows.first, row.values.count > 3, case .null = row.values[0],
                case .integer(let entity) = row.values[1], entity > 0,
                entity < layout.byNumber.count, let schema = layout.byNumber[Int(entity)]
            else { continue }
            let name = schema.table.name.uppercased()
            let columns =
                ["Z_PK", "Z_ENT", "Z_OPT"] + schema.table.columns.map { $0.name.uppercased() }
            guard row.values.count <= tables[name]?.columns.count ?? columns.count else { continue }
            tables[name, default: Table(columns: columns)].leaves.append(number)
        }
    }
}
