import Dispatch
import Foundation
import ObjectContext
import ObjectGraph
import Synchronization

/// The classes of the documents in the tests.
final class Book: ManagedObject {
    @Managed var title: String
    @Managed var pages: Int = 0
    @Managed(inverse: \.book) var chapters: [Chapter]
}

final class Chapter: ManagedObject {
    @Managed var name: String
    @Managed var book: Book?
}

/// The same with a further attribute.
enum Later {
    final class Book: ManagedObject {
        @Managed var title: String
        @Managed var pages: Int = 0
        @Managed var stars: Int = 3
        @Managed(inverse: \.book) var chapters: [Chapter]
    }

    final class Chapter: ManagedObject {
        @Managed var name: String
        @Managed var book: Book?
    }
}

/// A folder for the documents of one test; it is removed with it.
final class TestFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "document-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var document: URL { url.appending(path: "Shelf.books") }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }
}

/// An event that threads wait for.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    func pass() {
        semaphore.wait()
        semaphore.signal()
    }
}

/// Additional content: a text in one file, and one in a folder below.
final class Cover: DocumentContent {
    struct Failure: Error {}

    struct State {
        var text: String?
        var isChanged = false
        var writes = 0
        var original: String?
        var fails = false
    }

    let state = Mutex(State())
    /// Called on the thread for files, after the content was written.
    let onWrite: @Sendable () -> Void
    let onRead: @Sendable () -> Void

    init(
        _ text: String? = nil,
        onRead: @escaping @Sendable () -> Void = {},
        onWrite: @escaping @Sendable () -> Void = {}
    ) {
        self.onRead = onRead
        self.onWrite = onWrite
        state.withLock { state in
            state.text = text
            state.isChanged = text != nil
        }
    }

    var text: String? { state.withLock { $0.text } }

    func set(_ text: String) {
        state.withLock { state in
            state.text = text
            state.isChanged = true
        }
    }

    func readAdditionalContent(from folder: URL) throws {
        onRead()
        let text = try String(contentsOf: folder.appending(path: "cover.txt"), encoding: .utf8)
        let deep = try String(contentsOf: folder.appending(path: "deep/cover.txt"), encoding: .utf8)
        if text != deep { throw Failure() }
        state.withLock { state in
            state.text = text
            state.isChanged = false
        }
    }

    func additionalContent(for context: ManagedObjectContext) throws -> (any Sendable)? {
        state.withLock { state in
            defer { state.isChanged = false }
            return state.isChanged ? state.text : nil
        }
    }

    func writeAdditionalContent(
        _ content: any Sendable,
        to folder: URL,
        originalContentsURL: URL?
    ) throws {
        guard let text = content as? String else { throw Failure() }
        try Data(text.utf8).write(to: folder.appending(path: "cover.txt"))
        let deep = folder.appending(path: "deep")
        try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: false)
        try Data(text.utf8).write(to: deep.appending(path: "cover.txt"))
        let original = originalContentsURL.map { $0.appending(path: "cover.txt") }
        let former = try original.map { try String(contentsOf: $0, encoding: .utf8) }
        let fails = state.withLock { state in
            state.writes += 1
            state.original = former
            if state.fails { state.isChanged = true }
            return state.fails
        }
        if fails { throw Failure() }
        onWrite()
    }
}

extension ManagedDocument {
    static func make(_ url: URL, _ options: DocumentOptions = .quiet) throws -> ManagedDocument {
        try ManagedDocument(at: url, for: Book.self, options: options)
    }

    /// The titles of all books, also unsaved ones.
    func titles() throws -> [String] {
        try perform { try Book.all(in: $0, sortedBy: \.title).map(\.title) }
    }

    func add(_ title: String) throws {
        try perform(as: "Add Book") { $0.insert(Book.self).title = title }
    }

    /// The first status that fits.
    func status(_ fits: @Sendable (DocumentStatus) -> Bool) async -> DocumentStatus {
        for await status in statuses where fits(status) { return status }
        return status
    }
}

extension DocumentOptions {
    /// Without autosave.
    static var quiet: DocumentOptions {
        var options = DocumentOptions()
        options.autosaveDelay = nil
        return options
    }

    static func form(_ form: DocumentForm, _ type: StoreType = .sqlite) -> DocumentOptions {
        var options = quiet
        options.form = form
        options.store.type = type
        return options
    }

    static func content(_ content: any DocumentContent) -> DocumentOptions {
        var options = quiet
        options.content = content
        return options
    }
}

/// The titles that a second stack finds in the store of a document.
func savedTitles(_ url: URL, _ type: StoreType = .sqlite) throws -> [String] {
    var options = StoreOptions()
    options.type = type
    options.isReadOnly = true
    let store = url.appending(path: "StoreContent/persistentStore")
    let isPackage = FileManager.default.fileExists(atPath: store.path)
    let container = try PersistentContainer(
        for: Book.self,
        url: isPackage ? store : url,
        options: options
    )
    defer { container.close() }
    return try Book.all(in: container.viewContext, sortedBy: \.title).map(\.title)
}

/// The error that a body throws.
func failure(_ body: () async throws -> Void) async -> ObjectGraphError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? ObjectGraphError
    }
}
