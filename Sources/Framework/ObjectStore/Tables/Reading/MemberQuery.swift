import ObjectModel

/// The query for the members of a to-many relationship: owner, key and entity number of each.
package struct MemberQuery {
    private let from: String
    private let owner: String
    private let columns: String
    private let order: String

    package init(_ storage: ToManyStorage, _ destination: EntitySchema, _ dialect: SQLDialect) {
        let table = quoted(destination.table.name)
        switch storage {
        case .memberKey(let column, let place, _):
            owner = "m.\(quoted(column))"
            from = "\(table) m"
            // Where a table holds one entity, the index of the column answers without the rows.
            let entity = destination.entity
            let isAlone = entity.superentity == nil && entity.lastNumber == entity.number
            columns = "\(owner), m.Z_PK, \(isAlone ? "\(destination.number)" : "m.Z_ENT")"
            let places = place.map { "m.\(quoted($0)) IS NULL, m.\(quoted($0)), " } ?? ""
            order = "\(owner), \(places)m.Z_PK"
        case .joinTable(let side):
            owner = "j.\(quoted(side.owner))"
            from =
                "\(quoted(side.table)) j \(dialect.lookUpJoin) \(table) m"
                + " ON m.Z_PK = j.\(quoted(side.member))"
            columns = "\(owner), m.Z_PK, m.Z_ENT"
            let places = side.order.map { "j.\(quoted($0)) IS NULL, j.\(quoted($0)), " } ?? ""
            order = "\(owner), \(places)j.\(quoted(side.member))"
        }
    }

    /// Given a condition on the owner's key.
    package func select(owners: String) -> String {
        "SELECT \(columns) FROM \(from) WHERE \(owner) \(owners) ORDER BY \(order)"
    }
}

/// Different keys in ascending order, as queries return their rows, with the place of each in a list.
package struct KeyOrder {
    package let keys: [Int64]
    /// By key.
    private let places: [Int]
    /// Places of keys that are in the list before, with the place there.
    package let repetitions: [(place: Int, first: Int)]
    private var next = 0

    package init(_ list: [Int64]) {
        if zip(list, list.dropFirst()).allSatisfy({ $0 < $1 }) {
            keys = list
            places = Array(list.indices)
            repetitions = []
            return
        }
        var keys: [Int64] = []
        keys.reserveCapacity(list.count)
        var places: [Int] = []
        places.reserveCapacity(list.count)
        var repetitions: [(place: Int, first: Int)] = []
        // The keys beside their places: the sort looks nothing up.
        let sorted = list.enumerated().sorted {
            $0.element < $1.element || $0.element == $1.element && $0.offset < $1.offset
        }
        for (place, key) in sorted {
            if let last = keys.last, last == key {
                repetitions.append((place, places[places.count - 1]))
            } else {
                keys.append(key)
                places.append(place)
            }
        }
        self.keys = keys
        self.places = places
        self.repetitions = repetitions
    }

    /// The place of a key in the list; `nil` if it is not there.
    ///
    /// Calls must come in the order of the keys.
    package mutating func place(of key: Int64) -> Int? {
        while next < keys.count, keys[next] < key { next += 1 }
        return next < keys.count && keys[next] == key ? places[next] : nil
    }
}
