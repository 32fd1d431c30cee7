/// Numbers in the usual decimal form, read without making a string.
///
/// These functions are right about what they read, and leave the rest to those of the standard
/// library.
enum NumberText {
    /// A number of at most 18 digits, which is always less than 2^63.
    ///
    /// - Returns: `nil` for a longer one, and for anything else.
    static func integer(_ text: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard (1...18).contains(digits.count) else { return nil }
        var number: Int64 = 0
        for byte in digits {
            guard let digit = digit(byte) else { return nil }
            number = number * 10 + digit
        }
        return isNegative ? -number : number
    }

    /// A number without an exponent that is the quotient of two exact ones, so that it is rounded
    /// once: digits below 2^53, and a power of ten up to 10^18.
    ///
    /// - Returns: `nil` for other numbers, and for anything else.
    static func double(_ text: UnsafeRawBufferPointer) -> Double? {
        let isNegative = text.first == UInt8(ascii: "-")
        let rest = isNegative ? text.dropFirst() : text[...]
        let point = rest.firstIndex(of: UInt8(ascii: "."))
        let whole = rest[..<(point ?? rest.endIndex)]
        var fraction = point.map { rest[rest.index(after: $0)...] }
        guard !whole.isEmpty, fraction?.isEmpty != true else { return nil }
        while fraction?.last == UInt8(ascii: "0") { fraction?.removeLast() }
        let decimals = fraction?.count ?? 0
        guard whole.count + decimals <= 18 else { return nil }
        var digits: Int64 = 0
        for byte in whole {
            guard let digit = digit(byte) else { return nil }
            digits = digits * 10 + digit
        }
        for byte in fraction ?? rest[rest.endIndex...] {
            guard let digit = digit(byte) else { return nil }
            digits = digits * 10 + digit
        }
        guard digits <= 1 << 53 else { return nil }
        let number = Double(digits) / powers[decimals]
        return isNegative ? -number : number
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        let digit = byte &- UInt8(ascii: "0")
        return digit < 10 ? Int64(digit) : nil
    }

    /// 1, 10, … 10^18, all exact.
    private static let powers = (0...18).reduce(into: [Double]()) { powers, place in
        powers.append(place == 0 ? 1 : powers[place - 1] * 10)
    }
}
