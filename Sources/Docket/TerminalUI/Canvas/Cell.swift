/// One cell: text, style and width in 32 bytes without padding, so that rows compare as memory.
///
/// The parts are stored flat: a nested struct could leave undefined bytes between them.
public struct Cell: Equatable, Sendable {
    public var base: UInt32
    public var mark1: UInt32
    public var mark2: UInt32
    public var mark3: UInt32
    public var mark4: UInt32
    var foregroundWord: UInt32
    var backgroundWord: UInt32
    var attributeBits: UInt16
    /// Columns: 1 or 2, and 0 in the right half of a wide cell.
    public var width: UInt8
    private let unused: UInt8 = 0

    /// A blank in a style.
    public init(style: Style = .plain) {
        self.init(.blank, style: style)
    }

    @inline(__always)
    init(_ text: CellText, style: Style) {
        base = text.base
        mark1 = text.mark1
        mark2 = text.mark2
        mark3 = text.mark3
        mark4 = text.mark4
        foregroundWord = style.foreground.word
        backgroundWord = style.background.word
        attributeBits = style.attributes.rawValue
        width = text.width
    }

    /// Whether both have the same colours and attributes.
    @inline(__always)
    public func hasStyle(of other: Cell) -> Bool {
        foregroundWord == other.foregroundWord && backgroundWord == other.backgroundWord
            && attributeBits == other.attributeBits
    }

    public var style: Style {
        get {
            Style(
                foreground: Color(word: foregroundWord),
                background: Color(word: backgroundWord),
                attributes: Attributes(rawValue: attributeBits)
            )
        }
        set {
            foregroundWord = newValue.foreground.word
            backgroundWord = newValue.background.word
            attributeBits = newValue.attributes.rawValue
        }
    }

    /// The text of the cell; empty in the right half of a wide cell.
    public var text: String {
        var scalars = String.UnicodeScalarView()
        for value in [base, mark1, mark2, mark3, mark4] where value != 0 {
            if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
        }
        return String(scalars)
    }

    /// Blanks the text of the cell; its style stays.
    mutating func blank() {
        self = Cell(.blank, style: style)
    }
}
