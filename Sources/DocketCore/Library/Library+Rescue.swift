import FoundationEssentials
import Glibc
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
    package func rescue(
        to path: String,
        with objects: [Item] = [],
        titles: [String] = []
    ) throws -> Int {
        let store = context.coordinator.openStores.first
        store?.readsLostFile = true
        defer { store?.readsLostFile = false }
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
        try Library.write(writer.drain(), to: path)
        return order.count
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(path, errno) }
        defer { _ = Glibc.close(file) }
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.write(file, bytes.baseAddress.map { $0 + start }, bytes.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                unlink(path)
                throw failure(path, code)
            }
            start += count
        }
        fsync(file)
    }

    private static func failure(_ path: String, _ code: Int32) -> InputError {
        code == EEXIST
            ? InputError(.malformed, "The file \"\(path)\" exists already; write another name.")
            : InputError(
                .malformed,
                "\"\(path)\" cannot be written: \(String(cString: strerror(code)))."
            )
    }
}
