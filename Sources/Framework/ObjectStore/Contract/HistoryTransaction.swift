public import FoundationEssentials
public import ObjectModel

/// One save, as the store's history keeps it.
public struct HistoryTransaction {
    /// The number, which increases with each save; it is also the token to ask for later ones.
    public let number: Int64
    public let date: Date
    public let author: String?
    public let contextName: String?
    public let processIdentifier: Int32
    package let kind: TransactionInfo.Kind
    /// The name of the undo step.
    public let groupName: String?
    /// The number of the step's first transaction; `number` itself for a step of one.
    public let group: Int64
    /// For an undo or redo: the command concerned.
    public let target: Int64?
    public let changes: [HistoryChange]

    package init(
        number: Int64,
        date: Date,
        author: String?,
        contextName: String?,
        processIdentifier: Int32,
        kind: TransactionInfo.Kind,
        groupName: String?,
        group: Int64,
        target: Int64?,
        changes: [HistoryChange]
    ) {
        self.number = number
        self.date = date
        self.author = author
        self.contextName = contextName
        self.processIdentifier = processIdentifier
        self.kind = kind
        self.groupName = groupName
        self.group = group
        self.target = target
        self.changes = changes
    }
}

/// The effect of one save on one object.
public struct HistoryChange: Equatable {
    public enum Kind: Int64, Sendable {
        case insert = 0
        case update = 1
        case delete = 2
    }

    public let objectID: ManagedObjectID
    public let kind: Kind
    /// The attributes and to-one relationships that changed, by name, with the values before.
    ///
    /// Empty for an insert; complete for a delete.
    public let oldValues: [String: GraphValue]
    /// The values after, for an update; for an insert only in a preview.
    public let newValues: [String: GraphValue]
    /// The members that were added to and removed from to-many relationships without a column.
    public let addedMembers: [String: [ManagedObjectID]]
    public let removedMembers: [String: [ManagedObjectID]]
    /// Whether the values were erased from the history, so that the change cannot be undone.
    public let isErased: Bool
    /// The order of ordered relationships before and after, where it changed.
    public let oldOrders: [String: [ManagedObjectID]]
    public let newOrders: [String: [ManagedObjectID]]

    package init(
        objectID: ManagedObjectID,
        kind: Kind,
        oldValues: [String: GraphValue] = [:],
        newValues: [String: GraphValue] = [:],
        addedMembers: [String: [ManagedObjectID]] = [:],
        removedMembers: [String: [ManagedObjectID]] = [:],
        oldOrders: [String: [ManagedObjectID]] = [:],
        newOrders: [String: [ManagedObjectID]] = [:],
        isErased: Bool = false
    ) {
        self.isErased = isErased
        self.objectID = objectID
        self.kind = kind
        self.oldValues = oldValues
        self.newValues = newValues
        self.addedMembers = addedMembers
        self.removedMembers = removedMembers
        self.oldOrders = oldOrders
        self.newOrders = newOrders
    }
}

/// One step of undo or redo: a command of one or more transactions.
public struct HistoryStep: Hashable, Sendable {
    /// The number of the command's first transaction.
    public let command: Int64
    public let name: String?
    public let date: Date
    public let author: String?
    /// The transactions to invert, newest first.
    public let transactions: [Int64]

    public init(command: Int64, name: String?, date: Date, author: String?, transactions: [Int64]) {
        self.command = command
        self.name = name
        self.date = date
        self.author = author
        self.transactions = transactions
    }
}
