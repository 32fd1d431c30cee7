/// The result for every item of an import or export: kept, changed, or skipped with the reason.
public struct ExchangeReport: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        /// The line of an import; for an export the item's place in it, counted from 1.
        public var line: Int
        /// Empty if the item could not be read.
        public var title: String
        public var reason: String

        public init(line: Int, title: String, reason: String) {
            self.line = line
            self.title = title
            self.reason = reason
        }
    }

    /// The entries of one kind; those beyond ``limit`` are only counted.
    public struct Entries: Hashable, Sendable, RandomAccessCollection {
        public static let limit = 100_000

        private var listed: [Entry] = []
        /// How many there are.
        public private(set) var total = 0

        public var startIndex: Int { listed.startIndex }
        public var endIndex: Int { listed.endIndex }
        public subscript(place: Int) -> Entry { listed[place] }

        fileprivate mutating func add(_ line: Int, _ title: String, _ reason: String) {
            total += 1
            if listed.count == Entries.limit { return }
            listed.append(Entry(line: line, title: title, reason: reason))
        }
    }

    /// The number of imported or exported items, the changed ones included.
    public private(set) var kept = 0
    /// One entry for each remark on such an item.
    public private(set) var changed = Entries()
    public private(set) var skipped = Entries()
    /// Items of the library that got other values from the file; the reason names the fields.
    public private(set) var updated = Entries()
    /// Items of the library that were not changed, although the file has other values.
    public private(set) var left = Entries()
    /// Whether the document as a whole cannot be read; no choice of the user helps.
    public private(set) var isUnreadable = false

    public init() {}

    /// Adds a remark: a part of an imported item is not as in the file.
    public mutating func remark(line: Int, title: String, _ remark: String) {
        changed.add(line, title, remark)
    }

    public mutating func update(line: Int, title: String, fields: [String]) {
        updated.add(line, title, "\(fields.joined(separator: ", ")).")
    }

    /// Adds an item that is not changed; `why` is the sentence to which the fields are added.
    public mutating func leave(line: Int, title: String, why: String, fields: [String]) {
        left.add(line, title, "\(why): \(fields.joined(separator: ", ")).")
    }

    /// Whether there is more to report than the number of items.
    public var hasDetails: Bool {
        !(changed.isEmpty && skipped.isEmpty && updated.isEmpty && left.isEmpty)
    }

    public mutating func keep(line: Int, title: String, remarks: [String]) {
        kept += 1
        for text in remarks { remark(line: line, title: title, text) }
    }

    /// Counts items that were kept.
    public mutating func keep(_ count: Int) { kept += count }

    public mutating func skip(line: Int, title: String = "", reason: String) {
        skipped.add(line, title, reason)
    }

    public mutating func note(_ event: ImportEvent) {
        switch event {
        case .record(let imported):
            keep(line: imported.line, title: imported.record.title, remarks: imported.remarks)
        case .smartList: break
        case .remark(let what): remark(line: what.line, title: "", what.message)
        case .failure(let problem):
            skip(line: problem.line, reason: problem.message)
            if problem.isOfDocument { isUnreadable = true }
        }
    }

    /// Whether every item was readable.
    ///
    /// By default an import that is not complete changes nothing; the user may choose to import the
    /// rest.
    public var isComplete: Bool { skipped.isEmpty }

    /// Whether an import may change something.
    ///
    /// - Parameter skipsBroken: whether the user has chosen to import the rest.
    /// - Returns: whether every item was readable, or the others are wanted.
    public func allowsImport(skippingBroken skipsBroken: Bool) -> Bool {
        isComplete || skipsBroken && !isUnreadable
    }

    /// The lines of skipped, changed, updated and unchanged items; at most `limit` of each.
    public func details(limit: Int = 20) -> String {
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

extension ItemRecord {
    /// The parts of an item that no format of another program can hold.
    var usualLosses: [String] {
        let losses = [
            (extra.isDamaged, ForeignFields.damage),
            (location != nil, "The location is not exported."),
            (flagged, "The flag is not exported."),
            (estimate != nil, "The estimate is not exported."),
            (reminder != nil || !reminders.isEmpty, "The reminder is not exported."),
            (parent != nil, "Its parent is not exported."),
            (!timeEntries.isEmpty, "Its time entries are not exported."),
        ]
        return losses.filter(\.0).map(\.1)
    }
}
