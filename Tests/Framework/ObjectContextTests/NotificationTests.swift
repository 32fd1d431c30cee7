import ObjectContext
import ObjectModel
import Testing

/// Notes what a context posts.
private final class Listener {
    private let context: ManagedObjectContext
    private var tokens: [GraphNotificationCenter.Token] = []
    private(set) var changes: [ObjectsDidChange] = []
    private(set) var names: [String] = []

    init(_ context: ManagedObjectContext) {
        self.context = context
        let center = context.notifications
        tokens = [
            center.addObserver(of: ObjectsDidChange.self, from: context) { [unowned self] in
                changes.append($0)
                names.append("change")
            },
            center.addObserver(of: ContextWillSave.self, from: context) { [unowned self] _ in
                names.append("willSave")
            },
            center.addObserver(of: ContextDidSave.self, from: context) { [unowned self] _ in
                names.append("didSave")
            },
        ]
    }

    deinit { for token in tokens { context.notifications.removeObserver(token) } }

    func take() -> [ObjectsDidChange] {
        defer { changes = [] }
        return changes
    }
}

@Suite("Notifications of a context")
struct NotificationTests {
    let context: ManagedObjectContext

    init() throws { context = try TestGraph.context() }

    @Test func oneNotificationForAnEvent() throws {
        let (ana, bob) = (try context.make("Employee"), try context.make("Employee"))
        let home = try context.make("Department")
        try context.save()
        let listener = Listener(context)
        let new = try context.make("Employee", ["department": .object(home)])
        ana["name"] = "a"
        ana["name"] = "b"
        context.delete(bob)
        #expect(listener.changes.isEmpty)
        context.processPendingChanges()
        context.processPendingChanges()
        let posted = listener.take()
        #expect(posted.count == 1)
        #expect(posted.first?.inserted == [new])
        #expect(posted.first?.updated == [ana, home])
        #expect(posted.first?.deleted == [bob])
        #expect(posted.first?.refreshed.isEmpty == true)
    }

    @Test func nothingIsPostedWhenNothingChanged() throws {
        let ana = try context.make("Employee", ["name": "a"])
        try context.save()
        let listener = Listener(context)
        ana["name"] = "b"
        ana["name"] = "a"
        context.delete(try context.make("Employee"))
        context.processPendingChanges()
        _ = context.hasChanges
        try context.save()
        #expect(listener.names.isEmpty)
    }

    @Test func deletedAndChangedObjectIsOnlyDeleted() throws {
        let ana = try context.make("Employee")
        try context.save()
        let listener = Listener(context)
        ana["name"] = "x"
        context.delete(ana)
        context.processPendingChanges()
        #expect(listener.take().map { [$0.updated.count, $0.deleted.count] } == [[0, 1]])
    }

    @Test func saveTellsWhatItSaved() throws {
        let (ana, bob) = (try context.make("Employee"), try context.make("Employee"))
        try context.save()
        var saves: [ContextDidSave] = []
        let token = context.notifications.addObserver(of: ContextDidSave.self, from: context) {
            saves.append($0)
        }
        defer { context.notifications.removeObserver(token) }
        let new = try context.make("Tag")
        ana["age"] = 4
        context.delete(bob)
        let listener = Listener(context)
        try context.save()
        #expect(listener.names == ["change", "willSave", "didSave"])
        let save = try #require(saves.first)
        #expect(save.inserted == [new] && save.updated == [ana] && save.deleted == [bob])
        #expect(save.changes.inserted == [new.objectID] && !new.objectID.isTemporaryID)
        #expect(save.changes.deleted == [bob.objectID] && save.transactions.count == 1)
    }

    @Test func observerMayChangeObjects() throws {
        let ana = try context.make("Employee")
        let bob = try context.make("Employee")
        try context.save()
        let token = context.notifications.addObserver(of: ObjectsDidChange.self, from: context) {
            if $0.updated.contains(ana) { bob["age"] = ana["age"] }
        }
        defer { context.notifications.removeObserver(token) }
        let listener = Listener(context)
        ana["age"] = 5
        context.processPendingChanges()
        #expect(listener.take().map(\.updated) == [[ana], [bob]] && bob["age"] == 5)
    }

    @Test func undoOfAGroupIsOneNotification() throws {
        let undo = UndoManager()
        context.undoManager = undo
        let ana = try context.make("Employee", ["name": "a"])
        try context.save()
        undo.endEvent()
        undo.beginUndoGrouping()
        ana["name"] = "b"
        context.processPendingChanges()
        let new = try context.make("Employee")
        context.processPendingChanges()
        new["name"] = "n"
        ana["age"] = 2
        try undo.endUndoGrouping()
        undo.endEvent()
        let listener = Listener(context)
        try context.undo()
        var posted = listener.take()
        #expect(posted.count == 1 && posted.first?.deleted == [new])
        #expect(posted.first?.updated == [ana] && ana["name"] == "a" && ana["age"] == 0)
        try context.redo()
        posted = listener.take()
        #expect(posted.count == 1 && posted.first?.inserted == [new])
        #expect(ana["name"] == "b" && new["name"] == "n" && ana["age"] == 2)
    }

    @Test func resetTellsThatAllIsInvalid() throws {
        try context.make("Employee")
        let listener = Listener(context)
        context.reset()
        #expect(listener.take().map(\.invalidatedAll) == [true])
    }

    @Test func rollbackTellsOnlyWhatWasHeardOf() throws {
        let (ana, bob) = (try context.make("Employee"), try context.make("Employee"))
        try context.save()
        let heard = try context.make("Tag")
        context.delete(ana)
        context.processPendingChanges()
        let listener = Listener(context)
        try context.make("Tag")
        context.delete(bob)
        context.rollback()
        let posted = listener.take()
        #expect(posted.count == 1)
        #expect(posted.first?.deleted == [heard] && posted.first?.inserted == [ana])
        #expect(!context.hasChanges && !bob.isDeleted && !ana.isDeleted)
    }
}
