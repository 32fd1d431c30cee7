import ObjectGraph

/// The lists of Google Tasks, as Google's export has them (`Tasks.json` of Takeout), as a table.
///
/// The document is one object: `items` has the lists, and those have their tasks in `items`. A task's
/// `due` is a day, although it is written as a moment. What no column of ``CSVColumn`` is for becomes
/// a column of its own; what is deleted there is left out.
enum GoogleTasks {
    static func recognises(_ beginning: String) -> Bool {
        beginning.hasPrefix("{") && beginning.prefix(200).contains("\"tasks#taskLists\"")
    }

    /// The table of a document, which is read as a whole.
    ///
    /// - Throws: what is wrong with it.
    static func table(_ source: ByteSource) throws(ImportProblem) -> [UInt8] {
        var scanner = JSONScanner(source)
        let document: JSONValue
        do throws(JSONScanner.Problem) {
            document = try scanner.value()
            scanner.skipSpace()
            if !scanner.isAtEnd { throw scanner.problem("there is more text after the closing }") }
        } catch {
            let line = scanner.line(at: error.offset)
            let place = "column \(scanner.column(at: error.offset)), \(error.message)"
            throw ImportProblem(line: line, message: "This is not valid JSON: at \(place).")
        }
        if scanner.isNotUTF8 { throw .notUTF8(line: 1) }
        var names = ["list", "title"]
        var rows: [[String: String]] = []
        for list in items(of: document) {
            let title = list["title"]?.string ?? ""
            for task in items(of: .object(list)) where task["deleted"] != .bool(true) {
                var row = ["list": ListPath.string([CaptureText.cleanLine(title)])]
                for member in task
                where !unused.contains(member.name) && member.value != .null {
                    row[member.name] = text(member.value)
                    if !names.contains(member.name) { names.append(member.name) }
                }
                if let day = row["due"]?.prefix(10) { row["due"] = String(day) }
                // A line that was begun there and has no words yet.
                if row["title"]?.trimmingSpace.isEmpty ?? true {
                    guard let words = row["notes"]?.split(whereSeparator: \.isNewline).first else {
                        continue
                    }
                    row["title"] = String(words)
                }
                rows.append(row)
            }
        }
        let lines = [names] + rows.map { row in names.map { row[$0] ?? "" } }
        return lines.flatMap { $0.map(CSVWriter.quoted).joined(separator: ",").utf8 + [10] }
    }

    /// What says nothing of the task.
    private static let unused: Set = ["kind", "etag", "selfLink", "position", "deleted"]

    private static func items(of value: JSONValue) -> [[JSONMember]] {
        guard case .object(let members) = value, case .array(let items)? = members["items"] else {
            return []
        }
        return items.compactMap { item in
            if case .object(let members) = item { members } else { nil }
        }
    }

    private static func text(_ value: JSONValue) -> String {
        if let text = value.string { return text }
        var bytes: [UInt8] = []
        JSONText.append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
