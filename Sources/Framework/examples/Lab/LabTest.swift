import ObjectGraph

/// One test of the laboratory.
struct LabTest: Sendable {
    let title: String
    /// Does the work that is measured, and returns the number of results; the stack has read nothing
    /// yet, if its store is a file.
    let run: @Sendable (ManagedObjectContext) throws -> Int

    init(_ title: String, run: @escaping @Sendable (ManagedObjectContext) throws -> Int) {
        self.title = title
        self.run = run
    }

    /// A predicate, as a format string.
    init(predicate: String) {
        self.init(predicate) {
            try Movie.all(in: $0, where: Condition(FetchPredicate(format: predicate))).count
        }
    }
}

/// The cost of a test.
struct LabResult {
    let title: String
    let results: Int
    let counters: StackCounters
    let time: Duration
}

extension LabTest {
    static let fetching = [
        LabTest("all movies") { try Movie.all(in: $0).count },
        // The rows came with the fetch.
        LabTest("all movies, read") { try Movie.all(in: $0).count { !$0.title.isEmpty } },
        // No object is made.
        LabTest("count only") { try Movie.count(in: $0) },
    ]

    static let faulting = [
        // Each movie is looked up when it is read: the expensive way.
        LabTest("movies singly") { context in
            try movieIDs(context).count {
                (context.object(with: $0) as? Movie)?.title.isEmpty == false
            }
        },
        // Fetched without their rows: reading one reads all.
        LabTest("movies in batch") { context in
            var request = Movie.fetchRequest()
            request.includesPropertyValues = false
            return try context.fetch(request).count { !$0.title.isEmpty }
        },
        // One movie after the other, each released after use.
        LabTest("studios singly") { context in
            try movieIDs(context).count {
                (context.object(with: $0) as? Movie)?.studio?.name.isEmpty == false
            }
        },
        // Asking for the studio of one movie brings those of all.
        LabTest("studios in batch") {
            try Movie.all(in: $0).count { $0.studio?.name.isEmpty == false }
        },
        LabTest("studios and actors prefetched") {
            try Movie.all(in: $0, prefetching: \.studio, \.actors).count { movie in
                movie.studio?.name.isEmpty == false && movie.actors.allSatisfy { !$0.name.isEmpty }
            }
        },
    ]

    static let caching = [
        // Another context has read the movies: their rows are in memory already.
        LabTest("movies singly, rows in the cache") { context in
            let other = ManagedObjectContext(coordinator: context.coordinator)
            let movies = try Movie.all(in: other)
            return movies.count {
                (context.object(with: $0.objectID) as? Movie)?.title.isEmpty == false
            }
        },
        // Both fetches return the same instances.
        LabTest("instances of two fetches") {
            Set((try Movie.all(in: $0) + Movie.all(in: $0)).map { ObjectIdentifier($0) }).count
        },
    ]

    static let predicates = [
        #"title == "Movie 00042""#,
        #"title BEGINSWITH "Movie 0004""#,
        #"title CONTAINS "42""#,
        #"title CONTAINS[cd] "MÓVIE 00042""#,
        #"title LIKE "*4?""#,
        #"title MATCHES ".*[13]7""#,
        "year BETWEEN {1970, 1979}",
        "year IN {1966, 1977, 1988}",
        #"studio.name == "Studio 00003""#,
        #"ANY actors.name == "Actor 00007""#,
        #"SUBQUERY(actors, $a, $a.name BEGINSWITH "Actor 0000").@count > 1"#,
    ].map { LabTest(predicate: $0) }

    private static func movieIDs(_ context: ManagedObjectContext) throws -> [ManagedObjectID] {
        try context.fetch(FetchRequest<ManagedObjectID>(entityName: Movie.entityName))
    }
}
