package import FoundationEssentials
package import ObjectModel

// What follows the rows that a save writes, in the save's transaction: the history and the search
// index. `SaveOperation` writes rows and reports them; `SQLiteStore.makeRowObservers` is the only
// place that knows who listens.

/// Something that a store derives from its rows, and that every save keeps in step with them.
///
/// One observer lives as long as one save. An error of a call cancels the save.
///
/// Order of calls: `begin`; then, as the save writes them, `inserted`, `updated`, `deleted` and
/// `linksChanged`; `finish`; after the commit `committed`. A save without rows calls none of them.
package protocol RowObserver: AnyObject {
    /// Whether `updated` and `deleted` need the values from before the save; else they may be the
    /// new ones.
    var needsOldValues: Bool { get }
    /// Whether it needs changed links. Collecting them costs reads of links and orders before they
    /// are written.
    var needsLinks: Bool { get }
    /// Whether it refers to files of large data after their rows stopped doing so.
    var keepsOldFiles: Bool { get }

    /// The transaction has begun; nothing is written.
    func begin(_ plan: SavePlan) throws
    /// New rows of one entity have been written: in most saves all of an entity at once.
    func inserted(_ rows: InsertedRows) throws
    /// A row has been replaced.
    func updated(_ row: UpdatedRow) throws
    /// A row has been deleted, with its links.
    func deleted(_ row: DeletedRow) throws
    /// Links of an object changed, but not its row.
    func linksChanged(of id: ManagedObjectID, _ links: [WrittenLink]) throws
    /// All rows and links are written; the transaction is still open.
    func finish() throws
    /// The transaction is committed; adds to what the caller gets.
    func committed(_ receipt: inout SaveReceipt)
    /// The save failed; its transaction is rolled back.
    func cancelled()
}

extension RowObserver {
    package var needsLinks: Bool { false }
    package var keepsOldFiles: Bool { false }
    package func begin(_ plan: SavePlan) throws {}
    package func linksChanged(of id: ManagedObjectID, _ links: [WrittenLink]) throws {}
    package func finish() throws {}
    package func committed(_ receipt: inout SaveReceipt) {}
    package func cancelled() {}
}

/// New rows of one entity, in the order in which they were written.
package struct InsertedRows {
    package let schema: EntitySchema
    /// Their permanent IDs; as many as `changes`.
    package let ids: ArraySlice<ManagedObjectID>
    /// Safety: a part of the save's plan, valid during the call.
    package let changes: UnsafeBufferPointer<ObjectChange>

    package init(
        schema: EntitySchema,
        ids: ArraySlice<ManagedObjectID>,
        changes: UnsafeBufferPointer<ObjectChange>
    ) {
        self.schema = schema
        self.ids = ids
        self.changes = changes
    }

    @inline(__always)
    package func id(at index: Int) -> ManagedObjectID { ids[ids.startIndex + index] }
}

/// A row that a save has replaced.
package struct UpdatedRow {
    package let change: ObjectChange
    package let schema: EntitySchema
    package let old: OldValues
    /// Changed to-many relationships of the object, if an observer needs them.
    package let links: [WrittenLink]
    /// The new bytes of columns for large data, by slot.
    package let largeData: [Int: Data]
    /// Values may still hold temporary IDs of objects that the save inserts.
    package let permanentIDs: IDMap

    package init(
        change: ObjectChange,
        schema: EntitySchema,
        old: OldValues,
        links: [WrittenLink],
        largeData: [Int: Data],
        permanentIDs: IDMap
    ) {
        self.change = change
        self.schema = schema
        self.old = old
        self.links = links
        self.largeData = largeData
        self.permanentIDs = permanentIDs
    }
}

package struct DeletedRow {
    package let id: ManagedObjectID
    package let schema: EntitySchema
    /// The row as it was.
    package let old: RowReader
    /// The links that went with it, if an observer needs them.
    package let links: [WrittenLink]

    package init(
        id: ManagedObjectID,
        schema: EntitySchema,
        old: RowReader,
        links: [WrittenLink]
    ) {
        self.id = id
        self.schema = schema
        self.old = old
        self.links = links
    }
}

/// A changed to-many relationship of one object.
package struct WrittenLink {
    package enum Change {
        case added
        case removed
        case oldOrder
        case newOrder
    }

    package let change: Change
    package let relationship: RelationshipDescription
    package let members: [ManagedObjectID]

    package init(
        change: Change,
        relationship: RelationshipDescription,
        members: [ManagedObjectID]
    ) {
        self.change = change
        self.relationship = relationship
        self.members = members
    }
}

/// The source of a row's values before the save.
package enum OldValues {
    case slots(UnsafePointer<GraphValue>)
    case row(RowReader)

    package func value(_ column: RowLayout.Column, _ index: Int) -> GraphValue {
        switch self {
        case .slots(let slots): slots[column.slot]
        case .row(let row): row.value(index)
        }
    }

    /// The exact bytes of a column; none if it was `nil`.
    package func withBytes(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
        if case .row(let row) = self, !row.isNull(index) {
            body(row.bytes(index))
        } else {
            body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }
}

package struct RowObservers {
    private let observers: [any RowObserver]
    package let needOldValues: Bool
    package let needLinks: Bool
    package let keepOldFiles: Bool
    private var hasBegun = false

    package init(_ observers: [any RowObserver]) {
        self.observers = observers
        needOldValues = observers.contains(where: \.needsOldValues)
        needLinks = observers.contains(where: \.needsLinks)
        keepOldFiles = observers.contains(where: \.keepsOldFiles)
    }

    package mutating func begin(_ plan: SavePlan) throws {
        hasBegun = true
        for observer in observers { try observer.begin(plan) }
    }

    package func inserted(_ rows: InsertedRows) throws {
        for observer in observers { try observer.inserted(rows) }
    }

    package func updated(_ row: UpdatedRow) throws {
        for observer in observers { try observer.updated(row) }
    }

    package func deleted(_ row: DeletedRow) throws {
        for observer in observers { try observer.deleted(row) }
    }

    package func linksChanged(of id: ManagedObjectID, _ links: [WrittenLink]) throws {
        for observer in observers { try observer.linksChanged(of: id, links) }
    }

    package func finish() throws {
        for observer in observers { try observer.finish() }
    }

    package func committed(_ receipt: inout SaveReceipt) {
        if !hasBegun { return }
        for observer in observers { observer.committed(&receipt) }
    }

    package func cancelled() {
        for observer in observers { observer.cancelled() }
    }
}
