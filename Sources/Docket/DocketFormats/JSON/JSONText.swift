import CivilTime
public import FoundationEssentials

/// Writing JSON into bytes.
public enum JSONText {
    /// Appends a string in quotes.
    public static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(34)
        var text = text
        text.withUTF8 { buffer in
            var start = 0
            while start < buffer.count {
                let end = plainEnd(of: buffer, from: start)
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start..<end]))
                if end < buffer.count { appendEscape(buffer[end], to: &bytes) }
                start = end + 1
            }
        }
        bytes.append(34)
    }

    /// The place of the first byte that stands in a string only as an escape, from a place on; the
    /// end if there is none.
    static func plainEnd(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var at = start
        let raw = UnsafeRawBufferPointer(bytes)
        while at + 8 <= raw.count {
            if hasEscape(raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)) { break }
            at += 8
        }
        while at < bytes.count {
            let byte = bytes[at]
            if byte < 32 || byte == 34 || byte == 92 || byte == 0x7F { break }
            at += 1
        }
        return at
    }

    /// Whether one of eight bytes has to be an escape.
    @inline(__always)
    private static func hasEscape(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // The high bit of the lowest byte that is less than a limit up to 128, and perhaps of others
        // above it.
        func less(_ word: UInt64, _ limit: UInt64) -> UInt64 { (word &- ones &* limit) & ~word }
        func equal(_ byte: UInt64) -> UInt64 { less(word ^ ones &* byte, 1) }
        return (less(word, 32) | equal(34) | equal(92) | equal(0x7F)) & ones &* 0x80 != 0
    }

    private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(92)
        switch byte {
        case 34, 92: bytes.append(byte)
        case 10: bytes.append(UInt8(ascii: "n"))
        case 13: bytes.append(UInt8(ascii: "r"))
        case 9: bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            for digit in [byte >> 4, byte & 15] {
                bytes.append(digit < 10 ? 48 + digit : 87 + digit)
            }
        }
    }

    public static func append(_ number: Int64, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = digits.count
            var rest = number.magnitude
            repeat {
                start -= 1
                digits[start] = 48 + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 {
                start -= 1
                digits[start] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    public static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: append(literal: "null", to: &bytes)
        case .bool(let flag): append(flag, to: &bytes)
        case .number(let text): bytes.append(contentsOf: text.utf8)
        case .string(let text): append(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            append(members, to: &bytes)
        }
    }

    public static func append(_ members: [JSONMember], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(member.name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            append(member.value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    public static func append(_ flag: Bool, to bytes: inout [UInt8]) {
        append(literal: flag ? "true" : "false", to: &bytes)
    }

    /// Appends text that is already JSON.
    public static func append(literal: StaticString, to bytes: inout [UInt8]) {
        literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    public static func append(_ uuid: UUID, to bytes: inout [UInt8]) {
        bytes.append(34)
        UUIDText.append(uuid, to: &bytes, isLowercase: true)
        bytes.append(34)
    }

    public static func append(_ date: Date, to bytes: inout [UInt8]) {
        bytes.append(34)
        ISODate.append(date, to: &bytes)
        bytes.append(34)
    }
}

extension ForeignFields {
    /// One JSON text for a store's single attribute; `nil` if there are no fields.
    public var text: String? {
        guard !isEmpty else { return nil }
        var bytes: [UInt8] = []
        JSONText.append(sections.map { JSONMember($0.format, .object($0.members)) }, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a store's text can be part of a JSON file unchanged: it is an object by the rules of
    /// RFC 8259, and has no fields of that format, because these are written beside the others.
    ///
    /// Cost: reads each byte once.
    public static func canPassOn(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var check = JSONCheck(bytes, depthLimit: JSONScanner.storeDepth)
            return check.isObject(without: ExchangeFormat.json.name)
        }
    }

    /// The fields in a store's text; if it is damaged, none, and ``isDamaged`` is set.
    public init(stored text: String?) {
        do {
            try self.init(text: text)
        } catch {
            self.init()
            isDamaged = true
        }
    }

    /// The inverse of ``text``.
    ///
    /// - Throws: ``InputError`` of kind `malformed`; a store with such text is damaged.
    public init(text: String?) throws(InputError) {
        self.init()
        guard let text else { return }
        var scanner = JSONScanner(Array(text.utf8), depthLimit: JSONScanner.storeDepth)
        do throws(JSONScanner.Problem) {
            guard case .object(let sections) = try scanner.value() else {
                throw scanner.expected("an object")
            }
            self.init(sections)
        } catch {
            throw InputError(
                .malformed,
                "The kept fields of foreign formats are damaged: \(error.message)."
            )
        }
    }

    public init(_ sections: [JSONMember]) {
        self.init()
        for section in sections {
            if case .object(let members) = section.value { self[section.name] = members }
        }
    }
}
