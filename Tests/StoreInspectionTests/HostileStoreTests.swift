import Foundation
import ObjectModel
import StoreInspection
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
}
