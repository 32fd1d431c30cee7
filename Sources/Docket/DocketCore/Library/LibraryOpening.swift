public import CivilTime
public import FoundationEssentials
import Glibc
import ObjectContext
import ObjectGraph
import Synchronization

/// A library that is being opened while the caller does something else: the interface draws a frame,
/// and reads keys.
public final class LibraryOpening: Sendable {
    private struct State {
        var result: Result<Void, any Error>?
        var isCancelled = false
        var step: UpgradeStep?
        var part = 0.0
    }

    private let url: URL
    private let isReadOnly: Bool
    private let document: ManagedDocument
    private let upgrade: LibraryUpgrade
    private let state: Shared
    private let done = Completion()

    /// What the report of an upgrade shares with the opening.
    private final class Shared: Sendable {
        let state = Mutex(State())
        let wake: @Sendable () -> Void

        init(_ wake: @escaping @Sendable () -> Void) { self.wake = wake }

        func note(_ step: UpgradeStep, _ part: Double) -> Bool {
            let goesOn = state.withLock { state in
                state.step = step
                state.part = part
                return !state.isCancelled
            }
            wake()
            return goesOn
        }

        /// Not inlined, as every lock in asynchronous code; see docs/design/threads.md.
        @inline(never)
        func end(_ result: Result<Void, any Error>) { state.withLock { $0.result = result } }
    }

    /// Begins to open a library.
    ///
    /// - Parameters:
    ///   - url: the store's file; it is made if it does not exist.
    ///   - isReadOnly: whether nothing may be written.
    ///   - wake: called on another thread when there is something new to show, and at the end.
    /// - Throws: `ObjectGraphError` if the model contradicts itself.
    public init(
        url: URL,
        isReadOnly: Bool = false,
        wake: @escaping @Sendable () -> Void
    ) throws {
        self.url = url
        self.isReadOnly = isReadOnly
        let state = Shared(wake)
        self.state = state
        upgrade = LibraryUpgrade(url) { state.note($0, $1) }
        var options = DocumentOptions()
        options.form = .file
        options.store = upgrade.options(isReadOnly: isReadOnly)
        // Commands are saved one by one.
        options.autosaveDelay = nil
        options.keepsUndo = false
        options.mergePolicy = .mergeByPropertyObjectTrump
        document = try ManagedDocument(
            at: url,
            model: DocketModel.ready(),
            classes: PersistentStoreCoordinator.byEntity(DocketModel.classes),
            options: options
        )
        document.begin { [self] _ in
            let result: Result<Void, any Error>
            do {
                try await open()
                result = .success(())
            } catch {
                result = .failure(error)
            }
            state.end(result)
            done.signal()
            wake()
        }
    }

    private func open() async throws {
        defer { upgrade.end() }
        do {
            if !isReadOnly, access(url.path, F_OK) != 0 {
                do {
                    return try await document.save(for: .creating)
                } catch  where access(url.path, F_OK) == 0 {
                    // Another program has made it meanwhile.
                }
            }
            try await document.open()
        } catch {
            throw upgrade.refusal(error)
        }
    }

    /// Whether the end has come, successful or not.
    public var isDone: Bool { state.state.withLock { $0.result != nil } }

    /// What is being done to a library of an older version, and which part of it is done, 0…1; `nil`
    /// for one of this version.
    public var upgradeProgress: (step: UpgradeStep, part: Double)? {
        state.state.withLock { state in state.step.map { ($0, state.part) } }
    }

    /// Cancels an upgrade; the library then stays as it was.
    public func cancel() { state.state.withLock { $0.isCancelled = true } }

    /// Waits for the end.
    ///
    /// - Returns: whether it has come.
    public func wait(atMost duration: Duration) -> Bool { done.wait(atMost: duration) }

    /// The library, on the thread that will use it, once ``isDone`` holds.
    ///
    /// - Throws: why it could not be opened.
    public func library(
        author: String,
        clock: @escaping () -> DateContext
    ) throws -> Library {
        try state.state.withLock { $0.result }?.get()
        return try Library(document, at: url, author, upgrade.former, clock)
    }
}
