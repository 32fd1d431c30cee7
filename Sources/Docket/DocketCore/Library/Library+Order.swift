public import ObjectGraph

// The user's order. Ranks are sparse (see ``Ranks``), so a move writes the moved items and, rarely,
// a few neighbours. Under a filter an item moves next to the visible item at its new place; hidden
// ones keep their places.

extension Library {
    /// The place to which items move.
    public enum Placement {
        case before(Item)
        case after(Item)
        case top
        case bottom

        /// The end of the name of a step: ` after "Pay rent"`.
        var phrase: String {
            switch self {
            case .before(let item): " before \(StepName.quoted(item.title))"
            case .after(let item): " after \(StepName.quoted(item.title))"
            case .top: " to the top"
            case .bottom: " to the bottom"
            }
        }
    }

    /// Moves items, in their order, to a place; one step.
    ///
    /// - Returns: the step; `nil` if they are at that place already.
    @discardableResult
    public func place(_ items: [Item], _ placement: Placement) throws -> SavedStep? {
        try change {
            let items = existing(items)
            try setRanks(of: items, placement)
            return StepName(.moved, changed(items), placement.phrase)
        }
    }

    /// Gives items, in their order, the ranks of a place; part of a verb.
    ///
    /// - Parameters:
    ///   - items: what is moved.
    ///   - placement: the place.
    ///   - scratch: the context of the items, if it is not the library's own.
    /// - Throws: the store's error.
    func setRanks(
        of items: [Item],
        _ placement: Placement,
        in scratch: ManagedObjectContext? = nil
    ) throws {
        guard !items.isEmpty else { return }
        let context = scratch ?? self.context
        let moved = Set(items.map(\.objectID))
        switch placement {
        case .before(let item), .after(let item):
            if moved.contains(item.objectID) || item.isDeleted { return }
        case .top, .bottom: break
        }
        if items.count == 1, try isThere(items[0], placement, context) { return }
        var before: [Item] = []
        var after: [Item] = []
        let places = try Ranks.place(
            items.count,
            before: { count in
                before = try neighbours(placement, ahead: true, count, moved, context)
                return before.map(\.displayOrder)
            },
            after: { count in
                after = try neighbours(placement, ahead: false, count, moved, context)
                return after.map(\.displayOrder)
            }
        )
        for (item, rank) in zip(items, places.placed) { item.displayOrder = rank }
        for (item, rank) in zip(before, places.before) { item.displayOrder = rank }
        for (item, rank) in zip(after, places.after) { item.displayOrder = rank }
    }

    /// Whether an item is at a place already, with no other item between or at the same place.
    private func isThere(
        _ item: Item,
        _ placement: Placement,
        _ context: ManagedObjectContext
    ) throws -> Bool {
        let rank = item.displayOrder
        switch placement {
        case .before(let other) where rank >= other.displayOrder: return false
        case .after(let other) where rank <= other.displayOrder: return false
        default: break
        }
        guard (-Ranks.limit...Ranks.limit).contains(rank),
            try Item.count(in: context, where: \.displayOrder == rank) < 2
        else { return false }
        func nearest(ahead: Bool) throws -> Item? {
            let place = ahead ? Placement.before(item) : .after(item)
            return try neighbours(place, ahead: ahead, 1, [item.objectID], context).first
        }
        switch placement {
        case .top: return try nearest(ahead: true) == nil
        case .bottom: return try nearest(ahead: false) == nil
        case .before(let other): return try nearest(ahead: false) === other
        case .after(let other): return try nearest(ahead: true) === other
        }
    }

    /// What placing an item at places asks the store for.
    func requests(placing item: Item, _ placements: [Placement]) -> [FetchDescription] {
        placements.map { placement in
            let isBefore = if case .before = placement { true } else { false }
            return neighbourRequest(placement, ahead: isBefore, 1, [item.objectID]).description
        }
    }

    /// The items nearest to a place, on one side of it, nearest first.
    private func neighbours(
        _ placement: Placement,
        ahead: Bool,
        _ count: Int,
        _ moved: Set<ManagedObjectID>,
        _ context: ManagedObjectContext
    ) throws -> [Item] {
        switch placement {
        case .top where ahead, .bottom where !ahead: return []
        // The item of the place is the nearest one on its side.
        case .before(let item) where count == 1 && !ahead: return [item]
        case .after(let item) where count == 1 && ahead: return [item]
        default: break
        }
        let request = neighbourRequest(placement, ahead: ahead, count, moved)
        return Array(
            try context.fetch(request).filter { !moved.contains($0.objectID) }.prefix(count)
        )
    }

    private func neighbourRequest(
        _ placement: Placement,
        ahead: Bool,
        _ count: Int,
        _ moved: Set<ManagedObjectID>
    ) -> FetchRequest<Item> {
        let bound: Condition<Item>? =
            switch placement {
            case .top, .bottom: nil
            case .before(let item):
                ahead
                    ? \.displayOrder < item.displayOrder : \.displayOrder >= item.displayOrder
            case .after(let item):
                ahead
                    ? \.displayOrder <= item.displayOrder : \.displayOrder > item.displayOrder
            }
        var request = FetchRequest<Item>(where: bound)
        request.sort(by: ahead ? \.displayOrder.descending : \.displayOrder)
        request.limit = count + moved.count
        return request
    }

    /// The next item in a direction among those that meet a condition; `nil` at the end.
    public func neighbour(
        of item: Item,
        ahead: Bool,
        among visible: Condition<Item>
    ) throws -> Item? {
        let rank = item.displayOrder
        // One at the same place counts: moving past it gives both a place.
        let side: Condition<Item> = ahead ? \.displayOrder <= rank : \.displayOrder >= rank
        var request = FetchRequest<Item>(where: visible && side)
        request.sort(by: ahead ? \.displayOrder.descending : \.displayOrder)
        request.limit = 2
        return try context.fetch(request).first { $0 !== item }
    }
}
