import FoundationEssentials
import Glibc
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import SQLiteStore
import StoreExploring
import Synchronization

/// Stores of all types, as `docket inspect` and a program with a model see them.
extension ParserEntry {
    static let stores = [
        ParserEntry("text-store") { try open(.text, $0) },
        ParserEntry("xml-store") { try open(.xml, $0) },
        ParserEntry("binary-store") { bytes in
            try open(.binary, bytes)
            try open(.binary, Checksums.corrected(bytes))
        },
        ParserEntry("sqlite-store") { try open(.sqlite, $0) },
        ParserEntry("damaged-sqlite") { bytes in
            try ParserFolder.files.withLock { _ in try salvage(bytes) }
        },
    ]

    private static func salvage(_ bytes: [UInt8]) throws {
        let place = ParserFolder.write(bytes, "damaged")
        let file = try PageFile(place.path)
        let reader = CellReader(file: file)
        for number in 1...file.pageCount {
            guard let page = file.page(number) else { continue }
            switch CellReader.kind(page, number) {
            case .interior: _ = reader.children(page, number)
            case .leaf: _ = reader.rows(page, number)
            case nil: break
            }
        }
    }

    private static func open(_ type: StoreType, _ bytes: [UInt8]) throws {
        try ParserFolder.files.withLock { _ in try check(type, bytes) }
    }

    private static func check(_ type: StoreType, _ bytes: [UInt8]) throws {
        let url = ParserFolder.write(bytes, "\(type.rawValue)-store")
        if type == .text {
            // Its metadata are in a file beside it.
            try ParserSeeds.textMetadata.get().write(to: url.appendingPathExtension("plist"))
        }
        // Without a model, with one, and to write.
        _ = try? contents(url, [])
        let model = EveryKind.model()
        let known = try? contents(url, [model])
        if type == .sqlite { return }
        if type == .xml { try readsAlike(bytes, known, model) }
        var options = StoreOptions()
        options.type = type
        let container = try PersistentContainer(model: model, url: url, options: options)
        defer { container.close() }
        let copy = ParserFolder.path("\(type.rawValue)-copy")
        try? FileManager.default.removeItem(at: copy)
        guard let store = container.coordinator.persistentStores.first else { return }
        try container.coordinator.migrateStore(
            store,
            to: StoreDescription(url: copy, options: options)
        )
        let again = try read("a store") { _ in try contents(copy, [model]) }
        if let known {
            let difference = zip(known, again).first { $0 != $1 }
            try keeps(
                known == again,
                "a store that is written and read is another one: \(String(describing: difference))"
            )
        }
    }

    /// A document as the store writes it is read without a parser of XML; with one more blank, by
    /// the parser.
    private static func readsAlike(
        _ bytes: [UInt8],
        _ known: [String]?,
        _ model: ManagedObjectModel
    ) throws {
        let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"".utf8
        guard bytes.starts(with: start) else { return }
        let parsed = bytes[..<start.count] + " ".utf8 + bytes[start.count...]
        let url = ParserFolder.write(Array(parsed), "parsed-store")
        try keeps(
            (try? contents(url, [model])) == known,
            "a document is another one to the parser of XML"
        )
    }

    /// All objects with their values.
    private static func contents(_ url: URL, _ models: [ManagedObjectModel]) throws -> [String] {
        let inspector = try StoreInspector(url, models: models)
        var lines: [String] = []
        for entity in try inspector.overview().entities {
            _ = try inspector.forEachObject(of: entity.name) { objects in
                for object in objects {
                    lines.append("\(object.identifier) \(object.entity)")
                    // A transformable value may be written in another form than it had.
                    for (name, value) in object.values where name != "any" {
                        lines.append("\(name) = \(value)")
                    }
                }
            }
        }
        return lines
    }
}

/// A model with every kind of attribute and relationship.
enum EveryKind {
    static func model() -> ManagedObjectModel {
        let thing = EntityDescription(
            "Thing",
            [
                AttributeDescription("text", .string),
                AttributeDescription("whole", .integer64),
                AttributeDescription("small", .integer16),
                AttributeDescription("number", .double),
                AttributeDescription("exact", .decimal),
                AttributeDescription("flag", .boolean),
                AttributeDescription("moment", .date),
                AttributeDescription("data", .binary),
                AttributeDescription("uuid", .uuid),
                AttributeDescription("uri", .uri),
                AttributeDescription("any", .transformable),
                RelationshipDescription("parent", to: "Thing", inverse: "parts"),
                RelationshipDescription("parts", to: "Thing", inverse: "parent", toMany: true),
                RelationshipDescription(
                    "order",
                    to: "Part",
                    inverse: "owners",
                    toMany: true,
                    ordered: true
                ),
            ]
        )
        let part = EntityDescription(
            "Part",
            superentity: "Thing",
            [
                AttributeDescription("pages", .integer32),
                RelationshipDescription("owners", to: "Thing", inverse: "order", toMany: true),
            ]
        )
        return ManagedObjectModel([thing, part])
    }
}

/// The folder for the files that a parser reads, one for each process.
enum ParserFolder {
    /// Held by whoever uses the files.
    static let files = Mutex(())

    static let url: URL = {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "docket-parsers-\(getpid())")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }()

    static func path(_ name: String) -> URL { url.appending(path: name) }

    /// A file with these bytes, and nothing beside it.
    static func write(_ bytes: [UInt8], _ name: String) -> URL {
        let place = path(name)
        for suffix in ["-wal", "-shm", "-journal", ""] { unlink(place.path + suffix) }
        let file = Glibc.open(place.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        Glibc.close(file)
        return place
    }
}

/// Corrects the checksums of a binary store, so that damage gets past them.
enum Checksums {
    static func corrected(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        guard bytes.count >= 16 else { return bytes }
        put(sum(bytes[..<12]), at: 12, &bytes)
        var place = 16
        while bytes.count - place >= 16 {
            let length = (0..<8).reduce(UInt64(0)) {
                $0 | UInt64(bytes[place + 4 + $1]) << UInt64(8 * $1)
            }
            guard length <= UInt64(bytes.count - place - 16) else { return bytes }
            let end = place + 12 + Int(length)
            put(sum(bytes[place..<end]), at: end, &bytes)
            place = end + 4
        }
        return bytes
    }

    private static func put(_ sum: UInt32, at place: Int, _ bytes: inout [UInt8]) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: sum >> (8 * index)) }
    }

    private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBytes { Checksum.of($0) }
    }
}
