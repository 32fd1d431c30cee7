import DocketFormats
import ObjectGraph

// New items share some values with those of other processes: short IDs, the end of the display
// order, the names of lists and tags. A verb takes them when it begins, so that they can be shown.
// Inside the write transaction, where nobody else can write, it checks whether they are still free.
//
//   assignNumbers ── save ── BEGIN IMMEDIATE ── checkTaken ── rows written ── COMMIT
//                                  │                 │
//                                  │                 └─ numbers taken: assign others
//                                  ├─ a place of a verb is taken: the verb runs again
//                                  ├─ what others have saved would make a circle: an error
//                                  ├─ names taken: NamesTaken, ROLLBACK ── adoptNames ── save again
//                                  └─ `Series/Library+SeriesTogether.swift`: the verb runs again

extension Library {
    /// Somebody else has saved a list, a tag or a location of the same name in the meantime.
    private struct NamesTaken: Error {}

    /// Somebody else has put an item at a place that the verb has given to one.
    struct PlaceTaken: Error {}

    /// Saves a context over the library's store, after adapting it to the saves of others.
    ///
    /// - Parameters:
    ///   - context: the library's own, or a scratch context.
    ///   - info: the record for the history.
    ///   - beforeWriting: additional work inside the write transaction.
    /// - Returns: the number of the transaction; 0 if nothing had changed.
    /// - Throws: the error of the save; the pending changes stay.
    func save(
        _ context: ManagedObjectContext,
        _ info: TransactionInfo,
        beforeWriting: (() throws -> Void)? = nil
    ) throws -> Int64 {
        context.beforeWriting = { [unowned self, unowned context] in
            try checkTaken(in: context)
            try checkCircles(in: context)
            try beforeWriting?()
        }
        defer {
            context.beforeWriting = nil
            forgetNumbers()
        }
        var attempts = 0
        while true {
            do {
                return try advisingRepair { try context.save(info) }
            } catch is NamesTaken where attempts < 20 {
                attempts += 1
                try adoptNames(in: context)
                // The numbers are older than the merge before this line.
                hasOldNumbers = true
            }
        }
    }

    /// Saves a scratch context, and merges what it has saved into the library's own.
    func saveAndMerge(
        _ scratch: ManagedObjectContext,
        _ info: TransactionInfo,
        beforeWriting: (() throws -> Void)? = nil
    ) throws -> Int64 {
        let center = scratch.notifications
        let token = center.addObserver(of: ContextDidSave.self, from: scratch) { [context] save in
            context.mergeChanges(from: save)
        }
        defer { center.removeObserver(token) }
        return try save(scratch, info, beforeWriting: beforeWriting)
    }

    /// Gives new items the next short IDs, and ranks at the end of the display order.
    ///
    /// Items that are not saved yet count too: a verb may add items one after the other.
    ///
    /// - Parameters:
    ///   - items: the new items.
    ///   - scratch: their context, if it is not the library's own.
    /// - Throws: the store's error.
    func assignNumbers(to items: [Item], in scratch: ManagedObjectContext? = nil) throws {
        let context = scratch ?? self.context
        var numbers = Numbers(
            shortID: try largestSaved(shortIDRequest),
            rank: try largestSaved(rankRequest)
        )
        numbers.follow(context.insertedObjects.union(context.updatedObjects))
        endOfOrder = min(endOfOrder ?? numbers.rank, numbers.rank)
        try assign(numbers, to: items, in: context)
    }

    /// Gives new items of a context the numbers and places behind some.
    ///
    /// At the end of the ranks, the last items are spaced again.
    func assign(
        _ numbers: Numbers,
        to items: [Item],
        in context: ManagedObjectContext
    ) throws {
        if numbers.assign(to: items) { return }
        try setRanks(of: items, .bottom, in: context)
    }

    /// The largest short ID and rank that are used.
    struct Numbers {
        var shortID: Int64
        var rank: Int64

        /// Takes over those of items that have some.
        mutating func follow(_ objects: Set<ManagedObject>) {
            for case let item as Item in objects where item.shortID > 0 {
                if item.shortID <= ShortID.largest { shortID = max(shortID, item.shortID) }
                rank = max(rank, item.displayOrder)
            }
        }

        /// Gives items the numbers and places behind these, in their order.
        ///
        /// - Returns: false if there are no ranks behind, so that the items have no place.
        fileprivate func assign(to items: [Item]) -> Bool {
            let hasRoom = rank <= Ranks.limit - Int64(items.count) * Ranks.spacing
            for (offset, item) in items.enumerated() {
                item.shortID = shortID + 1 + Int64(offset)
                if hasRoom { item.displayOrder = rank + Int64(offset + 1) * Ranks.spacing }
            }
            return hasRoom
        }
    }

    /// Forgets when new items got their numbers, and which occurrences move on: they are saved, or
    /// reverted.
    func forgetNumbers() {
        endOfOrder = nil
        hasOldNumbers = false
        movedOn = []
    }

    /// Gives new items other short IDs if theirs are taken now, and those at the end another place
    /// if somebody else has used it.
    ///
    /// Cost: one read of the history while nobody else saves.
    private func checkTaken(in context: ManagedObjectContext) throws {
        if !hasOldNumbers, try latestTransaction() == seenTransaction { return }
        try checkMovedOn(in: context)
        if try hasTakenNames(context) { throw NamesTaken() }
        let new = context.insertedObjects.compactMap { $0 as? Item }
            .sorted { $0.shortID < $1.shortID }
        guard let first = new.first else { return }
        let lastID = try largestSaved(shortIDRequest)
        if first.shortID <= lastID, try isTaken(new.map(\.shortID)) {
            for (offset, item) in new.enumerated() { item.shortID = lastID + 1 + Int64(offset) }
        }
        let lastRank = try largestSaved(rankRequest)
        if let endOfOrder, lastRank > endOfOrder {
            // The others keep the place between items that the user chose.
            let last = new.filter { $0.displayOrder > endOfOrder }
                .sorted { $0.displayOrder < $1.displayOrder }
            let shift = lastRank &- endOfOrder
            let end = (last.last?.displayOrder ?? 0).addingReportingOverflow(shift)
            if shift > 0, !end.overflow, end.partialValue <= Ranks.limit {
                for item in last { item.displayOrder += shift }
            } else {
                try setRanks(of: last, .bottom, in: context)
            }
        }
        context.processPendingChanges()
    }

    /// Throws if an item that others have saved has the place of a pending one.
    ///
    /// Cost: none while nobody else saves; else one statement for 500 places.
    func checkPlaces() throws {
        if !hasOldNumbers, try latestTransaction() == seenTransaction { return }
        let changed = context.insertedObjects.union(context.updatedObjects)
            .compactMap { $0 as? Item }
        let ours = Set(changed.map(\.shortID))
        let places = changed.filter {
            $0.isInserted || $0.changedKeys.contains(Item.Keys.displayOrder)
        }.map(\.displayOrder)
        for start in stride(from: 0, to: places.count, by: 500) {
            let slice = places[start..<min(start + 500, places.count)]
            let saved = try Item.values(
                of: \.shortID,
                in: context,
                where: Condition { $0.displayOrder.in(slice) }
            )
            if saved.contains(where: { !ours.contains($0) }) { throw PlaceTaken() }
        }
    }

    private func isTaken(_ numbers: [Int64]) throws -> Bool {
        for start in stride(from: 0, to: numbers.count, by: 500) {
            let slice = numbers[start..<min(start + 500, numbers.count)]
            let taken = try Item.values(
                of: \.shortID,
                in: context,
                where: Condition { $0.shortID.in(slice) },
                limit: 1
            )
            if !taken.isEmpty { return true }
        }
        return false
    }

    /// The request for the largest short ID; those above ``ShortID/largest`` do not count.
    var shortIDRequest: FetchRequest<[String: GraphValue]> {
        largest(\.shortID, where: \.shortID <= ShortID.largest)
    }

    /// The request for the largest rank.
    var rankRequest: FetchRequest<[String: GraphValue]> { largest(\.displayOrder) }

    private func largest(
        _ keyPath: RequestKeyPath<Item, Int64>,
        where condition: Condition<Item>? = nil
    ) -> FetchRequest<[String: GraphValue]> {
        var request = FetchRequest<[String: GraphValue]>(
            of: Item.self,
            columns: [.property(keyPath, as: "number")],
            where: condition,
            sortedBy: keyPath.appending(path: \.descending)
        )
        request.limit = 1
        return request
    }

    /// The largest saved value of a number that every item has; 0 without items.
    ///
    /// Cost: one step in the index.
    private func largestSaved(_ request: FetchRequest<[String: GraphValue]>) throws -> Int64 {
        // Asks the store, not objects, so that saves of other processes count.
        guard case .int(let number)? = try context.fetch(request).first?["number"] else { return 0 }
        return number
    }

    // MARK: Names

    /// Whether the store now has a list, a tag or a location that a context is about to create.
    private func hasTakenNames(_ context: ManagedObjectContext) throws -> Bool {
        let new = context.insertedObjects
        let tags = new.compactMap { ($0 as? Tag)?.name.lowercased() }
        if !tags.isEmpty {
            let known = Set(try Tag.values(of: \.name, in: context).map { $0.lowercased() })
            if !known.isDisjoint(with: tags) { return true }
        }
        // Locations are distinguished by their letter case too.
        let places = new.compactMap { ($0 as? Location)?.name }
        if !places.isEmpty {
            let known = Set(try Location.values(of: \.name, in: context))
            if !known.isDisjoint(with: places) { return true }
        }
        // A list below a new one cannot exist.
        let lists = new.compactMap { $0 as? List }.filter { $0.parent?.isInserted != true }
        if lists.isEmpty { return false }
        let known = try savedLists(in: context)
        return lists.contains { list in known.contains { $0.isNamed(like: list) } }
    }

    /// Replaces the lists, tags and locations of a context that is about to be saved by those of
    /// the same name that others have created in the meantime.
    private func adoptNames(in context: ManagedObjectContext) throws {
        try merge()
        let new = context.insertedObjects
        let tags = try Tag.all(in: context)
        for tag in new.compactMap({ $0 as? Tag }) {
            let name = tag.name.lowercased()
            guard let known = tags.first(where: { !$0.isInserted && $0.name.lowercased() == name })
            else { continue }
            for item in tag.items { item.$tags.insert(known) }
            context.delete(tag)
        }
        let places = try Location.all(in: context)
        for place in new.compactMap({ $0 as? Location }) {
            guard let known = places.first(where: { !$0.isInserted && $0.name == place.name })
            else { continue }
            for task in place.tasks { task.location = known }
            context.delete(place)
        }
        let known = try savedLists(in: context)
        // Outermost first: lists below one are compared under its replacement.
        for list in new.compactMap({ $0 as? List }).sorted(by: { $0.path.count < $1.path.count }) {
            guard let other = known.first(where: { $0.isNamed(like: list) }) else { continue }
            for item in list.items { item.list = other }
            for child in list.children { child.parent = other }
            context.delete(list)
        }
        context.processPendingChanges()
    }

    private func savedLists(in context: ManagedObjectContext) throws -> [List] {
        try List.all(in: context).filter { !$0.isInserted }
    }
}

extension List {
    /// Whether another list is the same for a person: below the same parent, with the same name in
    /// any letter case.
    fileprivate func isNamed(like other: List) -> Bool {
        parent === other.parent && name.lowercased() == other.name.lowercased()
    }
}

/// Writes, and says after a refusal for a damaged page what the user can do.
func advisingRepair<Result>(_ work: () throws -> Result) throws -> Result {
    do {
        return try work()
    } catch var error as ObjectGraphError where error.code == .damagedFile {
        error.recovery =
            "Nothing was changed; run `docket doctor --repair` while no window of it is open."
        throw error
    }
}
