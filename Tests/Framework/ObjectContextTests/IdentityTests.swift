import ObjectContext
import ObjectModel
import Testing

@Suite("Identity and registration")
struct IdentityTests {
    @Test func foreignIDsAreRefused() async throws {
        let (here, foreign) = (try TestGraph.context(), try TestGraph.context())
        let ana = try foreign.make("Employee", ["name": "Ana"])
        let unsaved = ana.objectID
        try foreign.save()
        let error = try #require(failure { _ = try here.existingObject(with: ana.objectID) })
        #expect(error.code == .referentialIntegrity && error.objectIDs == [ana.objectID])
        #expect(error.message.contains("Employee") && error.message.contains("store"))
        #expect(failure { _ = try here.existingObject(with: unsaved) } != nil)
        #expect(here.registeredObject(for: ana.objectID) == nil)
        here.mergeChanges(
            ObjectIDChanges(inserted: [ana.objectID], updated: [unsaved], deleted: [unsaved])
        )
        #expect(here.registeredObjects.isEmpty)
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let (here, foreign) = (try TestGraph.context(), try TestGraph.context())
            let ana = try foreign.make("Employee")
            try foreign.save()
            _ = here.object(with: ana.objectID)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("does not belong to a store of this context"))
    }

    @Test func oneInstanceForEachID() throws {
        let context = try TestGraph.context()
        let ana = try context.make("Employee", ["name": "Ana"])
        let temporary = ana.objectID
        try context.save()
        #expect(temporary != ana.objectID)
        #expect(context.object(with: temporary) === ana)
        #expect(context.object(with: ana.objectID) === ana)
        #expect(try context.existingObject(with: ana.objectID) === ana)
        #expect(try context.all("Employee").first === ana)
    }

    @Test func fetchingDoesNotOverwriteUnsavedChanges() throws {
        let context = try TestGraph.context()
        let ana = try context.make("Employee", ["name": "Ana"])
        try context.save()
        let other = context.sibling()
        let theirs = try #require(try other.all("Employee").first)
        theirs["name"] = "Zoe"
        try other.save()
        #expect(try context.all("Employee").values("name") == ["Ana"])
        var request = FetchRequest<ManagedObject>(entityName: "Employee")
        request.shouldRefreshRefetchedObjects = true
        ana["age"] = 8
        #expect(try context.fetch(request).values("name") == ["Zoe"])
        #expect(ana["age"] == 8 && ana.isUpdated)
    }

    @Test(.scenario("registered-weak"))
    func unreferencedCleanObjectLeaves() throws {
        let context = try TestGraph.context()
        try context.make("Employee")
        #expect(context.registeredObjects.count == 1)
        try context.save()
        #expect(context.registeredObjects.isEmpty)
        weak var weakObject: ManagedObject?
        do {
            let object = try #require(try context.all("Employee").first)
            weakObject = object
            #expect(context.registeredObjects == [object])
            object["age"] = 2
        }
        #expect(weakObject != nil && context.registeredObjects.count == 1)
        context.rollback()
        #expect(weakObject == nil && context.registeredObjects.isEmpty)
    }

    @Test func retainingContextKeepsCleanObjects() throws {
        let context = try TestGraph.context()
        context.retainsRegisteredObjects = true
        try context.make("Employee")
        try context.save()
        #expect(context.registeredObjects.count == 1)
        context.retainsRegisteredObjects = false
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func registeredObjectReadsNothing() throws {
        let context = try TestGraph.context()
        let id = try context.make("Employee").objectID
        try context.save()
        #expect(context.registeredObject(for: id) == nil)
        let object = context.object(with: id)
        #expect(object.isFault && context.registeredObject(for: id) === object)
        #expect(object.objectID == context.object(with: id).objectID && object.isFault)
    }

    @Test func existingObjectThrowsForAMissingRow() throws {
        let context = try TestGraph.context()
        let ana = try context.make("Employee", ["name": "Ana"])
        try context.save()
        let id = ana.objectID
        let other = context.sibling()
        other.delete(other.object(with: id))
        try other.save()
        let third = context.sibling()
        #expect(failure { _ = try third.existingObject(with: id) }?.code == .referentialIntegrity)
        let ghost = third.object(with: id)
        #expect(ghost["name"].isNull && ghost["age"].isNull && ghost.isDeleted)
        ghost["name"] = "Boo"
        #expect(!third.hasChanges)
        try third.save()
        #expect(try third.all("Employee").isEmpty)
    }

    @Test func uriLeadsBackToTheID() throws {
        let context = try TestGraph.context()
        let ana = try context.make("Employee")
        #expect(ana.objectID.uri.hasPrefix("x-coredata:///Employee/t"))
        try context.save()
        let id = ana.objectID
        #expect(context.coordinator.managedObjectID(forURI: id.uri) == id)
        #expect(context.coordinator.managedObjectID(forURI: "x-coredata://x/Employee/p1") == nil)
    }

    @Test(
        .scenario("incremental-ref-number", deviation: "a store's own numbers stand in the URI")
    )
    func uriEndsWithTheNumberOfTheRow() throws {
        let context = try TestGraph.context()
        for _ in 0..<41 { try context.make("Employee") }
        try context.save()
        let last = try context.make("Employee")
        try context.save()
        #expect(last.objectID.uri.split(separator: "/").last == "p42")
    }

    @Test func permanentIDsAreObtainedBeforeTheSave() throws {
        let context = try TestGraph.context()
        let home = try context.make("Department")
        let ana = try context.make("Employee", ["name": "Ana", "department": .object(home)])
        let temporary = home.objectID
        try context.obtainPermanentIDs(for: [home, ana])
        #expect(!home.objectID.isTemporaryID && !ana.objectID.isTemporaryID)
        #expect(home.isInserted && context.object(with: temporary) === home)
        #expect(home.objects("staff") == [ana] && ana.object("department") === home)
        let ids = [home.objectID, ana.objectID]
        try context.save()
        #expect([home.objectID, ana.objectID] == ids)
        let fresh = context.sibling()
        #expect(try fresh.existingObject(with: ana.objectID)["name"] == "Ana")
        #expect(fresh.object(with: home.objectID).objects("staff").count == 1)
    }

    @Test func objectOutlivesItsContext() throws {
        let ana: ManagedObject
        do {
            let context = try TestGraph.context()
            ana = try context.make("Employee", ["name": "Ana"])
            try context.save()
        }
        #expect(ana.context == nil && ana["name"] == "Ana")
        ana["name"] = "Zoe"
        #expect(ana["department"].isNull)
    }
}
