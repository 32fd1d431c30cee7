import Foundation
import ObjectGraph
import Synchronization
import Testing

/// The autosave, with a clock of the test.
@Suite struct DocumentAutosaveTests {
    private let folder: TestFolder
    private let clock = ManualClock()

    init() throws { folder = try TestFolder() }

    private func created(_ content: Cover? = nil) async throws -> ManagedDocument {
        var options = DocumentOptions()
        options.clock = clock
        options.content = content
        let document = try ManagedDocument.make(folder.document, options)
        try await document.save(for: .creating)
        return document
    }

    @Test func burstOfEditsIsSavedOnceWhenItIsQuiet() async throws {
        let document = try await created()
        let before = document.status.saveCount
        for number in 0..<50 {
            try await document.add("book \(number)")
            // The first sleep begins with the first edit.
            await clock.hasSlept(1)
            clock.advance(by: .milliseconds(20))
        }
        // It ends while the last edit is a moment ago, and another one follows.
        clock.advance(by: .milliseconds(1_000))
        await clock.hasSlept(2)
        #expect(document.status.saveCount == before && document.hasUnsavedChanges)
        clock.advance(by: .milliseconds(980))
        let saved = await document.status { !$0.hasUnsavedChanges && $0.activity == nil }
        #expect(saved.saveCount == before + 1)
        #expect(try savedTitles(folder.document).count == 50)
        clock.advance(by: .seconds(100))
        _ = try await document.titles()
        #expect(document.status.saveCount == before + 1 && clock.sleeping == 0)
    }

    @Test func editsWithoutAPauseAreSavedAtTheLimit() async throws {
        let document = try await created()
        let before = document.status.saveCount
        for number in 0..<31 {
            try await document.add("book \(number)")
            // The first sleep begins with the first edit.
            await clock.hasSlept(1)
            clock.advance(by: .seconds(1))
        }
        let saved = await document.status { $0.saveCount > before }
        #expect(saved.saveCount == before + 1)
        #expect(try savedTitles(folder.document).count >= 28)
    }

    @Test func nothingWaitsBeforeAnEdit() async throws {
        let document = try await created()
        _ = try await document.titles()
        #expect(clock.slept == 0)
        try await document.add("Emma")
        await clock.hasSlept(1)
        try await document.close()
        #expect(try savedTitles(folder.document) == ["Emma"])
        clock.advance(by: .seconds(100))
        #expect(document.state == .closed)
    }

    @Test func changedContentAloneIsSavedToo() async throws {
        let cover = Cover()
        let document = try await created(cover)
        cover.set("new")
        try await document.updateChangeCount()
        #expect(document.hasUnsavedChanges)
        await clock.hasSlept(1)
        clock.advance(by: .seconds(2))
        _ = await document.status { !$0.hasUnsavedChanges && $0.activity == nil }
        try await document.close()
        let other = Cover()
        let again = try ManagedDocument.make(folder.document, .content(other))
        try await again.open()
        #expect(other.text == "new")
    }

    @Test func releasedDocumentLivesUntilItsAutosave() async throws {
        weak var released: ManagedDocument?
        do {
            let document = try await created()
            released = document
            try await document.add("Emma")
        }
        await clock.hasSlept(1)
        #expect(released != nil)
        clock.advance(by: .seconds(2))
        while released != nil { await Task.yield() }
        #expect(try savedTitles(folder.document) == ["Emma"])
    }

    @Test func failedAutosaveIsToldAndTriedAgainAfterTheNextEdit() async throws {
        let cover = Cover()
        let document = try await created(cover)
        cover.set("refused")
        cover.state.withLock { $0.fails = true }
        try await document.add("Emma")
        await clock.hasSlept(1)
        clock.advance(by: .seconds(2))
        let failed = await document.status { $0.state.contains(.savingError) }
        #expect(failed.hasUnsavedChanges && failed.error?.code == .cannotWrite)
        #expect(try savedTitles(folder.document) == [])
        cover.state.withLock { $0.fails = false }
        try await document.add("Persuasion")
        await clock.hasSlept(2)
        clock.advance(by: .seconds(2))
        let saved = await document.status { !$0.hasUnsavedChanges && $0.activity == nil }
        #expect(saved.state == .normal && saved.error == nil)
        #expect(try savedTitles(folder.document) == ["Emma", "Persuasion"])
    }
}
