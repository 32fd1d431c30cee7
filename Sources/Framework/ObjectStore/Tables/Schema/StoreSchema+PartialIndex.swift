package import ObjectModel

// An index with a condition holds only the rows that meet it. The condition of a CREATE INDEX takes
// no arguments and sees one table, so only some predicates can be one.

extension EntitySchema {
    /// A predicate as the condition of an index; `nil` if it cannot be one.
    ///
    /// It can if it compares attributes and to-one relationships with `nil`, or integers and truth
    /// values with constants, joined by AND.
    package func indexCondition(
        _ predicate: FetchPredicate,
        in dialect: SQLDialect = .sqlite
    ) -> String? {
        switch predicate {
        case .and(let parts):
            let conditions = parts.compactMap { indexCondition($0, in: dialect) }
            return conditions.count == parts.count && !parts.isEmpty
                ? conditions.joined(separator: " AND ") : nil
        case .comparison(let comparison): return indexCondition(comparison, dialect)
        case .constant, .or, .not, .block: return nil
        }
    }

    private func indexCondition(
        _ comparison: FetchComparison,
        _ dialect: SQLDialect
    ) -> String? {
        guard comparison.modifier == .direct, case .keyPath(let name) = comparison.left,
            case .constant(let value) = comparison.right,
            let property = entity.property(named: name), let column = columns[property.slot]
        else { return nil }
        let place = quoted(column.name)
        if case .null = value {
            switch comparison.operator {
            case .equal: return "\(place) IS NULL"
            case .notEqual: return "\(place) IS NOT NULL"
            default: return nil
            }
        }
        guard let number = EntitySchema.literal(value, of: property) else { return nil }
        switch comparison.operator {
        case .equal: return "\(place) = \(number)"
        // A missing value differs from every number.
        case .notEqual:
            return "\(place) IS \(dialect == .sqlite ? "NOT" : "DISTINCT FROM") \(number)"
        case .less: return "\(place) < \(number)"
        case .lessOrEqual: return "\(place) <= \(number)"
        case .greater: return "\(place) > \(number)"
        case .greaterOrEqual: return "\(place) >= \(number)"
        default: return nil
        }
    }

    private static func literal(_ value: GraphValue, of property: PropertyDescription) -> String? {
        guard let attribute = property as? AttributeDescription else { return nil }
        switch (attribute.type, value) {
        case (.integer16, .int(let number)), (.integer32, .int(let number)),
            (.integer64, .int(let number)):
            return String(number)
        case (.boolean, .bool(let flag)): return flag ? "1" : "0"
        case (.boolean, .int(let number)): return String(number)
        default: return nil
        }
    }
}
