import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectContext
import Synchronization

/// An import on a thread of its own, with a library of its own, so that screen and keys keep working.
///
/// The window sees the items as those of another program: part after part.
final class ImportRun: Sendable {
    private struct State {
        var progress = ImportProgress(done: 0, total: 0)
        var result: Result<Outcome, any Error>?
        var isCancelled = false
    }

    /// What remains of an import.
    struct Outcome: Sendable {
        /// What was done, in words.
        var sentence: String
        /// Why nothing was imported; empty if something was.
        var refusal: String
    }

    /// The import was stopped by the user.
    struct Stopped: Error {}

    /// The file's name without its folder.
    let name: String
    private let state = Mutex(State())
    private let done = Completion()

    /// - Parameters:
    ///   - path: the document.
    ///   - format: its format.
    ///   - store: the library's file.
    ///   - hooks: the owner's.
    ///   - context: the time of the import.
    ///   - backup: how many backups are kept.
    ///   - batch: how many items are saved at a time.
    ///   - wake: called on the thread when there is something new to show.
    init(
        _ path: String,
        _ format: ExchangeFormat,
        into store: String,
        _ hooks: ItemHooks?,
        _ context: DateContext,
        _ backup: BackupPolicy,
        batch: Int,
        wake: @escaping @Sendable () -> Void
    ) {
        name = path.split(separator: "/").last.map(String.init) ?? path
        ContextThread(name: "import")
            .later { [self] in
                let result = Result {
                    try run(path, format, URL(filePath: store), hooks, context, backup, batch, wake)
                }
                state.withLock { $0.result = result }
                done.signal()
                wake()
            }
    }

    private func run(
        _ path: String,
        _ format: ExchangeFormat,
        _ store: URL,
        _ hooks: ItemHooks?,
        _ context: DateContext,
        _ backup: BackupPolicy,
        _ batch: Int,
        _ wake: @escaping @Sendable () -> Void
    ) throws -> Outcome {
        let library = try Library(url: store, author: "interface") { context }
        defer { library.close() }
        library.hooks = hooks
        var warning = ""
        library.whenHookSpeaks = { warning += "; \($0)" }
        let outcome = try library.importItems(
            format,
            from: try ByteSource.opening(path),
            named: name,
            batch: batch,
            progress: { [self] progress in
                try checkGoesOn()
                state.withLock { $0.progress = progress }
                wake()
            },
            beforeWriting: { [self] in
                do {
                    try library.backUp(.beforeImport, backup) { [self] _ in try checkGoesOn() }
                } catch let stop as Stopped {
                    throw stop
                } catch {
                    warning += localized("; there is no backup from before: \(error.reason)")
                }
            }
        )
        guard outcome.report.isComplete else {
            let first = outcome.report.details(limit: 1).split(separator: "\n").first ?? ""
            return Outcome(
                sentence: "",
                refusal:
                    localized(
                        "Nothing was imported. \(first) `docket import --skip-broken` imports the rest."
                    )
            )
        }
        let changed = outcome.report.changed.total
        let remarks = changed == 0 ? "" : localized("; \(changed) not quite as in the file")
        return Outcome(sentence: outcome.sentence() + remarks + warning, refusal: "")
    }

    private func checkGoesOn() throws {
        if state.withLock({ $0.isCancelled }) { throw Stopped() }
    }

    var progress: ImportProgress { state.withLock { $0.progress } }

    /// What remains of the import; `nil` while it runs.
    var result: Result<Outcome, any Error>? { state.withLock { $0.result } }

    /// Asks the import to stop after the part that it is saving.
    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Waits for the end.
    func wait() { done.wait() }
}
