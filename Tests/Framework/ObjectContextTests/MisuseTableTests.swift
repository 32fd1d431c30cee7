import CompilerAtHand
import FoundationEssentials
import ObjectGraph
import Testing

/// Every part of the interface with each wrong use that it can be given: a wrong key, a wrong type, a
/// closed store, a deleted object, an object or a store of elsewhere, a wrong thread.
///
/// A call throws a typed error whose sentence names what is wrong, and damages nothing: afterwards the
/// pending change is there and is saved. What cannot throw ends the program with a sentence.
@Suite("Wrong calls, call by call")
struct MisuseTableTests {
    typealias Code = ObjectGraphError.Code
    typealias Call = (name: String, code: Code, says: String, body: () async throws -> Void)

    let folder: ScratchFolder
    let container: PersistentContainer
    let other: PersistentContainer
    let context: ManagedObjectContext
    let ana: ManagedObject
    let store: StoreReference
    let elsewhere: StoreReference
    private let plan = MisuseTableTests.seeds("Tag", "name\nfirst\n")

    init() throws {
        let folder = try ScratchFolder("MisuseTableTests")
        self.folder = folder
        func open(_ name: String) throws -> PersistentContainer {
            try PersistentContainer(
                model: TestGraph.model(),
                url: folder.url.appending(path: name)
            )
        }
        container = try open("here.sqlite")
        other = try open("there.sqlite")
        context = container.viewContext
        // Tests that wait go on on any thread.
        context.endConfinement()
        other.viewContext.endConfinement()
        context.name = "here"
        other.viewContext.name = "elsewhere"
        ana = try context.make("Employee", ["name": "Ana"])
        try context.save(as: "Begin")
        _ = try other.viewContext.make("Employee", ["name": "Stranger"])
        try other.viewContext.save(as: "Begin")
        store = try #require(container.coordinator.persistentStores.first)
        elsewhere = try #require(other.coordinator.persistentStores.first)
    }

    private static func seeds(_ entity: String, _ csv: String) -> SeedPlan {
        var plan = SeedPlan("table", [SeedTable(entity, csv: csv.utf8)])
        plan.marker.entityName = "Employee"
        plan.marker.nameKey = "name"
        plan.marker.versionKey = "age"
        return plan
    }

    func request(_ format: String = "TRUEPREDICATE") throws -> FetchRequest<ManagedObject> {
        FetchRequest<ManagedObject>(
            entityName: "Employee",
            predicate: try FetchPredicate(format: format),
            sortDescriptors: [FetchSortDescriptor("name")]
        )
    }

    private func columns(
        _ names: [String],
        groupedBy groups: [String] = []
    ) -> FetchRequest<[String: GraphValue]> {
        var request = FetchRequest<[String: GraphValue]>(entityName: "Employee")
        request.propertiesToFetch = names.map { .init($0) }
        request.propertiesToGroupBy = groups.map { .init($0) }
        return request
    }

    private func update(_ key: String, _ value: GraphValue) -> BatchUpdate {
        var update = BatchUpdate(entityName: "Employee")
        update.values = [key: .constant(value)]
        return update
    }

    func run(_ calls: [Call]) async throws {
        ana["name"] = "Anna"
        context.processPendingChanges()
        for call in calls {
            do {
                try await call.body()
                Issue.record("\(call.name): it throws nothing")
            } catch let error as ObjectGraphError {
                #expect(error.code == call.code, "\(call.name): \(error.code.rawValue) \(error)")
                #expect("\(error)".contains(call.says), "\(call.name): \(error)")
                #expect(error.message.hasSuffix("."), "\(call.name): \(error)")
            } catch {
                Issue.record("\(call.name): \(error)")
            }
            context.processPendingChanges()
            #expect(context.updatedObjects == [ana], "\(call.name)")
            let others = context.insertedObjects.union(context.deletedObjects)
            #expect(others.isEmpty, "\(call.name)")
            #expect(ana["name"] == "Anna", "\(call.name)")
        }
    }

    func expectAllIsSaved() throws {
        try context.save()
        let reader = container.newContext()
        #expect(try reader.all("Employee").map { $0["name"] } == ["Anna"])
        #expect(try reader.all("Tag").isEmpty)
        let stranger = other.newContext()
        #expect(try stranger.all("Employee").map { $0["name"] } == ["Stranger"])
    }

    // MARK: Wrong keys and types

    private var keyCalls: [Call] {
        [
            ("fetch", .undefinedKey, "nam", { _ = try context.fetch(request("nam = 'x'")) }),
            ("count", .undefinedKey, "nam", { _ = try context.count(for: request("nam = 'x'")) }),
            ("columns", .invalidRequest, "nam", { _ = try context.fetch(columns(["nam"])) }),
            (
                "groups", .invalidRequest, "nam",
                { _ = try context.fetch(columns(["name"], groupedBy: ["nam"])) }
            ),
            (
                "prefetch", .invalidRequest, "nam",
                {
                    var request = try request()
                    request.relationshipKeyPathsForPrefetching = ["nam"]
                    _ = try context.fetch(request)
                }
            ),
            (
                "variable", .invalidRequest, "WHO",
                { _ = try context.fetch(request("name = $WHO")) }
            ),
            (
                "batch insert", .undefinedKey, "nam",
                {
                    let insert = BatchInsert(entityName: "Employee", objects: [["nam": "x"]])
                    try context.execute(insert)
                }
            ),
            ("batch update", .undefinedKey, "nam", { try context.execute(update("nam", "x")) }),
            (
                "batch delete", .undefinedKey, "nam",
                {
                    let predicate = try FetchPredicate(format: "nam = 'x'")
                    let delete = BatchDelete(entityName: "Employee", predicate: predicate)
                    try context.execute(delete)
                }
            ),
            (
                "sections", .undefinedKey, "nam",
                {
                    try FetchedResultsController(
                        request: request(),
                        context: context,
                        sectionNameKeyPath: "nam"
                    ).performFetch()
                }
            ),
            (
                "results without an order", .invalidRequest, "order",
                {
                    let request = FetchRequest<ManagedObject>(entityName: "Employee")
                    _ = try FetchedResultsController(request: request, context: context)
                }
            ),
            (
                "history", .undefinedKey, "nam",
                {
                    var request = HistoryRequest()
                    request.predicate = try FetchPredicate(format: "nam = 'x'")
                    _ = try container.coordinator.history(request)
                }
            ),
            (
                "seeds", .invalidFormat, "nam",
                { _ = try Self.seeds("Tag", "nam\nx\n").apply(to: context) }
            ),
            (
                "entity of seeds", .invalidFormat, "Tga",
                { _ = try Self.seeds("Tga", "name\nx\n").run(in: container.coordinator) }
            ),
            ("batch type", .wrongValueKind, "age", { try context.execute(update("age", "old")) }),
            (
                "batch insert type", .wrongValueKind, "age",
                {
                    let insert = BatchInsert(entityName: "Employee", objects: [["age": "old"]])
                    try context.execute(insert)
                }
            ),
            (
                "type of seeds", .invalidFormat, "age",
                { _ = try Self.seeds("Employee", "age\nold\n").apply(to: context) }
            ),
            (
                "validation type", .wrongValueKind, "age",
                {
                    var value: GraphValue = "old"
                    try ana.validateValue(&value, forKey: "age")
                }
            ),
            (
                "insert of an entity", .invalidRequest, "Emploee",
                { _ = try context.insert(entityNamed: "Emploee") }
            ),
        ]
    }

    @Test func wrongKeysAndTypesAreNamed() async throws {
        try await run(keyCalls)
        try expectAllIsSaved()
    }

    // MARK: Deleted objects, and what belongs elsewhere

    private func elsewhereCalls(
        _ gone: ManagedObject,
        _ stranger: ManagedObject,
        _ url: URL
    ) -> [Call] {
        let coordinator = container.coordinator
        return [
            (
                "existing object", .referentialIntegrity, "",
                { _ = try context.existingObject(with: gone.objectID) }
            ),
            (
                "object of another coordinator", .referentialIntegrity, "does not belong",
                { _ = try context.existingObject(with: stranger.objectID) }
            ),
            (
                "relationship to an ID of another coordinator", .referentialIntegrity,
                "does not belong",
                { try ana.setValue(.objectID(stranger.objectID), forKey: "boss") }
            ),
            (
                "another entity", .wrongValueKind, "an Employee, not a Tag",
                {
                    let tag = try context.insert(entityNamed: "Tag")
                    defer { context.delete(tag) }
                    try ana.setValue(.object(tag), forKey: "boss")
                }
            ),
            (
                "relationship to a stranger", .invalidRequest, "elsewhere",
                { try ana.setValue(.object(stranger), forKey: "boss") }
            ),
            (
                "relationship to a deleted object", .invalidRequest, "no context",
                { try ana.setValue(.object(gone), forKey: "boss") }
            ),
            (
                "batch with a stranger", .referentialIntegrity, "does not belong",
                { try context.execute(update("boss", .object(stranger))) }
            ),
            (
                "store of a stranger", .invalidRequest, "",
                { try context.assign(stranger, to: store) }
            ),
            (
                "another's store", .invalidRequest, "there.sqlite",
                { try context.assign(ana, to: elsewhere) }
            ),
            (
                "metadata", .invalidRequest, "there.sqlite",
                { _ = try coordinator.metadata(of: elsewhere) }
            ),
            (
                "set metadata", .invalidRequest, "there.sqlite",
                { try coordinator.setMetadata([:], of: elsewhere) }
            ),
            (
                "backup", .invalidRequest, "there.sqlite",
                { try coordinator.backUp(elsewhere, to: url) }
            ),
            (
                "pages", .invalidRequest, "there.sqlite",
                { _ = try coordinator.pageReport(of: elsewhere) }
            ),
            (
                "remove store", .invalidRequest, "there.sqlite",
                { try coordinator.removeStore(elsewhere) }
            ),
        ]
    }

    @Test func whatBelongsElsewhereIsNamed() async throws {
        let gone = try context.make("Employee", ["name": "Gone"])
        try context.save()
        context.delete(gone)
        try context.save()
        let stranger = try #require(try other.viewContext.all("Employee").first)
        let url = folder.url.appending(path: "copy.sqlite")
        try await run(elsewhereCalls(gone, stranger, url))
        #expect(!FileManager.default.fileExists(atPath: url.path))
        try expectAllIsSaved()
    }

    // MARK: Closed stores

    private func storeCalls(_ token: HistoryToken, _ url: URL) -> [Call] {
        let coordinator = container.coordinator
        func call(_ name: String, _ body: @escaping () throws -> Void) -> Call {
            (name, .storeClosed, "here.sqlite is closed", body)
        }
        func foreign(_ name: String, _ body: @escaping () throws -> Void) -> Call {
            (name, .invalidRequest, "here.sqlite", body)
        }
        return [
            call("fetch") { _ = try context.fetch(request()) },
            call("count") { _ = try context.count(for: request()) },
            call("columns") { _ = try context.fetch(columns(["name"])) },
            call("save") { try context.save() },
            call("batch insert") {
                let insert = BatchInsert(entityName: "Tag", objects: [["name": "x"]])
                try context.execute(insert)
            },
            call("batch update") { try context.execute(update("age", 3)) },
            call("batch delete") { try context.execute(BatchDelete(entityName: "Tag")) },
            call("results") {
                try FetchedResultsController(request: request(), context: context).performFetch()
            },
            call("history") { _ = try coordinator.history(HistoryRequest()) },
            call("token") { _ = try coordinator.currentHistoryToken() },
            call("delete history") { _ = try coordinator.deleteHistory(before: token) },
            call("generation") { _ = try coordinator.currentGeneration() },
            call("pin") { try context.pinToCurrentGeneration() },
            call("undo steps") { _ = try context.undoSteps() },
            call("undo") { _ = try context.undoLastCommand() },
            call("preview") { _ = try context.previewUndo() },
            call("seeds") { _ = try plan.run(in: coordinator) },
            call("version of seeds") { _ = try plan.version(in: context) },
            call("pending seeds") { _ = try plan.apply(to: context) },
            foreign("metadata") { _ = try coordinator.metadata(of: store) },
            foreign("set metadata") { try coordinator.setMetadata([:], of: store) },
            foreign("backup") { try coordinator.backUp(store, to: url) },
            foreign("pages") { _ = try coordinator.pageReport(of: store) },
            foreign("remove store") { try coordinator.removeStore(store) },
            foreign("assign") { try context.assign(ana, to: store) },
        ]
    }

    @Test func callsOnAClosedStoreSaySo() async throws {
        let token = try container.coordinator.currentHistoryToken()
        let url = folder.url.appending(path: "copy.sqlite")
        ana["name"] = "Anna"
        container.close()
        try await run(storeCalls(token, url))
        #expect(!FileManager.default.fileExists(atPath: url.path))
        context.rollback()
        #expect(ana["name"] == "Ana" && !context.hasChanges)
    }

    // MARK: Undo

    @Test func undoOfNothingSaysSo() async throws {
        let undo = UndoManager(notificationCenter: GraphNotificationCenter())
        undo.groupsByEvent = false
        try await run([
            ("end of no group", .undoState, "endUndoGrouping", { try undo.endUndoGrouping() }),
            ("enabled twice", .undoState, "not disabled", { try undo.enableUndoRegistration() }),
            (
                "registration without a group", .undoState, "no group",
                { try undo.registerUndo(withTarget: undo) { _ in } }
            ),
        ])
        // Undo of nothing is no error.
        try undo.undo()
        try undo.redo()
        try expectAllIsSaved()
    }

    // MARK: Threads

    #if DEBUG
    /// Calls that a debug build refuses on another thread than the context's.
    private static let onWrongThread:
        [(name: String, body: @Sendable (ManagedObjectContext, ManagedObject) -> Void)] = [
            ("value", { _ = try? $1.value(forKey: "name") }),
            ("set", { try? $1.setValue("x", forKey: "name") }),
            ("insert", { context, _ in _ = try? context.insert(entityNamed: "Tag") }),
            ("delete", { $0.delete($1) }),
            (
                "fetch",
                { context, _ in
                    _ = try? context.fetch(FetchRequest<ManagedObject>(entityName: "Tag"))
                }
            ),
            ("save", { context, _ in try? context.save() }),
            ("rollback", { context, _ in context.rollback() }),
            ("refresh", { $0.refresh($1, mergeChanges: true) }),
            (
                "batch",
                { context, _ in _ = try? context.execute(BatchDelete(entityName: "Tag")) }
            ),
            ("undo", { context, _ in try? context.undo() }),
            ("steps", { context, _ in _ = try? context.undoLastCommand() }),
        ]

    @Test(arguments: onWrongThread.indices)
    func useOnAnotherThreadIsNamed(_ index: Int) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [index] in
            let context = try TestGraph.context()
            context.name = "screen"
            let ana = try context.make("Employee", ["name": "Ana"])
            try context.save()
            context.confineToCurrentThread()
            nonisolated(unsafe) let (smuggled, object) = (context, ana)
            let other = BackgroundContext(coordinator: context.coordinator, name: "worker")
            other.performAndWait { _ in
                MisuseTableTests.onWrongThread[index].body(smuggled, object)
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("context \"screen\" was used on thread \"worker\""),
            "\(Self.onWrongThread[index].name): \(text)"
        )
    }
    #endif
}
