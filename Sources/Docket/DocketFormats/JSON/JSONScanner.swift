/// Reads JSON from bytes, step by step and tolerantly.
///
/// Foundation's decoder needs a correct document, and twice its memory. This scanner reads one item
/// at a time; an invalid one has its place in the error, and reading continues with the next one.
///
/// Beyond RFC 8259 it accepts tabs and other control characters (but not line feeds) inside
/// strings, invalid UTF-8 and lone surrogates (replaced by U+FFFD) and a byte order mark. Numbers
/// stay text until they are used, so they are not rounded. Nesting is limited, so that a hostile
/// file cannot exhaust the stack.
///
/// - Complexity: O(bytes).
public struct JSONScanner {
    /// An error with its place; the message is part of a sentence, without a full stop.
    public struct Problem: Error {
        public var offset: Int
        public var message: String
    }

    private var window: ByteWindow
    /// The place in the window.
    public private(set) var at: Int
    private var depth = 0
    private var scratch: [UInt8] = []
    /// Whether a string since ``beginItem()`` contained half of a surrogate pair.
    private(set) var hasReplacements = false
    /// Whether a string contained bytes that are not UTF-8.
    private(set) var isNotUTF8 = false

    /// The deepest nesting of a document of another program.
    ///
    /// Its content is kept inside our own documents, and these inside the store, so each of those
    /// may be a few levels deeper.
    public static let foreignDepth = 100
    static let ownDepth = 110
    static let storeDepth = 120

    private let depthLimit: Int

    public init(_ source: ByteSource, depthLimit: Int = JSONScanner.foreignDepth) {
        self.depthLimit = depthLimit
        window = ByteWindow(source)
        at = window.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    public init(_ bytes: [UInt8], depthLimit: Int = JSONScanner.foreignDepth) {
        self.init(ByteSource(bytes), depthLimit: depthLimit)
    }

    /// Begins an item; offsets from before are not valid any more.
    mutating func beginItem() {
        hasReplacements = false
        at -= window.discard(before: at)
    }

    /// The first bytes of the document, before anything was read.
    public var head: ArraySlice<UInt8> {
        mutating get {
            _ = window.has(3)
            return window.bytes.prefix(4)
        }
    }

    /// Whether the item here is longer than one may be.
    var isTooLong: Bool { window.isOverfull }

    /// The greatest number of bytes of one item.
    var itemLimit: Int { window.itemLimit }

    private var hasByte: Bool { mutating get { at < window.bytes.count || window.fill() } }

    public var isAtEnd: Bool { mutating get { !hasByte } }

    /// The byte here, 0 at the end.
    var peek: UInt8 { mutating get { hasByte ? window.bytes[at] : 0 } }

    public func problem(_ message: String) -> Problem { Problem(offset: at, message: message) }

    /// The line of an offset, counted from 1; fast for ascending offsets.
    public mutating func line(at offset: Int) -> Int { window.line(at: offset) }

    /// The column of an offset in bytes, counted from 1.
    public func column(at offset: Int) -> Int { window.column(at: offset) }

    public mutating func skipSpace() {
        while hasByte {
            let byte = window.bytes[at]
            guard byte == 32 || byte == 10 || byte == 13 || byte == 9 else { return }
            at += 1
        }
    }

    /// Reads one punctuation byte if it is next, with the white space before it.
    public mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard hasByte, window.bytes[at] == byte else { return false }
        at += 1
        return true
    }

    // MARK: Structure

    /// Reads an object.
    ///
    /// Calls the closure with each name, with the scanner before the value; the closure must read
    /// the value or ``skip()`` it.
    public mutating func object(
        _ member: (inout JSONScanner, String) throws(Problem) -> Void
    ) throws(Problem) {
        guard take(UInt8(ascii: "{")) else { throw expected("an object") }
        try descend()
        if !take(UInt8(ascii: "}")) {
            repeat {
                skipSpace()
                guard peek == UInt8(ascii: "\"") else { throw expected("a name in quotes") }
                let name = try string()
                guard take(UInt8(ascii: ":")) else { throw expected("a colon") }
                try member(&self, name)
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { throw expected("a comma or }") }
        }
        depth -= 1
    }

    public mutating func array(
        _ element: (inout JSONScanner) throws(Problem) -> Void
    ) throws(Problem) {
        guard take(UInt8(ascii: "[")) else { throw expected("a list in [ ]") }
        try descend()
        if !take(UInt8(ascii: "]")) {
            repeat { try element(&self) } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "]")) else { throw expected("a comma or ]") }
        }
        depth -= 1
    }

    private mutating func descend() throws(Problem) {
        depth += 1
        if depth > depthLimit {
            throw problem("it is nested more than \(depthLimit) levels deep")
        }
    }

    /// Moves to the next line that begins with one of some bytes, after an error.
    ///
    /// - Parameters:
    ///   - start: where the invalid item begins.
    ///   - isWanted: whether reading continues at a line, by its first byte and its indentation.
    /// - Returns: false if there is no such line.
    mutating func skipLines(
        from start: Int,
        _ isWanted: (_ byte: UInt8, _ indent: Int) -> Bool
    ) -> Bool {
        depth = 0
        at = start
        while true {
            let end = window.lineEnd(from: at)
            at = end - window.discard(before: end)
            // A longer item than may be ends the window early.
            if at == window.bytes.count, window.fill() { continue }
            guard hasByte else { return false }
            at += 1
            let line = at
            while hasByte, window.bytes[at] == 32 || window.bytes[at] == 9 { at += 1 }
            if hasByte, isWanted(window.bytes[at], at - line) { return true }
        }
    }

    public func expected(_ what: String) -> Problem {
        let bytes = window.bytes
        guard at < bytes.count else { return problem("it ends where \(what) should be") }
        let byte = bytes[at]
        if byte > 32, byte < 127 {
            let scalar = Unicode.Scalar(byte)
            return problem("\(what) should be in place of “\(scalar)”")
        }
        return problem("\(what) should be in place of byte \(byte)")
    }

    // MARK: Values

    public mutating func value() throws(Problem) -> JSONValue {
        skipSpace()
        switch peek {
        case UInt8(ascii: "\""):
            return .string(try string())
        case UInt8(ascii: "{"):
            var members: [JSONMember] = []
            try object { (scanner, name) throws(Problem) in
                members.append(JSONMember(name, try scanner.value()))
            }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            try array { (scanner) throws(Problem) in elements.append(try scanner.value()) }
            return .array(elements)
        case UInt8(ascii: "t"):
            try word("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try word("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try word("null")
            return .null
        default:
            return .number(try number())
        }
    }

    public mutating func skip() throws(Problem) { _ = try value() }

    /// Reads `null` if it is next.
    mutating func takeNull() throws(Problem) -> Bool {
        skipSpace()
        guard peek == UInt8(ascii: "n") else { return false }
        try word("null")
        return true
    }

    private mutating func word(_ word: StaticString) throws(Problem) {
        let end = at + word.utf8CodeUnitCount
        let matches =
            window.has(end - 1)
            && word.withUTF8Buffer { window.bytes[at..<end].elementsEqual($0) }
        guard matches else { throw expected("a value") }
        at += word.utf8CodeUnitCount
    }

    /// A number, unchanged.
    public mutating func number() throws(Problem) -> String {
        skipSpace()
        let start = at
        if peek == 45 { at += 1 }
        let whole = digits()
        let hasLeadingZero = whole > 1 && window.bytes[at - whole] == 48
        guard whole > 0, !hasLeadingZero else {
            at = start
            throw expected("a value")
        }
        if peek == 46 {
            at += 1
            guard digits() > 0 else { throw expected("a digit") }
        }
        if peek | 0x20 == 101 {
            at += 1
            if peek == 43 || peek == 45 { at += 1 }
            guard digits() > 0 else { throw expected("a digit") }
        }
        return String(decoding: window.bytes[start..<at], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = at
        while hasByte, window.bytes[at] >= 48, window.bytes[at] <= 57 { at += 1 }
        return at - start
    }

    // MARK: Strings

    public mutating func string() throws(Problem) -> String {
        skipSpace()
        guard peek == UInt8(ascii: "\"") else { throw expected("text in quotes") }
        let start = at + 1
        var end = start
        repeat {
            end = window.bytes.withUnsafeBufferPointer { buffer in
                var index = end
                while index < buffer.count {
                    let byte = buffer[index]
                    if byte == 34 || byte == 92 || byte == 10 { break }
                    index += 1
                }
                return index
            }
        } while end >= window.bytes.count && window.fill()
        if end < window.bytes.count, window.bytes[end] == 34 {
            at = end + 1
            return text(window.bytes, start..<end)
        }
        scratch.removeAll(keepingCapacity: true)
        at = start
        while hasByte {
            let byte = window.bytes[at]
            switch byte {
            case 34:
                at += 1
                return text(scratch, 0..<scratch.count)
            case 92:
                at += 1
                try escape()
            case 10:
                throw problem("a text is not closed before the end of the line")
            default:
                scratch.append(byte)
                at += 1
            }
        }
        throw problem("a text is not closed")
    }

    private mutating func text(_ source: [UInt8], _ range: Range<Int>) -> String {
        source.withUnsafeBufferPointer { buffer in
            let part = UnsafeBufferPointer(rebasing: buffer[range])
            if !window.isASCII, !isNotUTF8 {
                if let valid = try? UTF8Span(validating: part.span) {
                    return String(copying: valid)
                }
                isNotUTF8 = true
            }
            return String(decoding: part, as: UTF8.self)
        }
    }

    private mutating func escape() throws(Problem) {
        let byte = peek
        at += 1
        switch byte {
        case 34, 92, 47: scratch.append(byte)
        case UInt8(ascii: "b"): scratch.append(8)
        case UInt8(ascii: "f"): scratch.append(12)
        case UInt8(ascii: "n"): scratch.append(10)
        case UInt8(ascii: "r"): scratch.append(13)
        case UInt8(ascii: "t"): scratch.append(9)
        case UInt8(ascii: "u"):
            var code = try hex()
            if code >= 0xD800, code < 0xDC00, peek == 92, window.has(at + 1),
                window.bytes[at + 1] == UInt8(ascii: "u")
            {
                let back = at
                at += 2
                let low = try hex()
                if low >= 0xDC00, low < 0xE000 {
                    code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
                } else {
                    at = back
                }
            }
            let scalar = Unicode.Scalar(code)
            if scalar == nil { hasReplacements = true }
            scratch.append(contentsOf: UTF8.encode(scalar ?? "\u{FFFD}") ?? .init())
        default:
            at -= 1
            throw expected("one of \" \\ / b f n r t u after a backslash")
        }
    }

    private mutating func hex() throws(Problem) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            switch peek {
            case 48...57: value = value << 4 | UInt32(peek - 48)
            case 65...70: value = value << 4 | UInt32(peek - 55)
            case 97...102: value = value << 4 | UInt32(peek - 87)
            default: throw expected("four hexadecimal digits")
            }
            at += 1
        }
        return value
    }
}
