import FoundationEssentials
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import Testing

/// What a wrong call does: it throws a typed error, or ends the program with a sentence.
///
/// Each call that throws is made on a context with pending changes, which must be as before, and
/// must be saved after all of them.
@Suite("Wrong calls")
struct MisuseTests {
    private typealias Call = (
        name: String, code: ObjectGraphError.Code, says: String, body: () throws -> Void
    )

    private let context: ManagedObjectContext
    private let foreign: ManagedObjectContext
    private let ana: ManagedObject
    private let home: ManagedObject
    private let stranger: ManagedObject
    private let gone: ManagedObject

    init() throws {
        context = try TestGraph.context()
        context.name = "here"
        foreign = ManagedObjectContext(coordinator: context.coordinator)
        foreign.name = "elsewhere"
        home = try context.make("Department", ["title": "Sales"])
        ana = try context.make("Employee", ["name": "Ana", "department": .object(home)])
        gone = try context.make("Employee", ["name": "Gone"])
        try context.save()
        context.delete(gone)
        try context.save()
        stranger = try foreign.make("Employee", ["name": "Stranger"])
    }

    private func request(
        _ format: String,
        sort: String? = nil
    ) throws -> FetchRequest<ManagedObject> {
        FetchRequest<ManagedObject>(
            entityName: "Employee",
            predicate: try FetchPredicate(format: format),
            sortDescriptors: sort.map { [FetchSortDescriptor($0)] } ?? []
        )
    }

    private var keyCalls: [Call] {
        [
            ("value", .undefinedKey, "nam", { _ = try ana.value(forKey: "nam") }),
            ("path", .undefinedKey, "titel", { _ = try ana.value(forKeyPath: "department.titel") }),
            ("set", .undefinedKey, "nam", { try ana.setValue("x", forKey: "nam") }),
            (
                "set path", .undefinedKey, "titel",
                {
                    try ana.setValue("x", forKeyPath: "department.titel")
                }
            ),
            ("values", .undefinedKey, "nam", { try ana.setValuesForKeys(["nam": "x"]) }),
            ("type", .wrongValueKind, "Employee.age", { try ana.setValue("old", forKey: "age") }),
            (
                "to-one type", .wrongValueKind, "Employee.department",
                {
                    try ana.setValue("Sales", forKey: "department")
                }
            ),
            (
                "to-one entity", .wrongValueKind, "Employee.department",
                {
                    try ana.setValue(.object(ana), forKey: "department")
                }
            ),
            (
                "to-many type", .wrongValueKind, "Department.staff",
                {
                    try home.setValue(3, forKey: "staff")
                }
            ),
            (
                "foreign object", .invalidRequest, "elsewhere",
                {
                    try home.setValue(.set([.object(stranger)]), forKey: "staff")
                }
            ),
            (
                "deleted object", .invalidRequest, "no context",
                {
                    try home.setValue(.object(gone), forKey: "head")
                }
            ),
            (
                "member", .wrongValueKind, "Employee.name",
                {
                    try ana.insertMember(.object(home), forKey: "name", at: nil)
                }
            ),
            ("observe", .undefinedKey, "nam", { _ = try ana.observe("nam") { _, _ in } }),
            (
                "observe path", .undefinedKey, "titel",
                {
                    _ = try ana.observe("department.titel") { _, _ in }
                }
            ),
        ]
    }

    private var requestCalls: [Call] {
        [
            ("predicate", .undefinedKey, "nam", { _ = try context.fetch(request("nam == 'x'")) }),
            (
                "path", .undefinedKey, "titel",
                {
                    _ = try context.count(for: request("department.titel == 'x'"))
                }
            ),
            (
                "order", .undefinedKey, "nam",
                {
                    _ = try context.fetch(request("TRUEPREDICATE", sort: "nam"))
                }
            ),
            ("format", .invalidFormat, "", { _ = try FetchPredicate(format: "name ==") }),
            (
                "entity", .invalidRequest, "Emploee",
                {
                    _ = try context.fetch(FetchRequest<ManagedObject>(entityName: "Emploee"))
                }
            ),
            (
                "insert", .invalidRequest, "Emploee",
                { _ = try context.insert(entityNamed: "Emploee") }
            ),
            (
                "controller", .undefinedKey, "nam",
                {
                    let list = try FetchedResultsController(
                        request: request("TRUEPREDICATE", sort: "nam"),
                        context: context
                    )
                    try list.performFetch()
                }
            ),
        ]
    }

    private var undoCalls: [Call] {
        let undo = UndoManager(notificationCenter: GraphNotificationCenter())
        let bare = UndoManager(notificationCenter: GraphNotificationCenter())
        bare.groupsByEvent = false
        return [
            ("end", .undoState, "endUndoGrouping", { try undo.endUndoGrouping() }),
            ("enable", .undoState, "not disabled", { try undo.enableUndoRegistration() }),
            (
                "register", .undoState, "no group",
                {
                    try bare.registerUndo(withTarget: bare) { _ in }
                }
            ),
            (
                "undo", .undoState, "groups open",
                {
                    undo.beginUndoGrouping()
                    try undo.undo()
                }
            ),
        ]
    }

    @Test func wrongCallsThrowAndDamageNothing() throws {
        ana["name"] = "Anna"
        context.processPendingChanges()
        let before = (ana.changedValues(), home["staff"])
        for call in keyCalls + requestCalls + undoCalls {
            do {
                try call.body()
                Issue.record("\(call.name): it throws nothing")
            } catch let error as ObjectGraphError {
                #expect(error.code == call.code, "\(call.name): \(error)")
                #expect("\(error)".contains(call.says), "\(call.name): \(error)")
            }
            context.processPendingChanges()
            #expect(ana.changedValues() == before.0 && home["staff"] == before.1, "\(call.name)")
        }
        // Harmless calls with an object of another context, or none.
        context.refresh(stranger, mergeChanges: false)
        context.delete(gone)
        #expect(stranger["name"] == "Stranger" && gone["name"] == "Gone")
        try context.save()
        try foreign.save()
        #expect(try context.all("Employee").count == 2)
    }

    @Test func callsOnAClosedStoreThrowAndKeepWhatIsPending() throws {
        let container = try PersistentContainer(model: TestGraph.model(), options: .inMemory)
        let context = container.viewContext
        let ana = try context.make("Employee", ["name": "Ana"])
        try context.save()
        ana["name"] = "Anna"
        container.close()
        #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(throws: ObjectGraphError.self) {
            try container.save { _ = try $0.make("Employee") }
        }
        #expect(ana["name"] == "Anna" && ana.isUpdated)
        context.rollback()
        #expect(ana["name"] == "Ana")
    }

    /// What a process said before it ended.
    private func said(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func setterWithAnObjectOfAnotherContextNamesBothAndTheirContexts() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let wrong = try MisuseTests()
            wrong.context.delete(wrong.stranger)
        }
        let text = said(result)
        #expect(text.contains("Employee") && text.contains("elsewhere") && text.contains("here"))
    }

    @Test func rowThatIsNotThereNamesItsPlaceAndWhatIsThere() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let wrong = try MisuseTests()
            let list = try FetchedResultsController(
                request: wrong.request("TRUEPREDICATE", sort: "name"),
                context: wrong.context
            )
            try list.performFetch()
            _ = list.object(at: ResultIndexPath(section: 0, item: 7))
        }
        #expect(said(result).contains("no row 7 in section 0"))
    }

    @Test func identityOfAnotherCoordinatorIsNamed() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let (one, two) = (try MisuseTests(), try MisuseTests())
            #expect(throws: ObjectGraphError.self) {
                _ = try one.context.existingObject(with: two.ana.objectID)
            }
            _ = one.context.object(with: two.ana.objectID)
        }
        #expect(
            said(result).contains("/Employee/p") && said(result).contains("another coordinator")
        )
    }

    @Test func observersWithoutAnEndNameTheirContext() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let wrong = try MisuseTests()
            let (context, ana) = (wrong.context, wrong.ana)
            var age: Int64 = 0
            _ = context.notifications.addObserver(of: ObjectsDidChange.self, from: context) { _ in
                age += 1
                ana["age"] = .int(age % 100)
            }
            ana["age"] = 50
            context.processPendingChanges()
        }
        #expect(said(result).contains("observers of context \"here\""))
    }

    @Test func childThatIsPinnedOrFollowsStoresIsNamed() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let wrong = try MisuseTests()
            let child = ManagedObjectContext(parent: wrong.context)
            child.name = "scratch"
            child.setQueryGeneration(try wrong.context.coordinator.currentGeneration())
        }
        #expect(said(result).contains("context \"scratch\" has a parent"))
    }
}
