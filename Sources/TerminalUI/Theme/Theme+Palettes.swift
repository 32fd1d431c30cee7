extension Theme {
    private static func ink(_ index: UInt8, _ attributes: Attributes = []) -> Style {
        Style(foreground: .indexed(index), attributes: attributes)
    }

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

    /// Attributes only; the other themes start from it, so that a role's meaning never needs
    /// colour.
    package static let mono = Theme(
        name: "mono",
        styles: [
            .dim: Style(attributes: .dim), .title: Style(attributes: .bold),
            .heading: Style(attributes: [.bold, .underline]),
            .selection: Style(attributes: .reverse),
            .selectionInactive: Style(attributes: [.bold, .underline]),
            .marked: Style(attributes: .bold), .border: Style(attributes: .dim),
            .borderFocused: Style(attributes: .bold), .scrollbar: Style(attributes: .dim),
            .statusLine: Style(attributes: .reverse), .hintKey: Style(attributes: .bold),
            .hintText: Style(attributes: .dim), .input: Style(attributes: .underline),
            .inputFocused: Style(attributes: [.bold, .underline]),
            .placeholder: Style(attributes: [.dim, .italic]),
            .match: Style(attributes: [.bold, .underline]), .success: Style(attributes: .bold),
            .warning: Style(attributes: [.bold, .italic]),
            .error: Style(attributes: [.bold, .reverse]), .tag: Style(attributes: .italic),
            .list: Style(attributes: .bold), .location: Style(attributes: .italic),
            .link: Style(attributes: .underline), .code: Style(attributes: .dim),
            .done: Style(attributes: [.dim, .strike]),
            .overdue: Style(attributes: [.bold, .underline]),
            .dueSoon: Style(attributes: .bold), .priorityHigh: Style(attributes: .bold),
            .priorityLow: Style(attributes: .dim), .disabled: Style(attributes: [.dim, .italic]),
        ]
    )

    /// For a dark background, of the 256 colours those that users do not redefine.
    package static let dark = Theme(
        name: "dark",
        styles: mono.styles(changing: [
            .dim: ink(246), .title: ink(117, .bold), .heading: ink(117, .bold),
            .selection: paper(231, on: 25, .bold), .selectionInactive: paper(252, on: 238, .bold),
            .marked: ink(222, .bold), .border: ink(240), .borderFocused: ink(75, .bold),
            .scrollbar: ink(244), .statusLine: paper(252, on: 237), .hintKey: ink(117, .bold),
            .hintText: ink(248), .input: paper(252, on: 236),
            .inputFocused: paper(231, on: 238, .underline), .placeholder: ink(244, .italic),
            .match: ink(221, [.bold, .underline]), .success: ink(114, .bold),
            .warning: ink(215, [.bold, .italic]), .error: ink(210, [.bold, .reverse]),
            .info: ink(152), .tag: ink(176, .italic), .list: ink(110, .bold),
            .location: ink(151, .italic), .link: ink(111, .underline), .code: ink(180),
            .done: ink(244, .strike), .overdue: ink(210, [.bold, .underline]),
            .dueSoon: ink(215, .bold), .priorityHigh: ink(210, .bold), .priorityMedium: ink(215),
            .priorityLow: ink(246), .disabled: ink(242, .italic),
        ])
    )

    /// For a light background: all text colours are dark; pure yellow and cyan are not used.
    package static let light = Theme(
        name: "light",
        styles: mono.styles(changing: [
            .dim: ink(242), .title: ink(24, .bold), .heading: ink(24, .bold),
            .selection: paper(231, on: 25, .bold), .selectionInactive: paper(234, on: 252, .bold),
            .marked: ink(94, .bold), .border: ink(247), .borderFocused: ink(25, .bold),
            .scrollbar: ink(244), .statusLine: paper(236, on: 253), .hintKey: ink(24, .bold),
            .hintText: ink(240), .input: paper(234, on: 255),
            .inputFocused: paper(16, on: 254, .underline), .placeholder: ink(243, .italic),
            .match: paper(16, on: 222, [.bold, .underline]), .success: ink(22, .bold),
            .warning: ink(94, [.bold, .italic]), .error: ink(124, [.bold, .reverse]),
            .info: ink(24), .tag: ink(90, .italic), .list: ink(24, .bold),
            .location: ink(23, .italic), .link: ink(19, .underline), .code: ink(88),
            .done: ink(244, .strike), .overdue: ink(124, [.bold, .underline]),
            .dueSoon: ink(94, .bold), .priorityHigh: ink(124, .bold), .priorityMedium: ink(94),
            .priorityLow: ink(242), .disabled: ink(245, .italic),
        ])
    )

    /// The terminal's own 16 colours, readable on a light and on a dark background.
    package static let sixteen = Theme(
        name: "16",
        styles: mono.styles(changing: [
            .title: ink(4, .bold), .heading: ink(4, [.bold, .underline]),
            .borderFocused: ink(4, .bold), .hintKey: ink(4, .bold), .success: ink(2, .bold),
            .warning: ink(5, [.bold, .italic]), .error: ink(1, [.bold, .reverse]),
            .tag: ink(5, .italic), .list: ink(4, .bold), .location: ink(2, .italic),
            .link: ink(4, .underline), .overdue: ink(1, [.bold, .underline]),
            .dueSoon: ink(5, .bold), .priorityHigh: ink(1, .bold), .priorityMedium: ink(5),
            .match: Style(attributes: [.bold, .underline]),
        ])
    )
}
