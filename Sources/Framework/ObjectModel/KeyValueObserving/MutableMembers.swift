/// The members of an unordered to-many key, changed through the object; see
/// ``KeyValueCoding/mutableSetValue(forKey:)``.
///
/// Each change is made at once: both sides of a relationship are updated, and observers learn which
/// members were added and removed.
///
/// - Complexity: a change of a managed object's relationship costs as much as its typed accessor; a
///   change of a plain object is O(members).
public struct MutableSetValue {
    private let object: any KeyValueCoding
    private let key: String

    fileprivate init(_ object: any KeyValueCoding, _ key: String) {
        self.object = object
        self.key = key
    }

    /// The members now.
    public var members: Set<GraphValue> {
        Set(((try? object.value(forKey: key)) ?? .null).elements ?? [])
    }
    public var count: Int { object.direct?.memberCount(forKey: key) ?? members.count }

    public func contains(_ member: GraphValue) -> Bool {
        object.direct?.isMember(member, forKey: key) ?? members.contains(member)
    }

    /// Adds a member; one that is a member already stays.
    ///
    /// - Throws: `ObjectGraphError` if the member has the wrong kind.
    public func insert(_ member: GraphValue) throws { try formUnion([member]) }

    /// Removes a member; another value is ignored.
    ///
    /// - Throws: `ObjectGraphError` if the object refuses the change.
    public func remove(_ member: GraphValue) throws { try subtract([member]) }

    /// Adds the members that are missing; if none is missing, nobody is notified.
    ///
    /// - Throws: `ObjectGraphError` if a member has the wrong kind.
    public func formUnion(_ others: Set<GraphValue>) throws {
        try change(joining: others.subtracting(present(others)), leaving: [])
    }

    /// Removes some members; other values are ignored.
    ///
    /// - Throws: `ObjectGraphError` if the object refuses the change.
    public func subtract(_ others: Set<GraphValue>) throws {
        try change(joining: [], leaving: present(others))
    }

    /// The values among `others` that are members.
    private func present(_ others: Set<GraphValue>) -> Set<GraphValue> {
        object.direct == nil ? members.intersection(others) : others.filter(contains)
    }

    /// Removes all members that are not among the others.
    ///
    /// - Throws: `ObjectGraphError` if the object refuses the change.
    public func formIntersection(_ others: Set<GraphValue>) throws {
        try subtract(members.subtracting(others))
    }

    /// Replaces all members.
    ///
    /// - Throws: `ObjectGraphError` if a member has the wrong kind.
    public func replace(with others: Set<GraphValue>) throws {
        let present = members
        try change(joining: others.subtracting(present), leaving: present.subtracting(others))
    }

    private func change(joining: Set<GraphValue>, leaving: Set<GraphValue>) throws {
        if joining.isEmpty, leaving.isEmpty { return }
        let touch: KeyTouch =
            leaving.isEmpty
            ? .membership(.insertion, .set(joining))
            : joining.isEmpty ? .membership(.removal, .set(leaving)) : .members
        try object.changingMembers(key, touch) {
            for member in leaving { try object.removeMember(member, forKey: key) }
            for member in joining { try object.insertMember(member, forKey: key, at: nil) }
        }
    }

    /// Removes all members.
    ///
    /// - Throws: `ObjectGraphError` if the object refuses the change.
    public func removeAll() throws { try subtract(members) }
}

/// The members of an ordered to-many key, changed by index; see
/// ``KeyValueCoding/mutableArrayValue(forKey:)``.
///
/// An index out of range traps, as in an array.
public struct MutableArrayValue {
    private let object: any KeyValueCoding
    private let key: String
    /// Whether a member can occur only once.
    private let isUnique: Bool

    fileprivate init(_ object: any KeyValueCoding, _ key: String, isUnique: Bool) {
        self.object = object
        self.key = key
        self.isUnique = isUnique
    }

    /// The members now, in order.
    public var members: [GraphValue] { ((try? object.value(forKey: key)) ?? .null).elements ?? [] }
    public var count: Int { object.direct?.memberCount(forKey: key) ?? members.count }

    public subscript(index: Int) -> GraphValue {
        object.direct?.member(at: index, forKey: key) ?? members[index]
    }

    /// Whether a value that can occur only once is a member already.
    private func isTaken(_ member: GraphValue) -> Bool {
        isUnique
            && contains(member)
    }

    public func contains(_ member: GraphValue) -> Bool {
        object.direct?.isMember(member, forKey: key) ?? members.contains(member)
    }

    /// Appends a member; in an ordered set a present member stays where it is.
    ///
    /// - Throws: `ObjectGraphError` if the member has the wrong kind.
    public func append(_ member: GraphValue) throws { try insert(member, at: count) }

    /// Appends members, as one change.
    ///
    /// - Throws: `ObjectGraphError` if a member has the wrong kind.
    public func append(contentsOf others: [GraphValue]) throws {
        try insert(contentsOf: others, at: count)
    }

    /// Inserts members at an index, as one change; in an ordered set present members stay where
    /// they are.
    ///
    /// - Throws: `ObjectGraphError` if a member has the wrong kind.
    public func insert(contentsOf others: [GraphValue], at index: Int) throws {
        var seen: Set<GraphValue> = []
        let new = isUnique ? others.filter { !contains($0) && seen.insert($0).inserted } : others
        if new.isEmpty { return }
        try object.changingMembers(key, .places(.insertion, RangeSet(index..<(index + new.count))))
        {
            for (offset, member) in new.enumerated() {
                try object.insertMember(member, forKey: key, at: index + offset)
            }
        }
    }

    /// Removes the members at some indexes, as one change.
    ///
    /// - Throws: `ObjectGraphError` if the object refuses the change.
    public func remove(at indexes: RangeSet<Int>) throws {
        if indexes.isEmpty { return }
        let places = indexes.ranges.flatMap { Array($0) }
        let leaving = places.map { (place: $0, member: self[$0]) }
        try object.changingMembers(key, .places(.removal, indexes)) {
            for (place, member) in leaving.reversed() {
                if isUnique {
                    try object.removeMember(member, forKey: key)
                } else {
                    try object.removeMember(member, forKey: key, at: place)
                }
            }
        }
    }

    /// Removes every occurrence of some members, as one change.
    ///
    /// - Throws: `ObjectGraphError` if the object refuses the change.
    public func subtract(_ others: Set<GraphValue>) throws {
        try remove(at: places { others.contains($0) })
    }

    /// Removes all members that are not among the others.
    ///
    /// - Throws: `ObjectGraphError` if the object refuses the change.
    public func formIntersection(_ others: Set<GraphValue>) throws {
        try remove(at: places { !others.contains($0) })
    }

    /// Appends the members that are missing, in their order.
    ///
    /// - Throws: `ObjectGraphError` if a member has the wrong kind.
    public func formUnion(_ others: [GraphValue]) throws {
        var present = Set(members)
        try append(contentsOf: others.filter { present.insert($0).inserted })
    }

    /// Replaces all members, as one change.
    ///
    /// - Throws: `ObjectGraphError` if a member has the wrong kind.
    public func replace(with others: [GraphValue]) throws {
        try object.changingMembers(key, .members) {
            try object.setValue(.array(others), forKey: key)
        }
    }

    /// Exchanges two members.
    ///
    /// - Throws: `ObjectGraphError` if the object refuses the change.
    public func swapAt(_ first: Int, _ second: Int) throws {
        if first == second { return }
        var changed = members
        changed.swapAt(first, second)
        let places = RangeSet([first, second], within: changed)
        try object.changingMembers(key, .places(.replacement, places)) {
            try object.setValue(.array(changed), forKey: key)
        }
    }

    private func places(_ condition: (GraphValue) -> Bool) -> RangeSet<Int> {
        let members = members
        return RangeSet(members.indices.filter { condition(members[$0]) }, within: members)
    }

    /// Inserts a member at an index; in an ordered set a present member stays where it is.
    ///
    /// - Throws: `ObjectGraphError` if the member has the wrong kind.
    public func insert(_ member: GraphValue, at index: Int) throws {
        if isTaken(member) { return }
        try object.changingMembers(key, .at(index, .insertion)) {
            try object.insertMember(member, forKey: key, at: index)
        }
    }

    /// Removes the member at an index.
    ///
    /// - Throws: `ObjectGraphError` if the object refuses the change.
    public func remove(at index: Int) throws {
        let member = self[index]
        try object.changingMembers(key, .at(index, .removal)) {
            if isUnique {
                try object.removeMember(member, forKey: key)
            } else {
                try object.removeMember(member, forKey: key, at: index)
            }
        }
    }

    /// Replaces the member at an index; in an ordered set nothing happens if the new one is a
    /// member already.
    ///
    /// - Throws: `ObjectGraphError` if the member has the wrong kind.
    public func replace(at index: Int, with member: GraphValue) throws {
        if isTaken(member) { return }
        if object.direct?.hasOrderedMembers(forKey: key) == true {
            let former = self[index]
            return try object.changingMembers(key, .at(index, .replacement)) {
                // Insert first, because it can fail: a member of the wrong kind must not cost the
                // present one.
                try object.insertMember(member, forKey: key, at: index)
                try object.removeMember(former, forKey: key)
            }
        }
        var changed = members
        changed[index] = member
        try object.changingMembers(key, .at(index, .replacement)) {
            try object.setValue(.array(changed), forKey: key)
        }
    }

    /// Moves a member; `target` is its index after the move.
    ///
    /// - Throws: `ObjectGraphError` if the object refuses the change.
    public func move(from index: Int, to target: Int) throws {
        if let direct = object.direct, direct.hasOrderedMembers(forKey: key) == true {
            return try object.changingMembers(key, .members) {
                _ = direct.moveMember(from: index, to: target, forKey: key)
            }
        }
        var changed = members
        changed.insert(changed.remove(at: index), at: target)
        try object.changingMembers(key, .members) {
            try object.setValue(.array(changed), forKey: key)
        }
    }

    /// Removes all members, as one change.
    ///
    /// - Throws: `ObjectGraphError` if the object refuses the change.
    public func removeAll() throws {
        let count = count
        if count == 0 { return }
        try object.changingMembers(key, .places(.removal, RangeSet(0..<count))) {
            try object.setValue(.array([]), forKey: key)
        }
    }
}

extension KeyValueCoding {
    /// The members of an unordered to-many key, to be changed through the object.
    ///
    /// - Throws: `ObjectGraphError` if the key does not exist or does not hold members.
    public func mutableSetValue(forKey key: String) throws -> MutableSetValue {
        try requireMembers(key)
        return MutableSetValue(self, key)
    }

    /// As ``mutableSetValue(forKey:)``, for the object at the end of the path before the last key.
    ///
    /// - Throws: also `ObjectGraphError` if the path does not lead to an object.
    public func mutableSetValue(forKeyPath keyPath: String) throws -> MutableSetValue {
        let (object, key) = try owner(ofKeyPath: keyPath)
        return try object.mutableSetValue(forKey: key)
    }

    /// As ``mutableOrderedSetValue(forKey:)``, for the object at the end of the path before the
    /// last key.
    ///
    /// - Throws: also `ObjectGraphError` if the path does not lead to an object.
    public func mutableOrderedSetValue(forKeyPath keyPath: String) throws -> MutableArrayValue {
        let (object, key) = try owner(ofKeyPath: keyPath)
        return try object.mutableOrderedSetValue(forKey: key)
    }

    /// As ``mutableArrayValue(forKey:)``, for the object at the end of the path before the last
    /// key.
    ///
    /// - Throws: also `ObjectGraphError` if the path does not lead to an object.
    public func mutableArrayValue(forKeyPath keyPath: String) throws -> MutableArrayValue {
        let (object, key) = try owner(ofKeyPath: keyPath)
        return try object.mutableArrayValue(forKey: key)
    }

    /// The members of an ordered to-many key, each of them once.
    ///
    /// - Throws: `ObjectGraphError` if the key does not exist or does not hold ordered members.
    public func mutableOrderedSetValue(forKey key: String) throws -> MutableArrayValue {
        try requireMembers(key, ordered: true)
        return MutableArrayValue(self, key, isUnique: true)
    }

    /// The members of an ordered to-many key of a plain object, where a member may occur twice; for
    /// a managed object the same as ``mutableOrderedSetValue(forKey:)``.
    ///
    /// - Throws: `ObjectGraphError` if the key does not exist or does not hold ordered members.
    public func mutableArrayValue(forKey key: String) throws -> MutableArrayValue {
        try requireMembers(key, ordered: true)
        return MutableArrayValue(self, key, isUnique: managedObjectID != nil)
    }

    private func requireMembers(_ key: String, ordered: Bool = false) throws {
        if let isOrdered = direct?.hasOrderedMembers(forKey: key), isOrdered || !ordered { return }
        let value = try self.value(forKey: key)
        switch value {
        case .array: return
        case .set where !ordered: return
        default: try refuseMembers(key, value)
        }
    }

    /// Adds a member to a key that holds several; the index matters for ordered keys only.
    ///
    /// - Throws: `ObjectGraphError` if the key does not hold members, or if the member has the
    ///   wrong kind.
    public func insertMember(_ member: GraphValue, forKey key: String, at index: Int?) throws {
        switch try value(forKey: key) {
        case .array(var members):
            members.insert(member, at: index ?? members.count)
            try setValue(.array(members), forKey: key)
        case .set(var members):
            members.insert(member)
            try setValue(.set(members), forKey: key)
        case let other: try refuseMembers(key, other)
        }
    }

    /// Removes a member from a key that holds several; a value that is not a member is ignored.
    ///
    /// - Throws: `ObjectGraphError` if the key does not hold members.
    public func removeMember(_ member: GraphValue, forKey key: String) throws {
        switch try value(forKey: key) {
        case .array(var members):
            guard let index = members.firstIndex(of: member) else { return }
            members.remove(at: index)
            try setValue(.array(members), forKey: key)
        case .set(var members):
            members.remove(member)
            try setValue(.set(members), forKey: key)
        case let other: try refuseMembers(key, other)
        }
    }

    private func refuseMembers(_ key: String, _ value: GraphValue) throws {
        throw ObjectGraphError(
            .wrongValueKind,
            "\"\(key)\" of \(kindForMessages) holds \(value.kindWithArticle), not members of that kind.",
            recovery: "Use it with a to-many key.",
            key: key
        )
    }

    /// The object, if it may know members by identity.
    fileprivate var direct: (any DirectMembers)? { self as? any DirectMembers }

    /// Removes a member from an ordered key that may hold it more than once; the index says which.
    ///
    /// Calls ``removeMember(_:forKey:)`` where that removes the right one.
    ///
    /// - Throws: `ObjectGraphError` if the key does not hold members.
    public func removeMember(_ member: GraphValue, forKey key: String, at index: Int) throws {
        guard case .array(var members) = try value(forKey: key), members.indices.contains(index),
            members.firstIndex(of: member) != index
        else { return try removeMember(member, forKey: key) }
        members.remove(at: index)
        try setValue(.array(members), forKey: key)
    }

    /// Changes members as one change of a known kind.
    fileprivate func changingMembers(
        _ key: String,
        _ touch: KeyTouch,
        _ body: () throws -> Void
    ) throws {
        guard let observers = (self as? any KeyValueObserving)?.keyObservers else {
            return try body()
        }
        try observers.perform(key, touch, body)
    }
}

extension KeyTouch {
    /// One member at a place.
    fileprivate static func at(_ index: Int, _ kind: KeyValueChange.Kind) -> KeyTouch {
        .places(kind, RangeSet(index..<(index + 1)))
    }
}
