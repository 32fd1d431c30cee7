import DocketFormats
import ObjectGraph

// Making a part and writing the one before it at the same time.
//
//   made by this thread      part 1    part 2     part 3
//   written by another one            └─part 1─┘ └─part 2─┘ └─part 3─┘
//
// The other thread holds the store while it writes. So what a part needs of the store is read
// before: the lists, tags and locations that it names, and the items that exist already. A part that
// names what the one before it makes waits for that one.
//
// Numbers follow those of the part before. That holds as long as nobody else saves, which is checked
// inside the write transaction; if somebody does, the parts that are made are made again, one after
// the other.

/// A part whose objects exist in a context, to be written by another thread.
struct MadePart {
    let records: ArraySlice<ImportedRecord>
    let isEnd: Bool
    /// How many records are read with it.
    let done: Int
    /// The importer as it was before.
    let before: RecordImporter
    let context: ManagedObjectContext
    let save: DetachedSave
    /// The first transaction of the step, if the part is not that; it is foreseen.
    let continues: Int64?
    /// The first transaction of the step, which may be the part's own.
    let first: Int64
}

/// Writes parts on a thread of its own, as long as nobody else saves.
///
/// Safety: the importer's thread uses it; the other one reads `latest` only, while it writes.
final class PartWriter: @unchecked Sendable {
    /// Somebody else has saved, so nothing was written.
    struct Disturbed: Error {}

    private let coordinator: PersistentStoreCoordinator
    private let thread = ContextThread(name: "writer")
    /// Signalled when the part that was handed over is written.
    private var written: Completion?
    /// The newest transaction that the parts know of; set while nothing is being written.
    var latest: Int64 = 0

    init(_ coordinator: PersistentStoreCoordinator) { self.coordinator = coordinator }

    deinit { wait() }

    /// Begins to write.
    func write(_ save: DetachedSave) {
        let written = Completion()
        self.written = written
        thread.later {
            save.write()
            written.signal()
        }
    }

    /// Whether a part is being written, or was and has not been waited for.
    var isWriting: Bool { written != nil }

    /// Waits until nothing is being written.
    func wait() {
        written?.wait()
        written = nil
    }

    /// Makes the work inside the write transaction of a part: nobody else has saved, and the mark
    /// belongs to it.
    func check(setting mark: ImportMark?) -> () throws -> Void {
        { [unowned self] in
            let newest = try coordinator.withFirstStore { try $0.latestTransaction() } ?? 0
            guard newest == latest else { throw Disturbed() }
            coordinator.setMetadata(mark?.value, for: ImportMark.key)
        }
    }
}

extension RecordImporter {
    /// Makes a part while the one before it is written; it is written with the next call, or by
    /// ``finish(_:)``.
    mutating func saveAhead(
        _ part: ArraySlice<ImportedRecord>,
        _ run: inout Run,
        isEnd: Bool
    ) throws {
        guard let writer = run.writer else { return try save(part, &run, isEnd: isEnd) }
        if run.made == nil {
            try beginPart()
            numbers = nil
            writer.latest = library.seenTransaction
        } else {
            kept = nil
            try library.mergeOthers()
            context = library.makeScratch()
            try names.move(to: context)
        }
        if !names.load(part) {
            try finish(&run)
            return try saveAhead(part, &run, isEnd: isEnd)
        }
        let known = try known(part)
        let before = self
        if let made = run.made { writer.write(made.save) }
        // Freeing the objects of a part takes time that the writer need not wait for.
        run.written = nil
        let made: MadePart?
        do {
            try write(part, known)
            made = try make(part, before, run, writer, isEnd)
        } catch {
            try? finish(&run)
            throw error
        }
        if try !complete(&run) {
            // The part before was made again, so this one is too.
            return try save(part, &run, isEnd: isEnd)
        }
        guard let made else {
            run.saved = run.done
            return
        }
        if made.continues != run.first {
            // The part before has changed nothing.
            try goBack(to: before)
            return try save(part, &run, isEnd: isEnd)
        }
        run.made = made
    }

    /// Plans the present part; `nil` if it changes nothing.
    private mutating func make(
        _ part: ArraySlice<ImportedRecord>,
        _ before: RecordImporter,
        _ run: Run,
        _ writer: PartWriter,
        _ isEnd: Bool
    ) throws -> MadePart? {
        let continues = run.first ?? run.made?.first
        let first = continues ?? writer.latest &+ 1
        var info = TransactionInfo()
        info.groupName = stepName
        info.continues = continues
        let isLast = isEnd && postponed.isEmpty
        let mark = isLast ? nil : ImportMark(first, survey.fingerprint, done: run.done)
        context.beforeWriting = writer.check(setting: mark)
        defer { context.beforeWriting = nil }
        guard let save = try context.beginDetachedSave(info) else { return nil }
        numbers = largestNumbers()
        return MadePart(
            records: part,
            isEnd: isEnd,
            done: run.done,
            before: before,
            context: context,
            save: save,
            continues: continues,
            first: first
        )
    }

    /// The largest numbers with those of the new items; `nil` if there are none and the store
    /// knows.
    private func largestNumbers() -> Library.Numbers? {
        let new = context.insertedObjects
        guard numbers != nil || new.contains(where: { $0 is Item }) else { return nil }
        var result = numbers ?? Library.Numbers(shortID: 0, rank: 0)
        result.follow(new)
        return result
    }

    /// Writes what is made.
    mutating func finish(_ run: inout Run) throws {
        guard let made = run.made, let writer = run.writer else { return }
        if !writer.isWriting { writer.write(made.save) }
        if try complete(&run), !isComplete(run) { try beginPart() }
    }

    /// Waits until the made part is written, and takes the outcome.
    ///
    /// - Returns: false if somebody else has saved meanwhile; then the part was made again and
    ///   saved, and this importer is behind it.
    private mutating func complete(_ run: inout Run) throws -> Bool {
        guard let made = run.made, let writer = run.writer else { return true }
        run.made = nil
        writer.wait()
        do {
            while try !made.context.proceed(made.save) { made.save.write() }
        } catch is PartWriter.Disturbed {
            try redo(made, &run)
            return false
        } catch let error as ObjectGraphError where error.code == .constraintConflict {
            try redo(made, &run)
            return false
        }
        library.forgetNumbers()
        if let number = made.save.transaction, number > 0 {
            run.first = run.first ?? number
            writer.latest = number
        }
        run.saved = made.done
        names.settle()
        run.written = made
        return true
    }

    private mutating func redo(_ made: MadePart, _ run: inout Run) throws {
        let done = run.done
        defer { run.done = done }
        run.done = made.done
        try goBack(to: made.before)
        try save(made.records, &run, isEnd: made.isEnd)
    }
}
