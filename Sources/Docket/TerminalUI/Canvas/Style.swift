/// Bold, dim and the like.
package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let italic = Attributes(rawValue: 4)
    package static let underline = Attributes(rawValue: 8)
    package static let reverse = Attributes(rawValue: 16)
    package static let strike = Attributes(rawValue: 32)
}

/// The style of a cell.
package struct Style: Hashable, Sendable {
    package var foreground: Color
    package var background: Color
    package var attributes: Attributes

    /// The terminal's default colours, no attributes.
    package static let plain = Style()

    package init(
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
    package func overlaid(by other: Style) -> Style {
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
    package func under(bar: Style) -> Style {
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
    package func with(_ more: Attributes) -> Style {
        var style = self
        style.attributes.formUnion(more)
        return style
    }
}
