import CText
import Glibc

/// The folded texts of an arena, one after another in one buffer (`CTextScan.h` has its format).
///
/// 1. `starts` has one number more than there are segments; the last is the end of the text.
/// 2. A segment ends with at least one row end; after its first row end there are only row ends.
/// 3. `liveBytes` counts the segments of rows up to and including their first row end.
final class SegmentStore {
    // Safety: freed with this object; writing may move it, so nobody keeps it beyond a call.
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private(set) var starts: ContiguousArray<UInt32> = [0]
    private(set) var rows: ContiguousArray<UInt32> = []
    private(set) var liveBytes = 0
    private var capacity: Int
    /// The length of the text that is being written after the last segment.
    private var written = 0

    static let none = UInt32.max
    private static let rowEnd = UInt8(CTEXT_ROW_END)
    private static let fieldEnd = UInt8(CTEXT_FIELD_END)

    init(expectedBytes: Int, expectedSegments: Int) {
        starts.reserveCapacity(expectedSegments + 1)
        rows.reserveCapacity(expectedSegments)
        capacity = max(expectedBytes, 4096)
        bytes = SegmentStore.resized(nil, to: capacity)
    }

    deinit { free(bytes) }

    var end: Int { Int(starts[starts.count - 1]) }

    var wastedBytes: Int { end - liveBytes }

    var bytesInUse: Int {
        capacity + (starts.capacity + rows.capacity) * MemoryLayout<UInt32>.stride
    }

    // MARK: Writing a text

    func begin() { written = 0 }

    /// Adds a field to the text that is being written.
    func writeField(_ text: UnsafeBufferPointer<UInt8>, isFirst: Bool) {
        reserve(end + written + text.count * CTEXT_FOLD_GROWTH + 2 * CTEXT_SLACK)
        var next = bytes + end + written
        if !isFirst {
            next.pointee = Self.fieldEnd
            next += 1
            written += 1
        }
        let count = ctext_fold(text.baseAddress, text.count, SearchQuery.foldMask, next)
        ctext_clean(next, count)
        written += count
    }

    var writtenBytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + end, count: written)
    }

    /// Makes a segment of the written text.
    func append(row: UInt32) -> UInt32 {
        let segment = UInt32(rows.count)
        reserve(end + written + 2 * CTEXT_SLACK)
        bytes[end + written] = Self.rowEnd
        liveBytes += written + 1
        rows.append(row)
        starts.append(UInt32(end + written + 1))
        return segment
    }

    enum Replacement {
        case unchanged
        case replaced
        /// The segment is too small.
        case doesNotFit
    }

    /// Replaces a segment's text by the written one.
    func replace(_ segment: UInt32) -> Replacement {
        let text = text(of: segment)
        let room = Int(starts[Int(segment) + 1]) - Int(starts[Int(segment)]) - 1
        guard written <= room else { return .doesNotFit }
        if text.count == written, text.elementsEqual(writtenBytes) { return .unchanged }
        let start = bytes + Int(starts[Int(segment)])
        start.update(from: bytes + end, count: written)
        (start + written).update(repeating: Self.rowEnd, count: room - written)
        liveBytes += written - text.count
        return .replaced
    }

    /// Removes a segment; its bytes become waste.
    func remove(_ segment: UInt32) {
        let start = Int(starts[Int(segment)])
        liveBytes -= text(of: segment).count + 1
        rows[Int(segment)] = Self.none
        (bytes + start).update(repeating: Self.rowEnd, count: Int(starts[Int(segment) + 1]) - start)
    }

    /// Closes the gaps between segments and reports the new segment of each row.
    func compact(_ moved: (_ row: UInt32, _ segment: UInt32) -> Void) {
        var newStarts: ContiguousArray<UInt32> = [0]
        var newRows: ContiguousArray<UInt32> = []
        var next = 0
        for segment in rows.indices where rows[segment] != Self.none {
            let text = text(of: UInt32(segment))
            guard let source = text.baseAddress else { continue }
            (bytes + next).update(from: source, count: text.count + 1)
            next += text.count + 1
            moved(rows[segment], UInt32(newRows.count))
            newRows.append(rows[segment])
            newStarts.append(UInt32(next))
        }
        starts = newStarts
        rows = newRows
        if capacity > 2 * next + 4096 { resize(next + next / 4 + 4096) }
    }

    /// A segment's text without its row end.
    func text(of segment: UInt32) -> UnsafeBufferPointer<UInt8> {
        let start = Int(starts[Int(segment)])
        let whole = UnsafeBufferPointer(
            start: bytes + start,
            count: Int(starts[Int(segment) + 1]) - start
        )
        let count = Self.firstRowEnd(in: whole)
        return UnsafeBufferPointer(rebasing: whole[..<count])
    }

    private static func firstRowEnd(in segment: UnsafeBufferPointer<UInt8>) -> Int {
        withUnsafePointer(to: rowEnd) { rowEnd in
            var needle = ctext_needle_make(rowEnd, 1, nil)
            guard let start = segment.baseAddress,
                let found = ctext_find(start, start + segment.count, &needle)
            else { return segment.count }
            return found - start
        }
    }

    /// Memory of another size with the same beginning.
    ///
    /// The system moves large blocks without copying them, and uses no memory for pages that are
    /// not written yet.
    private static func resized(
        _ bytes: UnsafeMutablePointer<UInt8>?,
        to capacity: Int
    ) -> UnsafeMutablePointer<UInt8> {
        guard let moved = realloc(bytes, capacity) else {
            fatalError("out of memory: \(capacity) bytes of text")
        }
        return moved.assumingMemoryBound(to: UInt8.self)
    }

    private func reserve(_ needed: Int) {
        if needed > capacity { resize(max(needed, capacity + capacity / 2)) }
    }

    private func resize(_ newCapacity: Int) {
        bytes = SegmentStore.resized(bytes, to: newCapacity)
        capacity = newCapacity
    }
}
