import Foundation
import ObjectModel
import Testing

/// What a store's file holds, by plain SQL, to compare it with what it holds later.
struct FileState {
    private let schema: [String]
    private let plist: [String]
    private let keys: [String: Int]
    private let numbers: [String: Int]
    /// The rows of each entity table by key.
    private let rows: [String: [Int: String]]
    private let history: [String: [String]]

    init(_ url: URL) throws {
        let raw = try RawFile(url)
        schema = try raw.rows("SELECT type, name, sql FROM sqlite_master ORDER BY type, name")
        plist = try raw.rows("SELECT Z_VERSION, Z_UUID, Z_PLIST FROM Z_METADATA")
        keys = try FileState.pairs("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY", raw)
        numbers = try FileState.pairs("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY", raw)
        rows = try FileState.rows(raw)
        var history: [String: [String]] = [:]
        for table in try raw.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'A%'"
        ) { history[table] = try raw.rows("SELECT * FROM \(table)") }
        self.history = history
    }

    private static func pairs(_ sql: String, _ raw: RawFile) throws -> [String: Int] {
        var result: [String: Int] = [:]
        for row in try raw.rows(sql) {
            let parts = row.split(separator: "|", omittingEmptySubsequences: false)
            result[String(parts[0])] = Int(parts[1]) ?? -1
        }
        return result
    }

    private static func rows(_ raw: RawFile) throws -> [String: [Int: String]] {
        var result: [String: [Int: String]] = [:]
        for table in try tables(raw) {
            var found: [Int: String] = [:]
            for row in try raw.rows("SELECT Z_PK, * FROM \(table)") {
                let cut = row.firstIndex(of: "|") ?? row.endIndex
                found[Int(row[..<cut]) ?? 0] = String(row[cut...].dropFirst())
            }
            result[table] = found
        }
        return result
    }

    /// The tables of entities.
    private static func tables(_ raw: RawFile) throws -> [String] {
        try raw.rows(
            "SELECT m.name FROM sqlite_master m WHERE m.type = 'table' AND m.name LIKE 'Z%' AND"
                + " EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'Z_PK')"
        )
    }

    /// Checks the file after changes.
    ///
    /// `touched` are the objects that may have other values, as `Entity/key`, and `inserted` the new
    /// ones.
    func expectUnharmed(
        _ url: URL,
        _ model: ManagedObjectModel,
        touched: Set<String>,
        inserted: [ManagedObjectID]
    ) throws {
        let raw = try RawFile(url)
        #expect(try raw.integrity == "ok")
        let now = try FileState(url)
        #expect(now.schema == schema)
        #expect(now.plist == plist)
        #expect(now.history == history)
        #expect(now.numbers == numbers)
        for (name, key) in keys { #expect((now.keys[name] ?? -1) >= key, "\(name)") }
        for table in try FileState.tables(raw) {
            let most = try raw.number("SELECT IFNULL(MAX(Z_PK), 0) FROM \(table)")
            let root = try #require(
                model.entities.first { "Z" + $0.name.uppercased() == table }
            )
            #expect((now.keys[root.name] ?? -1) >= most, "\(table)")
        }
        for id in inserted {
            let entity = try #require(model.entity(named: id.entityName))
            #expect(Int(id.key) > keys[entity.root.name] ?? 0)
        }
        try expectRows(now, raw, model, touched: touched)
        try expectLinks(raw, model)
        try expectDerived(raw, model)
    }

    /// Rows that were not touched are as they were; of the others only those that were written have
    /// another version, one higher.
    private func expectRows(
        _ now: FileState,
        _ raw: RawFile,
        _ model: ManagedObjectModel,
        touched: Set<String>
    ) throws {
        var names: [Int: String] = [:]
        for (name, number) in numbers { names[number] = name }
        for (table, old) in rows {
            let columns = try raw.rows("SELECT name FROM pragma_table_info('\(table)')")
            let keep = Set(["Z_PK", "Z_ENT", "Z_OPT"]).union(try derivedColumns(table, model))
            for (key, row) in old {
                let before = row.split(separator: "|", omittingEmptySubsequences: false)
                let name = names[Int(before[1]) ?? 0] ?? ""
                let isTouched = touched.contains("\(name)/\(key)")
                guard let new = now.rows[table]?[key] else {
                    #expect(isTouched, "\(name)/\(key) was deleted")
                    continue
                }
                let after = new.split(separator: "|", omittingEmptySubsequences: false)
                guard before.count == columns.count, after.count == columns.count else { continue }
                if !isTouched {
                    let differing = columns.indices.filter { before[$0] != after[$0] }
                    #expect(
                        differing.allSatisfy { keep.contains(columns[$0]) && $0 > 2 },
                        "\(name)/\(key): \(row) became \(new)"
                    )
                    continue
                }
                #expect(before[1] == after[1])
                let old = Int(before[2]) ?? 0
                #expect([old, old + 1].contains(Int(after[2]) ?? 0), "\(name)/\(key)")
                let isChanged = columns.indices.contains {
                    before[$0] != after[$0] && !keep.contains(columns[$0])
                        && !columns[$0].hasPrefix("Z_FOK_")
                }
                if isChanged { #expect(Int(after[2]) == old + 1, "\(name)/\(key)") }
            }
        }
    }

    private func derivedColumns(_ table: String, _ model: ManagedObjectModel) throws -> [String] {
        model.entities.filter { "Z" + $0.root.name.uppercased() == table }.flatMap { entity in
            entity.attributes.filter(\.isDerived).map { "Z" + $0.name.uppercased() }
        }
    }

    /// Keys of relationships are those of rows, and order keys are there and unique in each list.
    private func expectLinks(_ raw: RawFile, _ model: ManagedObjectModel) throws {
        for table in try raw.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'"
        ) {
            let columns = try raw.rows("SELECT name FROM pragma_table_info('\(table)')")
            for column in columns where !column.hasPrefix("Z_FOK_") {
                let digits = column.dropFirst(2).prefix { $0.isNumber }
                let owner = try #require(
                    numbers.first { $0.value == Int(digits) }
                        .flatMap { model.entity(named: $0.key) }
                )
                let lost = try raw.number(
                    "SELECT COUNT(*) FROM \(table) WHERE \(column) IS NULL OR \(column) NOT IN"
                        + " (SELECT Z_PK FROM Z\(owner.root.name.uppercased()))"
                )
                #expect(lost == 0, "\(table).\(column)")
            }
            if let order = columns.first(where: { $0.hasPrefix("Z_FOK_") }),
                let owner = columns.first(where: { !order.hasSuffix($0.dropFirst(2)) })
            {
                try expectOrder(order, of: owner, in: table, raw)
            }
        }
        for entity in model.entities where entity.superentity == nil {
            let table = "Z" + entity.name.uppercased()
            let columns = try raw.rows("SELECT name FROM pragma_table_info('\(table)')")
            for order in columns where order.hasPrefix("Z_FOK_") {
                try expectOrder(order, of: "Z" + order.dropFirst(6), in: table, raw)
            }
        }
    }

    private func expectOrder(
        _ order: String,
        of owner: String,
        in table: String,
        _ raw: RawFile
    ) throws {
        let bad = try raw.number(
            "SELECT COUNT(*) FROM \(table) WHERE \(owner) NOT NULL AND \(order) IS NULL"
        )
        #expect(bad == 0, "\(table).\(order)")
        let twice = try raw.number(
            "SELECT COUNT(*) - COUNT(DISTINCT \(owner) || '/' || \(order)) FROM \(table)"
                + " WHERE \(owner) NOT NULL"
        )
        #expect(twice == 0, "\(table).\(order)")
    }

    /// Derived counts are the numbers of members.
    private func expectDerived(_ raw: RawFile, _ model: ManagedObjectModel) throws {
        for entity in model.entities {
            for case let attribute as AttributeDescription in entity.ownProperties {
                guard let path = attribute.derivation, path.hasSuffix(".@count"),
                    let list = entity.property(named: String(path.dropLast(7)))
                        as? RelationshipDescription,
                    let inverse = list.inverse, let member = list.destination
                else { continue }
                let table = "Z" + entity.root.name.uppercased()
                let wrong = try raw.rows(
                    "SELECT o.Z_PK, o.Z\(attribute.name.uppercased()) FROM \(table) o WHERE"
                        + " IFNULL(o.Z\(attribute.name.uppercased()), -1) != (SELECT COUNT(*) FROM"
                        + " Z\(member.root.name.uppercased()) m WHERE"
                        + " m.Z\(inverse.name.uppercased()) = o.Z_PK)"
                )
                #expect(wrong.isEmpty, "\(entity.name).\(attribute.name)")
            }
        }
    }
}
