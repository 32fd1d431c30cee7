import ObjectGraph

/// The things in their order, by numbers with gaps between them.
struct FavouriteList {
    let context: ManagedObjectContext

    /// Small numbers, to be read.
    private static let scale = Ranks.Scale(spacing: 1_024, limit: 1 << 40)

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

    /// Gives a thing a number between those of its neighbours; they get others if there is none.
    private func place(_ thing: FavouriteThing, at index: Int, among others: [FavouriteThing]) {
        let below = others[..<index].reversed()
        let above = others[index...]
        let ranks = Ranks.place(
            on: Self.scale,
            before: { below.prefix($0).map(\.displayOrder) },
            after: { above.prefix($0).map(\.displayOrder) }
        )
        let things = [thing] + below.prefix(ranks.before.count) + above.prefix(ranks.after.count)
        for (thing, order) in zip(things, ranks.placed + ranks.before + ranks.after) {
            thing.displayOrder = order
        }
    }
}
