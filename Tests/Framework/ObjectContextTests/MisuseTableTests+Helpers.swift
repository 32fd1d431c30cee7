import CompilerAtHand
import FoundationEssentials
import ObjectGraph
import Testing

/// The same for what is built on contexts: finders of classes, forms, flags, counts, followers,
/// background fetches, moving a store, documents.
extension MisuseTableTests {
    private func books() throws -> PersistentContainer {
        let url = folder.url.appending(path: "books.sqlite")
        let container = try PersistentContainer(for: Author.self, url: url)
        container.viewContext.endConfinement()
        return container
    }

    private func closed(_ name: String, _ body: @escaping () async throws -> Void) -> Call {
        (name, .storeClosed, "is closed", body)
    }

    // MARK: Classes

    private func closedClassCalls(_ books: ManagedObjectContext) -> [Call] {
        [
            closed("all") { _ = try Book.all(in: books) },
            closed("all where") { _ = try Book.all(in: books, where: \.copies > 3) },
            closed("all where, in a closure") {
                _ = try Book.all(in: books, where: { $0.title.contains("a") })
            },
            closed("first") { _ = try Book.first(in: books, sortedBy: \.title) },
            closed("find") { _ = try Author.find(by: \.name, "Jane", in: books) },
            closed("count") { _ = try Book.count(in: books, where: \.copies > 3) },
            closed("delete all") { _ = try Book.deleteAll(in: books, where: \.copies > 3) },
            closed("find or create") {
                _ = try Author.findOrCreate(by: \.name, ["Jane"], in: books)
            },
            closed("columns") {
                let columns = FetchRequest<[String: GraphValue]>(
                    of: Book.self,
                    columns: [.property(\.title)]
                )
                _ = try books.fetch(columns)
            },
            closed("batch update") {
                try books.execute(BatchUpdate(of: Book.self, .set(\.copies, to: 3)))
            },
            closed("results") {
                try FetchedResultsController(
                    request: FetchRequest<Book>(sortedBy: \.title),
                    context: books,
                    sections: \.author.name
                ).performFetch()
            },
            closed("loop over results") {
                for await _ in try Book.results(in: books, sortedBy: \.title) { break }
            },
            closed("search") { _ = try books.search("x", in: Book.self) },
        ]
    }

    private func classCalls(_ books: ManagedObjectContext, _ stranger: Author) -> [Call] {
        [
            (
                "condition on what is no property", .undefinedKey, "computed String of Book",
                { _ = try Book.all(in: books, where: \.shortTitle == "Emm") }
            ),
            (
                "order by what is no property", .undefinedKey, "computed String of Book",
                { _ = try Book.all(in: books, sortedBy: \.shortTitle) }
            ),
            (
                "batch with an author of elsewhere", .referentialIntegrity, "does not belong",
                { try books.execute(BatchUpdate(of: Book.self, .set(\.author, to: stranger))) }
            ),
            (
                "class of another model", .invalidRequest, "Book",
                { _ = try Book.all(in: context) }
            ),
        ]
    }

    @Test func findersOfClassesNameWhatIsWrong() async throws {
        let here = try books()
        let elsewhere = try PersistentContainer(for: Author.self, options: .inMemory)
        elsewhere.viewContext.endConfinement()
        let stranger = elsewhere.viewContext.insert(Author.self)
        stranger.name = "Stranger"
        try elsewhere.viewContext.save()
        let books = here.viewContext
        let topic = Topic(in: books) { $0.name = "England" }
        _ = Book(in: books) {
            $0.title = "Emma"
            $0.keywords = ["England"]
            $0.topics = [topic]
        }
        try books.save()
        try await run(classCalls(books, stranger))
        #expect(!books.hasChanges)
        here.close()
        try await run(closedClassCalls(books))
        #expect(!books.hasChanges)
        try expectAllIsSaved()
    }

    // MARK: Forms

    @Test func formsThatEndInAnotherOrderSaySo() async throws {
        context.undoManager = UndoManager(notificationCenter: GraphNotificationCenter())
        let own = context.undoManager
        let (outer, inner) = (
            EditSession(context, name: "Edit"), EditSession(context, name: "Choose")
        )
        try await run([
            ("accept", .undoState, "\"Choose\" is open inside \"Edit\"", { try outer.accept() }),
            ("undo", .undoState, "\"Choose\"", { try outer.undo() }),
            ("redo", .undoState, "\"Choose\"", { try outer.redo() }),
        ])
        try inner.accept()
        try inner.accept()
        try await run([
            ("undo of what has ended", .undoState, "\"Choose\" has ended", { try inner.undo() }),
            ("redo of what has ended", .undoState, "\"Choose\" has ended", { try inner.redo() }),
        ])
        try outer.accept()
        #expect(context.undoManager === own)
        try context.undo()
        #expect(ana["name"] == "Ana")
        try context.redo()
        try expectAllIsSaved()
    }

    @Test func cancelledFormTakesTheFormsInsideAndOpenGroupsWithIt() throws {
        context.undoManager = UndoManager(notificationCenter: GraphNotificationCenter())
        let own = context.undoManager
        let outer = EditSession(context, name: "Edit")
        ana["name"] = "Anna"
        let inner = EditSession(context, name: "Choose")
        inner.undoManager.beginUndoGrouping()
        ana["age"] = 50
        outer.cancel()
        #expect(!outer.isOpen && !inner.isOpen)
        #expect(ana["name"] == "Ana" && ana["age"] == 0 && !context.hasChanges)
        #expect(context.undoManager === own && own?.canUndo == false)
        let form = EditSession(context, name: "Edit")
        form.undoManager.beginUndoGrouping()
        ana["name"] = "Anna"
        try form.accept()
        try context.undo()
        #expect(ana["name"] == "Ana")
    }

    // MARK: Flags and counts

    private final class Owner: ManagedObject {
        @Managed var removed: Bool = false
        @Managed var name: String?
        @Managed var things: Set<Thing>
        @Managed var things2: [Thing]
    }
    private final class Thing: ManagedObject {
        @Managed var removed: Bool = false
        @Managed(inverse: \.things) var owner: Owner?
        @Managed(inverse: \.things2) var owner2: Owner?
    }

    @Test func flagsAndCountsNameWhatTheyCannotUse() async throws {
        let url = folder.url.appending(path: "owners.sqlite")
        let owners = try PersistentContainer(for: Owner.self, url: url)
        let context = owners.viewContext
        context.endConfinement()
        let (kept, gone) = (context.insert(Owner.self), context.insert(Owner.self))
        let thing = context.insert(Thing.self)
        thing.owner = kept
        try context.save()
        context.delete(gone)
        try context.save()
        let flag = DeferredDeletion(of: Owner.self, \.removed)
        try await run([
            ("mark what is gone", .invalidRequest, "no context", { try flag.mark([kept, gone]) }),
            (
                "mark another entity", .invalidRequest, "\"Owner\"",
                { try flag.mark([kept, thing] as [ManagedObject]) }
            ),
            ("restore what is gone", .invalidRequest, "", { try flag.restore([kept, gone]) }),
            (
                "flag of another type", .wrongValueKind, "Owner.name",
                { try DeferredDeletion(of: Owner.self, \.name).mark([kept]) }
            ),
            (
                "unknown flag", .wrongValueKind, "Owner.nam",
                { try DeferredDeletion(entityName: "Owner", key: "nam").restore([kept]) }
            ),
            (
                "purge by a date", .wrongValueKind, "Owner.removed",
                { try flag.purge(in: context, markedBefore: .distantPast) }
            ),
            (
                "purge of an unknown entity", .invalidRequest, "Ownr",
                { try DeferredDeletion(entityName: "Ownr", key: "x").purge(in: context) }
            ),
            (
                "count of what is gone", .invalidRequest, "no context",
                { _ = try ChildCount(of: gone, \.things) }
            ),
        ])
        #expect(!kept.removed && !context.hasChanges)
        context.refresh(kept, mergeChanges: false)
        owners.close()
        try await run([
            closed("purge") { try flag.purge(in: context) },
            closed("count") { _ = try ChildCount(of: kept, \.things) },
            closed("count where") {
                _ = try ChildCount(of: kept, \.things2, where: \.removed == false)
            },
        ])
        try expectAllIsSaved()
    }

    // MARK: Followers and background fetches

    @Test func followersAndBackgroundFetchesOfAClosedStoreSaySo() async throws {
        var sorted = FetchRequest<ManagedObjectID>(entityName: "Employee")
        sorted.predicate = try FetchPredicate(format: "nam = 'x'")
        try await run([
            (
                "key", .undefinedKey, "nam",
                { _ = try await context.fetchInBackground(request("nam = 'x'")) }
            ),
            ("IDs", .undefinedKey, "nam", { _ = try await context.fetchInBackground(sorted) }),
            (
                "variable", .invalidRequest, "WHO",
                { _ = try await context.fetchInBackground(request("name = $WHO")) }
            ),
            (
                "entity", .invalidRequest, "Emploee",
                {
                    let request = FetchRequest<ManagedObject>(entityName: "Emploee")
                    _ = try await context.fetchInBackground(request)
                }
            ),
        ])
        let follower = try StoreFollower(context)
        container.close()
        try await run([
            closed("fetch") { _ = try await context.fetchInBackground(request()) },
            closed("follower") { _ = try StoreFollower(context) },
            closed("catching up") { try follower.catchUp() },
            closed("saving a new object") {
                let employee = try context.make("Employee")
                defer { context.delete(employee) }
                try context.save()
            },
        ])
        context.rollback()
        #expect(!context.hasChanges)
    }

    @Test func followerOfAChildIsRefused() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let child = ManagedObjectContext(parent: try TestGraph.context())
            child.name = "scratch"
            _ = try StoreFollower(child)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("context \"scratch\" has a parent"), "\(text)")
    }

    // MARK: Moving a store

    private func migrationCalls(_ taken: URL) -> [Call] {
        let coordinator = container.coordinator
        func move(
            _ store: StoreReference? = nil,
            to url: URL?,
            _ change: (inout StoreOptions) -> Void = { _ in }
        ) throws {
            var options = StoreOptions()
            change(&options)
            let place = StoreDescription(url: url, options: options)
            try coordinator.migrateStore(store ?? self.store, to: place)
        }
        let new = folder.url.appending(path: "new.xml")
        return [
            (
                "a store of elsewhere", .invalidRequest, "there.sqlite",
                { try move(elsewhere, to: new) }
            ),
            ("a place that is taken", .cannotWrite, "taken.xml", { try move(to: taken) }),
            (
                "a folder that is missing", .cannotWrite, "new.xml",
                { try move(to: folder.url.appending(path: "missing/new.xml")) }
            ),
            ("no place", .cannotOpen, "SQLite", { try move(to: nil) }),
            (
                "another configuration", .invalidRequest, "configuration",
                { try move(to: new) { $0.configuration = "Other" } }
            ),
            (
                "for reading only", .invalidRequest, "reading only",
                { try move(to: new) { $0.isReadOnly = true } }
            ),
            (
                "an unknown type", .invalidStoreType, "Paper",
                { try move(to: new) { $0.type = StoreType(rawValue: "Paper") } }
            ),
            (
                "from a file that is missing", .cannotOpen, "none.sqlite",
                {
                    try PersistentStoreCoordinator.migrateStore(
                        from: StoreDescription(url: folder.url.appending(path: "none.sqlite")),
                        model: coordinator.model,
                        to: StoreDescription(url: new),
                        model: coordinator.model
                    )
                }
            ),
        ]
    }

    @Test func storeThatCannotBeMovedStaysOpenAndWhole() async throws {
        let taken = folder.url.appending(path: "taken.xml")
        try Data("here".utf8).write(to: taken)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        try await run(migrationCalls(taken))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(left == names)
        #expect(try Data(contentsOf: taken) == Data("here".utf8))
        #expect(container.coordinator.persistentStores == [store])
        container.close()
        let place = StoreDescription(url: folder.url.appending(path: "new.sqlite"))
        try await run([
            (
                "closed", .invalidRequest, "here.sqlite",
                { try container.coordinator.migrateStore(store, to: place) }
            )
        ])
    }

    // MARK: Documents

    @Test func documentsNameWhatTheyCannotDo() async throws {
        let url = folder.url.appending(path: "Shelf.books")
        let document = try ManagedDocument(at: url, for: Author.self)
        let name = "\"Shelf.books\""
        func not(_ call: String, _ body: @escaping () async throws -> Void) -> Call {
            (call, .documentClosed, "\(name) is not open", body)
        }
        let copy = folder.url.appending(path: "Copy.books")
        try await run([
            not("perform") { try await document.perform { _ in } },
            not("perform and wait") { try document.performAndWait { _ in } },
            not("context") { _ = try document.newContext() },
            not("change") { try await document.updateChangeCount() },
            not("save") { try await document.save() },
            not("copy") { try await document.save(to: copy) },
            not("revert") { try await document.revert() },
            ("open", .cannotOpen, name, { try await document.open() }),
        ])
        try await document.close()
        try await document.save(for: .creating)
        try await document.perform { $0.insert(Author.self).name = "Jane" }
        let second = try ManagedDocument(at: url, for: Author.self)
        try Data("x".utf8).write(to: copy)
        try await run([
            ("create twice", .cannotWrite, name, { try await document.save(for: .creating) }),
            ("open twice", .cannotOpen, name, { try await second.open() }),
            ("create what is there", .cannotOpen, name, { try await second.save(for: .creating) }),
            ("copy onto itself", .cannotWrite, name, { try await document.save(to: url) }),
            (
                "copy onto another", .cannotWrite, "\"Copy.books\"",
                { try await document.save(to: copy) }
            ),
            (
                "entity", .invalidRequest, "Athor",
                { try await document.perform { _ = try $0.insert(entityNamed: "Athor") } }
            ),
        ])
        let further = try document.newContext()
        further.endConfinement()
        #expect(try Data(contentsOf: copy) == Data("x".utf8))
        try await document.close()
        try await run([closed("its context") { _ = try Author.all(in: further) }])
        try await second.open()
        #expect(try await second.perform { try Author.all(in: $0).map(\.name) } == ["Jane"])
        try await second.close()
        try expectAllIsSaved()
    }
}
