import ObjectGraph

/// Runs the tests, each on a stack that has read nothing.
final class LabBench {
    private let environment: ExampleEnvironment
    private var container: PersistentContainer

    init(_ environment: ExampleEnvironment) throws {
        self.environment = environment
        container = try environment.open(LabModel.make(), LabModel.classes)
    }

    /// Creates the movies, if there are none; returns a sentence about them.
    func fill(_ size: Int) throws -> String {
        let context = container.newContext()
        if try Movie.count(in: context) == 0 {
            let studios = (0..<max(size / 20, 1)).map { number in
                let studio = context.insert(Studio.self)
                studio.name = "Studio \(digits(number))"
                return studio
            }
            let actors = (0..<max(size / 4, 3)).map { number in
                let actor = context.insert(Actor.self)
                actor.name = "Actor \(digits(number))"
                return actor
            }
            for number in 0..<size {
                let movie = context.insert(Movie.self)
                movie.title = "Movie \(digits(number))"
                movie.year = Int16(1_950 + number % 60)
                movie.rating = Double(number % 50) / 10
                movie.studio = studios[number % studios.count]
                // Three neighbours each, so that everybody plays with many.
                movie.actors = Set((0..<3).map { actors[(number * 7 + $0) % actors.count] })
            }
            try context.save()
        }
        let counts = [
            counted(try Movie.count(in: context), "movie"),
            counted(try Actor.count(in: context), "actor"),
            counted(try Studio.count(in: context), "studio"),
        ]
        return counts.joined(separator: ", ")
    }

    func measure(_ test: LabTest) throws -> LabResult {
        // Closing the store releases the rows that were read; an in-memory store has none.
        if environment.store.isFile {
            container.close()
            container = try environment.open(LabModel.make(), LabModel.classes)
        }
        let context = container.newContext()
        container.coordinator.startCounting()
        let clock = ContinuousClock()
        let start = clock.now
        let results = try test.run(context)
        let time = clock.now - start
        container.coordinator.stopCounting()
        return LabResult(
            title: test.title,
            results: results,
            counters: container.coordinator.counters,
            time: time
        )
    }

    /// With leading zeros, so that names sort like their numbers.
    private func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 5 - text.count)) + text
    }
}
