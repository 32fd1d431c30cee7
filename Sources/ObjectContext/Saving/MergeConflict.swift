public import ObjectModel

/// One object that was changed here and by somebody else; one of the
/// ``ObjectGraphError/underlying`` errors of a save that failed with code 133020.
///
/// Snapshots hold attributes and to-one relationships as object IDs, by name.
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
        if newVersion == 0 { return "\(objectID.uri) was deleted by somebody else." }
        let names = keys.isEmpty ? "" : ": \(keys.joined(separator: ", "))"
        return "\(objectID.uri) was changed by somebody else\(names)."
    }
}

extension MergeConflict: @unchecked Sendable {}
