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

    /// The values of items that were not taken; items without any are left out.
    ///
    /// - Throws: the store's error.
    /// - Complexity: one statement for one item; for more all conflicts are read.
    public func conflicts(of items: [Item]) throws -> [(item: Item, conflicts: [ItemConflict])] {
        let engine = try SyncEngine(coordinator, SyncEntities.all)
        let keys = items.map { SyncKey(entity: SyncEntities.item, name: $0.uuid.uuidString) }
        let stored = try engine.conflicts(in: context, of: keys.count == 1 ? keys[0] : nil)
        let byKey = Dictionary(grouping: stored, by: \.key)
        return zip(items, keys).compactMap { item, key in
            let conflicts = ItemConflict.all(byKey[key] ?? [])
            return conflicts.isEmpty ? nil : (item, conflicts)
        }
    }

    /// Swaps or forgets values that were not taken, as one step.
    ///
    /// - Parameters:
    ///   - conflicts: those of ``conflicts(of:)``, or some of them.
    ///   - decision: what becomes of them.
    /// - Returns: the step; `nil` for no conflicts.
    /// - Throws: `InputError` if somebody else was faster, or for an item that cannot be changed.
    @discardableResult
    public func settle(
        _ conflicts: [(item: Item, conflicts: [ItemConflict])],
        by decision: ConflictDecision
    ) throws -> SavedStep? {
        try change {
            let items = conflicts.map(\.item)
            // Others may have decided since they were shown.
            let now = try self.conflicts(of: existing(items))
            let known = Set(now.flatMap { $0.conflicts.flatMap(\.parts) })
            if decision == .swap { try Library.requireOutsideTrash(existing(items)) }
            let engine = try SyncEngine(coordinator, SyncEntities.all)
            for (item, conflicts) in conflicts {
                for part in conflicts.flatMap(\.parts) {
                    guard known.contains(part) else {
                        throw InputError(
                            .conflict,
                            "The conflict was settled or changed elsewhere meanwhile."
                        )
                    }
                    switch decision {
                    case .dismiss: try engine.dismiss(part, in: context)
                    case .swap: try swap(part, of: item, engine)
                    }
                }
                if decision == .swap { (item as? Task)?.setNextReminder(clock()) }
            }
            if decision == .swap { try checkParents() }
            let subject = StepSubject(items)
            let all = conflicts.flatMap(\.conflicts)
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

    /// A parent that was not taken may be below the task by now.
    private func checkParents() throws {
        do {
            try checkCircles(in: context, isInversion: true)
        } catch is InputError {
            throw InputError(
                .conflict,
                "The other value cannot be taken: the task would be below itself."
            )
        }
    }

    private func swap(_ part: SyncConflict, of item: Item, _ engine: SyncEngine) throws {
        if let note = item as? Note, note.isEncrypted, part.property == Note.Keys.body {
            throw InputError(
                .conflict,
                "The note is encrypted; the other text would not be. Decrypt the note first."
            )
        }
        do {
            try engine.swap(part, in: context)
        } catch let error as ObjectGraphError where error.code == .undoState {
            throw InputError(
                .conflict,
                "The other value cannot be taken: what it refers to is deleted."
            )
        }
    }
}
