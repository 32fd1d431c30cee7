import FoundationEssentials

/// The keys of all elements under one descriptor, in the form that compares quickest.
enum SortColumn {
    /// Whole numbers; `nil` is told by a flag, as every number may occur.
    case wholes([Int64], isNull: [Bool])
    /// Floating point numbers and dates; `nil` is less than any.
    case fractions([Double])
    case texts([String?], FetchSortDescriptor.Comparison)
    /// Anything else, through the general order, which includes the direction.
    case values([Value], Int)

    /// Picks the form for the keys.
    init(_ keys: [Value], _ index: Int, _ descriptor: FetchSortDescriptor) {
        if descriptor.comparator == nil {
            if let column = SortColumn.wholes(keys) ?? SortColumn.fractions(keys) {
                self = column
                return
            }
            if let texts = SortColumn.texts(keys) {
                self = .texts(texts, descriptor.comparison)
                return
            }
        }
        self = .values(keys, index)
    }

    private static func wholes(_ keys: [Value]) -> SortColumn? {
        var numbers: [Int64] = []
        var isNull: [Bool] = []
        numbers.reserveCapacity(keys.count)
        isNull.reserveCapacity(keys.count)
        for key in keys {
            switch key {
            case .int(let number): numbers.append(number)
            case .bool(let flag): numbers.append(flag ? 1 : 0)
            case .null: numbers.append(0)
            default: return nil
            }
            isNull.append(key.isNull)
        }
        return .wholes(numbers, isNull: isNull)
    }

    /// Dates and floating point numbers, but not a mixture.
    private static func fractions(_ keys: [Value]) -> SortColumn? {
        var numbers: [Double] = []
        numbers.reserveCapacity(keys.count)
        var (hasDates, hasNumbers) = (false, false)
        for key in keys {
            switch key {
            case .double(let number):
                // The place of nil is taken.
                if number == -.infinity { return nil }
                hasNumbers = true
                numbers.append(number)
            case .date(let date):
                hasDates = true
                numbers.append(date.timeIntervalSinceReferenceDate)
            case .null: numbers.append(-.infinity)
            default: return nil
            }
            if hasDates && hasNumbers { return nil }
        }
        return .fractions(numbers)
    }

    private static func texts(_ keys: [Value]) -> [String?]? {
        var texts: [String?] = []
        texts.reserveCapacity(keys.count)
        for key in keys {
            switch key {
            case .string(let text): texts.append(text)
            case .null: texts.append(nil)
            default: return nil
            }
        }
        return texts
    }

    /// The order of two elements, before the direction is applied.
    @inline(__always)
    func order(_ i: Int, _ j: Int, in order: SortOrder, isAscending: Bool) -> Order {
        let result: Order
        switch self {
        case .wholes(let numbers, let isNull):
            result =
                isNull[i] || isNull[j]
                ? Order(isNull[i] ? 0 : 1, isNull[j] ? 0 : 1) : Order(numbers[i], numbers[j])
        case .fractions(let numbers): result = Order(numbers[i], numbers[j])
        case .texts(let texts, let comparison):
            switch (texts[i], texts[j]) {
            case (nil, nil): result = .same
            case (nil, _): result = .before
            case (_, nil): result = .after
            case (let a?, let b?):
                result =
                    comparison == .binary
                    ? a.scalarOrder(to: b) : TextFolding.order(a, b, by: comparison)
            }
        case .values(let values, let index): return order.order(index, values[i], values[j])
        }
        return isAscending ? result : result.reversed
    }
}
