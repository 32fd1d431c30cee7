import FoundationEssentials

extension AttributeDescription {
    /// Whether a value is of the attribute's type; `nil` always is.
    public func accepts(_ value: GraphValue) -> Bool {
        switch (type, value) {
        case (_, .null), (.undefined, _), (.transformable, _): true
        case (.integer16, .int(let number)), (.integer32, .int(let number)):
            type.integerRange?.contains(number) == true
        case (.integer64, .int), (.boolean, .bool), (.string, .string), (.date, .date): true
        case (.double, .double), (.float, .double), (.decimal, .decimal): true
        case (.binary, .data), (.uuid, .uuid), (.uri, .url), (.objectID, .objectID): true
        case (.composite, .dictionary): true
        default: false
        }
    }

    /// Whether every store keeps the value: one of the attribute's type, which is not NaN, not a
    /// number beyond the greatest `Float` in a `Float` attribute, and not a temporary object ID.
    package func isStorable(_ value: GraphValue) -> Bool {
        switch value {
        case .double(let number):
            accepts(value) && !number.isNaN && !value.isBeyondFloat(type)
        case .decimal(let number): accepts(value) && !number.isNaN
        case .date(let date): accepts(value) && !date.timeIntervalSinceReferenceDate.isNaN
        case .objectID(let id): accepts(value) && (type != .objectID || !id.isTemporaryID)
        default: accepts(value)
        }
    }

    /// A value converted to the attribute's type where nothing is lost: integers to floating point,
    /// 0 and 1 to Boolean, whole numbers to integers, any number to a decimal, a relative URL to the
    /// absolute one that stores keep.
    ///
    /// The integer may be outside the type's range: validation reports it, as it reports every
    /// bound.
    ///
    /// - Returns: `nil` if that is not possible.
    /// - Complexity: O(1).
    package func coerced(_ value: GraphValue) -> GraphValue? {
        if accepts(value) {
            if case .url(let url) = value { return .url(url.absoluteURL) }
            return value
        }
        switch type {
        case .integer16, .integer32, .integer64:
            return value.integerValue.map { .int($0) }
        case .double, .float:
            return value.doubleValue.map { .double($0) }
        case .decimal:
            return value.decimalValue.map { .decimal($0) }
        case .boolean:
            guard let number = value.integerValue, number == 0 || number == 1 else { return nil }
            return .bool(number == 1)
        default:
            return nil
        }
    }
}

extension GraphValue {
    /// Whether this is a finite number that a `Float` attribute cannot hold.
    func isBeyondFloat(_ type: AttributeType) -> Bool {
        guard type == .float, case .double(let number) = self else { return false }
        return number.isFinite && !Float(number).isFinite
    }
}

extension AttributeType {
    /// What an integer type holds; `nil` for other types.
    package var integerRange: ClosedRange<Int64>? {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        case .integer64: .min ... .max
        default: nil
        }
    }
}
