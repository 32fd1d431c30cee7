/// What a store that is not made of numbered rows calls an object: a number, or a text such as a
/// file name.
///
/// An object ID stands for the store, the entity and the reference object.
public enum ReferenceObject: Hashable, Sendable {
    case number(Int64)
    case text(String)
}

extension ReferenceObject: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    public init(integerLiteral value: Int64) { self = .number(value) }

    public init(stringLiteral value: String) { self = .text(value) }
}

extension ReferenceObject: CustomStringConvertible {
    /// The number or the text itself.
    public var description: String {
        switch self {
        case .number(let number): "\(number)"
        case .text(let text): text
        }
    }
}

extension ReferenceObject {
    /// The last component of an object's URI, after the letter: `42`, `Pay%20rent`.
    ///
    /// Core Data hands text back without decoding it. Here every text comes back as it was: a byte
    /// that a path cannot hold is escaped, and of a text that looks like a number also the first.
    package var component: String {
        switch self {
        case .number(let number): return "\(number)"
        case .text(let text):
            if text.isEmpty { return "%" }
            var isEscaped = ReferenceObject.isNumber(text)
            var result = ""
            for byte in text.utf8 {
                if !isEscaped, ReferenceObject.isPlain(byte) {
                    result.unicodeScalars.append(Unicode.Scalar(byte))
                } else {
                    result += byte < 16 ? "%0" : "%"
                    result += String(byte, radix: 16, uppercase: true)
                }
                isEscaped = false
            }
            return result
        }
    }

    /// - Returns: `nil` if the text is not a component that ``component`` makes.
    package init?(component: some StringProtocol) {
        if component == "%" {
            self = .text("")
            return
        }
        if ReferenceObject.isNumber(component), let number = Int64(component) {
            self = .number(number)
            return
        }
        var bytes: [UInt8] = []
        var rest = Substring(component).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(Substring(rest.prefix(2)), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self),
            ReferenceObject.text(text).component == component
        else { return nil }
        self = .text(text)
    }

    /// Whether a text is the decimal form of a 64-bit number.
    package static func isNumber(_ text: some StringProtocol) -> Bool {
        Int64(text).map { "\($0)" == text } ?? false
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:@".utf8.contains(byte)
        }
    }
}
