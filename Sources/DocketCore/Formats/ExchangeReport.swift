/// What became of every item of an import or export: kept, changed, or skipped and why.
package struct ExchangeReport: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// The line of an import; for an export the item's place in it, counted from 1.
        package var line: Int
        /// Empty when the item could not be read.
        package var title: String
        package var reason: String

        package init(line: Int, title: String, reason: String) {
            self.line = line
            self.title = title
            self.reason = reason
        }
    }

    /// Items taken over, the changed ones included.
    package private(set) var kept = 0
    /// One entry for each remark on an item that was taken over.
    package private(set) var changed: [Entry] = []
    package private(set) var skipped: [Entry] = []
    /// Items that were there and got other values from the file; the reason names the fields.
    package private(set) var updated: [Entry] = []
    /// Items that were there and were left as they are, although the file has other values.
    package private(set) var left: [Entry] = []

    package init() {}

    /// Notes that something of an item that is taken over is not as the file says.
    package mutating func remark(line: Int, title: String, _ remark: String) {
        changed.append(Entry(line: line, title: title, reason: remark))
    }

    package mutating func update(line: Int, title: String, fields: [String]) {
        let names = fields.joined(separator: ", ")
        updated.append(Entry(line: line, title: title, reason: "\(names)."))
    }

    /// Notes that an item is left as it is; `why` is the sentence to which the fields are added.
    package mutating func leave(line: Int, title: String, why: String, fields: [String]) {
        let names = fields.joined(separator: ", ")
        left.append(Entry(line: line, title: title, reason: "\(why): \(names)."))
    }

    /// Whether there is anything to tell besides how many items there were.
    package var hasDetails: Bool {
        !(changed.isEmpty && skipped.isEmpty && updated.isEmpty && left.isEmpty)
    }

    package mutating func keep(line: Int, title: String, remarks: [String]) {
        kept += 1
        for remark in remarks {
            changed.append(Entry(line: line, title: title, reason: remark))
        }
    }

    package mutating func skip(line: Int, title: String = "", reason: String) {
        skipped.append(Entry(line: line, title: title, reason: reason))
    }

    package mutating func note(_ event: ImportEvent) {
        switch event {
        case .record(let imported):
            keep(line: imported.line, title: imported.record.title, remarks: imported.remarks)
        case .failure(let problem):
            skip(line: problem.line, reason: problem.message)
        }
    }

    /// Whether every item was readable.
    ///
    /// By default an import that is not complete changes
    /// nothing; the user may choose to import the rest.
    package var isComplete: Bool { skipped.isEmpty }

    /// Line by line, what was skipped, changed, updated and left as it is; at most `limit` of each.
    package func details(limit: Int = 20) -> String {
        var lines: [String] = []
        for (name, entries) in [
            ("skipped", skipped), ("changed", changed), ("updated", updated),
            ("not updated", left),
        ] {
            for entry in entries.prefix(limit) {
                let title = entry.title.isEmpty ? "" : " “\(ExchangeReport.short(entry.title))”"
                lines.append("line \(entry.line), \(name)\(title): \(entry.reason)")
            }
            if entries.count > limit { lines.append("… and \(entries.count - limit) more \(name)") }
        }
        return lines.joined(separator: "\n")
    }

    private static func short(_ title: String) -> String {
        title.count > 40 ? title.prefix(40) + "…" : title
    }
}
