/// A paste without its end mark so far.
struct PasteBuffer: Sendable {
    var bytes: [UInt8] = []
    /// How many bytes of the end mark have arrived.
    var matched = 0

    static let endMark: [UInt8] = Array("\u{1B}[201~".utf8)
}

extension InputDecoder {
    /// Reads bytes up to the end mark.
    ///
    /// - Returns: the position of the first byte after the paste.
    /// - Complexity: O(n), in runs between escape bytes.
    mutating func feedPaste(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        into events: inout [InputEvent]
    ) -> Int {
        guard var buffer = paste else { return start }
        paste = nil  // so that the buffer is not copied
        let mark = PasteBuffer.endMark
        var place = start
        while place < bytes.count {
            let byte = bytes[place]
            if byte == mark[buffer.matched] {
                buffer.matched += 1
                place += 1
                if buffer.matched == mark.count {
                    events.append(.paste(DisplayWidth.sanitize(buffer.bytes)))
                    return place
                }
            } else if buffer.matched > 0 {
                // Not the end mark; the byte is read again.
                buffer.append(mark[..<buffer.matched])
                buffer.matched = 0
            } else {
                var end = place + 1
                while end < bytes.count, bytes[end] != 0x1B { end += 1 }
                buffer.append(bytes[place..<end])
                place = end
            }
        }
        paste = buffer
        return place
    }

    /// Ends a paste whose end mark has not arrived.
    mutating func endPaste() -> [InputEvent] {
        guard var buffer = paste else { return [] }
        paste = nil
        buffer.append(PasteBuffer.endMark[..<buffer.matched])
        let text = DisplayWidth.sanitize(buffer.bytes)
        return text.isEmpty ? [] : [.paste(text)]
    }
}

extension PasteBuffer {
    fileprivate mutating func append(_ more: some Collection<UInt8>) {
        bytes.append(contentsOf: more.prefix(InputDecoder.Limits.paste - bytes.count))
    }
}
