import FoundationEssentials

/// Sums, averages and similar functions over values, for collection operators, functions of
/// predicates and aggregates of in-memory stores.
///
/// Exact numbers (Boolean, integer, decimal) are calculated exactly, in `Decimal` where 64 bits are
/// too few. One floating point number makes the result floating point. Text that spells a number
/// counts as that number, other text as not-a-number. `nil` is left out.
package enum Statistics {
    /// The sum; 0 of nothing.
    package static func sum(_ values: [GraphValue]) throws -> GraphValue {
        var accumulator = Accumulator()
        for value in values { try accumulator.add(value) }
        return accumulator.sum
    }

    /// The arithmetic mean; `nil` of nothing.
    package static func average(_ values: [GraphValue]) throws -> GraphValue {
        var accumulator = Accumulator()
        for value in values { try accumulator.add(value) }
        return accumulator.average
    }

    /// The least value by its natural order; `nil` of nothing.
    package static func minimum(_ values: [GraphValue]) throws -> GraphValue {
        try extreme(values, .before)
    }

    /// The greatest value by its natural order; `nil` of nothing.
    package static func maximum(_ values: [GraphValue]) throws -> GraphValue {
        try extreme(values, .after)
    }

    private static func extreme(_ values: [GraphValue], _ wanted: Order) throws -> GraphValue {
        var best = GraphValue.null
        for value in values where !value.isNull {
            if best.isNull {
                best = value
            } else if try value.naturalOrder(to: best) == wanted {
                best = value
            }
        }
        return best
    }

    /// The middle value, or the mean of the two in the middle; `nil` of nothing.
    package static func median(_ values: [GraphValue]) throws -> GraphValue {
        let numbers = try self.numbers(values)
        if numbers.isEmpty { return .null }
        let sorted = numbers.sorted { $0.numericOrder(to: $1) == .before }
        let middle = sorted.count / 2
        if sorted.count % 2 == 1 { return sorted[middle] }
        return try average([sorted[middle - 1], sorted[middle]])
    }

    /// The values that occur most often, in the order met.
    package static func mode(_ values: [GraphValue]) -> [GraphValue] {
        var counts: [GraphValue: Int] = [:]
        var order: [GraphValue] = []
        for value in values where !value.isNull {
            if counts[value, default: 0] == 0 { order.append(value) }
            counts[value, default: 0] += 1
        }
        let most = counts.values.max() ?? 0
        return order.filter { counts[$0] == most }
    }

    /// The standard deviation of the whole population; `nil` of nothing.
    package static func standardDeviation(_ values: [GraphValue]) throws -> GraphValue {
        let numbers = try self.numbers(values).compactMap(\.doubleValue)
        if numbers.isEmpty { return .null }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return .double((squares / Double(numbers.count)).squareRoot())
    }

    private static func numbers(_ values: [GraphValue]) throws -> [GraphValue] {
        try values.filter { !$0.isNull }.map { value in
            if value.isNumber { return value }
            throw Statistics.notANumber(value)
        }
    }

    fileprivate static func notANumber(_ value: GraphValue) -> ObjectGraphError {
        ObjectGraphError(
            .wrongValueKind,
            "\(value.kindAtStart) cannot be used as a number."
        )
    }

    /// A running sum that stays exact as long as it can.
    private struct Accumulator {
        private var count = 0
        private var whole: Int64 = 0
        private var exact: Decimal?
        private var floating: Double?

        mutating func add(_ value: GraphValue) throws {
            switch value {
            case .null: return
            case .string(let text):
                if let number = Decimal(string: text), Double(text) != nil {
                    addExact(number)
                } else {
                    floating = .nan
                }
            case .int(let number): addWhole(number)
            case .bool(let flag): addWhole(flag ? 1 : 0)
            case .decimal(let number): addExact(number)
            case .double(let number): floating = (floating ?? 0) + number
            default: throw Statistics.notANumber(value)
            }
            count += 1
        }

        private mutating func addWhole(_ number: Int64) {
            let (sum, overflow) = whole.addingReportingOverflow(number)
            if overflow {
                addExact(Decimal(number))
            } else {
                whole = sum
            }
        }

        private mutating func addExact(_ number: Decimal) {
            exact = (exact ?? 0) + number
        }

        var sum: GraphValue {
            if let floating {
                return .double(floating + Double(whole) + (exact?.doubleValue ?? 0))
            }
            if let exact { return .decimal(exact + Decimal(whole)) }
            return .int(whole)
        }

        var average: GraphValue {
            if count == 0 { return .null }
            if case .double(let sum) = sum { return .double(sum / Double(count)) }
            return .decimal(((exact ?? 0) + Decimal(whole)) / Decimal(count))
        }
    }
}
