public import DocketFormats
public import ObjectGraph

/// What a command acts on: items, or only their identities where they are too many for one
/// transaction.
///
/// Selected and marked rows are looked up once, by ``Library/targets(_:)``; from there on the items
/// are handed on. What waits for an answer of the user keeps ``ids``.
public enum Targets {
    case items([Item])
    case many([ManagedObjectID])

    public var count: Int {
        switch self {
        case .items(let items): items.count
        case .many(let ids): ids.count
        }
    }

    public var ids: [ManagedObjectID] {
        switch self {
        case .items(let items): items.map(\.objectID)
        case .many(let ids): ids
        }
    }

    public var isEmpty: Bool { count == 0 }

    /// The items, if they are not many.
    public var items: [Item]? { if case .items(let items) = self { items } else { nil } }

    /// The task that is the only target.
    public var onlyTask: Task? { items?.count == 1 ? items?.first as? Task : nil }

    /// The tasks among them.
    public var tasks: Targets {
        switch self {
        case .items(let items): .items(items.filter { $0 is Task })
        case .many(let ids): .many(ids.filter { $0.entityName == Task.entityName })
        }
    }

    /// The refusal of a command that is not possible in parts; `what` says what so many are too many
    /// for, such as `for one step`.
    public static func refusal(of count: Int, _ what: String) -> InputError {
        InputError(.tooMuch, "\(count) items are too many \(what); mark fewer.")
    }
}

extension Library {
    /// Whether so many items are too many for one transaction: then a change is a ``LongCommand``,
    /// and what cannot be divided into parts is refused.
    func isTooMuch(_ count: Int) -> Bool { count > largestChange && trial == nil }

    /// The existing items of some identities, in their order.
    public func targets(_ ids: [ManagedObjectID]) throws -> Targets {
        isTooMuch(ids.count) ? .many(ids) : .items(try existing(ids))
    }

    /// The items of some targets, however many they are.
    public func items(of targets: Targets) throws -> [Item] {
        switch targets {
        case .items(let items): items
        case .many(let ids): try existing(ids)
        }
    }

    /// The targets that a change affects; of many, as far as one fetch can tell.
    public func affected(by change: ItemChange, among targets: Targets) throws -> Targets {
        guard case .many(let ids) = targets else {
            return .items(targets.items?.filter(change.affects) ?? [])
        }
        try refresh()
        guard let selection = change.selection else { return targets }
        let wanted = Set(ids)
        return .many(try context.fetch(selection).filter(wanted.contains))
    }
}
