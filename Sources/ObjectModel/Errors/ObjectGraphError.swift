/// The one error type of the framework.
///
/// `description` is a sentence for people: what is wrong, where, and what to do. It never holds
/// a private value; ``value`` does, for a form that wants to show it.
public struct ObjectGraphError: Error {
    /// What went wrong, in Core Data's numbers.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    public var code: Code
    /// One sentence, without private values.
    public var message: String
    /// What to do next, one sentence; empty if the message says it.
    public var recovery: String
    /// The objects concerned.
    public var objectIDs: [ManagedObjectID]
    /// The property concerned.
    public var key: String?
    /// The refused value.
    public var value: Value?
    /// The violated rule with its bound.
    public var rule: ValidationRule?
    /// The single errors behind a combined one, or the cause.
    public var underlying: [any Error]

    public init(
        _ code: Code,
        _ message: String,
        recovery: String = "",
        objectIDs: [ManagedObjectID] = [],
        key: String? = nil,
        value: Value? = nil,
        rule: ValidationRule? = nil,
        underlying: [any Error] = []
    ) {
        self.code = code
        self.message = message
        self.recovery = recovery
        self.objectIDs = objectIDs
        self.key = key
        self.value = value
        self.rule = rule
        self.underlying = underlying
    }
}

extension ObjectGraphError: @unchecked Sendable {}

extension ObjectGraphError: CustomStringConvertible {
    public var description: String {
        recovery.isEmpty ? message : "\(message) \(recovery)"
    }
}

extension ObjectGraphError.Code {
    public static let validation = Self(rawValue: 1550)
    public static let constraintValidation = Self(rawValue: 1551)
    public static let multipleErrors = Self(rawValue: 1560)
    public static let missingMandatory = Self(rawValue: 1570)
    public static let tooFewObjects = Self(rawValue: 1580)
    public static let tooManyObjects = Self(rawValue: 1590)
    public static let deleteDenied = Self(rawValue: 1600)
    public static let numberTooLarge = Self(rawValue: 1610)
    public static let numberTooSmall = Self(rawValue: 1620)
    public static let dateTooLate = Self(rawValue: 1630)
    public static let dateTooSoon = Self(rawValue: 1640)
    public static let invalidDate = Self(rawValue: 1650)
    public static let stringTooLong = Self(rawValue: 1660)
    public static let stringTooShort = Self(rawValue: 1670)
    public static let stringPattern = Self(rawValue: 1680)

    public static let referentialIntegrity = Self(rawValue: 133000)
    public static let externalRelationship = Self(rawValue: 133010)
    public static let mergeConflict = Self(rawValue: 133020)
    public static let constraintConflict = Self(rawValue: 133021)
    public static let invalidStoreType = Self(rawValue: 134000)
    public static let storeTypeMismatch = Self(rawValue: 134010)
    public static let incompatibleSchema = Self(rawValue: 134020)
    public static let saveFailed = Self(rawValue: 134030)
    public static let incompleteSave = Self(rawValue: 134040)
    public static let unsupported = Self(rawValue: 134060)
    public static let operationFailed = Self(rawValue: 134070)
    public static let cannotOpen = Self(rawValue: 134080)
    public static let timedOut = Self(rawValue: 134090)
    public static let incompatibleVersion = Self(rawValue: 134100)
    public static let cancelled = Self(rawValue: 134120)
    public static let sqlite = Self(rawValue: 134180)
    public static let historyExpired = Self(rawValue: 134301)

    /// A predicate or expression format that cannot be parsed; this and what follows is ours.
    public static let invalidFormat = Self(rawValue: 140000)
    /// A predicate that cannot be evaluated on this object.
    public static let cannotEvaluate = Self(rawValue: 140001)
    /// A key that the object does not have.
    public static let undefinedKey = Self(rawValue: 140002)
    /// A value of a kind that the property does not take.
    public static let wrongValueKind = Self(rawValue: 140003)
    /// A model that contradicts itself.
    public static let invalidModel = Self(rawValue: 140004)
    /// A file that is damaged or not what its name promises.
    public static let damagedFile = Self(rawValue: 140005)
    /// A request that makes no sense, such as a sort by a to-many relationship.
    public static let invalidRequest = Self(rawValue: 140006)
    /// An undo manager used out of order.
    public static let undoState = Self(rawValue: 140007)
    /// The store is full or cannot be written.
    public static let cannotWrite = Self(rawValue: 140008)
    /// The file of an open store was deleted, or replaced by another one.
    ///
    /// Nothing was saved and nothing is read from it any more; objects keep their values and
    /// pending changes. Open the store again, or write them to another place.
    public static let storeReplaced = Self(rawValue: 140009)
}
