public import CivilTime
public import DocketFormats
import FoundationEssentials
public import ObjectGraph

/// The order and the groups in which items are shown.
public struct ItemSorting: Hashable, Sendable {
    public var order: ItemOrder
    public var isReversed: Bool
    public var grouping: ItemGrouping
    /// Whether whole days come after the times of that day, because they are late when it is over.
    public var hasDaysLast = false

    public init(
        _ order: ItemOrder = .byHand,
        isReversed: Bool = false,
        grouping: ItemGrouping = .none
    ) {
        self.order = order
        self.isReversed = isReversed
        self.grouping = grouping
    }

    /// Those of a list, where nobody has chosen others.
    public init(_ list: SmartList) {
        self.init(
            list.order,
            isReversed: list.isReversed,
            grouping: list.grouping ?? .none
        )
        hasDaysLast = list == .overdue
    }

    /// Whether it is the display order, without groups.
    public var isDisplayOrder: Bool { order == .byHand && !isReversed && grouping == .none }

    /// The sort descriptors.
    ///
    /// The items of most groups are consecutive by them; ``ItemGroups`` puts
    /// the others together.
    public var keys: [SortKey<Item>] { grouping.order + order.keys(reversed: isReversed) }

    /// Which items come first by ``keys``, because they have no due date, but are shown last.
    public enum Empty: Sendable {
        case stay
        /// Those at the beginning of all items.
        case lastOfAll
        /// Those at the beginning of each group.
        case lastOfGroup
    }

    public var empty: Empty {
        if grouping == .due { return .lastOfAll }
        guard order.isEmptyLast, !isReversed else { return .stay }
        return grouping.order.isEmpty ? .lastOfAll : .lastOfGroup
    }

    // MARK: Within a day

    /// Whether items that ``keys`` have put in order are brought into their order within a day; of
    /// very many, which would all be read, whole days stay between the times, as noon.
    public func isByDay(_ count: Int) -> Bool {
        order == .due && (grouping == .none || grouping == .due) && count <= 2000
    }

    /// Puts whole days, which are stored as noon, before the times of that day, or behind them.
    ///
    /// What has no date stays at the end.
    public func byDay<ID>(
        _ items: [(id: ID, due: DueDate?)],
        in zone: ZoneRules
    ) -> [ID] {
        let rows = items.enumerated().map { place, item in
            let moment =
                hasDaysLast ? item.due?.deadline(in: zone) : item.due?.beginning(in: zone)
            let isLater = item.due?.isDateOnly == hasDaysLast
            return (id: item.id, moment: moment, isLater: isLater, place: place)
        }
        return rows.sorted { one, other in
            guard let first = one.moment, let second = other.moment else {
                return one.moment == nil && other.moment == nil
                    ? one.place < other.place : other.moment == nil
            }
            if first != second { return (first < second) != isReversed }
            if one.isLater != other.isLater { return other.isLater != isReversed }
            return one.place < other.place
        }.map(\.id)
    }

    /// The group of an item, and whether it is among the last ones there.
    public func place(of item: Item, _ context: DateContext) -> ItemGroups.Place {
        let task = item as? Task
        let name = grouping.name(
            list: { item.list?.path ?? [] },
            isNote: item is Note,
            priority: Int(task?.priority ?? 0),
            due: task?.dueDate,
            context
        )
        return .init(name: name, isLast: empty == .lastOfGroup && task?.due == nil)
    }

    /// The same, of the record of an item.
    public func place(of item: ItemRecord, _ context: DateContext) -> ItemGroups.Place {
        let name = grouping.name(
            list: { item.list },
            isNote: item.kind == .note,
            priority: item.priority,
            due: item.due,
            context
        )
        return .init(name: name, isLast: empty == .lastOfGroup && item.due == nil)
    }
}

/// Items in groups, which are in the order of their first items.
public struct ItemGroups {
    /// Where an item belongs.
    public struct Place: Hashable, Sendable {
        /// The name of the group.
        public var name: String
        /// Whether the item comes after those that are not.
        public var isLast: Bool

        public init(name: String, isLast: Bool = false) {
            self.name = name
            self.isLast = isLast
        }
    }

    private var names: [String] = []
    private var members: [String: (first: [ManagedObjectID], last: [ManagedObjectID])] = [:]

    public init() {}

    public mutating func add(_ id: ManagedObjectID, to place: Place) {
        if members[place.name] == nil { names.append(place.name) }
        if place.isLast {
            members[place.name, default: ([], [])].last.append(id)
        } else {
            members[place.name, default: ([], [])].first.append(id)
        }
    }

    /// The groups with their items.
    public var all: [(name: String, ids: [ManagedObjectID])] {
        names.map { name in
            let ids = members[name] ?? ([], [])
            return (name, ids.first + ids.last)
        }
    }
}
