import ObjectGraph

/// The categories that come with the program.
///
/// Each version of the program may add more. The store remembers the last seeded version, in the
/// same transaction as the seeds themselves. So a version is seeded exactly once, and a category
/// that the user has deleted does not return.
enum CategorySeeds {
    private static let versions: [[String]] = [
        ["Private", "Work"],
        ["Money", "Travel"],
    ]

    static func run(in context: ManagedObjectContext, _ output: Output) throws {
        let marker = try CategorySeed.first(in: context) ?? context.insert(CategorySeed.self)
        let done = Int(marker.version)
        if done == Self.versions.count {
            output("The categories are of version \(done) already.")
        }
        for (index, names) in Self.versions.enumerated().dropFirst(done) {
            for name in names {
                let category = context.insert(Category.self)
                category.name = name
            }
            marker.version = Int16(index + 1)
            try context.save()
            output("Categories of version \(index + 1): \(names.joined(separator: ", "))")
        }
    }
}
