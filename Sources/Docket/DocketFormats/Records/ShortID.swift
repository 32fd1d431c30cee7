public import FoundationEssentials

/// The short name of an item on the command line: a decimal number.
///
/// Items are numbered in the order of creation. A number never changes and is never reused.
///
/// A number names one item only as a whole: `12` is never the beginning of `123`. Digits alone are
/// always a number; the beginning of a UUID (see ``ItemReference``) needs a letter or a dash among
/// its first eight characters, so the two cannot be confused.
public enum ShortID {
    public static func string(_ number: Int64) -> String { "\(number)" }

    /// The largest number of an item; a store can have a larger one from elsewhere, which no new item
    /// follows.
    public static let largest: Int64 = 1 << 53

    /// The largest number that an import keeps, so that there is always a next one.
    public static let largestImported = largest / 2

    /// Reads a number.
    ///
    /// - Throws: ``InputError`` of kind `badReference`.
    public static func parse(_ text: String) throws(InputError) -> Int64 {
        let digits = text.utf8
        guard !digits.isEmpty, digits.allSatisfy({ $0 >= 48 && $0 <= 57 }) else {
            throw InputError(
                .badReference,
                "“\(shown(text))” is not an item's number; `docket list` shows the numbers."
            )
        }
        guard digits.first != 48 else {
            throw InputError(
                .badReference,
                "“\(shown(text))” is not an item's number; they begin at 1."
            )
        }
        guard let number = Int64(text) else {
            throw InputError(.badReference, "“\(shown(text))” is too large for an item's number.")
        }
        return number
    }

    /// The greatest number of items in one range.
    public static let longestRange: Int64 = 100_000

    /// Reads numbers and ranges, separated by commas: `3`, `3,5`, `3-7,12`; each once, in their
    /// order.
    ///
    /// - Throws: ``InputError`` of kind `badReference`.
    public static func parseList(_ text: String) throws(InputError) -> [Int64] {
        var numbers: [Int64] = []
        var seen: Set<Int64> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            let first = try parse(String(ends.first ?? ""))
            guard ends.count <= 2 else {
                throw InputError(
                    .badReference,
                    "“\(shown(String(part)))” is not a range; write one like 3-7."
                )
            }
            let last = ends.count == 2 ? try parse(String(ends[1])) : first
            guard first <= last else {
                throw InputError(
                    .badReference,
                    "The range “\(part)” runs backwards; write \(last)-\(first)."
                )
            }
            guard last - first < longestRange else {
                throw InputError(
                    .badReference,
                    "The range “\(part)” has more than \(longestRange) items; split it."
                )
            }
            for number in first...last where seen.insert(number).inserted {
                numbers.append(number)
            }
        }
        return numbers
    }

    public static func shown(_ text: String) -> String {
        let clean = CaptureText.cleanLine(text)
        return clean.count > 40 ? clean.prefix(40) + "…" : clean
    }
}

/// The name of an item in a command.
public enum ItemReference: Hashable, Sendable {
    case number(Int64)
    case uuid(UUID)
    /// The beginning of a UUID in upper case, with its dashes; at least eight characters.
    case uuidPrefix(String)

    /// Reads `12`, a whole UUID, or the first eight or more characters of one.
    ///
    /// - Throws: ``InputError`` of kind `badReference`.
    public init(_ text: String) throws(InputError) {
        let bytes = Array(text.utf8)
        if let uuid = UUIDText.parse(text) {
            self = .uuid(uuid)
            return
        }
        if bytes.count >= 8, bytes.count < 36, !bytes.allSatisfy({ $0 >= 48 && $0 <= 57 }),
            UUIDText.isPrefix(bytes)
        {
            self = .uuidPrefix(text.uppercased())
            return
        }
        self = .number(try ShortID.parse(text))
    }
}
