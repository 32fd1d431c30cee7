import CivilTime
import FoundationEssentials

/// Annotations as lines of notes, and the reverse.
///
/// An annotation becomes the line `[2026-11-22 09:00] text`, in local time; further lines of its
/// text are indented by four spaces. In the reverse direction:
///
/// 1. a line with the text of a kept annotation is that annotation, to the second;
/// 2. another line that begins with a stamp is an annotation of that minute;
/// 3. every other line that is not blank is an annotation of the item's last change, each a second
///    later than the one before, because Taskwarrior distinguishes annotations by their time.
struct TaskwarriorNotes {
    public let zone: ZoneRules

    private struct Note {
        var entry: Date?
        var text: String
    }

    /// The lines for an `annotations` value; `nil` if it is not one.
    public func text(of value: JSONValue) -> String? {
        guard case .array(let elements) = value else { return nil }
        var lines: [String] = []
        for element in elements {
            guard let note = note(element) else { return nil }
            let body =
                CaptureText.isClean(note.text, lines: false)
                ? note.text
                : CaptureText.cleanText(note.text)
                    .split(separator: "\n", omittingEmptySubsequences: false)
                    .joined(separator: "\n    ")
            lines.append("[\(note.entry.map(stamp) ?? "")] \(body)")
        }
        return lines.joined(separator: "\n")
    }

    private func note(_ element: JSONValue) -> Note? {
        guard case .object(let members) = element, let entry = members["entry"]?.string,
            let text = members["description"]?.string,
            let moment = ISODate.moment(entry, zone: zone)
        else { return nil }
        return Note(entry: moment, text: text)
    }

    private func stamp(_ date: Date) -> String {
        let (day, second) = zone.local(date)
        let clock = DateFormat.clock(second)
        return "\(ISODate.string(day)) \(clock.utf8.count < 5 ? "0" : "")\(clock)"
    }

    /// The `annotations` value for notes.
    ///
    /// - Parameters:
    ///   - notes: The present notes of the item.
    ///   - kept: The value they were read from, if any.
    ///   - modified: The time for annotations without one.
    /// - Returns: `nil` for notes without text.
    public func annotations(_ notes: String, kept: JSONValue?, modified: Date) -> JSONValue? {
        if let kept, text(of: kept) == notes { return kept }
        var unused: [(text: String, value: JSONValue)] = []
        if case .array(let elements) = kept {
            unused = elements.compactMap { element in
                note(element).map { (CaptureText.cleanText($0.text), element) }
            }
        }
        var taken: Set<Int> = []
        let values: [JSONValue] = split(notes).map { note in
            if let index = unused.firstIndex(where: { $0.text == note.text }) {
                let value = unused.remove(at: index).value
                if let entry = self.note(value)?.entry { taken.insert(seconds(entry)) }
                return value
            }
            var moment = seconds(max(note.entry ?? modified, TaskwarriorRules.earliest))
            while !taken.insert(moment).inserted { moment += 1 }
            let entry = ISODate.basicString(Date(timeIntervalSince1970: Double(moment)))
            return .object([
                JSONMember("entry", .string(entry)),
                JSONMember("description", .string(note.text)),
            ])
        }
        return values.isEmpty ? nil : .array(values)
    }

    private func seconds(_ date: Date) -> Int {
        Int(max(-1e11, min(3e11, date.timeIntervalSince1970.rounded(.down))))
    }

    private func split(_ notes: String) -> [Note] {
        var result: [Note] = []
        for line in CaptureText.cleanText(notes).split(separator: "\n") {
            if let last = result.indices.last, result[last].entry != nil, line.hasPrefix("    ") {
                result[last].text += "\n" + line.dropFirst(4)
            } else if let note = stamped(line) {
                result.append(note)
            } else if line.utf8.contains(where: { $0 != 32 }) {
                result.append(Note(entry: nil, text: String(line)))
            }
        }
        return result
    }

    /// `[2026-11-22 09:00] text`.
    private func stamped(_ line: Substring) -> Note? {
        let bytes = line.utf8
        guard bytes.first == UInt8(ascii: "["), bytes.count > 18,
            let close = bytes.prefix(19).firstIndex(of: UInt8(ascii: "]")),
            bytes[bytes.index(after: close)...].first == UInt8(ascii: " ")
        else { return nil }
        var stamp = String(bytes[..<close].dropFirst()) ?? ""
        // Earlier versions wrote hours like 001.
        if stamp.utf8.count == 17, stamp.dropFirst(11).hasPrefix("00") {
            stamp.remove(at: stamp.index(stamp.startIndex, offsetBy: 11))
        }
        guard stamp.utf8.count == 16, let moment = ISODate.moment(stamp, zone: zone) else {
            return nil
        }
        return Note(
            entry: moment,
            text: String(line[bytes.index(close, offsetBy: 2)...])
        )
    }
}
