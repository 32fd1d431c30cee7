import CSQLite
import CompiledModelMaking
import Encryption
import FoundationEssentials
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectModelFile
import ObjectStore

/// Sound documents, with which a fuzzer begins.
extension ParserEntry {
    /// Some documents that the parser reads; those that are texts, and those that are not.
    ///
    /// - Throws: what goes wrong when one is made.
    public func seeds() throws -> [[UInt8]] {
        let texts = (ParserSeeds.texts[name] ?? []).map { Array($0.utf8) }
        return texts + (try ParserSeeds.data(for: name)).map { [UInt8]($0) }
    }
}

/// Makes the documents that are not plain texts.
enum ParserSeeds {
    fileprivate static func data(for name: String) throws -> [Data] {
        switch name {
        case "model-file":
            return [Data(try ModelFile(richModel()).contents().utf8)]
        case "compiled-model": return [ArchiveMaker.data(of: richModel())]
        case "model-archive": return [ModelArchive(richModel()).data]
        case "mapping-model":
            let old = EveryKind.model()
            let new = EveryKind.model()
            new.entity(named: "Part")?.add(AttributeDescription("width", .double))
            try old.freeze()
            try new.freeze()
            return [try MappingModel.inferred(from: old, to: new).data()]
        case "property-list":
            return [
                try MetadataBytes.data([
                    "text": .string("Zoë"), "number": .int(-5), "flag": .bool(true),
                    "real": .double(0.1), "data": .data(Data([1, 2, 3])),
                    "date": .date(Date(timeIntervalSinceReferenceDate: 1.5)),
                    "list": .array([.string("a"), .dictionary(["b": .int(1 << 40)])]),
                ])
            ]
        case "transformable":
            guard let transformer = ValueTransformers.named(nil) else { return [] }
            let value = GraphValue.array([
                .null, .bool(true), .int(3), .double(0.5), .decimal(1), .string("é"),
                .date(Date(timeIntervalSinceReferenceDate: 0)), .data(Data([7])),
                .uuid(uuid), .set([.int(1)]), .dictionary(["k": .string("v")]),
            ])
            return [try transformer.data(for: value)]
        case "text-store": return [try store(.text)]
        case "xml-store": return [try store(.xml)]
        case "binary-store": return [try store(.binary)]
        case "sqlite-store", "damaged-sqlite": return [try store(.sqlite)]
        case "time-zone":
            let folder = "/usr/share/zoneinfo/"
            return ["Europe/Berlin", "UTC", "America/Sao_Paulo"].compactMap {
                FileManager.default.contents(atPath: folder + $0)
            }
        case "picture": return pictures
        case "age": return try ageFiles()
        case "age-key":
            let key = try AgeIdentity(AgeFixture.key)
            return [Data(AgeFixture.key.utf8), Data((try key.recipient()?.text ?? "").utf8)]
        case "key-envelope":
            let passphrase = try SecretBytes("pass")
            return [try KeyEnvelope(passphrase: passphrase, cost: .leastForTests).data]
        default: return []
        }
    }

    private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    private static func ageFiles() throws -> [Data] {
        guard let recipient = try AgeIdentity(AgeFixture.key).recipient() else { return [] }
        let plain = Data("plain text\n".utf8)
        let passphrase = AgeRecipient.passphrase(try SecretBytes("pass"), workFactor: 1)
        return [
            try AgeFile.encrypt(plain, for: [recipient]),
            try AgeFile.encrypt(plain, for: [recipient, recipient], armored: true),
            try AgeFile.encrypt(Data(), for: [passphrase]),
        ]
    }

    /// A model with what ``EveryKind`` does not have: conditions, indexes, requests, composites.
    private static func richModel() -> ManagedObjectModel {
        let model = EveryKind.model()
        model.versionIdentifiers = ["2"]
        if let thing = model.entity(named: "Thing") {
            thing.userInfo = ["key": "value"]
            thing.renamingIdentifier = "Object"
            thing.uniquenessConstraints = [["text"]]
            thing.indexes = [FetchIndexDescription("byText", [.init("text")])]
            let count = AttributeDescription("partCount", .integer64)
            count.derivation = "parts.@count"
            thing.add(count)
        }
        var request = FetchDescription(entityName: "Thing")
        request.predicate = try? FetchPredicate(format: "text CONTAINS[cd] 'a' AND whole > 3")
        request.limit = 5
        model.fetchRequestTemplates["some"] = request
        model.configurations["Main"] = ["Part", "Thing"]
        return model
    }

    // MARK: Stores

    /// The metadata of a text store of the model ``EveryKind``.
    static let textMetadata = Result {
        var metadata = Data()
        _ = try store(.text, &metadata)
        return metadata
    }

    private static func store(_ type: StoreType) throws -> Data {
        var metadata = Data()
        return try store(type, &metadata)
    }

    private static func store(_ type: StoreType, _ metadata: inout Data) throws -> Data {
        let url = ParserFolder.path("\(type.rawValue)-seed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        var options = StoreOptions()
        options.type = type
        options.keepsHistory = false
        options.keepsSearchIndex = false
        let container = try PersistentContainer(
            model: EveryKind.model(),
            url: url,
            options: options
        )
        try fill(container.viewContext)
        container.close()
        if type == .sqlite { try pack(url) }
        if type == .text {
            let beside = url.appendingPathExtension("plist")
            metadata = try Data(contentsOf: beside)
            try FileManager.default.removeItem(at: beside)
        }
        return try Data(contentsOf: url)
    }

    private static func fill(_ context: ManagedObjectContext) throws {
        let thing = try context.insert(entityNamed: "Thing")
        let values: [String: GraphValue] = [
            "text": .string("one | two = \"é\"\n"), "whole": .int(-7), "small": .int(300),
            "number": .double(0.1), "exact": .decimal(Decimal(5) / 4), "flag": .bool(true),
            "moment": .date(Date(timeIntervalSinceReferenceDate: 1e9 + 0.25)),
            "data": .data(Data([0, 1, 255])), "uuid": .uuid(uuid),
            "any": .array([.int(1), .string("x")]),
        ]
        for (key, value) in values { try thing.setValue(value, forKey: key) }
        if let url = URL(string: "https://example.org/a?b#c") {
            try thing.setValue(.url(url), forKey: "uri")
        }
        var parts: [GraphValue] = []
        for number in 1...3 {
            let part = try context.insert(entityNamed: "Part")
            try part.setValue(.int(Int64(number)), forKey: "pages")
            try part.setValue(.object(thing), forKey: "parent")
            parts.append(.object(part))
        }
        try thing.setValue(.array(parts.reversed()), forKey: "order")
        try context.save()
    }

    /// Makes a database small, so that a fuzzer changes more of its content than of its room.
    private static func pack(_ url: URL) throws {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        let statements = "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM"
        guard sqlite3_open(url.path, &database) == SQLITE_OK,
            sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK
        else { throw BrokenLaw("the database cannot be made small") }
    }
}
