import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import SeededRandom
import Testing

/// Every value × every type of attribute × every type of store: what is set is read again, or a save
/// refuses it with a sentence, and all stores agree.
@Suite("Table of values")
struct ValueTableTests {
    private static let stores: [StoreType] = [.sqlite, .binary, .xml, .text, .inMemory]

    private static func model() -> ManagedObjectModel {
        let attributes = AttributeType.allCases.filter { $0 != .undefined }.map { type in
            let attribute = AttributeDescription(name(type), type)
            if type == .composite { attribute.compositeName = "Place" }
            return attribute
        }
        let model = ManagedObjectModel([EntityDescription("Thing", attributes)])
        model.composites = [
            "Place": [AttributeDescription("x", .double), AttributeDescription("zone", .integer16)]
        ]
        return model
    }

    private static func name(_ type: AttributeType) -> String {
        type.editorName.lowercased().replacing(" ", with: "")
    }

    // MARK: Values

    private static let numbers: [Double] = [
        0, -0.0, 1, -1, 0.1, 1.0 / 3, 255, 256, 300, 32767, 32768, -32769, 2_147_483_648,
        9_007_199_254_740_992, 1e15, 1e16, 1e22, 3.4028234663852886e38, 3.5e38, -1e39, 1e127, 1e128,
        1e200, 1e300, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
        .leastNormalMagnitude, 1e-128, 1e-200, .infinity, -.infinity, .nan, .signalingNaN,
    ]

    private static let texts: [String] = [
        "", " ", "\u{0}", "a\u{0}b", "\u{1}\u{8}\u{b}\u{1F}\u{7F}\u{85}\u{2028}", "\r", "\r\n",
        "\n",
        "\u{FFFE}\u{FFFF}\u{FFFD}", "\u{10FFFF}\u{1FFFE}", "é", "e\u{301}", "\u{301}", "ẞß",
        "<&>'\"]]>",
        "a|b=c,d\\e\\", "nil", "NaN", "'; DROP TABLE ZTHING; --", "%_*?", "👨‍👩‍👧‍👦", "\u{202E}\u{FEFF}",
        // Lone surrogates and invalid bytes: a Swift string repairs them.
        String(decoding: [0xD800, 0x61, 0xDC00] as [UInt16], as: UTF16.self),
        String(decoding: [0xFF, 0xED, 0xA0, 0x80] as [UInt8], as: UTF8.self),
    ]

    private static let decimals: [Decimal] =
        [
            .nan, .greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude, 0, -1,
        ]
        + [
            "0.1", "-1e-128", "1e127", "340282366920938463463374607431768211455", "123456789012345",
            "1234567890123456", "99999999999999999999999999999999999999e90", "18446744073709551615",
            "9223372036854775807", "9223372036854775808", "-9223372036854775808", "5e-324",
        ].compactMap { Decimal(string: $0) }

    nonisolated(unsafe) private static let values: [GraphValue] = makeValues()

    private static func makeValues() -> [GraphValue] {
        var values: [GraphValue] = [.null, .bool(true), .bool(false)]
        let whole: [Int64] = [
            0, 1, -1, 127, 128, 255, 256, 300, -129, 32767, 32768, -32769, 65536, 2_147_483_647,
            2_147_483_648, 4_294_967_296, 9_007_199_254_740_993, .max, .min,
        ]
        values += whole.map { .int($0) }
        values += numbers.map { .double($0) }
        values += decimals.map { .decimal($0) }
        values += texts.map { .string($0) }
        let dates = [Date.distantPast, .distantFuture, Date()].map(\.timeIntervalSinceReferenceDate)
        values += (numbers + dates + [-1e-9, 63_113_904_000]).map {
            .date(Date(timeIntervalSinceReferenceDate: $0))
        }
        values += [Data(), Data([0]), Data((0...255).map { UInt8($0) })].map { .data($0) }
        values += [UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), UUID()]
            .map { .uuid($0) }
        let urls = [
            "a:", "http://x/ä ö?a=b|c,d#e", "file:///a%20b", "mailto:a@b", "/relative", "#part",
            "?q",
            "http://[::1]:80/", "x", "%FF",
        ]
        values += urls.compactMap { URL(string: $0) }.map { .url($0) }
        values += [
            .url(URL(filePath: "relative/ä b")), .url(URL(filePath: "")),
            URL(string: "b?c", relativeTo: URL(string: "http://h/a/")).map { .url($0) } ?? .null,
        ]
        values += [
            .array([]), .set([]), .dictionary([:]), .array([.null, 1, "x", .double(.infinity)]),
            .array([.decimal(.nan), .double(.nan)]), .set([.string("\u{0}")]),
            .dictionary(["x": 1.5, "zone": 3]), .dictionary(["x": .double(.nan)]),
            .dictionary(["zone": 300_000]), .dictionary(["y": 1]),
            .dictionary(["\u{1}": .array([.date(Date(timeIntervalSinceReferenceDate: 1e300))])]),
        ]
        return values
    }

    /// Every fourth value; with `OBJECTGRAPH_VALUES=all` all of them.
    private static func some(_ offset: Int) -> [GraphValue] {
        let isAll = ProcessInfo.processInfo.environment["OBJECTGRAPH_VALUES"] == "all"
        return isAll ? values : stride(from: offset % 4, to: values.count, by: 4).map { values[$0] }
    }

    private static func holdsNaN(_ value: GraphValue) -> Bool {
        if let elements = value.elements { return elements.contains { holdsNaN($0) } }
        if case .decimal(let number) = value { return number.isNaN }
        return value.doubleValue?.isNaN ?? false
    }

    private static func random(_ random: inout SeededRandom) -> GraphValue {
        let bits = random.next()
        switch random.below(7) {
        case 0: return .int(Int64(bitPattern: bits >> UInt64(random.below(64))))
        case 1: return .double(Double(bitPattern: bits))
        case 2: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
        case 3:
            let digits = (0...random.below(38)).map { _ in String(random.below(10)) }.joined()
            let exponent = random.below(256) - 128
            return Decimal(string: "\(random.chance(2) ? "-" : "")\(digits)e\(exponent)")
                .map { .decimal($0) } ?? .null
        case 4:
            let units = (0..<random.below(8)).map { _ in
                random.chance(3)
                    ? UInt16(truncatingIfNeeded: random.next()) : UInt16(random.below(0x90))
            }
            return .string(String(decoding: units, as: UTF16.self))
        case 5: return .data(Data((0..<random.below(9)).map { _ in UInt8(random.below(256)) }))
        default:
            let text = (0..<random.below(12)).map { _ in
                String(random.pick(Array("abä :/?#[]@%2F|=\\&.")))
            }.joined()
            return URL(string: text).map { .url($0) } ?? .null
        }
    }

    /// Whether two values are the same bit for bit, but for the sign of zero, which SQLite does not
    /// keep; text scalar for scalar.
    private static func isSame(_ left: GraphValue, _ right: GraphValue) -> Bool {
        switch (left, right) {
        case (.double(let a), .double(let b)):
            return (a + 0).bitPattern == (b + 0).bitPattern || a.isNaN && b.isNaN
        case (.date(let a), .date(let b)):
            return isSame(
                .double(a.timeIntervalSinceReferenceDate),
                .double(b.timeIntervalSinceReferenceDate)
            )
        case (.decimal(let a), .decimal(let b)): return a == b || a.isNaN && b.isNaN
        case (.string(let a), .string(let b)): return a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)):
            return a.count == b.count && zip(a, b).allSatisfy { isSame($0, $1) }
        case (.dictionary(let a), .dictionary(let b)):
            return a.count == b.count
                && a.allSatisfy { key, value in b[key].map { isSame(value, $0) } ?? false }
        default: return left == right && left.kindName == right.kindName
        }
    }

    // MARK: The table

    /// What became of a value: the value that was set, or the sentence that refused it.
    private enum Outcome: Equatable {
        case refusedBySetting
        case refusedBySave(Int, String)
        case kept
    }

    private func check(_ store: StoreType, _ values: [GraphValue]) throws -> [[Outcome]] {
        let folder = try ValueFolder()
        let url = folder.url
        let model = Self.model()
        let container = try ValueFolder.open(store, url, model)
        let context = container.viewContext
        let types = AttributeType.allCases.filter { $0 != .undefined }
        var outcomes: [[Outcome]] = []
        var expected: [(uri: String, name: String, value: GraphValue)] = []
        for value in values {
            var row: [Outcome] = []
            var kept: [(object: ManagedObject, name: String)] = []
            for type in types {
                let name = Self.name(type)
                let object = try context.insert(entityNamed: "Thing")
                if let error = failure({ try object.setValue(value, forKey: name) }) {
                    #expect(error.message.hasPrefix("Thing.\(name)"), "\(error)")
                    context.delete(object)
                    row.append(.refusedBySetting)
                    continue
                }
                if let error = failure({ try object.validateForInsert() }) {
                    #expect(error.message.hasPrefix("Thing.\(name)"), "\(error)")
                    #expect(error.message.hasSuffix("."), "\(error)")
                    row.append(.refusedBySave(error.code.rawValue, error.message))
                    context.delete(object)
                    continue
                }
                row.append(.kept)
                kept.append((object, name))
            }
            if let error = failure({ try context.save() }) {
                // Nothing that validation lets through may fail behind it, but for transformers.
                #expect(error.key == "transformable", "\(store) \(value.kindName): \(error)")
                let refused = kept.filter { $0.name == "transformable" }
                for (object, _) in refused { context.delete(object) }
                kept.removeAll { $0.name == "transformable" }
                try context.save()
            }
            outcomes.append(row)
            for (object, name) in kept {
                let set = try object.value(forKey: name)
                expected.append((object.objectID.uri, name, set))
            }
        }
        // Read again, written again by another change, and read again.
        for pass in 0..<3 {
            var again = container
            if store == .inMemory {
                context.reset()
            } else {
                if pass == 0 { container.close() }
                again = try ValueFolder.open(store, url, Self.model())
            }
            let reader = again.viewContext
            for (uri, name, value) in expected {
                let id = try #require(again.coordinator.managedObjectID(forURI: uri))
                let found = try reader.existingObject(with: id).value(forKey: name)
                #expect(
                    Self.isSame(found, value),
                    "\(store) \(name), pass \(pass): \(value.plainText) came back as \(found.plainText)"
                )
            }
            if pass == 1 {
                _ = try reader.insert(entityNamed: "Thing")
                try reader.save()
            }
            if store != .inMemory { again.close() }
        }
        return outcomes
    }

    @Test func everyStoreKeepsOrRefusesTheSameAndReadsWhatItKept() throws {
        var table: [StoreType: [[Outcome]]] = [:]
        for store in Self.stores { table[store] = try check(store, Self.values) }
        let first = try #require(table[.sqlite])
        for store in Self.stores {
            for (index, row) in try #require(table[store]).enumerated() {
                #expect(row == first[index], "\(store): \(Self.values[index].plainText)")
            }
        }
        let kept = first.flatMap { $0 }.count { $0 == .kept }
        print("table: \(Self.values.count) values, \(kept) kept in \(Self.stores.count) stores")
        #expect(kept > 500)
    }

    @Test(arguments: SeededRandom.seeds(1))
    func randomValuesComeBackFromEveryStoreOrAreRefusedByAll(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let values = (0..<60).map { _ in Self.random(&random) }
        let first = try check(.sqlite, values)
        for store in Self.stores.dropFirst() {
            #expect(try check(store, values) == first, "seed \(seed), \(store)")
        }
    }

    @Test(arguments: stores)
    func hugeTextsAndDataComeBack(_ store: StoreType) throws {
        let folder = try ValueFolder()
        let count = SeededRandom.rounds(50_000, long: 500_000)
        let text = GraphValue.string(String(repeating: "ü\u{0}x", count: count))
        let data = GraphValue.data(Data(repeating: 7, count: 4 * count))
        let container = try ValueFolder.open(store, folder.url, Self.model())
        let thing = try container.viewContext.insert(entityNamed: "Thing")
        try thing.setValue(text, forKey: "string")
        try thing.setValue(data, forKey: "binary")
        try container.viewContext.save()
        container.viewContext.reset()
        var again = container
        if store != .inMemory {
            container.close()
            again = try ValueFolder.open(store, folder.url, Self.model())
        }
        let found = try #require(try again.viewContext.all("Thing").first)
        #expect(try found.value(forKey: "string") == text)
        #expect(try found.value(forKey: "binary") == data)
    }

    @Test(arguments: stores)
    func objectIDsComeBackAndTemporaryOnesAreRefused(_ store: StoreType) throws {
        let folder = try ValueFolder()
        let container = try ValueFolder.open(store, folder.url, Self.model())
        let context = container.viewContext
        let target = try context.insert(entityNamed: "Thing")
        let thing = try context.insert(entityNamed: "Thing")
        try thing.setValue(.objectID(target.objectID), forKey: "objectid")
        let error = failure { try context.save() }
        #expect(
            error?.code == .validation && error?.key == "objectid",
            "\(String(describing: error))"
        )
        try thing.setValue(.null, forKey: "objectid")
        try context.save()
        try thing.setValue(.objectID(target.objectID), forKey: "objectid")
        try context.save()
        context.reset()
        let again = try context.existingObject(with: thing.objectID)
        #expect(try again.value(forKey: "objectid") == .objectID(target.objectID))
    }

    @Test(arguments: [StoreType.sqlite, .inMemory])
    func everyValueIsUndoneAndRedoneFromTheHistory(_ store: StoreType) throws {
        let folder = try ValueFolder()
        let context = try ValueFolder.open(store, folder.url, Self.model()).viewContext
        for type in AttributeType.allCases where type != .undefined && type != .objectID {
            // What holds NaN equals nothing, so an undo would take it for changed.
            for value in Self.some(type.rawValue / 100) where !Self.holdsNaN(value) {
                let thing = try context.insert(entityNamed: "Thing")
                let name = Self.name(type)
                try context.save(as: "Add")
                guard (try? thing.setValue(value, forKey: name)) != nil,
                    (try? thing.validateForUpdate()) != nil, thing.hasPersistentChangedValues,
                    (try? context.save(as: "Set")) != nil
                else {
                    context.rollback()
                    continue
                }
                let set = try thing.value(forKey: name)
                #expect(try context.undoLastCommand()?.step.name == "Set")
                #expect(try thing.value(forKey: name).isNull, "\(name)")
                _ = try context.redoLastCommand()
                context.refreshAllObjects()
                let found = try thing.value(forKey: name)
                #expect(Self.isSame(found, set), "\(name): \(set.plainText), \(found.plainText)")
            }
        }
    }

    @Test(arguments: [StoreType.sqlite, .inMemory, .xml])
    func constantsOfPredicatesFindWhatTheyFindInMemory(_ store: StoreType) throws {
        let folder = try ValueFolder()
        let context = try ValueFolder.open(store, folder.url, Self.model()).viewContext
        let types: [AttributeType] = [
            .integer64, .double, .decimal, .string, .date, .binary, .uuid, .uri, .boolean,
        ]
        for type in types {
            for value in Self.values {
                let thing = try context.insert(entityNamed: "Thing")
                if (try? thing.setValue(value, forKey: Self.name(type))) == nil
                    || (try? thing.validateForInsert()) == nil
                {
                    context.delete(thing)
                }
            }
        }
        try context.save()
        let all = try context.all("Thing")
        for type in types {
            for value in Self.some(type.rawValue / 100) where value.elements == nil {
                for test in [FetchComparison.Operator.equal, .notEqual, .lessOrEqual] {
                    let predicate = FetchPredicate.comparison(
                        FetchComparison(.keyPath(Self.name(type)), test, .constant(value))
                    )
                    let compiled = CompiledPredicate(predicate)
                    let expected = try? Set(
                        all.filter { try compiled.evaluate(with: .object($0)) }.map(\.objectID)
                    )
                    let request = FetchRequest<ManagedObjectID>(
                        entityName: "Thing",
                        predicate: predicate
                    )
                    let found = try? Set(context.fetch(request))
                    #expect(
                        found == expected,
                        "\(store) \(Self.name(type)) \(test) \(value.kindName) \(value.plainText)"
                    )
                }
            }
        }
    }
}

/// The place of one store, removed when the test ends.
private final class ValueFolder {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "values-\(UUID().uuidString)")
    var url: URL { folder.appending(path: "store") }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static func open(
        _ type: StoreType,
        _ url: URL,
        _ model: ManagedObjectModel
    ) throws -> PersistentContainer {
        var options = StoreOptions()
        options.type = type
        return try PersistentContainer(model: model, url: url, options: options)
    }
}

extension GraphValue {
    fileprivate var plainText: String {
        switch self {
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .string(let text): "\(text.prefix(40).debugDescription)"
        case .date(let date): "date \(date.timeIntervalSinceReferenceDate)"
        case .url(let url): url.absoluteString
        case .int(let number): "\(number)"
        default: kindName
        }
    }
}
