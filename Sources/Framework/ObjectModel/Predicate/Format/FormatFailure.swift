/// Why a format string cannot be parsed; public functions turn it into an `ObjectGraphError`.
struct FormatFailure: Error {
    /// Bytes from the start of the format.
    var offset: Int
    /// What was expected there, or what is wrong.
    var reason: String
    /// Whether the message should quote the text that was found.
    var quotesFound: Bool

    init(_ offset: Int, expected: String) {
        self.offset = offset
        reason = "expected \(expected)"
        quotesFound = true
    }

    init(_ offset: Int, because reason: String) {
        self.offset = offset
        self.reason = reason
        quotesFound = false
    }

    /// The longest part of a format that a message repeats.
    private static let longestExcerpt = 120

    func error(in format: String) -> ObjectGraphError {
        let bytes = format.utf8
        let index = bytes.index(bytes.startIndex, offsetBy: Swift.min(offset, bytes.count))
        let position = format[..<index].count + 1
        var message =
            "Unable to parse the format string \"\(format.prefix(Self.longestExcerpt))"
            + (format.count > Self.longestExcerpt ? "…" : "")
            + "\": at character \(position), \(reason)"
        if quotesFound {
            let rest = format[index...].prefix { !$0.isWhitespace }.prefix(20)
            message +=
                index == format.endIndex
                ? ", found the end" : ", found \"\(rest.isEmpty ? " " : rest)\""
        }
        return ObjectGraphError(.invalidFormat, message + ".")
    }
}
