public import FoundationEssentials

/// One value of a property, of a predicate's operand, or of a key path's result.
///
/// It is both the slot in which an object keeps a property and the type that key-value coding
/// passes, so that nothing is boxed between a column and an accessor. A value fits in 17 bytes;
/// `Decimal` does not, and is boxed.
///
/// Numbers compare as Foundation's `NSNumber` does: `.int(1) == .double(1) == .bool(true)`.
/// Objects compare by identity.
public enum GraphValue {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    indirect case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    /// The identity of a managed object, e.g. what a to-one relationship's slot holds.
    case objectID(ManagedObjectID)
    /// A managed object or a plain one that answers to keys.
    case object(any KeyValueCoding)
    case array([GraphValue])
    case set(Set<GraphValue>)
    case dictionary([String: GraphValue])
    /// Anything else: the object of a transformable attribute, or the members of a relationship.
    case opaque(AnyObject)

    /// Whether this is `nil`.
    @inlinable public var isNull: Bool {
        if case .null = self { return true }
        return false
    }
}

extension GraphValue {
    /// The members of an array, a set or a dictionary (its values); `nil` for a scalar.
    public var elements: [GraphValue]? {
        switch self {
        case .array(let values): values
        case .set(let values): Array(values)
        case .dictionary(let values): Array(values.values)
        default: nil
        }
    }

    /// Whether this is a number: Boolean, integer, floating point or decimal.
    public var isNumber: Bool {
        switch self {
        case .bool, .int, .double, .decimal: true
        default: false
        }
    }

    /// What kind of value this is, for messages; never the value itself.
    public var kindName: String {
        switch self {
        case .null: "nil"
        case .bool: "Boolean"
        case .int: "integer"
        case .double: "floating point number"
        case .decimal: "decimal number"
        case .string: "string"
        case .date: "date"
        case .data: "data"
        case .uuid: "UUID"
        case .url: "URL"
        case .objectID: "object ID"
        case .object: "object"
        case .array: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        case .opaque: "opaque object"
        }
    }
}

extension GraphValue {
    /// The kind with its article, for messages: `a string`, `an integer`.
    public var kindWithArticle: String { kindName.withArticle }

    /// The same at the start of a sentence: `A string`, `An integer`.
    public var kindAtStart: String { kindName.withArticle.capitalizedFirst }
}

extension AttributeType {
    /// The editor's name with its article, for messages: `a String`, `an Integer 16`,
    /// `Binary Data`.
    public var nameWithArticle: String {
        self == .binary ? shownName : shownName.withArticle
    }
}

extension String {
    /// The name of a kind after "a" or "an".
    ///
    /// "UUID" and "URL" begin with a consonant sound; "data" has no article.
    package var withArticle: String {
        if self == "data" { return self }
        let isVowel = "aeioAEIO".contains(first ?? "x") || hasPrefix("Un") || hasPrefix("un")
        return (isVowel ? "an " : "a ") + self
    }

    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
