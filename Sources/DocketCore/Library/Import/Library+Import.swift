import FoundationEssentials
import ObjectGraph

extension Library {
    /// What an import does with invalid items.
    package enum BrokenItems: Sendable {
        /// Nothing is imported; the report has the errors.
        case refuseAll
        /// They are left out.
        case skip
    }

    /// The greatest number of items in one transaction; a larger import is saved in parts that are
    /// one step of undo.
    package static let importBatch = 50_000

    /// Imports items from a file's bytes.
    ///
    /// New items are added at the end of the display order; an empty library takes order and short
    /// IDs from the file. An item whose UUID exists already is updated in the fields that differ in
    /// the file, unless it was changed here later; see ``RecordImporter``. A file without anything
    /// new changes nothing and is not a step of undo.
    ///
    /// - Parameters:
    ///   - format: see ``ExchangeFormat``.
    ///   - bytes: the file.
    ///   - source: what people call the file, for the name of the step.
    ///   - broken: what to do with invalid items.
    ///   - isDryRun: whether only to report the effect.
    ///   - batch: how many items one transaction contains.
    /// - Returns: the kept, changed and skipped items. Nothing was imported if the report is not
    ///   complete and `broken` is ``BrokenItems/refuseAll``.
    /// - Throws: `InputError` for a format that is only written, or the store's error; parts that
    ///   were saved before it stay, see ``hasUnfinishedImport``.
    package func importItems(
        _ format: ExchangeFormat,
        from bytes: [UInt8],
        named source: String? = nil,
        broken: BrokenItems = .refuseAll,
        isDryRun: Bool = false,
        batch: Int = Library.importBatch
    ) throws -> ImportOutcome {
        requireOutsideChange()
        try refresh()
        let settings = ExchangeSettings(dates: clock())
        var reader = try format.reader(of: bytes, settings: settings)
        var file = ImportFile()
        while let event = reader.next() { file.add(event) }
        file.leaveOutContradictions()
        var outcome = ImportOutcome()
        outcome.report = file.report
        if !file.report.isComplete, broken == .refuseAll { return outcome }
        var importer = try RecordImporter(self, format, settings, file, named: source)
        if isDryRun {
            try importer.rehearse()
        } else if file.records.count > 1000 {
            // Empties the log at the end: every following command would have to read a long one.
            var isDone = false
            do {
                try context.coordinator.importing {
                    try importer.run(batch: batch, mark: ImportMark.hash(bytes))
                    isDone = true
                }
            } catch  where isDone {
                // Everything is saved; the log is emptied later.
            }
        } else {
            try importer.run(batch: batch, mark: ImportMark.hash(bytes))
        }
        outcome.report = importer.report
        outcome.added = importer.added
        outcome.updated = importer.updated
        return outcome
    }

    /// Whether an import was interrupted.
    ///
    /// Importing the same file again completes it; undo reverts it as a whole.
    package var hasUnfinishedImport: Bool {
        guard let value = context.coordinator.metadata(ImportMark.key) else { return false }
        guard let mark = ImportMark(value) else { return true }
        return isDone(mark.transaction)
    }

    /// Whether a command has not been undone, so that more transactions may be added to it.
    func isDone(_ command: Int64) -> Bool {
        // The key exists only after a crash; then the number of steps does not matter.
        let steps = (try? context.undoSteps(limit: 10_000)) ?? []
        return steps.contains { $0.command == command && $0.transactions.last == command }
    }
}

/// The result of an import.
package struct ImportOutcome {
    /// The content of the file, and the result for each item.
    package var report = ExchangeReport()
    /// The number of new items.
    package var added = 0
    /// The number of existing items that have changed.
    package var updated = 0
}

/// The store's record of an import in several parts until the last one is saved: the command, and a
/// hash of the file.
struct ImportMark {
    static let key = "DocketUnfinishedImport"

    let transaction: Int64
    let file: String

    init(_ transaction: Int64, _ file: String) {
        self.transaction = transaction
        self.file = file
    }

    init?(_ value: GraphValue) {
        guard case .string(let text) = value else { return nil }
        let parts = text.split(separator: " ")
        guard parts.count == 2, let number = Int64(parts[0]) else { return nil }
        self.init(number, String(parts[1]))
    }

    var value: GraphValue { .string("\(transaction) \(file)") }

    /// A hash that distinguishes files.
    static func hash(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        bytes.withUnsafeBufferPointer { buffer in
            for byte in buffer { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return String(hash, radix: 16)
    }
}
