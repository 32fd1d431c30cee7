import Foundation
import ObjectModel
import ObjectModelFile
import Testing

@Suite struct ModelFileTests {
    /// A model in which every part that a file can hold occurs.
    static func fullModel() throws -> ManagedObjectModel {
        let title = AttributeDescription("title", .string, optional: false, default: "a<&>\"\n'é")
        title.rules = [.minimumLength(3), .maximumLength(10), .pattern("[a-z]+")]
        title.isSearched = true
        title.userInfo = [
            "hint": "tab\there", "": "empty",
            "long": String(repeating: "a long text that has to be broken \\ \"", count: 9),
        ]
        let count = AttributeDescription("count", .integer16, default: .int(-3))
        count.rules = [.minimum(.int(-5)), .maximum(.int(7))]
        count.usesScalarType = true
        let price = AttributeDescription("price", .decimal, default: .decimal(Decimal(12) / 10))
        let when = AttributeDescription(
            "when",
            .date,
            default: .date(Date(timeIntervalSinceReferenceDate: 12.5))
        )
        when.rules = [.minimum(.date(Date(timeIntervalSinceReferenceDate: 0)))]
        let picture = AttributeDescription("picture", .binary)
        picture.allowsExternalStorage = true
        picture.preservesValueOnDeletion = true
        picture.allowsCloudEncryption = true
        let color = AttributeDescription("color", .transformable)
        color.valueTransformerName = "ColorTransformer"
        color.valueClassName = "Color"
        let place = AttributeDescription("place", .composite)
        place.compositeName = "Point"
        let fold = AttributeDescription("fold", .string)
        fold.derivation = "canonical:(title)"
        fold.renamingIdentifier = "oldFold"
        fold.versionHashModifier = "2"
        let shown = AttributeDescription("shown", .undefined)
        shown.isTransient = true
        let flag = AttributeDescription("flag", .boolean, optional: false, default: false)
        let uuid = AttributeDescription(
            "uuid",
            .uuid,
            default: UUID(uuidString: "0E8AF4D6-8FA3-4A3F-9B8E-5E2B6B7C1A11").map { .uuid($0) }
                ?? .null
        )
        let link = AttributeDescription("link", .uri)
        let parts = RelationshipDescription(
            "parts",
            to: "Part",
            inverse: "whole",
            toMany: true,
            ordered: true,
            deleteRule: .cascade
        )
        parts.minCount = 1
        parts.maxCount = 9
        var recent = FetchDescription(entityName: "Part", predicate: nil)
        recent.limit = 5
        recent.resultType = .objectIDs
        recent.returnsObjectsAsFaults = false
        recent.predicate = try FetchPredicate(format: "whole == $FETCH_SOURCE")
        let thing = EntityDescription(
            "Thing",
            className: ".Thing",
            isAbstract: true,
            [
                title, count, price, when, picture, color, place, fold, shown, flag, uuid, link,
                parts, FetchedPropertyDescription("recent", recent),
            ]
        )
        thing.uniquenessConstraints = [["uuid"], ["title", "count"]]
        let few = try FetchPredicate(format: "count < 3")
        thing.indexes = [
            FetchIndexDescription(
                "byCount",
                [.init("count", ascending: false), .init("lowercase:(title)", isExpression: true)],
                where: few
            )
        ]
        thing.userInfo = ["a": "b"]
        thing.renamingIdentifier = "Object"
        thing.versionHashModifier = "x"
        thing.displayNameExpression = "title"
        thing.codeGenerationType = "class"
        let whole = RelationshipDescription(
            "whole",
            to: "Thing",
            inverse: "parts",
            optional: false,
            deleteRule: .deny
        )
        // A parent without a class of its own: its properties go to the class below it.
        let weighed = EntityDescription(
            "Weighed",
            superentity: "Thing",
            [AttributeDescription("weight", .float, optional: false, default: .double(1.25))]
        )
        let big = AttributeDescription("big", .integer64, optional: false, default: 1_234_567_890)
        let part = EntityDescription(
            "Part",
            className: "Component",
            superentity: "Weighed",
            [whole, big, AttributeDescription("default", .boolean)]
        )
        let model = ManagedObjectModel([part, thing, weighed])
        model.configurations = ["Local": ["Part", "Thing"]]
        model.versionIdentifiers = ["7"]
        let span = AttributeDescription("span", .composite)
        span.compositeName = "Span"
        model.composites = [
            "Point": [
                AttributeDescription("x", .double, default: .double(0.5)), span,
                AttributeDescription("note", .transformable), AttributeDescription("site", .uri),
            ],
            "Span": [
                AttributeDescription("days", .integer16, optional: false, default: 1),
                AttributeDescription("from", .date),
            ],
        ]
        let few2 = try FetchPredicate(format: "count < $COUNT")
        model.fetchRequestTemplates = [
            "Few": FetchDescription(entityName: "Thing", predicate: few2)
        ]
        return model
    }

    private func read(_ text: String) throws -> ModelFile {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "contents")
            try Data(text.utf8).write(to: file)
            return try ModelPackage(contentsOf: file.path).current
        }
    }

    @Test func modelMadeInCodeComesBackEqual() throws {
        let model = try ModelFileTests.fullModel()
        let text = try ModelFile(model).contents()
        let again = try read(text)
        #expect(again.issues.map(\.description) == [])
        #expect(again.model.differences(from: model) == [])
        #expect(try again.contents() == text)
    }

    @Test func orderOfMakingDoesNotChangeTheText() throws {
        func model(_ reversed: Bool) -> ManagedObjectModel {
            let attributes = ["a", "b"].map { AttributeDescription($0, .string) }
            let entities = ["A", "B"].map { EntityDescription($0) }
            for attribute in reversed ? attributes.reversed() : attributes {
                entities[0].add(attribute)
            }
            return ManagedObjectModel(reversed ? entities.reversed() : entities)
        }
        let text = try ModelFile(model(false)).contents()
        #expect(try ModelFile(model(true)).contents() == text)
    }

    @Test func unknownAttributesAndLayoutAreKept() throws {
        let file = try read(
            """
            <model type="t" futureSetting="9" userDefinedModelVersionIdentifier="">
                <entity name="A" syncable="YES" futureFlag="2">
                    <attribute name="x" attributeType="String" storedInTruthFile="YES"/>
                    <compoundIndexes><compoundIndex><index value="x"/></compoundIndex></compoundIndexes>
                </entity>
                <configuration name="C" usedWithCloudKit="YES"><memberEntity name="A"/></configuration>
                <elements><element name="A" positionX="-1" positionY="2" width="3" height="4"/></elements>
            </model>
            """
        )
        let text = try file.contents()
        for kept in [
            "futureSetting=\"9\"", "futureFlag=\"2\"", "storedInTruthFile=\"YES\"",
            "<index value=\"x\"/>", "usedWithCloudKit=\"YES\"",
            "<element name=\"A\" positionX=\"-1\" positionY=\"2\" width=\"3\" height=\"4\"/>",
        ] {
            #expect(text.contains(kept))
        }
    }

    @Test func mistakesAreReportedWithTheirLine() throws {
        let file = try read(
            """
            <model>
                <entity name="A">
                    <attribute name="n" attributeType="Integer 16" defaultValueString="many"/>
                    <attribute name="t" attributeType="Text"/>
                    <relationship name="r" destinationEntity="A" deletionRule="Explode"/>
                    <surprise/>
                </entity>
                <fetchRequest name="Broken" entity="A" predicateString="n ==="/>
            </model>
            """
        )
        func issue(_ line: Int) -> ModelIssue? {
            file.issues.first { $0.place.contains("contents:\(line):") }
        }
        #expect(issue(3)?.place.hasSuffix("A.n") == true)
        #expect(issue(3)?.message.contains("\"many\"") == true)
        #expect(issue(4)?.message.contains("\"Text\"") == true)
        #expect(issue(5)?.recovery.contains("Cascade") == true)
        #expect(issue(6)?.isError == false)
        #expect(issue(8)?.isError == true)
        #expect(file.issues.count == 5)
    }

    @Test func unreadablePredicateSelectsNothingAndIsWrittenBack() throws {
        let file = try read(
            "<model><entity name=\"A\"/>"
                + "<fetchRequest name=\"Broken\" entity=\"A\" predicateString=\"n ===\"/></model>"
        )
        #expect(file.model.fetchRequestTemplates["Broken"]?.predicate == .constant(false))
        #expect(try file.contents().contains("predicateString=\"n ===\""))
    }

    @Test(arguments: [
        ("<model><entity/></model>", ":1:"),
        ("<model>\n<entity name='A'>\n</model>", ":3:"),
        ("<plan/>", ":1:"),
        ("", "not well-formed XML"),
        ("bplist00", "binary form"),
    ])
    func damagedFileIsRefusedWithItsPlace(text: String, expected: String) {
        let error = #expect(throws: ObjectGraphError.self) { try read(text) }
        #expect(error?.code == .damagedFile)
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test func ruleThatTheFormatLacksIsRefused() throws {
        let attribute = AttributeDescription("a", .string)
        attribute.rules = [.predicate(.constant(true), message: "never")]
        let file = ModelFile(ManagedObjectModel([EntityDescription("A", [attribute])]))
        #expect(throws: ObjectGraphError.self) { try file.contents() }
    }
}
