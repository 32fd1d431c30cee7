import DocketFormats
import FoundationEssentials
import ObjectGraph

extension Library {
    /// Saves everything that can still be read of a store whose file was deleted or replaced, with
    /// the unsaved changes, into a new file that `docket import` reads.
    ///
    /// - Parameters:
    ///   - path: a file that does not exist yet; only its owner can read it.
    ///   - objects: items of other contexts whose pending changes are included.
    ///   - titles: texts that are not items yet; each becomes one.
    /// - Returns: the number of written items.
    /// - Throws: `InputError` if the file exists or cannot be written.
    public func rescue(
        to path: String,
        with objects: [Item] = [],
        titles: [String] = []
    ) throws -> Int {
        let coordinator = context.coordinator
        coordinator.withFirstStore { $0.readsLostFile = true }
        defer { coordinator.withFirstStore { $0.readsLostFile = false } }
        var records: [UUID: ItemRecord] = [:]
        var order: [UUID] = []
        func add(_ record: ItemRecord) {
            if records.updateValue(record, forKey: record.uuid) == nil { order.append(record.uuid) }
        }
        let stored = (try? Item.all(in: context, sortedBy: \.displayOrder)) ?? []
        // If the file cannot be read any more, the data of this window is left.
        let seen = context.registeredObjects.compactMap { $0 as? Item }.filter { !$0.isFault }
        for item in (stored + seen + objects) where !item.isDeleted { add(record(of: item)) }
        for title in titles {
            var record = ItemRecord(uuid: UUID(), title: title, created: now, modified: now)
            record.order = Int64.max
            add(record)
        }
        var writer = ExchangeFormat.json.writer(settings: ExchangeSettings(dates: clock()))
        for id in order { if let record = records[id] { writer.write(record) } }
        writer.finish()
        let file = try NewFile(path)
        try file.write(writer.drain())
        try file.finish()
        return order.count
    }
}
