import Foundation
import ObjectModel
import Testing

/// Version hashes change with what is stored, and with nothing else.
@Suite struct VersionHashTests {
    private func hashes(_ change: (ManagedObjectModel) -> Void = { _ in }) -> [String: Data] {
        TestModel.make(change).entityVersionHashes()
    }

    @Test func equalDeclarationsInAnyOrderHashAlike() {
        func entity(_ properties: [PropertyDescription]) -> Data {
            EntityDescription("A", properties).versionHash
        }
        let one = entity([AttributeDescription("x", .string), AttributeDescription("y", .date)])
        let other = entity([AttributeDescription("y", .date), AttributeDescription("x", .string)])
        #expect(one == other)
        #expect(one.count == 32)
        #expect(hashes() == hashes())
        #expect(Set(hashes().values).count == 7)
    }

    @Test func whatIsStoredChangesTheHashOfItsEntityAlone() {
        let before = hashes()
        let changes: [(String, (ManagedObjectModel) -> Void)] = [
            ("Task", { $0.entity(named: "Task")?.add(AttributeDescription("new", .string)) }),
            ("Task", { $0.entity(named: "Task")?.property(own: "size")?.isOptional = false }),
            ("Item", { $0.entity(named: "Item")?.isAbstract = false }),
            ("Item", { $0.entity(named: "Item")?.versionHashModifier = "2" }),
            (
                "Note",
                { model in
                    let body = model.entity(named: "Note")?.property(own: "body")
                    (body as? AttributeDescription)?.type = .binary
                }
            ),
            (
                "List",
                { model in
                    let items = model.entity(named: "List")?.property(own: "items")
                    (items as? RelationshipDescription)?.isOrdered = true
                }
            ),
        ]
        for (name, change) in changes {
            let after = hashes(change)
            let different = before.keys.filter { before[$0] != after[$0] }
            #expect(different == [name])
        }
    }

    @Test func whatIsNotStoredChangesNothing() {
        let after = hashes { model in
            let item = model.entity(named: "Item")
            item?.className = "Other"
            item?.userInfo = ["a": "b"]
            item?.indexes = []
            (item?.property(own: "title") as? AttributeDescription)?.defaultValue = "x"
            (item?.property(own: "title") as? AttributeDescription)?.rules = [.minimumLength(3)]
            let passing = AttributeDescription("other", .string)
            passing.isTransient = true
            item?.add(passing)
        }
        #expect(after == hashes())
    }

    @Test func entitiesThatDoNotFitAreNamed() {
        let model = TestModel.make()
        var hashes = model.entityVersionHashes()
        #expect(model.entitiesIncompatible(with: hashes).isEmpty)
        hashes["Tag"] = Data(count: 32)
        hashes["Gone"] = Data(count: 32)
        hashes["Task"] = nil
        #expect(model.entitiesIncompatible(with: hashes) == ["Gone", "Tag", "Task"])
    }
}
