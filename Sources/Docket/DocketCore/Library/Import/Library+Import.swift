public import DocketFormats
import FoundationEssentials
import ObjectGraph

extension Library {
    /// What an import does with invalid items.
    public enum BrokenItems: Sendable {
        /// Nothing is imported; the report has the errors.
        case refuseAll
        /// They are left out.
        case skip
    }

    /// How many items one transaction of an import contains; more are saved in parts that are one
    /// step of undo.
    public static let importBatch = 6_000
    public static let largestImportBatch = 100_000
    /// How many bytes of rows are kept: those of a part are not needed again.
    static let importedRowBytes = 4 << 20

    /// Imports items from a document.
    ///
    /// New items are added at the end of the display order; an empty library takes order and short
    /// IDs from the file. An item whose UUID exists already is updated in the fields that differ in
    /// the file, unless it was changed here later; see ``RecordImporter``. A file without anything
    /// new changes nothing and is not a step of undo.
    ///
    /// Each part is saved with the number of items that are done. After a crash, or a stop by
    /// `progress`, another import of the same file continues there.
    ///
    /// - Parameters:
    ///   - format: see ``ExchangeFormat``.
    ///   - source: the file; it is read twice.
    ///   - name: what people call the file, for the name of the step.
    ///   - broken: what to do with invalid items.
    ///   - isDryRun: whether only to report the effect.
    ///   - batch: how many items one transaction contains.
    ///   - former: what the document was when Docket last wrote it. Then only what was edited since is
    ///     imported, also over values that an item has had here for long; of values that have changed
    ///     on both sides, those stay or come that a document without a former one would have.
    ///   - progress: called before each part; an error of it stops the import.
    ///   - beforeWriting: called once, before the first change, if there is something to import.
    /// - Returns: the kept, changed and skipped items. Nothing was imported if the report is not
    ///   complete and `broken` is ``BrokenItems/refuseAll``, or the document as a whole is unreadable.
    /// - Throws: `InputError` for a format that is only written, or the store's error; nothing was
    ///   imported then. ``ImportIncomplete`` if some parts were saved before it; they stay.
    /// - Complexity: O(items) time; memory for two parts, and some twenty bytes for each item.
    public func importItems(
        _ format: ExchangeFormat,
        from source: ByteSource,
        named name: String? = nil,
        broken: BrokenItems = .refuseAll,
        isDryRun: Bool = false,
        batch: Int = Library.importBatch,
        since former: ByteSource? = nil,
        progress: ((ImportProgress) throws -> Void)? = nil,
        beforeWriting: (() throws -> Void)? = nil
    ) throws -> ImportOutcome {
        requireOutsideChange()
        try refresh()
        let settings = ExchangeSettings(dates: clock())
        let survey = try survey(source, format, settings, since: former)
        var outcome = ImportOutcome()
        outcome.report = survey.report
        if !survey.report.allowsImport(skippingBroken: broken == .skip) { return outcome }
        let lists = try newSmartLists(survey.smartLists)
        func reader() throws -> any RecordReader {
            source.rewind()
            return try format.reader(of: source, settings: settings)
        }
        var importer = try RecordImporter(self, format, settings, survey, named: name)
        importer.progress = progress
        if survey.count > 0 {
            let changes = try isDryRun ? [:] : hookedChanges(of: reader, leavingOut: survey.leftOut)
            if !isDryRun { try beforeWriting?() }
            let parts = ImportParts(
                try reader(),
                leavingOut: survey.leftOut,
                changes,
                size: max(1, batch)
            )
            if isDryRun {
                try importer.rehearse(parts)
            } else {
                try save(parts, with: &importer, batch: batch)
            }
        } else if !isDryRun, !lists.isEmpty {
            try beforeWriting?()
        }
        if !isDryRun { try add(lists, continuing: importer.first) }
        outcome.smartLists = lists.count
        outcome.report = importer.report
        outcome.added = importer.added
        outcome.updated = importer.updated
        outcome.continued = importer.continued
        return outcome
    }

    private func save(
        _ parts: ImportParts,
        with importer: inout RecordImporter,
        batch: Int
    ) throws {
        if importer.survey.count <= 1000 { return try importer.run(parts, batch: batch) }
        // Empties the log at the end: every following command would have to read a long one.
        var isDone = false
        do {
            try context.coordinator.importing {
                try importer.run(parts, batch: batch)
                isDone = true
            }
        } catch  where isDone {
            // Everything is saved; the log is emptied later.
        }
    }

    /// Reads a document, and leaves out what is as it is saved here.
    ///
    /// Nothing is left out of an empty library, of an import that continues, or if hooks look at it.
    private func survey(
        _ source: ByteSource,
        _ format: ExchangeFormat,
        _ settings: ExchangeSettings,
        since former: ByteSource?
    ) throws -> ImportSurvey {
        var importer = try RecordImporter(self, format, settings, ImportSurvey(), named: nil)
        let comparesAll =
            try importer.wasEmpty || former != nil || hasUnfinishedImport
            || hooks?.programs()[.import] != nil
        if comparesAll { return try ImportSurvey(source, format, settings, since: former) }
        return try ImportSurvey(source, format, settings) { try importer.unchanged($0) }
    }

    /// Imports items from a document in memory.
    public func importItems(
        _ format: ExchangeFormat,
        from bytes: [UInt8],
        named name: String? = nil,
        broken: BrokenItems = .refuseAll,
        isDryRun: Bool = false,
        batch: Int = Library.importBatch
    ) throws -> ImportOutcome {
        try importItems(
            format,
            from: ByteSource(bytes),
            named: name,
            broken: broken,
            isDryRun: isDryRun,
            batch: batch
        )
    }

    /// Whether an import was interrupted.
    ///
    /// Importing the same file again completes it; undo reverts it as a whole.
    public var hasUnfinishedImport: Bool {
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

/// An import that has ended after some of its parts were saved.
///
/// These are one step of undo. Another import of the same file continues where it ended.
public struct ImportIncomplete: Error, CustomStringConvertible {
    /// How many items are saved.
    public let progress: ImportProgress
    /// Why the import has ended.
    public let cause: any Error

    /// What of the document is imported, as a sentence; `file` is what people call it.
    public func sentence(_ file: String? = nil) -> String {
        let name = file.map { " of \($0)" } ?? ""
        return progress.done < progress.total
            ? "Only a part\(name) was imported: \(progress.done) of \(progress.total) items."
            : "All \(progress.total) items\(name) were imported, but not all of their parents and "
                + "dependencies."
    }

    public var description: String { "\(sentence()) Then: \(cause.reason)" }
}

/// How far an import is.
public struct ImportProgress: Hashable, Sendable {
    /// How many items of the document are done, those included that an earlier import has done.
    public var done: Int
    public var total: Int

    public init(done: Int, total: Int) {
        self.done = done
        self.total = total
    }
}

/// The result of an import.
public struct ImportOutcome {
    /// The content of the file, and the result for each item.
    public var report = ExchangeReport()
    /// The number of new items.
    public var added = 0
    /// The number of existing items that have changed.
    public var updated = 0
    /// The number of new saved searches and changes of built-in lists.
    public var smartLists = 0
    /// The number of items that an interrupted import of the same file had done before.
    public var continued = 0
}

/// The store's record of an import in several parts until the last one is saved: the command, a
/// hash of the file, and how many items are done.
struct ImportMark {
    static let key = "DocketUnfinishedImport"

    let transaction: Int64
    let file: String
    let done: Int

    init(_ transaction: Int64, _ file: String, done: Int) {
        self.transaction = transaction
        self.file = file
        self.done = done
    }

    init?(_ value: GraphValue) {
        guard case .string(let text) = value else { return nil }
        let parts = text.split(separator: " ")
        guard parts.count == 2 || parts.count == 3, let number = Int64(parts[0]) else { return nil }
        // Earlier versions did not count.
        let done = parts.count == 3 ? Int(parts[2]) : 0
        self.init(number, String(parts[1]), done: max(0, done ?? 0))
    }

    var value: GraphValue { .string("\(transaction) \(file) \(done)") }
}
