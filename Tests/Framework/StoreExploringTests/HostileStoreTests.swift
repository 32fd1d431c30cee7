import Foundation
import ObjectModel
import ObjectStore
import StoreExploring
import Testing

/// SQLite files that were made to do harm to whoever looks at them.
@Suite struct HostileStoreTests {
    /// A view without an end must not be read in place of a table.
    @Test(arguments: ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE", "ZALBUM"], [true, false])
    func viewInPlaceOfATableIsNotRead(_ table: String, _ keepsModel: Bool) throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file(), keepsModel: keepsModel)
        let raw = try RawFile(place.file())
        if try raw.rows("SELECT name FROM sqlite_master WHERE name = '\(table)'").isEmpty { return }
        try raw.rows("ALTER TABLE \(table) RENAME TO hidden")
        let columns = try raw.rows("SELECT name FROM pragma_table_info('hidden')")
        let list = columns.map { "i AS \($0)" }.joined(separator: ", ")
        try raw.rows(
            "CREATE VIEW \(table) AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n)"
                + " SELECT \(list) FROM n"
        )
        do {
            let inspector = try StoreInspector(place.file())
            for entity in try inspector.overview().entities {
                _ = try inspector.forEachObject(of: entity.name) { _ in }
            }
        } catch { #expect(error is ObjectGraphError) }
    }

    /// Numbers of entities are places in lists; a file may say anything.
    @Test(arguments: [Int64.min, -5, 0, 65_536, 1 << 40, Int64.max], [true, false])
    func anImpossibleNumberOfAnEntityIsNotUsed(_ number: Int64, _ keepsModel: Bool) throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file(), keepsModel: keepsModel)
        let sql = "UPDATE Z_PRIMARYKEY SET Z_ENT = \(number) WHERE Z_NAME = 'Label'"
        try RawFile(place.file()).rows(sql)
        let overview = try StoreInspector(place.file()).overview()
        #expect(overview.origin == .tables)
        #expect(overview.entities.map(\.name) == ["Album", "Person", "Singer", "Track"])
    }

    /// Where each entity is looked up among all, this takes minutes.
    @Test(.timeLimit(.minutes(3))) func tenThousandEntitiesAreDescribed() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file(), keepsModel: false)
        let raw = try RawFile(place.file())
        try raw.rows("BEGIN")
        for number in 100..<10_100 {
            try raw.rows(
                "CREATE TABLE ZKIND\(number) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER,"
                    + " Z_OPT INTEGER, ZNAME VARCHAR)"
            )
            try raw.rows("INSERT INTO Z_PRIMARYKEY VALUES (\(number), 'Kind\(number)', 0, 1)")
            try raw.rows("INSERT INTO ZKIND\(number) VALUES (1, \(number), 1, 'one')")
        }
        try raw.rows("COMMIT")
        let inspector = try StoreInspector(place.file())
        let overview = try inspector.overview()
        #expect(overview.entities.count == 10_005)
        #expect(overview.entities.first { $0.name == "Kind9999" }?.rows == 1)
        let found = try inspector.objects(of: "Kind10099", after: 0, limit: 10)
        #expect(found.count == 1)
    }
}
