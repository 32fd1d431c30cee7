import FoundationEssentials

extension BuiltInFunction {
    /// The result of a function without arguments.
    func result() throws -> GraphValue {
        self == .random ? .double(Double.random(in: 0..<1)) : .date(Date())
    }

    /// The result of a function of one argument; `nil` for `nil`.
    func result(_ value: GraphValue) throws -> GraphValue {
        if self == .noIndex { return value }
        if value.isNull { return .null }
        switch self {
        case .uppercase: return .string(try text(value).uppercased())
        case .lowercase: return .string(try text(value).lowercased())
        case .canonical:
            return .string(
                TextFolding.fold(
                    try text(value),
                    options: [.caseInsensitive, .diacriticInsensitive]
                )
            )
        case .length:
            if case .data(let data) = value { return .int(Int64(data.count)) }
            return .int(Int64(try text(value).utf16.count))
        case .squareRoot: return .floating(try double(value).squareRoot())
        case .logarithm: return .floating(Elementary.commonLogarithm(try double(value)))
        case .naturalLogarithm: return .floating(Elementary.naturalLogarithm(try double(value)))
        case .exponential: return .floating(Elementary.exponential(try double(value)))
        case .ceiling: return try rounded(value, .up)
        case .floor: return try rounded(value, .down)
        case .truncate: return try rounded(value, .towardZero)
        case .absolute: return try absolute(value)
        case .onesComplement: return .int(~(try whole(value)))
        case .randomBelow:
            let bound = try whole(value)
            return bound > 0 ? .int(Int64.random(in: 0..<bound)) : .int(0)
        default: throw wrongKind(value)
        }
    }

    /// The result of a function of two arguments; `nil` if either is.
    func result(_ left: GraphValue, _ right: GraphValue) throws -> GraphValue {
        if left.isNull || right.isNull { return .null }
        switch self {
        case .add, .subtract, .multiply, .divide, .modulus:
            return try Arithmetic.result(self, left, right)
        case .power:
            return .floating(Elementary.power(try double(left), try double(right)))
        case .bitwiseAnd: return .int(try whole(left) & whole(right))
        case .bitwiseOr: return .int(try whole(left) | whole(right))
        case .bitwiseXor: return .int(try whole(left) ^ whole(right))
        case .leftShift: return .int(try whole(left) << whole(right))
        case .rightShift: return .int(try whole(left) >> whole(right))
        case .distance: return try Geography.distance(left, right)
        case .castObject:
            let name = try text(right)
            guard let result = CastType(name: name)?.cast(left) else {
                throw ObjectGraphError(
                    .cannotEvaluate,
                    "\(left.kindAtStart) cannot be cast to \"\(name)\"."
                )
            }
            return result
        default: throw wrongKind(left)
        }
    }

    private func text(_ value: GraphValue) throws -> String {
        if case .string(let text) = value { return text }
        throw wrongKind(value)
    }

    private func double(_ value: GraphValue) throws -> Double {
        if let number = value.doubleValue { return number }
        throw wrongKind(value)
    }

    /// A whole number; fractions are cut off.
    private func whole(_ value: GraphValue) throws -> Int64 {
        if value.isNumber { return value.truncatedInteger }
        throw wrongKind(value)
    }

    private func rounded(
        _ value: GraphValue,
        _ rule: FloatingPointRoundingRule
    ) throws -> GraphValue {
        switch value {
        case .bool, .int: return .int(try whole(value))
        case .double(let number): return .floating(number.rounded(rule))
        case .decimal(let number): return .decimal(number.rounded(rule))
        default: throw wrongKind(value)
        }
    }

    private func absolute(_ value: GraphValue) throws -> GraphValue {
        switch value {
        case .bool(let flag): return .int(flag ? 1 : 0)
        case .int(.min): return .double(0x1p63)
        case .int(let number): return .int(Swift.abs(number))
        case .double(let number): return .floating(Swift.abs(number))
        case .decimal(let number): return .decimal(Swift.abs(number))
        default: throw wrongKind(value)
        }
    }

    private func wrongKind(_ value: GraphValue) -> ObjectGraphError {
        ObjectGraphError(
            .cannotEvaluate,
            "The function \(rawValue) cannot take \(value.kindWithArticle)."
        )
    }
}

extension GraphValue {
    /// A calculated number; not-a-number becomes `nil`, as in SQL.
    static func floating(_ number: Double) -> GraphValue {
        number.isNaN ? .null : .double(number)
    }
}

extension Decimal {
    /// The whole number next to this one in the rule's direction.
    fileprivate func rounded(_ rule: FloatingPointRoundingRule) -> Decimal {
        if isNaN { return self }
        let text = description
        guard let point = text.firstIndex(of: "."),
            let whole = Decimal(string: String(text[..<point]))
        else { return self }
        let isNegative = text.hasPrefix("-")
        switch rule {
        case .up where !isNegative: return whole + 1
        case .down where isNegative: return whole - 1
        default: return whole
        }
    }
}
