/// A word, a number or a punctuation mark of a text.
public struct Token: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case word
        /// Digits.
        case number
        /// One character that is neither a letter nor a digit, as its ASCII code; 0 for others.
        case mark(UInt8)
        /// A part of the text that is something else: a tag, a list, an escaped word.
        case barrier
    }

    public var kind: Kind
    /// In bytes of UTF-8.
    public var range: Range<Int>
    /// A number's value; 0 if it has more than nine digits.
    public var value = 0
    /// How many digits a number has.
    public var digits = 0
    /// Whether white space, or the beginning of the text, is before it.
    public var hasSpace: Bool
    /// Whether its first letter is a capital.
    public var isCapital = false
    /// Whether it has two letters or more, all of them capitals.
    public var isUpper = false
    /// Whether it ends with `'s`.
    public var isPossessive = false
    /// A word in lower case, without apostrophes; empty for other kinds, and for words of more than
    /// 40 bytes.
    public var key = ""
    public var sense = Sense()

    public func has(_ roles: Roles) -> Bool { !sense.roles.isDisjoint(with: roles) }

    public func isMark(_ byte: UInt8) -> Bool { kind == .mark(byte) }

    /// Whether it is a punctuation mark of ASCII.
    public func isMark(_ mark: Unicode.Scalar) -> Bool { isMark(UInt8(ascii: mark)) }

    /// Whether it is a character outside of ASCII that is no letter: `€`, `°`.
    var isOtherMark: Bool { kind == .mark(0) }

    public var isNumber: Bool { kind == .number }
}
