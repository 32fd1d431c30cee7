import CompiledModel
import CompiledModelMaking
import Foundation
import ObjectModel
import SeededRandom
import Testing

@Suite struct CompiledModelTests {
    private static func property(
        _ kind: String,
        _ name: String,
        _ fields: [(String, Archived)]
    ) -> (String, Archived) {
        (name, .object("NS\(kind)Description", [("NSPropertyName", .text(name))] + fields))
    }

    private static func attribute(
        _ name: String,
        _ type: AttributeType,
        default value: Archived = .null,
        _ fields: [(String, Archived)] = []
    ) -> (String, Archived) {
        property(
            "Attribute",
            name,
            [("NSAttributeType", .integer(Int64(type.rawValue))), ("NSDefaultValue", value)]
                + fields
        )
    }

    /// An archive of a shop: goods, of which books are some, and orders.
    static func shop() -> Data {
        let goods = [
            attribute("name", .string, default: .text("Ding")),
            attribute("price", .decimal, default: decimal(1995, exponent: -2)),
            attribute("stock", .integer32, default: .integer(7), [("NSIsOptional", .flag(true))]),
            attribute("isNew", .boolean, default: .flag(true)),
            attribute("weight", .double, default: .real(0.5)),
            attribute(
                "since",
                .date,
                default: .object("NSDate", [("NS.time", .real(86_400))])
            ),
            attribute(
                "mark",
                .uuid,
                default: .object("NSUUID", [("NS.uuidbytes", .data(Data(1...16)))])
            ),
            attribute(
                "page",
                .uri,
                default: .object("NSURL", [("NS.relative", .text("https://example.org"))])
            ),
            attribute("picture", .binary, [("NSFlagsKey", .integer(4))]),
            attribute("seal", .transformable, [("NSValueTransformerName", .text("Sealing"))]),
            property(
                "DerivedAttribute",
                "orderCount",
                [
                    ("NSAttributeType", .integer(300)), ("NSIsOptional", .flag(true)),
                    (
                        "NSDerivationExpression",
                        .object(
                            "NSFunctionExpression",
                            [
                                ("NSExpressionType", .integer(4)),
                                ("NSSelectorName", .text("count:")),
                                ("NSArguments", .array([keyPath("orders")])),
                            ]
                        )
                    ),
                ]
            ),
            relationship("orders", to: "Order", inverse: "goods", most: -1, ordered: true),
            property("FetchedProperty", "similar", [("NSIsTransient", .flag(true))]),
        ]
        let books = goods + [attribute("ISBN", .string)]
        let orders = [
            attribute("größe", .integer16),
            relationship("goods", to: "Goods", inverse: "orders", most: 0),
        ]
        func entity(
            _ name: String,
            _ parent: String?,
            _ properties: [(String, Archived)]
        )
            -> Archived
        {
            .object(
                "NSEntityDescription",
                [
                    ("NSEntityName", .text(name)),
                    ("NSRenamingIdentifier", .text(name == "Order" ? "Purchase" : name)),
                    ("NSIsAbstract", .flag(name == "Goods")),
                    ("NSSuperentity", parent.map { .named($0) } ?? .null),
                    ("NSProperties", .dictionary(properties)),
                    ("NSUserInfo", .dictionary([("owner", .text("Ana"))])),
                    (
                        "NSUniqueTuples",
                        .array(name == "Goods" ? [.array([.text("name"), .text("price")])] : [])
                    ),
                    (
                        "NSFetchIndexDescriptions",
                        .array(name == "Goods" ? [index("byStock", on: "stock")] : [])
                    ),
                ]
            )
        }
        return ArchiveMaker.data(
            .object(
                "NSManagedObjectModel",
                [
                    (
                        "NSEntities",
                        .known([
                            ("Book", .named("Book")), ("Goods", .named("Goods")),
                            ("Order", .named("Order")),
                        ])
                    ),
                    (
                        "NSConfigurations",
                        .dictionary([("Trade", .set([.named("Goods"), .named("Order")]))])
                    ),
                    ("NSVersionIdentifiers", .set([.text("2"), .text("beta")])),
                ]
            ),
            named: [
                "Goods": entity("Goods", nil, goods), "Book": entity("Book", "Goods", books),
                "Order": entity("Order", nil, orders),
            ]
        )
    }

    private static func keyPath(_ path: String) -> Archived {
        .object(
            "NSKeyPathExpression",
            [
                ("NSExpressionType", .integer(3)),
                (
                    "NSArguments",
                    .array([
                        .object(
                            "NSKeyPathSpecifierExpression",
                            [("NSExpressionType", .integer(10)), ("NSKeyPath", .text(path))]
                        )
                    ])
                ),
            ]
        )
    }

    private static func index(_ name: String, on property: String) -> Archived {
        .object(
            "NSFetchIndexDescription",
            [
                ("NSIndexName", .text(name)),
                (
                    "NSIndexElements",
                    .array([
                        .object(
                            "NSFetchIndexElementDescription",
                            [
                                ("NSPropertyName", .text(property)),
                                ("NSFetchIndexElementType", .integer(0)),
                                ("NSAscending", .flag(false)),
                            ]
                        )
                    ])
                ),
            ]
        )
    }

    private static func decimal(_ number: UInt16, exponent: Int64) -> Archived {
        var bytes = Data(count: 16)
        bytes[0] = UInt8(number & 0xff)
        bytes[1] = UInt8(number >> 8)
        return .object(
            "NSDecimalNumber",
            [
                ("NS.mantissa", .data(bytes)), ("NS.exponent", .integer(exponent)),
                ("NS.length", .integer(1)), ("NS.mantissa.bo", .integer(1)),
                ("NS.negative", .flag(false)),
            ]
        )
    }

    private static func relationship(
        _ name: String,
        to destination: String,
        inverse: String,
        most: Int64,
        ordered: Bool = false
    ) -> (String, Archived) {
        property(
            "Relationship",
            name,
            [
                ("_NSDestinationEntityName", .text(destination)),
                ("_NSInverseRelationshipName", .text(inverse)), ("NSMinCount", .integer(1)),
                ("NSMaxCount", .integer(most)), ("NSDeleteRule", .integer(2)),
                ("NSIsOrdered", .flag(ordered)),
            ]
        )
    }

    // MARK: Reading

    @Test func anArchiveGivesTheEntitiesWithTheirOwnProperties() throws {
        let model = try CompiledModel(Self.shop()).model()
        try model.freeze()
        #expect(model.entities.map(\.name).sorted() == ["Book", "Goods", "Order"])
        let goods = try #require(model.entity(named: "Goods"))
        let book = try #require(model.entity(named: "Book"))
        #expect(goods.isAbstract && !book.isAbstract)
        #expect(book.superentity === goods)
        #expect(book.ownProperties.map(\.name) == ["ISBN"])
        #expect(goods.property(named: "similar") == nil)
        #expect(goods.uniquenessConstraints == [["name", "price"]])
        #expect(goods.indexes.map(\.name) == ["byStock"])
        #expect(goods.indexes.first?.elements.first?.isAscending == false)
        #expect(goods.userInfo == ["owner": "Ana"])
        #expect(model.entity(named: "Order")?.renamingIdentifier == "Purchase")
        #expect(goods.renamingIdentifier == nil)
        #expect(model.configurations == ["Trade": ["Goods", "Order"]])
        #expect(model.versionIdentifiers == ["2", "beta"])
        #expect(model.entity(named: "Order")?.property(named: "größe") != nil)
    }

    @Test func attributesHaveTheirTypesDefaultsAndFlags() throws {
        let model = try CompiledModel(Self.shop()).model()
        try model.freeze()
        let goods = try #require(model.entity(named: "Goods"))
        func value(_ name: String) -> GraphValue? {
            (goods.property(named: name) as? AttributeDescription)?.defaultValue
        }
        #expect(value("name") == .string("Ding"))
        #expect(value("price") == .decimal(Decimal(string: "19.95") ?? 0))
        #expect(value("stock") == .int(7))
        #expect(value("isNew") == .bool(true))
        #expect(value("weight") == .double(0.5))
        #expect(value("since") == .date(Date(timeIntervalSinceReferenceDate: 86_400)))
        #expect(value("page") == .url(try #require(URL(string: "https://example.org"))))
        #expect(value("mark")?.uuidText == "01020304-0506-0708-090A-0B0C0D0E0F10")
        let picture = try #require(goods.property(named: "picture") as? AttributeDescription)
        #expect(picture.allowsExternalStorage && !picture.preservesValueOnDeletion)
        let seal = try #require(goods.property(named: "seal") as? AttributeDescription)
        #expect(seal.valueTransformerName == "Sealing")
        let count = try #require(goods.property(named: "orderCount") as? AttributeDescription)
        #expect(count.derivation == "orders.@count")
        #expect(goods.property(named: "stock")?.isOptional == true)
        #expect(goods.property(named: "name")?.isOptional == false)
    }

    @Test func relationshipsHaveTheirInversesCountsAndOrder() throws {
        let model = try CompiledModel(Self.shop()).model()
        try model.freeze()
        let goods = try #require(model.entity(named: "Goods"))
        let orders = try #require(goods.property(named: "orders") as? RelationshipDescription)
        #expect(orders.isToMany && orders.isOrdered && orders.maxCount == 0)
        #expect(orders.minCount == 1 && orders.deleteRule == .cascade)
        #expect(orders.inverse?.name == "goods" && orders.inverse?.isOrdered == false)
        #expect(orders.destination?.name == "Order")
    }

    @Test func packedBytesAreReadInEveryForm() throws {
        let plain = Self.shop()
        let raw = ArchiveMaker.packed(plain)
        #expect(raw.count < plain.count)
        // A zlib stream: its header, the raw stream, the checksum.
        var sums: (UInt32, UInt32) = (1, 0)
        for byte in plain {
            sums.0 = (sums.0 + UInt32(byte)) % 65521
            sums.1 = (sums.1 + sums.0) % 65521
        }
        let sum = sums.1 << 16 | sums.0
        let whole =
            Data([0x78, 0xda]) + raw
            + Data((0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * UInt32($0))) })
        for data in [plain, raw, whole] {
            #expect(try CompiledModel(data).model().entities.count == 3)
        }
    }

    // MARK: Damage

    @Test func anArchiveThatWasCutOffIsRefusedAtEveryByte() throws {
        let plain = Self.shop()
        for count in 0..<plain.count {
            #expect(throws: CompiledModelProblem.self) {
                try CompiledModel(plain.prefix(count)).model()
            }
        }
        let packed = ArchiveMaker.packed(plain)
        for count in 0..<packed.count {
            #expect(throws: CompiledModelProblem.self) {
                try CompiledModel(packed.prefix(count)).model()
            }
        }
    }

    @Test(arguments: SeededRandom.seeds(8))
    func flippedBitsAreRefusedOrGiveAnotherModel(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let plain = Self.shop()
        for _ in 0..<400 {
            var damaged = plain
            for _ in 0...random.below(4) {
                damaged[random.below(damaged.count)] ^= 1 << UInt8(random.below(8))
            }
            do {
                let model = try CompiledModel(damaged).model()
                // Whether it contradicts itself is for whoever uses it.
                try? model.freeze()
            } catch is CompiledModelProblem {}
        }
    }

    @Test(arguments: SeededRandom.seeds(8))
    func randomBytesAreRefused(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            var bytes = Data("bplist00".utf8)
            for _ in 0..<random.below(400) { bytes.append(UInt8(random.below(256))) }
            #expect(throws: CompiledModelProblem.self) { try CompiledModel(bytes).model() }
        }
    }

    @Test func bytesThatUnpackToVeryManyAreRefused() throws {
        let bomb = ArchiveMaker.packed(Data(count: PackedBytes.limit + 1))
        #expect(bomb.count < 100_000)
        #expect(throws: CompiledModelProblem.self) { try CompiledModel(bomb) }
    }

    @Test func anEntityThatIsItsOwnAncestorIsRefused() throws {
        let data = ArchiveMaker.data(
            .object(
                "NSManagedObjectModel",
                [("NSEntities", .dictionary([("Ring", .named("Ring"))]))]
            ),
            named: [
                "Ring": .object(
                    "NSEntityDescription",
                    [
                        ("NSEntityName", .text("Ring")), ("NSSuperentity", .named("Ring")),
                        ("NSProperties", .dictionary([])),
                    ]
                )
            ]
        )
        #expect(throws: CompiledModelProblem.self) { try CompiledModel(data).model() }
    }

    @Test func anArchiveOfSomethingElseIsRefused() throws {
        let data = ArchiveMaker.data(.object("NSAttributedString", [("NSString", .text("x"))]))
        #expect(throws: CompiledModelProblem.self) { try CompiledModel(data).model() }
    }
}

extension GraphValue {
    fileprivate var uuidText: String? {
        if case .uuid(let uuid) = self { uuid.uuidString } else { nil }
    }
}
