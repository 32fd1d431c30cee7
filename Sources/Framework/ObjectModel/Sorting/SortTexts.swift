import CText

/// Texts with their sort keys.
///
/// A key is a sequence of bytes whose plain order is the first level of the comparison, so that
/// nothing is folded during the sort. The texts themselves are compared only if their keys are the
/// same and the comparison has further levels.
final class SortTexts {
    private let texts: [String]
    private let comparison: FetchSortDescriptor.Comparison
    /// All keys, one after the other; the key of a position ends where the next begins.
    private var bytes: [UInt8] = []
    private var starts: [Int] = []
    /// The first eight bytes after the common beginning of all keys, as a number: most pairs differ
    /// there.
    private var prefixes: [UInt64] = []

    /// The keys of texts; `nil` unless the values are all texts or `nil`.
    init?(_ values: [GraphValue], _ comparison: FetchSortDescriptor.Comparison) {
        var texts: [String] = []
        texts.reserveCapacity(values.count)
        for value in values {
            switch value {
            case .string(let text): texts.append(text)
            case .null: texts.append("")
            default: return nil
            }
        }
        self.texts = texts
        self.comparison = comparison
        starts.reserveCapacity(texts.count + 1)
        for text in texts {
            starts.append(bytes.count)
            append(text)
        }
        starts.append(bytes.count)
        readPrefixes(skipping: commonLength(of: values))
    }

    private func append(_ text: String) {
        switch comparison {
        case .binary: bytes.append(contentsOf: text.utf8)
        case .caseInsensitive:
            bytes.append(contentsOf: TextFolding.foldedBytes(text, options: .caseInsensitive))
        case .localized, .localizedCaseInsensitive:
            bytes.append(contentsOf: letters(of: text))
        case .localizedStandard: appendWithNumbers(letters(of: text))
        }
    }

    private func letters(of text: String) -> [UInt8] {
        TextFolding.foldedBytes(text, options: [.caseInsensitive, .diacriticInsensitive])
    }

    /// A run of digits becomes a digit, the length without leading zeros, and the digits.
    private func appendWithNumbers(_ text: [UInt8]) {
        var index = 0
        while index < text.count {
            guard SortTexts.isDigit(text[index]) else {
                bytes.append(text[index])
                index += 1
                continue
            }
            while index < text.count, text[index] == UInt8(ascii: "0") { index += 1 }
            let start = index
            while index < text.count, SortTexts.isDigit(text[index]) { index += 1 }
            bytes.append(UInt8(ascii: "0"))
            var length = index - start
            while length >= 255 {
                bytes.append(255)
                length -= 255
            }
            bytes.append(UInt8(length))
            bytes.append(contentsOf: text[start..<index])
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// The number of bytes with which all keys begin; the keys of `nil` do not count.
    private func commonLength(of values: [GraphValue]) -> Int {
        guard let first = values.firstIndex(where: { !$0.isNull }) else { return 0 }
        let model = starts[first]
        var length = starts[first + 1] - model
        for index in values.indices.dropFirst(first + 1) where !values[index].isNull {
            let start = starts[index]
            length = min(length, starts[index + 1] - start)
            var common = 0
            while common < length, bytes[start + common] == bytes[model + common] { common += 1 }
            length = common
            if length == 0 { break }
        }
        return length
    }

    private func readPrefixes(skipping common: Int) {
        prefixes.reserveCapacity(texts.count)
        for index in texts.indices {
            let start = starts[index] + common
            var prefix: UInt64 = 0
            for offset in 0..<8 {
                prefix <<= 8
                // A key that is the beginning of another one is less. The next byte of the other
                // may be zero and so not show here; then the full comparison decides.
                if start + offset < starts[index + 1] { prefix |= UInt64(bytes[start + offset]) }
            }
            prefixes.append(prefix)
        }
    }

    private struct Entry {
        let prefix: UInt64
        let position: Int
    }

    /// Sorts positions, equal ones by position; returns the runs of equal texts.
    func sort(_ positions: inout [Int], _ start: Int, isAscending: Bool) -> [Range<Int>] {
        var entries = positions.map { Entry(prefix: prefixes[$0], position: $0) }
        let found = bytes.withUnsafeBufferPointer { bytes in
            entries.sort { a, b in
                let order = order(a, b, bytes)
                if order == 0 { return a.position < b.position }
                return (order < 0) == isAscending
            }
            return runs(entries.count, start) { order(entries[$0], entries[$1], bytes) == 0 }
        }
        positions = entries.map(\.position)
        return found
    }

    @inline(__always)
    private func order(_ a: Entry, _ b: Entry, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        if a.prefix != b.prefix { return a.prefix < b.prefix ? -1 : 1 }
        return fullOrder(a.position, b.position, bytes)
    }

    private func fullOrder(_ a: Int, _ b: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let order = ctext_order(
            bytes.baseAddress.map { $0 + starts[a] },
            starts[a + 1] - starts[a],
            bytes.baseAddress.map { $0 + starts[b] },
            starts[b + 1] - starts[b],
            CTEXT_BINARY
        )
        if order != 0 || comparison == .binary || comparison == .caseInsensitive {
            return Int(order)
        }
        switch TextFolding.order(texts[a], texts[b], by: comparison) {
        case .before: return -1
        case .same: return 0
        case .after: return 1
        }
    }
}
