/// Checks bytes against the grammar of JSON (RFC 8259) without creating values.
///
/// Stricter than ``JSONScanner``, which accepts more: text that passes may be written into a
/// document unchanged.
struct JSONCheck {
    // Safety: whoever makes a check keeps the bytes until its end.
    private let bytes: UnsafeBufferPointer<UInt8>
    private let depthLimit: Int
    private var at = 0
    private var depth = 0

    /// Creates a check of bytes that are UTF-8 and do not move.
    init(_ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    /// Whether the bytes are exactly one object, without a member of a certain name.
    ///
    /// A name with an escape counts as that name, because it may be.
    mutating func isObject(without name: String) -> Bool {
        guard peek == UInt8(ascii: "{"), object(without: Array(name.utf8)) else { return false }
        return at == bytes.count
    }

    private var peek: UInt8 { at < bytes.count ? bytes[at] : 0 }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func skipSpace() {
        while at < bytes.count {
            let byte = bytes[at]
            guard byte == 32 || byte == 10 || byte == 13 || byte == 9 else { return }
            at += 1
        }
    }

    private mutating func value() -> Bool {
        switch peek {
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "{"): return object(without: nil)
        case UInt8(ascii: "["): return list(UInt8(ascii: "]")) { $0.value() }
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    private mutating func object(without name: [UInt8]?) -> Bool {
        list(UInt8(ascii: "}")) { check in
            let start = check.at + 1
            guard check.peek == UInt8(ascii: "\""), check.string() else { return false }
            if let name {
                let found = check.bytes[start..<check.at - 1]
                if found.elementsEqual(name) || found.contains(92) { return false }
            }
            check.skipSpace()
            guard check.take(UInt8(ascii: ":")) else { return false }
            check.skipSpace()
            return check.value()
        }
    }

    /// Elements with commas between, up to the closing bracket; this is at the opening one.
    private mutating func list(_ closing: UInt8, _ element: (inout JSONCheck) -> Bool) -> Bool {
        at += 1
        depth += 1
        guard depth <= depthLimit else { return false }
        skipSpace()
        if !take(closing) {
            repeat {
                skipSpace()
                guard element(&self) else { return false }
                skipSpace()
            } while take(UInt8(ascii: ","))
            guard take(closing) else { return false }
        }
        depth -= 1
        return true
    }

    private mutating func string() -> Bool {
        at += 1
        while true {
            at = JSONText.plainEnd(of: bytes, from: at)
            guard at < bytes.count else { return false }
            let byte = bytes[at]
            at += 1
            if byte == 34 { return true }
            if byte < 32 { return false }
            if byte == 92, !escape() { return false }
        }
    }

    private mutating func escape() -> Bool {
        let byte = peek
        at += 1
        switch byte {
        case 34, 92, 47, UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard (48...57).contains(peek) || (97...102).contains(peek | 0x20) else {
                    return false
                }
                at += 1
            }
            return true
        default: return false
        }
    }

    private mutating func number() -> Bool {
        _ = take(45)
        let start = at
        guard digits() > 0, bytes[start] != 48 || at == start + 1 else { return false }
        if take(46), digits() == 0 { return false }
        if peek | 0x20 == 101 {
            at += 1
            if !take(43) { _ = take(45) }
            if digits() == 0 { return false }
        }
        return true
    }

    private mutating func digits() -> Int {
        let start = at
        while at < bytes.count, bytes[at] >= 48, bytes[at] <= 57 { at += 1 }
        return at - start
    }

    private mutating func word(_ word: StaticString) -> Bool {
        let end = at + word.utf8CodeUnitCount
        guard end <= bytes.count,
            word.withUTF8Buffer({ bytes[at..<end].elementsEqual($0) })
        else { return false }
        at = end
        return true
    }
}
