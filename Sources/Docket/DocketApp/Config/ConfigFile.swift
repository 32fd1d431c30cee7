import Phrases
import TerminalUI

/// A configuration file in the part of TOML that settings need: tables, strings, whole numbers,
/// booleans, arrays of strings, comments.
///
/// A complete TOML library would add C++ and, through Foundation, ICU to the program. A line that
/// cannot be read is a problem with its number; the other lines are used.
public struct ConfigFile {
    /// A value.
    public enum Entry: Equatable, Sendable {
        case string(String)
        case integer(Int)
        case boolean(Bool)
        case strings([String])
    }

    struct Line {
        var number: Int
        /// Where its key and its value begin, in characters from 1.
        var columns: (key: Int, value: Int)
        var table: String
        var key: String
        var entry: Entry
    }

    /// What is wrong with a line.
    struct Problem {
        var line: Int
        /// Where it is, in characters from 1.
        var column: Int
        /// A sentence.
        var message: String
        /// Whether the line cannot be read at all, so that nothing is known of what follows.
        var isUnreadable = false
    }

    /// Editors of other systems write it at the start of a file.
    private static let byteOrderMark: Character = "\u{FEFF}"

    private(set) var lines: [Line] = []
    /// The lines that cannot be used.
    private(set) var problems: [Problem] = []

    init(_ text: String) {
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
                    let columns = (key: reader.keyColumn, value: reader.valueColumn)
                    if let first = known["\(table)\n\(key)"] {
                        let shown = ConfigLine.shown(key[...])
                        let message = localized(
                            "\"\(shown)\" is in line \(first) already, which counts."
                        )
                        problems.append(
                            Problem(line: index + 1, column: columns.key, message: message)
                        )
                        continue
                    }
                    known["\(table)\n\(key)"] = index + 1
                    lines.append(
                        Line(
                            number: index + 1,
                            columns: columns,
                            table: table,
                            key: key,
                            entry: entry
                        )
                    )
                }
            } catch {
                problems.append(
                    Problem(
                        line: index + 1,
                        column: reader.column,
                        message: error.message,
                        isUnreadable: true
                    )
                )
            }
        }
    }
}

extension ConfigFile {
    /// A file with one value changed: in the line of its key, else in a new line at the end of its
    /// table.
    ///
    /// - Parameters:
    ///   - text: the file.
    ///   - key: the key, as it is read.
    ///   - table: its table; empty for the beginning of the file.
    ///   - value: as the file writes it; `nil` takes the line out, and leaves its comment.
    /// - Returns: the file, with everything else as it was.
    static func text(
        _ text: String,
        setting key: String,
        in table: String,
        to value: String?
    ) -> String {
        let mark = text.first == byteOrderMark ? String(byteOrderMark) : ""
        // At single bytes, so that each line keeps its end.
        var rows = text.dropFirst(mark.count).utf8
            .split(separator: 10, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let line = "\(left(key)) = \(value ?? "")"
        let known = ConfigFile(text).lines.first { $0.table == table && $0.key == key }
        if value == nil, known == nil { return text }
        if let number = known?.number {
            let around = ConfigLine.aroundValue(rows[number - 1])
            if let value {
                rows[number - 1] = around.map { $0.before + value + $0.after } ?? line
            } else if let comment = around?.after.drop(while: { $0 == " " || $0 == "\t" }),
                comment.first == "#"
            {
                rows[number - 1] = String(comment)
            } else {
                rows.remove(at: number - 1)
            }
        } else if let place = placeForLine(of: table, in: rows) {
            rows.insert(line, at: place)
        } else {
            if rows.last == "" { rows.removeLast() }
            rows += (rows.isEmpty ? [] : [""]) + ["[\(table)]", line]
        }
        if rows.last != "", !rows.isEmpty { rows.append("") }
        let changed = mark + rows.joined(separator: "\n")
        // Without its first line, another one of the same name would count.
        return value == nil ? self.text(changed, setting: key, in: table, to: nil) : changed
    }

    /// A key as the file writes it.
    static func left(_ key: String) -> String {
        let isBare = !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
        return isBare ? key : Entry.quoted(key)
    }

    /// The index of a row after the last entry of a table; `nil` if the table is missing.
    private static func placeForLine(of table: String, in rows: [String]) -> Int? {
        var current = ""
        // What a file says about itself stays at its head.
        var place = table.isEmpty ? rows.prefix { $0.hasPrefix("#") }.count : nil
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

extension ConfigFile.Entry {
    /// The value as the file writes it.
    public var text: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .integer(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .strings(let texts): "[\(texts.map(Self.quoted).joined(separator: ", "))]"
        }
    }

    /// The value as people and scripts read it: a text without quotes, several with blanks between.
    public var plain: String {
        switch self {
        case .string(let text): text
        case .strings(let texts): texts.joined(separator: ", ")
        case .integer, .boolean: text
        }
    }

    /// The value as the screen shows it, in one line.
    var words: String {
        if case .boolean(let flag) = self { return flag ? localized("yes") : localized("no") }
        return DisplayWidth.singleLine(plain)
    }

    /// A value from what somebody has typed: as the file writes it, else a text without quotes.
    ///
    /// - Parameter typed: the text, of one line.
    /// - Returns: what it may mean, what is more likely first.
    static func candidates(_ typed: String) -> [Self] {
        if typed.contains(where: \.isNewline) { return [.string(typed)] }
        var line = ConfigLine("x = \(typed)"[...])
        guard case .entry(_, let entry)? = try? line.read() else { return [.string(typed)] }
        return [entry, .string(typed)]
    }

    /// A text in quotes.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            default:
                if scalar.value < 32 || scalar.value == 127 {
                    quoted += "\\u00\(ColorName.hex(UInt8(scalar.value)))"
                } else {
                    quoted.unicodeScalars.append(scalar)
                }
            }
        }
        return quoted + "\""
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

    private let line: Substring
    private var rest: Substring
    /// Where the key and the value that were read begin, in characters from 1.
    private(set) var keyColumn = 1
    private(set) var valueColumn = 1
    /// Where reading stopped.
    var column: Int { line.distance(from: line.startIndex, to: rest.startIndex) + 1 }

    /// A part of a line for a message, at most 40 characters.
    static func shown(_ text: Substring) -> String {
        text.dropFirst(40).isEmpty ? String(text) : text.prefix(40) + "…"
    }

    init(_ line: Substring) {
        self.line = line
        rest = line
    }

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
        keyColumn = column
        let name = try key()
        try expect("=")
        valueColumn = column
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
        guard rest.first == sign else {
            throw Problem(message: localized("a \"\(sign)\" is missing."))
        }
        rest.removeFirst()
        skipBlanks()
    }

    private mutating func end() throws(Problem) {
        skipBlanks()
        if atEnd { return }
        throw Problem(message: localized("\"\(ConfigLine.shown(rest))\" is unexpected here."))
    }

    /// A key: bare, dotted or quoted.
    private mutating func key() throws(Problem) -> String {
        skipBlanks()
        if rest.first == "\"" || rest.first == "'" { return try string() }
        let name = rest.prefix {
            $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "."
        }
        guard !name.isEmpty else { throw Problem(message: localized("a name is missing.")) }
        rest = rest.dropFirst(name.count)
        return String(name)
    }

    private mutating func value() throws(Problem) -> ConfigFile.Entry {
        switch rest.first {
        case "\"", "'": return .string(try string())
        case "[": return .strings(try array())
        default:
            let word = rest.prefix { $0 != " " && $0 != "#" && $0 != "\t" && $0 != "\r" }
            let flags = ["true": true, "false": false]
            let entry =
                flags[String(word)].map { ConfigFile.Entry.boolean($0) }
                ?? Int(word.filter { $0 != "_" }).map { .integer($0) }
            if let entry {
                rest = rest.dropFirst(word.count)
                return entry
            }
            if word.isEmpty { throw Problem(message: localized("a value is missing.")) }
            let shown = ConfigLine.shown(word)
            throw Problem(
                message: localized(
                    "\"\(shown)\" is not a value; write texts in quotes, like \"\(shown)\"."
                )
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
                throw Problem(message: localized("a \"]\" is missing."))
            }
        }
    }

    private mutating func string() throws(Problem) -> String {
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
            throw Problem(message: localized("a text in quotes is missing."))
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
        throw Problem(message: localized("a closing quote is missing."))
    }

    private mutating func escaped() throws(Problem) -> Character {
        guard let sign = rest.first else {
            throw Problem(message: localized("a closing quote is missing."))
        }
        rest.removeFirst()
        switch sign {
        case "n": return "\n"
        case "t": return "\t"
        case "\"", "\\": return sign
        case "u", "U":
            let digits = rest.prefix(sign == "u" ? 4 : 8)
            guard let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else {
                throw Problem(message: localized("\\\(sign)\(digits) is not a character."))
            }
            rest = rest.dropFirst(digits.count)
            return Character(scalar)
        default:
            throw Problem(
                message: localized("\\\(sign) is not an escape; write \\\\ for a backslash.")
            )
        }
    }
}
