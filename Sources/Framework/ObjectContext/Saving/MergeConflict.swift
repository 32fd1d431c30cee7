public import ObjectModel

/// One object that was changed here and by somebody else; one of the
/// ``ObjectGraphError/underlying`` errors of a save that failed with code 133020.
///
/// Snapshots hold attributes and to-one relationships as object IDs, by name; where the order of a
/// to-many relationship is in conflict, that too.
public struct MergeConflict: Error {
    public let objectID: ManagedObjectID
    /// The version of the row that this context had read.
    public let oldVersion: Int64
    /// The version of the row now; 0 if it was deleted.
    public let newVersion: Int64
    /// The values that this context had read.
    public let objectSnapshot: [String: GraphValue]
    /// The values that this context wants to write.
    public let objectValues: [String: GraphValue]
    /// The values of the row now; `nil` if it was deleted.
    public let storedSnapshot: [String: GraphValue]?
    /// The relationship by which the object would lead to one that does not exist; else `nil`.
    public internal(set) var relationship: String?
    /// The object at the other end of that relationship: deleted by somebody else, or deleted here
    /// while somebody else let the object lead to it.
    public internal(set) var destinationID: ManagedObjectID?
    var isDeletedHere = false

    /// Adds a property whose values are not in the row.
    func adding(
        _ key: String,
        read: GraphValue,
        wanted: GraphValue,
        stored: GraphValue
    ) -> MergeConflict {
        func with(_ value: GraphValue, _ values: [String: GraphValue]) -> [String: GraphValue] {
            values.merging([key: value]) { $1 }
        }
        return MergeConflict(
            objectID: objectID,
            oldVersion: oldVersion,
            newVersion: newVersion,
            objectSnapshot: with(read, objectSnapshot),
            objectValues: with(wanted, objectValues),
            storedSnapshot: with(stored, storedSnapshot ?? [:])
        )
    }

    /// The properties that both sides changed to different values, sorted.
    public var keys: [String] {
        guard let storedSnapshot else { return [] }
        return objectValues.keys.filter { key in
            objectValues[key] != objectSnapshot[key] && storedSnapshot[key] != objectSnapshot[key]
                && objectValues[key] != storedSnapshot[key]
        }.sorted()
    }
}

extension MergeConflict: CustomStringConvertible {
    /// The conflict in words, without the values.
    public var description: String {
        if let relationship, let destinationID {
            let link = "\(objectID.uri).\(relationship)"
            return isDeletedHere
                ? "\(link) was set to \(destinationID.uri), which is deleted here, by somebody else."
                : "\(link) leads to \(destinationID.uri), which was deleted by somebody else."
        }
        if newVersion == 0 { return "\(objectID.uri) was deleted by somebody else." }
        let names = keys.isEmpty ? "" : ": \(keys.joined(separator: ", "))"
        return "\(objectID.uri) was changed by somebody else\(names)."
    }
}

// Safety: as for `ObjectGraphError`.
extension MergeConflict: @unchecked Sendable {}
