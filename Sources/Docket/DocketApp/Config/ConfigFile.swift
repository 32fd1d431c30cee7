/// A configuration file in the part of TOML that settings need: tables, strings, whole numbers,
/// booleans, arrays of strings, comments.
///
/// A complete TOML library would add C++ and, through Foundation, ICU to the program. A line that
/// cannot be read is a problem with its number; the other lines are used.
struct ConfigFile {
    enum Entry: Equatable {
        case string(String)
        case integer(Int)
        case boolean(Bool)
        case strings([String])
    }

    struct Line {
        var number: Int
        var table: String
        var key: String
        var entry: Entry
    }

    /// Editors of other systems write it at the start of a file.
    private static let byteOrderMark: Character = "\u{FEFF}"

    private(set) var lines: [Line] = []
    /// The lines that cannot be read, each with a sentence.
    private(set) var problems: [(line: Int, sentence: String)] = []

    init(_ text: String, name: String) {
        var table = ""
        var known: [String: Int] = [:]
        // A line end of two characters, as other systems write it, is one `Character`.
        let rows = text.drop { $0 == ConfigFile.byteOrderMark }
            .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, raw) in rows.enumerated() {
            var reader = ConfigLine(raw)
            do throws(ConfigLine.Problem) {
                switch try reader.read() {
                case .nothing: break
                case .table(let name): table = name
                case .entry(let key, let entry):
                    if let first = known.updateValue(index + 1, forKey: "\(table)\n\(key)") {
                        known["\(table)\n\(key)"] = first
                        throw ConfigLine.Problem(
                            message: "\"\(ConfigLine.shown(key[...]))\" is in line \(first)"
                                + " already, which counts."
                        )
                    }
                    lines.append(Line(number: index + 1, table: table, key: key, entry: entry))
                }
            } catch {
                problems.append((index + 1, "\(name), line \(index + 1): \(error.message)"))
            }
        }
    }
}

extension ConfigFile {
    /// A file with one value changed: in the line of its key, else in a new line at the end of its
    /// table, with `left` as its key.
    static func text(
        _ text: String,
        setting key: String,
        _ left: String,
        in table: String,
        to value: String
    ) -> String {
        let mark = text.first == byteOrderMark ? String(byteOrderMark) : ""
        // At single bytes, so that each line keeps its end.
        var rows = text.dropFirst(mark.count).utf8
            .split(separator: 10, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let line = "\(left) = \(value)"
        let file = ConfigFile(text, name: "")
        if let number = file.lines.first(where: { $0.table == table && $0.key == key })?.number {
            let around = ConfigLine.aroundValue(rows[number - 1])
            rows[number - 1] = around.map { $0.before + value + $0.after } ?? line
        } else if let place = placeForLine(of: table, in: rows) {
            rows.insert(line, at: place)
        } else {
            if rows.last == "" { rows.removeLast() }
            rows += (rows.isEmpty ? [] : [""]) + ["[\(table)]", line]
        }
        if rows.last != "" { rows.append("") }
        return mark + rows.joined(separator: "\n")
    }

    /// The index of a row after the last entry of a table; `nil` if the table is missing.
    private static func placeForLine(of table: String, in rows: [String]) -> Int? {
        var current = ""
        var place = table.isEmpty ? 0 : nil
        for (index, row) in rows.enumerated() {
            var line = ConfigLine(row[...])
            switch try? line.read() {
            case .table(let name):
                current = name
                if name == table { place = index + 1 }
            case .entry where current == table: place = index + 1
            default: break
            }
        }
        return place
    }
}

/// Reads one line of a configuration file.
struct ConfigLine {
    struct Problem: Error {
        var message: String
    }

    enum Meaning {
        case nothing
        case table(String)
        case entry(String, ConfigFile.Entry)
    }

    private var rest: Substring

    /// A part of a line for a message, at most 40 characters.
    static func shown(_ text: Substring) -> String {
        text.dropFirst(40).isEmpty ? String(text) : text.prefix(40) + "…"
    }

    init(_ line: Substring) { rest = line }

    mutating func read() throws(Problem) -> Meaning {
        skipBlanks()
        if atEnd { return .nothing }
        if rest.first == "[" {
            rest.removeFirst()
            let name = try key()
            try expect("]")
            try end()
            return .table(name)
        }
        let name = try key()
        try expect("=")
        let entry = try value()
        try end()
        return .entry(name, entry)
    }

    /// The parts of a line before and after its value.
    static func aroundValue(_ row: String) -> (before: Substring, after: Substring)? {
        var line = ConfigLine(row[...])
        guard (try? line.key()) != nil, (try? line.expect("=")) != nil else { return nil }
        let start = line.rest.startIndex
        guard (try? line.value()) != nil else { return nil }
        return (row[..<start], line.rest)
    }

    private var atEnd: Bool { rest.isEmpty || rest.first == "#" || rest.first == "\r" }

    private mutating func skipBlanks() { rest = rest.drop { $0 == " " || $0 == "\t" } }

    private mutating func expect(_ sign: Character) throws(Problem) {
        skipBlanks()
        guard rest.first == sign else { throw Problem(message: "a \"\(sign)\" is missing.") }
        rest.removeFirst()
        skipBlanks()
    }

    private mutating func end() throws(Problem) {
        skipBlanks()
        if atEnd { return }
        throw Problem(message: "\"\(ConfigLine.shown(rest))\" is unexpected here.")
    }

    /// A key: bare, dotted or quoted.
    private mutating func key() throws(Problem) -> String {
        skipBlanks()
        if rest.first == "\"" || rest.first == "'" { return try string() }
        let name = rest.prefix {
            $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "."
        }
        guard !name.isEmpty else { throw Problem(message: "a name is missing.") }
        rest = rest.dropFirst(name.count)
        return String(name)
    }

    private mutating func value() throws(Problem) -> ConfigFile.Entry {
        switch rest.first {
        case "\"", "'": return .string(try string())
        case "[": return .strings(try array())
        default:
            let word = rest.prefix { $0 != " " && $0 != "#" && $0 != "\t" && $0 != "\r" }
            rest = rest.dropFirst(word.count)
            if word == "true" { return .boolean(true) }
            if word == "false" { return .boolean(false) }
            if let number = Int(word.filter { $0 != "_" }) { return .integer(number) }
            if word.isEmpty { throw Problem(message: "a value is missing.") }
            let shown = ConfigLine.shown(word)
            throw Problem(
                message: "\"\(shown)\" is not a value; write texts in quotes, like \"\(shown)\"."
            )
        }
    }

    private mutating func array() throws(Problem) -> [String] {
        rest.removeFirst()
        var texts: [String] = []
        while true {
            skipBlanks()
            if rest.first == "]" {
                rest.removeFirst()
                return texts
            }
            texts.append(try string())
            skipBlanks()
            if rest.first == "," {
                rest.removeFirst()
            } else if rest.first != "]" {
                throw Problem(message: "a \"]\" is missing.")
            }
        }
    }

    private mutating func string() throws(Problem) -> String {
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
            throw Problem(message: "a text in quotes is missing.")
        }
        rest.removeFirst()
        var text = ""
        while let sign = rest.first {
            rest.removeFirst()
            if sign == quote { return text }
            if sign == "\\", quote == "\"" {
                text.append(try escaped())
            } else {
                text.append(sign)
            }
        }
        throw Problem(message: "a closing quote is missing.")
    }

    private mutating func escaped() throws(Problem) -> Character {
        guard let sign = rest.first else { throw Problem(message: "a closing quote is missing.") }
        rest.removeFirst()
        switch sign {
        case "n": return "\n"
        case "t": return "\t"
        case "\"", "\\": return sign
        case "u", "U":
            let digits = rest.prefix(sign == "u" ? 4 : 8)
            guard let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else {
                throw Problem(message: "\\\(sign)\(digits) is not a character.")
            }
            rest = rest.dropFirst(digits.count)
            return Character(scalar)
        default: throw Problem(message: "\\\(sign) is not an escape; write \\\\ for a backslash.")
        }
    }
}
