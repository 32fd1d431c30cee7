public import DocketFormats
public import ObjectGraph

extension Library {
    /// Writes items in display order, and passes on the text in parts.
    ///
    /// - Parameters:
    ///   - format: see ``ExchangeFormat``.
    ///   - condition: which items; `nil` = all, done and trashed ones included.
    ///   - namesItems: whether each item gets an identity, also where a reader finds it by its names.
    ///   - sink: takes a part of the output; its error ends the export.
    /// - Returns: what the format could not hold.
    /// - Throws: the store's error, or that of `sink`.
    /// - Complexity: one pass; a constant number of statements for each some hundred items.
    public func export(
        _ format: ExchangeFormat,
        matching condition: Condition<Item>? = nil,
        namesItems: Bool = false,
        to sink: ([UInt8]) throws -> Void
    ) throws -> ExchangeReport {
        try refresh()
        let settings = ExchangeSettings(dates: clock(), namesItems: namesItems)
        var writer = format.writer(settings: settings)
        if format == .icalendar {
            let hasHead = Condition<Item> { $0.extra.contains(ICalendarRules.mark) }
            var records: [ItemRecord] = []
            let ids = try itemIDs(matching: condition.map { $0 && hasHead } ?? hasHead)
            try forEachRecord(of: ids) { records += $0 }
            writer.expect(records)
        }
        var place = 0
        var sealed: [(place: Int, title: String)] = []
        try forEachRecord(
            of: itemIDs(matching: condition),
            passesFieldsOn: format == .json
        ) { records in
            for record in records {
                writer.write(record)
                place += 1
                if record.isEncrypted { sealed.append((place, record.title)) }
            }
            try sink(writer.drain())
        }
        // A part of the items is written without the lists.
        let lists = condition == nil ? try smartListRecords() : []
        for list in lists { writer.write(list) }
        writer.finish()
        try sink(writer.drain())
        var report = writer.report
        for note in sealed {
            report.remark(
                line: note.place,
                title: note.title,
                "Its text is encrypted and was left out: decrypt it to export it."
            )
        }
        if !lists.isEmpty, format != .json {
            let count = lists.count
            report.skip(
                line: place + 1,
                reason: "\(count) smart list\(count == 1 ? " is" : "s are") left out;"
                    + " only Docket's JSON has them."
            )
        }
        return report
    }

    /// Writes all items into a file that does not exist yet.
    ///
    /// - Returns: what the format could not hold.
    /// - Throws: `InputError` if the file exists or cannot be written; nothing is left of it then.
    public func export(_ format: ExchangeFormat, toNewFile path: String) throws -> ExchangeReport {
        let file = try NewFile(path)
        let report = try export(format) { try file.write($0) }
        try file.finish()
        return report
    }
}
