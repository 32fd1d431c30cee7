/// Turns the bytes of a terminal into events.
///
/// Definitions: a *sequence* is the text after an escape byte; it is *open* while its end is
/// unknown. Invariants:
/// 1. Events depend on the bytes only, not on their division into chunks.
/// 2. An open sequence is in `sequence` (with its escape byte). Nothing else is pending except the
///    bytes of one UTF-8 scalar in `scalar` and a paste in `paste`.
/// 3. No byte string traps, and memory is bounded by `Limits`.
///
/// ```
///            ESC              end of sequence → event
///   ground ───────→ sequence ─────────────────────────→ ground
///     ↑                │ ESC [ 200 ~
///     │ ESC [ 201 ~    ↓
///     └───────────── paste
/// ```
/// A single escape byte is the Esc key only if nothing follows: see `deadline` and `expire()`. A
/// paste without its end mark ends in the same way, so that the keyboard works again.
public struct InputDecoder: Sendable {
    /// How long the decoder waits after an escape byte before it is the Esc key.
    public static let escapeDelay: Duration = .milliseconds(25)
    /// How long a longer sequence may stay open before it is dropped.
    static let sequenceDelay: Duration = .seconds(1)
    /// How long a paste may pause before it ends.
    ///
    /// This is longer than the pauses of a slow line, because the rest of an interrupted paste
    /// would be read as keys.
    static let pasteDelay: Duration = .seconds(2)

    enum Limits {
        static let sequence = 4096
        /// The rest of a longer paste is dropped.
        static let paste = 16 << 20
    }

    var sequence: [UInt8] = []
    private var scalar: [UInt8] = []
    private var scalarLength = 0
    private var afterEscape = false
    var paste: PasteBuffer?
    var lastArrival: ContinuousClock.Instant?
    let seeds: KeyStringTable

    /// A decoder for the usual sequences of xterm and similar terminals; those of `seeds` have
    /// priority.
    public init(seeds: [KeySeed] = []) {
        self.seeds = KeyStringTable(seeds)
    }

    /// When to call ``expire()``, or nil if nothing is open.
    public var deadline: ContinuousClock.Instant? {
        guard let lastArrival else { return nil }
        if paste != nil { return lastArrival + Self.pasteDelay }
        guard !sequence.isEmpty else { return nil }
        return lastArrival + (sequence.count <= 2 ? Self.escapeDelay : Self.sequenceDelay)
    }

    /// Decodes bytes that arrived at a time.
    /// - Complexity: O(n).
    public mutating func feed(
        _ bytes: UnsafeBufferPointer<UInt8>,
        at time: ContinuousClock.Instant
    ) -> [InputEvent] {
        guard !bytes.isEmpty else { return [] }
        lastArrival = time
        var events: [InputEvent] = []
        var place = 0
        while place < bytes.count {
            if paste != nil {
                place = feedPaste(bytes, from: place, into: &events)
            } else {
                feed(bytes[place], into: &events)
                place += 1
            }
        }
        return events
    }

    /// Ends the open input after the deadline: a single escape byte becomes the Esc key, one with a
    /// character after it alt and the character; a longer open sequence is dropped, and a paste
    /// becomes the text so far.
    public mutating func expire() -> [InputEvent] {
        if paste != nil { return endPaste() }
        defer { sequence = [] }
        switch sequence.count {
        case 1: return [.key(.escape)]
        case 2: return [.key(Key(Character(Unicode.Scalar(sequence[1])), .alt))]
        default: return []
        }
    }

    private mutating func feed(_ byte: UInt8, into events: inout [InputEvent]) {
        if !sequence.isEmpty {
            feedSequence(byte, into: &events)
        } else if scalarLength > 0 {
            feedScalar(byte, into: &events)
        } else {
            feedGround(byte, alt: false, into: &events)
        }
    }

    /// A byte outside a sequence, or the byte after an escape byte that makes it an alt key.
    mutating func feedGround(_ byte: UInt8, alt: Bool, into events: inout [InputEvent]) {
        let modifiers: Key.Modifiers = alt ? .alt : []
        if let key = seeds.single[byte] {
            events.append(.key(Key(key.code, key.modifiers.union(modifiers))))
            return
        }
        switch byte {
        case 0x1B: sequence = [byte]
        case 0x0D: events.append(.key(Key(.enter, modifiers)))
        case 0x09: events.append(.key(Key(.tab, modifiers)))
        case 0x7F: events.append(.key(Key(.backspace, modifiers)))
        case 0x00: events.append(.key(Key(" ", modifiers.union(.ctrl))))
        case 0x01...0x1A:
            let letter = Character(Unicode.Scalar(byte + 0x60))
            events.append(.key(Key(letter, modifiers.union(.ctrl))))
        case 0x1C...0x1F:
            let sign = Character(Unicode.Scalar(byte + 0x40))
            events.append(.key(Key(sign, modifiers.union(.ctrl))))
        case 0x20...0x7E:
            events.append(.key(Key(Character(Unicode.Scalar(byte)), modifiers)))
        default:
            let length = UTF8Lead.decode(byte).length
            if length > 1 {
                scalar = [byte]
                scalarLength = length
                afterEscape = alt
            } else {
                events.append(.key(Key("\u{FFFD}", modifiers)))
            }
        }
    }

    /// A byte of a scalar; a byte that does not belong to it ends the scalar as U+FFFD.
    private mutating func feedScalar(_ byte: UInt8, into events: inout [InputEvent]) {
        let modifiers: Key.Modifiers = afterEscape ? .alt : []
        guard byte & 0xC0 == 0x80 else {
            scalarLength = 0
            events.append(.key(Key("\u{FFFD}", modifiers)))
            feedGround(byte, alt: false, into: &events)
            return
        }
        scalar.append(byte)
        guard scalar.count == scalarLength else { return }
        var value = UTF8Lead.decode(scalar[0]).bits
        for byte in scalar.dropFirst() { value = value << 6 | UInt32(byte & 0x3F) }
        let valid = UTF8Lead.isValid(value, length: scalarLength)
        scalarLength = 0
        if (0x80...0x9F).contains(value) { return }  // C1 controls
        let typed = valid ? Unicode.Scalar(value) : nil
        events.append(.key(Key(Character(typed ?? "\u{FFFD}"), modifiers)))
    }
}
