import ObjectModel

/// A small shop of tasks: a hierarchy, every kind of relationship, every type of attribute.
enum TestModel {
    static func make(
        _ change: (ManagedObjectModel) -> Void = { _ in }
    ) -> ManagedObjectModel {
        let item = EntityDescription(
            "Item",
            isAbstract: true,
            [
                AttributeDescription("title", .string, default: ""),
                AttributeDescription("notes", .string),
                AttributeDescription("rank", .integer64),
                AttributeDescription("created", .date),
                RelationshipDescription("list", to: "List", inverse: "items"),
                RelationshipDescription("tags", to: "Tag", inverse: "items", toMany: true),
                RelationshipDescription("links", to: "Item", inverse: "backlinks", toMany: true),
                RelationshipDescription("backlinks", to: "Item", inverse: "links", toMany: true),
            ]
        )
        for name in ["title", "notes"] { item.property(own: name)?.isSearched = true }
        item.indexes = [FetchIndexDescription("byRank", [.init("rank")])]
        let task = EntityDescription(
            "Task",
            superentity: "Item",
            [
                AttributeDescription("done", .boolean, default: .bool(false)),
                AttributeDescription("size", .integer16),
                RelationshipDescription("parent", to: "Task", inverse: "steps"),
                RelationshipDescription(
                    "steps",
                    to: "Task",
                    inverse: "parent",
                    toMany: true,
                    ordered: true
                ),
            ]
        )
        let note = EntityDescription(
            "Note",
            superentity: "Item",
            [
                AttributeDescription("body", .string),
                AttributeDescription("size", .double),
            ]
        )
        note.property(own: "body")?.isSearched = true
        let list = EntityDescription(
            "List",
            [
                AttributeDescription("name", .string),
                RelationshipDescription(
                    "items",
                    to: "Item",
                    inverse: "list",
                    toMany: true,
                    deleteRule: .cascade
                ),
                RelationshipDescription("pinned", to: "Item", toMany: true, ordered: true),
                RelationshipDescription("cover", to: "Item"),
            ]
        )
        list.property(own: "name")?.isSearched = true
        let tag = EntityDescription(
            "Tag",
            [
                AttributeDescription("name", .string),
                RelationshipDescription("items", to: "Item", inverse: "tags", toMany: true),
                RelationshipDescription("friends", to: "Tag", inverse: "friends", toMany: true),
                RelationshipDescription(
                    "shelves",
                    to: "Shelf",
                    inverse: "tags",
                    toMany: true
                ),
            ]
        )
        tag.property(own: "name")?.isSearched = true
        tag.uniquenessConstraints = [["name"]]
        let shelf = EntityDescription(
            "Shelf",
            [
                RelationshipDescription(
                    "tags",
                    to: "Tag",
                    inverse: "shelves",
                    toMany: true,
                    ordered: true
                )
            ]
        )
        let model = ManagedObjectModel([item, task, note, list, tag, shelf, values])
        change(model)
        return model
    }

    /// An entity with an attribute of every type.
    private static var values: EntityDescription {
        EntityDescription(
            "Values",
            [
                AttributeDescription("short", .integer16),
                AttributeDescription("medium", .integer32),
                AttributeDescription("long", .integer64),
                AttributeDescription("decimal", .decimal),
                AttributeDescription("double", .double),
                AttributeDescription("float", .float),
                AttributeDescription("string", .string),
                AttributeDescription("flag", .boolean),
                AttributeDescription("date", .date),
                AttributeDescription("data", .binary),
                AttributeDescription("uuid", .uuid),
                AttributeDescription("uri", .uri),
                AttributeDescription("object", .transformable),
                transient,
            ]
        )
    }

    private static var transient: AttributeDescription {
        let attribute = AttributeDescription("passing", .string)
        attribute.isTransient = true
        return attribute
    }
}

extension EntityDescription {
    func property(own name: String) -> PropertyDescription? {
        ownProperties.first { $0.name == name }
    }
}
