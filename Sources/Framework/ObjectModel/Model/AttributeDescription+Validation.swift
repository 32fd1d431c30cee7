import FoundationEssentials

extension AttributeDescription {
    /// Checks a value against the attribute's type and all of its rules.
    ///
    /// - Throws: `ObjectGraphError` with the code of the broken rule, its key, value and rule;
    ///   the message begins with the attribute's name. If several rules are broken, code 1560 with
    ///   one error for each.
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
        try checkStorable(value)
        var collector = ErrorCollector()
        for rule in rules { collector.run { try check(value, rule) } }
        // A bound of the model is narrower than the type's, so the message has the model's bound.
        if let error = rangeError(value), !collector.has(error.code) {
            collector.run { throw error }
        }
        // The elements of a composite value follow their own rules.
        collector.run {
            var elements = ErrorCollector()
            for case (let element, let value) in try decomposed(value) where element !== self {
                elements.run { try element.validate(value) }
            }
            try elements.finish()
        }
        try collector.finish()
    }

    /// Why no store can keep the default, as a sentence; `nil` if it can.
    var flawOfDefault: String? {
        if isStorable(defaultValue) { return nil }
        if accepts(defaultValue), defaultValue.numericOrder(to: defaultValue) == nil {
            return "The default is NaN, which no store keeps."
        }
        do {
            try AttributeDescription("The default", type).validate(defaultValue)
            return nil
        } catch let error as ObjectGraphError where error.code != .wrongValueKind {
            return error.message
        } catch {
            return "The default is \(defaultValue.kindWithArticle), the type \(type.shownName)."
        }
    }

    /// Refuses what no store keeps although it is of the attribute's type.
    private func checkStorable(_ value: GraphValue) throws {
        switch value {
        case .double(let number) where number.isNaN: throw notANumber(value)
        case .decimal(let number) where number.isNaN: throw notANumber(value)
        case .date(let date) where date.timeIntervalSinceReferenceDate.isNaN:
            throw failure(.invalidDate, "takes a date, and NaN is not one", value, nil)
        case .objectID(let id) where type == .objectID && id.isTemporaryID:
            throw failure(
                .validation,
                "takes the ID of a saved object, and this one was never saved",
                value,
                nil
            )
        default: break
        }
    }

    private func notANumber(_ value: GraphValue) -> ObjectGraphError {
        failure(.validation, "takes a number, and NaN is not one", value, nil)
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
                    "needs at least \(length.characters)",
                    value,
                    rule
                )
            }
        case .maximumLength(let length):
            if case .string(let text) = value, text.utf16.count > length {
                throw failure(
                    .stringTooLong,
                    "takes at most \(length.characters)",
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

    /// The error with the bound of the number type that the value breaks.
    private func rangeError(_ value: GraphValue) -> ObjectGraphError? {
        let bound: (value: GraphValue, isUpper: Bool, text: String)
        if let number = value.integer(outOf: type), let range = type.integerRange {
            let isUpper = number > range.upperBound
            let limit = isUpper ? range.upperBound : range.lowerBound
            bound = (.int(limit), isUpper, "\(limit)")
        } else if case .double(let number) = value, value.isBeyondFloat(type) {
            let limit =
                number.sign == .plus ? Float.greatestFiniteMagnitude : -.greatestFiniteMagnitude
            bound = (.double(Double(limit)), number.sign == .plus, "\(limit)")
        } else {
            return nil
        }
        return failure(
            bound.isUpper ? .numberTooLarge : .numberTooSmall,
            "has to be at \(bound.isUpper ? "most" : "least") \(bound.text), as"
                + " \(type.nameWithArticle)",
            value,
            bound.isUpper ? .maximum(bound.value) : .minimum(bound.value)
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
        case .double(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        default: kindName
        }
    }
}

extension Int {
    /// A number of characters, for messages: `1 character`.
    fileprivate var characters: String { self == 1 ? "1 character" : "\(self) characters" }
}
