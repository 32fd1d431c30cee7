import CText
import ObjectModel

/// The folded text of many objects in memory, for search while the user types.
///
/// Each object is a row with up to eight fields of text, identified by a number of the caller (the
/// raw value of its ID). Rows are added, changed and removed one by one; compaction recovers the
/// wasted space when it grows large. Only the text is kept: about the size of the original, and 28
/// bytes a row.
///
/// An arena is used by one owner at a time: an actor, or the main thread. A search takes 1 to 3 ms
/// for 100,000 rows, 10 to 20 ms for a million.
public final class SearchArena {
    /// The greatest number of bytes of text.
    public let byteLimit: Int
    /// Whether all given text is in the arena.
    ///
    /// False after a row was refused because of the limit: then the caller must search in the
    /// store.
    public private(set) var isComplete = true
    /// How many rows have text.
    public private(set) var rowCount = 0

    let segments: SegmentStore
    private(set) var rowSegments: ContiguousArray<UInt32> = []
    private(set) var numbers: RowNumbers
    /// Grows with each change of a text.
    public private(set) var version = 0
    /// The fields that any row has had.
    private(set) var usedFields: SearchFields = []
    /// How often each byte occurs, counted on a sample.
    private(set) var frequencies = ContiguousArray<UInt32>(repeating: 0, count: 256)

    /// Enough for a million items of usual size; beyond it, searching the store is better.
    public static let defaultByteLimit = 160 << 20

    /// Offsets are 32-bit numbers, wasted space included.
    private static let greatestByteLimit = 2 << 30

    /// An empty arena; with expectations, filling it copies less.
    public init(byteLimit: Int = defaultByteLimit, expectedRows: Int = 0, expectedBytes: Int = 0) {
        self.byteLimit = min(byteLimit, Self.greatestByteLimit)
        segments = SegmentStore(
            expectedBytes: min(expectedBytes, self.byteLimit),
            expectedSegments: expectedRows
        )
        numbers = RowNumbers(expecting: expectedRows)
        rowSegments.reserveCapacity(expectedRows)
    }

    /// Adds a row or replaces its text.
    ///
    /// Returns false if that would exceed the limit; the row has no text then. At most eight fields.
    @discardableResult
    public func set(_ id: UInt64, fields: [String]) -> Bool {
        set(id) { writer in
            for field in fields { writer.add(field) }
        }
    }

    /// As ``set(_:fields:)``, for fields that arrive one by one; at most eight.
    @discardableResult
    public func set(_ id: UInt64, _ write: (inout SearchRowWriter) -> Void) -> Bool {
        let row = rowNumber(of: id)
        var writer = SearchRowWriter(segments: segments, limit: byteLimit)
        segments.begin()
        write(&writer)
        usedFields.formUnion(SearchFields(0..<writer.fieldCount))
        let old = rowSegments[Int(row)]
        let added = segments.writtenBytes.count + 1
        if writer.isRefused || segments.liveBytes + added > byteLimit {
            if old != SegmentStore.none { remove(id) }
            isComplete = false
            return false
        }
        if old != SegmentStore.none {
            switch segments.replace(old) {
            case .unchanged:
                return true
            case .replaced:
                version += 1
                return true
            case .doesNotFit:
                segments.remove(old)
            }
        } else {
            rowCount += 1
        }
        sampleFrequencies()
        rowSegments[Int(row)] = segments.append(row: row)
        version += 1
        compactIfWasteful()
        return true
    }

    /// Removes a row's text, if there is any.
    public func remove(_ id: UInt64) {
        guard let row = numbers.number(of: id) else { return }
        let segment = rowSegments[Int(row)]
        guard segment != SegmentStore.none else { return }
        segments.remove(segment)
        rowSegments[Int(row)] = SegmentStore.none
        rowCount -= 1
        version += 1
        compactIfWasteful()
    }

    /// The order of the given IDs, each of which occurs once.
    ///
    /// IDs that have no text yet may get it later.
    public func order(_ ids: [UInt64]) -> SearchOrder {
        var rows: ContiguousArray<UInt32> = []
        rows.reserveCapacity(ids.count)
        for id in ids { rows.append(rowNumber(of: id)) }
        return SearchOrder(rows: rows)
    }

    /// The number of a row, also of one without text; it stays the same.
    public func rowNumber(of id: UInt64) -> UInt32 {
        let row = numbers.assign(id)
        if Int(row) == rowSegments.count { rowSegments.append(SegmentStore.none) }
        return row
    }

    /// One row in sixteen is enough to find out which bytes are rare.
    private func sampleFrequencies() {
        guard segments.rows.count % 16 == 0 else { return }
        let text = segments.writtenBytes
        frequencies.withUnsafeMutableBufferPointer {
            ctext_count_bytes(text.baseAddress, min(text.count, 1024), $0.baseAddress)
        }
    }

    private func compactIfWasteful() {
        guard segments.wastedBytes > max(1 << 20, segments.liveBytes / 3) else { return }
        rowSegments.withUnsafeMutableBufferPointer { rowSegments in
            segments.compact { row, segment in rowSegments[Int(row)] = segment }
        }
    }
}

/// Receives the fields of one row, in the order of their numbers.
public struct SearchRowWriter {
    private let segments: SegmentStore
    private let limit: Int
    fileprivate private(set) var fieldCount = 0
    /// Whether a field was longer than the arena's limit.
    fileprivate private(set) var isRefused = false

    fileprivate init(segments: SegmentStore, limit: Int) {
        self.segments = segments
        self.limit = limit
    }

    /// Adds the text of the next field.
    public mutating func add(_ text: String) {
        text.withBytes { add(utf8: $0) }
    }

    /// Adds a field in UTF-8, as a store returns it; use an empty text for no field.
    public mutating func add(utf8 text: UnsafeBufferPointer<UInt8>) {
        precondition(fieldCount < SearchFields.limit, "a row has at most 8 fields")
        // Folding makes a text at most half as long, so this text cannot fit.
        if isRefused || segments.writtenBytes.count + text.count / 4 > limit {
            isRefused = true
            return
        }
        segments.writeField(text, isFirst: fieldCount == 0)
        fieldCount += 1
    }
}
