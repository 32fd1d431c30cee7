import Foundation
import ObjectGraph
import SeededRandom
import Synchronization
import Testing

/// Additional content and objects are one save.
@Suite struct DocumentContentTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private var contents: [String] {
        let path = folder.document.appending(path: "AdditionalContent").path
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    @Test(arguments: [StoreType.sqlite, .binary, .xml, .text])
    func contentIsSavedWithTheObjectsAndReadAtOpening(_ type: StoreType) async throws {
        let cover = Cover("first")
        var options = DocumentOptions.content(cover)
        options.store.type = type
        let document = try ManagedDocument.make(folder.document, options)
        try await document.save(for: .creating)
        #expect(contents.count == 1)
        cover.set("second")
        try await document.add("Emma")
        try await document.save()
        #expect(cover.state.withLock { $0.original } == "first")
        #expect(contents.count == 1)
        try await document.add("Persuasion")
        try await document.save()
        #expect(cover.state.withLock { $0.writes } == 2, "an unchanged content is not written")
        try await document.close()
        let other = Cover()
        options.content = other
        let again = try ManagedDocument.make(folder.document, options)
        try await again.open()
        #expect(other.text == "second")
        let copy = folder.url.appending(path: "Copy")
        try await again.save(to: copy)
        let third = Cover()
        options.content = third
        let copied = try ManagedDocument.make(copy, options)
        try await copied.open()
        #expect(third.text == "second")
        other.set("dropped")
        try await again.revert()
        #expect(other.text == "second")
    }

    @Test func failingContentSavesNothing() async throws {
        let cover = Cover("first")
        let document = try ManagedDocument.make(folder.document, .content(cover))
        try await document.save(for: .creating)
        cover.set("refused")
        cover.state.withLock { $0.fails = true }
        try await document.add("Emma")
        let error = await failure { try await document.save() }
        #expect(error?.code == .cannotWrite && error?.underlying.first is Cover.Failure)
        #expect(document.state == .savingError && document.hasUnsavedChanges)
        #expect(try savedTitles(folder.document) == [])
        #expect(contents.count == 1)
        cover.state.withLock { $0.fails = false }
        try await document.save()
        #expect(try savedTitles(folder.document) == ["Emma"])
        #expect(document.state == .normal)
        #expect(contents.count == 1)
    }

    /// A second process is killed at some moment of its saves: the document has the objects and the
    /// content of one save.
    @Test(arguments: [1, 2, 3, 5, 8], [false, true])
    func killedProcessLeavesObjectsAndContentOfOneSave(
        _ save: Int,
        _ isAfterCommit: Bool
    ) async throws {
        let path = folder.document.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, save = save as Int, isAfterCommit = isAfterCommit as Bool] in
            let cover = Cover("0")
            let document = try ManagedDocument.make(URL(filePath: path), .content(cover))
            try await document.save(for: .creating)
            for number in 1..<save {
                cover.set("\(number)")
                try await document.add("\(number)")
                try await document.save()
            }
            try await document.close()
            let killing = Cover("0") { if !isAfterCommit { kill(getpid(), SIGKILL) } }
            let last = try ManagedDocument.make(URL(filePath: path), .content(killing))
            try await last.open()
            killing.set("\(save)")
            try await last.add("\(save)")
            try await last.save()
            kill(getpid(), SIGKILL)
        }
        let cover = Cover()
        let document = try ManagedDocument.make(folder.document, .content(cover))
        try await document.open()
        let count = try await document.titles().count
        #expect(count == (isAfterCommit ? save : save - 1))
        #expect(cover.text == "\(count)")
        #expect(contents.count == 1, "what the killed process left is removed")
        cover.set("after")
        try await document.add("after")
        try await document.close()
        #expect(contents.count == 1)
    }

    /// The same at a moment that the process does not choose.
    @Test(arguments: SeededRandom.seeds(3))
    func killAtAnyMomentLeavesObjectsAndContentOfOneSave(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let path = folder.document.path
        let stop = random.below(40) + 1
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, stop = stop as Int] in
            try await KilledWriter.run(path, until: stop)
        }
        let cover = Cover()
        let document = try ManagedDocument.make(folder.document, .content(cover))
        try await document.open()
        let count = try await document.titles().count
        #expect(count == stop || count == stop - 1)
        #expect(cover.text == "\(count)")
    }

    @Test func missingContentIsToldAndTheStoreIsNotTouched() async throws {
        let document = try ManagedDocument.make(folder.document, .content(Cover("c")))
        try await document.save(for: .creating)
        try await document.close()
        try FileManager.default.removeItem(at: folder.document.appending(path: "AdditionalContent"))
        let error = await failure { try await document.open() }
        #expect(error?.code == .damagedFile)
        let without = try ManagedDocument.make(folder.document)
        try await without.open()
        #expect(try await without.titles() == [])
    }

    @Test func documentOfOneFileHasNoPlaceForContent() async throws {
        var options = DocumentOptions.form(.file)
        options.content = Cover("c")
        let document = try ManagedDocument.make(folder.document, options)
        #expect(await failure { try await document.save(for: .creating) }?.code == .invalidRequest)
        #expect(folder.names == [])
    }
}

/// A process that ends while it saves.
private enum KilledWriter {
    static func run(_ path: String, until stop: Int) async throws {
        let cover = Cover("0")
        let document = try ManagedDocument.make(URL(filePath: path), .content(cover))
        try await document.save(for: .creating)
        for number in 1...stop {
            cover.set("\(number)")
            try await document.add("\(number)")
            if number < stop { try await document.save() }
        }
        Task { try await document.save() }
        for _ in 0..<(stop * 7 % 23) { await Task.yield() }
        kill(getpid(), SIGKILL)
    }
}
