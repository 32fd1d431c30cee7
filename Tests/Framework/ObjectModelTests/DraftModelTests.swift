import ObjectModel
import Testing

/// A model answers before it is used as it does afterwards.
@Suite struct DraftModelTests {
    private func model() -> ManagedObjectModel {
        ManagedObjectModel([
            EntityDescription("Item", isAbstract: true, [AttributeDescription("title", .string)]),
            EntityDescription(
                "Task",
                superentity: "Item",
                [
                    AttributeDescription("due", .date), AttributeDescription("also", .date),
                    RelationshipDescription("list", to: "List", inverse: "tasks"),
                ]
            ),
            EntityDescription(
                "List",
                [RelationshipDescription("tasks", to: "Task", inverse: "list", toMany: true)]
            ),
        ])
    }

    private func answers(_ model: ManagedObjectModel) throws -> [String] {
        let task = try #require(model.entity(named: "Task"))
        let item = try #require(model.entity(named: "Item"))
        let list = try #require(model.entity(named: "List"))
        return [
            "\(["title", "due", "list", "tasks"].map { task.property(named: $0)?.name ?? "-" })",
            "\(task.property(named: "title") === item.property(named: "title"))",
            "\(task.attributes.map(\.name)) \(task.relationships.map(\.name))",
            "\(item.attributes.map(\.name)) \(list.relationships.map(\.name))",
            "\(task.superentity?.name ?? "-") \(item.superentity?.name ?? "-")",
            "\(item.subentities.map(\.name)) \(task.subentities.count)",
            "\(task.lineage) \(task.isKind(of: item)) \(item.isKind(of: task))",
            "\(task.isKind(of: task)) \(task.isKind(of: list))",
            "\(task.relationships[0].destination === list)",
            "\(task.relationships[0].inverse === list.relationships[0])",
        ]
    }

    @Test func draftAnswersAsAModelInUse() throws {
        let model = model()
        let draft = try answers(model)
        try model.freeze()
        #expect(try answers(model) == draft)
        #expect(draft[0].contains("title") && draft[6].contains("true false"))
    }

    @Test func entityWithoutAModelFindsItsOwnProperties() {
        let entity = EntityDescription("A", superentity: "B", [AttributeDescription("x", .string)])
        #expect(entity.property(named: "x") === entity.ownProperties[0])
        #expect(entity.property(named: "y") == nil && entity.superentity == nil)
        #expect(entity.lineage == ["A"] && entity.isKind(of: entity))
    }

    @Test func circleOfParentsEnds() {
        let model = ManagedObjectModel([
            EntityDescription("A", superentity: "B", [AttributeDescription("a", .string)]),
            EntityDescription("B", superentity: "A", [AttributeDescription("b", .string)]),
        ])
        let entity = model.entities[0]
        #expect(entity.lineage == ["A", "B"] && entity.property(named: "b")?.name == "b")
        #expect(entity.property(named: "c") == nil)
    }
}
