package import ObjectGraph

extension Library {
    /// Writes items in display order, handing over the text in parts.
    ///
    /// - Parameters:
    ///   - format: see ``ExchangeFormat``.
    ///   - predicate: which items; `nil` = all, done and trashed ones included.
    ///   - sink: takes a part of the output; its error ends the export.
    /// - Returns: what the format could not hold.
    /// - Throws: the store's error, or that of `sink`.
    /// - Complexity: one pass; a constant number of statements for each some hundred items.
    package func export(
        _ format: ExchangeFormat,
        matching predicate: FetchPredicate? = nil,
        to sink: ([UInt8]) throws -> Void
    ) throws -> ExchangeReport {
        try refresh()
        var writer = format.writer(settings: ExchangeSettings(dates: clock()))
        if context.hasChanges {
            try forEachSlice(of: itemIDs(matching: predicate)) { items in
                for item in items { writer.write(record(of: item)) }
                try sink(writer.drain())
            }
        } else {
            let ids = try context.fetchRows(
                FetchRequest<ManagedObjectID>(
                    entityName: "Item",
                    predicate: predicate,
                    sortDescriptors: Library.displayOrder
                )
            )
            let records = try SavedRecords(self, passesFieldsOn: format == .json)
            for start in stride(from: 0, to: ids.count, by: Library.exportSlice) {
                let slice = Array(ids[start..<min(start + Library.exportSlice, ids.count)])
                for record in try records.records(of: slice) { writer.write(record) }
                try sink(writer.drain())
            }
        }
        writer.finish()
        try sink(writer.drain())
        return writer.report
    }

    /// How many items are written at a time: few enough that the memory for their text stays with
    /// the program from one part to the next.
    private static let exportSlice = 256
}
