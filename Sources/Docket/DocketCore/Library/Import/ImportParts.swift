import DocketFormats
import ObjectGraph

/// The records of a document in parts, of which the next is read on another thread while the last
/// one is written.
final class ImportParts {
    /// What the other thread reads.
    ///
    /// Safety: only one thread uses it at a time: the other one until it signals, then the caller.
    private final class Next: @unchecked Sendable {
        var reader: any RecordReader
        let leftOut: Set<Int>
        let changes: [Int: RecordChange]
        /// How many records were read.
        var place = 0
        var records: [ImportedRecord] = []
        var failures = 0

        init(_ reader: any RecordReader, leftOut: Set<Int>, _ changes: [Int: RecordChange]) {
            self.reader = reader
            self.leftOut = leftOut
            self.changes = changes
        }

        func read(_ count: Int) {
            records = []
            records.reserveCapacity(count)
            while records.count < count, let event = reader.next() {
                if case .smartList = event { continue }
                guard case .record(var imported) = event else {
                    failures += 1
                    continue
                }
                if !leftOut.contains(place) {
                    if let change = changes[place] {
                        imported.record.take(change.fields, from: change.record)
                    }
                    records.append(imported)
                }
                place += 1
            }
        }
    }

    private let size: Int
    private let next: Next
    private let thread = ContextThread(name: "reader")
    private var ready: Completion?
    /// How many items could not be read, at the end of the document.
    var failures: Int { next.failures }

    /// - Parameters:
    ///   - reader: at the beginning of the document.
    ///   - leftOut: the records that are not passed on, counted from 0.
    ///   - changes: those of hooks, by record.
    ///   - size: how many records a part has.
    init(
        _ reader: any RecordReader,
        leavingOut leftOut: Set<Int>,
        _ changes: [Int: RecordChange] = [:],
        size: Int
    ) {
        next = Next(reader, leftOut: leftOut, changes)
        self.size = size
        readAhead()
    }

    deinit { ready?.wait() }

    /// The next records; empty at the end.
    func take() -> [ImportedRecord] {
        ready?.wait()
        ready = nil
        let records = next.records
        next.records = []
        if records.count == size { readAhead() }
        return records
    }

    private func readAhead() {
        let ready = Completion()
        self.ready = ready
        thread.later { [next, size] in
            next.read(size)
            ready.signal()
        }
    }
}
