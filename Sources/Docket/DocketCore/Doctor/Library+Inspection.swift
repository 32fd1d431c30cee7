import DocketFormats
import ObjectGraph

extension Library {
    /// Checks the store, and the rules of Docket that its model does not know.
    ///
    /// - Parameter progress: called with the finished part, from 0 to 1; an error of it ends the work.
    /// - Returns: what was found.
    /// - Throws: `ObjectGraphError` if the store cannot be read.
    /// - Complexity: O(bytes of the store); two seconds for 100,000 items.
    public func inspect(progress: ((Double) throws -> Void)? = nil) throws -> LibraryInspection {
        guard let store = context.coordinator.persistentStores.first else {
            return LibraryInspection()
        }
        let inspection = try context.coordinator.inspect(store) { try progress?($0 * 0.9) }
        var result = LibraryInspection()
        result.findings = inspection.findings.map { LibraryFinding($0) }
        result.objects = inspection.objectCount
        result.transactions = inspection.transactionCount
        result.hasChecksums = inspection.pages.isChecked
        if inspection.findings(of: .damagedStructure).isEmpty {
            // All of it is one state, whoever writes meanwhile.
            try refresh()
            try context.pinToCurrentGeneration()
            isChanging = true
            defer {
                isChanging = false
                context.setQueryGeneration(nil)
            }
            result.items = try count(nil)
            result.findings += try RuleCheck(self).findings()
        }
        try progress?(1)
        return result
    }
}

/// The rules of Docket: what breaks them, and how it is repaired.
struct RuleCheck {
    private let library: Library
    private var context: ManagedObjectContext { library.context }

    init(_ library: Library) { self.library = library }

    func findings() throws -> [LibraryFinding] {
        let equalTags = try equalTags().reduce(0) { $0 + $1.count - 1 }
        let equalLists = try equalLists().reduce(0) { $0 + $1.count - 1 }
        let ranks = try Item.values(of: \.displayOrder, in: context, sortedBy: \.displayOrder)
        let place = "the same place in the order as another one"
        let number = "no number, one that is too large, or that of an older item"
        let found = [
            LibraryFinding(
                .taskCycle,
                try cyclicTasks().count,
                ("task is below itself", "tasks are below themselves"),
                repair: "One task of each circle is no subtask any more."
            ),
            LibraryFinding(
                .listCycle,
                try cyclicLists().count,
                ("list is below itself", "lists are below themselves"),
                repair: "One list of each circle goes to the top."
            ),
            LibraryFinding(
                .equalTags,
                equalTags,
                ("tag equals", "tags equal"),
                " another one in another letter case",
                repair: "They become one tag."
            ),
            LibraryFinding(
                .equalLists,
                equalLists,
                ("list equals", "lists equal"),
                " another one at the same place in another letter case",
                repair: "They become one list."
            ),
            LibraryFinding(
                .farRank,
                try Item.count(in: context, where: isTooLow || isTooHigh),
                ("item has a place", "items have places"),
                " outside of the order",
                repair: "They get places before, or behind, all others."
            ),
            LibraryFinding(
                .equalRanks,
                zip(ranks, ranks.dropFirst()).count { $0 == $1 },
                ("item has \(place)", "items have \(place)"),
                repair: "They get places beside each other, in the order in which they were"
                    + " created."
            ),
            LibraryFinding(
                .wrongNumber,
                try misnumbered().count,
                ("item has \(number)", "items have \(number)"),
                repair: "They get new numbers; the older items keep theirs."
            ),
        ]
        return try found.compactMap { $0 } + counts()
    }

    /// Repairs all of them, as one step.
    ///
    /// - Returns: the number of changed objects.
    func repair() throws -> Int {
        var count = 0
        try library.change {
            for task in try cyclicTasks() { task.parent = nil }
            for list in try cyclicLists() { list.parent = nil }
            try joinTags()
            try joinLists()
            try spreadRanks()
            try renumber()
            count = context.updatedObjects.count + context.deletedObjects.count
            let items = context.updatedObjects.compactMap { $0 as? Item }
            return StepName(
                .repaired,
                items.isEmpty
                    ? StepSubject(.item, count: count, title: nil)
                    : StepSubject(items)
            )
        }
        return count
    }

    // MARK: Cycles

    private func cyclicTasks() throws -> [Task] {
        let tasks = try Task.all(in: context, where: { $0.parent != nil }, sortedBy: \.displayOrder)
        return RuleCheck.firstOfCycles(tasks, \.parent)
    }

    private func cyclicLists() throws -> [List] {
        let lists = try List.all(in: context, sortedBy: \.displayOrder)
        return RuleCheck.firstOfCycles(lists, \.parent)
    }

    /// One member of each circle: the first of the list.
    static func firstOfCycles<Object: ManagedObject>(
        _ objects: [Object],
        _ parent: (Object) -> Object?
    ) -> [Object] {
        // 0 not seen, otherwise the walk that saw it first.
        var walks: [ManagedObjectID: Int] = [:]
        var result: [Object] = []
        for (index, start) in objects.enumerated() {
            var object: Object? = start
            while let next = object, walks[next.objectID] == nil {
                walks[next.objectID] = index
                object = parent(next)
            }
            // This walk came back to itself.
            if let end = object, walks[end.objectID] == index { result.append(end) }
        }
        return result
    }

    // MARK: Names

    private func equalTags() throws -> [[Tag]] {
        RuleCheck.equal(try Tag.all(in: context, sortedBy: \.name)) { $0.name.lowercased() }
    }

    private func equalLists() throws -> [[List]] {
        RuleCheck.equal(try List.all(in: context, sortedBy: \.displayOrder)) {
            "\($0.parent.map { "\($0.objectID)" } ?? "") \($0.name.lowercased())"
        }
    }

    /// Groups of objects with the same key, the oldest first.
    private static func equal<Object: ManagedObject>(
        _ objects: [Object],
        _ key: (Object) -> String
    ) -> [[Object]] {
        Dictionary(grouping: objects, by: key).values.filter { $0.count > 1 }
            .map { $0.sorted { $0.objectID < $1.objectID } }
    }

    private func joinTags() throws {
        for group in try equalTags() {
            for other in group.dropFirst() {
                for item in other.items { item.$tags.insert(group[0]) }
                context.delete(other)
            }
        }
    }

    private func joinLists() throws {
        // Joined lists can have equal children.
        while let group = try equalLists().first {
            for other in group.dropFirst() {
                for item in other.items { item.list = group[0] }
                for child in other.children { child.parent = group[0] }
                context.delete(other)
            }
            context.processPendingChanges()
        }
    }

    // MARK: Ranks and numbers

    private var isTooLow: Condition<Item> { \.displayOrder < -Ranks.limit }
    private var isTooHigh: Condition<Item> { \.displayOrder > Ranks.limit }

    private func spreadRanks() throws {
        func far(_ condition: Condition<Item>) throws -> [Item] {
            try Item.all(in: context, where: condition, sortedBy: \.displayOrder)
        }
        try library.setRanks(of: try far(isTooLow), .top)
        try library.setRanks(of: try far(isTooHigh), .bottom)
        let ranks = try Item.values(of: \.displayOrder, in: context, sortedBy: \.displayOrder)
        var equal: [Int64] = []
        for (rank, next) in zip(ranks, ranks.dropFirst()) where rank == next && equal.last != rank {
            equal.append(rank)
        }
        for rank in equal {
            let items = try Item.all(
                in: context,
                where: { $0.displayOrder == rank },
                sortedBy: \.created,
                \.shortID
            )
            // The first keeps its place.
            try library.setRanks(of: Array(items.dropFirst()), .after(items[0]))
        }
    }

    /// The items that need a new number, the oldest first.
    private func misnumbered() throws -> [Item] {
        let numbers = try Item.values(of: \.shortID, in: context, sortedBy: \.shortID)
        var wrong: Set<Int64> = []
        for (number, next) in zip(numbers, numbers.dropFirst()) where number == next {
            wrong.insert(number)
        }
        let isValid: (Int64) -> Bool = { (1...ShortID.largest).contains($0) }
        for number in numbers where !isValid(number) { wrong.insert(number) }
        var result: [Item] = []
        for number in wrong.sorted() {
            let items = try Item.all(
                in: context,
                where: { $0.shortID == number },
                sortedBy: \.created
            )
            // A number that people may know stays with the item that had it first.
            result += isValid(number) ? Array(items.dropFirst()) : items
        }
        return result
    }

    private func renumber() throws {
        let items = try misnumbered()
        if items.isEmpty { return }
        var last =
            try Item.values(
                of: \.shortID,
                in: context,
                where: \.shortID <= ShortID.largest,
                sortedBy: \.shortID.descending,
                limit: 1
            ).first ?? 0
        for item in items {
            last = max(last, 0) + 1
            item.shortID = last
        }
    }

    // MARK: Counts

    /// Compares what the store counts for each smart list, with its indexes, with the items that the
    /// same rule selects one by one.
    private func counts() throws -> [LibraryFinding] {
        let clock = library.clock()
        let rules = MembershipRules(clock)
        var counts: [SmartList: Int] = [:]
        try library.forEachSlice(of: library.itemIDs(matching: nil)) { items in
            for item in items {
                var values: [String: GraphValue] = [:]
                for key in MembershipRules.keys where item.entity.property(named: key) != nil {
                    values[key] = try item.value(forKey: key)
                }
                for list in try rules.smartLists(values) { counts[list, default: 0] += 1 }
            }
        }
        return try MembershipRules.lists.compactMap { list in
            let (shown, actual) = (
                try library.count(list.countedCondition(clock)), counts[list] ?? 0
            )
            if shown == actual { return nil }
            return LibraryFinding(
                .wrongCount,
                count: abs(shown - actual),
                "The list \(list.title) shows \(shown) items and has \(actual).",
                repair: nil
            )
        }
    }
}
