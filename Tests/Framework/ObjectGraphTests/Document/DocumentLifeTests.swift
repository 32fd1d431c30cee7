import Foundation
import ObjectContext
import ObjectGraph
import Synchronization
import Testing

/// A document from its creation to its closing.
@Suite struct DocumentLifeTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test(arguments: [StoreType.sqlite, .binary, .xml, .text])
    func createdEditedClosedAndOpenedAgainItHasTheEdits(_ type: StoreType) async throws {
        for form in [DocumentForm.package, .file] {
            let url = folder.url.appending(path: "\(type.rawValue)-\(form)")
            let document = try ManagedDocument.make(url, .form(form, type))
            #expect(document.state == .closed && document.status.description == "Closed")
            try await document.save(for: .creating)
            #expect(document.state == .normal && document.status.description == "Saved")
            try await document.perform { context in
                let book = context.insert(Book.self)
                book.title = "Emma"
                for name in ["one", "two", "three"] {
                    let chapter = context.insert(Chapter.self)
                    chapter.name = name
                    chapter.book = book
                }
            }
            #expect(document.hasUnsavedChanges)
            #expect(document.status.description == "Unsaved changes")
            try await document.close()
            #expect(document.state == .closed && !document.hasUnsavedChanges)

            let again = try ManagedDocument.make(url, .form(form, type))
            try await again.open()
            let chapters = try await again.perform { context in
                try Book.first(in: context)?.chapters.map(\.name).sorted()
            }
            #expect(chapters == ["one", "three", "two"])
            try await again.close()
            try await again.close()
        }
        #expect(folder.names.allSatisfy { !$0.hasPrefix(".") }, "\(folder.names)")
    }

    @Test func closedDocumentRefusesUseWithAnError() async throws {
        let document = try ManagedDocument.make(folder.document)
        let uses: [() async throws -> Void] = [
            { _ = try await document.titles() },
            { try document.performAndWait { _ in } },
            { try await document.save() },
            { try await document.revert() },
            { try await document.save(to: self.folder.url.appending(path: "Copy")) },
            { try await document.updateChangeCount() },
            { _ = try document.newContext() },
        ]
        for use in uses { #expect(await failure(use)?.code == .documentClosed) }
        try await document.save(for: .creating)
        try await document.close()
        for use in uses { #expect(await failure(use)?.code == .documentClosed) }
        #expect(folder.names == ["Shelf.books"])
    }

    @Test func missingDocumentIsNotCreatedByOpeningIt() async throws {
        for form in [DocumentForm.package, .file] {
            let document = try ManagedDocument.make(folder.document, .form(form))
            let error = await failure { try await document.open() }
            #expect(error?.code == .cannotOpen)
            #expect(error?.message.contains("\"Shelf.books\"") == true)
            #expect(document.status.description.hasPrefix("Not open: The document"))
        }
        #expect(folder.names == [])
    }

    @Test func creatingDoesNotReplaceWhatIsThere() async throws {
        for form in [DocumentForm.package, .file] {
            try Data("precious".utf8).write(to: folder.document)
            let document = try ManagedDocument.make(folder.document, .form(form))
            let error = await failure { try await document.save(for: .creating) }
            #expect(error?.code == .cannotWrite)
            #expect(try Data(contentsOf: folder.document) == Data("precious".utf8))
            #expect(folder.names == ["Shelf.books"])
        }
        let nowhere = folder.url.appending(path: "no/such/folder")
        let document = try ManagedDocument.make(nowhere)
        #expect(await failure { try await document.save(for: .creating) } != nil)
    }

    @Test func whatIsNotADocumentIsRefusedAndNotChanged() async throws {
        let document = try ManagedDocument.make(folder.document)
        try Data("a file".utf8).write(to: folder.document)
        #expect(await failure { try await document.open() }?.code == .cannotOpen)
        try FileManager.default.removeItem(at: folder.document)
        try FileManager.default.createDirectory(
            at: folder.document,
            withIntermediateDirectories: false
        )
        #expect(await failure { try await document.open() }?.code == .cannotOpen)
        let file = try ManagedDocument.make(folder.document, .form(.file))
        #expect(await failure { try await file.open() }?.code == .cannotOpen)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.document.path) == [])
    }

    @Test(arguments: [0, 1, 100, 4_095, 4_096, 8_192, 20_000])
    func damagedStoreIsRefusedWithASentence(_ length: Int) async throws {
        let document = try ManagedDocument.make(folder.document)
        try await document.save(for: .creating)
        for number in 0..<50 { try await document.add("book \(number)") }
        try await document.close()
        let store = folder.document.appending(path: "StoreContent/persistentStore")
        var data = try Data(contentsOf: store)
        if length == 0 {
            data.replaceSubrange(0..<100, with: Data(repeating: 7, count: 100))
        } else {
            data = data.prefix(length)
        }
        try data.write(to: store)
        let error = await failure { try await document.open() }
        #expect(error != nil)
        #expect(document.state == .closed && document.status.error?.code == error?.code)
        #expect(try Data(contentsOf: store) == data)
        // The place is free again.
        try FileManager.default.removeItem(at: folder.document)
        try await document.save(for: .creating)
        #expect(try await document.titles() == [])
    }

    @Test func storeOfANewerProgramIsRefused() async throws {
        let newer = try ManagedDocument(
            at: folder.document,
            for: Later.Book.self,
            options: .quiet
        )
        try await newer.save(for: .creating)
        try await newer.close()
        let document = try ManagedDocument.make(folder.document)
        let error = await failure { try await document.open() }
        #expect(error?.code == .incompatibleVersion)
        try await newer.open()
        #expect(newer.state == .normal)
    }

    @Test func everyCallReturnsBeforeTheDiskAnswers() async throws {
        let gate = Gate()
        let document = try ManagedDocument.make(folder.document, .content(Cover("c")))
        try await document.save(for: .creating)
        try await document.close()
        let slow = try ManagedDocument.make(
            folder.document,
            .content(Cover(onRead: { gate.pass() }))
        )
        let opening = Task { try await slow.open() }
        // The disk does not answer: what is asked meanwhile comes back.
        _ = await slow.status { $0.activity == .opening }
        #expect(slow.status.description == "Opening")
        #expect(slow.state == [.closed, .editingDisabled])
        #expect(await failure { try await slow.add("too early") }?.code == .documentClosed)
        #expect(await failure { try slow.performAndWait { _ in } }?.code == .documentClosed)
        gate.open()
        try await opening.value
        #expect(slow.state == .normal)
    }

    @Test func cancelledOpeningLeavesAtOnceAndTheDocumentCanBeOpenedLater() async throws {
        let gate = Gate()
        let cover = Cover("c", onRead: { gate.pass() })
        let document = try ManagedDocument.make(folder.document, .content(cover))
        try await document.save(for: .creating)
        try await document.close()
        let opening = Task { try await document.open() }
        _ = await document.status { $0.activity == .opening }
        opening.cancel()
        let error = await failure { try await opening.value }
        #expect(error?.code == .cancelled)
        #expect(document.state == .closed && document.status.activity == nil)
        // The next opening comes after what the disk still does.
        let next = Task { try await document.open() }
        gate.open()
        try await next.value
        #expect(document.state == .normal)
        try await document.add("Emma")
        try await document.close()
        #expect(try savedTitles(folder.document) == ["Emma"])
    }

    @Test func migrationTellsItsProgressAndItsWords() async throws {
        let old = try ManagedDocument.make(folder.document)
        try await old.save(for: .creating)
        try await old.perform { context in
            for number in 0..<10_000 { context.insert(Book.self).title = "book \(number)" }
        }
        try await old.close()
        let seen = Mutex<[MigrationMonitor.Progress]>([])
        var options = DocumentOptions.quiet
        options.store.migration.monitor = MigrationMonitor { progress in
            seen.withLock { $0.append(progress) }
        }
        let document = try ManagedDocument(
            at: folder.document,
            for: Later.Book.self,
            options: options
        )
        let statuses = document.statuses
        try await document.open()
        #expect(document.state == .normal)
        var told: [DocumentStatus] = []
        for await status in statuses {
            told.append(status)
            if status.state == .normal { break }
        }
        let progress = told.filter { $0.state.contains(.progressAvailable) }
        #expect(progress.count > 1)
        #expect(progress.allSatisfy { $0.description.hasPrefix("Opening: ") })
        #expect(progress.last?.progress?.fraction == 1)
        #expect(seen.withLock { $0.count } > 1)
        #expect(try await document.perform { try Later.Book.first(in: $0)?.stars } == 3)
    }

    @Test func monitorOfTheProgramCancelsTheMigration() async throws {
        let old = try ManagedDocument.make(folder.document)
        try await old.save(for: .creating)
        try await old.perform { context in
            for number in 0..<5_000 { context.insert(Book.self).title = "book \(number)" }
        }
        try await old.close()
        let cancel = Mutex<(@Sendable () -> Void)?>(nil)
        let monitor = MigrationMonitor { _ in cancel.withLock { $0 }?() }
        cancel.withLock { $0 = { monitor.cancel() } }
        var options = DocumentOptions.quiet
        options.store.migration.monitor = monitor
        let document = try ManagedDocument(
            at: folder.document,
            for: Later.Book.self,
            options: options
        )
        #expect(await failure { try await document.open() }?.code == .cancelled)
        #expect(document.status.description.hasPrefix("Not open: "))
        try await old.open()
        #expect(try await old.perform { try Book.count(in: $0) } == 5_000)
        cancel.withLock { $0 = nil }
    }

    @Test func cancelledMigrationLeavesTheDocumentAsItWas() async throws {
        let old = try ManagedDocument.make(folder.document)
        try await old.save(for: .creating)
        try await old.perform { context in
            for number in 0..<5_000 { context.insert(Book.self).title = "book \(number)" }
        }
        try await old.close()
        let (began, gate) = (Gate(), Gate())
        var options = DocumentOptions.quiet
        options.store.migration.beforeMigration = { _ in
            began.open()
            gate.pass()
        }
        let document = try ManagedDocument(
            at: folder.document,
            for: Later.Book.self,
            options: options
        )
        let opening = Task { try await document.open() }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                began.pass()
                continuation.resume()
            }
        }
        opening.cancel()
        #expect(await failure { try await opening.value }?.code == .cancelled)
        gate.open()
        // Another opening waits until the abandoned one has ended.
        let again = try ManagedDocument.make(folder.document)
        while true {
            do {
                try await again.open()
                break
            } catch let error as ObjectGraphError where error.message.contains("open already") {
                await Task.yield()
            }
        }
        #expect(try await again.perform { try Book.count(in: $0) } == 5_000)
    }

    @Test func releasedDocumentIsGoneAndItsPlaceIsFree() async throws {
        weak var released: ManagedDocument?
        do {
            let document = try ManagedDocument.make(folder.document)
            released = document
            try await document.save(for: .creating)
            try await document.add("Emma")
            try await document.save()
            _ = try await document.titles()
        }
        // The last job of the actor may still hold it for a moment.
        while released != nil { await Task.yield() }
        let next = try ManagedDocument.make(folder.document)
        try await next.open()
        #expect(try await next.titles() == ["Emma"])
    }

    @Test func blockingCallsAndFurtherContextsSeeTheSameDocument() async throws {
        let document = try ManagedDocument.make(folder.document)
        try await document.save(for: .creating)
        try document.performAndWait(as: "Add") { $0.insert(Book.self).title = "Emma" }
        try await document.save()
        let context = try document.newContext()
        let emma = try #require(try Book.first(in: context))
        emma.title = "Persuasion"
        try context.save()
        #expect(try await document.titles() == ["Persuasion"])
        try await document.perform { try Book.first(in: $0)?.pages = 300 }
        try await document.save()
        context.processPendingChanges()
        #expect(emma.pages == 300)
    }
}
