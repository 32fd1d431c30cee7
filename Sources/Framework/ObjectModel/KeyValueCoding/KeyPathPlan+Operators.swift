extension KeyPathPlan.Operation {
    /// Applies the operator to a collection; `nil` stays `nil`.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey`` if the value
    ///   is not a collection or the operator has no key path, and with
    ///   ``ObjectGraphError/Code/wrongValueKind`` if the members have the wrong kind.
    func apply(to value: GraphValue) throws -> GraphValue {
        switch value {
        case .null: return .null
        case .array(let members): return try apply(to: members, isSet: false)
        case .set(let members):
            if kind == .count { return .int(Int64(members.count)) }
            return try apply(to: Array(members), isSet: true)
        case .dictionary(let entries):
            switch kind {
            case .count: return .int(Int64(entries.count))
            case .allKeys: return .array(entries.keys.sorted().map { .string($0) })
            case .allValues: return .array(entries.sorted { $0.key < $1.key }.map(\.value))
            default: throw value.undefinedKey(kind.rawValue)
            }
        default: throw value.undefinedKey(kind.rawValue)
        }
    }

    private func apply(to members: [GraphValue], isSet: Bool) throws -> GraphValue {
        if kind == .count { return .int(Int64(members.count)) }
        guard kind.needsKeyPath, let right else { throw lacksKeyPath }
        switch kind {
        case .sum: return try Statistics.sum(try right.leaves(of: members))
        case .average:
            let average = try Statistics.average(try right.leaves(of: members))
            if case .double(let number) = average, number.isNaN {
                throw ObjectGraphError(
                    .cannotEvaluate,
                    "@avg met a value that is not a number.",
                    key: kind.rawValue
                )
            }
            return average
        case .minimum: return try Statistics.minimum(try right.leaves(of: members))
        case .maximum: return try Statistics.maximum(try right.leaves(of: members))
        case .unionOfObjects: return .array(try right.values(of: members))
        case .distinctUnionOfObjects:
            return distinct(try right.values(of: members), isSet: isSet)
        case .unionOfArrays, .distinctUnionOfArrays, .unionOfSets, .distinctUnionOfSets:
            return try union(of: members, right, isSet: isSet)
        case .count, .allKeys, .allValues: return .null
        }
    }

    private func union(
        of members: [GraphValue],
        _ right: KeyPathPlan,
        isSet: Bool
    ) throws -> GraphValue {
        let wantsSets = kind == .unionOfSets || kind == .distinctUnionOfSets
        var union: [GraphValue] = []
        for member in members {
            switch member {
            case .array(let inner) where !wantsSets:
                union.append(contentsOf: try right.values(of: inner))
            case .set(let inner) where wantsSets || kind == .distinctUnionOfArrays:
                union.append(contentsOf: try right.values(of: Array(inner)))
            case .array, .set: throw lacksCollections(wantsSets, member)
            default:
                // The collections that the path leads to from each member.
                let value = try right.value(from: member)
                guard value.isNull || value.elements != nil else {
                    throw lacksCollections(wantsSets, value)
                }
                union.append(contentsOf: (value.elements ?? []).filter { !$0.isNull })
            }
        }
        let keepsAll = kind == .unionOfArrays || kind == .unionOfSets
        return keepsAll ? .array(union) : distinct(union, isSet: isSet)
    }

    private func lacksCollections(_ wantsSets: Bool, _ value: GraphValue) -> ObjectGraphError {
        ObjectGraphError(
            .wrongValueKind,
            "\(kind.rawValue) needs a collection of \(wantsSets ? "sets" : "arrays"), "
                + "not one that holds \(value.kindWithArticle).",
            key: kind.rawValue
        )
    }

    /// The different values: in the order met for an array, as a set for a set.
    private func distinct(_ values: [GraphValue], isSet: Bool) -> GraphValue {
        if isSet { return .set(Set(values)) }
        var seen = Set<GraphValue>(minimumCapacity: values.count)
        return .array(values.filter { seen.insert($0).inserted })
    }
}

extension KeyPathPlan {
    /// The value of the path for each member; `nil` is left out.
    func values(of members: [GraphValue]) throws -> [GraphValue] {
        var values: [GraphValue] = []
        values.reserveCapacity(members.count)
        for member in members {
            let value = try value(from: member)
            if !value.isNull { values.append(value) }
        }
        return values
    }

    /// The values at the ends of the path from all members: where it passes collections those of each
    /// of their members, however often they are equal, like a join in SQL; `nil` is left out.
    fileprivate func leaves(of members: [GraphValue]) throws -> [GraphValue] {
        var values: [GraphValue] = []
        values.reserveCapacity(members.count)
        for member in members { try collectLeaves(of: member, keys[...], into: &values) }
        return values
    }

    private func collectLeaves(
        of start: GraphValue,
        _ keys: ArraySlice<String>,
        into values: inout [GraphValue]
    ) throws {
        var value = start
        var keys = keys
        while let key = keys.first {
            switch value {
            case .null: return
            case .array(let members) where !key.contains("@"):
                for member in members { try collectLeaves(of: member, keys, into: &values) }
                return
            case .set(let members) where !key.contains("@"):
                if key == "allObjects" { break }
                for member in members { try collectLeaves(of: member, keys, into: &values) }
                return
            default: value = try value.value(forKey: key)
            }
            keys.removeFirst()
        }
        if let operation { value = try operation.apply(to: value) }
        switch value {
        case .null: break
        case .array(let members): values += members.filter { !$0.isNull }
        case .set(let members): values += members.filter { !$0.isNull }
        default: values.append(value)
        }
    }
}
