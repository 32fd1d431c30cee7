package import ObjectGraph

extension Library {
    /// Writes items in display order, handing over the text in parts.
    ///
    /// - Parameters:
    ///   - format: see ``ExchangeFormat``.
    ///   - predicate: which items; `nil` = all, done and trashed ones included.
    ///   - sink: takes a part of the output; its error ends the export.
    /// - Returns: what the format could not hold.
    /// - Complexity: one pass; a constant number of statements for each thousand items.
    package func export(
        _ format: ExchangeFormat, matching predicate: FetchPredicate? = nil,
        to sink: ([UInt8]) throws -> Void
    ) throws -> ExchangeReport {
        var writer = format.writer(settings: ExchangeSettings(dates: clock()))
        try forEachSlice(of: itemIDs(matching: predicate)) { items in
            for item in items { writer.write(record(of: item)) }
            try sink(writer.drain())
        }
        writer.finish()
        try sink(writer.drain())
        return writer.report
    }
}
