import DocketFormats
import FoundationEssentials
public import ObjectGraph
import ObjectSync

extension Library {
    /// The items that have values which were not taken; without those that were deleted since.
    ///
    /// - Returns: the identities; `trashed` are those in the trash.
    /// - Throws: the store's error.
    /// - Complexity: one statement if there are none, else three. No value is read.
    public func conflictedItems() throws -> (
        items: Set<ManagedObjectID>, trashed: Set<ManagedObjectID>
    ) {
        var request = FetchRequest<[String: GraphValue]>(entityName: "SyncConflict")
        request.propertiesToFetch = ["name", "property"].map { .init($0) }
        request.returnsDistinctResults = true
        let names = try context.fetch(request).compactMap { row -> UUID? in
            guard case .string(let property)? = row["property"],
                !ItemConflict.unseen.contains(property), case .string(let name)? = row["name"]
            else { return nil }
            return UUID(uuidString: name)
        }
        if names.isEmpty { return ([], []) }
        func ids(_ condition: Condition<Item>) throws -> Set<ManagedObjectID> {
            Set(try context.fetch(FetchRequest<ManagedObjectID>(of: Item.self, where: condition)))
        }
        let all = Condition<Item> { $0.uuid.in(Array(Set(names))) }
        return (try ids(all), try ids(all && Condition { $0.trashed != nil }))
    }

    /// The items with values that were not taken; items without any are left out.
    ///
    /// - Throws: the store's error.
    /// - Complexity: one statement for one item; for more all conflicts are read.
    public func conflicts(of items: [Item]) throws -> [ConflictedObject] {
        let engine = try SyncEngine(coordinator, SyncEntities.all)
        let keys = items.map { SyncKey(entity: SyncEntities.item, name: $0.uuid.uuidString) }
        let stored = try engine.conflicts(in: context, of: keys.count == 1 ? keys[0] : nil)
        let byKey = Dictionary(grouping: stored, by: \.key)
        return zip(items, keys).compactMap { item, key in
            let conflicts = ItemConflict.all(byKey[key] ?? [])
            return conflicts.isEmpty ? nil : ConflictedObject(item, conflicts, engine)
        }
    }

    /// Swaps or forgets values of items, or of one list, as one step.
    ///
    /// - Parameters:
    ///   - found: those of ``conflictedObjects()`` or ``conflicts(of:)``, or some of them.
    ///   - decision: what becomes of them.
    /// - Returns: the step; `nil` for no conflicts.
    /// - Throws: `InputError` if somebody else was faster, or for what cannot be changed.
    @discardableResult
    public func settle(
        _ found: [ConflictedObject],
        by decision: ConflictDecision
    ) throws -> SavedStep? {
        try change {
            let engine = try SyncEngine(coordinator, SyncEntities.all)
            let items = found.compactMap(\.item)
            let all = found.flatMap(\.conflicts)
            // Others may have decided since they were shown.
            let one = found.count == 1 ? all.first?.parts.first?.key : nil
            let known = Set(try engine.conflicts(in: context, of: one))
            if decision == .swap { try Library.requireOutsideTrash(existing(items)) }
            let list = found.first?.list.map { StepSubject($0) }
            for object in found {
                for conflict in object.conflicts {
                    guard let part = conflict.parts.first, known.isSuperset(of: conflict.parts)
                    else {
                        throw InputError(
                            .conflict,
                            "The conflict was settled or changed elsewhere meanwhile."
                        )
                    }
                    switch decision {
                    case .dismiss: try engine.dismiss(part, in: context)
                    case .swap: try swap(part, of: object.object, engine)
                    }
                }
                if decision == .swap { (object.item as? Task)?.setNextReminder(clock()) }
            }
            if decision == .swap { try checkNewCircles() }
            let subject = list ?? StepSubject(items)
            let field = all.count == 1 ? all[0].field : nil
            return switch decision {
            case .swap: StepName(.swapped, part: "\(field ?? "conflicts") of", subject)
            case .dismiss:
                StepName(
                    .dismissed,
                    part: field.map { "the other \($0) of" } ?? "conflicts of",
                    subject
                )
            }
        }
    }

    /// A parent that was not taken may be below the task by now, and what it waits for may wait for it.
    private func checkNewCircles() throws {
        do {
            try checkCircles(in: context, isInversion: true)
        } catch is InputError {
            throw InputError(
                .conflict,
                "The other value cannot be taken: the task would be below itself, or wait for itself."
            )
        }
    }

    /// Takes a value, with those of its group.
    private func swap(
        _ part: SyncConflict,
        of object: ManagedObject,
        _ engine: SyncEngine
    ) throws {
        if let note = object as? Note, note.isEncrypted, part.property == Note.Keys.body {
            throw InputError(
                .conflict,
                "The note is encrypted; the other text would not be. Decrypt the note first."
            )
        }
        let list = object as? List
        let former = list?.name
        do {
            try engine.swap(part, in: context)
        } catch let error as ObjectGraphError where error.code == .undoState {
            throw InputError(
                .conflict,
                "The other value cannot be taken: what it refers to is deleted."
            )
        }
        guard let list, let former, list.name != former else { return }
        // Searches of smart lists that name it follow.
        let name = list.name
        list.name = former
        let other = try Library.existingList(name, below: list.parent, in: context)
        if let other, other !== list {
            throw InputError(
                .conflict,
                "There is a list with the name \(StepName.quoted(other.name)) already; rename one first."
            )
        }
        try rename(list, keepingSearches: name)
    }
}
