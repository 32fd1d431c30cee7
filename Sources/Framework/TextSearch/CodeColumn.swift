/// The codes of a column's rows, each in one, two or four bytes, as the greatest one needs.
///
/// The two greatest codes, ``none`` and ``greatest``, are the two greatest ones of every width.
///
/// - Complexity: O(rows) for the first code that needs a greater width.
struct CodeColumn {
    static let none = UInt32.max
    static let greatest = UInt32.max - 1

    // One of them is used.
    private var bytes: ContiguousArray<UInt8> = []
    private var words: ContiguousArray<UInt16> = []
    private var longs: ContiguousArray<UInt32> = []
    private var width: Width
    /// The code of rows behind the last one that has another.
    private let empty: UInt32

    private enum Width { case byte, word, long }

    /// - Parameters:
    ///   - empty: the code of rows without a value.
    ///   - isWide: whether most codes need four bytes.
    init(empty: UInt32, isWide: Bool) {
        self.empty = empty
        width = isWide ? .long : .byte
    }

    /// Whether any row may have a value.
    var hasValues: Bool { count > 0 }

    private var count: Int {
        switch width {
        case .byte: bytes.count
        case .word: words.count
        case .long: longs.count
        }
    }

    subscript(row: Int) -> UInt32 {
        guard row < count else { return empty }
        return switch width {
        case .byte: Self.code(bytes[row])
        case .word: Self.code(words[row])
        case .long: longs[row]
        }
    }

    /// Sets a row's code.
    ///
    /// - Parameters:
    ///   - code: the code.
    ///   - row: the row.
    ///   - expectedRows: for how many rows there is to be room.
    /// - Returns: whether it was another one before.
    mutating func set(_ code: UInt32, row: Int, expectedRows: Int) -> Bool {
        if self[row] == code { return false }
        if !fits(code) { widen(to: code, expectedRows) }
        switch width {
        case .byte: Self.put(code, row, empty, expectedRows, in: &bytes)
        case .word: Self.put(code, row, empty, expectedRows, in: &words)
        case .long: Self.put(code, row, empty, expectedRows, in: &longs)
        }
        return true
    }

    private static func put<Value: FixedWidthInteger & UnsignedInteger>(
        _ code: UInt32,
        _ row: Int,
        _ empty: UInt32,
        _ expectedRows: Int,
        in values: inout ContiguousArray<Value>
    ) {
        let missing = row + 1 - values.count
        if missing > 0 {
            // Once for all rows; growing by and by leaves holes of the same size behind.
            if values.isEmpty { values.reserveCapacity(expectedRows) }
            values.append(
                contentsOf: repeatElement(Value(truncatingIfNeeded: empty), count: missing)
            )
        }
        values[row] = Value(truncatingIfNeeded: code)
    }

    // MARK: Widths

    private func fits(_ code: UInt32) -> Bool {
        switch width {
        case .byte: Self.code(UInt8(truncatingIfNeeded: code)) == code
        case .word: Self.code(UInt16(truncatingIfNeeded: code)) == code
        case .long: true
        }
    }

    @inline(__always)
    private static func code<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) -> UInt32 {
        value >= Value.max - 1 ? UInt32.max - UInt32(Value.max - value) : UInt32(value)
    }

    private mutating func widen(to code: UInt32, _ expectedRows: Int) {
        let room = max(expectedRows, count)
        if width == .byte, Self.code(UInt16(truncatingIfNeeded: code)) == code {
            words.reserveCapacity(room)
            for byte in bytes { words.append(UInt16(truncatingIfNeeded: Self.code(byte))) }
            width = .word
        } else {
            longs.reserveCapacity(room)
            for byte in bytes { longs.append(Self.code(byte)) }
            for word in words { longs.append(Self.code(word)) }
            words = []
            width = .long
        }
        bytes = []
    }

    // MARK: Reading all

    /// The rows for whose code a test holds.
    ///
    /// - Complexity: O(rows); the test is called with codes of rows only.
    @inline(__always)
    func rows(_ rowCount: Int, where test: (UInt32) -> Bool) -> RowSet {
        switch width {
        case .byte: Self.rows(bytes, empty, rowCount, test)
        case .word: Self.rows(words, empty, rowCount, test)
        case .long: Self.rows(longs, empty, rowCount, test)
        }
    }

    @inline(__always)
    private static func rows<Value: FixedWidthInteger & UnsignedInteger>(
        _ values: ContiguousArray<Value>,
        _ empty: UInt32,
        _ rowCount: Int,
        _ test: (UInt32) -> Bool
    ) -> RowSet {
        values.withUnsafeBufferPointer { values in
            RowSet.filtering(rowCount) {
                test($0 < values.count ? code(values[$0]) : empty)
            }
        }
    }

    func contains(_ code: UInt32) -> Bool {
        guard fits(code) else { return false }
        return switch width {
        case .byte: bytes.contains(UInt8(truncatingIfNeeded: code))
        case .word: words.contains(UInt16(truncatingIfNeeded: code))
        case .long: longs.contains(code)
        }
    }

    /// Calls a closure with each row that may have a value, and its code.
    func forEachRow(_ body: (_ row: Int, _ code: UInt32) -> Void) {
        switch width {
        case .byte: for (row, byte) in bytes.enumerated() { body(row, Self.code(byte)) }
        case .word: for (row, word) in words.enumerated() { body(row, Self.code(word)) }
        case .long: for (row, code) in longs.enumerated() { body(row, code) }
        }
    }
}
