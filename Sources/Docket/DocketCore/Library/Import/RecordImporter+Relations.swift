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
        /// Whether the task has the time of its change already.
        var keepsModified = true

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
    ///
    /// So are those of items that were there before: they could close a circle with what the part
    /// before this one has, which is being written. From new items nothing leads to a later part.
    mutating func relate(_ relations: [Relation], _ items: inout [UUID: Item]) throws {
        try addOthers(of: relations, to: &items)
        for var relation in relations {
            let task = items[relation.task]
            let isNew = task?.isInserted ?? true
            let leadsAhead = relation.others.contains {
                items[$0] == nil && survey.mayContain($0)
            }
            if isDivided, leadsAhead || !isNew && !relation.others.isEmpty {
                if let task, !isNew {
                    relation.keepsModified =
                        task.keepsModified || task.changedKeys.contains(Item.Keys.modified)
                }
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
            items[relation.task]?.keepsModified = relation.keepsModified
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
                remark(Remark.missing(relation.kind, isNote: items[uuid] != nil), uuid)
            }
        }
        switch relation.kind {
        case .parent:
            if let parent = others.first, task.isSelfOrAncestor(of: parent) {
                return remark(Remark.ownParent, parent.uuid)
            }
            task.parent = others.first
        case .dependencies:
            let wanted = Set(others)
            if !task.isInserted {
                for other in task.blockedBy where !wanted.contains(other) {
                    task.$blockedBy.remove(other)
                }
            }
            for other in others where !task.$blockedBy.contains(other) {
                if other === task {
                    remark(Remark.ownBlocker, other.uuid)
                } else if other.waitingPath(to: task) != nil {
                    remark(Remark.circle(other), other.uuid)
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

    /// Takes relations out of a record that ``set(_:_:)`` would leave out, so that they do not make
    /// the task differ with each import.
    ///
    /// - Returns: the fields with what is to be said of them.
    func leaveOutRelations(
        of record: inout ItemRecord,
        _ item: Item,
        _ known: ItemRecord
    ) throws -> [(field: RecordField, remark: String)] {
        let before = (parent: record.parent, dependencies: record.dependencies)
        let remarks = try takeOutRelations(of: &record, item, known)
        if format == .icalendar, before != (record.parent, record.dependencies) {
            var left = Set(before.dependencies).subtracting(record.dependencies)
            if let parent = before.parent, parent != record.parent { left.insert(parent) }
            ICalendarRules.leaveOut(left, in: &record.extra)
        }
        return remarks
    }

    private func takeOutRelations(
        of record: inout ItemRecord,
        _ item: Item,
        _ known: ItemRecord
    ) throws -> [(field: RecordField, remark: String)] {
        guard let task = item as? Task else { return [] }
        var remarks: [(field: RecordField, remark: String)] = []
        if let parent = record.parent {
            if missing.contains(parent) {
                record.parent = nil
                remarks.append((.parent, Remark.noParent))
            } else if parent != known.parent, let found = try found([parent])[parent] as? Task,
                task.isSelfOrAncestor(of: found)
            {
                record.parent = known.parent
                remarks.append((.parent, Remark.ownParent))
            }
        }
        let added = Set(record.dependencies).subtracting(known.dependencies)
        var circles: [UUID: String] = [record.uuid: Remark.ownBlocker]
        for uuid in missing { circles[uuid] = Remark.noBlocker }
        if !added.isEmpty, task.$blocks.count > 0 {
            for case (let uuid, let other as Task) in try found(added)
            where other !== task && other.waitingPath(to: task) != nil {
                circles[uuid] = Remark.circle(other)
            }
        }
        for uuid in record.dependencies {
            if let remark = circles[uuid] { remarks.append((.dependencies, remark)) }
        }
        record.dependencies.removeAll { circles[$0] != nil }
        return remarks
    }
}

/// What is said of relations that are left out.
private enum Remark {
    static let noParent = missing(.parent)
    static let noBlocker = missing(.dependencies)
    static let ownParent =
        "With its parent it would be a subtask of itself; the parent was left out."
    static let ownBlocker = "A task cannot wait for itself; the relation was left out."

    static func missing(_ kind: RecordImporter.Relation.Kind, isNote: Bool = false) -> String {
        let what = kind == .parent ? "Its parent" : "A task that it waits for"
        let why = isNote ? "a note" : "neither in the file nor in the library"
        return "\(what) is \(why); the relation was left out."
    }

    static func circle(_ other: Task) -> String {
        "It cannot wait for \(StepName.quoted(other.title)), which waits for it; the relation was "
            + "left out."
    }
}
