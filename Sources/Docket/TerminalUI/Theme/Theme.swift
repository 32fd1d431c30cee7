/// The meaning of a part of the screen; a theme gives each a style.
public enum Role: CaseIterable, Hashable, Sendable {
    case text
    case dim
    case title
    case heading
    /// The selected row of the pane with the focus.
    case selection
    /// The selected row of another pane.
    case selectionInactive
    case marked
    case border
    case borderFocused
    case scrollbar
    case statusLine
    case hintKey
    case hintText
    case input
    case inputFocused
    case placeholder
    /// A match of a search.
    case match
    case success
    case warning
    case error
    case info
    case tag
    case list
    case location
    case link
    case code
    case done
    case overdue
    case dueSoon
    case priorityHigh
    case priorityMedium
    case priorityLow
    case disabled
}

/// The styles of all roles.
///
/// Meaning never depends on colour alone: roles that must be distinguished differ in attributes or
/// in a character that the view draws, and the theme without colours has attributes only.
public struct Theme: Sendable {
    public let name: String
    /// What it is for, in a few words.
    public let about: String
    /// The background with which its colours have a contrast of 4.5 : 1 or more; `nil` if the
    /// terminal chooses the colours.
    public let ground: Color?
    private let styles: [Role: Style]

    public init(name: String, about: String = "", ground: Color? = nil, styles: [Role: Style]) {
        self.name = name
        self.about = about
        self.ground = ground
        self.styles = styles
    }

    /// A role's style; plain if the theme does not have it.
    public subscript(_ role: Role) -> Style { styles[role] ?? .plain }

    /// This theme with some roles changed, for a user's settings.
    public func changing(_ changes: [Role: Style]) -> Theme {
        Theme(name: name, about: about, ground: ground, styles: styles(changing: changes))
    }

    /// The least contrast of its texts with their backgrounds, lines left out; `nil` if the terminal
    /// chooses the colours.
    public var leastContrast: Double? {
        Role.allCases.filter { $0 != .border && $0 != .scrollbar }.compactMap(contrast).min()
    }

    /// The contrast of a role's text with its background; `nil` if the terminal chooses one of them.
    public func contrast(of role: Role) -> Double? {
        let style = self[role]
        let background = style.background.isStandard ? ground : style.background
        return background.flatMap { style.foreground.contrast(with: $0) }
    }

    func styles(changing changes: [Role: Style]) -> [Role: Style] {
        styles.merging(changes) { $1 }
    }

    /// All themes, in the order in which people choose among them.
    public static let all = [dark, light, dusk, paper, clear, contrast, sixteen, mono]

    public static func named(_ name: String) -> Theme? { all.first { $0.name == name } }

    /// The theme for a terminal with this number of colours.
    ///
    /// `isLight` says whether its background is light, nil if unknown; `noColor` whether the user
    /// wants no colours (`NO_COLOR`).
    public static func suited(colors: Int, isLight: Bool?, noColor: Bool) -> Theme {
        if noColor || colors < 8 { return mono }
        // If the background is unknown, the 16 colours follow the terminal's own scheme.
        guard colors >= 256, let isLight else { return sixteen }
        return isLight ? light : dark
    }
}
