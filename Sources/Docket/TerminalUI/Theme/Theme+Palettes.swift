extension Theme {
    /// The hues of a theme and its greys; as they are here they have attributes only.
    private struct Inks {
        /// Focus, keys, what is marked or found.
        var accent = Style(attributes: .bold)
        /// Late, failed, destructive.
        var red = Style(attributes: .bold)
        /// Today, to be careful with.
        var amber = Style(attributes: .bold)
        /// Done, just changed.
        var green = Style(attributes: .bold)
        /// Tags.
        var tint = Style.plain
        var dim = Style(attributes: .dim)
        var faint = Style(attributes: .dim)
        /// Lines between panes, which nobody reads.
        var line = Style(attributes: .dim)
        var bar = Style(attributes: .reverse)
        var barInactive = Style(attributes: [.reverse, .dim])
        var input = Style(attributes: .underline)
        var inputFocused = Style(attributes: [.bold, .underline])
    }

    private init(_ name: String, _ about: String, on ground: UInt8? = nil, _ inks: Inks) {
        let bold = { (style: Style) in style.with(.bold) }
        self.init(
            name: name,
            about: about,
            ground: ground.map { .indexed($0) },
            styles: [
                .dim: inks.dim, .title: bold(inks.accent), .heading: Style(attributes: .bold),
                .selection: inks.bar, .selectionInactive: inks.barInactive,
                .marked: bold(inks.accent), .border: inks.line, .borderFocused: inks.accent,
                .scrollbar: inks.dim, .statusLine: inks.dim, .hintKey: inks.accent,
                .hintText: inks.dim, .input: inks.input, .inputFocused: inks.inputFocused,
                .placeholder: inks.faint, .match: inks.accent.with([.bold, .underline]),
                .success: bold(inks.green), .warning: bold(inks.amber), .error: bold(inks.red),
                .tag: inks.tint, .list: inks.dim, .location: inks.dim,
                .link: inks.accent.with(.underline), .code: inks.dim,
                .done: inks.faint.with(.strike), .overdue: bold(inks.red), .dueSoon: inks.amber,
                .priorityHigh: bold(inks.red), .priorityMedium: inks.amber,
                .priorityLow: inks.dim, .disabled: inks.faint,
            ]
        )
    }

    private static func ink(_ index: UInt8) -> Style { Style(foreground: .indexed(index)) }

    private static func paper(
        _ foreground: UInt8,
        on background: UInt8,
        _ attributes: Attributes = []
    ) -> Style {
        Style(
            foreground: .indexed(foreground),
            background: .indexed(background),
            attributes: attributes
        )
    }

    /// Attributes only: for terminals without colours, and users who do not want any.
    public static let mono = Theme("mono", "no colours", Inks())

    /// For a dark background, of the 256 colours those that users do not redefine.
    public static let dark = Theme(
        "dark",
        "for a dark background",
        on: 234,
        Inks(
            accent: ink(117),
            red: ink(210),
            amber: ink(215),
            green: ink(114),
            tint: ink(176),
            dim: ink(249),
            faint: ink(247),
            line: ink(240),
            bar: paper(231, on: 237, .bold),
            barInactive: paper(252, on: 235),
            input: paper(252, on: 235),
            inputFocused: paper(231, on: 236, .underline)
        )
    )

    /// For a light background: all text colours are dark; pure yellow and cyan are not used.
    public static let light = Theme(
        "light",
        "for a light background",
        on: 231,
        Inks(
            accent: ink(24),
            red: ink(124),
            amber: ink(94),
            green: ink(22),
            tint: ink(90),
            dim: ink(239),
            faint: ink(240),
            line: ink(248),
            bar: paper(16, on: 253, .bold),
            barInactive: paper(234, on: 255),
            input: paper(234, on: 255),
            inputFocused: paper(16, on: 254, .underline)
        )
    )

    public static let dusk = Theme(
        "dusk",
        "for a dark background, cool",
        on: 235,
        Inks(
            accent: ink(147),
            red: ink(211),
            amber: ink(222),
            green: ink(151),
            tint: ink(117),
            dim: ink(251),
            faint: ink(249),
            line: ink(241),
            bar: paper(231, on: 60, .bold),
            barInactive: paper(254, on: 238),
            input: paper(254, on: 237),
            inputFocused: paper(231, on: 238, .underline)
        )
    )

    public static let paper = Theme(
        "paper",
        "for a light background, warm",
        on: 230,
        Inks(
            accent: ink(88),
            red: ink(124),
            amber: ink(94),
            green: ink(22),
            tint: ink(54),
            dim: ink(239),
            faint: ink(240),
            line: ink(250),
            bar: paper(16, on: 223, .bold),
            barInactive: paper(234, on: 254),
            input: paper(234, on: 254),
            inputFocused: paper(16, on: 223, .underline)
        )
    )

    /// Blue, orange and yellow, which people tell apart who do not see red or green; of the colours
    /// that Okabe and Ito have proposed.
    public static let clear = Theme(
        "clear",
        "no red against green, dark",
        on: 234,
        Inks(
            accent: ink(159),
            red: ink(209),
            amber: ink(228),
            green: ink(75),
            tint: ink(182),
            dim: ink(250),
            faint: ink(247),
            line: ink(240),
            bar: paper(16, on: 153, .bold),
            barInactive: paper(231, on: 238),
            input: paper(252, on: 235),
            inputFocused: paper(231, on: 236, .underline)
        )
    )

    /// Every text has a contrast of 7 : 1 or more.
    public static let contrast = Theme(
        "contrast",
        "strong contrast, dark",
        on: 16,
        Inks(
            accent: ink(123),
            red: ink(217),
            amber: ink(228),
            green: ink(157),
            tint: ink(225),
            dim: ink(255),
            faint: ink(252),
            line: ink(250),
            bar: paper(16, on: 228, .bold),
            barInactive: paper(16, on: 252),
            input: paper(231, on: 234),
            inputFocused: paper(231, on: 236, .underline)
        )
    )

    /// The terminal's own colours, readable on a light and on a dark background: its text on its
    /// background, and a bar of both exchanged.
    public static let sixteen = Theme(
        "16",
        "the colours of the terminal",
        Inks(accent: ink(4), red: ink(1), green: ink(2), tint: ink(5))
    )
}
