public import ObjectModel

/// Objects with the same values under a uniqueness constraint; one of the
/// ``ObjectGraphError/underlying`` errors of a save that failed with code 133021.
public struct ConstraintConflict: Error {
    /// The attributes that together identify an object.
    public let constraint: [String]
    /// The object that has the values in the store; `nil` if only new objects conflict.
    public let databaseObject: ManagedObjectID?
    /// The objects of this context with these values; new ones have temporary IDs.
    public let conflictingObjects: [ManagedObjectID]
    /// The attributes and to-one relationships (as object IDs) of each of them, by name.
    public let conflictingSnapshots: [[String: GraphValue]]
}

extension ConstraintConflict: CustomStringConvertible {
    /// The conflict in words, without the values.
    public var description: String {
        let objects = (databaseObject.map { [$0] } ?? []) + conflictingObjects
        return "\(objects.map { "\($0.uri)" }.joined(separator: ", ")) have the same "
            + "\(constraint.joined(separator: ", "))."
    }
}

// Safety: as for `ObjectGraphError`.
extension ConstraintConflict: @unchecked Sendable {}
