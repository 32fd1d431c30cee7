/// Why the spelling of a key is invalid.
public struct KeySpellingError: Error, Equatable, CustomStringConvertible {
    public let spelling: String
    let reason: String

    public var description: String {
        "The key “\(spelling)” is unknown: \(reason). Write it like j, J, ?, space, enter, esc, "
            + "f5, ctrl+r, alt+x or shift+tab."
    }
}

extension Key: CustomStringConvertible {
    /// Names of keys that are not characters; the first of several is the canonical one.
    private static let names: [(Code, [String])] = [
        (.character(" "), ["space"]), (.enter, ["enter", "return"]), (.tab, ["tab"]),
        (.escape, ["esc", "escape"]), (.backspace, ["backspace"]), (.delete, ["delete", "del"]),
        (.insert, ["insert", "ins"]), (.up, ["up"]), (.down, ["down"]), (.left, ["left"]),
        (.right, ["right"]), (.home, ["home"]), (.end, ["end"]),
        (.pageUp, ["pageup", "pgup"]), (.pageDown, ["pagedown", "pgdn"]), (.menu, ["menu"]),
    ]

    private static let modifierNames: [(Modifiers, [String])] = [
        (.ctrl, ["ctrl", "control"]), (.alt, ["alt", "meta"]), (.shift, ["shift"]),
        (.command, ["cmd", "super"]),
    ]

    /// The canonical spelling: `ctrl+r`, `alt+x`, `shift+tab`, `enter`, `space`, `f5`, `J`, `?`.
    public var description: String {
        var spelling = ""
        for (modifier, names) in Key.modifierNames where modifiers.contains(modifier) {
            spelling += names[0] + "+"
        }
        if let name = Key.names.first(where: { $0.0 == code })?.1[0] { return spelling + name }
        switch code {
        case .character(let character): return spelling + String(character)
        case .function(let number): return spelling + "f\(number)"
        default: return spelling
        }
    }

    /// Reads a key's spelling; names and modifiers may be in capitals.
    /// - Throws: `KeySpellingError`.
    public init(spelling: String) throws(KeySpellingError) {
        var rest = spelling[...]
        var modifiers: Modifiers = []
        while let plus = rest.dropFirst().firstIndex(of: "+"),
            plus != rest.index(before: rest.endIndex)
        {
            let name = rest[..<plus].lowercased()
            guard let modifier = Key.modifierNames.first(where: { $0.1.contains(name) })?.0 else {
                throw KeySpellingError(spelling: spelling, reason: "“\(name)” is not a modifier")
            }
            modifiers.insert(modifier)
            rest = rest[rest.index(after: plus)...]
        }
        self.init(try Key.code(of: rest, in: spelling), modifiers)
    }

    private static func code(
        of name: Substring,
        in spelling: String
    ) throws(KeySpellingError) -> Code {
        if name.count == 1, let character = name.first, character != " " {
            return .character(character)
        }
        let small = name.lowercased()
        if let code = names.first(where: { $0.1.contains(small) })?.0 { return code }
        if small.first == "f", let number = Int(small.dropFirst()), (1...35).contains(number) {
            return .function(number)
        }
        throw KeySpellingError(
            spelling: spelling,
            reason: name.isEmpty ? "the name is missing" : "no key has this name"
        )
    }

    /// Reads keys that are pressed one after the other: `g g`, `space f`.
    /// - Throws: `KeySpellingError`, also for an empty text.
    public static func sequence(_ spelling: String) throws(KeySpellingError) -> [Key] {
        var keys: [Key] = []
        for part in spelling.split(separator: " ") { keys.append(try Key(spelling: String(part))) }
        if keys.isEmpty {
            throw KeySpellingError(spelling: spelling, reason: "the name is missing")
        }
        return keys
    }
}
