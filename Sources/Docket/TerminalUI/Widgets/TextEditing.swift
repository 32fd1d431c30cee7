/// Motions and changes of text for single-line and multi-line fields, on a text and an offset.
///
/// Offsets count UTF-8 bytes and are on the boundary of a `Character`. So a change of a long text
/// copies memory, but does not find all character boundaries again.
enum TextEditing {
    static func index(_ offset: Int, in text: String) -> String.Index {
        text.utf8.index(text.startIndex, offsetBy: min(max(0, offset), text.utf8.count))
    }

    /// The offset of the character boundary at or after an offset.
    static func aligned(_ offset: Int, in text: String) -> Int {
        var place = min(max(0, offset), text.utf8.count)
        while place < text.utf8.count, String.Index(index(place, in: text), within: text) == nil {
            place += 1
        }
        return place
    }

    static func before(_ offset: Int, in text: String) -> Int {
        guard offset > 0 else { return 0 }
        let place = text.index(before: index(offset, in: text))
        return text.utf8.distance(from: text.startIndex, to: place)
    }

    static func after(_ offset: Int, in text: String) -> Int {
        guard offset < text.utf8.count else { return text.utf8.count }
        let place = text.index(after: index(offset, in: text))
        return text.utf8.distance(from: text.startIndex, to: place)
    }

    static func character(before offset: Int, in text: String) -> Character? {
        offset > 0 ? text[text.index(before: index(offset, in: text))] : nil
    }

    static func character(at offset: Int, in text: String) -> Character? {
        offset < text.utf8.count ? text[index(offset, in: text)] : nil
    }

    /// The start of the word before an offset; skips blanks between.
    static func wordStart(before offset: Int, in text: String) -> Int {
        var place = offset
        while let character = character(before: place, in: text), !isWord(character) {
            place = before(place, in: text)
        }
        while let character = character(before: place, in: text), isWord(character) {
            place = before(place, in: text)
        }
        return place
    }

    /// The end of the word after an offset; skips blanks between.
    static func wordEnd(after offset: Int, in text: String) -> Int {
        var place = offset
        while let character = character(at: place, in: text), !isWord(character) {
            place = after(place, in: text)
        }
        while let character = character(at: place, in: text), isWord(character) {
            place = after(place, in: text)
        }
        return place
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    /// Inserts text at an offset.
    ///
    /// - Returns: the offset after it. Where a mark joins the character before, or a base the mark
    ///   after, it is the next boundary.
    static func insert(_ more: String, at offset: Int, in text: inout String) -> Int {
        text.insert(contentsOf: more, at: index(offset, in: text))
        return aligned(offset + more.utf8.count, in: text)
    }

    /// Removes a range.
    ///
    /// - Returns: its start, on a boundary of the remaining text.
    static func remove(_ range: Range<Int>, in text: inout String) -> Int {
        text.removeSubrange(index(range.lowerBound, in: text)..<index(range.upperBound, in: text))
        return aligned(range.lowerBound, in: text)
    }

    /// The motion of a key; nil if the key is not one.
    static func motion(for key: Key) -> Motion? {
        switch key {
        case .left, .ctrl("b"): .characterBack
        case .right, .ctrl("f"): .characterOn
        case Key(.left, .ctrl), Key(.left, .alt), .alt("b"): .wordBack
        case Key(.right, .ctrl), Key(.right, .alt), .alt("f"): .wordOn
        case .home, .ctrl("a"): .lineStart
        case .end, .ctrl("e"): .lineEnd
        default: nil
        }
    }

    static func removal(for key: Key) -> Motion? {
        switch key {
        case .backspace, .ctrl("h"), Key(.backspace, .shift): .characterBack
        case .delete, .ctrl("d"): .characterOn
        case .ctrl("w"), Key(.backspace, .alt), Key(.backspace, .ctrl): .wordBack
        case .alt("d"), Key(.delete, .ctrl), Key(.delete, .alt): .wordOn
        case .ctrl("u"): .lineStart
        case .ctrl("k"): .lineEnd
        default: nil
        }
    }

    /// The extent of a motion or a removal.
    enum Motion {
        case characterBack
        case characterOn
        case wordBack
        case wordOn
        case lineStart
        case lineEnd
    }

    /// The target of a motion from an offset in one line.
    static func target(_ motion: Motion, from offset: Int, in text: String) -> Int {
        switch motion {
        case .characterBack: before(offset, in: text)
        case .characterOn: after(offset, in: text)
        case .wordBack: wordStart(before: offset, in: text)
        case .wordOn: wordEnd(after: offset, in: text)
        case .lineStart: 0
        case .lineEnd: text.utf8.count
        }
    }
}

/// The effect of an event on a text widget.
public enum EditOutcome: Hashable, Sendable {
    /// The text changed.
    case changed
    /// Only the cursor has moved, or nothing.
    case moved
    /// The event does not belong to the widget.
    case ignored
}

/// A widget for typed and pasted text.
public protocol TextInput {
    /// Inserts text at the cursor.
    mutating func insert(_ text: String)
    /// Edits by a key.
    mutating func handle(_ key: Key) -> EditOutcome
}

extension TextInput {
    /// Edits by a key or a paste; each widget handles the wheel and clicks itself.
    public mutating func handle(_ event: InputEvent) -> EditOutcome {
        switch event {
        case .key(let key): return handle(key)
        case .paste(let text):
            insert(text)
            return text.isEmpty ? .moved : .changed
        case .mouse, .focus, .report: return .ignored
        }
    }
}
