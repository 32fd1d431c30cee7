import ObjectGraph

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

    /// Makes the work inside the write transaction of a part: if nobody else has saved, what belongs
    /// to it is done.
    func check(then body: @escaping () -> Void) -> () throws -> Void {
        { [unowned self] in
            let newest = try coordinator.withFirstStore { try $0.latestTransaction() } ?? 0
            guard newest == latest else { throw Disturbed() }
            body()
        }
    }
}
