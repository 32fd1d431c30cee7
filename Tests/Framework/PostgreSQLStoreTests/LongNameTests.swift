import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import Testing

/// PostgreSQL cuts names after 63 bytes.
@Suite(.enabled(if: PostgreSQLAtHand.isThere))
struct LongNameTests {
    private static let long = String(repeating: "veryLongName", count: 8)

    private static func model() -> ManagedObjectModel {
        let entities = ["A", "B"].map { letter in
            let attributes = ["1", "2", "Ü"].map { AttributeDescription(long + $0, .string) }
            for attribute in attributes { attribute.isSearched = true }
            return EntityDescription(
                long + letter,
                attributes + [
                    RelationshipDescription(
                        long + "others",
                        to: long + (letter == "A" ? "B" : "A"),
                        inverse: long + "others",
                        toMany: true
                    )
                ]
            )
        }
        return ManagedObjectModel(entities)
    }

    @Test func namesThatDifferOnlyAtTheirEndStayApart() throws {
        let bench = try ServerBench()
        func context() throws -> ManagedObjectContext {
            let coordinator = try PersistentStoreCoordinator(model: Self.model())
            coordinator.add(try PostgreSQLStore(url: bench.url, model: coordinator.model))
            return ManagedObjectContext(coordinator: coordinator)
        }
        let one = try context()
        let first = try one.add(Self.long + "A", [Self.long + "1": "one", Self.long + "2": "two"])
        let second = try one.add(Self.long + "B", [Self.long + "Ü": "Drei"])
        try first.setValue(.set([.object(second)]), forKey: Self.long + "others")
        try one.save()
        let two = try context()
        let found = try #require(try two.found(Self.long + "A").first)
        #expect(try found.value(forKey: Self.long + "1") == "one")
        #expect(try found.value(forKey: Self.long + "2") == "two")
        let other = try two.search("DREI", entityName: Self.long + "B")
        #expect(other.count == 1)
        let members = try found.value(forKey: Self.long + "others").elements ?? []
        #expect(members.count == 1)
        #expect(try two.search("drei", entityName: Self.long + "A").isEmpty)
    }
}
