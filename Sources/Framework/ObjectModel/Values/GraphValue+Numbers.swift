public import FoundationEssentials

extension GraphValue {
    /// The number as a `Double`, rounded where needed; `nil` if this is not a number.
    public var doubleValue: Double? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .int(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.doubleValue
        default: nil
        }
    }

    /// The number as an integer, if it is one without a fraction and in range.
    public var integerValue: Int64? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .int(let value): value
        case .double(let value): Int64(exactly: value)
        case .decimal(let value): Int64(value.description)
        default: nil
        }
    }

    /// The number as a decimal; `nil` if this is not a number, or one that a decimal cannot hold:
    /// not finite, or beyond its exponents.
    public var decimalValue: Decimal? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .int(let value): Decimal(value)
        case .double(let value):
            // Through its shortest text, so that 0.1 is one tenth and not its binary neighbour.
            value.isFinite ? Decimal(string: value.description) : nil
        case .decimal(let value): value
        default: nil
        }
    }
}

extension Decimal {
    /// The number of a text in a store, also as SQLite writes one with a small exponent: `1.0e-128`,
    /// of which the parser of decimals would need the exponent -129.
    package init?(storedText text: String) {
        guard
            let number = Decimal(string: text) ?? Decimal(string: text.replacing(".0e", with: "e"))
        else { return nil }
        self = number
    }

    /// The nearest binary floating point number.
    package var doubleValue: Double { Double(description) ?? .nan }
}
