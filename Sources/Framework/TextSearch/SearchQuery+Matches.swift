import CText
import ObjectModel

/// The matches of a query in one field of a row.
public struct SearchMatch: Hashable, Sendable {
    /// The number of the field.
    public let field: Int
    /// The places in the field's own text, in order and without overlap.
    ///
    /// They consist of whole characters: "s" is found in "ß", and the place is the whole "ß".
    public let ranges: [Range<String.Index>]
}

extension SearchQuery {
    /// The places of the words in the fields of a row, for highlighting; fields without a match are
    /// left out.
    ///
    /// - Complexity: O(*n*) for each word.
    public func matches(in texts: [String]) -> [SearchMatch] {
        guard !isEmpty else { return [] }
        return searched(texts).compactMap { number, text in
            let field = FoldedField(text)
            let places = Self.merged(words.flatMap { field.places(of: Array($0.utf8)) })
            guard !places.isEmpty else { return nil }
            return SearchMatch(field: number, ranges: places.map { text.range(ofBytes: $0) })
        }
    }

    private func searched(_ texts: [String]) -> [(number: Int, text: String)] {
        texts.enumerated().filter { number, _ in
            number < SearchFields.limit && fields.rawValue >> UInt8(number) & 1 == 1
        }
        .map { (number: $0.offset, text: $0.element) }
    }

    private static func merged(_ places: [Range<Int>]) -> [Range<Int>] {
        var merged: [Range<Int>] = []
        for place in places.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, place.lowerBound <= last.upperBound {
                let end = max(last.upperBound, place.upperBound)
                merged[merged.count - 1] = last.lowerBound..<end
            } else {
                merged.append(place)
            }
        }
        return merged
    }
}

/// A folded text with the original offset of each byte.
private struct FoldedField {
    /// The folded text and the extra bytes that finding needs.
    private let bytes: [UInt8]
    /// For each byte of the folded text, the start of its character in the original.
    private let origins: [UInt32]
    private let originalCount: Int

    init(_ text: String) {
        (bytes, origins, originalCount) = text.withBytes { original in
            // Never empty: all threads would write to the shared empty array.
            let room = max(1, original.count * CTEXT_FOLD_GROWTH)
            var origins: [UInt32] = []
            let bytes = [UInt8](unsafeUninitializedCapacity: room + CTEXT_SLACK) { bytes, count in
                origins = [UInt32](unsafeUninitializedCapacity: room) { origins, folded in
                    folded = ctext_fold_with_origins(
                        original.baseAddress,
                        original.count,
                        SearchQuery.foldMask,
                        bytes.baseAddress,
                        origins.baseAddress
                    )
                }
                ctext_clean(bytes.baseAddress, origins.count)
                count = origins.count + CTEXT_SLACK
                bytes[origins.count..<count].initialize(repeating: 0)
            }
            return (bytes, origins, original.count)
        }
    }

    /// The places in the original text, in bytes.
    func places(of word: [UInt8]) -> [Range<Int>] {
        withFinder(of: word) { find in
            var places: [Range<Int>] = []
            var at = 0
            while let found = find(at) {
                at = found + word.count
                let last = origins[at - 1]
                let next = origins[at...].first { $0 != last }
                places.append(Int(origins[found])..<(next.map(Int.init) ?? originalCount))
            }
            return places
        }
    }

    /// Passes a function that finds the word at or after an offset.
    private func withFinder<Result>(of word: [UInt8], _ body: ((Int) -> Int?) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            word.withUnsafeBufferPointer { word in
                var needle = ctext_needle_make(word.baseAddress, word.count, nil)
                return body { offset in
                    guard let start = bytes.baseAddress,
                        let found = ctext_find(start + offset, start + origins.count, &needle)
                    else { return nil }
                    return found - start
                }
            }
        }
    }
}

extension SearchQuery {
    static var foldMask: UInt32 { UInt32(CTEXT_CASE | CTEXT_DIACRITICS) }
}

extension String {
    fileprivate func range(ofBytes bytes: Range<Int>) -> Range<String.Index> {
        let start = utf8.index(startIndex, offsetBy: bytes.lowerBound)
        return start..<utf8.index(start, offsetBy: bytes.count)
    }
}
