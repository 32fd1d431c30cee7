/// Bold, dim and the like.
public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let bold = Attributes(rawValue: 1)
    public static let dim = Attributes(rawValue: 2)
    public static let italic = Attributes(rawValue: 4)
    public static let underline = Attributes(rawValue: 8)
    public static let reverse = Attributes(rawValue: 16)
    public static let strike = Attributes(rawValue: 32)
}

/// The style of a cell.
public struct Style: Hashable, Sendable {
    public var foreground: Color
    public var background: Color
    public var attributes: Attributes

    /// The terminal's default colours, no attributes.
    public static let plain = Style()

    public init(
        foreground: Color = .standard,
        background: Color = .standard,
        attributes: Attributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// This style with another one on top: the other's colours where it has any, attributes of
    /// both.
    public func overlaid(by other: Style) -> Style {
        Style(
            foreground: other.foreground.isStandard ? foreground : other.foreground,
            background: other.background.isStandard ? background : other.background,
            attributes: attributes.union(other.attributes)
        )
    }

    /// The style of text on a bar: one background, and the own colour only where it can be read.
    ///
    /// On a bar of reversed colours nothing of its own is left, because a colour of the text would
    /// become a block there.
    public func under(bar: Style) -> Style {
        guard !bar.attributes.contains(.reverse), !bar.background.isStandard else { return bar }
        var style = bar
        style.attributes.formUnion(attributes.subtracting([.dim, .reverse]))
        if let contrast = foreground.contrast(with: bar.background),
            contrast >= Style.leastContrast
        {
            style.foreground = foreground
        }
        return style
    }

    /// The ratio of luminance at which text of normal size can be read (WCAG 2, level AA).
    private static let leastContrast = 4.5

    /// This style with more attributes.
    public func with(_ more: Attributes) -> Style {
        var style = self
        style.attributes.formUnion(more)
        return style
    }
}
