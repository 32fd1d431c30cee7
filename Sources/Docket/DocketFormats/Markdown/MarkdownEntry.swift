import CivilTime
import FoundationEssentials

/// One task of a Markdown document, or one note of Docket, with the lines below it.
///
/// The line may have the signs of the plugin Tasks of Obsidian (its documentation, "Tasks Emoji
/// Format") and fields of Dataview, as `[due:: 2026-11-30]`.
struct MarkdownEntry: OutlineEntry {
    /// What a sign or a field says.
    enum Field: String, CaseIterable {
        case priority
        case recurrence = "repeat"
        case created, start, scheduled, due, completion, cancelled
        case id
        case dependencies = "dependsOn"
        case estimate, location, parent, kind

        var sign: String? {
            switch self {
            case .recurrence: "🔁"
            case .created: "➕"
            case .start: "🛫"
            case .scheduled: "⏳"
            case .due: "📅"
            case .completion: "✅"
            case .cancelled: "❌"
            case .id: "🆔"
            case .dependencies: "⛔"
            default: nil
            }
        }

        static let signs: [String: Field] = Dictionary(
            uniqueKeysWithValues: allCases.compactMap { field in field.sign.map { ($0, field) } }
        )

        var isDate: Bool {
            switch self {
            case .created, .start, .scheduled, .due, .completion, .cancelled: true
            default: false
            }
        }
    }

    /// The names of priorities with their signs, and as numbers.
    static let priorities: [(sign: String, name: String, number: Int)] = [
        ("🔺", "highest", 3), ("⏫", "high", 3), ("🔼", "medium", 2), ("🔽", "low", 1),
        ("⏬", "lowest", 1),
    ]

    private(set) var level = MarkdownSyntax.tasks
    /// The marker of the list, and the sign in the box; `nil` without one.
    var marker = "-"
    var box: String?
    var title = ""
    var tags: [String] = []
    /// What was written, and its value.
    var fields: [Field: (text: String, value: String)] = [:]
    var dates: [Field: DueDate] = [:]
    /// Signs and fields of others.
    var others: [String] = []
    var notes = ""

    var inner: Int { level + marker.utf8.count + 1 }
    var isTask: Bool { box != nil }
    /// Whether the box says that it is over.
    var isDone: Bool { ["x", "X", "-"].contains(box ?? "") }
    /// The day on which it was over.
    var end: DueDate? { dates[.completion] ?? dates[.cancelled] }
    var hasEnd: Bool { end != nil }
    var id: String? { fields[.id]?.value }
    var parent: String? { fields[.parent]?.value }
    var inheritance: [String] { [] }
    var extra: [JSONMember] { [] }

    init(_ text: String, zone: ZoneRules) throws(OutlineRefusal) {
        var lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false)[...]
        guard let first = lines.popFirst() else { return }
        let (indent, line) = MarkdownLine.indent(first)
        level += indent
        let length = MarkdownLine.marker(line) ?? 0
        marker = String(decoding: line.prefix(length), as: UTF8.self)
        var rest = line.dropFirst(length).drop { $0 == 32 || $0 == 9 }
        box = MarkdownLine.box(rest)
        if let box { rest = rest.dropFirst(box.utf8.count + 2) }
        try readWords(
            CaptureText.cleanLine(String(Substring(rest))).utf8.split(separator: 32)
                .map { String(Substring($0)) },
            zone
        )
        notes = MarkdownEntry.notes(lines)
    }

    // MARK: Words

    private mutating func readWords(_ words: [String], _ zone: ZoneRules) throws(OutlineRefusal) {
        var kept: [(word: String, isTag: Bool)] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if try readField(word, &rest, zone) { continue }
            if try readSign(word, &rest, zone) { continue }
            if word.hasPrefix("#"), TodoTxtLine.isName(word.dropFirst()) {
                tags.append(String(word.dropFirst()))
                kept.append((String(word.dropFirst()), true))
            } else if rest.isEmpty, word.hasPrefix("^"), word.utf8.count > 1 {
                others.append(word)
            } else {
                kept.append((MarkdownEntry.unescapedWord(word), false))
            }
        }
        // Tags at either end are removed from the title; those in between lose their sign.
        let plain = kept.indices.filter { !kept[$0].isTag }
        let range = plain.first.map { $0...(plain.last ?? $0) }
        title = kept.indices.filter { range?.contains($0) ?? true }.map { kept[$0].word }
            .joined(separator: " ")
    }

    /// A word of a title, with a backslash before what would be read as something else.
    static func escapedWord(_ word: String, isLast: Bool) -> String {
        let text = word.drop { $0 == "\\" }
        if !isLast, text.startIndex == word.startIndex, text.hasPrefix("^") { return word }
        return isSpecialWord(text) ? "\\" + word : word
    }

    private static func unescapedWord(_ word: String) -> String {
        let isEscaped = word.hasPrefix("\\") && isSpecialWord(word.drop { $0 == "\\" })
        return isEscaped ? String(word.dropFirst()) : word
    }

    /// Whether a word can be a tag, an anchor, a sign, or the beginning of a field.
    private static func isSpecialWord(_ word: Substring) -> Bool {
        switch word.utf8.first ?? 0 {
        case UInt8(ascii: "#"): TodoTxtLine.isName(word.dropFirst())
        case UInt8(ascii: "^"): word.utf8.count > 1
        case UInt8(ascii: "["), UInt8(ascii: "("): word.hasSuffix("::")
        case 0x80...: isSign(parts(String(word)).sign)
        default: false
        }
    }

    private static func isSign(_ sign: String) -> Bool {
        sign == "🏁" || Field.signs[sign] != nil || priorities.contains { $0.sign == sign }
    }

    /// Reads `[name:: value]` or `(name:: value)`.
    private mutating func readField(
        _ word: String,
        _ rest: inout ArraySlice<String>,
        _ zone: ZoneRules
    ) throws(OutlineRefusal) -> Bool {
        guard let open = word.first, open == "[" || open == "(", word.hasSuffix("::") else {
            return false
        }
        let close = open == "[" ? "]" : ")"
        guard let end = rest.firstIndex(where: { $0.hasSuffix(close) }) else { return false }
        let value = String(rest[...end].joined(separator: " ").dropLast())
        let text = word + " " + value + close
        let name = word.dropFirst().dropLast(2)
        rest = rest[(end + 1)...]
        if let field = Field(rawValue: String(name)), fields[field] == nil {
            try set(field, text, value, zone)
        } else {
            others.append(text)
        }
        return true
    }

    private mutating func readSign(
        _ word: String,
        _ rest: inout ArraySlice<String>,
        _ zone: ZoneRules
    ) throws(OutlineRefusal) -> Bool {
        let (sign, attached) = MarkdownEntry.parts(word)
        if sign.isEmpty { return false }
        if let priority = MarkdownEntry.priorities.first(where: { $0.sign == sign }) {
            guard attached.isEmpty, fields[.priority] == nil else { return false }
            fields[.priority] = (word, priority.name)
            return true
        }
        let field = Field.signs[sign]
        guard field != nil || sign == "🏁" else { return false }
        var taken = attached.isEmpty ? [] : [attached]
        if field == .recurrence {
            // Words up to the next sign.
            while let next = rest.first, !MarkdownEntry.isMark(next) {
                taken.append(next)
                rest = rest.dropFirst()
            }
        } else {
            while taken.isEmpty || taken.last?.hasSuffix(",") ?? false, let next = rest.popFirst() {
                taken.append(next)
            }
        }
        let value = taken.joined(separator: " ")
        let text = attached.isEmpty ? word + " " + value : word + value.dropFirst(attached.count)
        if let field, !value.isEmpty, fields[field] == nil {
            try set(field, text, value, zone)
        } else {
            others.append(text.trimmingSpace)
        }
        return true
    }

    /// The first sign of a word, without what makes it an emoji, and the rest.
    private static func parts(_ word: String) -> (sign: String, attached: String) {
        guard let first = word.unicodeScalars.first, !first.isASCII else { return ("", word) }
        let rest = word.unicodeScalars.dropFirst().drop { $0 == "\u{FE0F}" }
        // Other calendars mean the due date too.
        let sign: Unicode.Scalar = first == "📆" || first == "🗓" ? "📅" : first
        return (String(sign), String(rest))
    }

    /// Whether a word begins a sign or a field, and is so no part of a text.
    private static func isMark(_ word: String) -> Bool {
        isSign(parts(word).sign) || word.hasSuffix("::") || word.hasPrefix("#")
            || word.hasPrefix("^")
    }

    private mutating func set(
        _ field: Field,
        _ text: String,
        _ value: String,
        _ zone: ZoneRules
    ) throws(OutlineRefusal) {
        if field.isDate {
            let reading = ISODate.read(value)
            switch reading {
            case .day(let day): dates[field] = DueDate(day: day)
            case .time:
                dates[field] = ISODate.moment(reading, zone: zone).map(DueDate.init(moment:))
            case .impossible(let why):
                throw OutlineRefusal(message: "“\(ShortID.shown(text))” is not a date: \(why)")
            case .none:
                others.append(text)
                return
            }
        }
        fields[field] = (text, value)
    }

    // MARK: Notes

    /// The lines below, without the blanks with which all of them begin.
    private static func notes(_ lines: ArraySlice<Substring.UTF8View>) -> String {
        var least = Int.max
        for line in lines {
            let (indent, rest) = MarkdownLine.indent(line)
            if !rest.isEmpty { least = min(least, indent) }
        }
        return lines.map { line in
            let (indent, rest) = MarkdownLine.indent(line)
            if rest.isEmpty { return "" }
            let text = unescaped(String(Substring(rest)))
            // Tabs behind the margin are the text's own.
            let own = line.dropLast(line.distance(from: rest.startIndex, to: line.endIndex))
            let tabs = own.reversed().prefix { $0 == 9 }.count
            let isExact = MarkdownLine.indent(own.dropLast(tabs)).0 == least && tabs > 0
            return
                (isExact
                ? String(repeating: "\t", count: tabs)
                : String(repeating: " ", count: indent - least)) + text
        }.joined(separator: "\n")
    }

    /// Whether a line of notes would be read as an item, or as the beginning of code.
    private static func isSpecial(_ line: Substring) -> Bool {
        var scanner = MarkdownLine.Scanner()
        switch scanner.next(line.utf8, inner: 0).kind {
        case .item, .code: return true
        default: return false
        }
    }

    private static func unescaped(_ line: String) -> String {
        let isEscaped = line.hasPrefix("\\") && isSpecial(line.drop { $0 == "\\" })
        return isEscaped ? String(line.dropFirst()) : line
    }

    /// Lines for notes, with a backslash before what would be read as something else.
    static func escaped(_ notes: String) -> [String] {
        var lines: [String] = []
        var scanner = MarkdownLine.Scanner()
        var fence = 0
        for line in notes.split(separator: "\n", omittingEmptySubsequences: false) {
            let wasInFence = scanner.isInFence
            let kind = scanner.next(line.utf8, inner: 0).kind
            if !wasInFence, scanner.isInFence { fence = lines.count }
            var isOpen = false
            if case .item = kind { isOpen = true }
            let text = line.drop { $0 == " " }
            if isOpen
                || (!wasInFence && text.hasPrefix("\\") && isSpecial(text.drop { $0 == "\\" }))
            {
                lines.append(String(line.prefix(line.count - text.count)) + "\\" + text)
            } else {
                lines.append(String(line))
            }
        }
        guard scanner.isInFence else { return lines }
        // Code without an end would take the tasks that follow.
        let line = lines[fence]
        let text = line.drop { $0 == " " }
        lines[fence] = String(line.prefix(line.count - text.count)) + "\\" + text
        return lines.prefix(fence + 1) + escaped(lines[(fence + 1)...].joined(separator: "\n"))
    }
}
