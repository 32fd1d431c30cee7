import Foundation
import ObjectModel
import Testing

/// The issues that the check of a model finds, with their places and what to do.
@Suite struct ModelCheckTests {
    struct Mistake: CustomTestStringConvertible, Sendable {
        let name: String
        let place: String
        let isError: Bool
        /// Texts that the message and the recovery must contain.
        let says: [String]
        let model: @Sendable () -> ManagedObjectModel

        var testDescription: String { name }
    }

    private static func model(_ properties: PropertyDescription...) -> ManagedObjectModel {
        ManagedObjectModel([
            EntityDescription("Task", properties),
            EntityDescription("List", [AttributeDescription("name", .string)]),
        ])
    }

    private static func attribute(
        _ type: AttributeType,
        _ change: (AttributeDescription) -> Void
    ) -> AttributeDescription {
        let attribute = AttributeDescription("size", type)
        change(attribute)
        return attribute
    }

    static let mistakes: [Mistake] = [
        Mistake(
            name: "a relationship without an inverse",
            place: "Task.list",
            isError: false,
            says: ["no inverse", "Add one in List."]
        ) { model(RelationshipDescription("list", to: "List")) },
        Mistake(
            name: "an unknown destination",
            place: "Task.list",
            isError: true,
            says: ["\"Lists\" does not exist", "Name an entity of this model."]
        ) { model(RelationshipDescription("list", to: "Lists")) },
        Mistake(
            name: "an unknown inverse",
            place: "Task.list",
            isError: true,
            says: ["List.tasks is not a relationship", "Name a relationship of List."]
        ) { model(RelationshipDescription("list", to: "List", inverse: "tasks")) },
        Mistake(
            name: "an inverse that is an attribute",
            place: "Task.list",
            isError: true,
            says: ["List.name is not a relationship"]
        ) { model(RelationshipDescription("list", to: "List", inverse: "name")) },
        Mistake(
            name: "an inverse that has another inverse",
            place: "Task.first",
            isError: false,
            says: ["Task.second has no inverse", "Make each the inverse of the other."]
        ) {
            model(
                RelationshipDescription("first", to: "Task", inverse: "second"),
                RelationshipDescription("second", to: "Task")
            )
        },
        Mistake(
            name: "more objects at least than at most",
            place: "Task.parts",
            isError: false,
            says: ["At least 3 and at most 2", "Change one of the counts."]
        ) {
            let parts = RelationshipDescription("parts", to: "Task", inverse: "parts", toMany: true)
            (parts.minCount, parts.maxCount) = (3, 2)
            return model(parts)
        },
        Mistake(
            name: "an attribute without a type",
            place: "Task.size",
            isError: true,
            says: ["has no type", "Give it one, or make it transient."]
        ) { model(AttributeDescription("size", .undefined)) },
        Mistake(
            name: "a default of another type",
            place: "Task.size",
            isError: true,
            says: ["The default is a", "the type Integer 16", "Change one of them."]
        ) { model(attribute(.integer16) { $0.defaultValue = "many" }) },
        Mistake(
            name: "a default that does not fit its type",
            place: "Task.size",
            isError: true,
            says: ["The default", "Integer 16"]
        ) { model(attribute(.integer16) { $0.defaultValue = 40_000 }) },
        Mistake(
            name: "a derivation that is none",
            place: "Task.size",
            isError: false,
            says: ["\"a b +\" is none of the known forms", "Use a key path"]
        ) { model(attribute(.integer64) { $0.derivation = "a b +" }) },
        Mistake(
            name: "two properties of one name",
            place: "Task.size",
            isError: true,
            says: ["The name is used twice", "Rename one."]
        ) { model(AttributeDescription("size", .string), AttributeDescription("size", .date)) },
        Mistake(
            name: "a property named as an inherited one",
            place: "Child.name",
            isError: true,
            says: ["The name is used twice, perhaps also by a parent"]
        ) {
            let model = Self.model()
            model.add(
                EntityDescription(
                    "Child",
                    superentity: "List",
                    [AttributeDescription("name", .string)]
                )
            )
            return model
        },
        Mistake(
            name: "two entities of one name",
            place: "List",
            isError: true,
            says: ["2 entities have this name", "Rename all but one."]
        ) {
            let model = Self.model()
            model.add(EntityDescription("List"))
            return model
        },
        Mistake(
            name: "an unknown parent",
            place: "Child",
            isError: true,
            says: ["Its parent \"Nobody\" does not exist", "or none"]
        ) {
            let model = Self.model()
            model.add(EntityDescription("Child", superentity: "Nobody"))
            return model
        },
        Mistake(
            name: "an entity that is its own ancestor",
            place: "Egg",
            isError: true,
            says: ["It is its own ancestor", "Break the circle."]
        ) {
            let model = Self.model()
            model.add(EntityDescription("Egg", superentity: "Hen"))
            model.add(EntityDescription("Hen", superentity: "Egg"))
            return model
        },
        Mistake(
            name: "a configuration of an unknown entity",
            place: "configuration Main",
            isError: true,
            says: ["unknown entity \"Nobody\"", "Remove it or add the entity."]
        ) {
            let model = Self.model()
            model.configurations["Main"] = ["List", "Nobody"]
            return model
        },
        Mistake(
            name: "a fetch request for an unknown entity",
            place: "fetch request All",
            isError: true,
            says: ["unknown entity \"Nobody\"", "Name an entity of this model."]
        ) {
            let model = Self.model()
            model.fetchRequestTemplates["All"] = FetchDescription(entityName: "Nobody")
            return model
        },
        Mistake(
            name: "a fetched property of an unknown entity",
            place: "Task.recent",
            isError: true,
            says: ["unknown entity \"Nobody\""]
        ) { model(FetchedPropertyDescription("recent", FetchDescription(entityName: "Nobody"))) },
        Mistake(
            name: "a constraint on an unknown attribute",
            place: "List, uniqueness constraint",
            isError: false,
            says: ["\"nme\", which the entity does not have", "Name attributes of List"]
        ) {
            let model = Self.model()
            model.entity(named: "List")?.uniquenessConstraints = [["name", "nme"]]
            return model
        },
        Mistake(
            name: "an index on an unknown property",
            place: "List, index byName",
            isError: false,
            says: ["\"nme\", which the entity does not have"]
        ) {
            let model = Self.model()
            model.entity(named: "List")?.indexes = [FetchIndexDescription("byName", [.init("nme")])]
            return model
        },
    ]

    @Test(arguments: mistakes)
    func mistakeIsFoundWithItsPlaceAndMend(_ mistake: Mistake) throws {
        let issues = mistake.model().check()
        let found = try #require(
            issues.first { $0.place == mistake.place && $0.description.contains(mistake.says[0]) },
            "\(issues)"
        )
        #expect(found.isError == mistake.isError)
        for part in mistake.says { #expect(found.description.contains(part), "\(found)") }
        #expect(!found.message.isEmpty && !found.recovery.isEmpty)
        // A model with a contradiction cannot be used, and says why; a risk is only told.
        if mistake.isError {
            let error = #expect(throws: ObjectGraphError.self) { try mistake.model().freeze() }
            #expect(error?.code == .invalidModel)
        } else {
            try mistake.model().freeze()
        }
    }

    @Test func modelWithoutMistakesHasNoIssues() {
        let model = ManagedObjectModel([
            EntityDescription(
                "Task",
                [
                    AttributeDescription("size", .integer16, default: 3),
                    RelationshipDescription("list", to: "List", inverse: "tasks"),
                ]
            ),
            EntityDescription(
                "List",
                [RelationshipDescription("tasks", to: "Task", inverse: "list", toMany: true)]
            ),
        ])
        #expect(model.check().isEmpty)
    }
}
