public import FoundationEssentials
public import ObjectModel

// A value is a code of one to four bytes (`CodeColumn`), in the order of its values:
//
//   number    n + 1
//   date      twice the seconds since 2000, plus 1 if there is a fraction, plus 1
//   reference a number for each object, in the order of their appearance
//   several   a number for each set of objects
//   text      0 if it is empty, else 1
//   label     a number for each text
//
// 0 is a number or date below all of these, `greatest` one above them: a constant in between has the
// same order to it as to the value itself. A constant outside is left to the store.

/// Values of the rows of an arena that conditions compare: dates, numbers and references.
///
/// Conditions on them are evaluated for all rows at once, by the rules of predicates in memory.
/// A date takes four bytes a row; most other columns have few different values and take one or two.
///
/// - Complexity: a comparison takes about a millisecond for a million rows.
public struct SearchColumns {
    /// What a column holds.
    public enum Kind: Sendable {
        /// Whole numbers and truth values.
        case number
        case date
        /// One object.
        case reference
        /// A set of objects.
        case references
        /// Whether there is a text, and whether it is empty.
        case text
        /// A text of which many rows have the same.
        case label
    }

    /// The properties, in the order of the columns.
    public let keys: [(key: String, kind: Kind)]
    /// Grows with each change of a value.
    public private(set) var version = 0
    private var values: [CodeColumn]
    private let expectedRows: Int
    private var codes: [UInt64: UInt32] = [:]
    private var setCodes: [Set<UInt64>: UInt32] = [[]: 0]
    private var sets: [Set<UInt64>] = [[]]
    private var labels: [String] = []
    private var labelCodes: [String: UInt32] = [:]

    private static let none = CodeColumn.none
    private static let greatest = CodeColumn.greatest
    /// 1 January 2000.
    private static let epoch = -31_622_400.0

    /// No values; with an expectation, adding rows copies nothing.
    public init(_ keys: [(key: String, kind: Kind)], expectedRows: Int = 0) {
        self.keys = keys
        self.expectedRows = expectedRows
        values = keys.map { _, kind in
            CodeColumn(empty: kind == .references ? 0 : Self.none, isWide: kind == .date)
        }
    }

    // MARK: Values

    /// Sets a whole number or a truth value; `nil` for none.
    public mutating func set(_ number: Int64?, row: UInt32, column: Int) {
        put(number.map { Self.code($0) } ?? Self.none, row, column)
    }

    /// Sets a date; `nil` for none.
    public mutating func set(_ date: Date?, row: UInt32, column: Int) {
        put(date.map { Self.code($0) } ?? Self.none, row, column)
    }

    /// Sets the object of a relationship, by the raw value of its ID.
    public mutating func set(reference id: UInt64?, row: UInt32, column: Int) {
        guard let id else { return put(Self.none, row, column) }
        let code = codes[id] ?? UInt32(codes.count)
        codes[id] = code
        put(code, row, column)
    }

    /// Sets the objects of a relationship, by the raw values of their IDs.
    public mutating func set(references ids: Set<UInt64>, row: UInt32, column: Int) {
        if let code = setCodes[ids] { return put(code, row, column) }
        setCodes[ids] = UInt32(sets.count)
        put(UInt32(sets.count), row, column)
        sets.append(ids)
    }

    /// Sets a text, of which only a label keeps more than whether it is empty.
    public mutating func set(text: String?, row: UInt32, column: Int) {
        guard let text else { return put(Self.none, row, column) }
        guard keys[column].kind == .label else { return put(text.isEmpty ? 0 : 1, row, column) }
        if let code = labelCodes[text] { return put(code, row, column) }
        let code = UInt32(labels.count)
        labels.append(text)
        labelCodes[text] = code
        put(code, row, column)
    }

    private mutating func put(_ code: UInt32, _ row: UInt32, _ column: Int) {
        if values[column].set(code, row: Int(row), expectedRows: expectedRows) { version += 1 }
    }

    private static func code(_ number: Int64) -> UInt32 {
        number < 0 ? 0 : number >= Int64(greatest) - 1 ? greatest : UInt32(number) + 1
    }

    private static func code(_ date: Date) -> UInt32 {
        let seconds = date.timeIntervalSinceReferenceDate - epoch
        guard seconds >= 0 else { return 0 }
        let whole = seconds.rounded(.down)
        let code = 2 * whole + (whole == seconds ? 0 : 1) + 1
        return code >= Double(greatest) ? greatest : UInt32(code)
    }

    // MARK: Conditions

    /// The rows for which a predicate holds; `nil` if it needs other values than these.
    public func rows(_ predicate: FetchPredicate, rowCount: Int) -> RowSet? {
        switch predicate {
        case .constant(let holds): return RowSet(all: holds, rowCount: rowCount)
        case .and(let parts):
            return joined(parts, RowSet(all: true, rowCount: rowCount)) { $0.formIntersection($1) }
        case .or(let parts):
            return joined(parts, RowSet(all: false, rowCount: rowCount)) { $0.formUnion($1) }
        case .not(let part):
            var rows = rows(part, rowCount: rowCount)
            rows?.invert()
            return rows
        case .comparison(let comparison): return rows(comparison, rowCount)
        case .block: return nil
        }
    }

    private func joined(
        _ parts: [FetchPredicate],
        _ first: RowSet,
        _ join: (inout RowSet, RowSet) -> Void
    ) -> RowSet? {
        var rows = first
        for part in parts {
            guard let more = self.rows(part, rowCount: first.rowCount) else { return nil }
            join(&rows, more)
        }
        return rows
    }

    private func rows(_ comparison: FetchComparison, _ rowCount: Int) -> RowSet? {
        guard case .keyPath(let path) = comparison.left,
            case .constant(let constant) = comparison.right
        else { return nil }
        if let column = column(path), keys[column].kind == .label {
            return labels(column, comparison, rowCount)
        }
        guard comparison.options.isEmpty else { return nil }
        if path.hasSuffix(".@count"), comparison.modifier == .direct,
            let column = column(String(path.dropLast(7))), keys[column].kind == .references,
            case .int(let number) = constant
        {
            let holds = sets.map { Self.holds(Int64($0.count), comparison.operator, number) }
            guard !holds.contains(nil) else { return nil }
            return filtered(column, rowCount) { holds[Int($0)] == true }
        }
        guard let column = column(path) else { return nil }
        switch keys[column].kind {
        case .references:
            guard comparison.modifier == .any, comparison.operator == .in,
                let ids = Self.ids(constant)
            else { return nil }
            let holds = sets.map { !$0.isDisjoint(with: ids) }
            return filtered(column, rowCount) { holds[Int($0)] }
        case .reference:
            guard comparison.modifier == .direct else { return nil }
            return references(column, comparison.operator, constant, rowCount)
        case .text:
            guard comparison.modifier == .direct else { return nil }
            return texts(column, comparison.operator, constant, rowCount)
        case .label: return nil
        case .number, .date:
            guard comparison.modifier == .direct else { return nil }
            return values(column, comparison.operator, constant, rowCount)
        }
    }

    /// Whether there is a text, or one that is not empty.
    private func texts(
        _ column: Int,
        _ operation: FetchComparison.Operator,
        _ constant: GraphValue,
        _ rowCount: Int
    ) -> RowSet? {
        switch (operation, constant) {
        case (.equal, .null): filtered(column, rowCount) { $0 == Self.none }
        case (.notEqual, .null): filtered(column, rowCount) { $0 != Self.none }
        case (.equal, .string("")): filtered(column, rowCount) { $0 == 0 }
        case (.notEqual, .string("")): filtered(column, rowCount) { $0 != 0 }
        default: nil
        }
    }

    /// The comparison of each label, by the rules of predicates.
    private func labels(_ column: Int, _ comparison: FetchComparison, _ rowCount: Int) -> RowSet? {
        func holds(_ value: GraphValue) -> Bool? {
            var comparison = comparison
            comparison.left = .constant(value)
            return try? FetchPredicate.comparison(comparison).evaluate(with: GraphValue.null)
        }
        let known = labels.map { holds(.string($0)) }
        guard let ofNone = holds(.null), !known.contains(nil) else { return nil }
        return filtered(column, rowCount) { code in
            code == Self.none ? ofNone : known[Int(code)] == true
        }
    }

    // MARK: Relations

    /// Whether any row may refer to others by a property of several objects.
    public func hasReferences(_ key: String) -> Bool {
        column(key).map { values[$0].hasValues } ?? false
    }

    /// The rows that refer to one of some rows.
    ///
    /// - Parameters:
    ///   - key: a property of several objects.
    ///   - targets: the rows referred to.
    ///   - rowCount: how many rows there are.
    ///   - row: the row of an object.
    /// - Returns: `nil` if there is no such column.
    public func rows(
        referringBy key: String,
        to targets: RowSet,
        rowCount: Int,
        _ row: (UInt64) -> Int?
    ) -> RowSet? {
        guard let column = column(key), keys[column].kind == .references else { return nil }
        let holds = sets.map { $0.contains { row($0).map(targets.contains) ?? false } }
        return filtered(column, rowCount) { holds[Int($0)] }
    }

    /// The rows that are referred to by one of some rows.
    public func rows(
        referredToBy key: String,
        from sources: RowSet,
        rowCount: Int,
        _ row: (UInt64) -> Int?
    ) -> RowSet? {
        guard let column = column(key) else { return nil }
        var found = RowSet(all: false, rowCount: rowCount)
        func add(_ id: UInt64) {
            if let row = row(id), row < rowCount { found.insert(row) }
        }
        let isSet = keys[column].kind == .references
        guard isSet || keys[column].kind == .reference else { return nil }
        var isUsed = [Bool](repeating: false, count: isSet ? sets.count : codes.count)
        values[column].forEachRow { row, code in
            if code != Self.none, sources.contains(row) { isUsed[Int(code)] = true }
        }
        if isSet {
            for (code, set) in sets.enumerated() where isUsed[code] { set.forEach(add) }
        } else {
            for (id, code) in codes where isUsed[Int(code)] { add(id) }
        }
        return found
    }

    private func column(_ key: String) -> Int? { keys.firstIndex { $0.key == key } }

    private func references(
        _ column: Int,
        _ operation: FetchComparison.Operator,
        _ constant: GraphValue,
        _ rowCount: Int
    ) -> RowSet? {
        var wanted: Set<UInt32>
        switch (operation, constant) {
        case (.equal, .null), (.notEqual, .null): wanted = [Self.none]
        case (.in, _):
            guard let ids = Self.ids(constant) else { return nil }
            wanted = Set(ids.compactMap { codes[$0] })
        case (.equal, _), (.notEqual, _):
            guard let id = ManagedObjectID(value: constant) else { return nil }
            wanted = Set([codes[id.raw]].compactMap { $0 })
        default: return nil
        }
        var holds = [Bool](repeating: false, count: codes.count)
        for code in wanted where code != Self.none { holds[Int(code)] = true }
        let ofNone = wanted.contains(Self.none)
        let isNegated = operation == .notEqual
        return filtered(column, rowCount) { code in
            (code == Self.none ? ofNone : holds[Int(code)]) != isNegated
        }
    }

    private func values(
        _ column: Int,
        _ operation: FetchComparison.Operator,
        _ constant: GraphValue,
        _ rowCount: Int
    ) -> RowSet? {
        if constant.isNull {
            switch operation {
            case .equal: return filtered(column, rowCount) { $0 == Self.none }
            case .notEqual: return filtered(column, rowCount) { $0 != Self.none }
            default: return nil
            }
        }
        guard let code = code(of: constant, keys[column].kind) else { return nil }
        if keys[column].kind == .date, code & 1 == 0, values[column].contains(code) {
            // Which of two fractions of a second is greater, codes do not say.
            return nil
        }
        switch operation {
        case .equal: return filtered(column, rowCount) { $0 == code }
        case .notEqual: return filtered(column, rowCount) { $0 != code }
        case .less: return filtered(column, rowCount) { $0 < code }
        case .lessOrEqual: return filtered(column, rowCount) { $0 <= code }
        case .greater: return filtered(column, rowCount) { $0 > code && $0 != Self.none }
        case .greaterOrEqual: return filtered(column, rowCount) { $0 >= code && $0 != Self.none }
        default: return nil
        }
    }

    /// The code of a constant that a value can be compared with exactly.
    private func code(of constant: GraphValue, _ kind: Kind) -> UInt32? {
        let code: UInt32
        switch (kind, constant) {
        case (.number, .int(let number)): code = Self.code(number)
        case (.number, .bool(let flag)): code = Self.code(flag ? 1 : 0)
        case (.date, .date(let date)): code = Self.code(date)
        default: return nil
        }
        return code == 0 || code == Self.greatest ? nil : code
    }

    private func filtered(
        _ column: Int,
        _ rowCount: Int,
        _ test: (UInt32) -> Bool
    ) -> RowSet {
        values[column].rows(rowCount, where: test)
    }

    private static func ids(_ constant: GraphValue) -> Set<UInt64>? {
        let elements: [GraphValue]
        switch constant {
        case .array(let array): elements = array
        case .set(let set): elements = Array(set)
        default: return nil
        }
        var ids: Set<UInt64> = []
        for element in elements {
            guard let id = ManagedObjectID(value: element) else { return nil }
            ids.insert(id.raw)
        }
        return ids
    }

    private static func holds(
        _ number: Int64,
        _ operation: FetchComparison.Operator,
        _ constant: Int64
    ) -> Bool? {
        switch operation {
        case .equal: number == constant
        case .notEqual: number != constant
        case .less: number < constant
        case .lessOrEqual: number <= constant
        case .greater: number > constant
        case .greaterOrEqual: number >= constant
        default: nil
        }
    }
}
