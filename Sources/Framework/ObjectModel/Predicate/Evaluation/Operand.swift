/// A node of a compiled expression.
class Operand {
    func value(_ context: inout EvaluationContext) throws -> GraphValue {
        preconditionFailure("an operand without a rule")
    }

    /// Calls `body` with each member of the collection that this operand gives, until it returns
    /// `false`.
    ///
    /// - Returns: whether it is a collection; `nil` is an empty one.
    func forEachMember(
        _ context: inout EvaluationContext,
        _ body: (GraphValue) throws -> Bool
    ) throws -> Bool {
        let value = try value(&context)
        if value.isNull { return true }
        guard let members = value.elements else { return false }
        for member in members where try !body(member) { break }
        return true
    }

    /// The members of the collection that this operand gives; a single value counts as one.
    final func members(_ context: inout EvaluationContext) throws -> [GraphValue] {
        var members: [GraphValue] = []
        let isCollection = try forEachMember(&context) { member in
            members.append(member)
            return true
        }
        return isCollection ? members : [try value(&context)]
    }
}
