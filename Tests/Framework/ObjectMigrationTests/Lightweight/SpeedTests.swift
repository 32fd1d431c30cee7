import CSQLite
import Foundation
import ObjectGraph
import ObjectModel
import SQLiteStore
import Testing

/// A million rows: a migration takes at most twice as long as the SQL statements that it consists of,
/// on the same file in the same run.
@Suite(.serialized) struct MigrationSpeedTests {
    private static let rows =
        ProcessInfo.processInfo.environment["DOCKET_ROWS"].flatMap { Int($0) } ?? 100_000

    private static func model(_ change: String) -> ManagedObjectModel {
        let task = EntityDescription(
            "Task",
            [
                AttributeDescription("title", .string), AttributeDescription("due", .date),
                AttributeDescription("rank", .integer64),
            ]
        )
        switch change {
        case "add": task.add(AttributeDescription("note", .string))
        case "default":
            task.add(AttributeDescription("stars", .integer64, optional: false, default: .int(3)))
        case "rename":
            task.ownProperties[0].renamingIdentifier = "title"
            task.ownProperties[0].name = "headline"
        case "drop": task.removeProperty(named: "rank")
        default: break
        }
        return ManagedObjectModel([task])
    }

    private static func makeTemplate(_ url: URL) throws {
        try PersistentContainer(model: model(""), url: url).close()
        let raw = try RawFile(url)
        try raw.execute(
            """
            BEGIN;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
            INSERT INTO ZTASK (Z_PK, Z_ENT, Z_OPT, ZRANK, ZDUE, ZTITLE)
            SELECT i, 1, 1, i, i * 60.5, 'Task number ' || i FROM n;
            UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows);
            COMMIT;
            PRAGMA wal_checkpoint(TRUNCATE);
            """
        )
    }

    @Test(arguments: [
        ("add", "ALTER TABLE ZTASK ADD COLUMN ZNOTE VARCHAR"),
        (
            "default",
            "ALTER TABLE ZTASK ADD COLUMN ZSTARS INTEGER; UPDATE ZTASK SET ZSTARS = 3"
        ),
        ("rename", "ALTER TABLE ZTASK RENAME COLUMN ZTITLE TO ZHEADLINE"),
        ("drop", "ALTER TABLE ZTASK DROP COLUMN ZRANK"),
    ])
    func migrationCostsAtMostTwiceItsStatements(_ change: String, _ statements: String) throws {
        let folder = try MigrationFolder()
        let template = folder.file("template.sqlite")
        try Self.makeTemplate(template)
        var best = (ours: Duration.seconds(1000), bare: Duration.seconds(1000))
        for round in 0..<3 {
            let bare = folder.file("bare\(round).sqlite")
            try FileManager.default.copyItem(at: template, to: bare)
            best.bare = min(
                best.bare,
                try ContinuousClock().measure {
                    let raw = try RawFile(bare)
                    // Durable, and nothing of removed values stays, as in a store.
                    try raw.execute(
                        "PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA cache_size=-32768;"
                            + " BEGIN IMMEDIATE; \(statements); COMMIT; PRAGMA wal_checkpoint(TRUNCATE)"
                    )
                }
            )
            let ours = folder.file("ours\(round).sqlite")
            try FileManager.default.copyItem(at: template, to: ours)
            let model = Self.model(change)
            best.ours = min(
                best.ours,
                try ContinuousClock().measure {
                    try SQLiteStore.migrate(ours, to: model)
                }
            )
        }
        print("\(change), \(Self.rows) rows: migration \(best.ours), statements \(best.bare)")
        // What every migration costs, whatever the number of rows.
        let fixed = Duration.milliseconds(150)
        #expect(best.ours <= best.bare * 2 + fixed)
    }
}
