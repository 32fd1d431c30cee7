/// A fast first check of an attribute's values, prepared when the model is frozen.
///
/// A save checks every value of every changed object, and most are valid. Values that do not pass
/// here are checked by the attribute's description.
package struct AttributeCheck {
    private enum Kind {
        case text, date, real, boolean
        /// Every value except `nil` needs the full check.
        case judged
    }

    package let name: String
    package let slot: Int
    /// The store computes a derived attribute, so its value is not checked; only a required one
    /// must have a value, as in Core Data.
    private let isDerived: Bool
    private let isOptional: Bool
    private let kind: Kind
    private let least: Int64
    private let greatest: Int64
    /// What a floating point number may be at most, without its sign.
    private let greatestReal: Double

    init(
        name: String,
        slot: Int,
        type: AttributeType,
        isOptional: Bool,
        isDerived: Bool,
        hasRules: Bool
    ) {
        self.name = name
        self.slot = slot
        self.isDerived = isDerived
        self.isOptional = isOptional
        let type = hasRules ? .undefined : type
        kind =
            switch type {
            case .string: .text
            case .date: .date
            case .double, .float: .real
            case .boolean: .boolean
            default: .judged
            }
        let range = type.integerRange
        least = range?.lowerBound ?? 1
        greatest = range?.upperBound ?? 0
        greatestReal = type == .float ? Double(Float.greatestFiniteMagnitude) : .infinity
    }

    /// Whether the value is certainly valid, or is not checked at all.
    ///
    /// By pointers, so that neither is copied.
    package static func passes(
        _ check: UnsafePointer<AttributeCheck>,
        _ value: UnsafePointer<GraphValue>
    ) -> Bool {
        let isFit =
            switch value.pointee {
            case .null: check.pointee.isOptional
            case .int(let number):
                number >= check.pointee.least && number <= check.pointee.greatest
            case .string: check.pointee.kind == .text
            // NaN equals nothing, and no number is above it.
            case .date(let date): check.pointee.kind == .date && date == date
            case .double(let number):
                check.pointee.kind == .real && abs(number) <= check.pointee.greatestReal
            case .bool: check.pointee.kind == .boolean
            default: false
            }
        if isFit || !check.pointee.isDerived { return isFit }
        // Derived values are computed after the check: a required one has a value from an earlier
        // save only.
        return !value.pointee.isNull
    }
}
