import FoundationEssentials
import ObjectModel

/// One property of an archive's entity.
struct CompiledProperty {
    /// The flags of an attribute, in `NSFlagsKey`.
    private struct Flags: OptionSet {
        let rawValue: Int64
        static let storesExternally = Flags(rawValue: 4)
        static let isKeptOnDeletion = Flags(rawValue: 16)
        static let isEncryptedInCloud = Flags(rawValue: 32)
    }

    private let name: String
    private let object: KeyedArchive.Object

    init(_ name: String, _ object: KeyedArchive.Object) {
        self.name = name
        self.object = object
    }

    /// - Returns: `nil` for a property that is computed, such as a fetched property.
    func property() throws -> PropertyDescription? {
        let property: PropertyDescription?
        switch try object.className() {
        case "NSAttributeDescription", "NSDerivedAttributeDescription": property = try attribute()
        case "NSRelationshipDescription": property = try relationship()
        default: property = nil
        }
        guard let property else { return nil }
        property.isOptional = try object.flag("NSIsOptional")
        property.isTransient = try object.flag("NSIsTransient")
        property.isIndexed = try object.flag("NSIsIndexed")
        property.versionHashModifier = try object.text("NSVersionHashModifier")
        property.renamingIdentifier = try renaming(object, name)
        property.userInfo = try userInfo(object)
        return property
    }

    private func attribute() throws -> AttributeDescription {
        guard let code = try object.integer("NSAttributeType"),
            let type = AttributeType(rawValue: Int(truncatingIfNeeded: code))
        else { throw CompiledModelProblem("one of its attributes has an unknown type") }
        let attribute = AttributeDescription(name, type)
        attribute.valueTransformerName = try object.text("NSValueTransformerName")
        if type == .transformable {
            attribute.valueClassName = try object.text("NSAttributeValueClassName")
        }
        let flags = Flags(rawValue: try object.integer("NSFlagsKey") ?? 0)
        attribute.allowsExternalStorage = flags.contains(.storesExternally)
        attribute.preservesValueOnDeletion = flags.contains(.isKeptOnDeletion)
        attribute.allowsCloudEncryption = flags.contains(.isEncryptedInCloud)
        if let value = try object.field("NSDefaultValue") {
            attribute.defaultValue = try CompiledValue(value).value(as: type)
        }
        if let expression = try object.field("NSDerivationExpression") {
            attribute.derivation = try CompiledDerivation(expression).derivation()
        }
        return attribute
    }

    private func relationship() throws -> RelationshipDescription {
        let destination =
            try object.text("_NSDestinationEntityName")
            ?? object.field("NSDestinationEntity")?.text("NSEntityName")
        guard let destination else {
            throw CompiledModelProblem("one of its relationships has no destination")
        }
        let relationship = RelationshipDescription(
            name,
            to: destination,
            inverse: try object.text("_NSInverseRelationshipName")
                ?? object.field("NSInverseRelationship")?.text("NSPropertyName")
        )
        relationship.isOrdered = try object.flag("NSIsOrdered")
        relationship.minCount = Int(clamping: max(0, try object.integer("NSMinCount") ?? 0))
        let most = try object.integer("NSMaxCount") ?? 0
        // No bound is written as 0, as -1, or as the largest number.
        relationship.maxCount = most < 0 || most >= Int32.max ? 0 : Int(most)
        let rule = try object.integer("NSDeleteRule") ?? 0
        relationship.deleteRule = DeleteRule(rawValue: Int(truncatingIfNeeded: rule)) ?? .noAction
        return relationship
    }
}

/// The default value of an attribute.
struct CompiledValue {
    private let object: KeyedArchive.Object

    init(_ object: KeyedArchive.Object) { self.object = object }

    /// The value in the type of its attribute; null where the archive has another kind, such as an
    /// object of a class of the program.
    func value(as type: AttributeType) throws -> GraphValue {
        switch type {
        case .integer16, .integer32, .integer64:
            guard case .integer(let number)? = try object.number() else { return .null }
            return .int(number)
        case .boolean:
            switch try object.number() {
            case .flag(let flag): return .bool(flag)
            case .integer(let number): return .bool(number != 0)
            default: return .null
            }
        case .double, .float:
            switch try object.number() {
            case .integer(let number): return .double(Double(number))
            case .real(let number): return .double(number)
            default: return .null
            }
        case .decimal: return try decimal().map { .decimal($0) } ?? .null
        case .string: return try object.text().map { .string($0) } ?? .null
        case .date:
            guard case .real(let seconds)? = try object.field("NS.time")?.number() else {
                return .null
            }
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .binary: return try object.data().map { .data($0) } ?? .null
        case .uuid:
            guard let bytes = try object.field("NS.uuidbytes")?.data(), bytes.count == 16 else {
                return .null
            }
            return .uuid(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
        case .uri:
            let text = try object.text("NS.relative")
            return text.flatMap { URL(string: $0) }.map { .url($0) } ?? .null
        case .undefined, .transformable, .objectID, .composite: return .null
        }
    }

    private func decimal() throws -> Decimal? {
        switch try object.number() {
        case .integer(let number): return Decimal(number)
        case .real(let number): return Decimal(string: "\(number)")
        default: break
        }
        guard let mantissa = try object.field("NS.mantissa")?.data(), mantissa.count == 16,
            let exponent = try object.integer("NS.exponent"), (-128...127).contains(exponent)
        else { return nil }
        let isLittle = try object.integer("NS.mantissa.bo") != 2
        let count = Int(clamping: try object.integer("NS.length") ?? 8)
        let bytes = [UInt8](mantissa)
        var number = Decimal(0)
        for word in (0..<max(0, min(count, 8))).reversed() {
            let (first, second) = (Int(bytes[2 * word]), Int(bytes[2 * word + 1]))
            number = number * 65536 + Decimal(isLittle ? second << 8 | first : first << 8 | second)
        }
        let sign: FloatingPointSign = try object.flag("NS.negative") ? .minus : .plus
        return Decimal(sign: sign, exponent: Int(exponent), significand: number)
    }
}

/// The expression of a derived attribute.
struct CompiledDerivation {
    private static let depthLimit = 16

    private let object: KeyedArchive.Object

    init(_ object: KeyedArchive.Object) { self.object = object }

    /// The text of the expression; `nil` if it has none of the forms of derivations.
    func derivation() throws -> String? {
        let text = try self.text(depth: 0)
        return text.flatMap { Derivation($0) == nil ? nil : $0 }
    }

    private func text(depth: Int) throws -> String? {
        if depth > CompiledDerivation.depthLimit { return nil }
        // The types of expressions: 3 a key path, 4 a function, 10 the name in a key path.
        switch try object.integer("NSExpressionType") {
        case 10: return try object.text("NSKeyPath")
        case 3:
            guard let argument = try object.field("NSArguments")?.items().first else {
                return try object.text("NSKeyPath")
            }
            return try CompiledDerivation(argument).text(depth: depth + 1)
        case 4:
            let function = try object.text("NSSelectorName") ?? ""
            if function == "now" || function == "now:" { return "now()" }
            guard let argument = try object.field("NSArguments")?.items().first,
                let path = try CompiledDerivation(argument).text(depth: depth + 1)
            else { return nil }
            switch function {
            case "count:": return path + ".@count"
            case "sum:": return path + ".@sum"
            case "min:": return path + ".@min"
            case "max:": return path + ".@max"
            case "average:": return path + ".@avg"
            case "canonical:", "uppercase:", "lowercase:": return "\(function)(\(path))"
            case "valueForKeyPath:": return path
            default: return nil
            }
        default: return nil
        }
    }
}
