import ObjectModel
import ObjectStore

/// What a store knows of its database without asking: its own saves, and what it has read.
///
/// Invariants:
/// 1. Everything in it is as in the state with the number `PostgreSQLStore.serial`, or of a later
///    one that the store has not heard of.
/// 2. A save of the store itself changes it or takes out what may be different now.
/// 3. When others have saved, nothing is an answer before all their transactions have been read:
///    these name what has changed, which is taken out. Who owns a new row says the row alone.
struct PostgreSQLKnowledge {
    /// The transactions since the knowledge began, without a gap.
    private var transactions: [HistoryTransaction] = []
    private var changeCount = 0
    /// The number of the transaction before the first of them.
    private var start: Int64 = 0
    /// The number of the newest transaction of the state.
    private var newestOfState: Int64 = 0
    var steps = KnownSteps()
    /// Rows in the cache that are the present ones.
    private var freshRows: Set<ManagedObjectID> = []
    /// Rows that are not there.
    private var goneRows: Set<ManagedObjectID> = []
    /// Rows that others have added and that were not read: members of unknown owners.
    private var newRows: Set<ManagedObjectID> = []
    private var members: [Owner: [ManagedObjectID]] = [:]
    private var answers: [Question: Answer] = [:]

    private static let changeLimit = 2_000
    private static let rowLimit = 4_000
    /// Some relationships of all that was fetched with a screen, several screens long.
    private static let memberLimit = 32_000
    private static let answerLimit = 64
    /// Of how many new objects the members are kept: what a person adds, not what a program fills.
    private static let newLimit = 64

    struct Owner: Hashable {
        /// The root entity, in whose table the owners are.
        let root: UInt16
        let relationship: String
        let key: Int64

        init(_ relationship: RelationshipDescription, _ key: Int64) {
            root = relationship.entity?.root.number ?? 0
            self.relationship = relationship.name
            self.key = key
        }
    }

    struct Question: Hashable {
        let sql: String
        let arguments: [SQLValue]

        init(_ sql: String, _ arguments: [SQLValue]) {
            (self.sql, self.arguments) = (sql, arguments)
        }
    }

    private struct Answer {
        let result: PostgreSQLResult
        /// The numbers of the root entities whose tables it was read from.
        let roots: Set<UInt16>
    }

    /// Nothing is known but the number of the newest transaction.
    init(after number: Int64 = 0) {
        start = number
        newestOfState = number
        steps = KnownSteps(after: number)
    }

    /// Follows saves of others whose transactions end with a number, and are read later.
    mutating func noteOthers(until number: Int64) { newestOfState = number }

    // MARK: History

    /// The number of the newest transaction.
    var newest: Int64 { max(newestOfState, lastKnown) }

    /// The number of the newest transaction that was read.
    var lastKnown: Int64 { transactions.last?.number ?? start }

    /// Whether all transactions since the knowledge began are known.
    var hasAll: Bool { lastKnown >= newestOfState }

    /// Notes a transaction of the store itself.
    mutating func add(_ row: HistoryTransactionRow, _ transaction: HistoryTransaction) {
        if row.number != lastKnown + 1 {
            // What others have saved before was not read.
            freshRows = []
            goneRows = []
            forgetMembers()
            answers = [:]
            transactions = []
            changeCount = 0
            start = row.number - 1
            steps = KnownSteps(after: start)
        }
        steps.add(row)
        append(transaction)
    }

    /// Notes transactions that were read, in their order.
    mutating func note(_ read: [HistoryTransaction], of model: ManagedObjectModel) {
        for transaction in read where transaction.number == lastKnown + 1 {
            let changed = transaction.changes.map(\.objectID)
            freshRows.subtract(changed)
            goneRows.subtract(changed)
            var roots: Set<UInt16> = []
            for change in transaction.changes {
                guard let entity = model.entity(of: change.objectID) else { continue }
                roots.insert(entity.root.number)
                forgetMembers(after: change, of: entity, &roots)
            }
            take(out: transaction.changes.lazy.filter { $0.kind == .delete }.map(\.objectID))
            forgetAnswers(from: roots)
            steps.add(transaction)
            append(transaction)
        }
    }

    /// Forgets the members that a change of others concerns, and notes where they are.
    private mutating func forgetMembers(
        after change: HistoryChange,
        of entity: EntityDescription,
        _ roots: inout Set<UInt16>
    ) {
        if change.isErased || newRows.count >= Self.rowLimit { return forgetMembers() }
        switch change.kind {
        case .insert: newRows.insert(change.objectID)
        case .update: break
        case .delete: newRows.remove(change.objectID)
        }
        for relationship in entity.relationships {
            let name = relationship.name
            if relationship.isToMany {
                let others = (change.addedMembers[name] ?? []) + (change.removedMembers[name] ?? [])
                if !others.isEmpty, let entity = relationship.destination {
                    roots.insert(entity.root.number)
                }
                let isConcerned = !others.isEmpty || change.newOrders[name] != nil
                if isConcerned || change.kind == .delete { forget(relationship, change.objectID) }
                for other in others { forget(relationship.inverse, other) }
            } else if let inverse = relationship.inverse, inverse.isToMany {
                for values in [change.oldValues, change.newValues] {
                    if case .objectID(let owner)? = values[name] { forget(inverse, owner) }
                }
            }
        }
    }

    private mutating func forget(_ relationship: RelationshipDescription?, _ id: ManagedObjectID) {
        if let relationship { members[Owner(relationship, id.key)] = nil }
    }

    private mutating func forgetMembers() { (members, newRows) = ([:], []) }

    /// Takes rows that were deleted out of all lists.
    private mutating func take(out gone: some Sequence<ManagedObjectID>) {
        let gone = Set(gone)
        if !gone.isEmpty { members = members.mapValues { $0.filter { !gone.contains($0) } } }
    }

    private mutating func forgetAnswers(from roots: Set<UInt16>) {
        answers = answers.filter { $0.value.roots.isDisjoint(with: roots) }
    }

    private mutating func append(_ transaction: HistoryTransaction) {
        transactions.append(transaction)
        changeCount += transaction.changes.count
        if changeCount <= Self.changeLimit { return }
        start = transaction.number
        transactions = []
        changeCount = 0
    }

    /// The transactions after a place; `nil` if they are not all known.
    func transactions(after number: Int64) -> ArraySlice<HistoryTransaction>? {
        if number < start || !hasAll { return nil }
        return transactions.dropFirst(Int(clamping: number - start))
    }

    func transaction(_ number: Int64) -> HistoryTransaction? {
        number > start ? transactions(after: number - 1)?.first : nil
    }

    // MARK: Rows

    mutating func noteFresh(_ ids: some Collection<ManagedObjectID>) {
        if ids.count + freshRows.count > Self.rowLimit { freshRows = [] }
        if ids.count <= Self.rowLimit { freshRows.formUnion(ids) }
        goneRows.subtract(ids)
    }

    /// Whether rows in the cache are the present ones, or are known to be gone.
    func knows(_ ids: [ManagedObjectID], _ rows: RowCache) -> Bool {
        hasAll
            && ids.allSatisfy {
                goneRows.contains($0) || (freshRows.contains($0) && rows.contains($0))
            }
    }

    /// Notes rows that were looked for.
    ///
    /// - Parameters:
    ///   - ids: the rows, which are in the cache if they are there.
    ///   - found: those that are there.
    ///   - owners: the owners of the to-many relationships that a row is a member of.
    mutating func noteRead(
        _ ids: [ManagedObjectID],
        found: Set<ManagedObjectID>,
        owners: (ManagedObjectID) -> [(RelationshipDescription, ManagedObjectID)]
    ) {
        noteFresh(found)
        if goneRows.count > Self.rowLimit { goneRows = [] }
        goneRows.formUnion(ids.lazy.filter { !found.contains($0) })
        for id in ids where newRows.remove(id) != nil && found.contains(id) {
            for (relationship, owner) in owners(id) { forget(relationship, owner) }
        }
    }

    /// Whether a row is known not to be there.
    func isGone(_ id: ManagedObjectID) -> Bool { goneRows.contains(id) }

    // MARK: Members

    func members(of relationship: RelationshipDescription, _ key: Int64) -> [ManagedObjectID]? {
        guard hasAll, newRows.isEmpty || relationship.inverse?.isToMany == true else { return nil }
        return members[Owner(relationship, key)]
    }

    mutating func note(
        _ found: [Int64: [ManagedObjectID]],
        of relationship: RelationshipDescription,
        owners: [Int64]
    ) {
        // Nobody has read the new rows, and may never do: it begins again with what was read now.
        if !newRows.isEmpty { forgetMembers() }
        if members.count + owners.count > Self.memberLimit { members = [:] }
        if owners.count > Self.memberLimit { return }
        for key in owners { members[Owner(relationship, key)] = found[key] ?? [] }
    }

    // MARK: Answers

    func answer(to question: Question) -> PostgreSQLResult? {
        hasAll ? answers[question]?.result : nil
    }

    mutating func note(
        _ result: PostgreSQLResult,
        to question: Question,
        from roots: Set<UInt16>
    ) {
        if result.count > 256 { return }
        if answers.count >= Self.answerLimit { answers = [:] }
        answers[question] = Answer(result: result, roots: roots)
    }

    // MARK: Saves

    /// Takes out what a save of the store has changed, and notes what it has written.
    mutating func note(
        _ plan: SavePlan,
        inserted: [ManagedObjectID],
        deleted: [ManagedObjectID],
        _ permanent: (ManagedObjectID) -> ManagedObjectID
    ) {
        var roots: Set<UInt16> = []
        func note(_ entity: EntityDescription) { roots.insert(entity.root.number) }
        func forget(_ relationship: RelationshipDescription?, _ owner: ManagedObjectID) {
            self.forget(relationship, permanent(owner))
        }
        func forgetOwners(_ change: ObjectChange, _ isNew: Bool) {
            note(change.entity)
            for relationship in change.entity.relationships where !relationship.isToMany {
                let slot = relationship.slot
                guard isNew || change.changed.contains(slot),
                    let inverse = relationship.inverse, inverse.isToMany
                else { continue }
                // Without the old value any owner may have lost it.
                if !isNew, change.snapshot == nil { members = [:] }
                for values in [change.slots, change.snapshot] {
                    if case .objectID(let owner)? = values?[slot] { forget(inverse, owner) }
                }
            }
        }
        // A new object has the members that this save gives it.
        let new = plan.inserted.count <= Self.newLimit ? Set(inserted) : []
        for change in plan.inserted where new.contains(permanent(change.id)) {
            for relationship in change.entity.relationships where relationship.isToMany {
                members[Owner(relationship, permanent(change.id).key)] = []
            }
        }
        func add(
            _ member: ManagedObjectID,
            to relationship: RelationshipDescription?,
            of owner: ManagedObjectID
        ) {
            guard let relationship else { return }
            let (member, owner) = (permanent(member), permanent(owner))
            let place = Owner(relationship, owner.key)
            guard new.contains(owner), !relationship.isOrdered, let known = members[place] else {
                return forget(relationship, owner)
            }
            if known.contains(member) { return }
            members[place]?.insert(member, at: known.count { $0.key < member.key })
        }
        for change in plan.inserted { forgetOwners(change, true) }
        for change in plan.updated { forgetOwners(change, false) }
        for link in plan.links {
            if link.relationship.isOrdered || !link.removed.isEmpty {
                forget(link.relationship, link.owner)
            }
            for member in link.added {
                add(member, to: link.relationship, of: link.owner)
                add(link.owner, to: link.relationship.inverse, of: member)
            }
            if let entity = link.relationship.entity { note(entity) }
            if let entity = link.relationship.destination { note(entity) }
            for member in link.removed { forget(link.relationship.inverse, member) }
        }
        for change in plan.deleted {
            note(change.entity)
            for relationship in change.entity.relationships where relationship.isToMany {
                // Those that have lost a reference are among the changes.
                let isLinked = relationship.inverse?.isToMany != false
                if isLinked, let entity = relationship.destination { note(entity) }
                forget(relationship, change.id)
            }
        }
        take(out: deleted)
        freshRows.subtract(deleted)
        goneRows.formUnion(deleted)
        forgetAnswers(from: roots)
        noteFresh(inserted + plan.updated.map(\.id))
    }
}
