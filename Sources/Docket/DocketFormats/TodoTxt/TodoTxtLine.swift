import CivilTime
import FoundationEssentials

/// One line of a todo.txt file, parsed by the format's rules (todotxt.org, "Todo.txt format
/// rules").
///
/// `x 2026-11-22 (A) 2026-11-21 Call Mum +Family @phone due:2026-11-30`: the mark of completion,
/// its date, the priority, the date of creation, then words, among them `+project`, `@context` and
/// `key:value` anywhere. The priority may stand before the date of completion too.
struct TodoTxtLine: Hashable {
    public var isDone = false
    public var completed: Day?
    /// A…Z.
    public var priority: String?
    public var created: Day?
    public var title = ""
    /// Without their `+`, in order.
    var projects: [String] = []
    /// With their `@`, or `#tag` without its sign, in order.
    public var tags: [String] = []
    public var due: DueDate?
    public var start: DueDate?
    public var recurrence: String?
    public var uuid: UUID?
    /// Known keys without a field in an item (`h`, `id`, `p`), in order.
    public var keys: [JSONMember] = []
    public var remarks: [String] = []

    /// Why a line cannot be read, as part of a sentence.
    struct Refusal: Error {
        public var message: String
    }

    init(_ line: String, zone: ZoneRules) throws(Refusal) {
        var words = line.utf8.split(separator: 32).map { String(Substring($0)) }[...]
        isDone = words.first == "x" && line.hasPrefix("x ")
        if isDone { words.removeFirst() }
        func date() throws(Refusal) -> Day? {
            guard let word = words.first, word.utf8.count == 10 else { return nil }
            switch ISODate.read(word) {
            case .day(let day):
                words.removeFirst()
                return day
            case .impossible(let why):
                throw Refusal(message: "“\(word)” is not a date: \(why)")
            default:
                return nil
            }
        }
        func takePriority() {
            guard priority == nil, let letter = words.first.flatMap(TodoTxtLine.priority) else {
                return
            }
            priority = letter
            words.removeFirst()
        }
        // The rules have both orders for a completed line: the diagram has the priority first,
        // programs write the date of completion first.
        if isDone {
            takePriority()
            completed = try date()
        }
        if isDone || !line.hasPrefix(" ") { takePriority() }
        created = try date()
        try readWords(Array(words), zone: zone)
    }

    private static func priority(_ word: String) -> String? {
        guard word.utf8.count == 3, word.utf8.first == 40, word.utf8.last == 41,
            let letter = word.utf8.dropFirst().first, letter >= 65, letter <= 90
        else { return nil }
        return String(Unicode.Scalar(letter))
    }

    /// Splits the words into the title and markers.
    ///
    /// Markers before the first and after the last plain word are removed from the title; markers
    /// in between only lose their sign, so that the sentence stays complete. A `key:value` beside
    /// plain words is none, but stays in the title.
    private mutating func readWords(_ words: [String], zone: ZoneRules) throws(Refusal) {
        var kept: [(word: String, isMarker: Bool)] = []
        for word in words {
            if try readKey(word, zone: zone) { continue }
            kept.append((word, readMarker(word)))
        }
        let words = kept.indices.filter { !kept[$0].isMarker }
        let sentence = words.filter { !TodoTxtLine.isKeyed(kept[$0].word) }
        let plain = sentence.isEmpty ? words : sentence
        guard let first = plain.first, let last = plain.last else {
            title = kept.map { String($0.word.dropFirst()) }.joined(separator: " ")
            return
        }
        title = kept.indices.compactMap { place in
            let (word, isMarker) = kept[place]
            if !isMarker { return word }
            return (first...last).contains(place) ? String(word.dropFirst()) : nil
        }.joined(separator: " ")
    }

    /// Whether a word is a `key:value` of another program; an address or a time is none.
    private static func isKeyed(_ word: String) -> Bool {
        let parts = word.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].first, let value = parts[1].first else {
            return false
        }
        return (first | 0x20) >= 97 && (first | 0x20) <= 122 && value != UInt8(ascii: "/")
    }

    /// Reads `+project`, `@context` and `#tag`.
    private mutating func readMarker(_ word: String) -> Bool {
        guard let sign = word.utf8.first, sign == 43 || sign == 64 || sign == 35,
            TodoTxtLine.isName(word.dropFirst())
        else { return false }
        switch sign {
        case UInt8(ascii: "+"):
            let name = String(word.dropFirst())
            TodoTxtLine.add(name, to: &projects)
        case UInt8(ascii: "@"):
            TodoTxtLine.add(word, to: &tags)
        case UInt8(ascii: "#"):
            TodoTxtLine.add(String(word.dropFirst()), to: &tags)
        default:
            return false
        }
        return true
    }

    /// Adds a name once; names beyond the limit of an item are only counted.
    private static func add(_ name: String, to names: inout [String]) {
        if names.count > Limits.tags || !names.contains(name) { names.append(name) }
    }

    /// Whether a name may follow a sign: it has a letter or an emoji, so `+1` and `@` are text.
    static func isName(_ name: some StringProtocol) -> Bool {
        name.unicodeScalars.contains {
            if $0.isASCII { return ($0.value | 0x20) >= 97 && ($0.value | 0x20) <= 122 }
            return $0.properties.isAlphabetic || $0.properties.isEmojiPresentation
        }
    }

    /// Reads `key:value` of the known keys.
    private mutating func readKey(_ word: String, zone: ZoneRules) throws(Refusal) -> Bool {
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let key = String(word[..<colon])
        let value = String(word[word.utf8.index(after: colon)...])
        guard !value.isEmpty else { return false }
        switch key {
        case "due":
            guard due == nil, let date = try date(word, value, zone) else { return false }
            due = date
        case "t":
            guard start == nil, let date = try date(word, value, zone) else { return false }
            start = date
        case "rec":
            guard recurrence == nil else { return false }
            recurrence = value
        case "pri":
            guard priority == nil, let letter = TodoTxtLine.priority("(\(value))") else {
                return false
            }
            priority = letter
        case "uuid":
            guard uuid == nil, let found = UUIDText.parse(value) else { return false }
            uuid = found
        case "h", "id", "p":
            keys.append(JSONMember(key, .string(value)))
        default:
            return false
        }
        return true
    }

    private mutating func date(
        _ word: String,
        _ value: String,
        _ zone: ZoneRules
    ) throws(Refusal) -> DueDate? {
        let reading = ISODate.read(value)
        switch reading {
        case .day(let day) where value.utf8.count == 10:
            return DueDate(day: day)
        case .time:
            return ISODate.moment(reading, zone: zone).map(DueDate.init(moment:))
        case .impossible(let why):
            throw Refusal(message: "“\(word)” is not a date: \(why)")
        default:
            remarks.append("“\(word)” is not a date of the form 2026-11-22; it stays in the title.")
            return nil
        }
    }

    // MARK: Priorities

    public static func number(ofPriority letter: String?) -> Int {
        switch letter {
        case "A": 3
        case "B": 2
        case "C": 1
        default: 0
        }
    }

    public static func letter(ofPriority number: Int) -> String? {
        switch number {
        case 3: "A"
        case 2: "B"
        case 1: "C"
        default: nil
        }
    }
}
