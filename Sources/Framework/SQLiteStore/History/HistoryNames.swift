import ObjectStore

/// Numbers for the names of entities and properties in the history.
struct HistoryNames {
    private var numbers: [String: Int64] = [:]
    private var names: [Int64: String] = [:]

    /// The number of a name, created if needed; inside a write transaction.
    mutating func number(_ name: String, in connection: Connection) throws -> Int64 {
        if let known = numbers[name] { return known }
        let known = try connection.integer("SELECT id FROM OG_NAME WHERE name = ?", .text(name))
        if let known {
            add(name, known)
            return known
        }
        try connection.statement("INSERT INTO OG_NAME (name) VALUES (?)").run(.text(name))
        let number = connection.lastInsertedKey
        add(name, number)
        return number
    }

    /// The name of a number; `nil` if the file does not have it.
    mutating func name(_ number: Int64, in connection: Connection) throws -> String? {
        if let known = names[number] { return known }
        let all = try connection.statement("SELECT id, name FROM OG_NAME")
        defer { all.reset() }
        while try all.step() { add(all.text(1), all.integer(0)) }
        return names[number]
    }

    private mutating func add(_ name: String, _ number: Int64) {
        numbers[name] = number
        names[number] = name
    }
}
