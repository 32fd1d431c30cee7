import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import SeededRandom
import Testing

/// Saving, reverting, copying, and what happens when the disk refuses.
@Suite struct DocumentSavingTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func created(_ options: DocumentOptions = .quiet) async throws -> ManagedDocument {
        let document = try ManagedDocument.make(folder.document, options)
        try await document.save(for: .creating)
        return document
    }

    @Test func editsGoOnWhileASaveIsWritten() async throws {
        let (began, gate) = (Gate(), Gate())
        let cover = Cover(onWrite: {
            began.open()
            gate.pass()
        })
        let document = try await created(.content(cover))
        try await document.add("first")
        cover.set("slow")
        let saving = Task { try await document.save() }
        await wait(for: began)
        #expect(document.status.activity == .saving)
        // The disk has not answered, and the document is edited and read.
        try await document.add("second")
        try await document.perform { context in
            try Book.first(in: context, where: \.title == "first")?.pages = 7
        }
        #expect(try await document.titles() == ["first", "second"])
        gate.open()
        try await saving.value
        #expect(document.hasUnsavedChanges)
        #expect(try savedTitles(folder.document) == ["first"])
        try await document.save()
        #expect(try savedTitles(folder.document) == ["first", "second"])
        #expect(!document.hasUnsavedChanges)
        #expect(
            try await document.perform { try Book.first(in: $0, where: \.pages == 7)?.title }
                == "first"
        )
    }

    @Test(arguments: [StoreType.sqlite, .binary, .xml, .text])
    func metadataAreSavedWithoutChangesOfObjects(_ type: StoreType) async throws {
        let document = try await created(.form(.package, type))
        try await document.add("first")
        try await document.save()
        try await document.perform { context in
            let coordinator = context.coordinator
            let store = try #require(coordinator.persistentStores.first)
            var metadata = try coordinator.metadata(of: store)
            metadata["Shelf.sorting"] = "title"
            try coordinator.setMetadata(metadata, of: store)
        }
        #expect(document.hasUnsavedChanges)
        let count = document.status.saveCount
        try await document.save()
        #expect(!document.hasUnsavedChanges && document.status.saveCount == count + 1)
        let store = folder.document.appending(path: "StoreContent/persistentStore")
        #expect(
            try PersistentStoreCoordinator.metadata(ofStoreAt: store)["Shelf.sorting"] == "title"
        )
        // A save with nothing to write is none.
        try await document.save()
        #expect(document.status.saveCount == count + 1)
        try await document.close()
        try await document.open()
        let isKept = try await document.perform { context in
            let store = try #require(context.coordinator.persistentStores.first)
            return try context.coordinator.metadata(of: store)["Shelf.sorting"] == "title"
        }
        #expect(isKept)
        #expect(try await document.titles() == ["first"])
        try await document.close()
    }

    @Test func saveOfTheContextDuringASaveWaitsForIt() async throws {
        let (began, gate) = (Gate(), Gate())
        let cover = Cover(onWrite: {
            began.open()
            gate.pass()
        })
        let document = try await created(.content(cover))
        try await document.add("first")
        cover.set("slow")
        let saving = Task { try await document.save() }
        await wait(for: began)
        let second = Task {
            try await document.perform { context in
                context.insert(Book.self).title = "second"
                try context.save()
            }
        }
        gate.open()
        try await second.value
        try await saving.value
        try await document.save()
        #expect(try savedTitles(folder.document) == ["first", "second"])
    }

    @Test func closingWaitsForTheSaveThatRuns() async throws {
        let (began, gate) = (Gate(), Gate())
        let cover = Cover(onWrite: {
            began.open()
            gate.pass()
        })
        let document = try await created(.content(cover))
        try await document.add("first")
        cover.set("slow")
        let saving = Task { try await document.save() }
        await wait(for: began)
        try await document.add("second")
        let closing = Task { try await document.close() }
        gate.open()
        try await closing.value
        try await saving.value
        #expect(document.state == .closed)
        #expect(try savedTitles(folder.document) == ["first", "second"])
    }

    @Test func revertDropsExactlyWhatIsNotSaved() async throws {
        var random = SeededRandom()
        let document = try await created()
        var saved: [String: Int] = [:]
        for _ in 0..<20 {
            for _ in 0..<random.below(8) {
                let (title, pages) = ("book \(random.below(30))", random.below(1000))
                try await document.perform { context in
                    let found = try Book.first(in: context, where: \.title == title)
                    let book = found ?? context.insert(Book.self)
                    book.title = title
                    book.pages = pages
                    if pages % 7 == 0 { context.delete(book) }
                }
            }
            let now = try await state(document)
            if random.chance(2) {
                try await document.save()
                saved = now
            } else {
                try await document.revert()
                #expect(try await state(document) == saved)
                #expect(try await document.perform { $0.undoManager?.canUndo } == false)
            }
            #expect(!document.hasUnsavedChanges)
        }
    }

    private func state(_ document: ManagedDocument) async throws -> [String: Int] {
        try await document.perform { context in
            Dictionary(
                try Book.all(in: context).map { ($0.title, $0.pages) },
                uniquingKeysWith: { $0 + $1 }
            )
        }
    }

    @Test func stepsOfUndoOutliveASaveAndMakeTheDocumentUnsavedAgain() async throws {
        let document = try await created()
        try await document.add("Emma")
        try await document.perform(as: "Set Pages") { try Book.first(in: $0)?.pages = 300 }
        try await document.save()
        #expect(!document.hasUnsavedChanges)
        let name = try await document.perform { context in
            let name = context.undoManager?.undoActionName
            try context.undoManager?.undo()
            return name
        }
        #expect(name == "Set Pages")
        #expect(document.hasUnsavedChanges)
        try await document.close()
        try await document.open()
        #expect(try await document.perform { try Book.first(in: $0)?.pages } == 0)
    }

    @Test func invalidEditIsNotSavedAndCanBeCorrected() async throws {
        let model = ManagedObjectModel([
            EntityDescription("Thing", [AttributeDescription("name", .string, optional: false)])
        ])
        let document = try ManagedDocument(at: folder.document, model: model, options: .quiet)
        try await document.save(for: .creating)
        try await document.perform { context in
            try context.insert(entityNamed: "Thing").setValue(.string("good"), forKey: "name")
            try context.insert(entityNamed: "Thing").setValue(.null, forKey: "name")
        }
        let error = await failure { try await document.save() }
        #expect(error?.code == .missingMandatory)
        #expect(document.state == .savingError && document.hasUnsavedChanges)
        #expect(document.status.description.hasPrefix("Not saved: "))
        #expect(await failure { try await document.close() }?.code == .missingMandatory)
        #expect(document.state == .savingError, "the edits are still here")
        try await document.perform { context in
            for thing in context.insertedObjects where try thing.value(forKey: "name") == .null {
                try thing.setValue(.string("better"), forKey: "name")
            }
        }
        try await document.close()
        #expect(document.state == .closed && document.status.error == nil)
    }

    @Test func editsOfManyTasksDuringManySavesAreAllSaved() async throws {
        let document = try await created()
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<25 {
                        try await document.perform { context in
                            let book = context.insert(Book.self)
                            book.title = "\(task)-\(number)"
                            // An object of another task, which a save may be writing.
                            try Book.first(in: context)?.pages += 1
                        }
                        if number % 5 == task % 5 { try await document.save() }
                    }
                }
            }
            try await group.waitForAll()
        }
        let pages = try await document.perform { try Book.all(in: $0).reduce(0) { $0 + $1.pages } }
        try await document.close()
        #expect(pages == 200)
        #expect(Set(try savedTitles(folder.document)).count == 200)
        try await document.open()
        #expect(
            try await document.perform { try Book.all(in: $0).reduce(0) { $0 + $1.pages } } == 200
        )
    }

    @Test func tenThousandEditsAreOneSave() async throws {
        let document = try await created()
        for part in 0..<100 {
            try await document.perform { context in
                for number in 0..<100 { context.insert(Book.self).title = "\(part)-\(number)" }
            }
        }
        try await document.save()
        #expect(document.status.saveCount == 1)
        #expect(try savedTitles(folder.document).count == 10_000)
        try await document.perform { context in
            for book in try Book.all(in: context) { book.pages += 1 }
        }
        try await document.save()
        #expect(
            try await document.perform { try Book.count(in: $0, where: \.pages == 1) } == 10_000
        )
    }

    @Test(arguments: [StoreType.sqlite, .binary, .xml, .text], [DocumentForm.package, .file])
    func copyHasTheUnsavedEditsAndTheDocumentStays(
        _ type: StoreType,
        _ form: DocumentForm
    ) async throws {
        let document = try await created(.form(form, type))
        try await document.add("saved")
        try await document.save()
        try await document.add("unsaved")
        try await document.perform { context in
            let book = try Book.first(in: context, where: \.title == "saved")
            book?.title = "renamed"
            let chapter = context.insert(Chapter.self)
            chapter.name = "one"
            chapter.book = book
        }
        let copy = folder.url.appending(path: "Copy")
        try await document.save(to: copy)
        #expect(document.hasUnsavedChanges && document.state == .normal)
        #expect(try savedTitles(folder.document, type) == ["saved"])
        #expect(try savedTitles(copy, type) == ["renamed", "unsaved"])
        #expect(await failure { try await document.save(to: copy) }?.code == .cannotWrite)
        try await document.add("third")
        try await document.save(to: copy, for: .overwriting)
        #expect(try savedTitles(copy, type) == ["renamed", "third", "unsaved"])
        #expect(
            await failure { try await document.save(to: folder.document, for: .overwriting) }?.code
                == .cannotWrite
        )
        try await document.save()
        #expect(try savedTitles(folder.document, type) == ["renamed", "third", "unsaved"])
        let other = try ManagedDocument.make(copy, .form(form, type))
        try await other.open()
        let chapters = try await other.perform { context in
            try Book.first(in: context, where: \.title == "renamed")?.chapters.map(\.name)
        }
        #expect(chapters == ["one"])
        #expect(folder.names.allSatisfy { !$0.hasPrefix(".") }, "\(folder.names)")
    }

    @Test func fullDiskKeepsTheEditsAndTheNextSaveHasThem() async throws {
        let path = folder.document.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let document = try ManagedDocument.make(
                URL(filePath: path),
                .content(Cover("before"))
            )
            try await document.save(for: .creating)
            try await document.add("before")
            try await document.save()
            // From here on no file of this process grows beyond a few pages.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let whole = limit.rlim_cur
            limit.rlim_cur = 8_192
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let long = String(repeating: "x", count: 1_000_000)
            try await document.add(long)
            let error = await failure { try await document.save() }
            #expect(error?.code == .cannotWrite, "\(String(describing: error))")
            #expect(document.state == .savingError && document.hasUnsavedChanges)
            #expect(try await document.titles().count == 2)
            limit.rlim_cur = whole
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            try await document.save()
            #expect(document.state == .normal && !document.hasUnsavedChanges)
            try await document.close()
        }
        let titles = try savedTitles(folder.document)
        #expect(titles.map(\.count) == [6, 1_000_000])
    }

    private func wait(for gate: Gate) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                gate.pass()
                continuation.resume()
            }
        }
    }
}
