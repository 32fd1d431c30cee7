package import ObjectModel

// The changes of a transaction from the bytes in which the history keeps them.

extension TableStore {
    /// The keys of a run of new objects.
    package func historyKeys(from first: Int64, count: Int64) throws -> ClosedRange<Int64> {
        let last = first.addingReportingOverflow(max(1, count) - 1)
        guard count <= HistoryTables.longestRun, !last.overflow else {
            throw ObjectGraphError(
                .damagedFile,
                "The history of the store has a change of more objects than there can be.",
                recovery: "Nothing was changed; repair the store."
            )
        }
        return first...last.partialValue
    }

    package func historyChange(
        _ id: ManagedObjectID,
        _ kind: HistoryChange.Kind,
        _ bytes: UnsafeRawBufferPointer,
        _ entity: EntityDescription
    ) throws -> HistoryChange {
        var parts = ChangeParts()
        let layout = layout(entity)
        var reader = HistoryBytesReader(bytes)
        while let (entry, number) = reader.entry() {
            let name = try historyName(number) ?? "?"
            let slot = entity.slotByName[name]
            let index = slot.map { layout.columnBySlot[$0] } ?? -1
            let column = index < 0 ? nil : layout.columns[index]
            switch entry {
            case .update:
                parts.oldValues[name] = try reader.value(column, reference: reference)
                parts.newValues[name] = try reader.value(column, reference: reference)
            case .deletedValue:
                parts.oldValues[name] = try reader.value(column, reference: reference)
            case .addedMembers: parts.added[name] = try ids(reader.members())
            case .removedMembers: parts.removed[name] = try ids(reader.members())
            case .oldOrder: parts.oldOrders[name] = try ids(reader.members())
            case .newOrder: parts.newOrders[name] = try ids(reader.members())
            case .erased: parts.isErased = true
            }
        }
        if kind == .delete, !parts.isErased {
            // Only values other than nil are stored.
            for column in layout.columns {
                let name = entity.slots[column.slot].name
                if parts.oldValues[name] == nil { parts.oldValues[name] = .null }
            }
        }
        return HistoryChange(
            objectID: id,
            kind: kind,
            oldValues: parts.oldValues,
            newValues: parts.newValues,
            addedMembers: parts.added,
            removedMembers: parts.removed,
            oldOrders: parts.oldOrders,
            newOrders: parts.newOrders,
            isErased: parts.isErased
        )
    }

    private func reference(_ entity: Int64, _ key: Int64) throws -> GraphValue {
        try ids([(entity, key)]).first.map { .objectID($0) } ?? .null
    }

    /// Object IDs from numbers of names and keys; those of entities that no longer exist are left
    /// out.
    private func ids(_ members: [(entity: Int64, key: Int64)]) throws -> [ManagedObjectID] {
        try members.compactMap { member in
            guard let name = try historyName(member.entity),
                let entity = schema.model.entity(named: name)
            else { return nil }
            return ManagedObjectID(space: space.number, entity: entity.number, key: member.key)
        }
    }
}

private struct ChangeParts {
    var oldValues: [String: GraphValue] = [:]
    var newValues: [String: GraphValue] = [:]
    var added: [String: [ManagedObjectID]] = [:]
    var removed: [String: [ManagedObjectID]] = [:]
    var oldOrders: [String: [ManagedObjectID]] = [:]
    var newOrders: [String: [ManagedObjectID]] = [:]
    var isErased = false
}
