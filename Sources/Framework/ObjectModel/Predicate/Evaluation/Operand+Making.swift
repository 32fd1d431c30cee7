extension Operand {
    static func make(_ expression: FetchExpression) -> Operand {
        switch expression {
        case .constant(let value): ConstantOperand(value)
        case .evaluatedObject: SelfOperand()
        case .variable(let name): VariableOperand(name)
        case .keyPath(let path): make(path: path)
        case .keyPathOf(let operand, let path):
            PathOperand(make(operand), KeyPathPlan(path))
        case .subscripted(let operand, let position): make(operand, position)
        case .function(let name, let arguments): make(function: name, arguments)
        case .call(let operand, let selector, let arguments):
            CallOperand(make(operand), selector, arguments.map(make))
        case .aggregate(let elements): ListOperand(elements.map(make))
        case .subquery(let collection, let variable, let predicate):
            SubqueryOperand(make(collection), variable, PredicateNode.make(predicate))
        case .union(let left, let right): SetOperand(.union, make(left), make(right))
        case .intersect(let left, let right): SetOperand(.intersect, make(left), make(right))
        case .minus(let left, let right): SetOperand(.minus, make(left), make(right))
        case .conditional(let predicate, let first, let second):
            ConditionalOperand(PredicateNode.make(predicate), make(first), make(second))
        case .assignment(let name, let operand): AssignmentOperand(name, make(operand))
        case .cast(let operand, let type): CastOperand(make(operand), type)
        case .anyKey: AnyKeyOperand()
        }
    }

    private static func make(path: String) -> Operand {
        let plan = KeyPathPlan(path)
        if plan.operation == nil, plan.keys.count == 1, let key = plan.keys.first,
            !KeyOperand.specialKeys.contains(key)
        {
            return KeyOperand(key, plan)
        }
        return PathOperand(SelfOperand(), plan)
    }

    private static func make(_ operand: FetchExpression, _ position: FetchSubscript) -> Operand {
        switch position {
        case .index(let index): SubscriptOperand(make(operand), .index(make(index)))
        case .first: SubscriptOperand(make(operand), .first)
        case .last: SubscriptOperand(make(operand), .last)
        case .size: SubscriptOperand(make(operand), .size)
        }
    }

    private static func make(function name: String, _ arguments: [FetchExpression]) -> Operand {
        let operands = arguments.map(make)
        guard let function = BuiltInFunction(name: name) else {
            return RegisteredOperand(name, operands)
        }
        guard function.accepts(arguments.count) else {
            return FailingOperand(
                "\(function.rawValue) takes \(function.arity) argument\(function.arity == 1 ? "" : "s"), not \(arguments.count)."
            )
        }
        switch function {
        case .objectFrom: return SubscriptOperand(operands[0], .index(operands[1]))
        case .now: return NowOperand()
        default:
            return function.isStatistic
                ? StatisticOperand(function, operands) : FunctionOperand(function, operands)
        }
    }
}
