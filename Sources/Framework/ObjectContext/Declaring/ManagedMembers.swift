/// The members of a to-many relationship of a class written by hand, to be counted and changed one
/// by one: `$name` beside `name`.
///
///     author.$books.insert(emma)          // `author.books.insert(emma)` makes a set of all first
///     author.$books.count
///     shelf.$books.move(from: 9, to: 0)   // an ordered one
///
/// Each change goes through the object at once, with both sides of the relationship in step, as
/// one change for undo and for observers.
///
/// Traps as ``Managed`` does, and for an object of another context or entity.
///
/// - Complexity: no member but those that are named becomes an object. A count reads the IDs of
///   the members, once, if they are not there yet; so does an edit of an ordered relationship.
///   Then a count, a test or an edit costs the same for ten members and for ten thousand, but that an
///   ordered edit shifts the IDs behind the place.
public struct ManagedMembers<Property> {
    let object: ManagedObject
    let slot: Int
}

extension ManagedMembers where Property: Collection, Property.Element: ManagedObject {
    public var count: Int { object.toManyCount(at: slot) }

    public var isEmpty: Bool { count == 0 }

    public func contains(_ member: Property.Element) -> Bool {
        object.isMember(member.objectID, at: slot)
    }

    /// Adds a member, to an ordered relationship at the end; one that is there already stays.
    public func insert(_ member: Property.Element) {
        object.insert(member, intoRelationshipAt: slot)
    }

    /// Removes a member; one that is not there is no error.
    public func remove(_ member: Property.Element) {
        object.remove(member, fromRelationshipAt: slot)
    }

    /// Adds several members; observers hear of them together.
    public func formUnion(_ members: some Sequence<Property.Element>) {
        object.observingTogether {
            for member in members { object.insert(member, intoRelationshipAt: slot) }
        }
    }

    /// Removes several members; observers hear of them together.
    public func subtract(_ members: some Sequence<Property.Element>) {
        object.observingTogether {
            for member in members { object.remove(member, fromRelationshipAt: slot) }
        }
    }

    /// Removes all members.
    ///
    /// - Complexity: O(members).
    public func removeAll() { object.setToMany([], at: slot) }
}

extension ManagedMembers {
    /// The member at a place of an ordered relationship; a place outside traps, as an array's does.
    public subscript<Target: ManagedObject>(index: Int) -> Target where Property == [Target] {
        let member = object.members(at: index..<(index + 1), of: slot).first
        guard let member = member as? Target else {
            Misuse.trap("\(object) has no \(Target.self) at \(index)")
        }
        return member
    }

    /// Inserts a member at a place of an ordered relationship; one that is there already stays
    /// where it is.
    public func insert<Target: ManagedObject>(_ member: Target, at index: Int)
    where Property == [Target] {
        object.insert(member, intoRelationshipAt: slot, at: index)
    }

    /// Moves a member of an ordered relationship to the place that it has afterwards.
    public func move<Target: ManagedObject>(from index: Int, to target: Int)
    where Property == [Target] {
        object.moveMember(from: index, to: target, at: slot)
    }
}
