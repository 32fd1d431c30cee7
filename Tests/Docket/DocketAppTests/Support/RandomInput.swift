import CivilTime
import DocketCore
import ScreenReading
import SeededRandom
import TerminalUI

@testable import DocketApp

/// What a person, a cat on the keyboard, a slow line and other programs send, at random.
struct RandomInput {
    private(set) var random: SeededRandom
    private var decoder = InputDecoder()
    private let bound: [Key]
    private let time = ContinuousClock.now

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        let spellings = CommandTable.all.flatMap(\.keys)
        bound = spellings.compactMap { try? Key.sequence($0) }.flatMap { $0 }
            .filter { $0 != Key("q") && $0 != .ctrl("c") }
    }

    /// Keys that text fields and boxes know, beside those of commands.
    private static let editing: [Key] = [
        .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home,
        .end, .pageUp, .pageDown, .space, .ctrl("a"), .ctrl("e"), .ctrl("u"), .ctrl("k"),
        .ctrl("w"), .ctrl("d"), .ctrl("h"), .ctrl("n"), .ctrl("p"), .ctrl("g"), .ctrl("s"),
        .alt("b"), .alt("f"), .alt("d"), Key(.enter, .alt), Key(.home, .ctrl), Key(.end, .ctrl),
        Key(.insert), Key(.function(1)), Key(.menu), Key("\u{301}"), Key("日"), Key("\u{FFFD}"),
    ]

    private static let words = [
        "fri", "tomorrow 9:00", "+Home/Garden", "#out", "!high", "every 2 weeks", "31 feb",
        "1h 30m",
        "日本語", "e\u{301}\u{301}", "👨‍👩‍👧", "\u{202E}abc", "-out", "Ämter", "a", "  ", "@Place", "\\#x",
        "9999-12-31", "in 99999999999 days", "**bold** _x_ `c`", "- [ ] box", "| a | b |",
    ]

    private static let moving: [Key] = [
        Key("j"), Key("j"), Key("k"), Key("G"), Key("g"), Key("h"), Key("l"), .tab, .tab, .backTab,
        .pageUp, .pageDown, .home, .end, .down, .up,
    ]

    /// Events that come together, before the next frame.
    ///
    /// What is open above the panes is closed now and then, and in the panes one moves about more
    /// than one changes, so that all of the program is reached.
    mutating func batch(in size: Size, isModalOpen: Bool) -> [TerminalEvent] {
        let count = random.chance(3) ? 1 + random.below(6) : 1
        return (0..<count).flatMap { _ -> [TerminalEvent] in
            if isModalOpen, random.chance(14) { return [.input(.key(.escape))] }
            if !isModalOpen, random.chance(2) { return [.input(.key(random.pick(Self.moving)))] }
            return events(in: size)
        }
    }

    private mutating func events(in size: Size) -> [TerminalEvent] {
        switch random.below(100) {
        case 0..<50: [.input(.key(random.pick(bound)))]
        case 50..<72: [.input(.key(random.pick(RandomInput.editing)))]
        case 72..<80: random.pick(RandomInput.words).map { .input(.key(Key($0))) }
        case 80..<82: [.input(.paste(DisplayWidth.sanitize(pasted())))]
        case 82..<90: [.input(.mouse(mouse(in: size)))]
        case 90..<93: chunk().map { .input($0) }
        case 93..<96: [.timedOut]
        case 96: [.woken]
        case 97: [.input(.focus(random.chance(2)))]
        case 98: [.input(.report(.background(.rgb(UInt8(random.below(256)), 0, 0))))]
        default: [.suspensionAsked, .resumed]
        }
    }

    private mutating func pasted() -> String {
        let lines = (0..<(1 + random.below(4))).map { _ in
            (0..<random.below(12)).map { _ in random.pick(RandomInput.words) }
                .joined(separator: " ")
        }
        return lines.joined(separator: "\n")
    }

    private mutating func mouse(in size: Size) -> MouseEvent {
        let kinds: [MouseEvent.Kind] = [
            .press, .press, .release, .drag, .move, .wheelUp, .wheelDown, .wheelLeft, .wheelRight,
        ]
        return MouseEvent(
            random.pick(kinds),
            button: random.pick([.left, .left, .middle, .right, .none]),
            at: Position(
                row: random.below(size.rows + 3),
                column: random.below(size.columns + 3)
            ),
            time: time
        )
    }

    /// What the decoder makes of bytes that are likely to form sequences, whole and broken.
    private mutating func chunk() -> [InputEvent] {
        let pieces = ["\u{1B}[", "\u{1B}", "\u{1B}[200~", "\u{1B}[201~", "<0;3;4M", "A", "é", "5~"]
        var bytes: [UInt8] = []
        for _ in 0..<random.below(12) {
            if random.chance(2) {
                bytes.append(UInt8(random.below(256)))
            } else {
                bytes += Array(random.pick(pieces).utf8)
            }
        }
        var events = decoder.feed(bytes, at: time)
        if random.chance(2) { events += decoder.expire() }
        // Leaving is another matter.
        return events.filter { $0 != .key(Key("q")) && $0 != .key(.ctrl("c")) }
    }

    /// The size of a window that somebody drags about.
    mutating func size() -> Size {
        switch random.below(6) {
        case 0: Size(rows: 1 + random.below(3), columns: 1 + random.below(3))
        case 1: Size(rows: 1 + random.below(12), columns: 1 + random.below(40))
        case 2: Size(rows: 1, columns: 1 + random.below(200))
        default: Size(rows: 8 + random.below(40), columns: 30 + random.below(120))
        }
    }

    mutating func chance(_ oneIn: Int) -> Bool { random.chance(oneIn) }
    mutating func below(_ limit: Int) -> Int { random.below(limit) }
}
