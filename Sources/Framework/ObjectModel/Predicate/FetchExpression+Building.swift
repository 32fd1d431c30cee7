extension FetchExpression {
    /// `{a, b, …}`: a constant array if all elements are constants, else an aggregate.
    ///
    /// Parser and printer use this one form, so `{1, 2}` in a format and an array for `%@` give the
    /// same expression.
    public static func list(_ elements: [FetchExpression]) -> FetchExpression {
        var values: [GraphValue] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            guard case .constant(let value) = element else { return .aggregate(elements) }
            values.append(value)
        }
        return .constant(.array(values))
    }

    /// The expression for a key path that starts at this one.
    ///
    /// From the evaluated object or a key path it is a plain key path, from anything else a key
    /// path of an operand.
    public func appending(keyPath: String) -> FetchExpression {
        switch self {
        case .evaluatedObject: .keyPath(keyPath)
        case .keyPath(let path): .keyPath(path + "." + keyPath)
        case .keyPathOf(let operand, let path): .keyPathOf(operand, path + "." + keyPath)
        default: .keyPathOf(self, keyPath)
        }
    }

    /// Whether a key path can start or continue here.
    var isPathLike: Bool {
        switch self {
        case .evaluatedObject, .keyPath, .keyPathOf, .variable: true
        default: false
        }
    }

    /// A function by name and arguments; the name may leave out its last colon.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidFormat`` if the
    ///   function does not exist.
    public static func function(
        named name: String,
        _ arguments: [FetchExpression]
    ) throws -> FetchExpression {
        if let function = BuiltInFunction(name: name) {
            return .function(function.rawValue, arguments)
        }
        guard let full = FetchFunctions.fullName(of: name, count: arguments.count) else {
            throw ObjectGraphError(
                .invalidFormat,
                "There is no function \"\(name)\" with \(arguments.count) argument\(arguments.count == 1 ? "" : "s").",
                recovery: "Register it with FetchFunctions before it is used."
            )
        }
        return .function(full, arguments)
    }
}
