import DocketFormats
import FoundationEssentials

/// What the first reading of a document finds: errors, contradictions, and how much there is.
///
/// An import reads its document twice, so that it can refuse an incomplete one before it changes
/// anything and still needs no memory for the items: of each it keeps eight bytes of the UUID, and
/// its parent if it has one. If a UUID seems to occur twice, the document is read once more to
/// compare the items in question.
///
/// Records are counted from 0 in their order, without those that could not be read.
struct ImportSurvey {
    /// How many items are to be imported.
    private(set) var count = 0
    /// The result for all items, before they are compared with those of the library.
    private(set) var report = ExchangeReport()
    /// The records that are left out: they contradict others, or are as they are saved.
    private(set) var leftOut: Set<Int> = []
    /// How many items could not be read.
    private(set) var failures = 0
    /// The saved searches and changed built-in lists.
    private(set) var smartLists: [SmartListRecord] = []
    /// A text that distinguishes documents.
    private(set) var fingerprint = ""
    /// What the former document said of the items that say something else now, by UUID.
    private(set) var former: [UUID: ItemRecord] = [:]

    /// Eight bytes of each UUID, in ascending order.
    private var parts: [UInt64] = []
    /// The parts of UUIDs that occurred more than once.
    private var repeated: Set<UInt64> = []
    private var remarks: [ImportReading.Remark] = []
    /// Whether what is as it is saved is left out.
    private(set) var leavesOutUnchanged = false

    /// No document.
    init() {}

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - source: the document.
    ///   - format: its format.
    ///   - settings: those of the import.
    ///   - former: what the document was before; records without an edit are left out.
    ///   - leastToCut: how many bytes a document has that two threads read.
    ///   - unchanged: finds those of some records that are as they are saved, by UUID.
    /// - Throws: `InputError` for a format that is only written, or a document that cannot be read
    ///   to its end.
    /// - Complexity: O(bytes).
    init(
        _ source: ByteSource,
        _ format: ExchangeFormat,
        _ settings: ExchangeSettings,
        since former: ByteSource? = nil,
        leastToCut: Int = ByteSource.leastToCut,
        unchanged: ((ArraySlice<ImportedRecord>) throws -> Set<UUID>)? = nil
    ) throws {
        let reading =
            if let unchanged {
                try ImportReading(source, format, settings, unchanged)
            } else {
                try ImportReading.all(of: source, format, settings, leastToCut)
            }
        fingerprint = source.fingerprint
        (report, failures, remarks) = (reading.report, reading.failures, reading.remarks)
        parts = reading.parts
        smartLists = reading.smartLists
        parts.sort()
        for (part, next) in zip(parts, parts.dropFirst()) where part == next {
            repeated.insert(part)
        }
        if !repeated.isEmpty { try leaveOutDoubles(source, format, settings) }
        if let former { try leaveOutUnedited(since: former, source, format, settings) }
        report.keep(reading.total - leftOut.count)
        for remark in remarks where !leftOut.contains(remark.record) {
            let entry = remark.entry
            report.remark(line: entry.line, title: entry.title, entry.reason)
        }
        // Of items that occur twice, another one than that which is saved may count.
        leavesOutUnchanged = unchanged != nil && repeated.isEmpty
        if leavesOutUnchanged { leftOut.formUnion(reading.unchanged) }
        count = reading.total - leftOut.count
        (remarks, repeated) = ([], [])
    }

    /// Whether an item may be in the document; false if it is not.
    ///
    /// - Complexity: O(log n)
    func mayContain(_ uuid: UUID) -> Bool {
        let part = ImportReading.part(of: uuid)
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if parts[middle] < part { low = middle + 1 } else { high = middle }
        }
        return low < parts.count && parts[low] == part
    }

    // MARK: Contradictions

    /// What the comparison of items with one UUID needs of the one that counts so far.
    private struct Candidate {
        var record: Int
        var line: Int
        var title: String
        var modified: Date?
        var content: UInt64
    }

    /// Leaves out items whose UUID occurred before, those with other content with a report.
    private mutating func leaveOutDoubles(
        _ source: ByteSource,
        _ format: ExchangeFormat,
        _ settings: ExchangeSettings
    ) throws {
        var candidates: [UUID: Candidate] = [:]
        try forEachRecord(source, format, settings) { place, imported in
            let record = imported.record
            guard repeated.contains(ImportReading.part(of: record.uuid)) else { return }
            let candidate = Candidate(
                record: place,
                line: imported.line,
                title: record.title,
                modified: imported.isStamped ? record.modified : nil,
                content: record.contentHash
            )
            guard let first = candidates[record.uuid] else {
                candidates[record.uuid] = candidate
                return
            }
            if first.content == candidate.content {
                leftOut.insert(place)
                if remarks.count < ImportReading.mostRemarks {
                    let reason = "It occurs again in line \(candidate.line)."
                    let entry = ExchangeReport.Entry(
                        line: first.line,
                        title: first.title,
                        reason: reason
                    )
                    remarks.append(ImportReading.Remark(record: first.record, entry: entry))
                }
                return
            }
            // If items may be left out, the newer one is kept.
            var (out, kept) = (candidate, first)
            if let theirs = candidate.modified, let ours = first.modified, theirs > ours {
                swap(&out, &kept)
            }
            candidates[record.uuid] = kept
            leftOut.insert(out.record)
            report.skip(
                line: out.line,
                title: out.title,
                reason: "Line \(kept.line) has the same UUID and other content."
            )
        }
    }

    /// Leaves out items of which the former document says the same.
    ///
    /// - Complexity: memory for the items of the former document while it works.
    private mutating func leaveOutUnedited(
        since document: ByteSource,
        _ source: ByteSource,
        _ format: ExchangeFormat,
        _ settings: ExchangeSettings
    ) throws {
        var former: [UUID: ItemRecord] = [:]
        try forEachRecord(document, format, settings) { former[$1.record.uuid] = $1.record }
        try forEachRecord(source, format, settings) { place, imported in
            guard !leftOut.contains(place), let before = former[imported.record.uuid] else {
                return
            }
            if imported.record.fields(unlike: before).isEmpty {
                leftOut.insert(place)
            } else {
                self.former[imported.record.uuid] = before
            }
        }
    }

    private func forEachRecord(
        _ source: ByteSource,
        _ format: ExchangeFormat,
        _ settings: ExchangeSettings,
        _ body: (_ place: Int, ImportedRecord) -> Void
    ) throws {
        source.rewind()
        var reader = try format.reader(of: source, settings: settings)
        var place = 0
        while let event = reader.next() {
            guard case .record(let imported) = event else { continue }
            body(place, imported)
            place += 1
        }
        try source.checkWhole()
    }
}

extension ItemRecord {
    /// A hash of the content, equal for equal content at any place in the file.
    fileprivate var contentHash: UInt64 {
        var copy = self
        copy.order = nil
        copy.shortID = nil
        return copy.hash
    }

    private var hash: UInt64 {
        var bytes: [UInt8] = []
        DocketJSONWriter.append(self, to: &bytes)
        return ByteSource.fingerprint(bytes)
    }
}
