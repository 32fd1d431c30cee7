import ObjectContext
import ObjectModel
import ObjectStore
import Observation
import Synchronization
import Testing

@Suite("What observers are told, and can read then")
struct EventDeliveryTests {
    /// The departments of the deleted objects that a context reports, read while it reports them.
    private func departments(
        in context: ManagedObjectContext,
        _ body: () throws -> Void
    ) rethrows -> [ManagedObject?] {
        var found: [ManagedObject?] = []
        func note(_ objects: Set<ManagedObject>) {
            for object in objects where object.entity.name == "Employee" {
                guard case .object(let department as ManagedObject) = object["department"] else {
                    found.append(nil)
                    continue
                }
                found.append(department)
            }
        }
        let center = context.notifications
        let tokens = [
            center.addObserver(of: ObjectsDidChange.self, from: context) { note($0.deleted) },
            center.addObserver(of: ContextDidSave.self, from: context) { note($0.deleted) },
        ]
        defer { for token in tokens { center.removeObserver(token) } }
        try body()
        return found
    }

    @Test func childDeletedBeforeItsFirstSaveLeadsToItsParentInTheNotification() throws {
        let context = try TestGraph.context()
        context.undoManager = UndoManager(notificationCenter: GraphNotificationCenter())
        let home = try context.make("Department")
        let ana = try context.make("Employee")
        context.endEvent()
        ana["department"] = .object(home)
        context.endEvent()
        #expect(
            departments(in: context) {
                context.delete(ana)
                context.endEvent()
            } == [home]
        )
        #expect(ana.context == nil && ana["department"] == .null)
        try context.undo()
        #expect(ana.context === context && home.objects("staff") == [ana])
        #expect(try departments(in: context) { try context.redo() } == [home])
        try context.undo()
        // A rollback takes it out in the same way.
        #expect(departments(in: context) { context.rollback() }.count == 1)
    }

    @Test func childWhoseDeletionWasSavedLeadsToItsParentInBothNotifications() throws {
        let context = try TestGraph.context()
        let home = try context.make("Department")
        let ana = try context.make("Employee", ["department": .object(home)])
        try context.save()
        context.delete(ana)
        #expect(try departments(in: context) { try context.save() } == [home, home])
        #expect(ana.context == nil)
    }

    @Test func observerThatUndoesADeletionKeepsTheObject() throws {
        let context = try TestGraph.context()
        let undo = UndoManager(notificationCenter: GraphNotificationCenter())
        context.undoManager = undo
        let home = try context.make("Department")
        let ana = try context.make("Employee", ["department": .object(home)])
        context.endEvent()
        var due = true
        let token = context.notifications.addObserver(of: ObjectsDidChange.self, from: context) {
            guard due, $0.deleted == [ana] else { return }
            due = false
            // What has left takes part in nothing.
            context.delete(ana)
            context.refresh(ana, mergeChanges: true)
            #expect(throws: ObjectGraphError.self) {
                try home.setValue(.object(ana), forKey: "head")
            }
            #expect(throws: Never.self) { try undo.undo() }
        }
        context.delete(ana)
        context.endEvent()
        context.notifications.removeObserver(token)
        #expect(!due && ana.context === context && ana.isInserted)
        #expect(ana["department"] == .object(home) && home.objects("staff") == [ana])
        try context.save()
        #expect(!ana.objectID.isTemporaryID)
    }

    /// A box whose size is a composite, itself inside of another one.
    private func boxes() throws -> StoreBench {
        func composite(_ name: String, _ type: String) -> AttributeDescription {
            let attribute = AttributeDescription(name, .composite)
            attribute.compositeName = type
            return attribute
        }
        let model = ManagedObjectModel([
            EntityDescription("Box", [composite("size", "Size"), composite("deep", "Deep")])
        ])
        model.composites = [
            "Size": [
                AttributeDescription("width", .double), AttributeDescription("height", .double),
            ],
            "Deep": [composite("inner", "Size")],
        ]
        return try StoreBench(.sqlite, model: model, classes: ["Box": Box.self])
    }

    @Test func everyWayToChangeACompositeIsToldToItsObservers() throws {
        let bench = try boxes()
        let (context, other) = (bench.context(), bench.context())
        context.undoManager = UndoManager(notificationCenter: GraphNotificationCenter())
        context.automaticallyMergesChangesFromParent = true
        context.tracksObservation = true
        let box = context.insert(Box.self)
        try context.save()
        let theirs = try other.existingObject(with: box.objectID)
        func save(_ width: Double) throws {
            other.refreshAllObjects()
            try theirs.setValue(.double(width), forKeyPath: "size.width")
            try theirs.setValue(.double(width), forKeyPath: "deep.inner.width")
            try other.save()
        }
        let ways: [(String, Set<String>, () throws -> Void)] = [
            ("typed", ["size", "wide"], { box.size = Size(width: 1, height: 2) }),
            ("typed element", ["size", "wide"], { box.size.width = 7 }),
            ("key", ["size", "wide"], { try box.setValue(["width": 3], forKey: "size") }),
            ("path", ["size", "wide"], { try box.setValue(4.0, forKeyPath: "size.width") }),
            ("deep", ["deep"], { try box.setValue(4.0, forKeyPath: "deep.inner.width") }),
            ("safely", ["size", "wide"], { box.setValuesSafely(["size": ["width": 55]]) }),
            ("undo", ["size", "deep", "wide"], { try context.undo() }),
            ("redo", ["size", "deep", "wide"], { try context.redo() }),
            ("save", [], { try context.save() }),
            (
                "merge", ["size", "deep", "wide"],
                {
                    try save(2)
                    context.processPendingChanges()
                }
            ),
            ("edit", ["size", "wide"], { box.size.width = 30 }),
            ("rollback", ["size", "wide"], { context.rollback() }),
            ("nothing", [], { context.refresh(box, mergeChanges: true) }),
        ]
        for (name, keys, change) in ways {
            var told: Set<String> = []
            let paths = [
                "size", "size.width", "deep", "deep.inner", "deep.inner.width", "wide",
            ]
            let observations = try paths.map { path in
                try box.observe(path) { _, _ in told.insert(path) }
            }
            let tracked = Mutex(false)
            withObservationTracking {
                _ = box.size.width
            } onChange: {
                tracked.withLock { $0 = true }
            }
            try change()
            // A path is told of the whole that it leads through.
            let expected = paths.filter { keys.contains(String($0.prefix { $0 != "." })) }
            #expect(told == Set(expected), "\(name)")
            #expect(tracked.withLock { $0 } == keys.contains("size"), "\(name)")
            for observation in observations { observation.invalidate() }
        }
    }
}

private final class Box: ManagedObject {
    @Managed var size: Size

    override class func keyPathsForValuesAffecting(_ key: String) -> Set<String> {
        key == "wide" ? ["size.width"] : super.keyPathsForValuesAffecting(key)
    }

    override func value(forUndefinedKey key: String) throws -> GraphValue {
        key == "wide"
            ? .bool((size.width ?? 0) > 5) : try super.value(forUndefinedKey: key)
    }
}
