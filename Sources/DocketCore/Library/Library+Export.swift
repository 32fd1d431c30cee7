import ObjectContext
package import ObjectModel

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
        for items in try slices(matching: predicate) {
            for item in items { writer.write(record(of: item)) }
            try sink(writer.drain())
        }
        writer.finish()
        try sink(writer.drain())
        return writer.report
    }

    /// Items in display order, some thousand at a time, so that a large store needs little
    /// memory.
    private func slices(
        matching predicate: FetchPredicate?
    ) throws -> some Sequence<[Item]> {
        var request = FetchRequest<ManagedObjectID>(
            entityName: "Item", predicate: predicate, sortDescriptors: Library.displayOrder)
        request.includesPropertyValues = false
        let ids = try context.fetch(request)
        let size = 4096
        return stride(from: 0, to: ids.count, by: size).lazy.map { start in
            self.context.objects(
                Item.self, with: ids[start..<Swift.min(start + size, ids.count)],
                prefetching: ["tags", "list"])
        }
    }
}
