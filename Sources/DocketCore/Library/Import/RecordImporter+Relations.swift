import FoundationEssentials
import ObjectGraph

extension RecordImporter {
    /// A relation of a task to others, from the file.
    struct Relation {
        enum Kind {
            case parent
            case dependencies
        }

        let task: Task
        let kind: Kind
        let others: [UUID]
        let line: Int

        /// The relations of a new task (`fields` is `nil`), or those of a known one that are to
        /// change.
        static func all(
            of task: Task,
            _ imported: ImportedRecord,
            _ fields: Set<RecordField>?
        ) -> [Relation] {
            let record = imported.record
            var result: [Relation] = []
            let parents = record.parent.map { [$0] } ?? []
            if fields?.contains(.parent) ?? !parents.isEmpty {
                result.append(Relation(task, .parent, parents, imported.line))
            }
            if fields?.contains(.dependencies) ?? !record.dependencies.isEmpty {
                result.append(Relation(task, .dependencies, record.dependencies, imported.line))
            }
            return result
        }

        private init(_ task: Task, _ kind: Kind, _ others: [UUID], _ line: Int) {
            self.task = task
            self.kind = kind
            self.others = others
            self.line = line
        }
    }

    /// Sets relations; those to items of a later part are postponed.
    mutating func relate(_ relations: [Relation], _ items: inout [UUID: Item]) throws {
        let missing = Set(relations.flatMap(\.others).filter { items[$0] == nil })
        if !missing.isEmpty { items.merge(try found(missing)) { $1 } }
        for relation in relations {
            if relation.others.contains(where: { items[$0] == nil && later.contains($0) }) {
                postponed.append(relation)
            } else {
                set(relation, items)
            }
        }
    }

    /// Sets the postponed relations; all items exist now.
    mutating func relatePostponed() throws {
        let relations = postponed
        postponed = []
        later = []
        // They belong to items that an earlier part has saved.
        for relation in relations where !relation.task.isInserted {
            relation.task.keepsModified = true
        }
        var items: [UUID: Item] = [:]
        try relate(relations, &items)
    }

    private mutating func set(_ relation: Relation, _ items: [UUID: Item]) {
        let task = relation.task
        func remark(_ text: String) {
            report.remark(line: relation.line, title: task.title, text)
        }
        var others: [Task] = []
        for uuid in relation.others {
            if let other = items[uuid] as? Task {
                others.append(other)
            } else {
                let name = relation.kind == .parent ? "Its parent" : "A task that it waits for"
                let why = items[uuid] == nil ? "neither in the file nor in the library" : "a note"
                remark("\(name) is \(why); the relation was left out.")
            }
        }
        switch relation.kind {
        case .parent:
            if let parent = others.first, task.isSelfOrAncestor(of: parent) {
                return remark(
                    "With its parent it would be a subtask of itself; the parent was left out."
                )
            }
            task.parent = others.first
        case .dependencies:
            let wanted = Set(others)
            if wanted.contains(task) {
                remark("A task cannot wait for itself; the relation was left out.")
            }
            if !task.isInserted {
                for other in task.blockedBy where !wanted.contains(other) {
                    task.$blockedBy.remove(other)
                }
            }
            for other in wanted where other !== task { task.$blockedBy.insert(other) }
        }
    }
}
