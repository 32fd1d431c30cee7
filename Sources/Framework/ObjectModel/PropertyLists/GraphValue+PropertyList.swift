package import FoundationEssentials

extension GraphValue {
    /// The value of a binary property list that anybody may have written.
    ///
    /// - Parameter data: the list.
    /// - Throws: ``PropertyListProblem`` if the data are not such a list, if one of its objects
    ///   contains itself, if it is nested more than ``PropertyListTree/depthLimit`` deep, or if its
    ///   objects are so often the same that the value would be much larger than the list.
    /// - Complexity: O(bytes).
    package init(propertyList data: Data) throws {
        var tree = try PropertyListTree(data)
        self = try tree.value()
    }

    /// Whether collections contain collections more than so many levels deep.
    ///
    /// - Complexity: O(values), and no deeper recursion than the limit.
    package func isNested(deeperThan limit: Int) -> Bool {
        switch self {
        case .array(let values):
            limit == 0 || values.contains { $0.isNested(deeperThan: limit - 1) }
        case .set(let values): limit == 0 || values.contains { $0.isNested(deeperThan: limit - 1) }
        case .dictionary(let values):
            limit == 0 || values.values.contains { $0.isNested(deeperThan: limit - 1) }
        default: false
        }
    }
}

/// Makes the values of a property list's objects.
struct PropertyListTree {
    /// How deep arrays and dictionaries may be nested.
    static let depthLimit = 512

    private var list: BinaryPropertyList
    private var depth = 0
    /// Values without members; they are read once, however often they are used.
    private var scalars: [Int: GraphValue] = [:]

    init(_ data: Data) throws { list = try BinaryPropertyList(data) }

    mutating func value() throws -> GraphValue { try value(of: list.top) }

    private mutating func value(of index: Int) throws -> GraphValue {
        if let known = scalars[index] { return known }
        switch try list.element(index) {
        case .array(let members):
            try descend()
            defer { depth -= 1 }
            var values: [GraphValue] = []
            values.reserveCapacity(members.count)
            for member in members { values.append(try value(of: member)) }
            return .array(values)
        case .dictionary(let pairs):
            try descend()
            defer { depth -= 1 }
            var values: [String: GraphValue] = [:]
            values.reserveCapacity(pairs.count)
            for pair in pairs {
                guard case .string(let key) = try value(of: pair.key) else {
                    throw PropertyListProblem("a key of it is not a text")
                }
                // A long key that many dictionaries share costs time in each.
                try list.charge(key.utf8.count / 16)
                values[key] = try value(of: pair.value)
            }
            return .dictionary(values)
        case .null: throw PropertyListProblem("it has a null, which is not a value of such a list")
        case .flag(let flag): return keep(.bool(flag), index)
        case .integer(let number): return keep(.int(number), index)
        case .real(let number): return keep(.double(number), index)
        case .date(let seconds):
            return keep(.date(Date(timeIntervalSinceReferenceDate: seconds)), index)
        case .data(let data): return keep(.data(data), index)
        case .text(let text): return keep(.string(text), index)
        case .uid: throw PropertyListProblem("it is an archive of objects")
        }
    }

    private mutating func descend() throws {
        depth += 1
        if depth > PropertyListTree.depthLimit {
            throw PropertyListProblem(
                "its objects are nested more than \(PropertyListTree.depthLimit) deep"
            )
        }
    }

    private mutating func keep(_ value: GraphValue, _ index: Int) -> GraphValue {
        scalars[index] = value
        return value
    }
}
