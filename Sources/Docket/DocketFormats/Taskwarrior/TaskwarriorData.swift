import CivilTime
import FoundationEssentials

/// The data files of Taskwarrior 2 (`pending.data`, `completed.data`), read as lines of its JSON.
///
/// A line is `[name:"value" name:"value"]`. In values, brackets are `&open;` and `&close;`, other
/// signs are escaped as in JSON; times are seconds since 1970. A line that is none stays as it is,
/// so that the reader of JSON refuses it in its place.
enum TaskwarriorData {
    private static let times: Set<String> = [
        "entry", "modified", "due", "start", "end", "wait", "scheduled", "until",
    ]
    private static let signs: [(name: String, sign: String)] = [
        ("&open;", "["), ("&close;", "]"), ("&dquot;", "\\\""),
    ]

    /// Whether a document begins like a data file.
    static func isAtStart(of text: String) -> Bool {
        guard text.hasPrefix("[") else { return false }
        let rest = text.dropFirst().drop { $0.isASCII && ($0.isLetter || $0 == "_") }
        return rest.hasPrefix(":\"") && text.dropFirst().first != ":"
    }

    /// A data file as JSON, one object a line.
    static func json(_ source: ByteSource) -> ByteSource {
        ByteSource {
            source.rewind()
            var window = ByteWindow(source)
            var at = 0
            return {
                var part: [UInt8] = []
                while part.count < ByteSource.usualPartSize, window.has(at) {
                    at -= window.discard(before: at)
                    let end = window.lineEnd(from: at)
                    append(window.bytes[at..<end], to: &part)
                    part.append(10)
                    at = end + 1
                    if window.isOverfull { window.skipLine(&at) }
                }
                return part.isEmpty ? nil : part
            }
        }
    }

    private static func append(_ line: ArraySlice<UInt8>, to part: inout [UInt8]) {
        let start = part.count
        var annotations: [(entry: String, text: ArraySlice<UInt8>)] = []
        var rest = line.drop { $0 == 32 }
        func refuse() {
            part.removeSubrange(start...)
            part += line
        }
        guard rest.popFirst() == UInt8(ascii: "[") else { return refuse() }
        part.append(UInt8(ascii: "{"))
        while let first = rest.first, first != UInt8(ascii: "]") {
            guard let colon = rest.firstIndex(of: UInt8(ascii: ":")),
                rest[(colon + 1)...].first == UInt8(ascii: "\""),
                let end = valueEnd(rest[(colon + 2)...])
            else { return refuse() }
            let name = String(decoding: rest[..<colon], as: UTF8.self)
            let value = rest[(colon + 2)..<end]
            rest = rest[(end + 1)...].drop { $0 == 32 }
            if name.hasPrefix("annotation_"), let entry = time(name.dropFirst(11)) {
                annotations.append((entry, value))
                continue
            }
            part += "\"\(name)\":".utf8
            if name == "tags" {
                let tags = value.split(separator: UInt8(ascii: ",")).map { text($0) }
                part += "[\(tags.joined(separator: ","))],".utf8
            } else if times.contains(name), let time = time(Substring(decoding: value)) {
                part += "\"\(time)\",".utf8
            } else {
                part += "\(text(value)),".utf8
            }
        }
        guard rest.first == UInt8(ascii: "]") else { return refuse() }
        let notes = annotations.sorted { $0.entry < $1.entry }.map {
            "{\"entry\":\"\($0.entry)\",\"description\":\(text($0.text))}"
        }
        if !notes.isEmpty { part += "\"annotations\":[\(notes.joined(separator: ","))]".utf8 }
        if part.last == UInt8(ascii: ",") { part.removeLast() }
        part.append(UInt8(ascii: "}"))
    }

    /// Where the quotation mark is that ends a value.
    private static func valueEnd(_ value: ArraySlice<UInt8>) -> Int? {
        var at = value.startIndex
        while at < value.endIndex {
            if value[at] == UInt8(ascii: "\"") { return at }
            at += value[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private static func time(_ seconds: Substring) -> String? {
        Int(seconds).map { ISODate.basicString(Date(timeIntervalSince1970: Double($0))) }
    }

    /// A value as a text of JSON.
    private static func text(_ value: ArraySlice<UInt8>) -> String {
        var text = String(decoding: value, as: UTF8.self)
        if text.contains("&") {
            for (name, sign) in signs { text = text.replacing(name, with: sign) }
        }
        return "\"\(text.replacing("\t", with: "\\t"))\""
    }
}

extension Substring {
    fileprivate init(decoding bytes: ArraySlice<UInt8>) {
        self = String(decoding: bytes, as: UTF8.self)[...]
    }
}
