import Foundation
import ObjectModel
import Testing

/// Models as data and back.
@Suite struct ModelArchiveTests {
    private func rich() throws -> ManagedObjectModel {
        let place = AttributeDescription("latitude", .double, default: .double(0.1))
        let person = EntityDescription(
            "Person",
            className: ".Person",
            [
                AttributeDescription(
                    "name",
                    .string,
                    optional: false,
                    default: .string("\u{0}é\"")
                ),
                AttributeDescription("salary", .decimal),
                AttributeDescription("home", .composite),
                FetchedPropertyDescription(
                    "peers",
                    FetchDescription(
                        entityName: "Person",
                        predicate: try FetchPredicate(format: "salary > $FETCH_SOURCE.salary"),
                        sortDescriptors: [
                            FetchSortDescriptor("name", ascending: false, comparison: .localized)
                        ]
                    )
                ),
                RelationshipDescription(
                    "friends",
                    to: "Person",
                    inverse: "friends",
                    toMany: true,
                    ordered: false,
                    deleteRule: .deny
                ),
            ]
        )
        for case let attribute as AttributeDescription in person.ownProperties {
            attribute.userInfo = ["key": "value"]
            attribute.renamingIdentifier = "old \(attribute.name)"
            attribute.versionHashModifier = "2"
        }
        let name = try #require(person.ownProperties[0] as? AttributeDescription)
        name.rules = [
            .minimumLength(2), .maximumLength(9), .pattern("[a-z]+"),
            .predicate(try FetchPredicate(format: "SELF != 'x'"), message: "is x"),
        ]
        name.isSearched = true
        let salary = try #require(person.ownProperties[1] as? AttributeDescription)
        salary.defaultValue = .decimal(try #require(Decimal(string: "12345678901234567890.123")))
        salary.rules = [.minimum(.decimal(0)), .maximum(.int(.max))]
        (person.ownProperties[2] as? AttributeDescription)?.compositeName = "Place"
        person.uniquenessConstraints = [["name"], ["name", "salary"]]
        person.indexes = [
            FetchIndexDescription(
                "byName",
                [.init("name", ascending: false), .init("salary * 2", isExpression: true)],
                where: try FetchPredicate(format: "salary > 0")
            )
        ]
        person.isAbstract = true
        person.userInfo = ["a": "b"]
        person.displayNameExpression = "name"
        person.codeGenerationType = "class"
        let boss = EntityDescription(
            "Boss",
            superentity: "Person",
            [
                AttributeDescription(
                    "since",
                    .date,
                    default: .date(.init(timeIntervalSince1970: 0.1))
                ),
                AttributeDescription("icon", .binary, default: .data(Data([0, 255]))),
                AttributeDescription("key", .uuid, default: .uuid(UUID())),
                AttributeDescription(
                    "site",
                    .uri,
                    default: .url(try #require(URL(string: "https://a.example/b?c")))
                ),
                AttributeDescription("ratio", .double, default: .double(.infinity)),
                AttributeDescription("isNice", .boolean, default: .bool(true)),
            ]
        )
        let model = ManagedObjectModel([person, boss])
        model.configurations = ["Some": ["Boss", "Person"]]
        model.versionIdentifiers = ["1", "b"]
        model.composites = ["Place": [place, AttributeDescription("name", .string)]]
        var request = FetchDescription(entityName: "Boss")
        request.predicate = try FetchPredicate(
            format: "name BEGINSWITH[cd] $START AND salary > 1.5"
        )
        request.limit = 3
        request.batchSize = 7
        request.resultType = .dictionaries
        request.includesSubentities = false
        request.returnsDistinctResults = true
        request.propertiesToFetch = [
            .init("total", try FetchExpression(format: "sum(salary)"), type: .decimal)
        ]
        request.propertiesToGroupBy = [.init("name")]
        request.having = try FetchPredicate(format: "total > 2")
        request.relationshipKeyPathsForPrefetching = ["friends"]
        model.fetchRequestTemplates = ["rich": request]
        return model
    }

    @Test func modelComesBackValueForValue() throws {
        let model = try rich()
        let archive = ModelArchive(model)
        #expect(archive.omissions.isEmpty)
        let copy = try archive.model()
        #expect(copy.differences(from: model).isEmpty, "\(copy.differences(from: model))")
        #expect(copy.entityVersionHashes() == model.entityVersionHashes())
        #expect(ModelArchive(copy).data == archive.data)
        #expect(!copy.isFrozen)
        try copy.freeze()
        // A frozen model has the same archive.
        #expect(ModelArchive(copy).data == archive.data)
    }

    @Test func orderOfAdditionDoesNotCount() throws {
        let one = ManagedObjectModel([
            EntityDescription("A", ["x", "y"].map { AttributeDescription($0, .string) }),
            EntityDescription("B"),
        ])
        let two = ManagedObjectModel([
            EntityDescription("B"),
            EntityDescription("A", ["y", "x"].map { AttributeDescription($0, .string) }),
        ])
        #expect(ModelArchive(one).data == ModelArchive(two).data)
    }

    @Test func codeIsLeftOutAndNamed() throws {
        let entity = EntityDescription("A", [AttributeDescription("x", .transformable)])
        (entity.ownProperties[0] as? AttributeDescription)?.defaultValue = .opaque(NSObject())
        let model = ManagedObjectModel([entity])
        model.fetchRequestTemplates["blocks"] = FetchDescription(
            entityName: "A",
            predicate: .block(FetchBlock { _, _ in true })
        )
        let archive = ModelArchive(model)
        #expect(archive.omissions.count == 2)
        #expect(archive.omissions.contains { $0.contains("A.x") })
        #expect(archive.omissions.contains { $0.contains("blocks") })
        #expect(try archive.model().fetchRequestTemplates["blocks"]?.predicate == nil)
    }

    @Test func everyTruncationIsAClearError() throws {
        let data = ModelArchive(try rich()).data
        for length in stride(from: 0, to: data.count, by: 13) {
            let error = #expect(throws: ObjectGraphError.self) {
                _ = try ModelArchive(data: data.prefix(length)).model()
            }
            #expect(error?.code == .damagedFile)
        }
        let newer = String(decoding: data, as: UTF8.self)
            .replacing("\"format\":1", with: "\"format\":2")
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try ModelArchive(data: Data(newer.utf8)).model()
        }
        #expect(error?.message.contains("newer") == true)
    }

    @Test func tenThousandAttributesAreArchived() throws {
        let entity = EntityDescription(
            "Wide",
            (0..<10_000).map {
                AttributeDescription("a\($0)", .integer64, default: .int(Int64($0)))
            }
        )
        let model = ManagedObjectModel([entity])
        #expect(try ModelArchive(model).model().differences(from: model).isEmpty)
    }
}
