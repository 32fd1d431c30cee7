package import ObjectModel

// Which rows a request selects, in which order, and how many of them.

extension TableStore {
    /// A translator with the request's condition, and the part of the predicate that is left.
    package func translate(_ plan: FetchPlan) throws -> (Translator, FetchPredicate?) {
        let translator = try Translator(self, plan.entity)
        if let condition = entityCondition(plan) {
            translator.root.level.conditions.append(condition)
        }
        return (translator, try plan.request.predicate.flatMap { try translator.split($0) })
    }

    /// The condition that a row of the table belongs to the entity; `nil` if all rows do.
    private func entityCondition(_ plan: FetchPlan) -> String? {
        let entity = plan.entity
        let members =
            plan.request.includesSubentities
            ? schema.hierarchy(of: entity) : [schema.schema(of: entity)].compactMap { $0 }
        if entity.superentity == nil, members.count == schema.hierarchy(of: entity).count {
            return nil
        }
        // SQLite assumes that an entity has few rows. Where another index gives fewer, it must not
        // use the index of the entity.
        let column =
            plan.request.predicate?.isNarrow(in: entity) ?? false
            ? dialect.withoutIndex("t0.Z_ENT") : "t0.Z_ENT"
        if members.count == 1 { return "\(column) = \(members[0].number)" }
        let numbers = members.map { String($0.number) }.joined(separator: ", ")
        return "\(column) IN (\(numbers))"
    }
}

extension Translator {
    /// The terms of ORDER BY; `nil` if one of them has no SQL form.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` for an order
    ///   by a to-many relationship.
    package func order(
        _ descriptors: [FetchSortDescriptor],
        column: (String) -> SQLExpression? = { _ in nil }
    ) throws -> String? {
        try attempt {
            let order = try descriptors.map { descriptor in
                if descriptor.comparator != nil { throw Untranslatable() }
                let expression = try column(descriptor.keyPath) ?? sortKey(descriptor.keyPath)
                return try term(expression, descriptor)
            }.joined(separator: ", ")
            try requireTaken(order) { "SELECT 1 \(root.level.clause()) ORDER BY \(order)" }
            return order
        }
    }

    /// The column of an order by one whole number; `nil` for another order.
    package func wholeNumber(
        _ descriptors: [FetchSortDescriptor]
    ) throws -> (sql: String, isAscending: Bool)? {
        guard descriptors.count == 1, descriptors[0].comparator == nil else { return nil }
        let column = try attempt { try sortKey(descriptors[0].keyPath) }
        guard let column, case .integer = column.type else { return nil }
        return (column.sql, descriptors[0].isAscending)
    }

    private func sortKey(_ keyPath: String) throws -> SQLExpression {
        let plan = KeyPathPlan(keyPath)
        if plan.operation == nil,
            case .members = try follow(plan.keys, from: .object(root))
        {
            throw ObjectGraphError(
                .invalidRequest,
                "A fetch cannot be sorted by the to-many relationship \"\(keyPath)\".",
                recovery: "Sort by a single value, such as a count.",
                key: keyPath
            )
        }
        return try expression(.keyPath(keyPath), root)
    }

    private func term(
        _ expression: SQLExpression,
        _ descriptor: FetchSortDescriptor
    ) throws -> String {
        let direction =
            (descriptor.isAscending ? "" : " DESC")
            + dialect.nullsFirst(ascending: descriptor.isAscending)
        if dialect.isStrict, case .text = expression.type, descriptor.comparison != .binary {
            throw Untranslatable()
        }
        switch expression.type {
        case .text:
            let collation: String
            switch descriptor.comparison {
            case .binary: collation = ""
            case .caseInsensitive: collation = " COLLATE OGCaseInsensitive"
            case .localized: collation = " COLLATE OGLocalized"
            case .localizedCaseInsensitive: collation = " COLLATE OGLocalizedCaseInsensitive"
            case .localizedStandard: collation = " COLLATE OGLocalizedStandard"
            }
            return expression.sql + collation + direction
        case .decimal: return dialect.decimal(expression.sql) + direction
        case .reference, .entity, .opaque: throw Untranslatable()
        default: return expression.sql + direction
        }
    }

    /// LIMIT and OFFSET.
    package func window(_ request: FetchDescription) -> String {
        if dialect.isStrict, request.limit == 0 {
            return " OFFSET \(argument(.integer(Int64(request.offset))))"
        }
        let limit = argument(.integer(request.limit > 0 ? Int64(request.limit) : -1))
        if request.offset == 0 { return " LIMIT \(limit)" }
        return " LIMIT \(limit) OFFSET \(argument(.integer(Int64(request.offset))))"
    }
}

extension FetchPredicate {
    /// Whether an index of an entity finds the rows: a necessary part of the predicate compares an
    /// indexed property with a value.
    fileprivate func isNarrow(in entity: EntityDescription) -> Bool {
        switch self {
        case .and(let parts): return parts.contains { $0.isNarrow(in: entity) }
        case .comparison(let comparison):
            guard case .keyPath(let key) = comparison.left, comparison.right.isConstant,
                comparison.modifier == .direct, comparison.options.isEmpty
            else { return false }
            switch comparison.operator {
            case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in:
                return entity.hasIndex(of: key)
            default: return false
            }
        case .constant, .or, .not, .block: return false
        }
    }
}

extension EntityDescription {
    /// Whether the rows can be found by a property: an index or a uniqueness constraint begins
    /// with it, or it is a reference.
    fileprivate func hasIndex(of key: String) -> Bool {
        var entity: EntityDescription? = self
        while let current = entity {
            if current.indexes.contains(where: { $0.elements.first?.property == key })
                || current.uniquenessConstraints.contains(where: { $0.first == key })
            {
                return true
            }
            entity = current.superentity
        }
        let relationship = property(named: key) as? RelationshipDescription
        return relationship.map { !$0.isToMany } ?? false
    }
}
