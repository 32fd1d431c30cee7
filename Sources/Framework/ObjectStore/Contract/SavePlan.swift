package import ObjectModel

/// What one save writes to one store, in one transaction.
///
/// Inserted objects may have temporary IDs: the store gives them permanent ones inside its
/// transaction, in the plan's order, and returns them. An insert with a permanent ID restores a
/// deleted row under its old key. Slots and links may hold temporary IDs of objects inserted by the
/// same plan. The pointers lead into the objects and are valid only during the call.
public struct SavePlan {
    package var inserted: [ObjectChange] = []
    package var updated: [ObjectChange] = []
    package var deleted: [ObjectChange] = []
    package var links: [LinkChange] = []
    public var transaction = TransactionInfo()
    /// Whether to write a row although somebody else has changed it since it was read.
    package var ignoresVersions = false
    /// Whether the save fails rather than leave a reference to an object that does not exist; false
    /// for a copy in parts, whose later parts bring the objects.
    package var checksReferences = true
    /// Called inside the store's write transaction, before anything is written.
    ///
    /// From then on nobody else can write.
    ///
    /// It may read from the store and set attributes of objects that the plan inserts; its error
    /// cancels the save.
    public var beforeWriting: (() throws -> Void)?

    package init() {}

    /// How many objects are written.
    package var count: Int { inserted.count + updated.count + deleted.count }

    package var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && links.isEmpty
    }
}

/// One object's part of a save.
package struct ObjectChange {
    package let id: ManagedObjectID
    package let entity: EntityDescription
    /// The current values by slot.
    ///
    /// A slot of a to-many relationship holds private data of the context; a store ignores it.
    ///
    /// Safety: whoever makes a plan keeps the values of its objects, unchanged, until the save is over.
    package let slots: UnsafePointer<GraphValue>
    /// The values as they were read, by slot; `nil` for an insert.
    package let snapshot: UnsafePointer<GraphValue>?
    /// The persistent attributes and to-one relationships that changed.
    package let changed: SlotSet
    /// The version that was read; for an insert the one that the row gets.
    package let version: Int64

    package init(
        id: ManagedObjectID,
        entity: EntityDescription,
        slots: UnsafePointer<GraphValue>,
        snapshot: UnsafePointer<GraphValue>?,
        changed: SlotSet,
        version: Int64
    ) {
        self.id = id
        self.entity = entity
        self.slots = slots
        self.snapshot = snapshot
        self.changed = changed
        self.version = version
    }
}

/// A change of a to-many relationship's membership that no to-one column expresses: many-to-many,
/// one-to-many without inverse, or the order of an ordered relationship.
///
/// A many-to-many relationship with an inverse is reported from one side only: the one whose
/// entity has the lower number (the lower name within one entity).
package struct LinkChange {
    package let relationship: RelationshipDescription
    package let owner: ManagedObjectID
    package let added: [ManagedObjectID]
    package let removed: [ManagedObjectID]
    /// For an ordered relationship the whole new order; `nil` otherwise.
    package let order: [ManagedObjectID]?
    /// For an ordered relationship the order that the store has, for the history.
    package let oldOrder: [ManagedObjectID]?
    /// For an ordered relationship the order from which the new one was made.
    ///
    /// The save compares it with the store's; `nil` without a comparison.
    package let readOrder: [ManagedObjectID]?

    package init(
        relationship: RelationshipDescription,
        owner: ManagedObjectID,
        added: [ManagedObjectID],
        removed: [ManagedObjectID],
        order: [ManagedObjectID]?,
        oldOrder: [ManagedObjectID]? = nil,
        readOrder: [ManagedObjectID]? = nil
    ) {
        self.oldOrder = oldOrder
        self.readOrder = readOrder
        self.relationship = relationship
        self.owner = owner
        self.added = added
        self.removed = removed
        self.order = order
    }
}

/// The author of a save, and its relation to undo.
public struct TransactionInfo: Sendable {
    /// What a transaction is for undo.
    public enum Kind: Int64, Sendable {
        /// A user's step that can be undone.
        case command = 0
        /// The inverse of a command.
        case undo = 1
        /// The inverse of an undo.
        case redo = 2
        /// Housekeeping that undo skips, such as seed data.
        case silent = 3
    }

    /// What the save is for undo; by default a command.
    public var kind = Kind.command
    /// Who saves; `nil` for the author of the context.
    public var author: String?
    /// The name of the context; `nil` for its own.
    public var contextName: String?
    /// The name of the undo step, such as "Edit Task".
    public var groupName: String?
    /// The number of the first transaction of the step that this one continues; `nil` starts a new
    /// step.
    public var continues: Int64?
    /// For an undo or a redo: the number of the command that it undoes or redoes.
    public var target: Int64?
    /// Whether this undo removes an interrupted command completely: redo does not offer it.
    public var drops = false
    /// For an undo or a redo that reverts an interrupted one: the first transaction of the step
    /// that represents the whole command again; `nil` = this transaction's own step.
    public var latest: Int64?
    /// Whether a new command takes only its author's undone commands off what redo offers.
    package var keepsUndoneOfOthers = false

    /// A command without a name.
    public init() {}

    /// Whether it undoes or redoes a command.
    package var isInversion: Bool { kind == .undo || kind == .redo }
}

/// What a store has answered from memory is not the state that a save or a reading has met; the store
/// knows that now, so asking again gives another answer.
package struct OldKnowledge: Error {
    package init() {}
}

/// The result of a save.
public struct SaveReceipt: Sendable {
    /// The number of the history transaction; 0 for a store without history.
    public var transaction: Int64
    /// The permanent IDs of the plan's inserted objects, in its order.
    package let insertedIDs: [ManagedObjectID]

    package init(transaction: Int64, insertedIDs: [ManagedObjectID]) {
        self.transaction = transaction
        self.insertedIDs = insertedIDs
    }
}

/// What contradicts a save: somebody else has changed, deleted or linked objects since they were read.
package struct StoreConflict: Error {
    package struct Row: Sendable {
        package let id: ManagedObjectID
        /// The version that the saver had read.
        package let oldVersion: Int64
        /// The version in the store now; 0 if the row is gone.
        package let newVersion: Int64

        package init(id: ManagedObjectID, oldVersion: Int64, newVersion: Int64) {
            self.id = id
            self.oldVersion = oldVersion
            self.newVersion = newVersion
        }
    }

    /// A link from one object to another that does not exist, or would not after the save.
    package struct Reference: Sendable {
        /// The object that holds the reference; may be a new one of the plan.
        package let owner: ManagedObjectID
        package let relationship: RelationshipDescription
        package let destination: ManagedObjectID

        package init(
            owner: ManagedObjectID,
            relationship: RelationshipDescription,
            destination: ManagedObjectID
        ) {
            self.owner = owner
            self.relationship = relationship
            self.destination = destination
        }
    }

    /// An ordered relationship whose order is not the one that the saver had read.
    package struct Order: Sendable {
        package let owner: ManagedObjectID
        package let relationship: RelationshipDescription
        package let order: [ManagedObjectID]

        package init(
            owner: ManagedObjectID,
            relationship: RelationshipDescription,
            order: [ManagedObjectID]
        ) {
            self.owner = owner
            self.relationship = relationship
            self.order = order
        }
    }

    package var rows: [Row]
    /// References that the plan writes, to objects that somebody else has deleted.
    package var lost: [Reference]
    /// References in the store to objects that the plan deletes: somebody else has made them.
    package var left: [Reference]
    package var orders: [Order]

    package init(
        rows: [Row] = [],
        lost: [Reference] = [],
        left: [Reference] = [],
        orders: [Order] = []
    ) {
        self.rows = rows
        self.lost = lost
        self.left = left
        self.orders = orders
    }

    package var isEmpty: Bool { rows.isEmpty && lost.isEmpty && left.isEmpty && orders.isEmpty }
}
