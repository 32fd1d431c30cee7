import Glibc

enum TextEscaping {
    static func escaped(_ text: String) -> String {
        if !text.utf8.contains(where: { isSpecial($0) }) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "|", "=", ",", "\\":
                result += "\\"
                result.unicodeScalars.append(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                result += scalar.value < 16 ? "\\x0" : "\\x"
                result += String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7f || "|=,\\".utf8.contains(byte)
    }

    /// - Throws: ``FormatProblem`` for an escape that does not exist.
    static func unescaped(_ bytes: UnsafeRawBufferPointer) throws -> String {
        try withUnescaped(bytes) { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls with bytes without their escapes.
    ///
    /// - Throws: ``FormatProblem`` for an escape that does not exist.
    static func withUnescaped<Result>(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        if bytes.place(of: UInt8(ascii: "\\")) == nil { return try body(bytes) }
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "n")?: result.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "r")?: result.append(UInt8(ascii: "\r"))
            case UInt8(ascii: "t")?: result.append(UInt8(ascii: "\t"))
            case UInt8(ascii: "x")?:
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, let code = UInt8(digits, radix: 16), code < 0x80
                else { throw FormatProblem("\\x has no two hexadecimal digits below 80") }
                result.append(code)
                rest = rest.dropFirst(2)
            // Of a character of several bytes, the others follow.
            case let other?: result.append(other)
            case nil: throw FormatProblem("it ends with a backslash")
            }
        }
        return try result.withUnsafeBytes(body)
    }
}

/// Text that is read part by part; the parts are still escaped.
///
/// Safety: whoever makes it keeps the bytes while it reads.
struct TextParts {
    /// What is behind the last separator that was found; `nil` behind the end.
    private(set) var rest: UnsafeRawBufferPointer?

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    /// The text up to a separator that is not escaped, or to the end; `nil` behind that.
    mutating func next(before separator: UInt8) -> UnsafeRawBufferPointer? {
        guard let bytes = rest else { return nil }
        var end = bytes.place(of: separator) ?? bytes.count
        if let escape = bytes.part(0..<end).place(of: UInt8(ascii: "\\")) {
            end = escape
            while end < bytes.count, bytes[end] != separator {
                end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            end = min(end, bytes.count)
        }
        rest = end < bytes.count ? bytes.part(end + 1..<bytes.count) : nil
        return bytes.part(0..<end)
    }

    /// Calls with each line of a file and its number, in which a problem is named.
    ///
    /// - Throws: ``FormatProblem`` for a line that is not UTF-8, and what `body` throws.
    static func eachLine(
        of bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer, _ number: Int) throws -> Void
    ) throws {
        var start = 0
        var number = 0
        while start < bytes.count {
            let rest = bytes.part(start..<bytes.count)
            let end = rest.place(of: UInt8(ascii: "\n")) ?? rest.count
            let isLong = end > 0 && rest[end - 1] == UInt8(ascii: "\r")
            let line = rest.part(0..<(isLong ? end - 1 : end))
            number += 1
            do {
                let isText = line.withMemoryRebound(to: UInt8.self) {
                    (try? UTF8Span(validating: $0.span)) != nil
                }
                if !isText { throw FormatProblem("it is not UTF-8") }
                try body(line, number)
            } catch let problem as FormatProblem {
                throw FormatProblem("line \(number): \(problem.text)")
            }
            start += end + 1
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func place(of byte: UInt8) -> Int? {
        guard let start = baseAddress, let found = memchr(start, Int32(byte), count) else {
            return nil
        }
        return found - UnsafeMutableRawPointer(mutating: start)
    }

    fileprivate func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }
}
