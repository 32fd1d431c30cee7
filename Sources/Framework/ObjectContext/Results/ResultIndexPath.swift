public import ObjectModel

/// The place of an object in a results controller: its section, and its index in the section.
public struct ResultIndexPath: Hashable, Comparable, Sendable {
    public var section: Int
    public var item: Int

    public init(section: Int = 0, item: Int) {
        self.section = section
        self.item = item
    }

    public static func < (left: ResultIndexPath, right: ResultIndexPath) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}

/// The rows of a results controller at one moment: object IDs by section.
public struct ResultsSnapshot: Hashable, Sendable {
    public struct Section: Hashable, Sendable {
        public var name: String
        public var ids: [ManagedObjectID]

        public init(name: String, ids: [ManagedObjectID]) {
            self.name = name
            self.ids = ids
        }
    }

    public var sections: [Section]

    public init(sections: [Section]) { self.sections = sections }

    /// All IDs in order.
    public var ids: [ManagedObjectID] { sections.flatMap(\.ids) }
}

/// The changes of one event in the rows of a results controller.
///
/// Paths before are those of the old rows, paths after those of the new rows. Applied to the old
/// rows, the change gives exactly the new rows: remove deletes and moves by their old path from the
/// end, remove and insert sections, insert inserts and moves by their new path from the start.
///
/// An object is in one change only, and never moves to its own path: the others move around it.
/// There are two exceptions, where sections are deleted or inserted. A row that changes its section
/// and keeps its numbers is a delete and an insert. If a section is deleted and inserted at its
/// place because others around it have exchanged places, its rows with unchanged numbers are moves.
/// A row that moves or stays may have changed, so draw it again.
public struct ResultsChange: Hashable, Sendable {
    public enum SectionChange: Hashable, Sendable {
        /// A deleted section; its index before.
        case delete(name: String, at: Int)
        /// An inserted section; its index after.
        case insert(name: String, at: Int)
    }

    public enum Change: Hashable, Sendable {
        case delete(ManagedObjectID, at: ResultIndexPath)
        case insert(ManagedObjectID, at: ResultIndexPath)
        case move(ManagedObjectID, from: ResultIndexPath, to: ResultIndexPath)
        case update(ManagedObjectID, at: ResultIndexPath, newPath: ResultIndexPath)
    }

    public var sections: [SectionChange] = []
    public var objects: [Change] = []

    public var isEmpty: Bool { sections.isEmpty && objects.isEmpty }
}

extension ResultsSnapshot {
    /// The rows after a change.
    ///
    /// Traps if the change does not fit the rows.
    ///
    /// This defines the meaning of ``ResultsChange``; a list that mirrors a controller does the
    /// same.
    public func applying(_ change: ResultsChange) -> ResultsSnapshot {
        var result = self
        var removals: [ResultIndexPath] = []
        var insertions: [(path: ResultIndexPath, id: ManagedObjectID)] = []
        for object in change.objects {
            switch object {
            case .delete(_, let path): removals.append(path)
            case .insert(let id, let path): insertions.append((path, id))
            case .move(let id, let old, let new):
                removals.append(old)
                insertions.append((new, id))
            case .update: break
            }
        }
        for path in removals.sorted(by: >) {
            result.sections[path.section].ids.remove(at: path.item)
        }
        var deleted: [Int] = []
        var inserted: [(index: Int, name: String)] = []
        for section in change.sections {
            switch section {
            case .delete(_, let index): deleted.append(index)
            case .insert(let name, let index): inserted.append((index, name))
            }
        }
        for index in deleted.sorted(by: >) { result.sections.remove(at: index) }
        for section in inserted.sorted(by: { $0.index < $1.index }) {
            result.sections.insert(Section(name: section.name, ids: []), at: section.index)
        }
        for insertion in insertions.sorted(by: { $0.path < $1.path }) {
            result.sections[insertion.path.section].ids.insert(
                insertion.id,
                at: insertion.path.item
            )
        }
        return result
    }
}
