/// The one error type of the framework.
///
/// `description` is a sentence for people: what is wrong, where, and what to do. It never holds a
/// private value; ``value`` does, for a form that shows it.
public struct ObjectGraphError: Error {
    /// What went wrong, in Core Data's numbers where it has one.
    ///
    /// Each code says when it is thrown and what to do.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// What went wrong.
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
    public var value: GraphValue?
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
        value: GraphValue? = nil,
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

// Safety: nobody changes the values of attributes that an error carries. A value may be an object of the
// program, which it uses where it uses it otherwise.
extension ObjectGraphError: @unchecked Sendable {}

extension ObjectGraphError: CustomStringConvertible {
    public var description: String {
        recovery.isEmpty ? message : "\(message) \(recovery)"
    }
}

extension ObjectGraphError.Code {
    /// A value breaks a predicate of its attribute, or is a number that no store keeps: NaN.
    ///
    /// Thrown on save and by `validate…`. Correct the value of ``ObjectGraphError/key``.
    public static let validation = Self(rawValue: 1550)

    /// Two objects of one save share values that must be unique.
    ///
    /// Not thrown: the framework reports ``constraintConflict``. The number is Core Data's, for
    /// rules of your own classes.
    public static let constraintValidation = Self(rawValue: 1551)

    /// Several rules are broken at once.
    ///
    /// Thrown on save. Handle each error in ``ObjectGraphError/underlying``; ``ErrorAdvice`` makes
    /// one text of them.
    public static let multipleErrors = Self(rawValue: 1560)

    /// A required attribute or to-one relationship is `nil`.
    ///
    /// Thrown on save, by `validate…` and by a batch request that would store `nil`. Set a value.
    public static let missingMandatory = Self(rawValue: 1570)

    /// A to-many relationship has fewer objects than its minimum.
    ///
    /// Thrown on save. Add objects.
    public static let tooFewObjects = Self(rawValue: 1580)

    /// A to-many relationship has more objects than its maximum.
    ///
    /// Thrown on save. Remove objects.
    public static let tooManyObjects = Self(rawValue: 1590)

    /// An object is deleted while a relationship with the rule ``DeleteRule/deny`` still has
    /// objects.
    ///
    /// Thrown on save. Delete or move those objects first, or keep this one.
    public static let deleteDenied = Self(rawValue: 1600)

    /// A number is above its maximum, or above the largest number of its integer type.
    ///
    /// Thrown on save and by `validate…`. Give a smaller number; ``ObjectGraphError/rule`` has the
    /// bound.
    public static let numberTooLarge = Self(rawValue: 1610)

    /// A number is below its minimum, or below the smallest number of its integer type.
    ///
    /// Thrown on save and by `validate…`. Give a larger number; ``ObjectGraphError/rule`` has the
    /// bound.
    public static let numberTooSmall = Self(rawValue: 1620)

    /// A date is after its maximum.
    ///
    /// Thrown on save and by `validate…`. Give an earlier date.
    public static let dateTooLate = Self(rawValue: 1630)

    /// A date is before its minimum.
    ///
    /// Thrown on save and by `validate…`. Give a later date.
    public static let dateTooSoon = Self(rawValue: 1640)

    /// A date that does not exist: one whose number of seconds is NaN.
    ///
    /// Thrown on save and by `validate…`. Set another date, or `nil`.
    public static let invalidDate = Self(rawValue: 1650)

    /// A text has more characters than its maximum.
    ///
    /// Thrown on save and by `validate…`. Shorten it.
    public static let stringTooLong = Self(rawValue: 1660)

    /// A text has fewer characters than its minimum.
    ///
    /// Thrown on save and by `validate…`. Write a longer one.
    public static let stringTooShort = Self(rawValue: 1670)

    /// A text does not match the regular expression of its attribute.
    ///
    /// Thrown on save and by `validate…`. Write it in the form that ``ObjectGraphError/rule``
    /// shows.
    public static let stringPattern = Self(rawValue: 1680)

    /// An object does not exist in the stores, or a saved object refers to one that is not saved.
    ///
    /// Thrown on save and by `existingObject(with:)`. Fetch again, or save both objects together.
    public static let referentialIntegrity = Self(rawValue: 133000)

    /// A relationship leads to an object of another store.
    ///
    /// Thrown on save. Keep both objects in one store, or use a fetched property.
    public static let externalRelationship = Self(rawValue: 133010)

    /// Another program or context has changed the same objects since they were read.
    ///
    /// Thrown on save under `MergePolicy.error`, and by an undo from the history whose objects
    /// have changed since. Refresh the objects in ``ObjectGraphError/objectIDs`` and save again, or
    /// set another merge policy.
    public static let mergeConflict = Self(rawValue: 133020)

    /// Another object already has the values that a uniqueness constraint wants to be unique.
    ///
    /// Thrown on save. Change the values, or set a merge policy that joins the two objects.
    public static let constraintConflict = Self(rawValue: 133021)

    /// No store type has this name.
    ///
    /// Thrown when a store is opened. Use `StoreType.sqlite` or `StoreType.inMemory`.
    public static let invalidStoreType = Self(rawValue: 134000)

    /// The metadata of a file name another store type.
    ///
    /// Thrown when a store is opened. Open it with its own type.
    public static let storeTypeMismatch = Self(rawValue: 134010)

    /// The layout of a store does not match the model.
    ///
    /// Not thrown: the framework reports ``incompatibleVersion``. The number is Core Data's.
    public static let incompatibleSchema = Self(rawValue: 134020)

    /// An entity has no primary keys left.
    ///
    /// Thrown on save. Copy its objects to a new store.
    public static let saveFailed = Self(rawValue: 134030)

    /// A save covers several stores; one has committed and another failed.
    ///
    /// Remove the cause, which is in ``ObjectGraphError/underlying``, and save again: only the
    /// other stores are written.
    public static let incompleteSave = Self(rawValue: 134040)

    /// The store, the file or the kind of object cannot do what is asked.
    ///
    /// The message says what to use instead.
    public static let unsupported = Self(rawValue: 134060)

    /// Objects still change in `willSave()` after the last permitted pass.
    ///
    /// Thrown on save. Compare before you set in `willSave()`, or set primitive values there.
    public static let operationFailed = Self(rawValue: 134070)

    /// A file is missing, is empty, is a folder, is not a database, is open already, or may not be
    /// read.
    ///
    /// Thrown when a store is opened. Check the path and the permissions, or restore a backup.
    public static let cannotOpen = Self(rawValue: 134080)

    /// Another program holds the lock of the store for longer than the timeout.
    ///
    /// Nothing was changed. Try again when it is done.
    public static let timedOut = Self(rawValue: 134090)

    /// A store was made with another version of the model, or by a newer version of the framework.
    ///
    /// Thrown when a store is opened. Migrate it, or open it with the model that it was made with.
    public static let incompatibleVersion = Self(rawValue: 134100)

    /// A migration failed: the objects do not fit the new model, or the new store cannot be written.
    ///
    /// Nothing was changed. The message says which entity and property do not fit.
    public static let migration = Self(rawValue: 134110)

    /// Objects of a store violate a uniqueness constraint that the new model has.
    ///
    /// Nothing was changed. Change the objects with the old version of the program, or remove the
    /// constraint.
    public static let migrationConstraint = Self(rawValue: 134111)

    /// A request or a migration was cancelled.
    ///
    /// Nothing was changed; ask again if that was not meant.
    public static let cancelled = Self(rawValue: 134120)

    /// The model that a store was made with is not among those that are known.
    ///
    /// Thrown by migrations. Give that model among the versions.
    public static let missingSourceModel = Self(rawValue: 134130)

    /// No mapping leads from a store's model to the new one.
    ///
    /// Thrown by migrations. Give a mapping model, or the versions between the two models.
    public static let missingMappingModel = Self(rawValue: 134140)

    /// The policy of an entity mapping failed, is not registered, or left the mapping incomplete.
    ///
    /// Thrown by migrations; nothing was changed. ``ObjectGraphError/underlying`` has the policy's
    /// own error.
    public static let migrationPolicy = Self(rawValue: 134170)

    /// SQLite reports an error that has no code of its own here; the message has SQLite's number.
    ///
    /// A value that is too large is one of them. Nothing was changed. Store large values in smaller
    /// pieces; report others.
    public static let sqlite = Self(rawValue: 134180)

    /// A change of the model that an inferred mapping cannot express.
    ///
    /// Thrown by migrations. The message names the entity and the property; use a mapping model.
    public static let inferredMapping = Self(rawValue: 134190)

    /// The history after a token was deleted.
    ///
    /// Thrown by history requests. Read all objects again and continue from the newest token.
    public static let historyExpired = Self(rawValue: 134301)

    /// The stages of a staged migration do not lead from a store's model to the new one, or lead to
    /// an older one.
    ///
    /// Correct the stages; nothing was changed.
    public static let migrationStages = Self(rawValue: 134504)

    /// The text of a predicate, an expression or a date pattern cannot be parsed.
    ///
    /// The message has the place. This code and the following are not Core Data's. Correct the text
    /// there.
    public static let invalidFormat = Self(rawValue: 140000)

    /// A predicate makes no sense for this object: text ordered against a number, a variable
    /// without a value, a function that does not exist.
    ///
    /// Correct the predicate, or bind its variables.
    public static let cannotEvaluate = Self(rawValue: 140001)

    /// The object does not have this key.
    ///
    /// Use one of the keys that the message lists; a class can answer in `value(forUndefinedKey:)`.
    public static let undefinedKey = Self(rawValue: 140002)

    /// The property does not take a value of this kind.
    ///
    /// Convert the value first; `setValuesSafely(_:)` does it.
    public static let wrongValueKind = Self(rawValue: 140003)

    /// A model contradicts itself, or contradicts the classes of the program.
    ///
    /// Thrown when it is frozen, read, edited or merged. ``ManagedObjectModel/check()`` lists every
    /// contradiction with its place and what to do.
    public static let invalidModel = Self(rawValue: 140004)

    /// A file is damaged, or is not what its name promises.
    ///
    /// Keep a copy of it and restore a backup.
    public static let damagedFile = Self(rawValue: 140005)

    /// A request makes no sense, such as a sort by a to-many relationship, or a variable without a
    /// value.
    ///
    /// Correct the part that the message names.
    public static let invalidRequest = Self(rawValue: 140006)

    /// An undo manager or a step of the history is used out of order, such as an undo within a
    /// group that is still open.
    ///
    /// End the group, or read the list of steps again.
    public static let undoState = Self(rawValue: 140007)

    /// The store is read-only, is not open, or its disk is full or fails.
    ///
    /// Nothing was changed. Free some space, change the permissions, or open the store for writing;
    /// then save again.
    public static let cannotWrite = Self(rawValue: 140008)

    /// The file of an open store was deleted, or replaced by another one.
    ///
    /// Nothing was saved, and nothing is read from it any more; objects keep their values and
    /// pending changes. Open the store again, or write them to another place.
    public static let storeReplaced = Self(rawValue: 140009)

    /// A store is read that was removed from its coordinator, or whose container was closed.
    ///
    /// Thrown by a fetch, a count, a fault and the history. Objects keep the values that were read.
    /// Open the store again; object IDs stay valid.
    public static let storeClosed = Self(rawValue: 140010)

    /// A stored value of a transformable attribute cannot be read or written by its transformer.
    ///
    /// Thrown by reading it by key, and by a fetch that needs the value. The stored data stay as they
    /// are; ``ObjectGraphError/underlying`` has the transformer's error.
    public static let unreadableValue = Self(rawValue: 140020)

    /// An encrypted value was read or set while its keys are locked.
    ///
    /// Thrown by access by key, by a fetch that needs the value, and by a save of a value that was
    /// set. Unlock the keys and try again; nothing was changed.
    public static let valuesLocked = Self(rawValue: 140021)

    /// A document is used that is not open, or that is being opened, reverted or closed.
    ///
    /// Open it, or wait until its state is normal.
    public static let documentClosed = Self(rawValue: 140030)

    /// A database server cannot be reached, or the connection to it was lost.
    ///
    /// A save with this error is not in the store, unless its message says that nobody knows.
    public static let serverUnreachable = Self(rawValue: 140040)

    /// A database server does not let the user in, or does not allow what was asked of it.
    ///
    /// Nothing was changed.
    public static let serverAccess = Self(rawValue: 140041)

    /// A database server cannot do what it was asked for.
    ///
    /// The transaction was rolled back; the underlying error has the code of the server.
    public static let server = Self(rawValue: 140042)
}
