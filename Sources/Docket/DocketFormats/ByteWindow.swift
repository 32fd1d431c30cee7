/// The part of a document that a reader looks at, with the place of it in the document.
///
/// A reader appends bytes with ``fill()`` and gives back what it does not need any more with
/// ``discard(before:)``, so that the window stays as small as the longest item. Offsets count from
/// the start of the window; they change only when bytes are given back.
public struct ByteWindow {
    public private(set) var bytes: [UInt8] = []
    /// Whether all bytes are ASCII, so that no text needs to be checked.
    public private(set) var isASCII = true
    /// Whether an item was longer than ``itemLimit``; the document then ends there for its reader.
    private(set) var isOverfull = false
    private var source: ByteSource?
    /// The first byte that is still needed.
    private var itemStart = 0
    private var countedTo = 0
    private var countedLines = 1
    /// How many bytes of the first line were given back.
    private var columnsBefore = 0

    /// The greatest number of bytes of one item.
    let itemLimit: Int

    /// How many bytes are given back at least.
    private let least: Int

    public init(_ source: ByteSource) {
        self.source = source
        least = 4 * source.partSize
        itemLimit = source.itemLimit
        _ = fill()
    }

    /// Appends the next part of the document; false at its end.
    public mutating func fill() -> Bool {
        guard let source else { return false }
        if bytes.count - itemStart >= itemLimit {
            isOverfull = true
            return false
        }
        let start = bytes.count
        guard source.read(into: &bytes) else {
            self.source = nil
            return false
        }
        if isASCII { isASCII = bytes[start...].allSatisfy { $0 < 128 } }
        return true
    }

    /// Whether there is a byte at an offset.
    public mutating func has(_ offset: Int) -> Bool {
        while offset >= bytes.count {
            if !fill() { return false }
        }
        return true
    }

    /// The offset of the next line feed, or of the end of what can be read.
    mutating func lineEnd(from offset: Int) -> Int {
        var start = offset
        while true {
            let end = bytes.withUnsafeBufferPointer { buffer in
                var index = start
                while index < buffer.count, buffer[index] != 10 { index += 1 }
                return index
            }
            if end < bytes.count || !fill() { return end }
            start = end
        }
    }

    /// Moves behind the line, however long it is; nothing before that is needed any more.
    mutating func skipLine(_ offset: inout Int) {
        repeat {
            offset -= discard(before: offset)
            offset = lineEnd(from: offset)
        } while isOverfull
        offset = min(offset + 1, bytes.count)
        offset -= discard(before: offset)
    }

    /// Begins an item: the bytes before it are given back, if they are many.
    ///
    /// - Parameter offset: the first byte that is still needed.
    /// - Returns: how many bytes were given back; all offsets are smaller by this number.
    public mutating func discard(before offset: Int) -> Int {
        isOverfull = false
        itemStart = offset
        if offset < least { return 0 }
        _ = line(at: offset)
        columnsBefore = column(at: offset) - 1
        bytes.removeFirst(offset)
        countedTo -= offset
        itemStart = 0
        isASCII = isASCII || bytes.allSatisfy { $0 < 128 }
        return offset
    }

    /// The line of an offset, counted from 1; fast for ascending offsets.
    public mutating func line(at offset: Int) -> Int {
        let end = min(offset, bytes.count)
        bytes.withUnsafeBufferPointer { buffer in
            while countedTo < end {
                if buffer[countedTo] == 10 { countedLines += 1 }
                countedTo += 1
            }
            while countedTo > end {
                countedTo -= 1
                if buffer[countedTo] == 10 { countedLines -= 1 }
            }
        }
        return countedLines
    }

    /// The column of an offset in bytes, counted from 1.
    public func column(at offset: Int) -> Int {
        let end = min(offset, bytes.count)
        var start = end
        while start > 0, bytes[start - 1] != 10 { start -= 1 }
        return end - start + 1 + (start == 0 ? columnsBefore : 0)
    }
}
