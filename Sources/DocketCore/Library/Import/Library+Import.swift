import FoundationEssentials
import ObjectGraph

extension Library {
    /// What an import does with items that cannot be read.
    package enum BrokenItems: Sendable {
        /// Nothing is imported; the report says what is wrong.
        case refuseAll
        /// They are left out.
        case skip
    }

    /// The most items that one transaction takes; a larger import is saved in parts that are one
    /// step of undo together.
    package static let importBatch = 50_000

    /// Takes items over from a file's bytes.
    ///
    /// New items go to the end of the display order; an empty library takes over order and short
    /// IDs as they are. An item whose UUID is there already is brought up to date in the fields
    /// in which the file differs, unless it was changed here later; see ``RecordImporter``. A file
    /// that brings nothing new changes nothing and is no step of undo.
    ///
    /// - Parameters:
    ///   - format: see ``ExchangeFormat``.
    ///   - bytes: the file.
    ///   - broken: what to do if some items cannot be read.
    ///   - isDryRun: whether only to tell what would happen.
    ///   - batch: how many items one transaction takes.
    /// - Returns: what was kept, changed and skipped; nothing was imported if it is not complete
    ///   and `broken` is ``BrokenItems/refuseAll``.
    /// - Throws: `InputError` for a format that is only written, or the store's error; parts that
    ///   were saved before it stay, see ``hasUnfinishedImport``.
    package func importItems(
        _ format: ExchangeFormat,
        from bytes: [UInt8],
        broken: BrokenItems = .refuseAll,
        isDryRun: Bool = false,
        batch: Int = Library.importBatch
    ) throws -> ImportOutcome {
        try refresh()
        let settings = ExchangeSettings(dates: clock())
        var reader = try format.reader(of: bytes, settings: settings)
        var file = ImportFile()
        while let event = reader.next() { file.add(event) }
        file.leaveOutContradictions()
        var outcome = ImportOutcome()
        outcome.report = file.report
        if !file.report.isComplete, broken == .refuseAll { return outcome }
        var importer = try RecordImporter(self, format, settings, file)
        if isDryRun {
            try importer.rehearse()
        } else if file.records.count > 1000 {
            // Its end empties the log: every command that follows would have to read a long one.
            var isDone = false
            do {
                try context.coordinator.importing {
                    try importer.run(batch: batch, mark: ImportMark.hash(bytes))
                    isDone = true
                }
            } catch  where isDone {
                // Everything is saved; the log is emptied another time.
            }
        } else {
            try importer.run(batch: batch, mark: ImportMark.hash(bytes))
        }
        outcome.report = importer.report
        outcome.added = importer.added
        outcome.updated = importer.updated
        return outcome
    }

    /// Whether an import was cut off in its middle.
    ///
    /// Importing the same file again completes it, undo takes it back as a whole.
    package var hasUnfinishedImport: Bool {
        guard let value = context.coordinator.metadata(ImportMark.key) else { return false }
        guard let mark = ImportMark(value) else { return true }
        return isDone(mark.transaction)
    }

    /// Whether a command has not been undone, so that more transactions may join it.
    func isDone(_ command: Int64) -> Bool {
        // The key is there after a crash only; the number of steps does not matter then.
        let steps = (try? context.undoSteps(limit: 10_000)) ?? []
        return steps.contains { $0.command == command && $0.transactions.last == command }
    }
}

/// What an import did.
package struct ImportOutcome {
    /// What the file held, and what became of it.
    package var report = ExchangeReport()
    /// How many items are new.
    package var added = 0
    /// How many were there and are different now.
    package var updated = 0
}

/// What a store keeps of an import in several parts until the last one is saved: which command it
/// is, and of which file.
struct ImportMark {
    static let key = "DocketUnfinishedImport"

    let transaction: Int64
    let file: String

    init(_ transaction: Int64, _ file: String) {
        self.transaction = transaction
        self.file = file
    }

    init?(_ value: Value) {
        guard case .string(let text) = value else { return nil }
        let parts = text.split(separator: " ")
        guard parts.count == 2, let number = Int64(parts[0]) else { return nil }
        self.init(number, String(parts[1]))
    }

    var value: Value { .string("\(transaction) \(file)") }

    /// What tells one file from another.
    static func hash(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        bytes.withUnsafeBufferPointer { buffer in
            for byte in buffer { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return String(hash, radix: 16)
    }
}
