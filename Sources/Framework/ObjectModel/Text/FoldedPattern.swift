import CText

/// The right side of a string operator, folded once and compared with many texts.
///
/// A SQL store uses the same function of CText, so a predicate selects the same rows in memory and
/// in the store. With options, an occurrence begins and ends at boundaries of characters (a scalar
/// with the marks that follow it).
///
/// An empty needle is not contained in any text, and no text begins or ends with it.
///
/// - Complexity: O(*n*) in the text for all tests; ``isLike(_:)`` at worst the product of both
///   lengths.
package struct FoldedPattern: Sendable {
    private let needle: [UInt8]
    private let likePattern: [UInt8]
    private let foldMask: UInt32

    package init(_ needle: String, options: FetchComparison.Options) {
        foldMask = options.foldMask
        self.needle = TextFolding.foldedBytes(needle, options: options)
        likePattern = TextFolding.transformed(needle) {
            ctext_like_pattern($0, $1, options.foldMask, $2)
        }
    }

    package func isContained(in text: String) -> Bool { holds(CTEXT_CONTAINS, text, needle) }

    package func isPrefix(of text: String) -> Bool { holds(CTEXT_PREFIX, text, needle) }

    package func isSuffix(of text: String) -> Bool { holds(CTEXT_SUFFIX, text, needle) }

    package func isEqual(to text: String) -> Bool { holds(CTEXT_EQUAL, text, needle) }

    /// Whether the whole text fits the needle as a pattern: `?` is one character, `*` any number of
    /// them, and a backslash makes the next character an ordinary one.
    package func isLike(_ text: String) -> Bool { holds(CTEXT_LIKE, text, likePattern) }

    private func holds(_ relation: ctext_relation, _ text: String, _ needle: [UInt8]) -> Bool {
        text.withBytes { bytes in
            needle.withUnsafeBufferPointer { needle in
                ctext_matches(
                    relation,
                    bytes.baseAddress,
                    bytes.count,
                    needle.baseAddress,
                    needle.count,
                    foldMask
                )
            }
        }
    }
}
