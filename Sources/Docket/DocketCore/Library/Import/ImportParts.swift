import DocketFormats
import ObjectGraph

/// Elements in batches, of which the next is made on another thread while the last one is used.
final class ElementsAhead<Element> {
    /// What the other thread makes.
    ///
    /// Safety: only one thread uses it at a time: the other one until it signals, then the caller.
    private final class Batch: @unchecked Sendable {
        let next: () -> Element?
        var elements: [Element] = []

        init(_ next: @escaping () -> Element?) { self.next = next }

        func fill(_ count: Int) {
            elements = []
            elements.reserveCapacity(count)
            while elements.count < count, let element = next() { elements.append(element) }
        }
    }

    private let size: Int
    private let batch: Batch
    private let thread = ContextThread(name: "reader")
    private var ready: Completion?

    /// - Parameters:
    ///   - size: how many elements a batch has.
    ///   - next: makes the next element; `nil` at the end. It is called on the other thread.
    init(size: Int, _ next: @escaping () -> Element?) {
        self.size = size
        batch = Batch(next)
        begin()
    }

    deinit { ready?.wait() }

    /// The next elements; empty at the end.
    func take() -> [Element] {
        ready?.wait()
        ready = nil
        let elements = batch.elements
        batch.elements = []
        if elements.count == size { begin() }
        return elements
    }

    private func begin() {
        let ready = Completion()
        self.ready = ready
        thread.later { [batch, size] in
            batch.fill(size)
            ready.signal()
        }
    }
}

/// The records of a document in parts.
final class ImportParts {
    /// Where the reader is; the thread that reads ahead uses it.
    private final class Place {
        var reader: any RecordReader
        var records = 0
        var failures = 0

        init(_ reader: any RecordReader) { self.reader = reader }
    }

    private let place: Place
    private let records: ElementsAhead<ImportedRecord>
    /// How many items could not be read, at the end of the document.
    var failures: Int { place.failures }

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
        let place = Place(reader)
        self.place = place
        records = ElementsAhead(size: size) {
            while let event = place.reader.next() {
                switch event {
                case .smartList, .remark: continue
                case .failure: place.failures += 1
                case .record(var imported):
                    let number = place.records
                    place.records += 1
                    if leftOut.contains(number) { continue }
                    if let change = changes[number] {
                        imported.record.take(change.fields, from: change.record)
                    }
                    return imported
                }
            }
            return nil
        }
    }

    /// The next records; empty at the end.
    func take() -> [ImportedRecord] { records.take() }
}
