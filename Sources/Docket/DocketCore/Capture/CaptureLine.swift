import CivilTime
import DocketFormats
import TimeLanguage

/// Reads the title's line of a capture: first what has a mark, then dates in what is left.
struct CaptureLine {
    let words: PhraseWords
    private let context: DateContext
    private var item = CapturedItem()
    private var at = 0
    /// What is no text of the title, and what the recogniser of dates must not read; ascending.
    private var taken: [Range<Int>] = []
    private var barriers: [Range<Int>] = []
    /// Words behind a backslash.
    private var escaped: [Range<Int>] = []
    /// What `due:` said.
    private var dueText: String?

    init(words: PhraseWords, context: DateContext) {
        self.words = words
        self.context = context
    }

    mutating func read(into target: inout CapturedItem) {
        item = target
        while at < words.count {
            if !readMark() { at += 1 }
        }
        readDates()
        settleKeys()
        item.title = title()
        item.tokens.sort { $0.range.lowerBound < $1.range.lowerBound }
        target = item
    }

    /// Reads the mark that begins at the current word, if there is one.
    private mutating func readMark() -> Bool {
        switch words.firstByte(at) {
        case UInt8(ascii: "\\"): readEscape()
        case UInt8(ascii: "#"): readTag()
        case UInt8(ascii: "+"): readList()
        case UInt8(ascii: "@"): readLocation()
        case UInt8(ascii: "!"): readPriority()
        default: readKey() || readRelation()
        }
    }

    private mutating func take(
        _ kind: CapturedItem.TokenKind,
        from first: Int,
        through range: Range<Int>,
        next: Int
    ) {
        let part = words.ranges[first].lowerBound..<range.upperBound
        item.tokens.append(.init(kind: kind, range: part))
        taken.append(part)
        barriers.append(part)
        at = next
    }

    // MARK: The title

    /// The words without what was taken.
    ///
    /// Punctuation after a taken part stays, at the end of the title so far.
    private func title() -> String {
        var title: [UInt8] = []
        title.reserveCapacity(words.bytes.count)
        var parts = cuts()[...]
        for range in words.ranges {
            var start = range.lowerBound
            var isFirst = true
            var isCut = false
            func append(_ part: Range<Int>) {
                guard !part.isEmpty else { return }
                let isTail = isCut && words.bytes[part].allSatisfy(PhraseWords.isClosing)
                if isFirst, !isTail, !title.isEmpty { title.append(32) }
                if !isTail || !title.isEmpty { title += words.bytes[part] }
                isFirst = false
            }
            while let part = parts.first, part.lowerBound < range.upperBound {
                if part.lowerBound > start { append(start..<part.lowerBound) }
                start = max(start, min(part.upperBound, range.upperBound))
                // An escape cuts nothing but its backslash.
                if !isEscape(part) { isCut = true }
                guard part.upperBound <= range.upperBound else { break }
                parts = parts.dropFirst()
            }
            append(start..<range.upperBound)
        }
        return String(decoding: title, as: UTF8.self)
    }

    /// What was taken, with the marks that would hang without it; ascending.
    private func cuts() -> [Range<Int>] {
        let cuts = taken.sorted { $0.lowerBound < $1.lowerBound }
        let remaining = RemainingTitle(
            bytes: words.bytes,
            taken: cuts.filter { !isEscape($0) },
            escaped: escaped
        )
        let marks = remaining.hangingMarks()
        if marks.isEmpty { return cuts }
        return (cuts + marks).sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Whether a cut is the backslash of a word that is meant as text.
    private func isEscape(_ part: Range<Int>) -> Bool {
        part.count == 1 && words.bytes[part.lowerBound] == 92
    }

    // MARK: Markers

    private mutating func readEscape() -> Bool {
        let range = words.ranges[at]
        guard range.count > 1 else { return false }
        let mark = range.lowerBound..<range.lowerBound + 1
        item.tokens.append(.init(kind: .escape, range: mark))
        taken.append(mark)
        barriers.append(range)
        escaped.append(range)
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
            return remark(name, localized("An item is in one list"))
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
            return remark(name, localized("An item has one place"))
        }
        item.location = name.parts[0]
        take(.location, from: at, through: name.range, next: name.next)
        return true
    }

    private mutating func remark(_ name: CaptureName, _ rule: String) -> Bool {
        remark(localized("\(rule): “\(words.string(name.range))” stays in the title."))
        return false
    }

    /// Keeps a sentence, if it is new: the same words may stand in the text many times, and nobody
    /// reads more than some.
    private mutating func remark(_ sentence: String) {
        guard item.remarks.count < CapturedItem.mostRemarks, !item.remarks.contains(sentence) else {
            return
        }
        item.remarks.append(sentence)
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

    /// `after:12`, `blocks:15,17-19`: the numbers of tasks.
    private mutating func readRelation() -> Bool {
        let range = words.ranges[at]
        let keys: [(String, CapturedItem.TokenKind)] = [
            ("after:", .waits), ("waits:", .waits), ("before:", .blocks), ("blocks:", .blocks),
        ]
        guard
            let (key, kind) = keys.first(where: { words.bytes[range].starts(with: $0.0.utf8) })
        else { return false }
        var end = range.upperBound
        while end > range.lowerBound + key.utf8.count, PhraseWords.isClosing(words.bytes[end - 1]) {
            end -= 1
        }
        let text = words.string(range.lowerBound + key.utf8.count..<end)
        guard let numbers = try? ShortID.parseList(text) else { return false }
        let path: WritableKeyPath<CapturedItem, [Int64]> = kind == .waits ? \.waits : \.blocks
        for number in numbers.prefix(Limits.blockers + 1)
        where item[keyPath: path].count <= Limits.blockers && !item[keyPath: path].contains(number)
        {
            item[keyPath: path].append(number)
        }
        take(kind, from: at, through: range.lowerBound..<end, next: at + 1)
        return true
    }

    // MARK: Dates

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
        let parser = DateParser(context: context)
        var found = try? parser.parse(text)
        if found == nil, text.hasSuffix(",") || text.hasSuffix(".") {
            text.removeLast()
            end -= 1
            found = try? parser.parse(text)
        }
        guard let date = found else {
            remark(
                localized(
                    "“\(words.string(range))” is not a date that exists; it stays in the title."
                )
            )
            item.tokens.append(.init(kind: .impossibleDate, range: range))
            barriers.append(range)
            return false
        }
        if isDue { (item.due, dueText) = (date, text) } else { item.start = date }
        take(isDue ? .due : .start, from: at, through: range.lowerBound..<end, next: next)
        return true
    }

    /// Seeks a marked due date after the start.
    private mutating func settleKeys() {
        guard let start = item.start, let due = item.due,
            due.isOver(before: start, in: context.zone)
        else { return }
        if let dueText, let later = try? DateParser(context: context).parse(dueText, from: start) {
            item.due = later
        }
        guard item.due?.isOver(before: start, in: context.zone) == true else { return }
        remark(localized("It starts after it is due."))
    }

    /// Dates, times, durations and the repetition in what has no mark.
    private mutating func readDates() {
        let recogniser = Recogniser(context: context)
        let read = recogniser.title(words.bytes, barriers: barriers)
        let (hadDue, hadStart) = (item.due != nil, item.start != nil)
        for span in read.spans {
            let kind: CapturedItem.TokenKind
            switch span.kind {
            // What a key has said counts.
            case .due where hadDue, .start where hadStart, .range where hadDue || hadStart: continue
            case .due, .range: kind = .due
            case .start: kind = .start
            case .estimate: kind = .estimate
            case .reminder: kind = .reminder
            case .repetition:
                kind = .recurrence
                let said = plain(span.range)
                // `dinner every friday at 7`: the words alone mean another rule.
                let alone = try? recogniser.repetition(said)
                let isSame = alone.map { $0.rule == read.repetition?.rule } ?? false
                item.recurrence =
                    isSame ? said : read.repetition?.words(context.settings.language)
            case .problem: kind = .impossibleDate
            }
            item.tokens.append(.init(kind: kind, range: span.range))
            if span.kind != .problem { taken.append(span.range) }
        }
        let isRange = read.end != nil
        if !hadDue, !(isRange && hadStart) { (item.due, item.end) = (read.due, read.end) }
        if !hadStart, !(isRange && hadDue) { item.start = read.start }
        if hadStart, !hadDue, let start = item.start, let repetition = read.repetition,
            !read.spans.contains(where: { $0.kind == .due || $0.kind == .range })
        {
            // The repetition alone says no due date: the start repeats.
            item.due = nil
            item.start = repetition.first(onOrAfter: start, in: context) ?? start
        }
        item.estimate = read.estimate
        item.reminder = read.reminder
        item.repetition = read.repetition
        if item.repetition != nil, let date = item.due ?? item.start,
            let begun = item.repetition?.begun(on: date.day(in: context.zone)),
            begun != item.repetition
        {
            // What a key has said begins the repetition, too.
            item.repetition = begun
            item.recurrence = begun.words(context.settings.language)
        }
        for problem in read.problems { remark(Phrase.step(problem)) }
    }

    /// In lower case, with single spaces.
    private func plain(_ range: Range<Int>) -> String {
        words.string(range).lowercased().split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }
}
