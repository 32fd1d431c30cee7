import CivilTime
import FoundationEssentials

/// One heading of an org document with its text (orgmode.org, "Org Syntax").
///
/// `** TODO [#A] Title :a:b:`, then the dates, the drawer of properties, the drawer of clocks and
/// other drawers, in this order, then the body.
struct OrgEntry: OutlineEntry {
    private(set) var level = 0
    var keyword: String?
    var isDone = false
    var priority: String?
    var title = ""
    var tags: [String] = []
    /// `SCHEDULED`, `DEADLINE` and `CLOSED`.
    var dates: [String: OrgTimestamp] = [:]
    var properties: [(name: String, value: String)] = []
    /// The lines of the clocks and state changes.
    var log: [String] = []
    /// Whole drawers of other programs.
    var drawers = ""
    var body = ""
    var remarks: [String] = []

    var inner: Int { level + 1 }
    var isTask: Bool { keyword != nil }
    var hasEnd: Bool { dates["CLOSED"] != nil }
    var id: String? { self[property: "ID"] }
    var parent: String? { self[property: "PARENT"].flatMap { $0.isEmpty ? nil : $0 } }
    var inheritance: [String] { tags }

    var extra: [JSONMember] {
        guard let keyword, keyword != "TODO", keyword != "DONE" else { return [] }
        return [JSONMember(isDone ? "done" : "open", .string(keyword))]
    }

    /// The words for states: the first ones are open, the others are done.
    struct Keywords {
        var open: Set<String> = ["TODO"]
        var done: Set<String> = ["DONE"]

        /// Takes a line like `#+TODO: TODO NEXT | DONE CANCELLED`.
        mutating func take(_ line: some StringProtocol) {
            guard let value = OrgEntry.setting(line, ["TODO", "SEQ_TODO", "TYP_TODO"]) else {
                return
            }
            var words = value.split(separator: " ").map { String($0.prefix { $0 != "(" }) }
            let bar = words.firstIndex(of: "|") ?? max(0, words.count - 1)
            done.formUnion(words[bar...].filter { $0 != "|" })
            words.removeSubrange(bar...)
            open.formUnion(words)
        }
    }

    /// The value of a line like `#+TITLE: value`, if it has one of these names.
    static func setting(_ line: some StringProtocol, _ names: Set<String>) -> String? {
        guard line.hasPrefix("#+"), let colon = line.firstIndex(of: ":"),
            names.contains(line[..<colon].dropFirst(2).uppercased())
        else { return nil }
        return String(line[colon...].dropFirst()).trimmingSpace
    }

    /// How many stars begin a line that is a heading; `nil` for another line.
    static func level(_ line: some Collection<UInt8>) -> Int? {
        let stars = line.prefix { $0 == UInt8(ascii: "*") }.count
        return stars > 0 && line.dropFirst(stars).first == 32 ? stars : nil
    }

    private init() {}

    /// The title of a line that is a heading.
    static func title(ofHeading line: some Collection<UInt8>, _ keywords: Keywords) -> String {
        var entry = OrgEntry()
        entry.readHeading(Substring(String(decoding: line, as: UTF8.self)), keywords)
        return entry.title
    }

    /// Reads the text of an entry.
    init(_ text: String, _ keywords: Keywords) throws(OutlineRefusal) {
        var lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false).map { line in
            Substring(line.last == 13 ? line.dropLast() : line)
        }[...]
        let heading = lines.removeFirst()
        readHeading(heading, keywords)
        let count = lines.count
        func number() -> Int { count - lines.count + 2 }
        if let line = lines.first, try readDates(line, number()) { lines.removeFirst() }
        while let line = lines.first, let name = OrgEntry.drawer(line),
            let end = lines.firstIndex(where: OrgEntry.isEnd)
        {
            let content = lines[lines.startIndex + 1..<end]
            switch name {
            case "PROPERTIES" where properties.isEmpty:
                properties = content.compactMap(OrgEntry.property)
            case "LOGBOOK" where log.isEmpty: log = content.map { String($0) }
            default: drawers += lines[lines.startIndex...end].joined(separator: "\n") + "\n"
            }
            lines = lines[(end + 1)...]
        }
        if isTask, self[property: "KIND"] == "note" {
            // The word for a state is the beginning of its title.
            (keyword, isDone, priority, tags) = (nil, false, nil, [])
            readHeading(heading, Keywords(open: [], done: []))
        }
        body = OrgEntry.unescaped(lines).joined(separator: "\n")
    }

    subscript(property name: String) -> String? {
        properties.first { $0.name.uppercased() == name }?.value
    }

    private mutating func readHeading(_ line: Substring, _ keywords: Keywords) {
        level = line.utf8.prefix { $0 == UInt8(ascii: "*") }.count
        var rest = line.dropFirst(level).drop { $0 == " " }
        let word = String(rest.prefix { $0 != " " })
        if keywords.open.contains(word) || keywords.done.contains(word) {
            (keyword, isDone) = (word, keywords.done.contains(word))
            rest = rest.dropFirst(word.count).drop { $0 == " " }
        }
        if rest.hasPrefix("[#"), rest.dropFirst(3).first == "]" {
            priority = String(rest.dropFirst(2).prefix(1))
            rest = rest.dropFirst(4).drop { $0 == " " }
        }
        rest = rest.dropLast(rest.reversed().prefix { $0 == " " || $0 == "\t" }.count)
        if let word = OrgEntry.tagWord(rest) {
            tags = word.split(separator: ":").map(String.init)
            rest = rest[..<word.startIndex]
        }
        title = String(rest).trimmingSpace
        if title.hasPrefix(OrgEntry.noSpace) { title.removeFirst() }
        if title.hasSuffix(OrgEntry.noSpace) { title.removeLast() }
    }

    /// The zero width space, with which the Org Manual ("Escape Character") keeps signs from having
    /// a meaning.
    private static let noSpace = "\u{200B}"

    /// A title that has no meaning beside its words.
    static func escapedTitle(_ title: String) -> String {
        let isPriority = title.hasPrefix("[#") && title.dropFirst(3).first == "]"
        return (isPriority ? noSpace : "") + title + (tagWord(title[...]) == nil ? "" : noSpace)
    }

    /// The tags at the end of a line, with their colons.
    private static func tagWord(_ line: Substring) -> Substring? {
        guard line.hasSuffix(":") else { return nil }
        let start = line.lastIndex { $0 == " " || $0 == "\t" }.map(line.index(after:))
        let word = line[(start ?? line.startIndex)...]
        let names = word.split(separator: ":", omittingEmptySubsequences: false)
        let isTags =
            names.count > 2 && names[0].isEmpty && names.dropFirst().dropLast().allSatisfy(isTag)
        return isTags ? word : nil
    }

    static func isTag(_ tag: some StringProtocol) -> Bool {
        !tag.isEmpty
            && tag.unicodeScalars.allSatisfy {
                97...122 ~= $0.value || "_@#%".unicodeScalars.contains($0)
                    || $0.properties.isAlphabetic || $0.properties.numericType != nil
            }
    }

    /// Reads a line with dates; false for another one.
    private mutating func readDates(_ line: Substring, _ number: Int) throws(OutlineRefusal) -> Bool
    {
        var rest = line.drop { $0 == " " || $0 == "\t" }
        var found: [String: OrgTimestamp] = [:]
        while let colon = rest.firstIndex(of: ":") {
            let name = String(rest[..<colon])
            guard ["SCHEDULED", "DEADLINE", "CLOSED"].contains(name) else { break }
            let value = rest[colon...].dropFirst().drop { $0 == " " }
            do {
                let stamp = try OrgTimestamp(value)
                found[name] = stamp
                rest = value.dropFirst(stamp.text.count)
                if rest.hasPrefix("--"), let end = try? OrgTimestamp(rest.dropFirst(2)) {
                    found[name]?.text += "--" + end.text
                    rest = rest.dropFirst(2 + end.text.count)
                }
                rest = rest.drop { $0 == " " || $0 == "\t" }
            } catch {
                // A note has no dates, so nothing is wrong with its text.
                if isTask, case .impossible(let why) = error {
                    let shown = ShortID.shown(String(value))
                    throw OutlineRefusal(
                        message: "\(name) holds “\(shown)”, which is not a date: \(why)",
                        line: number
                    )
                }
                remarks.append(
                    "“\(ShortID.shown(String(line)))” has no date; it stays in the notes."
                )
                return false
            }
        }
        guard rest.isEmpty, !found.isEmpty else { return false }
        dates = found
        return true
    }

    private static func isEnd(_ line: Substring) -> Bool {
        isColon(line) && String(line).trimmingSpace.uppercased() == ":END:"
    }

    /// Whether a line may begin or end a drawer.
    private static func isColon(_ line: some StringProtocol) -> Bool {
        line.utf8.first.map { $0 == UInt8(ascii: ":") || $0 <= 32 || $0 > 127 } ?? false
    }

    /// The name of the drawer that a line begins.
    private static func drawer(_ line: some StringProtocol) -> String? {
        guard isColon(line) else { return nil }
        let word = String(line).trimmingSpace
        guard word.utf8.count > 2, word.hasPrefix(":"), word.hasSuffix(":") else { return nil }
        let name = word.dropFirst().dropLast()
        let isName = name.utf8.allSatisfy { byte in
            (byte | 0x20) >= 97 && (byte | 0x20) <= 122 || byte == 95 || byte == 45
        }
        return isName && name.uppercased() != "END" ? name.uppercased() : nil
    }

    private static func property(_ line: Substring) -> (name: String, value: String)? {
        let line = String(line).trimmingSpace
        guard line.hasPrefix(":"), let end = line.dropFirst().firstIndex(of: ":") else {
            return nil
        }
        return (String(line[..<end].dropFirst()), String(line[end...].dropFirst()).trimmingSpace)
    }

    // MARK: Commas

    /// Whether a line of a body would be read as something else: a heading, or in the first line a
    /// drawer or dates.
    private static func isSpecial(_ line: Substring, isFirst: Bool) -> Bool {
        let line = line.drop { $0 == "," }
        if level(line.utf8) != nil { return true }
        return isFirst
            && (drawer(line) != nil
                || ["SCHEDULED:", "DEADLINE:", "CLOSED:"].contains {
                    line.drop { $0 == " " }.hasPrefix($0)
                })
    }

    /// Like the lines of a block in org: a comma before what would be read as something else.
    static func escaped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { isSpecial($1, isFirst: $0 == 0) ? "," + $1 : String($1) }
            .joined(separator: "\n")
    }

    private static func unescaped(_ lines: ArraySlice<Substring>) -> [Substring] {
        lines.enumerated().map {
            $1.hasPrefix(",") && isSpecial($1, isFirst: $0 == 0) ? $1.dropFirst() : $1
        }
    }
}
