import ObjectModel

/// A plain class that answers by a key table.
class Person: KeyTableCoding, Hashable {
    var name: String
    var age: Int?
    var points = 0
    var boss: Person?
    var children: [Person] = []
    var info: [String: String] = [:]

    init(_ name: String, age: Int? = nil) {
        self.name = name
        self.age = age
    }

    static let table = KeyTable<Person> {
        $0.key("name", \.name)
        $0.key("age", \.age)
        $0.key("points", \.points)
        $0.key("info", \.info)
        $0.key("nameLength", get: { $0.name.count })
        $0.toOne("boss", \.boss)
        $0.toMany("children", \.children)
    }

    class var keyTable: AnyKeyTable { table }

    static func == (left: Person, right: Person) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A subclass with a key more.
final class Soldier: Person {
    var rank = 1

    static let soldierTable = KeyTable<Soldier>(extending: Person.table) {
        $0.key("rank", \.rank)
    }

    override class var keyTable: AnyKeyTable { soldierTable }
}

/// A class with handlers of its own for what goes wrong.
final class Robot: KeyTableCoding {
    var points = 1
    var unknown: [String: GraphValue] = [:]

    static let keyTable: AnyKeyTable = KeyTable<Robot> { $0.key("points", \.points) }

    func value(forUndefinedKey key: String) throws -> GraphValue { unknown[key] ?? "none" }

    func setValue(_ value: GraphValue, forUndefinedKey key: String) throws { unknown[key] = value }

    func setNilValue(forKey key: String) throws { try setValue(0, forKey: key) }
}
