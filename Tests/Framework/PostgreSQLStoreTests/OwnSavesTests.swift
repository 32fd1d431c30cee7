import Foundation
import ObjectContext
import ObjectModel
import PostgreSQLAtHand
import PostgreSQLStore
import SeededRandom
import Testing

/// What a store knows of its own saves is what the database has.
@Suite(.enabled(if: PostgreSQLAtHand.isThere))
struct OwnSavesTests {
    private static func model() -> ManagedObjectModel {
        let item = EntityDescription(
            "Item",
            [
                RelationshipDescription("parent", to: "Item", inverse: "children"),
                RelationshipDescription("children", to: "Item", inverse: "parent", toMany: true),
                RelationshipDescription("tags", to: "Tag", inverse: "items", toMany: true),
                RelationshipDescription("friends", to: "Item", inverse: "friends", toMany: true),
                RelationshipDescription(
                    "after",
                    to: "Item",
                    inverse: "before",
                    toMany: true,
                    ordered: true
                ),
                RelationshipDescription("before", to: "Item", inverse: "after", toMany: true),
            ]
        )
        let tag = EntityDescription(
            "Tag",
            [RelationshipDescription("items", to: "Item", inverse: "tags", toMany: true)]
        )
        return ManagedObjectModel([item, tag])
    }

    @Test(arguments: SeededRandom.seeds(3))
    func membersAreKnownAsTheyAre(_ seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let bench = try ServerBench()
        let (context, store, follower) = try bench.following(Self.model())
        let (_, theirs) = try bench.context(model: Self.model())
        for step in 0..<SeededRandom.rounds(25, long: 400) {
            for _ in 0...random.below(4) { try changeAnything(in: context, &random) }
            try context.save(as: "\(step)")
            _ = try follower.catchUp()
            for entity in context.model.entities {
                let owners = try context.found(entity.name).map(\.objectID)
                for relationship in entity.relationships where relationship.isToMany {
                    let known = try store.destinations(of: relationship, owners: owners)
                    let real = try theirs.destinations(of: relationship, owners: owners)
                    let isSame =
                        relationship.isOrdered
                        ? known == real : known.map(Set.init) == real.map(Set.init)
                    #expect(isSame, "\(step): \(entity.name).\(relationship.name)")
                }
            }
        }
    }

    private func changeAnything(
        in context: ManagedObjectContext,
        _ random: inout SeededRandom
    ) throws {
        let items = try context.found("Item")
        let tags = try context.found("Tag")
        let item =
            try random.chance(3) ? context.add("Item") : random.draw(items) ?? context.add("Item")
        if item.isDeleted { return }
        func members(_ key: String) throws -> [GraphValue] {
            try item.value(forKey: key).elements ?? []
        }
        func toggle(_ key: String, _ object: ManagedObject?) throws {
            guard let object, !object.isDeleted else { return }
            var list = try members(key)
            if list.contains(.object(object)) {
                list.removeAll { $0 == .object(object) }
            } else {
                list.insert(.object(object), at: random.below(list.count + 1))
            }
            try item.setValue(.array(list), forKey: key)
        }
        switch random.below(8) {
        case 0, 1: try toggle("tags", random.chance(3) ? context.add("Tag") : random.draw(tags))
        case 2: try toggle("friends", random.draw(items))
        case 3, 4: try toggle("after", random.draw(items))
        case 5: try item.setValue(.array(members("after").reversed()), forKey: "after")
        case 6:
            let parent = random.draw(items).flatMap { $0.isDeleted ? nil : $0 }
            try item.setValue(parent.map { .object($0) } ?? .null, forKey: "parent")
        default: context.delete(random.chance(2) ? item : random.draw(tags) ?? item)
        }
    }
}
