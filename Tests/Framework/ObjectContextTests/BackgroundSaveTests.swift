import FoundationEssentials
import ObjectContext
import ObjectGraph
import ObjectModel
import Synchronization
import Testing

@Suite("Saving in the background by one call")
struct BackgroundSaveTests {
    /// A container over a file, which ends with it.
    private final class Shop {
        let container: PersistentContainer
        private let folder: URL

        var context: ManagedObjectContext { container.viewContext }

        init(_ type: StoreType = .sqlite) throws {
            folder = FileManager.default.temporaryDirectory
                .appending(path: "BackgroundSaveTests-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var options = StoreOptions()
            options.type = type
            container = try PersistentContainer(
                for: Good.self,
                Maker.self,
                url: folder.appending(path: "shop.sqlite"),
                options: options
            )
            // A test is a task, which moves from thread to thread.
            context.endConfinement()
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// A good that is saved, in the container's own context.
        func good(_ name: String, price: Int = 1) throws -> Good {
            let good = context.insert(Good.self)
            good.name = name
            good.price = price
            try context.save()
            return good
        }

        /// What the stores hold.
        func stored(_ name: String) throws -> (price: Int, note: String?)? {
            let context = container.newContext()
            return try Good.find(by: \.name, name, in: context).map { ($0.price, $0.note) }
        }
    }

    @Test(arguments: [StoreType.sqlite, .inMemory])
    func callerSeesTheSaveWhenTheCallReturns(_ type: StoreType) async throws {
        let shop = try Shop(type)
        let tea = try shop.good("Tea")
        let maker = shop.context.insert(Maker.self)
        maker.name = "Fortnum"
        try shop.context.save()
        #expect(maker.goods.isEmpty)
        var refreshed: [Set<ManagedObject>] = []
        let token = shop.context.notifications.addObserver(
            of: ObjectsDidChange.self,
            from: shop.context
        ) { refreshed.append($0.refreshed) }
        let (teaID, makerID) = (tea.objectID, maker.objectID)
        let id = try await shop.container.saveInBackground(as: "Prices") { context in
            let tea = try context.existingObject(with: teaID, as: Good.self)
            tea.price = 5
            let jam = context.insert(Good.self)
            jam.name = "Jam"
            jam.maker = try context.existingObject(with: makerID, as: Maker.self)
            return jam.objectID
        }
        shop.context.notifications.removeObserver(token)
        #expect(tea.price == 5)
        #expect(!id.isTemporaryID)
        let jam = try shop.context.existingObject(with: id, as: Good.self)
        #expect(jam.name == "Jam" && jam.maker === maker && maker.goods == [jam])
        #expect(refreshed.count == 1 && refreshed[0].contains(tea))
        #expect(!shop.context.hasChanges)
        #expect(
            try shop.container.coordinator.history(HistoryRequest()).transactions.last?.groupName
                == "Prices"
        )
    }

    @Test func followingContextMergesOnce() async throws {
        let shop = try Shop()
        shop.context.automaticallyMergesChangesFromParent = true
        let tea = try shop.good("Tea")
        let heard = try await heard(in: shop.context) {
            try await shop.container.saveInBackground { try Good.all(in: $0)[0].price = 5 }
            shop.context.processPendingChanges()
        }
        #expect(tea.price == 5 && heard == ["change"])
    }

    @Test func workThatChangesNothingSavesAndPostsNothing() async throws {
        let shop = try Shop()
        _ = try shop.good("Tea")
        let before = try shop.container.coordinator.history(HistoryRequest()).transactions.count
        let all = Mutex(0)
        let center = GraphNotificationCenter.default
        let coordinator = shop.container.coordinator
        let token = center.addObserver(of: ContextWillSave.self) { save in
            if save.context.coordinator === coordinator { all.withLock { $0 += 1 } }
        }
        let heard = try await heard(in: shop.context) {
            let count = try await shop.container.saveInBackground { context in
                let goods = try Good.all(in: context)
                for good in goods { good.price = good.price }
                context.delete(context.insert(Good.self))
                return goods.count
            }
            #expect(count == 1)
            #expect(try shop.container.save { try Good.all(in: $0).count } == 1)
        }
        center.removeObserver(token)
        #expect(heard == [] && all.withLock { $0 } == 0)
        let after = try shop.container.coordinator.history(HistoryRequest()).transactions.count
        #expect(after == before)
    }

    @Test func valuesOfTheBackgroundWinOverASaveInBetween() async throws {
        let shop = try Shop()
        let tea = try shop.good("Tea")
        let other = BackgroundContext(coordinator: shop.container.coordinator)
        try await shop.container.saveInBackground { context in
            let tea = try Good.all(in: context)[0]
            tea.price = 5
            try other.performAndWait { context in
                let same = try Good.all(in: context)[0]
                (same.price, same.note) = (9, "theirs")
                try context.save()
            }
        }
        let stored = try #require(try shop.stored("Tea"))
        #expect(stored.price == 5 && stored.note == "theirs")
        // What others have saved in the same object came along.
        #expect(tea.price == 5 && tea.note == "theirs")
    }

    @Test(arguments: [false, true])
    func valuesOfTheBackgroundWinOverPendingOnes(_ follows: Bool) async throws {
        let shop = try Shop()
        shop.context.automaticallyMergesChangesFromParent = follows
        let (tea, jam) = (try shop.good("Tea"), try shop.good("Jam"))
        let (gone, kept) = (try shop.good("Gone"), try shop.good("Kept"))
        (tea.price, tea.note) = (7, "pending")
        jam.price = 8
        gone.note = "pending"
        shop.context.delete(kept)
        try await shop.container.saveInBackground { context in
            for good in try Good.all(in: context) {
                switch good.name {
                case "Tea", "Kept": good.price = 5
                case "Gone": context.delete(good)
                default: break
                }
            }
        }
        #expect(tea.price == 5 && tea.note == "pending")
        #expect(tea.changedValues() == ["note": "pending"])
        #expect(jam.price == 8)
        #expect(gone.isDeleted && kept.isDeleted)
        // No conflict is left.
        try shop.context.save()
        let stored = try #require(try shop.stored("Tea"))
        #expect(stored.price == 5 && stored.note == "pending")
        #expect(try shop.stored("Gone") == nil && shop.stored("Kept") == nil)
    }

    @Test func newObjectWithASavedUniqueValueIsThatObject() async throws {
        let shop = try Shop()
        let maker = shop.context.insert(Maker.self)
        (maker.name, maker.town) = ("Fortnum", "London")
        try shop.context.save()
        try await shop.container.saveInBackground { context in
            let again = context.insert(Maker.self)
            (again.name, again.town) = ("Fortnum", "Bath")
        }
        #expect(maker.town == "Bath")
        #expect(try Maker.count(in: shop.container.newContext()) == 1)
    }

    @Test func failureThrowsAndLeavesAllAsItWas() async throws {
        struct Refusal: Error {}
        let shop = try Shop()
        let tea = try shop.good("Tea")
        tea.note = "pending"
        await #expect(throws: Refusal.self) {
            try await shop.container.saveInBackground { context in
                try Good.all(in: context)[0].price = 5
                throw Refusal()
            }
        }
        let error = await #expect(throws: ObjectGraphError.self) {
            try await shop.container.saveInBackground { context in
                try Good.all(in: context)[0].price = 5
                context.insert(Good.self).price = -1
            }
        }
        #expect(error?.code == .multipleErrors)
        #expect(tea.price == 1 && tea.note == "pending")
        #expect(try shop.stored("Tea")?.price == 1)
        #expect(try Good.count(in: shop.container.newContext()) == 1)
        // What the work itself has saved stays, and is merged.
        await #expect(throws: Refusal.self) {
            try await shop.container.saveInBackground { context in
                try Good.all(in: context)[0].price = 5
                try context.save()
                throw Refusal()
            }
        }
        #expect(tea.price == 5 && tea.note == "pending")
        try await shop.container.saveInBackground { try Good.all(in: $0)[0].price = 6 }
        #expect(tea.price == 6)
    }

    @Test func cancelledTaskSavesNothing() async throws {
        let shop = try Shop()
        let tea = try shop.good("Tea")
        let container = shop.container
        nonisolated(unsafe) let unchecked = container
        let task = Task {
            try await unchecked.saveInBackground { context in
                try Good.all(in: context)[0].price = 5
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        let error = await #expect(throws: ObjectGraphError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(tea.price == 1)
        #expect(try shop.stored("Tea")?.price == 1)
    }

    @Test func callsRunOneAfterTheOther() async throws {
        let shop = try Shop()
        let tea = try shop.good("Tea", price: 0)
        nonisolated(unsafe) let container = shop.container
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask { @MainActor in
                    try await container.saveInBackground { try Good.all(in: $0)[0].price += 1 }
                }
            }
            try await group.waitForAll()
        }
        #expect(try shop.stored("Tea")?.price == 50)
        #expect(tea.price == 50)
    }

    @Test func longWorkSavesInParts() async throws {
        let shop = try Shop()
        shop.context.automaticallyMergesChangesFromParent = true
        let last = try await shop.container.saveInBackground(as: "Import") { context in
            var last: ManagedObjectID?
            for part in 0..<20 {
                for number in 0..<500 {
                    let good = context.insert(Good.self)
                    good.name = "Good \(part * 500 + number)"
                    last = good.objectID
                }
                try context.save(as: "Import")
                if part < 19 { context.reset() }
            }
            return ["last": last]
        }
        #expect(try Good.count(in: shop.context) == 10_000)
        // It was temporary when the work had it.
        let id = try #require(last["last"] ?? nil)
        #expect(try shop.context.existingObject(with: id, as: Good.self).name == "Good 9999")
    }

    @MainActor
    @Test func onTheMainActorTheContextNeverLeavesIt() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try PersistentContainer(
            for: Good.self,
            url: folder.appending(path: "a.sqlite")
        )
        let id = try await container.saveInBackground { context in
            context.insert(Good.self).name = "Tea"
            return try Good.all(in: context)[0].objectID
        }
        MainActor.assertIsolated()
        #expect(try container.viewContext.existingObject(with: id, as: Good.self).name == "Tea")
    }

    /// Owns a container on an executor of its own.
    private actor Keeper {
        private let shop: Shop

        init() throws { shop = try Shop() }

        func work() async throws -> Int {
            let tea = try shop.good("Tea")
            try await shop.container.saveInBackground { try Good.all(in: $0)[0].price = 5 }
            assertIsolated()
            return tea.price
        }
    }

    @Test func onAnotherActorTheCallReturnsThere() async throws {
        #expect(try await Keeper().work() == 5)
    }

    @Test func blockingCallHasAContextOfItsOwnToo() throws {
        let shop = try Shop()
        let tea = try shop.good("Tea")
        tea.note = "pending"
        let id = try shop.container.save(as: "Jam") { context in
            try Good.all(in: context)[0].price = 5
            let jam = context.insert(Good.self)
            jam.name = "Jam"
            return jam.objectID
        }
        #expect(tea.price == 5 && tea.note == "pending" && !id.isTemporaryID)
        #expect(try shop.stored("Tea")?.note == nil)
    }

    /// What a context posts while something happens.
    private func heard(
        in context: ManagedObjectContext,
        _ body: () async throws -> Void
    ) async throws -> [String] {
        var heard: [String] = []
        let center = context.notifications
        let tokens = [
            center.addObserver(of: ObjectsDidChange.self, from: context) { _ in
                heard.append("change")
            },
            center.addObserver(of: ContextDidSave.self, from: context) { _ in heard.append("save")
            },
        ]
        try await body()
        for token in tokens { center.removeObserver(token) }
        return heard
    }
}

private final class Good: ManagedObject {
    @Managed(rules: [.minimumLength(1)]) var name: String
    @Managed(rules: [.minimum(0)]) var price: Int = 0
    @Managed var note: String?
    @Managed(inverse: \.goods) var maker: Maker?
}

private final class Maker: ManagedObject {
    @Managed(unique: true) var name: String
    @Managed var town: String?
    @Managed var goods: Set<Good>
}
