package import ObjectModel

// Key paths: columns of the row, joins along to-one relationships, subselects for to-many ones.

extension Translator {
    /// Where a key path from a row ends.
    package func follow(_ keys: [String], from start: PathEnd) throws -> PathEnd {
        var end = start
        for key in keys {
            switch end {
            case .object(let scope): end = try step(key, from: scope)
            case .toOne(let relationship, let scope):
                end = try step(key, from: try join(relationship, scope))
            case .composite(let name, let scope): end = try step("\(name).\(key)", from: scope)
            case .members(let set): end = .members(try step(key, in: set))
            case .value(let expression): end = try step(key, of: expression)
            }
        }
        return end
    }

    private func step(_ key: String, from scope: RowScope) throws -> PathEnd {
        switch key {
        case "self": return .object(scope)
        case "objectID": return .value(scope.reference)
        case "entity": return .value(SQLExpression("\(scope.alias).Z_ENT", .entity))
        default: break
        }
        let properties = scope.entity.properties(named: key)
        guard let first = properties.first else { throw Untranslatable() }
        if let relationship = first as? RelationshipDescription {
            guard properties.count == 1, !relationship.isTransient else { throw Untranslatable() }
            if relationship.isToMany {
                return .members(try members(of: relationship, scope, isInside: nil))
            }
            return .toOne(relationship, scope)
        }
        if (first as? AttributeDescription)?.type == .composite { return .composite(key, scope) }
        return .value(try column(properties, scope))
    }

    /// The column of an attribute; if several subentities have an attribute of this name, the one
    /// that the row has.
    private func column(
        _ properties: [PropertyDescription],
        _ scope: RowScope
    ) throws -> SQLExpression {
        var columns: [String] = []
        var types: [SQLType] = []
        for property in properties {
            guard let attribute = property as? AttributeDescription, !attribute.isTransient,
                let entity = property.entity,
                let stored = store.schema.schema(of: entity)?.columns[property.slot]
            else { throw Untranslatable() }
            columns.append("\(scope.alias).\(quoted(stored.name))")
            types.append(SQLType(attribute))
        }
        if columns.count == 1 {
            var expression = SQLExpression(columns[0], types[0])
            expression.folded = (properties[0] as? AttributeDescription)
                .flatMap { store.foldedColumn($0) }.map { ($0, "\(scope.alias).Z_PK") }
            return expression
        }
        guard types.allSatisfy({ $0.isComparable(to: types[0]) }) else { throw Untranslatable() }
        let isMixed = types[0].isNumber
        return SQLExpression(
            "COALESCE(\(columns.joined(separator: ", ")))",
            isMixed ? .real : types[0]
        )
    }

    /// The row that a to-one relationship leads to.
    private func join(
        _ relationship: RelationshipDescription,
        _ scope: RowScope
    ) throws -> RowScope {
        let stored = try storedColumn(relationship)
        let column = "\(scope.alias).\(quoted(stored.name))"
        guard let destination = relationship.destination,
            let schema = store.schema.schema(of: destination)
        else { throw Untranslatable() }
        if let known = scope.level.joined[column] {
            return RowScope(known, destination, scope.level)
        }
        let alias = alias()
        scope.level.joins.append(
            "LEFT JOIN \(quoted(schema.table.name)) \(alias) ON \(alias).Z_PK = \(column)"
        )
        scope.level.joined[column] = alias
        return RowScope(alias, destination, scope.level)
    }

    private func storedColumn(_ relationship: RelationshipDescription) throws -> StoredColumn {
        guard let entity = relationship.entity,
            let stored = store.schema.schema(of: entity)?.columns[relationship.slot]
        else { throw Untranslatable() }
        return stored
    }

    /// The members of a to-many relationship of one row: a separate SELECT, or, inside another
    /// collection, a join.
    private func members(
        of relationship: RelationshipDescription,
        _ owner: RowScope,
        isInside outer: MemberSet?
    ) throws -> MemberSet {
        guard let entity = relationship.entity, let destination = relationship.destination,
            let target = store.schema.schema(of: destination),
            let storage = store.schema.schema(of: entity)?.toMany[relationship.slot]
        else { throw Untranslatable() }
        let alias = alias()
        let key = "\(owner.alias).Z_PK"
        let table = "\(quoted(target.table.name)) \(alias)"
        let from: String
        let column: String
        switch storage {
        case .memberKey(let name, _, _):
            from = table
            column = "\(alias).\(quoted(name))"
        case .joinTable(let side):
            let pairs = self.alias()
            from =
                "\(quoted(side.table)) \(pairs) JOIN \(table)"
                + " ON \(alias).Z_PK = \(pairs).\(quoted(side.member))"
            column = "\(pairs).\(quoted(side.owner))"
        }
        let condition = "\(column) = \(key)"
        let level: SelectLevel
        if let outer {
            level = outer.level
            level.joins.append("JOIN \(from)\(dialect.isStrict ? " ON TRUE" : "")")
        } else {
            level = SelectLevel(from)
        }
        level.conditions.append(condition)
        return MemberSet(
            level: level,
            member: .object(RowScope(alias, destination, level)),
            depth: (outer?.depth ?? 0) + 1,
            owner: outer?.owner ?? self.owner(of: relationship, owner) ?? key,
            link: outer == nil ? (column, condition, key) : nil
        )
    }

    /// The row's key if its entity has the relationship, else NULL; `nil` if all rows have it.
    private func owner(of relationship: RelationshipDescription, _ row: RowScope) -> String? {
        guard let entity = relationship.entity, !row.entity.isKind(of: entity) else { return nil }
        let numbers = store.schema.hierarchy(of: entity).map { String($0.number) }
        return "CASE WHEN \(row.alias).Z_ENT IN (\(numbers.joined(separator: ", ")))"
            + " THEN \(row.alias).Z_PK END"
    }

    private func step(_ key: String, in set: MemberSet) throws -> MemberSet {
        let end: PathEnd
        switch set.member {
        case .object(let scope):
            // A `nil` on the way to a further collection would be a member itself; a join drops it.
            if let relationship = scope.entity.properties(named: key).first
                as? RelationshipDescription, relationship.isToMany
            {
                guard set.isDirect, !relationship.isTransient else { throw Untranslatable() }
                return try members(of: relationship, scope, isInside: set)
            }
            end = try step(key, from: scope)
        case .toOne(let relationship, let scope):
            let joined = try join(relationship, scope)
            if joined.entity.properties(named: key).first.map(\.isToManyRelationship) == true {
                throw Untranslatable()
            }
            end = try step(key, from: joined)
        case .composite(let name, let scope): end = try step("\(name).\(key)", from: scope)
        case .value(let expression): end = try step(key, of: expression)
        case .members: throw Untranslatable()
        }
        return MemberSet(
            level: set.level,
            member: end,
            depth: set.depth,
            owner: set.owner,
            isDirect: false,
            counting: set.counting.ofValues
        )
    }

    /// The built-in keys of values.
    private func step(_ key: String, of value: SQLExpression) throws -> PathEnd {
        switch (key, value.type) {
        case ("self", _): return .value(value)
        case ("length", .text):
            return .value(SQLExpression(try dialect.own("OG_LENGTH", value.sql), .integer))
        case ("length", .data):
            return .value(SQLExpression("LENGTH(\(value.sql))", .integer))
        default: throw Untranslatable()
        }
    }

    /// An end of a path as a value; for an object its key.
    package func value(_ end: PathEnd) throws -> SQLExpression {
        switch end {
        case .value(let expression): return expression
        case .object(let scope): return scope.reference
        case .toOne(let relationship, let scope):
            let stored = try storedColumn(relationship)
            guard let destination = relationship.destination else { throw Untranslatable() }
            return SQLExpression(
                "\(scope.alias).\(quoted(stored.name))",
                .reference(destination.root),
                entity: stored.entityColumn.map { "\(scope.alias).\(quoted($0))" }
                    ?? store.schema.schema(of: destination).map { String($0.number) }
            )
        case .composite, .members: throw Untranslatable()
        }
    }

    /// The end of a path, a variable or SELF.
    package func end(of expression: FetchExpression, _ scope: RowScope) throws -> PathEnd {
        switch expression {
        case .evaluatedObject: return .object(scope)
        case .variable(let name):
            guard let end = variables[name] else { throw Untranslatable() }
            return end
        case .keyPath(let path):
            return try end(of: KeyPathPlan(path), from: .object(scope))
        case .keyPathOf(let operand, let path):
            return try end(of: KeyPathPlan(path), from: try end(of: operand, scope))
        case .subquery(let collection, let variable, let predicate):
            return .members(try subquery(collection, variable, predicate, scope))
        default: throw Untranslatable()
        }
    }

    private func end(of plan: KeyPathPlan, from start: PathEnd) throws -> PathEnd {
        let end = try follow(plan.keys, from: start)
        guard let operation = plan.operation else { return end }
        guard case .members(let set) = end, set.depth == 1, set.isDirect || set.owner == nil else {
            throw Untranslatable()
        }
        return .members(try union(operation, set))
    }

    /// The values of `collection.@union….path`, in one collection; `nil` is none of them.
    private func union(_ operation: KeyPathPlan.Operation, _ set: MemberSet) throws -> MemberSet {
        guard let right = operation.right, right.operation == nil,
            case .members(let found) = try follow(right.keys, from: .members(set))
        else { throw Untranslatable() }
        let levels: Int
        let counting: MemberSet.Counting
        switch operation.kind {
        case .unionOfObjects: (levels, counting) = (0, .all)
        case .distinctUnionOfObjects: (levels, counting) = (0, .once)
        // An unordered relationship of a member has equal values of its own members once.
        case .unionOfArrays, .unionOfSets: (levels, counting) = (1, found.isDirect ? .all : .other)
        case .distinctUnionOfArrays, .distinctUnionOfSets: (levels, counting) = (1, .once)
        default: throw Untranslatable()
        }
        guard found.depth == set.depth + levels else { throw Untranslatable() }
        if case .object = found.member {
        } else {
            found.level.conditions.append("\(try value(found.member).sql) IS NOT NULL")
        }
        return MemberSet(
            level: found.level,
            member: found.member,
            depth: 1,
            owner: found.owner,
            isDirect: false,
            counting: counting
        )
    }

    private func subquery(
        _ collection: FetchExpression,
        _ variable: String,
        _ predicate: FetchPredicate,
        _ scope: RowScope
    ) throws -> MemberSet {
        guard case .members(let set) = try end(of: collection, scope) else {
            throw Untranslatable()
        }
        let outer = variables[variable]
        defer { variables[variable] = outer }
        variables[variable] = set.member
        // Keys without a variable still belong to the outer object.
        set.level.conditions.append(try condition(predicate, scope, exact: false))
        return MemberSet(
            level: set.level,
            member: set.member,
            depth: set.depth,
            owner: nil,
            isDirect: false,
            counting: set.counting,
            link: set.link
        )
    }
}

extension MemberSet.Counting {
    /// How often the SELECT has the values that a further key leads to: members that count once may
    /// have equal ones.
    fileprivate var ofValues: Self {
        if case .all = self { .all } else { .other }
    }
}

extension PropertyDescription {
    fileprivate var isToManyRelationship: Bool {
        (self as? RelationshipDescription)?.isToMany == true
    }
}

extension EntityDescription {
    /// The properties that a key names for objects of the entity and its descendants: the
    /// entity's own, or those that descendants declare.
    package func properties(named name: String) -> [PropertyDescription] {
        if let own = property(named: name) { return [own] }
        return subentities.flatMap { $0.properties(named: name) }
    }
}
