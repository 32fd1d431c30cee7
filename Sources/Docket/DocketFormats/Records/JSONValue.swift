/// Any JSON value, kept so that it is written back unchanged: numbers as their text, members in
/// their order.
public indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number as text, never rounded.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

/// A name and its value inside a JSON object.
public struct JSONMember: Hashable, Sendable {
    public var name: String
    public var value: JSONValue

    public init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// The members of an object by name, in their order.
///
/// - Complexity: O(1) for each change.
struct KeptMembers {
    private var all: [JSONMember?] = []
    /// By the bytes of the names: two spellings of one character are two names.
    private var places: [[UInt8]: Int] = [:]

    public var members: [JSONMember] { all.compactMap(\.self) }

    /// The value of a member.
    public subscript(name: String) -> JSONValue? {
        places[Array(name.utf8)].flatMap { all[$0]?.value }
    }

    /// Adds a member whose name there is not yet.
    public mutating func add(_ name: String, _ value: JSONValue) {
        places[Array(name.utf8)] = all.count
        all.append(JSONMember(name, value))
    }

    public mutating func remove(_ name: String) {
        if all.isEmpty { return }
        if let place = places.removeValue(forKey: Array(name.utf8)) { all[place] = nil }
    }
}

extension [JSONMember] {
    /// The value of the first member with that name; setting `nil` removes it.
    public subscript(name: String) -> JSONValue? {
        get { first { $0.name == name }?.value }
        set {
            let index = firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): self[index].value = value
            case (let index?, nil): remove(at: index)
            case (nil, let value?): append(JSONMember(name, value))
            case (nil, nil): break
            }
        }
    }
}
