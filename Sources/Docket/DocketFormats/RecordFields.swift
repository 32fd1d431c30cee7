public import CivilTime
public import FoundationEssentials

/// A record that is being built from JSON members: reads values of the wanted type, cleans them,
/// and collects errors and changes.
public struct RecordFields {
    public var record: ItemRecord
    public let settings: ExchangeSettings
    public private(set) var remarks: [String] = []
    private var refusal: String?
    /// Whether the item has the time of its last change.
    public var isStamped = false
    /// Whether the item has an identity.
    public var isNamed = false
    /// Whether the item has the time of its creation.
    public var isDated = false

    private static let blank = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    init(settings: ExchangeSettings) {
        self.settings = settings
        record = ItemRecord(uuid: RecordFields.blank, title: "", created: settings.dates.now)
    }

    /// Refuses the item; the first reason counts.
    ///
    /// `why` is a sentence without its full stop.
    public mutating func refuse(_ why: String) {
        if refusal == nil { refusal = why + "." }
    }

    public mutating func remark(_ what: String) {
        if !remarks.contains(what) { remarks.append(what) }
    }

    mutating func noteReplacements() {
        remark("Half of a character (\\ud800 to \\udfff) was replaced by U+FFFD.")
    }

    public mutating func finish(line: Int) -> ImportEvent {
        if record.title.isEmpty { refuse("The item has no title") }
        if let refusal = Limits.refusal(ofListLevels: record.list.count) { refuse(refusal) }
        for text in [record.title, record.notes, record.body] {
            if let refusal = Limits.refusal(ofText: text) { refuse(refusal) }
        }
        if let refusal { return .failure(ImportProblem(line: line, message: refusal)) }
        return .record(
            ImportedRecord(
                record: record,
                line: line,
                remarks: remarks,
                isStamped: isStamped,
                isNamed: isNamed,
                isDated: isDated
            )
        )
    }

    // MARK: Values

    public typealias Problem = JSONScanner.Problem

    /// `nil`, with a refusal, if the value is not text.
    public mutating func text(
        _ name: String,
        _ scanner: inout JSONScanner
    ) throws(Problem) -> String? {
        scanner.skipSpace()
        guard scanner.peek == UInt8(ascii: "\"") else {
            try scanner.skip()
            refuse("“\(name)” must be text in quotes")
            return nil
        }
        return try scanner.string()
    }

    public mutating func texts(
        _ name: String,
        _ scanner: inout JSONScanner
    ) throws(Problem) -> [String] {
        scanner.skipSpace()
        guard scanner.peek == UInt8(ascii: "[") else {
            try scanner.skip()
            refuse("“\(name)” must be a list of texts")
            return []
        }
        var texts: [String] = []
        var isText = true
        try scanner.array { (scanner) throws(Problem) in
            scanner.skipSpace()
            if scanner.peek == UInt8(ascii: "\"") {
                texts.append(try scanner.string())
            } else {
                isText = false
                try scanner.skip()
            }
        }
        if !isText { refuse("“\(name)” must be a list of texts") }
        return texts
    }

    public mutating func integer(
        _ name: String,
        _ scanner: inout JSONScanner
    ) throws(Problem) -> Int64? {
        if case .number(let text) = try scanner.value(), let number = Int64(text) {
            return number
        }
        refuse("“\(name)” must be a whole number")
        return nil
    }

    /// A whole number of a range; one outside of it is left out, with a remark that ends with
    /// `instead`.
    public mutating func integer(
        _ name: String,
        in range: ClosedRange<Int64>,
        instead: String,
        _ scanner: inout JSONScanner
    ) throws(Problem) -> Int64? {
        guard let number = try integer(name, &scanner) else { return nil }
        if range.contains(number) { return number }
        remark("“\(name)” holds \(number), which is out of range; \(instead).")
        return nil
    }

    public mutating func bool(_ name: String, _ scanner: inout JSONScanner) throws(Problem) -> Bool
    {
        if case .bool(let flag) = try scanner.value() { return flag }
        refuse("“\(name)” must be true or false")
        return false
    }

    public mutating func uuid(
        _ name: String,
        _ scanner: inout JSONScanner
    ) throws(Problem) -> UUID? {
        guard let text = try text(name, &scanner) else { return nil }
        if let uuid = UUIDText.parse(text) { return uuid }
        refuse("“\(name)” holds “\(ShortID.shown(text))”, which is not a UUID")
        return nil
    }

    /// A moment; a day alone means its beginning.
    public mutating func date(
        _ name: String,
        _ scanner: inout JSONScanner
    ) throws(Problem) -> Date? {
        guard let reading = try reading(name, &scanner) else { return nil }
        return ISODate.moment(reading, zone: settings.dates.zone)
    }

    /// A day or a moment.
    public mutating func due(
        _ name: String,
        _ scanner: inout JSONScanner
    ) throws(Problem) -> DueDate? {
        guard let reading = try reading(name, &scanner) else { return nil }
        if case .day(let day) = reading { return DueDate(day: day) }
        return ISODate.moment(reading, zone: settings.dates.zone).map(DueDate.init(moment:))
    }

    private mutating func reading(
        _ name: String,
        _ scanner: inout JSONScanner
    ) throws(Problem) -> ISODate.Reading? {
        try text(name, &scanner).flatMap { reading(name, of: $0, as: "an ISO 8601 date") }
    }

    /// The date that a text is; `nil`, with a refusal, if it is none.
    ///
    /// - Parameters:
    ///   - name: what has the text.
    ///   - text: the text.
    ///   - what: what it should be.
    /// - Returns: a day or a time.
    mutating func reading(_ name: String, of text: String, as what: String) -> ISODate.Reading? {
        let reading = ISODate.read(text)
        switch reading {
        case .none:
            refuse("“\(name)” holds “\(ShortID.shown(text))”, which is not \(what)")
            return nil
        case .impossible(let why):
            refuse("“\(name)” holds “\(ShortID.shown(text))”, which is not a date: \(why)")
            return nil
        case .day, .time:
            return reading
        }
    }

    // MARK: Cleaning

    /// Sets the title as one clean line.
    ///
    /// - Returns: whether it equals the given text.
    @discardableResult
    public mutating func setTitle(_ text: String) -> Bool {
        let clean = RecordFields.cleanTitle(text)
        if clean != text {
            remark("Control characters or spaces at its ends were removed from the title.")
        }
        record.title = clean
        return clean == text
    }

    /// A text of several lines without control characters, with a remark if it had some.
    mutating func clean(lines text: String) -> String {
        if CaptureText.isClean(text, lines: true) { return text }
        let isOther: (Unicode.Scalar) -> Bool = {
            $0.properties.generalCategory == .control && !["\t", "\n", "\r", "\u{85}"].contains($0)
        }
        if text.unicodeScalars.contains(where: isOther) {
            remark("Control characters were removed from its text.")
        }
        return CaptureText.cleanText(text)
    }

    /// One line without control characters and without spaces at its ends.
    static func cleanTitle(_ text: String) -> String {
        let clean = CaptureText.cleanLine(text)
        guard clean.utf8.first == 32 || clean.utf8.last == 32 else { return clean }
        let bytes = Array(clean.utf8)
        let start = bytes.firstIndex { $0 != 32 } ?? bytes.count
        let end = (bytes.lastIndex { $0 != 32 } ?? -1) + 1
        return start < end ? String(decoding: bytes[start..<end], as: UTF8.self) : ""
    }

    /// Sets the tags, each once, without empty ones.
    public mutating func setTags(_ tags: [String]) {
        record.tags.removeAll()
        record.tags.reserveCapacity(tags.count)
        // A set is worth its cost only for an unusual number of tags.
        var seen: Set<String> = []
        for tag in tags {
            let clean = CaptureText.cleanLine(tag)
            guard !clean.isEmpty else { continue }
            if tags.count > 16 {
                if seen.insert(clean).inserted { record.tags.append(clean) }
            } else if !record.tags.contains(clean) {
                record.tags.append(clean)
            }
        }
        if record.tags.count < tags.count { remark("Repeated and empty tags were removed.") }
        if let refusal = Limits.refusal(ofTags: record.tags.count) { refuse(refusal) }
    }

    mutating func setList(_ path: [String]) {
        record.list = path.map(CaptureText.cleanLine).filter { !$0.isEmpty }
        if record.list.count < path.count { remark("Empty names in the list were removed.") }
    }
}
