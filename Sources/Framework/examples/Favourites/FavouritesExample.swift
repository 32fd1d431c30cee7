import ObjectGraph

/// Favourite things in the user's order.
///
/// A thing's place is a number, with a gap to the next. Moving a thing writes only that thing,
/// however long the list is; a few neighbours are written only if there is no gap left.
struct FavouritesExample: Example {
    let name = "favourites"
    let summary = "a user-defined order: moving an item writes one row"

    private static let things = [
        "The smell of rain", "Fresh bread", "A long letter", "The last train home", "Warm socks",
        "An empty beach",
    ]

    func run(in environment: ExampleEnvironment) throws {
        let output = environment.output
        let container = try environment.open(FavouritesModel.make(), FavouritesModel.classes)
        let context = container.viewContext
        let list = FavouriteList(context: context)
        func save(_ what: String) throws {
            context.processPendingChanges()
            let rows = context.insertedObjects.count + context.updatedObjects.count
            try context.save(as: what)
            output("\(what): \(counted(rows, "row")) written")
        }
        func show() throws {
            output.rows(try list.things().map { [$0.name, "\($0.displayOrder)"] })
        }
        container.coordinator.startCounting()

        if try FavouriteThing.count(in: context) == 0 {
            for (index, name) in Self.things.enumerated() { try list.insert(name, at: index) }
            try save("Make the list")
        }
        try show()

        output()
        try list.move(from: 4, to: 1)
        try save("Move the fifth up to the second place")
        try show()

        if try FavouriteThing.find(by: \.name, "A cat that stays", in: context) == nil {
            output()
            try list.insert("A cat that stays", at: 1)
            try save("Insert one between the first and the second")
            try show()
        }

        output()
        output("Move the last to the third place, twelve times:")
        var written: [Int] = []
        for _ in 0..<12 {
            try list.move(from: try FavouriteThing.count(in: context) - 1, to: 2)
            context.processPendingChanges()
            written.append(context.updatedObjects.count)
            try context.save(as: "Move")
        }
        output("  rows written each time: \(written.map { "\($0)" }.joined(separator: " "))")
        try show()
        output()
        output("\(counted(container.coordinator.counters.saves, "save")) in all.")
    }
}
