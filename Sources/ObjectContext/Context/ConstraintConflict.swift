public import ObjectModel

/// Objects that want the same values where a uniqueness constraint allows one object to have them;
/// among the ``ObjectGraphError/underlying`` errors of a save that failed with code 133021.
public struct ConstraintConflict: Error {
    /// The attributes that together identify an object.
    public let constraint: [String]
    /// The object that has the values in the store; `nil` if only new objects collide.
    public let databaseObject: ManagedObjectID?
    /// The objects of this context that want them, temporary IDs for new ones.
    public let conflictingObjects: [ManagedObjectID]
    /// The attributes and to-one relationships (as object IDs) of each of them, by name.
    public let conflictingSnapshots: [[String: Value]]
}

extension ConstraintConflict: CustomStringConvertible {
    /// Says what collides, without the values.
    public var description: String {
        let objects = (databaseObject.map { [$0] } ?? []) + conflictingObjects
        return "\(objects.map { "\($0.uri)" }.joined(separator: ", ")) have the same "
            + "\(constraint.joined(separator: ", "))."
    }
}

extension ConstraintConflict: @unchecked Sendable {}
