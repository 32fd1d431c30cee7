import ObjectModel
import ObjectModelFile
import Testing

@Suite struct ModelOutlineTests {
    @Test func outlineShowsHierarchyAndRelationships() {
        let pet = EntityDescription(
            "Pet",
            isAbstract: true,
            [AttributeDescription("name", .string)]
        )
        let owner = RelationshipDescription("owner", to: "Person", inverse: "dogs")
        let dog = EntityDescription("Dog", className: "Dog", superentity: "Pet", [owner])
        let dogs = RelationshipDescription(
            "dogs",
            to: "Dog",
            inverse: "owner",
            toMany: true,
            deleteRule: .cascade
        )
        let person = EntityDescription("Person", className: "Person", [dogs])
        let model = ManagedObjectModel([dog, person, pet])
        let expected = """
            Person
              dogs  →→ Dog  inverse owner, on delete: cascade

            Pet (abstract, class ManagedObject)
              name  String

                Dog (parent Pet)
                  owner  → Person  inverse dogs, on delete: nullify
            """
        #expect(ModelOutline(model).text == expected)
    }

    @Test func circleOfParentsIsDrawnOnce() {
        let model = ManagedObjectModel([
            EntityDescription("A", superentity: "B"), EntityDescription("B", superentity: "A"),
        ])
        #expect(ModelOutline(model).text.split(separator: "\n").count == 2)
    }
}
