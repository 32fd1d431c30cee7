import ObjectGraph

/// The things in their order, by numbers with gaps between them.
struct FavouriteList {
    let context: ManagedObjectContext

    /// The distance between things that nobody has moved.
    static let gap: Int64 = 1_024

    func things() throws -> [FavouriteThing] {
        try FavouriteThing.all(in: context, sortedBy: \.displayOrder)
    }

    func insert(_ name: String, at index: Int) throws {
        let things = try things()
        let thing = context.insert(FavouriteThing.self)
        thing.name = name
        place(thing, at: index, among: things)
    }

    func move(from index: Int, to target: Int) throws {
        var things = try things()
        let thing = things.remove(at: index)
        place(thing, at: target, among: things)
    }

    /// Gives a thing a number between those of its neighbours; makes room if there is none.
    private func place(_ thing: FavouriteThing, at index: Int, among others: [FavouriteThing]) {
        let before = index > 0 ? others[index - 1].displayOrder : nil
        let after = index < others.count ? others[index].displayOrder : nil
        switch (before, after) {
        case (nil, nil): thing.displayOrder = 0
        case (let before?, nil): thing.displayOrder = before + Self.gap
        case (nil, let after?): thing.displayOrder = after - Self.gap
        case (let before?, let after?) where after - before > 1:
            thing.displayOrder = before + (after - before) / 2
        default:
            var all = others
            all.insert(thing, at: index)
            makeRoom(around: index, in: all)
        }
    }

    /// Spreads as few neighbours as needed over the gap between the ones beyond them.
    private func makeRoom(around index: Int, in things: [FavouriteThing]) {
        var reach = 1
        while true {
            let lower = max(0, index - reach)
            let upper = min(things.count - 1, index + reach)
            let count = Int64(upper - lower + 1)
            let below = lower > 0 ? things[lower - 1].displayOrder : nil
            let above = upper < things.count - 1 ? things[upper + 1].displayOrder : nil
            // Beyond the ends of the list there is unlimited room.
            let floor = below ?? (above ?? 0) - (count + 1) * Self.gap
            let ceiling = above ?? floor + (count + 1) * Self.gap
            let step = (ceiling - floor) / (count + 1)
            if step > 16 || count == Int64(things.count) {
                for (place, thing) in zip(1..., things[lower...upper]) {
                    let order = floor + Int64(place) * step
                    if thing.displayOrder != order { thing.displayOrder = order }
                }
                return
            }
            reach *= 2
        }
    }
}
