/// A key with its modifiers, in one canonical form.
///
/// A character includes its shift (`J`, `?`), so shift is named only with the other keys and with
/// ctrl (`shift+tab`, `ctrl+shift+a`). With ctrl, letters are lower-case, because terminals send
/// the same for both.
package struct Key: Hashable, Sendable {
    package enum Code: Hashable, Sendable {
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

    package struct Modifiers: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let shift = Modifiers(rawValue: 1)
        package static let alt = Modifiers(rawValue: 2)
        package static let ctrl = Modifiers(rawValue: 4)
        /// The Windows or command key, if the terminal sends it.
        package static let command = Modifiers(rawValue: 8)
    }

    package let code: Code
    package let modifiers: Modifiers

    /// A key, converted to the canonical form.
    package init(_ code: Code, _ modifiers: Modifiers = []) {
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
    package init(_ character: Character, _ modifiers: Modifiers = []) {
        self.init(.character(character), modifiers)
    }

    /// The text that the key types, or nil if it is a command.
    package var typed: Character? {
        guard modifiers.isEmpty, case .character(let character) = code else { return nil }
        return character
    }

    package static let enter = Key(.enter)
    package static let tab = Key(.tab)
    package static let backTab = Key(.tab, .shift)
    package static let escape = Key(.escape)
    package static let backspace = Key(.backspace)
    package static let delete = Key(.delete)
    package static let up = Key(.up)
    package static let down = Key(.down)
    package static let left = Key(.left)
    package static let right = Key(.right)
    package static let home = Key(.home)
    package static let end = Key(.end)
    package static let pageUp = Key(.pageUp)
    package static let pageDown = Key(.pageDown)
    package static let space = Key(" ")

    package static func ctrl(_ character: Character) -> Key { Key(character, .ctrl) }
    package static func alt(_ character: Character) -> Key { Key(character, .alt) }
}
