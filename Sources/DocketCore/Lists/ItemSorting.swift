package import CivilTime
package import ObjectGraph

/// The order and the groups in which items are shown.
package struct ItemSorting: Hashable, Sendable {
    package var order: ItemOrder
    package var isReversed: Bool
    package var grouping: ItemGrouping

    package init(
        _ order: ItemOrder = .byHand,
        isReversed: Bool = false,
        grouping: ItemGrouping = .none
    ) {
        self.order = order
        self.isReversed = isReversed
        self.grouping = grouping
    }

    /// Those of a list, where nobody has chosen others.
    package init(_ list: SmartList) {
        self.init(
            list.order,
            isReversed: list.isReversed,
            grouping: list.grouping ?? .none
        )
    }

    /// Whether it is the display order, without groups.
    package var isDisplayOrder: Bool { self == ItemSorting() }

    /// The sort descriptors.
    ///
    /// The items of most groups are consecutive by them; ``ItemGroups`` puts
    /// the others together.
    package var keys: [SortKey<Item>] { grouping.order + order.keys(reversed: isReversed) }

    /// Which items come first by ``keys``, because they have no due date, but are shown last.
    package enum Empty: Sendable {
        case stay
        /// Those at the beginning of all items.
        case lastOfAll
        /// Those at the beginning of each group.
        case lastOfGroup
    }

    package var empty: Empty {
        if grouping == .due { return .lastOfAll }
        guard order.isEmptyLast, !isReversed else { return .stay }
        return grouping.order.isEmpty ? .lastOfAll : .lastOfGroup
    }

    /// The group of an item, and whether it is among the last ones there.
    package func place(of item: Item, _ context: DateContext) -> ItemGroups.Place {
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
    package func place(of item: ItemRecord, _ context: DateContext) -> ItemGroups.Place {
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
package struct ItemGroups {
    /// Where an item belongs.
    package struct Place: Hashable, Sendable {
        /// The name of the group.
        package var name: String
        /// Whether the item comes after those that are not.
        package var isLast: Bool

        package init(name: String, isLast: Bool = false) {
            self.name = name
            self.isLast = isLast
        }
    }

    private var names: [String] = []
    private var members: [String: (first: [ManagedObjectID], last: [ManagedObjectID])] = [:]

    package init() {}

    package mutating func add(_ id: ManagedObjectID, to place: Place) {
        if members[place.name] == nil { names.append(place.name) }
        if place.isLast {
            members[place.name, default: ([], [])].last.append(id)
        } else {
            members[place.name, default: ([], [])].first.append(id)
        }
    }

    /// The groups with their items.
    package var all: [(name: String, ids: [ManagedObjectID])] {
        names.map { name in
            let ids = members[name] ?? ([], [])
            return (name, ids.first + ids.last)
        }
    }
}
