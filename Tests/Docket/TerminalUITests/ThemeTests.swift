import ScreenReading
import Testing

@testable import TerminalUI

@Suite struct ThemeTests {
    /// Roles that say something about a row or a word, without a sign that says it too; told apart
    /// without colour from plain text.
    private let meaningful: [Role] = [
        .selection, .marked, .match, .success, .warning, .error, .link, .done, .overdue,
        .priorityHigh, .title,
    ]

    @Test(arguments: Theme.all.map(\.name))
    func meaningDoesNotNeedColor(name: String) throws {
        let theme = try #require(Theme.named(name))
        for role in meaningful { #expect(!theme[role].attributes.isEmpty, "\(role)") }
        #expect(theme[.selection] != theme[.selectionInactive])
        #expect(theme[.selection].attributes != theme[.text].attributes)
        #expect(theme[.overdue].attributes != theme[.text].attributes)
    }

    @Test(arguments: Theme.all.map(\.name))
    func aThemeHasAtMostFiveHues(name: String) throws {
        let theme = try #require(Theme.named(name))
        let hues = Set(Role.allCases.map { theme[$0].foreground }.filter { !$0.isGrey })
        #expect(hues.count <= 5, "\(hues)")
    }

    /// Also what is dim, a hint in a field, and what is not possible now.
    @Test(arguments: Theme.all.map(\.name))
    func textsOfAThemeHaveAContrastThatIsEnough(name: String) throws {
        let theme = try #require(Theme.named(name))
        let needed = name == "contrast" ? 7 : 4.5
        for role in Role.allCases where ![.border, .scrollbar].contains(role) {
            let style = theme[role]
            #expect(!style.attributes.contains(.dim) || theme.ground == nil, "\(role)")
            let background = style.background.isStandard ? theme.ground : style.background
            guard !style.foreground.isStandard, let background,
                let contrast = style.foreground.contrast(with: background)
            else { continue }
            #expect(contrast >= needed, "\(role): \(contrast)")
        }
        // What a field says before something is typed is on the field's background.
        for field in [theme[.input], theme[.inputFocused]] {
            if let contrast = theme[.placeholder].foreground.contrast(with: field.background) {
                #expect(contrast >= 4.5, "\(contrast)")
            }
        }
    }

    /// A bar has one background, and what is on it can be read.
    @Test(arguments: Theme.all.map(\.name))
    func theBarHasOneBackgroundAndReadableText(name: String) throws {
        let theme = try #require(Theme.named(name))
        for bar in [theme[.selection], theme[.selectionInactive]] {
            var canvas = Canvas(rows: 1, columns: Role.allCases.count)
            for (column, role) in Role.allCases.enumerated() {
                canvas.put("x", at: Position(row: 0, column: column), style: theme[role])
            }
            canvas.select(canvas.bounds, with: bar)
            for style in canvas.styles(0) {
                #expect(style.background == bar.background)
                let isReverse = style.attributes.contains(.reverse)
                #expect(isReverse == bar.attributes.contains(.reverse))
                if isReverse {
                    #expect(style == bar)
                } else if let contrast = style.foreground.contrast(with: bar.background) {
                    #expect(contrast >= 4.5)
                }
            }
        }
    }

    @Test func contrastIsThatOfTheGuidelines() throws {
        let black = Color.rgb(0, 0, 0)
        #expect(try #require(black.contrast(with: .rgb(255, 255, 255))) == 21)
        #expect(black.contrast(with: black) == 1)
        #expect(Color.indexed(3).contrast(with: black) == nil)
        let grey = try #require(Color.rgb(119, 119, 119).contrast(with: .rgb(255, 255, 255)))
        #expect(abs(grey - 4.48) < 0.01)
    }

    @Test func monochromeThemeHasNoColor() {
        for role in Role.allCases {
            #expect(
                Theme.mono[role].foreground.isStandard && Theme.mono[role].background.isStandard
            )
        }
    }

    @Test func lightThemeHasDarkInksOnTheStandardBackground() {
        for role in Role.allCases {
            let style = Theme.light[role]
            guard style.background.isStandard, let index = style.foreground.index else { continue }
            #expect(Theme.luma(index) < 170, "\(role) uses \(index)")
        }
    }

    @Test func lightThemeReadsOnWhite() {
        let important: [Role] = [
            .title, .match, .success, .warning, .error, .tag, .link, .overdue, .dueSoon,
            .priorityHigh, .priorityMedium, .info, .code, .location,
        ]
        for role in important {
            guard let index = Theme.light[role].foreground.index else { continue }
            #expect(Theme.luma(index) < 110, "\(role) uses \(index)")
        }
    }

    @Test func themeSuitsTheTerminal() {
        #expect(Theme.suited(colors: 256, isLight: true, noColor: false).name == "light")
        #expect(Theme.suited(colors: 256, isLight: false, noColor: false).name == "dark")
        #expect(Theme.suited(colors: 256, isLight: nil, noColor: false).name == "16")
        #expect(Theme.suited(colors: 16, isLight: true, noColor: false).name == "16")
        #expect(Theme.suited(colors: 256, isLight: true, noColor: true).name == "mono")
        #expect(Theme.suited(colors: 0, isLight: nil, noColor: false).name == "mono")
    }

    @Test func colorsAreDegraded() {
        #expect(Color.rgb(255, 0, 0).degraded(to: 256) == .indexed(196))
        #expect(Color.rgb(1, 2, 3).degraded(to: 1 << 24) == .rgb(1, 2, 3))
        #expect(Color.indexed(196).degraded(to: 16) == .indexed(9))
        #expect(Color.indexed(12).degraded(to: 8) == .indexed(4))
        #expect(Color.indexed(196).degraded(to: 2) == .standard)
        #expect(Color.indexed(231).degraded(to: 8) == .indexed(7))
        #expect(Color.indexed(25).number(colors: 256) == 25)
        #expect(Color.indexed(21).number(colors: 1 << 24) == 0x0000FF)
        #expect(Color.standard.number(colors: 256) == nil)
    }

    @Test func environmentTellsTheBackground() {
        #expect(TerminalBackground.isLight(colorFGBG: "15;0") == false)
        #expect(TerminalBackground.isLight(colorFGBG: "0;default;15") == true)
        #expect(TerminalBackground.isLight(colorFGBG: "0;default") == nil)
        #expect(Color.rgb(250, 250, 240).isLight)
        #expect(!Color.rgb(30, 30, 80).isLight)
    }
}

extension Color {
    /// Whether it has no hue: the standard colour, or one of the greys of the palette.
    fileprivate var isGrey: Bool {
        guard let index else { return isStandard }
        return index >= 232 || [0, 7, 8, 15, 16, 59, 102, 145, 188, 231].contains(index)
    }
}

extension Theme {
    /// The luma, 0 to 255, of a palette colour from 16 on.
    fileprivate static func luma(_ index: UInt8) -> Int {
        guard case let value? = Color.indexed(index).number(colors: 1 << 24) else { return 0 }
        let parts = (value >> 16 & 255, value >> 8 & 255, value & 255)
        return (2126 * parts.0 + 7152 * parts.1 + 722 * parts.2) / 10_000
    }
}
