extension PredicateNode {
    /// Compiles a predicate, which is not nested too deep.
    static func make(_ predicate: FetchPredicate) -> PredicateNode {
        switch predicate {
        case .constant(let value): ConstantCondition(value)
        case .and(let parts): AndCondition(parts.map(make))
        case .or(let parts): OrCondition(parts.map(make))
        case .not(let part): NotCondition(make(part))
        case .comparison(let comparison): make(comparison)
        case .block(let block): BlockCondition(block)
        }
    }

    private static func make(_ comparison: FetchComparison) -> PredicateNode {
        let left = Operand.make(comparison.left)
        let test = ComparisonTest.make(comparison)
        return switch comparison.modifier {
        case .direct: ComparisonCondition(left, test)
        case .any: QuantifiedCondition(left, test, isAny: true)
        case .all: QuantifiedCondition(left, test, isAny: false)
        }
    }
}
