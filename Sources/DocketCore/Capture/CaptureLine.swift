import CivilTime

/// Reads the title's line of a capture, word by word from the left.
struct CaptureLine {
    let words: PhraseWords
    let matcher: DateMatcher
    private let recurrence: RecurrencePhrase
    private var title: [UInt8] = []
    private var item = CapturedItem()
    private var at = 0

    init(words: PhraseWords, context: DateContext) {
        self.words = words
        matcher = DateMatcher(words: words, context: context, isEmbedded: true)
        recurrence = RecurrencePhrase(words: words)
    }

    mutating func read(into target: inout CapturedItem) {
        item = target
        title.reserveCapacity(words.bytes.count)
        while at < words.count {
            let start = at
            if !readToken() {
                at = start
                appendPlain(words.ranges[at])
                at += 1
            }
        }
        item.title = String(decoding: title, as: UTF8.self)
        target = item
    }

    private mutating func appendPlain(_ range: Range<Int>) {
        if !title.isEmpty { title.append(32) }
        title += words.bytes[range]
    }

    /// Reads the token that begins at the current word, if there is one.
    private mutating func readToken() -> Bool {
        switch words.firstByte(at) {
        case UInt8(ascii: "\\"): readEscape()
        case UInt8(ascii: "#"): readTag()
        case UInt8(ascii: "+"): readList() || readDate()
        case UInt8(ascii: "@"): readLocation()
        case UInt8(ascii: "!"): readPriority()
        default: readRecurrence() || readKey() || readDate()
        }
    }

    private mutating func take(
        _ kind: CapturedItem.TokenKind,
        from first: Int,
        through range: Range<Int>,
        next: Int
    ) {
        let start = words.ranges[first].lowerBound
        item.tokens.append(.init(kind: kind, range: start..<range.upperBound))
        // Punctuation after the token stays, at the end of the title so far.
        let end = words.ranges[next - 1].upperBound
        if range.upperBound < end, !title.isEmpty {
            title += words.bytes[range.upperBound..<end]
        }
        at = next
    }

    // MARK: Markers

    private mutating func readEscape() -> Bool {
        let range = words.ranges[at]
        guard range.count > 1 else { return false }
        item.tokens.append(
            .init(kind: .escape, range: range.lowerBound..<range.lowerBound + 1)
        )
        appendPlain(range.lowerBound + 1..<range.upperBound)
        at += 1
        return true
    }

    private mutating func readTag() -> Bool {
        guard let name = CaptureName.read(words, word: at, skip: 1, isPath: false) else {
            return false
        }
        // Beyond the limit tags are only counted; comparing each with all others would take long.
        if item.tags.count > Limits.tags || !item.tags.contains(name.parts[0]) {
            item.tags.append(name.parts[0])
        }
        take(.tag, from: at, through: name.range, next: name.next)
        return true
    }

    private mutating func readList() -> Bool {
        guard let name = CaptureName.read(words, word: at, skip: 1, isPath: true) else {
            return false
        }
        guard item.list.isEmpty else {
            return remark(name, "An item is in one list")
        }
        item.list = name.parts
        take(.list, from: at, through: name.range, next: name.next)
        return true
    }

    private mutating func readLocation() -> Bool {
        guard let name = CaptureName.read(words, word: at, skip: 1, isPath: false),
            name.isQuoted || !name.parts[0].utf8.contains(UInt8(ascii: "@"))
        else { return false }
        guard item.location == nil else {
            return remark(name, "An item has one place")
        }
        item.location = name.parts[0]
        take(.location, from: at, through: name.range, next: name.next)
        return true
    }

    private mutating func remark(_ name: CaptureName, _ rule: String) -> Bool {
        item.remarks.append("\(rule): “\(words.string(name.range))” stays in the title.")
        return false
    }

    private mutating func readPriority() -> Bool {
        guard item.priority == 0, let word = words.word(at) else { return false }
        let priority: Int
        switch word.full {
        case "!", "!1", "!low": priority = 1
        case "!!", "!2", "!med", "!medium": priority = 2
        case "!!!", "!3", "!high": priority = 3
        default: return false
        }
        item.priority = priority
        take(.priority, from: at, through: words.ranges[at], next: at + 1)
        return true
    }

    // MARK: Dates

    private mutating func readRecurrence() -> Bool {
        guard item.recurrence == nil, let match = recurrence.match(at: at),
            !match.isWeak || isSupported(match.end)
        else { return false }
        item.recurrence = match.text
        let end = words.ranges[match.end - 1].upperBound - match.tail
        take(
            .recurrence,
            from: at,
            through: words.ranges[at].lowerBound..<end,
            next: match.end
        )
        return true
    }

    /// `due:friday`, `start:"next monday"`.
    private mutating func readKey() -> Bool {
        let range = words.ranges[at]
        let isDue = words.bytes[range].starts(with: "due:".utf8)
        guard isDue || words.bytes[range].starts(with: "start:".utf8),
            isDue ? item.due == nil : item.start == nil
        else { return false }
        let skip = isDue ? 4 : 6
        guard range.count > skip else { return false }
        var next = at + 1
        var end = range.upperBound
        var text: String
        if words.bytes[range.lowerBound + skip] == 34 {
            guard let name = CaptureName.read(words, word: at, skip: skip, isPath: false) else {
                return false
            }
            (text, next, end) = (name.parts[0], name.next, name.range.upperBound)
        } else {
            text = words.string(range.lowerBound + skip..<end)
        }
        let parser = DateParser(context: matcher.context)
        var found = try? parser.parse(text)
        if found == nil, text.hasSuffix(",") || text.hasSuffix(".") {
            text.removeLast()
            end -= 1
            found = try? parser.parse(text)
        }
        guard let date = found else {
            item.remarks.append(
                "“\(words.string(range))” is not a date that exists; it stays in the title."
            )
            item.tokens.append(.init(kind: .impossibleDate, range: range))
            return false
        }
        set(isDue ? .due : .start, date)
        take(isDue ? .due : .start, from: at, through: range.lowerBound..<end, next: next)
        return true
    }

    private mutating func set(_ kind: CapturedItem.TokenKind, _ date: DueDate) {
        if kind == .due { item.due = date } else { item.start = date }
    }

    private mutating func readDate() -> Bool {
        var kind = CapturedItem.TokenKind.due
        var start = at
        if let word = words.word(at), word.tail == 0 {
            switch word.full {
            case "due", "by", "on": start += 1
            case "from", "starting", "start": (kind, start) = (.start, start + 1)
            default: break
            }
        }
        guard kind == .due ? item.due == nil : item.start == nil,
            let match = matcher.match(at: start),
            !match.isWeak || start > at || isSupported(match.end)
        else { return false }
        let range = match.bytes(in: words)
        switch match.outcome {
        case .impossible(let why):
            item.remarks.append("“\(words.string(range))” stays in the title: \(why).")
            item.tokens.append(.init(kind: .impossibleDate, range: range))
            for index in at..<match.end { appendPlain(words.ranges[index]) }
            at = match.end
        case .date(let date):
            set(kind, date)
            take(kind, from: at, through: range, next: match.end)
        }
        return true
    }

    /// Whether the text after a word makes a weak phrase before it count: the end, a marker or a
    /// repetition.
    private func isSupported(_ index: Int) -> Bool {
        guard index < words.count else { return true }
        let range = words.ranges[index]
        switch words.bytes[range.lowerBound] {
        case UInt8(ascii: "#"), UInt8(ascii: "+"), UInt8(ascii: "@"):
            return CaptureName.read(words, word: index, skip: 1, isPath: true) != nil
        case UInt8(ascii: "!"):
            return range.count <= 3 || words.word(index)?.full == "!high"
        default:
            guard let word = words.word(index) else { return false }
            return word.full.hasPrefix("every") || word.full.hasPrefix("due:")
                || word.full.hasPrefix("start:")
                || matcher.timePiece(at: index, afterDay: false)
                    != nil
        }
    }
}
