import Testing

@testable import TerminalUI

@Suite struct ThemeTests {
    /// Roles that say something about a row or a word; told apart without colour from plain text.
    private let meaningful: [Role] = [
        .selection, .selectionInactive, .marked, .match, .success, .warning, .error, .tag, .link,
        .done, .overdue, .priorityHigh, .title, .borderFocused, .disabled,
    ]

    @Test(arguments: ["dark", "light", "16", "mono"])
    func meaningDoesNotNeedColor(name: String) throws {
        let theme = try #require(Theme.named(name))
        for role in meaningful { #expect(!theme[role].attributes.isEmpty, "\(role)") }
        #expect(theme[.selection].attributes != theme[.text].attributes)
        if name == "mono" || name == "16" {
            #expect(theme[.selection].attributes != theme[.selectionInactive].attributes)
            #expect(theme[.overdue].attributes != theme[.text].attributes)
        }
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

extension Theme {
    /// The luma, 0 to 255, of a palette colour from 16 on.
    fileprivate static func luma(_ index: UInt8) -> Int {
        guard case let value? = Color.indexed(index).number(colors: 1 << 24) else { return 0 }
        let parts = (value >> 16 & 255, value >> 8 & 255, value & 255)
        return (2126 * parts.0 + 7152 * parts.1 + 722 * parts.2) / 10_000
    }
}
