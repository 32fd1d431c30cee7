/// The result for every item of an import or export: kept, changed, or skipped with the reason.
package struct ExchangeReport: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// The line of an import; for an export the item's place in it, counted from 1.
        package var line: Int
        /// Empty if the item could not be read.
        package var title: String
        package var reason: String

        package init(line: Int, title: String, reason: String) {
            self.line = line
            self.title = title
            self.reason = reason
        }
    }

    /// The number of imported or exported items, the changed ones included.
    package private(set) var kept = 0
    /// One entry for each remark on such an item.
    package private(set) var changed: [Entry] = []
    package private(set) var skipped: [Entry] = []
    /// Items of the library that got other values from the file; the reason names the fields.
    package private(set) var updated: [Entry] = []
    /// Items of the library that were not changed, although the file has other values.
    package private(set) var left: [Entry] = []

    package init() {}

    /// Adds a remark: a part of an imported item is not as in the file.
    package mutating func remark(line: Int, title: String, _ remark: String) {
        changed.append(Entry(line: line, title: title, reason: remark))
    }

    package mutating func update(line: Int, title: String, fields: [String]) {
        let names = fields.joined(separator: ", ")
        updated.append(Entry(line: line, title: title, reason: "\(names)."))
    }

    /// Adds an item that is not changed; `why` is the sentence to which the fields are added.
    package mutating func leave(line: Int, title: String, why: String, fields: [String]) {
        let names = fields.joined(separator: ", ")
        left.append(Entry(line: line, title: title, reason: "\(why): \(names)."))
    }

    /// Whether there is more to report than the number of items.
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
    /// By default an import that is not complete changes nothing; the user may choose to import the
    /// rest.
    package var isComplete: Bool { skipped.isEmpty }

    /// The lines of skipped, changed, updated and unchanged items; at most `limit` of each.
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
