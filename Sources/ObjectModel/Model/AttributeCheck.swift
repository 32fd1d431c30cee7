/// A quick look at whether a value suits an attribute, laid out when the model is frozen.
///
/// A save looks at every value of every changed object, and most are right; what does not pass
/// here is judged by the attribute's description.
package struct AttributeCheck {
    private enum Kind {
        case text, date, real, boolean
        /// Every value but `nil` is to be judged.
        case judged
    }

    package let name: String
    package let slot: Int
    /// The value of a derived attribute is nobody's to get right, except that a required one must
    /// be there (contract 1.16).
    private let isDerived: Bool
    private let isOptional: Bool
    private let kind: Kind
    private let least: Int64
    private let greatest: Int64

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
        (least, greatest) =
            switch type {
            case .integer16: (Int64(Int16.min), Int64(Int16.max))
            case .integer32: (Int64(Int32.min), Int64(Int32.max))
            case .integer64: (.min, .max)
            default: (1, 0)
            }
    }

    /// Whether the value is certainly right, or nobody's to get right.
    ///
    /// By pointers, so that neither is copied.
    package static func passes(
        _ check: UnsafePointer<AttributeCheck>,
        _ value: UnsafePointer<Value>
    ) -> Bool {
        let isFit =
            switch value.pointee {
            case .null: check.pointee.isOptional
            case .int(let number):
                number >= check.pointee.least && number <= check.pointee.greatest
            case .string: check.pointee.kind == .text
            case .date: check.pointee.kind == .date
            case .double: check.pointee.kind == .real
            case .bool: check.pointee.kind == .boolean
            default: false
            }
        if isFit || !check.pointee.isDerived { return isFit }
        // Derived values follow after the check, so a required one needs an earlier save's.
        return !value.pointee.isNull
    }
}
