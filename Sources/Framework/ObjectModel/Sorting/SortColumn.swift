import FoundationEssentials

/// The keys of all elements under one descriptor, in the form that sorts fastest.
struct SortColumn {
    private enum Keys {
        case wholes([Int64])
        /// Floating point numbers, or dates.
        case fractions([Double])
        case texts(SortTexts)
        /// Anything else, by the general order.
        case values
    }

    private let values: [GraphValue]
    private let keys: Keys
    private let index: Int
    private let isAscending: Bool

    /// The keys under the descriptor with the given index.
    init(_ values: [GraphValue], _ index: Int, _ descriptor: FetchSortDescriptor) {
        self.values = values
        self.index = index
        isAscending = descriptor.isAscending
        if descriptor.comparator != nil {
            keys = .values
        } else if let numbers = SortColumn.wholes(values) {
            keys = .wholes(numbers)
        } else if let numbers = SortColumn.fractions(values) {
            keys = .fractions(numbers)
        } else if let texts = SortTexts(values, descriptor.comparison) {
            keys = .texts(texts)
        } else {
            keys = .values
        }
    }

    private static func wholes(_ values: [GraphValue]) -> [Int64]? {
        var numbers: [Int64] = []
        numbers.reserveCapacity(values.count)
        for value in values {
            switch value {
            case .int(let number): numbers.append(number)
            case .bool(let flag): numbers.append(flag ? 1 : 0)
            case .null: numbers.append(0)
            default: return nil
            }
        }
        return numbers
    }

    /// Floating point numbers or dates, but not a mixture.
    private static func fractions(_ values: [GraphValue]) -> [Double]? {
        var numbers: [Double] = []
        numbers.reserveCapacity(values.count)
        var (hasDates, hasNumbers) = (false, false)
        for value in values {
            switch value {
            case .double(let number):
                hasNumbers = true
                numbers.append(number)
            case .date(let date):
                hasDates = true
                numbers.append(date.timeIntervalSinceReferenceDate)
            case .null: numbers.append(0)
            default: return nil
            }
            if hasDates && hasNumbers { return nil }
        }
        return numbers
    }

    /// Sorts a part of the positions by this column, equal ones by position.
    ///
    /// - Returns: the runs of more than one position that are equal in this column.
    func sort(_ positions: inout [Int], _ range: Range<Int>, in order: SortOrder) -> [Range<Int>] {
        var nulls: [Int] = []
        var rest: [Int] = []
        rest.reserveCapacity(range.count)
        for position in positions[range] {
            if values[position].isNull { nulls.append(position) } else { rest.append(position) }
        }
        nulls.sort()
        let start = range.lowerBound + (isAscending ? nulls.count : 0)
        var runs: [Range<Int>]
        switch keys {
        case .wholes(let numbers): runs = sort(&rest, by: numbers, start)
        case .fractions(let numbers): runs = sort(&rest, by: numbers, start)
        case .texts(let texts): runs = texts.sort(&rest, start, isAscending: isAscending)
        case .values: runs = sort(&rest, start, by: order)
        }
        positions.replaceSubrange(range, with: isAscending ? nulls + rest : rest + nulls)
        if nulls.count > 1 {
            let first = isAscending ? range.lowerBound : range.upperBound - nulls.count
            runs.append(first..<first + nulls.count)
        }
        return runs
    }

    private func sort<Key: Comparable>(
        _ positions: inout [Int],
        by keys: [Key],
        _ start: Int
    ) -> [Range<Int>] {
        var entries = positions.map { (key: keys[$0], position: $0) }
        if isAscending {
            entries.sort { $0.key < $1.key || $0.key == $1.key && $0.position < $1.position }
        } else {
            entries.sort { $0.key > $1.key || $0.key == $1.key && $0.position < $1.position }
        }
        positions = entries.map(\.position)
        return runs(entries.count, start) { entries[$0].key == entries[$1].key }
    }

    private func sort(_ positions: inout [Int], _ start: Int, by order: SortOrder) -> [Range<Int>] {
        positions.sort { a, b in
            switch order.order(index, values[a], values[b]) {
            case .before: true
            case .after: false
            case .same: a < b
            }
        }
        return runs(positions.count, start) {
            order.order(index, values[positions[$0]], values[positions[$1]]) == .same
        }
    }
}

/// The ranges of more than one equal neighbour, moved by `start`.
func runs(_ count: Int, _ start: Int, _ areSame: (Int, Int) -> Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var first = 0
    for next in 1..<max(count, 1) where !areSame(next - 1, next) {
        if next - first > 1 { runs.append(start + first..<start + next) }
        first = next
    }
    if count - first > 1 { runs.append(start + first..<start + count) }
    return runs
}
