import ObjectModel
import Testing

@Suite struct FilteringTests {
    private let adults: FetchPredicate

    init() throws { adults = try FetchPredicate(format: "age >= $limit") }

    private let people = [
        Person("a", age: 3), Person("b", age: 30), Person("c"), Person("d", age: 18),
    ]

    @Test func arraysKeepTheirOrder() throws {
        let found = try people.filtered(using: adults, bindings: ["limit": 18])
        #expect(found.map(\.name) == ["b", "d"])
        let existentials: [any KeyValueCoding] = people
        #expect(try existentials.filtered(using: adults, bindings: ["limit": 18]).count == 2)
        #expect(try [1, 5, 9].filtered(using: FetchPredicate(format: "SELF > 4")) == [5, 9])
    }

    @Test func setsAndDictionariesAreFiltered() throws {
        let found = try Set(people).filtered(using: adults, bindings: ["limit": 18])
        #expect(found == [people[1], people[3]])
        let entries = ["x": people[0], "y": people[1]]
        #expect(try entries.filtered(using: adults, bindings: ["limit": 18]).keys.sorted() == ["y"])
    }

    @Test func collectionsAreFilteredInPlaceAndKeptOnFailure() throws {
        var array = people
        try array.filter(using: adults, bindings: ["limit": 18])
        #expect(array.map(\.name) == ["b", "d"])
        var set = Set(people)
        try set.filter(using: adults, bindings: ["limit": 18])
        #expect(set.count == 2)
        var dictionary = ["x": people[0], "y": people[1]]
        try dictionary.filter(using: adults, bindings: ["limit": 18])
        #expect(dictionary.count == 1)
        #expect(throws: ObjectGraphError.self) { try array.filter(using: adults) }
        #expect(array.count == 2)
    }

    @Test func objectsAreFoundByIdentityEntityAndMembership() throws {
        let fixture = EntityFixture()
        let manager = fixture.objects[3]
        let isManager = try FetchPredicate(format: "SELF == %@", manager)
        #expect(try fixture.objects.filtered(using: isManager) == [manager])
        let isOne = try FetchPredicate(
            format: "SELF IN %@",
            GraphValue.array([.object(manager), .object(fixture.objects[0])])
        )
        #expect(try fixture.objects.filtered(using: isOne) == [fixture.objects[0], manager])
        let byEntity = try FetchPredicate(format: "entity.name == 'Manager'")
        #expect(try fixture.objects.filtered(using: byEntity) == [manager])
        let notEntity = try FetchPredicate(format: "entity != 'Department' AND entity != nil")
        #expect(try fixture.objects.filtered(using: notEntity).count == 3)
    }

    @Test func objectAndItsIDAreTheSame() throws {
        let id = ManagedObjectID(space: 0, entity: 1, key: 5)
        let object = IdentifiedObject(id)
        for format in ["SELF == %@", "objectID == %@", "SELF IN {%@}", "self.objectID IN {%@}"] {
            for argument in [GraphValue.objectID(id), .object(object)] {
                let predicate = try FetchPredicate(format: format, argumentArray: [argument])
                #expect(try predicate.evaluate(with: object), "\(format)")
                #expect(
                    try !predicate.evaluate(
                        with: IdentifiedObject(.init(space: 0, entity: 1, key: 6))
                    )
                )
            }
        }
    }
}

private final class IdentifiedObject: KeyValueCoding {
    let managedObjectID: ManagedObjectID?

    init(_ id: ManagedObjectID) { managedObjectID = id }

    func value(forKey key: String) throws -> GraphValue { try value(forUndefinedKey: key) }

    func setValue(_ value: GraphValue, forKey key: String) throws {
        try setValue(value, forUndefinedKey: key)
    }
}
