import FoundationEssentials

extension AttributeDescription {
    /// Checks a value against the attribute's type and rules.
    ///
    /// - Throws: `ObjectGraphError` with the code of the broken rule, its key, value and rule;
    ///   the message begins with the attribute's name.
    public func validate(_ value: GraphValue) throws {
        if value.isNull {
            if isOptional { return }
            throw failure(.missingMandatory, "needs a value", value, .required)
        }
        let isFit = accepts(value)
        guard isFit || value.integer(outOf: type) != nil else {
            throw failure(
                .wrongValueKind,
                "takes \(type.nameWithArticle), not \(value.kindWithArticle)",
                value,
                nil
            )
        }
        // A bound of the model is narrower than the type's, so the message has the model's bound.
        for rule in rules { try check(value, rule) }
        if !isFit { try checkRange(value) }
        // The elements of a composite value follow their own rules.
        for case (let element, let value) in try decomposed(value) where element !== self {
            try element.validate(value)
        }
    }

    private func check(_ value: GraphValue, _ rule: ValidationRule) throws {
        switch rule {
        case .required, .minimumCount, .maximumCount: break
        case .minimum(let bound): try checkMinimum(value, bound, rule)
        case .maximum(let bound): try checkMaximum(value, bound, rule)
        case .minimumLength(let length):
            if case .string(let text) = value, text.utf16.count < length {
                throw failure(
                    .stringTooShort,
                    "needs at least \(length) characters",
                    value,
                    rule
                )
            }
        case .maximumLength(let length):
            if case .string(let text) = value, text.utf16.count > length {
                throw failure(
                    .stringTooLong,
                    "takes at most \(length) characters",
                    value,
                    rule
                )
            }
        case .pattern(let pattern):
            let condition = FetchPredicate.comparison(
                FetchComparison(.evaluatedObject, .matches, .constant(.string(pattern)))
            )
            if try !condition.evaluate(with: value) {
                throw failure(.stringPattern, "has to match \(pattern)", value, rule)
            }
        case .predicate(let predicate, let message):
            if try !predicate.evaluate(with: value) {
                throw failure(.validation, message, value, rule)
            }
        }
    }

    private func checkMinimum(
        _ value: GraphValue,
        _ bound: GraphValue,
        _ rule: ValidationRule
    ) throws {
        if case .date(let date) = value, case .date(let first) = bound {
            if date < first { throw failure(.dateTooSoon, "is too early", value, rule) }
        } else if value.numericOrder(to: bound) == .before {
            throw failure(.numberTooSmall, "has to be at least \(bound.text)", value, rule)
        }
    }

    private func checkMaximum(
        _ value: GraphValue,
        _ bound: GraphValue,
        _ rule: ValidationRule
    ) throws {
        if case .date(let date) = value, case .date(let last) = bound {
            if date > last { throw failure(.dateTooLate, "is too late", value, rule) }
        } else if value.numericOrder(to: bound) == .after {
            throw failure(.numberTooLarge, "has to be at most \(bound.text)", value, rule)
        }
    }

    /// Throws an error with the bound of the integer type that the value breaks.
    private func checkRange(_ value: GraphValue) throws {
        guard let number = value.integer(outOf: type), let range = type.integerRange else { return }
        let isTooLarge = number > range.upperBound
        let bound = isTooLarge ? range.upperBound : range.lowerBound
        throw failure(
            isTooLarge ? .numberTooLarge : .numberTooSmall,
            "has to be at \(isTooLarge ? "most" : "least") \(bound), as \(type.nameWithArticle)",
            value,
            isTooLarge ? .maximum(.int(bound)) : .minimum(.int(bound))
        )
    }

    private func failure(
        _ code: ObjectGraphError.Code,
        _ what: String,
        _ value: GraphValue,
        _ rule: ValidationRule?
    ) -> ObjectGraphError {
        ObjectGraphError(code, "\(name) \(what).", key: name, value: value, rule: rule)
    }
}

extension GraphValue {
    /// The integer that this is, if an integer type cannot hold it.
    fileprivate func integer(outOf type: AttributeType) -> Int64? {
        guard case .int(let number) = self, let range = type.integerRange,
            !range.contains(number)
        else { return nil }
        return number
    }

    /// A bound in the form that people write.
    fileprivate var text: String {
        switch self {
        case .int(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .double(let number): number == number.rounded() ? "\(Int64(number))" : "\(number)"
        default: kindName
        }
    }
}
