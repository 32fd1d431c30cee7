import ObjectContext
import ObjectGraph
import ObjectModel
import Observation
import Testing

/// An employee with typed properties, one of them fetched.
private final class Worker: ManagedObject {
    @Managed("name") var name: String?
    @Managed("age") var age: Int
    @Managed("friends") var friends: Set<Worker>
    @Managed("boss") var boss: Worker?
    @Fetched("namesakes") var namesakes: [Worker]
}

/// Managed objects inside of `withObservationTracking`.
@Suite struct ObservationTests {
    private let container: PersistentContainer
    private var context: ManagedObjectContext { container.viewContext }
    private let ana: Worker
    private let bob: Worker

    init() throws {
        let model = TestGraph.model()
        model.entity(named: "Employee")?.add(
            FetchedPropertyDescription(
                "namesakes",
                FetchDescription(
                    entityName: "Employee",
                    predicate: try FetchPredicate(
                        format: "name == $FETCH_SOURCE.name AND SELF != $FETCH_SOURCE"
                    )
                )
            )
        )
        container = try PersistentContainer(
            model: model,
            classes: ["Employee": Worker.self, "Manager": Worker.self],
            options: .inMemory
        )
        container.viewContext.undoManager = UndoManager()
        ana = container.viewContext.insert(Worker.self)
        bob = container.viewContext.insert(Worker.self)
        ana.name = "Ana"
        bob.name = "Bob"
        try container.viewContext.save()
    }

    /// Counts the calls of a body that may run anywhere.
    private final class Count: @unchecked Sendable {
        var value = 0
    }

    /// How often a change of what was read was told.
    private func told(reading: () -> Void, changing: () throws -> Void) rethrows -> Int {
        let count = Count()
        withObservationTracking(reading) { count.value += 1 }
        try changing()
        return count.value
    }

    @Test func editOfWhatWasReadIsTold() throws {
        #expect(
            told {
                _ = ana.name
            } changing: {
                ana.name = "Anna"
            } == 1
        )
        #expect(
            told {
                _ = ana.age
            } changing: {
                ana.age += 1
            } == 1
        )
        #expect(
            told {
                _ = ana["name"]
            } changing: {
                ana.name = "Ana"
            } == 1
        )
    }

    @Test func onlyWhatWasReadIsTold() throws {
        #expect(
            told {
                _ = ana.name
            } changing: {
                ana.age = 4
            } == 0
        )
        #expect(
            told {
                _ = ana.name
            } changing: {
                bob.name = "Bill"
            } == 0
        )
        #expect(
            told {
            } changing: {
                ana.name = "Anna"
            } == 0
        )
    }

    @Test func changeIsToldOnceAndBeforeItHappens() throws {
        let seen = Count()
        let ana = ana
        nonisolated(unsafe) let smuggled = ana
        withObservationTracking {
            _ = ana.age
        } onChange: {
            seen.value += smuggled.age == 0 ? 1 : 100
        }
        ana.age = 1
        ana.age = 2
        #expect(seen.value == 1)
    }

    @Test func membersAndReferencesAreTold() throws {
        #expect(
            told {
                _ = ana.friends
            } changing: {
                ana.friends = [bob]
            } == 1
        )
        // The other side of it.
        #expect(
            told {
                _ = bob.friends
            } changing: {
                ana.friends = []
            } == 1
        )
        #expect(
            told {
                _ = ana.boss
            } changing: {
                ana.boss = bob
            } == 1
        )
        #expect(
            told {
                _ = ana.boss?.name
            } changing: {
                bob.name = "Bill"
            } == 1
        )
    }

    @Test func undoMergeAndRefreshAreTold() throws {
        ana.name = "Anna"
        context.processPendingChanges()
        context.undoManager?.endEvent()
        #expect(
            try told {
                _ = ana.name
            } changing: {
                try context.undo()
            } == 1
        )
        try context.save()
        let other = container.newContext()
        let theirs = try other.existingObject(with: ana.objectID)
        theirs["name"] = "Theirs"
        try other.save()
        let changes = ObjectIDChanges(updated: [ana.objectID])
        #expect(
            told {
                _ = ana.name
            } changing: {
                context.mergeChanges(changes)
            } == 1
        )
        #expect(ana.name == "Theirs")
        ana.name = "Mine"
        #expect(
            told {
                _ = ana.name
            } changing: {
                context.refresh(ana, mergeChanges: false)
            } == 1
        )
    }

    @Test func readingAgainTracksAgain() throws {
        for age in 1...3 {
            #expect(
                told {
                    _ = ana.age
                } changing: {
                    ana.age = age
                } == 1
            )
        }
    }

    @Test func otherContextsTrackIfTheySaySo() throws {
        let other = container.newContext()
        let theirs = try other.existingObject(with: ana.objectID, as: Worker.self)
        #expect(
            told {
                _ = theirs.name
            } changing: {
                theirs.name = "1"
            } == 0
        )
        other.tracksObservation = true
        #expect(
            told {
                _ = theirs.name
            } changing: {
                theirs.name = "2"
            } == 1
        )
        other.tracksObservation = false
        #expect(
            told {
                _ = theirs.name
            } changing: {
                theirs.name = "3"
            } == 0
        )
    }

    @Test func objectsThatWereReadAreLetGo() throws {
        weak var gone: ManagedObject?
        do {
            let passing = container.newContext()
            passing.tracksObservation = true
            let objects = try (0..<300).map { _ in try passing.insert(entityNamed: "Employee") }
            try passing.save()
            for object in objects {
                withObservationTracking {
                    _ = object["name"]
                } onChange: {
                }
            }
            gone = objects[0]
            withExtendedLifetime((passing, objects)) { #expect(gone != nil) }
        }
        #expect(gone == nil)
    }

    @Test func fetchedPropertyIsReadByItsName() throws {
        #expect(ana.namesakes.isEmpty)
        bob.name = "Ana"
        try context.save()
        context.refresh(ana, mergeChanges: true)
        #expect(ana.namesakes == [bob])
        #expect(try ana.$namesakes.get() == [bob])
    }
}
