import ObjectContext
import ObjectModel

/// People with unique addresses, and every kind of relationship around them.
enum ConstraintGraph {
    static func model() -> ManagedObjectModel {
        ManagedObjectModel([person, worker, team, pet, club, note])
    }

    private static var person: EntityDescription {
        let person = EntityDescription(
            "Person",
            [
                AttributeDescription("email", .string),
                AttributeDescription("first", .string),
                AttributeDescription("last", .string),
                AttributeDescription("age", .integer16, default: 7),
                AttributeDescription("nick", .string),
                RelationshipDescription("team", to: "Team", inverse: "people"),
                RelationshipDescription(
                    "pets",
                    to: "Pet",
                    inverse: "owner",
                    toMany: true,
                    deleteRule: .cascade
                ),
                RelationshipDescription("clubs", to: "Club", inverse: "members", toMany: true),
                RelationshipDescription(
                    "notes",
                    to: "Note",
                    inverse: "person",
                    toMany: true,
                    ordered: true
                ),
                RelationshipDescription("spouse", to: "Person", inverse: "spouse"),
                RelationshipDescription("mentor", to: "Person"),
            ]
        )
        person.uniquenessConstraints = [["email"], ["first", "last"]]
        return person
    }

    private static var worker: EntityDescription {
        EntityDescription("Worker", superentity: "Person", [AttributeDescription("wage", .double)])
    }

    private static var team: EntityDescription {
        EntityDescription(
            "Team",
            [
                AttributeDescription("name", .string),
                RelationshipDescription("people", to: "Person", inverse: "team", toMany: true),
                RelationshipDescription("guests", to: "Person", toMany: true),
            ]
        )
    }

    private static var pet: EntityDescription {
        EntityDescription(
            "Pet",
            [
                AttributeDescription("name", .string),
                RelationshipDescription("owner", to: "Person", inverse: "pets", optional: false),
            ]
        )
    }

    private static var club: EntityDescription {
        EntityDescription(
            "Club",
            [
                AttributeDescription("name", .string),
                RelationshipDescription("members", to: "Person", inverse: "clubs", toMany: true),
            ]
        )
    }

    private static var note: EntityDescription {
        EntityDescription(
            "Note",
            [
                AttributeDescription("text", .string),
                RelationshipDescription("person", to: "Person", inverse: "notes"),
            ]
        )
    }
}
