import DocketCore
import FoundationEssentials
import Synchronization

/// How `docket sync` beside a window has ended.
public struct SyncEnd: Sendable {
    public let isDone: Bool
    /// What it has written.
    public let output: String

    public init(isDone: Bool, output: String) {
        (self.isDone, self.output) = (isDone, output)
    }

    /// The last thing that it has complained about.
    var complaint: String? {
        let lead = "docket: "
        return output.split(separator: "\n").last { $0.hasPrefix(lead) }
            .map { String($0.dropFirst(lead.count)) }
    }
}

/// Starts `docket sync`, which says at its end, on any thread, how that was.
public typealias SyncStarter = (_ end: @escaping @Sendable (SyncEnd) -> Void) throws -> Void

/// The exchange with servers as a window shows it: a running one, and how the last ones have ended.
///
/// A window without servers in its settings reads nothing.
final class SyncState {
    /// A running exchange.
    private final class Run: Sendable {
        let began = Date()
        let end = Mutex<SyncEnd?>(nil)
    }

    /// The last exchange with a server; without a note there was none.
    struct Known: Equatable {
        let server: String
        let note: SyncNote?
    }

    var starter: SyncStarter?
    /// The user's folder for what programs remember.
    var folder: String?
    private let store: String
    private var run: Run?
    private(set) var known: [Known] = []
    /// Whether the notes were read, which is done after the first frame.
    var isRead = false
    /// The failures that were told.
    private var told: Set<SyncNote> = []

    init(store: String) { self.store = store }

    var isRunning: Bool { run != nil }

    /// Starts an exchange with all servers.
    func start(wake: @escaping @Sendable () -> Void) throws {
        let run = Run()
        try starter? { end in
            run.end.withLock { $0 = end }
            wake()
        }
        self.run = run
    }

    /// How the exchange of this window has ended, and the notes of that; `nil` if none has.
    func takeEnd(_ servers: [SyncSetting]) -> (end: SyncEnd, known: [Known])? {
        guard let run, let end = run.end.withLock({ $0 }) else { return nil }
        self.run = nil
        read(servers)
        told.formUnion(known.compactMap(\.note))
        return (end, known.filter { $0.note.map { $0.date >= run.began } ?? false })
    }

    /// Reads the notes.
    ///
    /// - Returns: whether something has changed.
    @discardableResult
    func read(_ servers: [SyncSetting]) -> Bool {
        isRead = true
        guard let folder else { return false }
        let now = servers.map { server in
            let path = SyncNote.path(ofServer: server.name, store: store, in: folder)
            return Known(server: server.name, note: SyncNote(at: path))
        }
        defer { known = now }
        return known != now
    }

    /// The failures of others that were not told yet; those of a running exchange are its end.
    func takeFailures() -> [Known] {
        if isRunning { return [] }
        return known.filter { known in
            known.note.map { $0.end == .failed && told.insert($0).inserted } ?? false
        }
    }
}
