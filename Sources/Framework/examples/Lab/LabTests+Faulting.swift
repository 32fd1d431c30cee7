import ObjectGraph

/// Movies by their IDs, each of which is looked up when it is read: the expensive way.
struct FaultsSingly: LabTest {
    let title = "movies singly"

    func run(in context: ManagedObjectContext) throws -> Int {
        let ids = try context.fetch(FetchRequest<ManagedObjectID>(entityName: Movie.entityName))
        return ids.count { id in
            (context.object(with: id) as? Movie)?.title.isEmpty == false
        }
    }
}

/// Movies that were fetched without their rows: reading one reads all.
struct FaultsInBatch: LabTest {
    let title = "movies in batch"

    func run(in context: ManagedObjectContext) throws -> Int {
        var request = Movie.fetchRequest()
        request.includesPropertyValues = false
        return try context.fetch(request).count { !$0.title.isEmpty }
    }
}

/// The studio of each movie, one movie after the other, each released after use.
struct StudiosSingly: LabTest {
    let title = "studios singly"

    func run(in context: ManagedObjectContext) throws -> Int {
        let ids = try context.fetch(FetchRequest<ManagedObjectID>(entityName: Movie.entityName))
        return ids.count { id in
            (context.object(with: id) as? Movie)?.studio?.name.isEmpty == false
        }
    }
}

/// The studio of each movie of a fetch: asking for one brings those of all.
struct StudiosInBatch: LabTest {
    let title = "studios in batch"

    func run(in context: ManagedObjectContext) throws -> Int {
        try Movie.all(in: context).count { $0.studio?.name.isEmpty == false }
    }
}

/// Studio and actors of each movie, fetched together with the movies.
struct Prefetched: LabTest {
    let title = "studios and actors prefetched"

    func run(in context: ManagedObjectContext) throws -> Int {
        try Movie.all(in: context, prefetching: \.studio, \.actors).count { movie in
            movie.studio?.name.isEmpty == false && movie.actors.allSatisfy { !$0.name.isEmpty }
        }
    }
}

/// Movies that another context has read: their rows are in memory already.
struct RowCacheHit: LabTest {
    let title = "movies singly, rows in the cache"

    func run(in context: ManagedObjectContext) throws -> Int {
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let movies = try Movie.all(in: other)
        return movies.count { movie in
            (context.object(with: movie.objectID) as? Movie)?.title.isEmpty == false
        }
    }
}

/// The same movies fetched twice: both fetches return the same instances.
struct Uniquing: LabTest {
    let title = "instances of two fetches"

    func run(in context: ManagedObjectContext) throws -> Int {
        let twice = try Movie.all(in: context) + Movie.all(in: context)
        return Set(twice.map { ObjectIdentifier($0) }).count
    }
}
