import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import SeededRandom
import Testing

/// The values at the limits of every attribute type, in every store, after close and reopen.
@Suite struct ValueContractTests {
    private static let numbers: [Double] = [
        0, -0.0, 1, 0.1, 1 / 3, .pi, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
        .leastNonzeroMagnitude, .leastNormalMagnitude, .ulpOfOne, .infinity, -.infinity, 1e22, 1e23,
        123456789.123456789, 9_007_199_254_740_992,
    ]

    private static let texts: [String] = [
        "", " ", "\n", "\r\n", "\t x \t", "\u{0}", "a\u{0}b", "\u{1}\u{1F}\u{7F}",
        "\u{FFFE}\u{FFFF}",
        "é", "e\u{301}", "🐈‍⬛👨‍👩‍👧‍👦🇩🇪", "\u{202E}abc", "<a b='c'>&amp;</a>", "]]>", "a|b=c,d\\e", "nil",
        "NULL", "# end", String(repeating: "ü", count: 70_000),
    ]

    /// Saves one value per object, reopens the store, and compares; twice.
    private func check(
        _ kind: StoreKind,
        _ name: String,
        _ values: [GraphValue],
        stored: (GraphValue) -> GraphValue = { $0 }
    ) throws {
        let bench = try TestBench(kind)
        let objects = values.map { bench.session.insert("Values", [name: $0]) }
        try bench.session.save()
        for pass in 0..<3 {
            for (object, value) in zip(objects, values) {
                var (found, wanted) = (try bench.session.value(object.id, name), stored(value))
                // SQLite keeps zero without its sign.
                if kind == .sqlite {
                    (found, wanted) = (found.withoutSignOfZero, wanted.withoutSignOfZero)
                }
                #expect(found.isIdentical(to: wanted), "pass \(pass): \(found.kindName)")
            }
            try bench.reopen()
            if pass == 1, let object = objects.first {
                // Written once more from what was read.
                let copy = try bench.session.object(object.id)
                bench.session.update(copy, ["medium": 1])
                try bench.session.save()
                try bench.reopen()
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func integersReachTheirLimits(_ kind: StoreKind) throws {
        try check(kind, "short", [-32768, -1, 0, 1, 32767])
        try check(
            kind,
            "long",
            [.int(.min), .int(.min + 1), -1, 0, 9_007_199_254_740_993, .int(.max)]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func floatingPointNumbersKeepEveryBit(_ kind: StoreKind) throws {
        try check(kind, "double", ValueContractTests.numbers.map { .double($0) })
        var random = SeededRandom()
        let more = (0..<200).map { _ in Double(bitPattern: random.next()) }
        try check(kind, "double", more.filter { !$0.isNaN }.map { .double($0) })
    }

    @Test(arguments: StoreKind.allCases)
    func whatIsNotANumberIsStoredAsNil(_ kind: StoreKind) throws {
        let nan = GraphValue.double(.nan)
        try check(kind, "double", [nan, .double(-.nan), .double(.signalingNaN)]) { _ in .null }
        let never = GraphValue.date(Date(timeIntervalSinceReferenceDate: .nan))
        try check(kind, "date", [never]) { _ in .null }
    }

    @Test(arguments: StoreKind.allCases)
    func datesKeepEveryBit(_ kind: StoreKind) throws {
        let dates = ValueContractTests.numbers.filter(\.isFinite) + [-1e-9, 1e-300, 63_113_904_000]
        try check(
            kind,
            "date",
            dates.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        )
    }

    @Test(arguments: StoreKind.allCases)
    func everyTextComesBack(_ kind: StoreKind) throws {
        try check(kind, "string", ValueContractTests.texts.map { .string($0) })
    }

    @Test(arguments: StoreKind.allCases)
    func dataUUIDsAndURIsComeBack(_ kind: StoreKind) throws {
        let all = Data((0...255).map { UInt8($0) })
        let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try check(kind, "data", [.data(Data()), .data(Data([0])), .data(all), .data(large)])
        try check(
            kind,
            "uuid",
            [.uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), .uuid(UUID())]
        )
        let uris = ["a:", "http://x/?a=b|c,d", "file:///a%20b", "mailto:a@b", "/relative", "#part"]
        try check(kind, "uri", try uris.map { .url(try #require(URL(string: $0))) })
    }

    @Test(arguments: StoreKind.allCases)
    func decimalsAtTheirLimitsComeBack(_ kind: StoreKind) throws {
        let texts = [
            "0", "-1", "0.1", "340282366920938463463374607431768211455", "1e127", "-1e-127",
            "99999999999999999999999999999999999999e90",
        ]
        try check(kind, "decimal", try texts.map { .decimal(try #require(Decimal(string: $0))) })
    }

    @Test(arguments: StoreKind.allCases)
    func transformedValuesOfEveryKindComeBack(_ kind: StoreKind) throws {
        let values: [GraphValue] = [
            .bool(true), .int(.min), .double(-0.0), .string("\u{0}🐈"), .data(Data([0])),
            .array([]), .dictionary([:]), .set([1, "x"]),
            .array([.dictionary(["a\u{1}": .array([.null, .uuid(UUID())])])]),
        ]
        try check(kind, "object", values)
    }

    @Test(arguments: StoreKind.allCases)
    func thousandsOfObjectsAndTheirLinksComeBack(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let count = SeededRandom.rounds(2500, long: 10_000)
        let list = bench.session.insert("List")
        let tag = bench.session.insert("Tag", ["name": "t"])
        let tasks = (0..<count).map { number in
            bench.session.insert(
                "Task",
                [
                    "title": .string("\(number)"), "list": list.reference,
                    "rank": .int(Int64(number)),
                ]
            )
        }
        bench.session.link(tag, "items", add: tasks)
        bench.session.link(list, "pinned", add: tasks, order: tasks.reversed())
        try bench.session.save()
        try bench.reopen()
        #expect(try bench.session.members(list.id, "items").count == count)
        #expect(try bench.session.members(tag.id, "items") == tasks.map(\.id))
        #expect(try bench.session.members(list.id, "pinned") == tasks.reversed().map(\.id))
        #expect(try bench.session.value(tasks[777].id, "rank") == 777)
    }
}

extension GraphValue {
    /// Whether two values are the same bit for bit, and text scalar for scalar.
    fileprivate func isIdentical(to other: GraphValue) -> Bool {
        switch (self, other) {
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.date(let a), .date(let b)):
            a.timeIntervalSinceReferenceDate.bitPattern
                == b.timeIntervalSinceReferenceDate.bitPattern
        case (.url(let a), .url(let b)): a.absoluteString == b.absoluteString
        default: self == other && kindName == other.kindName
        }
    }

    fileprivate var withoutSignOfZero: GraphValue {
        switch self {
        case .double(0): .double(0)
        case .date(let date) where date.timeIntervalSinceReferenceDate == 0:
            .date(Date(timeIntervalSinceReferenceDate: 0))
        default: self
        }
    }
}
