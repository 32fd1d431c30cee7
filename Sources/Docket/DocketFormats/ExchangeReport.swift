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

    /// The entries of one kind; those beyond ``limit`` are only counted.
    package struct Entries: Hashable, Sendable, RandomAccessCollection {
        package static let limit = 100_000

        private var listed: [Entry] = []
        /// How many there are.
        package private(set) var total = 0

        package var startIndex: Int { listed.startIndex }
        package var endIndex: Int { listed.endIndex }
        package subscript(place: Int) -> Entry { listed[place] }

        fileprivate mutating func add(_ line: Int, _ title: String, _ reason: String) {
            total += 1
            if listed.count == Entries.limit { return }
            listed.append(Entry(line: line, title: title, reason: reason))
        }
    }

    /// The number of imported or exported items, the changed ones included.
    package private(set) var kept = 0
    /// One entry for each remark on such an item.
    package private(set) var changed = Entries()
    package private(set) var skipped = Entries()
    /// Items of the library that got other values from the file; the reason names the fields.
    package private(set) var updated = Entries()
    /// Items of the library that were not changed, although the file has other values.
    package private(set) var left = Entries()

    package init() {}

    /// Adds a remark: a part of an imported item is not as in the file.
    package mutating func remark(line: Int, title: String, _ remark: String) {
        changed.add(line, title, remark)
    }

    package mutating func update(line: Int, title: String, fields: [String]) {
        updated.add(line, title, "\(fields.joined(separator: ", ")).")
    }

    /// Adds an item that is not changed; `why` is the sentence to which the fields are added.
    package mutating func leave(line: Int, title: String, why: String, fields: [String]) {
        left.add(line, title, "\(why): \(fields.joined(separator: ", ")).")
    }

    /// Whether there is more to report than the number of items.
    package var hasDetails: Bool {
        !(changed.isEmpty && skipped.isEmpty && updated.isEmpty && left.isEmpty)
    }

    package mutating func keep(line: Int, title: String, remarks: [String]) {
        kept += 1
        for text in remarks { remark(line: line, title: title, text) }
    }

    /// Counts items that were kept.
    package mutating func keep(_ count: Int) { kept += count }

    package mutating func skip(line: Int, title: String = "", reason: String) {
        skipped.add(line, title, reason)
    }

    package mutating func note(_ event: ImportEvent) {
        switch event {
        case .record(let imported):
            keep(line: imported.line, title: imported.record.title, remarks: imported.remarks)
        case .smartList: break
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
            let listed = Swift.min(limit, entries.count)
            if entries.total > listed {
                lines.append("… and \(entries.total - listed) more \(name)")
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func short(_ title: String) -> String {
        title.count > 40 ? title.prefix(40) + "…" : title
    }
}
