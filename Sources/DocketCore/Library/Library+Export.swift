package import ObjectGraph

extension Library {
    /// Writes items in display order, and passes on the text in parts.
    ///
    /// - Parameters:
    ///   - format: see ``ExchangeFormat``.
    ///   - condition: which items; `nil` = all, done and trashed ones included.
    ///   - sink: takes a part of the output; its error ends the export.
    /// - Returns: what the format could not hold.
    /// - Throws: the store's error, or that of `sink`.
    /// - Complexity: one pass; a constant number of statements for each some hundred items.
    package func export(
        _ format: ExchangeFormat,
        matching condition: Condition<Item>? = nil,
        to sink: ([UInt8]) throws -> Void
    ) throws -> ExchangeReport {
        try refresh()
        var writer = format.writer(settings: ExchangeSettings(dates: clock()))
        try forEachRecord(
            of: itemIDs(matching: condition),
            passesFieldsOn: format == .json
        ) { records in
            for record in records { writer.write(record) }
            try sink(writer.drain())
        }
        writer.finish()
        try sink(writer.drain())
        return writer.report
    }

    /// Writes all items into a file that does not exist yet.
    ///
    /// - Returns: what the format could not hold.
    /// - Throws: `InputError` if the file exists or cannot be written; nothing is left of it then.
    package func export(_ format: ExchangeFormat, toNewFile path: String) throws -> ExchangeReport {
        let file = try NewFile(path)
        let report = try export(format) { try file.write($0) }
        try file.finish()
        return report
    }
}
