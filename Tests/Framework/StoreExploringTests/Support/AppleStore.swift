import CompiledModel
import CompiledModelMaking
import Foundation
import ObjectModel
import Testing

/// A store in the layout of Apple's framework, made by plain SQL: with ordered relationships, many to
/// many, subentities, a derived attribute with its triggers, and Apple's history.
enum AppleStore {
    /// The model of the store; each call makes a new one.
    static func model() -> ManagedObjectModel {
        let tracks = RelationshipDescription(
            "tracks",
            to: "Track",
            inverse: "album",
            toMany: true,
            ordered: true,
            deleteRule: .cascade
        )
        let count = AttributeDescription("trackCount", .integer64)
        count.derivation = "tracks.@count"
        let album = EntityDescription(
            "Album",
            [
                AttributeDescription("title", .string, optional: false), count,
                RelationshipDescription("lead", to: "Person", inverse: "albums"), tracks,
                RelationshipDescription(
                    "labels",
                    to: "Label",
                    inverse: "albums",
                    toMany: true,
                    ordered: true
                ),
            ]
        )
        let label = EntityDescription(
            "Label",
            [
                AttributeDescription("name", .string),
                RelationshipDescription("albums", to: "Album", inverse: "labels", toMany: true),
            ]
        )
        let person = EntityDescription(
            "Person",
            [
                AttributeDescription("name", .string),
                RelationshipDescription("albums", to: "Album", inverse: "lead", toMany: true),
                RelationshipDescription("friendOf", to: "Person", inverse: "friends", toMany: true),
                RelationshipDescription("friends", to: "Person", inverse: "friendOf", toMany: true),
            ]
        )
        let singer = EntityDescription(
            "Singer",
            superentity: "Person",
            [AttributeDescription("range", .integer16), AttributeDescription("voice", .binary)]
        )
        let track = EntityDescription(
            "Track",
            [
                AttributeDescription("length", .integer32), AttributeDescription("name", .string),
                AttributeDescription("recorded", .date), AttributeDescription("price", .decimal),
                AttributeDescription("code", .uuid), AttributeDescription("link", .uri),
                AttributeDescription("isLive", .boolean), AttributeDescription("gain", .double),
                RelationshipDescription("album", to: "Album", inverse: "tracks"),
            ]
        )
        let model = ManagedObjectModel([album, label, person, singer, track])
        model.versionIdentifiers = ["7"]
        return model
    }

    private static let columns = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

    private static func affected(_ key: String) -> String {
        "SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZALBUM', Z_ENT, Z_PK,"
            + " 'trackCount', ZTRACKCOUNT) FROM ZALBUM WHERE Z_PK = \(key)"
    }

    private static var statements: [String] {
        [
            "PRAGMA auto_vacuum=INCREMENTAL", "PRAGMA journal_mode=WAL",
            "CREATE TABLE ZALBUM (\(columns), ZTRACKCOUNT INTEGER, ZLEAD INTEGER, Z3_LEAD INTEGER,"
                + " ZTITLE VARCHAR)",
            "CREATE TABLE ZLABEL (\(columns), ZNAME VARCHAR)",
            "CREATE TABLE ZPERSON (\(columns), ZRANGE INTEGER, ZNAME VARCHAR, ZVOICE BLOB)",
            "CREATE TABLE ZTRACK (\(columns), ZISLIVE INTEGER, ZLENGTH INTEGER, ZALBUM INTEGER,"
                + " Z_FOK_ALBUM INTEGER, ZGAIN FLOAT, ZRECORDED TIMESTAMP, ZPRICE DECIMAL,"
                + " ZLINK VARCHAR, ZNAME VARCHAR, ZCODE BLOB)",
            "CREATE TABLE Z_1LABELS (Z_1ALBUMS INTEGER, Z_2LABELS INTEGER, Z_FOK_2LABELS INTEGER,"
                + " PRIMARY KEY (Z_1ALBUMS, Z_2LABELS))",
            "CREATE TABLE Z_3FRIENDS (Z_3FRIENDOF INTEGER, Z_3FRIENDS INTEGER,"
                + " PRIMARY KEY (Z_3FRIENDOF, Z_3FRIENDS))",
            "CREATE INDEX ZALBUM_ZLEAD_INDEX ON ZALBUM (ZLEAD)",
            "CREATE INDEX ZTRACK_ZALBUM_INDEX ON ZTRACK (ZALBUM)",
            "CREATE INDEX ZPERSON_Z_ENT_INDEX ON ZPERSON (Z_ENT)",
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR,"
                + " Z_SUPER INTEGER, Z_MAX INTEGER)",
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255),"
                + " Z_PLIST BLOB)",
            "CREATE TABLE ACHANGE (\(columns), ZCHANGETYPE INTEGER, ZENTITY INTEGER,"
                + " ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB)",
            "CREATE TABLE ATRANSACTION (\(columns), ZAUTHORTS INTEGER, ZTIMESTAMP FLOAT,"
                + " ZAUTHOR VARCHAR, ZQUERYGEN BLOB)",
            "CREATE TABLE ATRANSACTIONSTRING (\(columns), ZNAME VARCHAR)",
            "CREATE TRIGGER Z_DA_ZALBUM_Album_trackCount_SOURCE_INSERT AFTER INSERT ON ZALBUM"
                + " FOR EACH ROW BEGIN UPDATE ZALBUM SET ZTRACKCOUNT = (SELECT IFNULL(COUNT(ZALBUM),"
                + " 0) FROM ZTRACK WHERE ZALBUM = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; "
                + affected("NEW.Z_PK") + "; END",
            "CREATE TRIGGER Z_DA_ZTRACK_Album_trackCount_PARAMETER_DELETE AFTER DELETE ON ZTRACK"
                + " FOR EACH ROW WHEN (OLD.ZALBUM NOT NULL) BEGIN UPDATE ZALBUM SET ZTRACKCOUNT ="
                + " ZTRACKCOUNT - 1 WHERE Z_PK = OLD.ZALBUM; " + affected("OLD.ZALBUM") + "; END",
            "CREATE TRIGGER Z_DA_ZTRACK_Album_trackCount_PARAMETER_INSERT AFTER INSERT ON ZTRACK"
                + " FOR EACH ROW WHEN (NEW.ZALBUM NOT NULL) BEGIN UPDATE ZALBUM SET ZTRACKCOUNT ="
                + " IFNULL(ZTRACKCOUNT, 0) + 1 WHERE Z_PK = NEW.ZALBUM; "
                + affected("NEW.ZALBUM") + "; END",
            "CREATE TRIGGER Z_DA_ZTRACK_Album_trackCount_PARAMETER_UPDATE_DECREMENT AFTER UPDATE OF"
                + " ZALBUM ON ZTRACK FOR EACH ROW WHEN (OLD.ZALBUM NOT NULL) BEGIN UPDATE ZALBUM"
                + " SET ZTRACKCOUNT = ZTRACKCOUNT - 1 WHERE Z_PK = OLD.ZALBUM; "
                + affected("OLD.ZALBUM") + "; END",
            "CREATE TRIGGER Z_DA_ZTRACK_Album_trackCount_PARAMETER_UPDATE_INCREMENT AFTER UPDATE OF"
                + " ZALBUM ON ZTRACK FOR EACH ROW WHEN (NEW.ZALBUM NOT NULL) BEGIN UPDATE ZALBUM"
                + " SET ZTRACKCOUNT = ZTRACKCOUNT + 1 WHERE Z_PK = NEW.ZALBUM; "
                + affected("NEW.ZALBUM") + "; END",
        ]
    }

    private static let rows = [
        "INSERT INTO ZLABEL VALUES (1, 2, 1, 'Blue'), (2, 2, 4, 'Green'), (5, 2, 1, 'Old')",
        "INSERT INTO ZPERSON VALUES (1, 3, 1, NULL, 'Ana', NULL), (2, 4, 3, 12, 'Bo', x'0102'),"
            + " (7, 4, 1, 9, 'Cy', NULL)",
        "INSERT INTO ZALBUM VALUES (1, 1, 2, 3, 2, 4, 'First'), (2, 1, 1, 1, 1, 3, 'Second'),"
            + " (4, 1, 1, 0, NULL, NULL, 'Empty')",
        "INSERT INTO ZTRACK VALUES"
            + " (1, 5, 1, 0, 200, 1, 3072, 0.5, 690000000.25, 1.25, 'https://a.b/c', 'b', NULL),"
            + " (2, 5, 1, 1, 210, 1, 2048, NULL, 690000100, 2, NULL, 'a',"
            + " x'000102030405060708090A0B0C0D0E0F'),"
            + " (3, 5, 6, NULL, NULL, 1, 4096, NULL, NULL, NULL, NULL, 'c', NULL),"
            + " (4, 5, 1, NULL, 5, 2, 2048, NULL, NULL, NULL, NULL, 'd', NULL),"
            + " (9, 5, 1, NULL, 6, NULL, NULL, NULL, NULL, NULL, NULL, 'loose', NULL)",
        "INSERT INTO Z_1LABELS VALUES (1, 1, 3072), (1, 2, 2048), (2, 2, 2048)",
        "INSERT INTO Z_3FRIENDS VALUES (1, 2), (2, 7)",
        "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Album', 0, 6), (2, 'Label', 0, 5),"
            + " (3, 'Person', 0, 7), (4, 'Singer', 3, 0), (5, 'Track', 0, 9),"
            + " (16001, 'CHANGE', 0, 2), (16002, 'TRANSACTION', 0, 1),"
            + " (16003, 'TRANSACTIONSTRING', 0, 1)",
        "INSERT INTO ACHANGE VALUES (1, 16001, 1, 0, 1, 1, 1, NULL), (2, 16001, 1, 1, 5, 3, 1,"
            + " x'80')",
        "INSERT INTO ATRANSACTION VALUES (1, 16002, 1, NULL, 690000000, 'app', NULL)",
        "INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, 1, 'app')",
    ]

    static let identifier = "11111111-2222-3333-4444-555555555555"

    /// Makes the store at a place, with its model in `Z_MODELCACHE` or without.
    static func make(at url: URL, keepsModel: Bool) throws {
        let file = try RawFile(url)
        for statement in rowsBeforeTriggers + triggers { try file.rows(statement) }
        try file.rows(
            "INSERT INTO Z_METADATA VALUES (1, '\(identifier)', ?)",
            try metadata(of: model())
        )
        if keepsModel {
            try file.rows("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
            let data = ArchiveMaker.packed(ArchiveMaker.data(of: model()))
            try file.rows("INSERT INTO Z_MODELCACHE VALUES (?)", data)
        }
    }

    private static var rowsBeforeTriggers: [String] {
        statements.filter { !$0.hasPrefix("CREATE TRIGGER") } + rows
    }

    private static var triggers: [String] {
        statements.filter { $0.hasPrefix("CREATE TRIGGER") }
    }

    private static func metadata(of model: ManagedObjectModel) throws -> Data {
        var hashes: [String: Data] = [:]
        for (place, entity) in model.entities.enumerated() {
            hashes[entity.name] = Data(repeating: UInt8(place + 1), count: 32)
        }
        let list: [String: Any] = [
            "NSStoreType": "SQLite", "NSStoreModelVersionHashes": hashes,
            "NSStoreModelVersionHashesVersion": 3, "NSStoreModelVersionIdentifiers": ["7"],
            "NSPersistenceFrameworkVersion": 1344, "_NSAutoVacuumLevel": "2", "owner": "somebody",
        ]
        return try PropertyListSerialization.data(
            fromPropertyList: list,
            format: .binary,
            options: 0
        )
    }
}
