import ObjectModel

/// The fixture "freecoredata-entities": objects of an entity hierarchy, as plain classes.
class FixtureObject: KeyValueCoding, Hashable {
    let entities: [String]
    var properties: [String: GraphValue]

    init(_ entities: [String], _ properties: [String: GraphValue]) {
        self.entities = entities
        self.properties = properties
    }

    var entityNames: [String] { entities }

    func value(forKey key: String) throws -> GraphValue {
        if let value = properties[key] { return value }
        return try value(forUndefinedKey: key)
    }

    func setValue(_ value: GraphValue, forKey key: String) throws {
        properties[key] = value
    }

    static func == (left: FixtureObject, right: FixtureObject) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Employee(name, department→) > Manager(budget) > Executive(bonus);
/// Department(title, staff→→Employee, head→Employee).
struct EntityFixture {
    static let name = "freecoredata-entities"

    let objects: [FixtureObject]

    init() {
        func department(_ title: String) -> FixtureObject {
            FixtureObject(["Department"], ["title": .string(title), "head": .null])
        }
        func employee(
            _ entities: [String],
            _ name: String,
            _ budget: Int64?,
            _ department: FixtureObject
        ) -> FixtureObject {
            // As in a store, every row has the columns of the whole hierarchy.
            FixtureObject(
                entities,
                [
                    "name": .string(name), "department": .object(department),
                    "budget": budget.map { .int($0) } ?? .null, "bonus": .null,
                ]
            )
        }
        let first = department("D")
        let second = department("D2")
        let plain = employee(["Employee"], "e", nil, first)
        let manager = employee(["Manager", "Employee"], "m", 10, first)
        let executive = employee(["Executive", "Manager", "Employee"], "x", 20, second)
        first.properties["head"] = .object(manager)
        second.properties["head"] = .object(plain)
        first.properties["staff"] = .set([.object(plain), .object(manager)])
        second.properties["staff"] = .set([.object(executive)])
        objects = [first, second, plain, manager, executive]
    }

    /// The names or titles of the objects of an entity that the predicate selects.
    func names(of entity: String, where predicate: FetchPredicate) throws -> Set<String> {
        let compiled = CompiledPredicate(predicate)
        var names: Set<String> = []
        for object in objects where object.entities.contains(entity) {
            guard try compiled.evaluate(with: .object(object)) else { continue }
            if case .string(let name) = object.properties["name"] ?? object.properties["title"] {
                names.insert(name)
            }
        }
        return names
    }
}
