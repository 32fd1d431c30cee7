import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import SeededRandom
import Testing

/// How often a window waits for the server.
@Suite(.enabled(if: PostgreSQLAtHand.isThere))
struct RoundTripTests {
    /// The store reads the saves of others once; from then on it knows them like its own.
    @Test func aStepOfAnotherSessionIsUndoneInTwoRoundTrips() throws {
        let bench = try ServerBench()
        let (context, store, follower) = try bench.following()
        let item = try context.add("Item", ["title": "mine", "rank": 1])
        try context.save(as: "Add")
        let (other, _) = try bench.context(searched: true)
        other.transactionAuthor = "anna"
        let same = try #require(try other.found("Item").first)
        for title in ["theirs", "later"] {
            try same.setValue(.string(title), forKey: "title")
            try other.save(as: title)
        }
        #expect(try hasSeen(2, store, follower) == ["theirs", "later"])
        var before = store.roundTrips
        func trips() -> Int {
            defer { before = store.roundTrips }
            return store.roundTrips - before
        }
        let news = try store.history(after: 1, limit: 10)
        #expect(news.compactMap(\.groupName) == ["theirs", "later"])
        #expect(try store.historyChangeCount(after: 1, limit: 10) == 2)
        #expect(try context.undoSteps().map(\.name) == ["later", "theirs", "Add"])
        #expect(trips() == 0)
        #expect(try context.undoLastCommand()?.isDone == true)
        #expect(trips() == 2)
        #expect(try item.value(forKey: "title") == "theirs")
        #expect(try context.undoLastCommand()?.step.name == "theirs")
        #expect(trips() == 2)
        #expect(try context.redoLastCommand()?.step.name == "theirs")
        #expect(trips() == 2)
        // The history has the same as the memory.
        let known = try store.history(after: 0, limit: 100)
        context.coordinator.answersFromMemory = false
        let read = try store.history(after: 0, limit: 100)
        #expect(known.map(\.changes) == read.map(\.changes) && read.count == 6)
        #expect(try context.undoSteps().map(\.name) == ["theirs", "Add"])
    }

    /// What others undo and redo is asked, and an own save before theirs are read forgets them.
    @Test func whatOthersUndoIsOffered() throws {
        let bench = try ServerBench()
        let (context, store, follower) = try bench.following()
        let item = try context.add("Item", ["title": "one"])
        try context.save(as: "Add")
        try item.setValue("two", forKey: "title")
        try context.save(as: "Change")
        let (other, _) = try bench.context(searched: true)
        other.coordinator.undoesByAuthor = true
        other.transactionAuthor = "anna"
        #expect(try other.undoLastCommand()?.step.name == "Change")
        _ = try hasSeen(1, store, follower)
        #expect(try context.undoSteps().map(\.name) == ["Add"])
        #expect(try context.redoSteps().map(\.name) == ["Change"])
        #expect(try item.value(forKey: "title") == "one")
        let another = try #require(try other.found("Item").first)
        try another.setValue(7, forKey: "rank")
        try other.save(as: "Rank")
        // Not merged: the lock of the save meets it.
        try context.add("Item", ["title": "new"])
        try context.save(as: "New")
        #expect(try context.undoSteps().map(\.name) == ["New", "Rank", "Add"])
        #expect(try context.redoSteps().isEmpty)
        try follower.catchUp()
        #expect(try item.value(forKey: "rank") == 7)
        #expect(try store.history(after: 3, limit: 10).compactMap(\.groupName) == ["Rank", "New"])
    }

    /// What others save leaves what it does not concern known, and all that is answered is right.
    @Test(arguments: SeededRandom.seeds(2))
    func whatOthersHaveNotChangedStaysKnown(_ seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let bench = try ServerBench()
        let (context, store, follower) = try bench.following()
        let (other, theirs) = try bench.context(searched: true)
        var lists = try (0..<4).map { try other.add("List", ["name": .string("\($0)")]) }
        for rank in 0..<8 {
            try other.add("Item", ["rank": .int(Int64(rank)), "list": .object(lists[rank % 4])])
        }
        try other.save(as: "Fill")
        let items = try #require(
            context.model.entity(named: "List")?.property(named: "items")
                as? RelationshipDescription
        )
        let order = FetchRequest<ManagedObject>(
            entityName: "Item",
            sortDescriptors: [FetchSortDescriptor("rank")]
        )
        let controller = try FetchedResultsController(request: order, context: context)
        controller.didChange = { _ in }
        _ = try hasSeen(1, store, follower)
        try controller.performFetch()
        for step in 0..<SeededRandom.rounds(8, long: 200) {
            try changeAnything(in: other, &lists, &random)
            try other.save(as: "\(step)")
            _ = try hasSeen(1, store, follower)
            if random.chance(3) {
                try context.add("Item", ["rank": .int(Int64(random.below(50)))])
                try context.save(as: "Own")
            }
            let owners = lists.map(\.objectID)
            let known = try store.destinations(of: items, owners: owners)
            #expect(
                try known.map(Set.init)
                    == theirs.destinations(of: items, owners: owners).map(Set.init)
            )
            let start = store.roundTrips
            #expect(try store.destinations(of: items, owners: owners) == known)
            #expect(!store.isCurrent || store.roundTrips == start)
            let found = try context.found("Item", by: "rank").map(\.objectID)
            other.refreshAllObjects()
            #expect(try found == other.found("Item", by: "rank").map(\.objectID))
            #expect(controller.objectIDs == found)
        }
    }

    private func changeAnything(
        in other: ManagedObjectContext,
        _ lists: inout [ManagedObject],
        _ random: inout SeededRandom
    ) throws {
        let items = try other.found("Item")
        for _ in 0...random.below(3) {
            let list = GraphValue.object(random.pick(lists))
            let rank = GraphValue.int(Int64(random.below(50)))
            let item = random.draw(items).flatMap { $0.isDeleted ? nil : $0 }
            switch random.below(6) {
            case 0: try other.add("Item", ["rank": rank, "list": list])
            case 1: try item?.setValue(list, forKey: "list")
            case 2: try item?.setValue(.null, forKey: "list")
            case 3: try item?.setValue(rank, forKey: "rank")
            case 4: if let item { other.delete(item) }
            default:
                let index = random.below(lists.count)
                other.delete(lists[index])
                lists[index] = try other.add("List", ["name": "new"])
            }
        }
    }

    /// A transaction that only reads ends without an answer of the server.
    @Test func aReadingWaitsForItsAnswersOnly() throws {
        let bench = try ServerBench()
        let (context, store) = try bench.context(searched: true)
        try context.add("Item", ["title": "one"])
        try context.save(as: "Add")
        let before = store.roundTrips
        for rank in 0..<3 {
            let request = FetchRequest<ManagedObject>(
                entityName: "Item",
                predicate: .comparison(
                    .init(.keyPath("rank"), .greater, .constant(.int(Int64(rank))))
                )
            )
            #expect(try store.reading { try context.count(for: request) } == 0)
        }
        // Its beginning, and the answer.
        #expect(store.roundTrips - before == 6)
        let (other, _) = try bench.context(searched: true)
        #expect(try other.found("Item").count == 1)
    }

    /// Rows that leave a list and come back are in order, whatever has changed meanwhile.
    @Test(arguments: SeededRandom.seeds(3))
    func rowsComeBackInOrder(_ seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let bench = try ServerBench()
        let (context, store, follower) = try bench.following()
        let (other, _) = try bench.context(searched: true)
        for rank in 0..<60 {
            try context.add("Item", ["rank": .int(Int64(rank * 4)), "title": "shown"])
        }
        try context.save()
        let shown = FetchRequest<ManagedObject>(
            entityName: "Item",
            predicate: .comparison(.init(.keyPath("title"), .equal, .constant("shown"))),
            sortDescriptors: [FetchSortDescriptor("rank")]
        )
        let controller = try FetchedResultsController(request: shown, context: context)
        controller.didChange = { _ in }
        try controller.performFetch()
        var hidden: [ManagedObject] = []
        for step in 0..<SeededRandom.rounds(120, long: 2_000) {
            let isTheirs = random.chance(8)
            other.refreshAllObjects()
            let items = try (isTheirs ? other : context).found("Item", by: "rank")
            if items.isEmpty {
                _ = try context.redoLastCommand()
                continue
            }
            let place = random.below(items.count)
            switch random.below(7) {
            case 0, 1:
                let item = isTheirs ? items[place] : hidden.popLast() ?? items[place]
                try item.setValue("shown", forKey: "title")
            case 2, 3:
                let item = items[place]
                try item.setValue("hidden", forKey: "title")
                if !isTheirs { hidden.append(item) }
            case 4, 5:
                // Mostly of the row beside one that has gone, past that one and no other.
                let last = isTheirs ? nil : hidden.last.flatMap { items.firstIndex(of: $0) }
                let item = items[last.map { min($0 + 1, items.count - 1) } ?? place]
                guard case .int(let rank) = try item.value(forKey: "rank") else { break }
                try item.setValue(.int(rank - Int64(random.below(7))), forKey: "rank")
            default: _ = try context.undoLastCommand()
            }
            let isChanged = other.hasChanges
            try (isTheirs ? other : context).save(as: "\(step)")
            if isChanged { _ = try hasSeen(1, store, follower) }
            let found = try context.fetch(shown).map(\.objectID)
            #expect(controller.objectIDs == found, "step \(step)")
            if controller.objectIDs != found { return }
        }
    }

    /// A row that comes back is placed without asking for the row of each comparison.
    @Test(arguments: [0, 700, 1999])
    func aRowIsPlacedInFewRoundTrips(_ place: Int) throws {
        let bench = try ServerBench()
        let (writer, _) = try bench.context(searched: true)
        for rank in 0..<2000 where rank != place {
            try writer.add("Item", ["rank": .int(Int64(rank))])
        }
        try writer.save(as: "Add")
        let (context, store, follower) = try bench.following()
        let controller = try FetchedResultsController(
            request: FetchRequest<ManagedObject>(
                entityName: "Item",
                sortDescriptors: [FetchSortDescriptor("rank")]
            ),
            context: context
        )
        controller.didChange = { _ in }
        try controller.performFetch()
        context.coordinator.forgetRows(controller.objectIDs)
        try context.add("Item", ["rank": .int(Int64(place))])
        let before = store.roundTrips
        try context.save(as: "New")
        #expect(store.roundTrips - before <= 4)
        #expect(controller.objectIDs.count == 2000)
        let object = context.object(with: controller.objectIDs[place])
        #expect(try object.value(forKey: "rank") == .int(Int64(place)))
        withExtendedLifetime(follower) {}
    }

    /// Waits until the watch has told of the newest save, and merges.
    private func hasSeen(
        _ saves: Int,
        _ store: PostgreSQLStore,
        _ follower: StoreFollower
    ) throws -> [String] {
        var names: [String] = []
        let end = ContinuousClock.now + .seconds(20)
        while names.count < saves || !store.isCurrent, ContinuousClock.now < end {
            names += try follower.catchUp().stepNames
            sched_yield()
        }
        return names
    }
}
