import Foundation
import ObjectGraph
import ObjectModel
import Testing

/// What can be inferred from two models, and what cannot.
@Suite struct InferenceTests {
    private func model(_ properties: PropertyDescription...) -> ManagedObjectModel {
        let other = EntityDescription("Other", [AttributeDescription("name", .string)])
        return ManagedObjectModel([EntityDescription("Thing", properties), other])
    }

    private func many(ordered: Bool = false) -> RelationshipDescription {
        RelationshipDescription("others", to: "Other", toMany: true, ordered: ordered)
    }

    private func one() -> RelationshipDescription { RelationshipDescription("others", to: "Other") }

    private func failure(
        _ old: ManagedObjectModel,
        _ new: ManagedObjectModel
    ) throws -> ObjectGraphError? {
        do {
            _ = try MappingModel.inferred(from: old, to: new)
            return nil
        } catch let error as ObjectGraphError {
            return error
        }
    }

    @Test func possibleChangesAreInferred() throws {
        let a = { AttributeDescription("a", .string) }
        let required = {
            AttributeDescription("a", .string, optional: false, default: .string("x"))
        }
        for (old, new) in [
            (model(), model(a())), (model(a()), model()), (model(required()), model(a())),
            (model(a()), model(required())), (model(), model(required())),
            (model(one()), model(many())), (model(many()), model(many(ordered: true))),
            (model(many(ordered: true)), model(many())), (model(one()), model(many(ordered: true))),
        ] {
            #expect(try failure(old, new) == nil)
        }
    }

    @Test func impossibleChangesNameTheirPlace() throws {
        let text = { AttributeDescription("a", .string) }
        let number = { AttributeDescription("a", .integer64) }
        let required = { AttributeDescription("a", .string, optional: false) }
        for (old, new) in [
            (model(text()), model(number())), (model(many()), model(one())),
            (model(), model(required())), (model(text()), model(required())),
            (model(text()), model(RelationshipDescription("a", to: "Other"))),
        ] {
            let error = try #require(try failure(old, new))
            #expect(error.code == .inferredMapping && error.code.rawValue == 134190)
            #expect(error.message.contains("Thing."), "\(error)")
            #expect(error.key != nil && !error.recovery.isEmpty)
        }
    }

    @Test func integersDoNotChangeTheirSize() throws {
        let small = model(AttributeDescription("a", .integer16))
        let error = try failure(small, model(AttributeDescription("a", .integer64)))
        #expect(error?.message.contains("Integer 16") == true)
    }

    @Test func renamingIdentifierIsACanonicalName() throws {
        func version(_ name: String, _ identifier: String?) -> ManagedObjectModel {
            let attribute = AttributeDescription(name, .string)
            attribute.renamingIdentifier = identifier
            return model(attribute)
        }
        let versions = [
            { version("color", nil) }, { version("paintColor", "color") },
            { version("primaryColor", "color") },
        ]
        for (from, to) in [(0, 1), (1, 2), (0, 2)] {
            let (old, new) = (versions[from](), versions[to]())
            let mapping = try MappingModel.inferred(from: old, to: new)
            let property = try #require(mapping["ThingToThing"]?.attributeMappings.first)
            let names = ["color", "paintColor", "primaryColor"]
            #expect(property.name == names[to])
            #expect(property.valueExpression == .keyPathOf(.variable("source"), names[from]))
        }
    }

    @Test func hierarchiesDoNotMerge() throws {
        func animals(_ parent: String?) -> ManagedObjectModel {
            var entities = ["Cat", "Dog"].map {
                EntityDescription(
                    $0,
                    superentity: parent,
                    [AttributeDescription($0 + "Name", .string)]
                )
            }
            if let parent { entities.append(EntityDescription(parent, isAbstract: true)) }
            return ManagedObjectModel(entities)
        }
        let error = try failure(animals(nil), animals("Animal"))
        #expect(error?.code == .inferredMapping)
        #expect(error?.message.contains("Cat") == true && error?.message.contains("Dog") == true)
        // Out of a hierarchy, and back under another parent of their own, is possible.
        #expect(try failure(animals("Animal"), animals(nil)) == nil)
        #expect(try failure(animals("Animal"), animals("Pet")) == nil)
    }

    @Test func kindsOfMappingsSayWhatHappens() throws {
        func version(_ names: [String], _ changes: Bool) -> ManagedObjectModel {
            ManagedObjectModel(
                names.map { name in
                    let entity = EntityDescription(name, [AttributeDescription("a", .string)])
                    if changes, name == "Changed" { entity.add(AttributeDescription("b", .string)) }
                    return entity
                }
            )
        }
        let mapping = try MappingModel.inferred(
            from: version(["Same", "Changed", "Gone"], false),
            to: version(["Same", "Changed", "New"], true)
        )
        let kinds = Dictionary(
            uniqueKeysWithValues: mapping.entityMappings.map { ($0.name, $0.kind) }
        )
        #expect(
            kinds == [
                "SameToSame": .copy, "ChangedToChanged": .transform, "RemoveGone": .remove,
                "AddNew": .add,
            ]
        )
    }

    @Test func twoPropertiesThatStandForOneAreRefused() throws {
        let copy = AttributeDescription("b", .string)
        copy.renamingIdentifier = "a"
        let error = try failure(
            model(AttributeDescription("a", .string)),
            model(AttributeDescription("a", .string), copy)
        )
        #expect(error?.message.contains("Thing.b") == true)
    }
}
