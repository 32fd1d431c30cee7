import ObjectGraph

/// Fetches all movies and reads none of them.
struct FetchAll: LabTest {
    let title = "all movies"

    func run(in context: ManagedObjectContext) throws -> Int { try Movie.all(in: context).count }
}

/// Fetches all movies and reads each: the rows came with the fetch.
struct FetchAndRead: LabTest {
    let title = "all movies, read"

    func run(in context: ManagedObjectContext) throws -> Int {
        try Movie.all(in: context).count { !$0.title.isEmpty }
    }
}

/// Counts the movies: no object is made.
struct CountOnly: LabTest {
    let title = "count only"

    func run(in context: ManagedObjectContext) throws -> Int { try Movie.count(in: context) }
}

/// A predicate, as a format string.
struct PredicateTest: LabTest {
    let title: String

    init(_ format: String) { title = format }

    func run(in context: ManagedObjectContext) throws -> Int {
        try Movie.all(in: context, where: Condition(FetchPredicate(format: title))).count
    }
}
