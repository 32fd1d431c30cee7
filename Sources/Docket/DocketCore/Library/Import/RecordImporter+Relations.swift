import DocketFormats
import FoundationEssentials
import ObjectGraph

extension RecordImporter {
    /// A relation of a task to others, from the file.
    struct Relation {
        enum Kind {
            case parent
            case dependencies
        }

        let task: UUID
        let kind: Kind
        let others: [UUID]
        let line: Int

        /// The relations of a new task (`fields` is `nil`), or those of a known one that are to
        /// change.
        static func all(_ imported: ImportedRecord, _ fields: Set<RecordField>?) -> [Relation] {
            let record = imported.record
            var result: [Relation] = []
            func add(_ kind: Kind, _ others: [UUID]) {
                result.append(
                    Relation(task: record.uuid, kind: kind, others: others, line: imported.line)
                )
            }
            let parents = record.parent.map { [$0] } ?? []
            if fields?.contains(.parent) ?? !parents.isEmpty { add(.parent, parents) }
            if fields?.contains(.dependencies) ?? !record.dependencies.isEmpty {
                add(.dependencies, record.dependencies)
            }
            return result
        }
    }

    /// Sets relations; those to items that may be in another part are postponed.
    mutating func relate(_ relations: [Relation], _ items: inout [UUID: Item]) throws {
        try addOthers(of: relations, to: &items)
        for relation in relations {
            if isDivided,
                relation.others.contains(where: { items[$0] == nil && survey.mayContain($0) })
            {
                postponed.append(relation)
            } else {
                set(relation, items)
            }
        }
    }

    /// Sets postponed relations, in a context without pending changes; all items exist now.
    mutating func relateSaved(_ relations: ArraySlice<Relation>) throws {
        var items = try found(Set(relations.map(\.task)))
        try addOthers(of: relations, to: &items)
        for relation in relations {
            // It belongs to an item that an earlier part has saved.
            items[relation.task]?.keepsModified = true
            set(relation, items)
        }
    }

    private func addOthers(
        of relations: some Collection<Relation>,
        to items: inout [UUID: Item]
    ) throws {
        let missing = Set(relations.lazy.flatMap(\.others).filter { [items] in items[$0] == nil })
        if !missing.isEmpty { items.merge(try found(missing)) { $1 } }
    }

    private mutating func set(_ relation: Relation, _ items: [UUID: Item]) {
        // It may have been deleted meanwhile.
        guard let task = items[relation.task] as? Task else { return }
        func remark(_ text: String, _ other: UUID) {
            report.remark(line: relation.line, title: task.title, text)
            guard format == .icalendar else { return }
            var extra = ForeignFields(stored: task.extra)
            ICalendarRules.leaveOut([other], in: &extra)
            task.extra = extra.text
        }
        var others: [Task] = []
        for uuid in relation.others {
            if let other = items[uuid] as? Task {
                others.append(other)
            } else {
                let name = relation.kind == .parent ? "Its parent" : "A task that it waits for"
                let why = items[uuid] == nil ? "neither in the file nor in the library" : "a note"
                remark("\(name) is \(why); the relation was left out.", uuid)
            }
        }
        switch relation.kind {
        case .parent:
            if let parent = others.first, task.isSelfOrAncestor(of: parent) {
                return remark(
                    "With its parent it would be a subtask of itself; the parent was left out.",
                    parent.uuid
                )
            }
            task.parent = others.first
        case .dependencies:
            let wanted = Set(others)
            if !task.isInserted {
                for other in task.blockedBy where !wanted.contains(other) {
                    task.$blockedBy.remove(other)
                }
            }
            for other in others where !task.blockedBy.contains(other) {
                if other === task {
                    remark("A task cannot wait for itself; the relation was left out.", other.uuid)
                } else if other.waitingPath(to: task) != nil {
                    let name = StepName.quoted(other.title)
                    remark(
                        "It cannot wait for \(name), which waits for it; the relation was left out.",
                        other.uuid
                    )
                } else {
                    task.$blockedBy.insert(other)
                }
            }
        }
    }

    /// The tasks that items of a part name and that exist neither in the file nor here.
    func missing(in part: ArraySlice<ImportedRecord>, _ known: [UUID: Item]) throws -> Set<UUID> {
        var named: Set<UUID> = []
        for imported in part where known[imported.record.uuid] is Task {
            for other in [imported.record.parent].compactMap(\.self) + imported.record.dependencies
            where known[other] == nil && !survey.mayContain(other) { named.insert(other) }
        }
        return named.isEmpty ? [] : named.subtracting(try found(named).keys)
    }

    /// Takes relations out of a record that ``set`` would leave out, so that they do not make the
    /// task differ with each import.
    func leaveOutRelations(of record: inout ItemRecord, _ item: Item, _ known: ItemRecord) throws {
        let before = (parent: record.parent, dependencies: record.dependencies)
        try takeOutRelations(of: &record, item, known)
        guard format == .icalendar, before != (record.parent, record.dependencies) else { return }
        var left = Set(before.dependencies).subtracting(record.dependencies)
        if let parent = before.parent, parent != record.parent { left.insert(parent) }
        ICalendarRules.leaveOut(left, in: &record.extra)
    }

    private func takeOutRelations(
        of record: inout ItemRecord,
        _ item: Item,
        _ known: ItemRecord
    ) throws {
        let own = record.uuid
        if let parent = record.parent, missing.contains(parent) { record.parent = nil }
        record.dependencies.removeAll { [missing] in $0 == own || missing.contains($0) }
        guard let task = item as? Task else { return }
        if let parent = record.parent, parent != known.parent,
            let found = try found([parent])[parent] as? Task, task.isSelfOrAncestor(of: found)
        {
            record.parent = known.parent
        }
        let added = Set(record.dependencies).subtracting(known.dependencies)
        if added.isEmpty || task.$blocks.count == 0 { return }
        let circles = try found(added).filter { _, other in
            (other as? Task)?.waitingPath(to: task) != nil
        }
        record.dependencies.removeAll { circles[$0] != nil }
    }
}
