/// The members of a to-many key, to be changed one by one by name; see
/// ``KeyValueCoding/mutableSetValue(forKey:)``.
///
/// Each change goes through the object at once: both sides of a relationship follow, observers
/// hear which members came and went.
///
/// - Complexity: a change of a managed object's relationship costs what its typed accessor costs;
///   of a plain object O(members).
public struct MutableSetValue {
    private let object: any KeyValueCoding
    private let key: String

    fileprivate init(_ object: any KeyValueCoding, _ key: String) {
        self.object = object
        self.key = key
    }

    /// The members now.
    public var members: Set<Value> {
        Set(((try? object.value(forKey: key)) ?? .null).elements ?? [])
    }
    public var count: Int { object.direct?.memberCount(forKey: key) ?? members.count }

    public func contains(_ member: Value) -> Bool {
        object.direct?.isMember(member, forKey: key) ?? members.contains(member)
    }

    /// Adds a member; one that is there already stays.
    public func insert(_ member: Value) throws { try formUnion([member]) }

    public func remove(_ member: Value) throws { try subtract([member]) }

    /// Adds the members that are not there yet; nothing is told if all are.
    public func formUnion(_ others: Set<Value>) throws {
        try change(joining: others.subtracting(present(others)), leaving: [])
    }

    public func subtract(_ others: Set<Value>) throws {
        try change(joining: [], leaving: present(others))
    }

    /// Those of some values that are members.
    private func present(_ others: Set<Value>) -> Set<Value> {
        object.direct == nil ? members.intersection(others) : others.filter(contains)
    }

    /// Keeps only members that are among the others.
    public func formIntersection(_ others: Set<Value>) throws {
        try subtract(members.subtracting(others))
    }

    /// Replaces all members.
    public func replace(with others: Set<Value>) throws {
        let present = members
        try change(joining: others.subtracting(present), leaving: present.subtracting(others))
    }

    private func change(joining: Set<Value>, leaving: Set<Value>) throws {
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

    public func removeAll() throws { try subtract(members) }
}

/// The members of an ordered to-many key, to be changed by place; see
/// ``KeyValueCoding/mutableArrayValue(forKey:)``.
///
/// Places outside the members trap, as an array's do.
public struct MutableArrayValue {
    private let object: any KeyValueCoding
    private let key: String
    /// Whether a member can be there only once.
    private let isUnique: Bool

    fileprivate init(_ object: any KeyValueCoding, _ key: String, isUnique: Bool) {
        self.object = object
        self.key = key
        self.isUnique = isUnique
    }

    /// The members now, in order.
    public var members: [Value] { ((try? object.value(forKey: key)) ?? .null).elements ?? [] }
    public var count: Int { object.direct?.memberCount(forKey: key) ?? members.count }

    public subscript(index: Int) -> Value {
        object.direct?.member(at: index, forKey: key) ?? members[index]
    }

    /// Whether a member that can be there only once is there.
    private func isTaken(_ member: Value) -> Bool {
        isUnique
            && contains(member)
    }

    public func contains(_ member: Value) -> Bool {
        object.direct?.isMember(member, forKey: key) ?? members.contains(member)
    }

    public func append(_ member: Value) throws { try insert(member, at: count) }

    public func append(contentsOf others: [Value]) throws {
        try insert(contentsOf: others, at: count)
    }

    /// Inserts members from a place on, as one change; in an ordered set those that are there already
    /// stay where they are.
    public func insert(contentsOf others: [Value], at index: Int) throws {
        var seen: Set<Value> = []
        let new = isUnique ? others.filter { !contains($0) && seen.insert($0).inserted } : others
        if new.isEmpty { return }
        try object.changingMembers(key, .places(.insertion, RangeSet(index..<(index + new.count))))
        {
            for (offset, member) in new.enumerated() {
                try object.insertMember(member, forKey: key, at: index + offset)
            }
        }
    }

    /// Removes the members at some places, as one change.
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
    public func subtract(_ others: Set<Value>) throws {
        try remove(at: places { others.contains($0) })
    }

    /// Keeps only members that are among the others.
    public func formIntersection(_ others: Set<Value>) throws {
        try remove(at: places { !others.contains($0) })
    }

    /// Appends the members that are not there yet, in their order.
    public func formUnion(_ others: [Value]) throws {
        var present = Set(members)
        try append(contentsOf: others.filter { present.insert($0).inserted })
    }

    /// Replaces all members, as one change.
    public func replace(with others: [Value]) throws {
        try object.changingMembers(key, .members) {
            try object.setValue(.array(others), forKey: key)
        }
    }

    /// Two members change places.
    public func swapAt(_ first: Int, _ second: Int) throws {
        if first == second { return }
        var changed = members
        changed.swapAt(first, second)
        let places = RangeSet([first, second], within: changed)
        try object.changingMembers(key, .places(.replacement, places)) {
            try object.setValue(.array(changed), forKey: key)
        }
    }

    private func places(_ condition: (Value) -> Bool) -> RangeSet<Int> {
        let members = members
        return RangeSet(members.indices.filter { condition(members[$0]) }, within: members)
    }

    /// Inserts a member at a place; in an ordered set one that is there already stays where it is.
    public func insert(_ member: Value, at index: Int) throws {
        if isTaken(member) { return }
        try object.changingMembers(key, .at(index, .insertion)) {
            try object.insertMember(member, forKey: key, at: index)
        }
    }

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

    public func replace(at index: Int, with member: Value) throws {
        if isTaken(member) { return }
        if object.direct?.hasOrderedMembers(forKey: key) == true {
            let former = self[index]
            return try object.changingMembers(key, .at(index, .replacement)) {
                // First what can fail, so that nothing is lost by a member of a wrong kind.
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

    /// Moves a member to the place that it has afterwards.
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
    /// - Throws: `ObjectGraphError` for an unknown key, and for one that has no members.
    public func mutableSetValue(forKey key: String) throws -> MutableSetValue {
        try requireMembers(key)
        return MutableSetValue(self, key)
    }

    /// As ``mutableSetValue(forKey:)``, for the object that the path leads to.
    ///
    /// - Throws: also `ObjectGraphError` if there is no object on the way.
    public func mutableSetValue(forKeyPath keyPath: String) throws -> MutableSetValue {
        let (object, key) = try owner(ofKeyPath: keyPath)
        return try object.mutableSetValue(forKey: key)
    }

    /// As ``mutableOrderedSetValue(forKey:)``, for the object that the path leads to.
    ///
    /// - Throws: also `ObjectGraphError` if there is no object on the way.
    public func mutableOrderedSetValue(forKeyPath keyPath: String) throws -> MutableArrayValue {
        let (object, key) = try owner(ofKeyPath: keyPath)
        return try object.mutableOrderedSetValue(forKey: key)
    }

    /// As ``mutableArrayValue(forKey:)``, for the object that the path leads to.
    ///
    /// - Throws: also `ObjectGraphError` if there is no object on the way.
    public func mutableArrayValue(forKeyPath keyPath: String) throws -> MutableArrayValue {
        let (object, key) = try owner(ofKeyPath: keyPath)
        return try object.mutableArrayValue(forKey: key)
    }

    /// The members of an ordered to-many key, each of them once.
    ///
    /// - Throws: `ObjectGraphError` for an unknown key, and for one that has no ordered members.
    public func mutableOrderedSetValue(forKey key: String) throws -> MutableArrayValue {
        try requireMembers(key, ordered: true)
        return MutableArrayValue(self, key, isUnique: true)
    }

    /// The members of an ordered to-many key of a plain object, where one may be there twice; for
    /// a managed object the same as ``mutableOrderedSetValue(forKey:)``.
    ///
    /// - Throws: `ObjectGraphError` for an unknown key, and for one that has no ordered members.
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

    /// Adds a member to a key that holds several; a place counts for ordered ones alone.
    ///
    /// - Throws: `ObjectGraphError` if the key holds no members, or the member is of a wrong kind.
    public func insertMember(_ member: Value, forKey key: String, at index: Int?) throws {
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

    /// Removes a member from a key that holds several; one that is not there is no error.
    public func removeMember(_ member: Value, forKey key: String) throws {
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

    private func refuseMembers(_ key: String, _ value: Value) throws {
        throw ObjectGraphError(
            .wrongValueKind,
            "\"\(key)\" of \(kindForMessages) holds \(value.kindWithArticle), not members of that kind.",
            recovery: "Use it with a to-many key.",
            key: key
        )
    }

    /// The object, if it may know members by identity.
    fileprivate var direct: (any DirectMembers)? { self as? any DirectMembers }

    /// Removes a member from an ordered key that may hold it more than once; the place says which.
    ///
    /// Goes through ``removeMember(_:forKey:)`` where that removes the one that is meant.
    public func removeMember(_ member: Value, forKey key: String, at index: Int) throws {
        guard case .array(var members) = try value(forKey: key), members.indices.contains(index),
            members.firstIndex(of: member) != index
        else { return try removeMember(member, forKey: key) }
        members.remove(at: index)
        try setValue(.array(members), forKey: key)
    }

    /// Changes members as one change that is told as what it is.
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
