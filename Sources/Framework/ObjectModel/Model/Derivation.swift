/// The computation of a derived attribute, parsed once.
///
/// The forms are Core Data's: `name`, `department.title` (through to-one relationships),
/// `canonical:(name)`, `uppercase:(name)`, `lowercase:(name)`, `now()`, `staff.@count` and
/// `staff.salary.@sum` (also `@min`, `@max`, `@avg`). The operator comes last, as in Core Data; key-value
/// coding's order, `staff.@sum.salary`, is an error of the model. `canonical` folds case and
/// accents, as `[cd]` does.
///
/// Every store has derived attributes, not only SQLite. The context computes them on save, after
/// validation, and they are visible in the object at once. So the save fails if a required derived
/// attribute has no value from before, as in Core Data. `now()` is the time of the save. A value
/// that cannot be computed is `nil`.
package struct Derivation {
    private enum Function: String {
        case canonical = "canonical:"
        case uppercase = "uppercase:"
        case lowercase = "lowercase:"
    }

    private let function: Function?
    private let plan: KeyPathPlan?
    /// Whether keys follow a collection operator.
    package let continuesAfterOperator: Bool
    /// The keys that lead to the value, operators left out; empty for `now()`.
    package let keys: [String]

    /// Parses an expression; `nil` if it has none of the forms.
    package init?(_ expression: String) {
        let text = String(expression.filter { !$0.isWhitespace })
        if text == "now()" {
            (function, plan, keys, continuesAfterOperator) = (nil, nil, [], false)
            return
        }
        var path = text[...]
        var function: Function?
        if let open = text.firstIndex(of: "("), text.last == ")" {
            function = Function(rawValue: String(text[..<open]))
            if function == nil { return nil }
            path = text[text.index(after: open)...].dropLast()
        }
        var components = path.split(separator: ".", omittingEmptySubsequences: false)
            .map(String.init)
        let isKey: (String) -> Bool = { key in
            !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        }
        let operators = components.indices.filter { components[$0].hasPrefix("@") }
        keys = components.filter { !$0.hasPrefix("@") }
        continuesAfterOperator = operators.first.map { $0 < components.count - 1 } ?? false
        guard keys.allSatisfy(isKey), !keys.isEmpty, operators.count <= 1 else { return nil }
        if let place = operators.first {
            let kinds: [CollectionOperator] = [.count, .sum, .minimum, .maximum, .average]
            guard let kind = CollectionOperator(key: components[place]), kinds.contains(kind),
                place > 0
            else { return nil }
            if kind.needsKeyPath, place == components.count - 1 {
                guard place >= 2 else { return nil }
                components.swapAt(place, place - 1)
            }
        }
        self.function = function
        plan = KeyPathPlan(components.joined(separator: "."))
    }

    /// The value for an object; the outer `nil` stands for `now()`, which the caller computes.
    package func value(for object: any KeyValueCoding) throws -> GraphValue? {
        guard let plan else { return nil }
        let value = try plan.value(from: .object(object))
        guard let function else { return value }
        guard case .string(let text) = value else { return .null }
        return switch function {
        case .canonical:
            .string(TextFolding.fold(text, options: [.caseInsensitive, .diacriticInsensitive]))
        case .uppercase: .string(text.uppercased())
        case .lowercase: .string(text.lowercased())
        }
    }
}
