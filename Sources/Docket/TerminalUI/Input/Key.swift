/// A key with its modifiers, in one canonical form.
///
/// A character includes its shift (`J`, `?`), so shift is named only with the other keys and with
/// ctrl (`shift+tab`, `ctrl+shift+a`). With ctrl, letters are lower-case, because terminals send
/// the same for both.
public struct Key: Hashable, Sendable {
    public enum Code: Hashable, Sendable {
        case character(Character)
        case enter
        case tab
        case escape
        case backspace
        case delete
        case insert
        case up
        case down
        case left
        case right
        case home
        case end
        case pageUp
        case pageDown
        /// F1 is 1.
        case function(Int)
        case menu
    }

    public struct Modifiers: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let shift = Modifiers(rawValue: 1)
        public static let alt = Modifiers(rawValue: 2)
        public static let ctrl = Modifiers(rawValue: 4)
        /// The Windows or command key, if the terminal sends it.
        public static let command = Modifiers(rawValue: 8)
    }

    public let code: Code
    public let modifiers: Modifiers

    /// A key, converted to the canonical form.
    public init(_ code: Code, _ modifiers: Modifiers = []) {
        guard case .character(let character) = code else {
            self.code = code
            self.modifiers = modifiers
            return
        }
        if modifiers.contains(.ctrl) {
            let small = character.lowercased()
            let plain: Character = small.count == 1 ? Character(small) : character
            self.code = .character(plain == "/" ? "_" : plain)
            self.modifiers = modifiers
        } else if modifiers.contains(.shift), character != " " {
            let capital = character.uppercased()
            self.code = .character(capital.count == 1 ? Character(capital) : character)
            self.modifiers = modifiers.subtracting(.shift)
        } else {
            self.code = code
            self.modifiers = modifiers
        }
    }

    /// A character's key.
    public init(_ character: Character, _ modifiers: Modifiers = []) {
        self.init(.character(character), modifiers)
    }

    /// The text that the key types, or nil if it is a command.
    public var typed: Character? {
        guard modifiers.isEmpty, case .character(let character) = code else { return nil }
        return character
    }

    public static let enter = Key(.enter)
    public static let tab = Key(.tab)
    public static let backTab = Key(.tab, .shift)
    public static let escape = Key(.escape)
    public static let backspace = Key(.backspace)
    public static let delete = Key(.delete)
    public static let up = Key(.up)
    public static let down = Key(.down)
    public static let left = Key(.left)
    public static let right = Key(.right)
    public static let home = Key(.home)
    public static let end = Key(.end)
    public static let pageUp = Key(.pageUp)
    public static let pageDown = Key(.pageDown)
    public static let space = Key(" ")

    public static func ctrl(_ character: Character) -> Key { Key(character, .ctrl) }
    public static func alt(_ character: Character) -> Key { Key(character, .alt) }
}
