public import FoundationEssentials

/// Which object a record is about: a name that is the same on every replica.
public struct SyncKey: Hashable, Sendable {
    /// The entity; in a ``SyncSchema`` the one that is listed there.
    public var entity: String
    /// The text of the object's identity attribute; unique in the entity.
    public var name: String

    public init(entity: String, name: String) {
        self.entity = entity
        self.name = name
    }
}

/// The values of one object, as a remote has them.
public struct SyncRecord: Hashable, Sendable {
    public var key: SyncKey
    /// The entity of which the object is made: that of the key or one of its subentities.
    public var kind: String
    /// The values by property.
    ///
    /// A property that is not there says nothing: a remote that does not know a property leaves it
    /// as it is. `.null` says that it has no value.
    public var values: [String: SyncValue]
    /// When the values were set that have no stamp of their own.
    public var modified: Date
    /// When single values were set.
    public var stamps: [String: Date]
    /// What else the remote has of the object; it is kept and given back as it is.
    public var extra: Data?

    public init(
        _ key: SyncKey,
        kind: String? = nil,
        values: [String: SyncValue] = [:],
        modified: Date = .distantPast,
        stamps: [String: Date] = [:],
        extra: Data? = nil
    ) {
        self.key = key
        self.kind = kind ?? key.entity
        self.values = values
        self.modified = modified
        self.stamps = stamps
        self.extra = extra
    }

    /// A value with its time.
    public subscript(property: String) -> StampedValue {
        StampedValue(values[property] ?? .null, stamps[property] ?? modified)
    }

    mutating func set(_ property: String, _ value: StampedValue) {
        values[property] = value.value
        stamps[property] = value.stamp
    }

    /// The same with the latest of all stamps as that of the record; equal stamps are left out.
    func compacted() -> SyncRecord {
        var result = self
        let all = values.keys.map { self[$0].stamp }
        result.modified = all.max() ?? modified
        result.stamps = [:]
        for key in values.keys where self[key].stamp != result.modified {
            result.stamps[key] = self[key].stamp
        }
        return result
    }
}
