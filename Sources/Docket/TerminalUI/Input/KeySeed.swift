/// The bytes that a key sends, according to the terminal's description.
public struct KeySeed: Hashable, Sendable {
    public let bytes: [UInt8]
    public let key: Key

    public init(bytes: [UInt8], key: Key) {
        self.bytes = bytes
        self.key = key
    }

    /// The names of terminfo's key strings and their keys.
    ///
    /// The names that end in a digit are the extended ones of xterm, rxvt and similar terminals: 2
    /// shift, 3 alt, 4 shift alt, 5 ctrl, 6 shift ctrl, 7 alt ctrl.
    public static let capabilities: [(name: String, key: Key)] = {
        var all: [(String, Key)] = [
            ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right),
            ("khome", .home), ("kend", .end), ("kpp", .pageUp), ("knp", .pageDown),
            ("kich1", Key(.insert)), ("kdch1", .delete), ("kbs", .backspace), ("kent", .enter),
            ("kcbt", .backTab), ("kri", Key(.up, .shift)), ("kind", Key(.down, .shift)),
        ]
        for number in 1...24 { all.append(("kf\(number)", Key(.function(number)))) }
        let modified: [(String, Key.Code)] = [
            ("kUP", .up), ("kDN", .down), ("kLFT", .left), ("kRIT", .right), ("kHOM", .home),
            ("kEND", .end), ("kPRV", .pageUp), ("kNXT", .pageDown), ("kIC", .insert),
            ("kDC", .delete),
        ]
        for (name, code) in modified {
            all.append((name, Key(code, .shift)))
            for digit in 3...8 {
                let modifiers = Key.Modifiers(rawValue: UInt8(digit - 1))
                all.append(("\(name)\(digit)", Key(code, modifiers)))
            }
        }
        return all
    }()
}
