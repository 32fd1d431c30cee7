import Foundation
import ObjectContext
import ObjectGraph
import SeededRandom
import Synchronization
import Testing

private final class Flag: Sendable {
    let isDone = Atomic(false)
}

/// Others at the same document: this program, another one, somebody with a file manager.
@Suite(.serialized) struct DocumentOthersTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private var store: URL { folder.document.appending(path: "StoreContent/persistentStore") }

    @Test func onePlaceIsOneDocumentByWhateverLink() async throws {
        let real = try await ManagedDocument.shared(
            at: folder.document,
            for: Book.self,
            options: .quiet
        )
        try await real.save(for: .creating)
        let link = folder.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.document)
        let linked = folder.url.appending(path: "other")
        try FileManager.default.createSymbolicLink(at: linked, withDestinationURL: folder.url)
        for url in [
            link, folder.document, folder.url.appending(path: "x/../Shelf.books"),
            linked.appending(path: "Shelf.books"), folder.url.appending(path: "Shelf.books/"),
        ] {
            let same = try await ManagedDocument.shared(at: url, for: Book.self, options: .quiet)
            #expect(same === real, "\(url.path)")
        }
        let second = try await ManagedDocument.shared(at: link, for: Book.self, options: .quiet)
        try await second.open()
        try await second.add("Emma")
        #expect(try await real.titles() == ["Emma"])
        // Somebody who does not ask for the shared one is refused.
        let own = try ManagedDocument.make(link)
        let error = await failure { try await own.open() }
        #expect(error?.code == .cannotOpen && error?.message.contains("open already") == true)
        try await real.close()
        try await own.open()
        #expect(try await own.titles() == ["Emma"])
    }

    @Test func placeThatDoesNotExistYetIsOneDocumentToo() async throws {
        let linked = folder.url.appending(path: "other")
        try FileManager.default.createSymbolicLink(at: linked, withDestinationURL: folder.url)
        let one = try await ManagedDocument.shared(at: folder.document, for: Book.self)
        let other = try await ManagedDocument.shared(
            at: linked.appending(path: "Shelf.books"),
            for: Book.self
        )
        #expect(one === other)
    }

    @Test func saveOfAnotherProcessIsMerged() async throws {
        let document = try ManagedDocument.make(folder.document)
        try await document.save(for: .creating)
        try await document.add("ours")
        try await document.save()
        try await document.add("unsaved")
        let path = folder.document.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let other = try ManagedDocument.make(URL(filePath: path))
            try await other.open()
            try await other.perform { try Book.first(in: $0)?.pages = 7 }
            try await other.add("theirs")
            try await other.close()
        }
        while try await document.titles() != ["ours", "theirs", "unsaved"] { await Task.yield() }
        #expect(document.hasUnsavedChanges && document.state == .normal)
        try await document.save()
        #expect(try savedTitles(folder.document) == ["ours", "theirs", "unsaved"])
    }

    @Test func sameValueChangedByBothIsAConflictAndNothingIsLost() async throws {
        let document = try ManagedDocument.make(folder.document)
        try await document.save(for: .creating)
        try await document.add("old")
        try await document.save()
        try await document.perform { try Book.first(in: $0)?.title = "mine" }
        try await changeElsewhere("theirs")
        let error = await failure { try await document.save() }
        #expect(error?.code == .mergeConflict)
        #expect(document.state == .inConflict && document.hasUnsavedChanges)
        #expect(document.status.description.hasPrefix("In conflict: "))
        let copy = folder.url.appending(path: "Rescued")
        try await document.save(to: copy)
        #expect(try savedTitles(copy) == ["mine"])
        #expect(try savedTitles(folder.document) == ["theirs"])
        try await document.save(resolvingConflictsBy: .mergeByPropertyObjectTrump)
        #expect(document.state == .normal && !document.hasUnsavedChanges)
        #expect(try savedTitles(folder.document) == ["mine"])
    }

    @Test func uniqueValueThatSomebodyElseHasTakenIsDecidedByThePolicy() async throws {
        let document = try ManagedDocument(
            at: folder.document,
            for: Category.self,
            options: .quiet
        )
        try await document.save(for: .creating)
        let other = try document.newContext()
        try await document.perform { context in
            for (name, order) in [("Bank", 1), ("Mail", 2)] {
                let category = context.insert(Category.self)
                category.name = name
                category.order = order
            }
        }
        let theirs = other.insert(Category.self)
        theirs.name = "Bank"
        theirs.order = 9
        try other.save()
        #expect(await failure { try await document.save() }?.code == .constraintConflict)
        #expect(document.state == .savingError && document.hasUnsavedChanges)
        try await document.save(resolvingConflictsBy: .mergeByPropertyObjectTrump)
        let orders = try await document.perform { context in
            try Category.all(in: context, sortedBy: \.name).map { "\($0.name) \($0.order ?? 0)" }
        }
        #expect(orders == ["Bank 1", "Mail 2"])
        #expect(document.state == .normal && !document.hasUnsavedChanges)
    }

    @Test func conflictIsOverAfterARevert() async throws {
        let document = try ManagedDocument.make(folder.document)
        try await document.save(for: .creating)
        try await document.add("old")
        try await document.save()
        try await document.perform { try Book.first(in: $0)?.title = "mine" }
        try await changeElsewhere("theirs")
        #expect(await failure { try await document.save() } != nil)
        try await document.revert()
        #expect(document.state == .normal && document.status.error == nil)
        #expect(try await document.titles() == ["theirs"])
    }

    private func changeElsewhere(_ title: String) async throws {
        let container = try PersistentContainer(for: Book.self, url: store)
        container.viewContext.endConfinement()
        try Book.first(in: container.viewContext)?.title = title
        try container.viewContext.save()
        container.close()
    }

    @Test(arguments: [DocumentForm.package, .file], [StoreType.sqlite, .binary])
    func removedFileIsNoticedAndTheEditsCanBeSavedElsewhere(
        _ form: DocumentForm,
        _ type: StoreType
    ) async throws {
        let document = try ManagedDocument.make(folder.document, .form(form, type))
        try await document.save(for: .creating)
        try await document.add("saved")
        try await document.save()
        try await document.add("unsaved")
        try FileManager.default.removeItem(at: folder.document)
        let lost = await document.status { $0.state.contains(.inConflict) }
        #expect(lost.error?.code == .storeReplaced)
        #expect(await failure { try await document.save() } != nil)
        let copy = folder.url.appending(path: "Rescued")
        try await document.save(to: copy)
        #expect(try savedTitles(copy, type) == ["saved", "unsaved"])
        #expect(await failure { try await document.revert() }?.code == .cannotOpen)
        #expect(document.hasUnsavedChanges)
        try await document.close(discardingChanges: true)
        #expect(document.state == .closed)
    }

    @Test(arguments: [StoreType.sqlite, .binary])
    func replacedFileIsNoticedAndRevertTakesIt(_ type: StoreType) async throws {
        let other = folder.url.appending(path: "Other")
        let source = try ManagedDocument.make(other, .form(.file, type))
        try await source.save(for: .creating)
        try await source.add("other")
        try await source.close()
        let document = try ManagedDocument.make(folder.document, .form(.file, type))
        try await document.save(for: .creating)
        try await document.add("mine")
        #expect(rename(other.path, folder.document.path) == 0)
        _ = await document.status { $0.state.contains(.inConflict) }
        #expect(await failure { try await document.save() } != nil)
        #expect(try savedTitles(folder.document, type) == ["other"])
        try await document.revert()
        #expect(try await document.titles() == ["other"])
        try await document.add("next")
        try await document.close()
        #expect(try savedTitles(folder.document, type) == ["next", "other"])
    }

    @Test func contentOfAnotherProcessIsTakenOverAndNotOverwritten() async throws {
        let cover = Cover("ours")
        let document = try ManagedDocument.make(folder.document, .content(cover))
        try await document.save(for: .creating)
        let path = folder.document.path
        func elsewhere(_ text: String) async {
            await #expect(processExitsWith: .success) {
                [path = path as String, text = text as String] in
                let cover = Cover()
                let other = try ManagedDocument.make(URL(filePath: path), .content(cover))
                try await other.open()
                cover.set(text)
                try await other.add(text)
                try await other.close()
            }
        }
        await elsewhere("theirs")
        while cover.text != "theirs" { await Task.yield() }
        #expect(document.state == .normal)
        // Both change it now.
        cover.set("mine")
        try await document.updateChangeCount()
        await elsewhere("again theirs")
        let error = await failure { try await document.save() }
        #expect(error?.code == .mergeConflict)
        #expect(document.state == .inConflict && document.hasUnsavedChanges)
        try await document.revert()
        #expect(cover.text == "again theirs")
        cover.set("last")
        try await document.save()
        try await document.close()
        try await document.open()
        #expect(cover.text == "last")
    }

    static let saves = SeededRandom.rounds(40, long: 150)

    /// Another process saves again and again, objects and content.
    @Test(arguments: [StoreType.sqlite, .binary, .xml, .text])
    func documentIsReadBesideAWriterAgainAndAgain(_ type: StoreType) async throws {
        var options = DocumentOptions.quiet
        options.store.type = type
        options.content = Cover("0")
        let made = try ManagedDocument.make(folder.document, options)
        try await made.save(for: .creating)
        try await made.close()
        let (path, name) = (folder.document.path, type.rawValue)
        let writer = Flag()
        async let writing: Void = {
            await #expect(processExitsWith: .success) {
                [path = path as String, name = name as String] in
                let cover = Cover()
                var options = DocumentOptions.quiet
                options.store.type = StoreType(rawValue: name)
                options.content = cover
                let writer = try ManagedDocument.make(URL(filePath: path), options)
                try await writer.open()
                // Until the reader has opened it twice, however slow that is.
                var number = 0
                while number < DocumentOthersTests.saves
                    || number < 5000 && !FileManager.default.fileExists(atPath: path + ".read")
                {
                    number += 1
                    cover.set("\(number)")
                    try await writer.add("\(number)")
                    try await writer.save()
                }
                try await writer.close()
            }
            writer.isDone.store(true, ordering: .releasing)
        }()
        var last = 0
        var openings = 0
        options.store.isReadOnly = true
        while !writer.isDone.load(ordering: .acquiring) || last < Self.saves {
            let cover = Cover()
            options.content = cover
            let reader = try ManagedDocument.make(folder.document, options)
            try await reader.open()
            let text = try #require(cover.text.flatMap { Int($0) })
            let count = try await reader.titles().count
            // The reader follows, so there may be more objects by now.
            #expect(count >= text && text >= last)
            last = text
            openings += 1
            try await reader.close()
            if openings == 2 { try Data().write(to: URL(filePath: path + ".read")) }
            if Task.isCancelled { break }
        }
        await writing
        #expect(openings > 1)
    }

    @Test(arguments: [StoreType.sqlite, .binary, .xml, .text])
    func documentOpenForReadingFollowsAWriter(_ type: StoreType) async throws {
        var options = DocumentOptions.quiet
        options.store.type = type
        let cover = Cover("first")
        options.content = cover
        let made = try ManagedDocument.make(folder.document, options)
        try await made.save(for: .creating)
        try await made.close()
        var reading = options
        reading.store.isReadOnly = true
        let seen = Cover()
        reading.content = seen
        let reader = try ManagedDocument.make(folder.document, reading)
        try await reader.open()
        #expect(seen.text == "first")
        let (path, name) = (folder.document.path, type.rawValue)
        await #expect(processExitsWith: .success) {
            [path = path as String, name = name as String] in
            let cover = Cover()
            var options = DocumentOptions.quiet
            options.store.type = StoreType(rawValue: name)
            options.content = cover
            let writer = try ManagedDocument.make(URL(filePath: path), options)
            try await writer.open()
            cover.set("second")
            try await writer.add("new")
            try await writer.close()
        }
        while seen.text != "second" { await Task.yield() }
        while (try? await reader.titles()) != ["new"] { await Task.yield() }
        #expect(reader.state.isSubset(of: [.editingDisabled]))
        try await reader.close()
    }

    @Test(arguments: [StoreType.binary, .xml, .text])
    func saveOfAnotherWhileTheDocumentIsReadIsNoticed(_ type: StoreType) async throws {
        var options = DocumentOptions.quiet
        options.store.type = type
        options.content = Cover("cover")
        let made = try ManagedDocument.make(folder.document, options)
        try await made.save(for: .creating)
        let (store, former) = (self.store, folder.url.appending(path: "former"))
        let next = folder.url.appending(path: "next")
        try FileManager.default.copyItem(at: store, to: former)
        try await made.add("new")
        try await made.close()
        try FileManager.default.moveItem(at: store, to: next)
        try FileManager.default.moveItem(at: former, to: store)
        options.store.isReadOnly = true
        // After the store was read, and before the document is open.
        options.content = Cover(onRead: { _ = rename(next.path, store.path) })
        let reader = try ManagedDocument.make(folder.document, options)
        try await reader.open()
        while (try? await reader.titles()) != ["new"] { await Task.yield() }
        try await reader.close()
    }

    @Test func lockedStoreIsRefusedAndTheEditsStay() async throws {
        let document = try ManagedDocument.make(folder.document)
        try await document.save(for: .creating)
        try await document.add("Emma")
        let lock = try LockedStore(store)
        let error = await failure { try await document.save() }
        #expect(error?.code == .timedOut)
        #expect(document.state == .savingError && document.hasUnsavedChanges)
        lock.end()
        try await document.save()
        #expect(try savedTitles(folder.document) == ["Emma"])
    }
}
