import CText

/// How texts compare without regard to case, diacritics or form: one rule for predicates, sort
/// descriptors, the functions and collations of a SQL store, and the search.
///
/// The rule is a table built from the Unicode data (`Tools/foldtable.py`), applied in C, the same in
/// every locale:
/// - `[c]` folds case in full: ß is ss, ﬁ is fi, İ is i with a dot above.
/// - `[d]` removes the diacritics that follow a letter, composed or not; a diacritic without a
///   letter before it stays. Letters that do not decompose into letter and mark stay (ø, ł, đ, æ),
///   and so do marks that make another letter of their script (kana voicing, Indic signs).
/// - `[cd]` is both.
/// - `[n]`, and each of the others, makes canonically equivalent texts the same.
/// - Without an option texts are compared by their bytes. `[l]` changes nothing.
public enum TextFolding {
    /// The text with what the options ignore removed: two texts are the same under the options
    /// exactly if their folded forms have the same scalars.
    ///
    /// The result is canonically decomposed (Hangul syllables excepted) and is not for display.
    /// - Complexity: O(*n*); gigabytes a second for ASCII, some hundred megabytes for other text.
    public static func fold(_ text: String, options: FetchComparison.Options) -> String {
        String(decoding: foldedBytes(text, options: options), as: UTF8.self)
    }

    /// The bytes of ``fold(_:options:)`` in UTF-8.
    public static func foldedBytes(_ text: String, options: FetchComparison.Options) -> [UInt8] {
        transformed(text) { ctext_fold($0, $1, options.foldMask, $2) }
    }

    /// Where `a` stands relative to `b`.
    ///
    /// Each comparison is a total order. Except for `binary`, canonically equivalent texts are the
    /// same.
    ///
    /// - Complexity: O(*n*); without folding if the texts differ within their ASCII beginning.
    public static func order(
        _ a: String,
        _ b: String,
        by comparison: FetchSortDescriptor.Comparison
    ) -> Order {
        let result = a.withBytes { aBytes in
            b.withBytes { bBytes in
                ctext_order(
                    aBytes.baseAddress,
                    aBytes.count,
                    bBytes.baseAddress,
                    bBytes.count,
                    comparison.cComparison
                )
            }
        }
        return Order(result, 0)
    }

    /// Runs a function that writes a form of the text, at most
    /// `CTEXT_FOLD_GROWTH` times as long, into a buffer.
    static func transformed(
        _ text: String,
        _ body: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?) -> Int
    ) -> [UInt8] {
        text.withBytes { bytes in
            let capacity = bytes.count * CTEXT_FOLD_GROWTH
            return [UInt8](unsafeUninitializedCapacity: capacity + CTEXT_SLACK) { buffer, count in
                count = body(bytes.baseAddress, bytes.count, buffer.baseAddress)
            }
        }
    }
}

extension FetchComparison.Options {
    /// What the folding functions of CText call these options; the numbers are the same.
    var foldMask: UInt32 {
        UInt32(rawValue) & UInt32(CTEXT_CASE | CTEXT_DIACRITICS | CTEXT_NORMALIZED)
    }
}

extension FetchSortDescriptor.Comparison {
    fileprivate var cComparison: ctext_comparison {
        switch self {
        case .binary: CTEXT_BINARY
        case .caseInsensitive: CTEXT_CASE_INSENSITIVE
        case .localized: CTEXT_LOCALIZED
        case .localizedCaseInsensitive: CTEXT_LOCALIZED_CASE_INSENSITIVE
        case .localizedStandard: CTEXT_LOCALIZED_STANDARD
        }
    }
}

extension String {
    /// Runs a closure on the text in UTF-8, without a copy for Swift's own strings.
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        return Array(utf8).withUnsafeBufferPointer(body)
    }
}
