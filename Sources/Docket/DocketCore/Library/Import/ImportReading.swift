import DocketFormats
import FoundationEssentials
import ObjectGraph

/// What one reading of a document, or of a half of it, has seen.
struct ImportReading {
    /// Something to tell about a record.
    struct Remark {
        var record: Int
        var entry: ExchangeReport.Entry
    }

    /// How many records there are.
    private(set) var total = 0
    /// How many items could not be read.
    private(set) var failures = 0
    /// The items that could not be read.
    private(set) var report = ExchangeReport()
    /// Eight bytes of each UUID.
    private(set) var parts: [UInt64] = []
    private(set) var remarks: [Remark] = []
    private(set) var smartLists: [SmartListRecord] = []
    /// The records that are as they are saved, counted from 0.
    private(set) var unchanged: Set<Int> = []
    /// How many remarks are kept.
    static let mostRemarks = ExchangeReport.Entries.limit

    static func part(of uuid: UUID) -> UInt64 {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            let halves = bytes.loadUnaligned(as: (UInt64, UInt64).self)
            return halves.0 ^ halves.1
        }
    }

    /// Reads a document, a large one of JSON on two threads.
    ///
    /// Its halves are read as two lists. If anything in them is wrong, as at a cut inside of an item,
    /// the document is read as a whole, so that each problem is told as what it is there.
    ///
    /// - Throws: `InputError` as ``ImportSurvey/init(_:_:_:leastToCut:)``.
    static func all(
        of source: ByteSource,
        _ format: ExchangeFormat,
        _ settings: ExchangeSettings,
        _ leastToCut: Int
    ) throws -> ImportReading {
        source.restart()
        if format.isJSON, let second = source.cutInTwo(atLeast: leastToCut) {
            let both = try halves(source, second, format, settings)
            source.join()
            if let both {
                source.skipRest()
                try source.checkWhole()
                return both
            }
            source.restart()
        }
        let reading = try ImportReading(source, format, settings)
        try source.checkWhole()
        return reading
    }

    private init(
        _ source: ByteSource,
        _ format: ExchangeFormat,
        _ settings: ExchangeSettings
    ) throws {
        var reader = try format.reader(of: source, settings: settings)
        while let event = reader.next() {
            note(event)
            if failures > 0, source.share != .whole { return }
        }
    }

    /// Reads a document on another thread, while this one compares what was read.
    ///
    /// - Parameters:
    ///   - source: the document.
    ///   - format: its format.
    ///   - settings: those of the import.
    ///   - known: finds those of some records that are as they are saved, by UUID.
    /// - Throws: `InputError` as ``all(of:_:_:_:)``, and the error of `known`.
    init(
        _ source: ByteSource,
        _ format: ExchangeFormat,
        _ settings: ExchangeSettings,
        _ known: (ArraySlice<ImportedRecord>) throws -> Set<UUID>
    ) throws {
        source.restart()
        var reader = try format.reader(of: source, settings: settings)
        let events = ElementsAhead(size: ImportReading.batch) { reader.next() }
        while case let batch = events.take(), !batch.isEmpty {
            let first = total
            for event in batch { note(event) }
            let records = batch.compactMap { event -> ImportedRecord? in
                if case .record(let record) = event { record } else { nil }
            }
            let unchanged = try known(records[...])
            for (place, imported) in records.enumerated()
            where unchanged.contains(imported.record.uuid) {
                self.unchanged.insert(first + place)
            }
        }
        try source.checkWhole()
    }

    /// How many items are compared at a time.
    private static let batch = 4000

    private mutating func note(_ event: ImportEvent) {
        switch event {
        case .record(let imported): note(imported)
        case .smartList(let list, _): smartLists.append(list)
        case .remark: report.note(event)
        case .failure:
            failures += 1
            report.note(event)
        }
    }

    private mutating func note(_ imported: ImportedRecord) {
        let record = imported.record
        for remark in imported.remarks where remarks.count < ImportReading.mostRemarks {
            let entry = ExchangeReport.Entry(
                line: imported.line,
                title: record.title,
                reason: remark
            )
            remarks.append(Remark(record: total, entry: entry))
        }
        total += 1
        parts.append(ImportReading.part(of: record.uuid))
    }

    // MARK: Halves

    /// What the other thread reads.
    ///
    /// Safety: that thread alone uses it until it signals.
    private final class Half: @unchecked Sendable {
        let source: ByteSource
        var reading: ImportReading?
        init(_ source: ByteSource) { self.source = source }
    }

    /// - Returns: `nil` if a half is not a list of sound items.
    private static func halves(
        _ first: ByteSource,
        _ second: ByteSource,
        _ format: ExchangeFormat,
        _ settings: ExchangeSettings
    ) throws -> ImportReading? {
        let half = Half(second)
        let done = Completion()
        let thread = ContextThread(name: "survey")
        thread.later {
            half.reading = try? ImportReading(half.source, format, settings)
            done.signal()
        }
        let result = Result { try ImportReading(first, format, settings) }
        withExtendedLifetime(thread) { done.wait() }
        var reading = try result.get()
        guard let rest = half.reading, reading.failures + rest.failures == 0,
            (try? second.checkWhole()) != nil
        else { return nil }
        reading.append(rest, lines: rest.remarks.isEmpty ? 0 : second.linesOfFirstHalf)
        return reading
    }

    private mutating func append(_ rest: ImportReading, lines: Int) {
        for remark in rest.remarks where remarks.count < ImportReading.mostRemarks {
            var moved = remark
            moved.record += total
            moved.entry.line += lines
            remarks.append(moved)
        }
        total += rest.total
        parts += rest.parts
        smartLists += rest.smartLists
    }
}
