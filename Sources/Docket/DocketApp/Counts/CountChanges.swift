import CivilTime
import DocketCore
import FoundationEssentials
import ObjectGraph

// Counts follow from the history: the changes of a transaction have an item's old values, its row
// has the new ones, and the difference is added. This covers this program's own commands, those of
// other windows and scripts; unsaved changes do not count.

/// Updates a tally to the newest transaction.
///
/// - Complexity: a read of the log's end if nothing was saved, else some statements for each five
///   hundred changed items, however many items there are.
final class CountChanges {
    private let context: ManagedObjectContext
    private let isItem: (ManagedObjectID) -> Bool
    private let task: [Slot]
    private let note: [Slot]
    private let noteNumber: UInt16
    /// The rules of the last moment that was counted for, at which the next save is counted, too;
    /// those of the next moment are made of them.
    private var lastRules: MembershipRules?

    /// Up to this number of changed objects each is read; for more, counting everything in the
    /// background is better.
    static let limit = 2000

    init(_ library: Library) {
        context = library.context
        let model = context.coordinator.model
        task = Self.slots(of: model.entity(of: Task.self))
        note = Self.slots(of: model.entity(of: Note.self))
        let numbers = [Task.self, Note.self].map { model.entity(of: $0)?.number ?? 0 }
        noteNumber = numbers[1]
        isItem = { numbers.contains($0.entityNumber) }
    }

    /// Adds the saves since the tally was made.
    ///
    /// - Returns: whether it was possible; false if too much has changed or the history does not
    ///   reach back.
    func bringUpToDate(_ tally: inout CountTally) throws -> Bool {
        try context.coordinator.withFirstStore { try bringUpToDate(&tally, from: $0) } ?? false
    }

    private func bringUpToDate(
        _ tally: inout CountTally,
        from store: any PersistentStore
    ) throws -> Bool {
        let newest = try store.latestTransaction()
        if newest == tally.transaction { return true }
        guard newest > tally.transaction,
            try store.historyChangeCount(after: tally.transaction, limit: Self.limit)
                <= Self.limit
        else { return false }
        // Rows and history of the same moment, whatever others write.
        return try store.reading {
            var changes = ItemChanges(isItem)
            var token = tally.transaction
            while true {
                let transactions = try store.history(after: token, limit: 100)
                guard let last = transactions.last else { break }
                for transaction in transactions {
                    for change in transaction.changes { changes.add(change) }
                }
                if changes.count > Self.limit { return false }
                token = last.number
            }
            var counted = tally
            try apply(changes, to: &counted)
            counted.transaction = token
            tally = counted
            return true
        }
    }

    private func apply(_ changes: ItemChanges, to tally: inout CountTally) throws {
        let present = changes.items.filter { $0.value.existsNow }.map(\.key)
        let rows = try items(present)
        let tags = try context.savedDestinations(of: \.tags, in: Item.self, for: present)
        var tagsNow: [ManagedObjectID: Set<ManagedObjectID>] = [:]
        for (id, tags) in zip(present, tags) { tagsNow[id] = Set(tags) }
        let rules = rules(at: tally.clock)
        for (id, change) in changes.items {
            var item: [String: GraphValue] = [:]
            var itemTags: Set<ManagedObjectID> = []
            if change.existsNow {
                guard let row = rows[id] else { continue }
                item = row
                itemTags = tagsNow[id] ?? []
                try count(item, itemTags, 1, rules, in: &tally)
            }
            guard change.existedBefore else { continue }
            item.merge(change.deletedValues) { $1 }
            item.merge(change.oldValues) { $1 }
            itemTags.formUnion(change.removedTags)
            itemTags.subtract(change.addedTags)
            try count(item, itemTags, -1, rules, in: &tally)
        }
        for id in changes.goneLists { tally.remove(.list(id)) }
        for id in changes.goneTags { tally.remove(.tag(id)) }
    }

    private func count(
        _ item: [String: GraphValue],
        _ tags: Set<ManagedObjectID>,
        _ number: Int,
        _ rules: MembershipRules,
        in tally: inout CountTally
    ) throws {
        for scope in try rules.scopes(item, tags: tags) { tally.add(number, to: scope) }
    }

    // MARK: The time

    /// Counts the lists with dates for another moment.
    ///
    /// - Returns: whether it was possible; false if the counted state is no longer in the store, or
    ///   if the clock has moved too far.
    func move(_ tally: inout CountTally, to clock: DateContext) throws -> Bool {
        let old = tally.clock
        guard clock.zone.isSame(as: old.zone),
            abs(clock.today.number - old.today.number) <= 31
        else { return false }
        if clock.now == old.now { return true }
        return try context.coordinator.withFirstStore {
            try move(&tally, to: clock, from: $0)
        } ?? false
    }

    private func move(
        _ tally: inout CountTally,
        to clock: DateContext,
        from store: any PersistentStore
    ) throws -> Bool {
        let old = tally.clock
        return try store.reading {
            guard try store.latestTransaction() == tally.transaction else { return false }
            let (before, after) = (rules(at: old), rules(at: clock))
            var request = FetchRequest<ManagedObjectID>(
                of: Task.self,
                where: try before.affected(by: after) && Condition(inherited: Library.notTrashed)
            )
            request.includesPendingChanges = false
            for item in try items(try context.fetchIDs(request.description)).values {
                let (before, after) = (try before.smartLists(item), try after.smartLists(item))
                for list in after.subtracting(before) { tally.add(1, to: .smart(list)) }
                for list in before.subtracting(after) { tally.add(-1, to: .smart(list)) }
            }
            tally.clock = clock
            return true
        }
    }

    private func rules(at clock: DateContext) -> MembershipRules {
        if let lastRules, lastRules.clock.isSame(as: clock) { return lastRules }
        let rules = MembershipRules(clock, after: lastRules)
        lastRules = rules
        return rules
    }

    // MARK: Rows

    private func items(
        _ ids: [ManagedObjectID]
    ) throws -> [ManagedObjectID: [String: GraphValue]] {
        var found: [ManagedObjectID: [String: GraphValue]] = [:]
        try context.forEachRow(of: ids, keepsRows: false, isFresh: true) { id, row in
            var item: [String: GraphValue] = [:]
            for slot in id.entityNumber == noteNumber ? note : task where !row.lacks(slot.number) {
                item[slot.key] = slot.value(row, slot.number)
            }
            found[id] = item
        }
        return found
    }

    /// A property that a rule compares, in the rows of an entity.
    private struct Slot {
        let key: String
        let number: Int
        let value: (RowReader, Int) -> GraphValue?
    }

    private static func slots(of entity: EntityDescription?) -> [Slot] {
        guard let entity else { return [] }
        return MembershipRules.keys.compactMap { key in
            guard let number = entity.slotByName[key], let property = entity.property(named: key)
            else { return nil }
            return Slot(key: key, number: number, value: reading(property))
        }
    }

    private static func reading(
        _ property: PropertyDescription
    ) -> (RowReader, Int) -> GraphValue? {
        switch (property as? AttributeDescription)?.type {
        case .boolean?: { $0.number($1).map { .bool($0 != 0) } }
        case .integer16?, .integer32?, .integer64?: { $0.number($1).map { .int($0) } }
        case .string?: { row, slot in row.string(slot).map { .string($0) } }
        case .date?: { $0.date($1).map { .date($0) } }
        case nil: { $0.reference($1).map { .objectID($0) } }
        default: { _, _ in nil }
        }
    }
}

/// The effects of consecutive transactions on items.
private struct ItemChanges {
    struct Change {
        /// Whether the item existed before the first of them.
        var existedBefore = true
        /// Whether it exists after the last.
        var existsNow = true
        /// The old values of changed properties.
        var oldValues: [String: GraphValue] = [:]
        /// All values of a deleted item at its end.
        var deletedValues: [String: GraphValue] = [:]
        /// The tags that were added, and those that were removed.
        var addedTags: Set<ManagedObjectID> = []
        var removedTags: Set<ManagedObjectID> = []

        mutating func addTag(_ id: ManagedObjectID) {
            if removedTags.remove(id) == nil { addedTags.insert(id) }
        }

        mutating func removeTag(_ id: ManagedObjectID) {
            if addedTags.remove(id) == nil { removedTags.insert(id) }
        }
    }

    private let isItem: (ManagedObjectID) -> Bool
    private(set) var items: [ManagedObjectID: Change] = [:]
    private(set) var goneLists: Set<ManagedObjectID> = []
    private(set) var goneTags: Set<ManagedObjectID> = []

    init(_ isItem: @escaping (ManagedObjectID) -> Bool) { self.isItem = isItem }

    var count: Int { items.count }

    mutating func add(_ change: HistoryChange) {
        if isItem(change.objectID) { return addItem(change) }
        switch (change.objectID.entityName, change.kind) {
        case (List.entityName, .delete): goneLists.insert(change.objectID)
        case (List.entityName, .insert): goneLists.remove(change.objectID)
        case (Tag.entityName, let kind): addTag(change, kind)
        default: break
        }
    }

    private mutating func addItem(_ change: HistoryChange) {
        let id = change.objectID
        let added = change.addedMembers[Item.Keys.tags] ?? []
        let removed = change.removedMembers[Item.Keys.tags] ?? []
        switch change.kind {
        case .insert:
            if items[id] == nil { items[id] = Change(existedBefore: false) }
            items[id]?.existsNow = true
        case .update:
            guard
                change.oldValues.keys.contains(where: MembershipRules.keys.contains)
                    || !added.isEmpty
                    || !removed.isEmpty
            else { return }
            keep(change.oldValues, of: id)
        case .delete:
            items[id, default: Change()].existsNow = false
            items[id]?.deletedValues = change.oldValues
        }
        for tag in removed { items[id]?.removeTag(tag) }
        for tag in added { items[id]?.addTag(tag) }
    }

    /// The first old value of each key is the counted one.
    private mutating func keep(_ values: [String: GraphValue], of id: ManagedObjectID) {
        items[id, default: Change()].oldValues.merge(values) { first, _ in first }
    }

    private mutating func addTag(_ change: HistoryChange, _ kind: HistoryChange.Kind) {
        switch kind {
        case .insert: goneTags.remove(change.objectID)
        case .delete: goneTags.insert(change.objectID)
        case .update: break
        }
        for item in change.removedMembers[Tag.Keys.items] ?? [] {
            items[item, default: Change()].removeTag(change.objectID)
        }
        for item in change.addedMembers[Tag.Keys.items] ?? [] {
            items[item, default: Change()].addTag(change.objectID)
        }
    }
}
